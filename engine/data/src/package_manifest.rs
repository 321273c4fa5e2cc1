//! Manifests: what a game, a layer or a library says about itself, in TOML or in the first comments of a Lua file.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::{LayerId, Origin};
use crate::source::{FileId, Span};
use crate::toml_file::read_toml;
use crate::tree::{Node, Table, Value};
use crate::tree_read::{Row, expect_str};

/// Whether a package is a game, changes one, or is shared by several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageKind {
    /// A game.
    Game,
    /// Errata, a variant or a house rule.
    Layer,
    /// Scripts that games share.
    Library,
}

impl PackageKind {
    /// The kind in a word; also the name of the manifest's table.
    pub fn word(self) -> &'static str {
        match self {
            PackageKind::Game => "game",
            PackageKind::Layer => "layer",
            PackageKind::Library => "library",
        }
    }

    /// The kind that has a manifest of that name.
    pub(crate) fn of_manifest(name: &str) -> PackageKind {
        match name {
            "game.toml" => PackageKind::Game,
            "library.toml" => PackageKind::Library,
            _ => PackageKind::Layer,
        }
    }
}

/// Another package that a package needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// Its id.
    pub id: String,
    /// The major version it must have, if any was said.
    pub major: Option<u64>,
    /// Where it is said.
    pub span: Span,
}

/// What a package says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Game, layer or library.
    pub kind: PackageKind,
    /// The id.
    pub id: String,
    /// The name for people; the id if none is given.
    pub title: String,
    /// The version, such as `1.2`.
    pub version: String,
    /// The game that a layer changes.
    pub game: Option<String>,
    /// The packages that it needs: games and libraries need libraries, layers anything.
    pub needs: Vec<Need>,
    /// The layers that it cannot be combined with.
    pub clashes: Vec<(String, Span)>,
    /// Where the manifest stands.
    pub span: Span,
}

impl Manifest {
    /// Returns the part of the version before the first dot.
    pub fn major(&self) -> Option<u64> {
        self.version.split('.').next()?.trim().parse().ok()
    }

    /// Returns whether a layer is for a game, as far as it says so.
    pub fn is_for(&self, game: &str) -> bool {
        self.game.as_deref() == Some(game) || self.needs.iter().any(|need| need.id == game)
    }

    /// Whether nothing is said of another game.
    pub fn may_be_for(&self, game: &str) -> bool {
        self.game.as_deref().is_none_or(|own| own == game)
    }

    /// Reads the manifest of a TOML text, whose table is `[game]`, `[layer]` or `[library]`; problems are reported.
    pub fn read_toml(text: &str, kind: PackageKind, file: FileId, out: &mut Diagnostics) -> Option<Self> {
        // Syntax errors are reported when the file is read as data.
        let root = read_toml(text, file, LayerId(0), &mut Diagnostics::new());
        let word = kind.word();
        let Some(node) = root.get(word) else {
            let message = format!("the manifest has no table [{word}]");
            out.push(Diagnostic::error(&codes::BAD_MANIFEST, Span::new(file, 0, 0), message));
            return None;
        };
        Self::read(node, kind, out)
    }

    /// Reads the comments `--- layer: ID` at the start of a Lua file; nothing if there are none.
    pub fn read_lua(text: &str, file: FileId, out: &mut Diagnostics) -> Option<Self> {
        let place = |start, end| Origin::new(LayerId(0), Span::new(file, start, end));
        let mut table = Table::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with("#!") {
                continue;
            }
            let Some(comment) = trimmed.strip_prefix("--") else { break };
            let Some((key, value)) = comment.trim_start_matches('-').trim().split_once(':') else { continue };
            let (key, value) = (key.trim(), value.trim());
            let key = if key == "layer" { "id" } else { key };
            // A comment with two hyphens, or with a blank before the colon, is a remark.
            let meant = line.starts_with("---") && !key.contains(char::is_whitespace) && !key.is_empty();
            if !KEYS.contains(&key) && !meant || table.contains(key) {
                continue;
            }
            let origin = place(start, start + line.trim_end().len());
            let value = match key {
                "needs" | "clashes" => {
                    Value::Array(value.split(',').map(|id| Node::text(id.trim(), origin)).collect())
                }
                _ => Value::Str(value.to_owned()),
            };
            table.insert(key, origin, Node::new(value, origin));
        }
        let origin = table.key_origin("id")?;
        Self::read(&Node::new(Value::Table(table), origin), PackageKind::Layer, out)
    }

    fn read(node: &Node, kind: PackageKind, out: &mut Diagnostics) -> Option<Self> {
        let row = Row::new(kind.word(), node, out)?;
        match kind {
            PackageKind::Game => {}
            PackageKind::Layer => row.unknown_keys(&KEYS, out),
            // It is for no game, and changes nothing that another could change too.
            PackageKind::Library => {
                let keys: Vec<&str> =
                    KEYS.into_iter().filter(|key| !["game", "clashes"].contains(key)).collect();
                row.unknown_keys(&keys, out);
            }
        }
        for key in ["id", "version"] {
            if row.get(key).is_none() {
                let message = format!("the manifest has no `{key}`");
                out.push(Diagnostic::error(&codes::BAD_MANIFEST, node.origin, message));
            }
        }
        let id = row.str("id", out)?.to_owned();
        if !valid_id(&id) {
            let place = row.get("id").map_or(node.origin, |id| id.origin);
            let message = format!(
                "the id {} is not valid; expected lower-case letters, digits and hyphens",
                Value::Str(id).brief()
            );
            out.push(Diagnostic::error(&codes::BAD_MANIFEST, place, message));
            return None;
        }
        if let Some(version) =
            row.get("version").filter(|node| node.as_str().is_some_and(|text| !valid_version(text)))
        {
            let message = format!(
                "the version {} is not valid; expected numbers with dots, such as \"1.2\"",
                version.value.brief()
            );
            out.push(Diagnostic::error(&codes::BAD_MANIFEST, version.origin, message));
        }
        let list = |key: &str, out: &mut Diagnostics| -> Vec<(String, Span)> {
            let what = format!("an item of `{key}` of the manifest");
            let items = row.array(key, out).unwrap_or_default();
            items
                .iter()
                .filter_map(|i| Some((expect_str(i, &what, out)?.to_owned(), i.origin.span())))
                .collect()
        };
        Some(Self {
            kind,
            title: row.str("title", out).unwrap_or(&id).to_owned(),
            version: row.str("version", out).unwrap_or("0").to_owned(),
            game: row.str("game", out).map(str::to_owned),
            needs: list("needs", out).into_iter().map(|(text, span)| need(&text, span, out)).collect(),
            clashes: list("clashes", out),
            span: node.origin.span(),
            id,
        })
    }
}

const KEYS: [&str; 10] =
    ["id", "title", "version", "game", "needs", "clashes", "author", "licence", "about", "source"];

fn need(text: &str, span: Span, out: &mut Diagnostics) -> Need {
    let (id, major) = text.split_once('@').map_or((text, None), |(id, major)| (id, Some(major.trim())));
    let parsed = major.and_then(|major| major.parse().ok());
    if major.is_some() && parsed.is_none() {
        let message =
            format!("{text:?} has no major version after the @; expected ID or ID@NUMBER, such as errata@1");
        out.push(Diagnostic::error(&codes::BAD_MANIFEST, span, message));
    }
    Need { id: id.trim().to_owned(), major: parsed, span }
}

/// Returns whether a version is made of numbers with dots between them.
fn valid_version(text: &str) -> bool {
    text.split('.')
        .all(|part| !part.is_empty() && part.len() <= 9 && part.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether a package id is made of lower-case letters, digits and hyphens.
pub fn valid_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 64
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Returns whether a TOML text is a layer in a single file: it has the line `[layer]`.
pub(crate) fn is_layer_toml(text: &str) -> bool {
    text.lines().any(|line| line.split('#').next().unwrap_or_default().trim() == "[layer]")
}

/// Returns whether a Lua text is a layer in a single file: its first comments have `--- layer: ID`.
pub(crate) fn is_layer_lua(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .take_while(|line| line.is_empty() || line.starts_with("--") || line.starts_with("#!"))
        .any(|line| line.trim_start_matches('-').trim_start().starts_with("layer:"))
}
