//! The names that lines of cases may use: things, their values, options and changes, as far as they are known without playing.

use crate::arg_roles::ArgRole;
use crate::context::LintContext;
use sandtable_data::definition::references::row_of;
use sandtable_data::suggest::{alternatives, did_you_mean};
use sandtable_kernel::state::{TableId, Type};
use sandtable_script::{Kind, ScriptContext};
use std::collections::BTreeSet;

/// What is wrong with a line: the word, the message, and the nearest names.
pub(crate) struct Wrong {
    pub word: String,
    pub message: String,
    pub help: Option<String>,
}

impl Wrong {
    pub fn new(word: &str, message: String) -> Wrong {
        Wrong { word: word.to_string(), message, help: None }
    }
}

type Fine = Result<(), Wrong>;

/// The first words of changes in canonical form.
const CHANGES: &[&str] = &[
    "move",
    "set",
    "create",
    "destroy",
    "shuffle",
    "reveal",
    "conceal",
    "roll",
    "number",
    "effect",
    "end-effect",
    "end",
    "edit",
];

pub(crate) struct Known<'a, 'c> {
    context: &'a LintContext<'c>,
    handlers: Vec<(Kind, String)>,
    /// Texts of scripts and tables that an option or a label can be.
    texts: BTreeSet<&'a str>,
}

impl<'a, 'c> Known<'a, 'c> {
    pub fn new(context: &'a LintContext<'c>, cx: &ScriptContext) -> Self {
        let registry = cx.registry.borrow();
        let handlers = registry.handlers.iter().map(|handler| (handler.kind, handler.id.clone())).collect();
        let names = &context.names;
        let tables = [&names.data, &names.keys, &names.prompts, &names.kinds, &names.nodes];
        let scripts = context.scripts.iter().flat_map(|facts| &facts.texts).map(|text| text.value.as_str());
        let texts = tables.into_iter().flatten().map(String::as_str).chain(scripts).collect();
        Self { context, handlers, texts }
    }

    /// One of some names.
    pub fn one<'n>(
        &self,
        what: &str,
        name: &str,
        names: impl IntoIterator<Item = &'n (impl AsRef<str> + ?Sized + 'n)>,
    ) -> Fine {
        let names: Vec<&str> = names.into_iter().map(AsRef::as_ref).collect();
        if names.contains(&name) {
            return Ok(());
        }
        let help = did_you_mean(name, names);
        Err(Wrong { help, ..Wrong::new(name, format!("there is no {what} `{name}`")) })
    }

    pub fn ids(&self, kind: impl Fn(Kind) -> bool) -> impl Iterator<Item = &str> {
        self.handlers.iter().filter(move |handler| kind(handler.0)).map(|handler| handler.1.as_str())
    }

    /// A handler by its id; any may be meant, of some kinds the nearest are named.
    pub fn handler(&self, what: &str, id: &str, kind: impl Fn(Kind) -> bool) -> Fine {
        self.one(what, id, self.ids(kind))
    }

    pub fn prompt(&self, name: &str) -> Fine {
        if self.context.mentions.has(name, &[ArgRole::Prompt]) {
            return Ok(());
        }
        self.one("prompt", name, &self.context.names.prompts)
    }

    pub fn piece(&self, name: &str) -> Fine {
        let pieces = &self.context.names.pieces;
        if pieces.contains(row_of(name)) { Ok(()) } else { self.one("piece", name, pieces) }
    }

    pub fn place(&self, name: &str) -> Fine {
        let names = &self.context.names;
        if name == "-" || names.spaces.contains(name) || names.pieces.contains(row_of(name)) {
            return Ok(());
        }
        self.one("space or piece", name, names.spaces.iter().chain(&names.pieces))
    }

    /// A word that names a thing, or a text that stands somewhere in the game.
    pub fn said(&self, word: &str) -> Fine {
        let names = &self.context.names;
        // `0120` is how a map is numbered, and no number.
        let plain_number = word.trim_start_matches('#');
        let number = plain_number.parse::<i64>().is_ok_and(|n| n.to_string() == plain_number);
        let plain = ["nil", "true", "false", "#true", "#false", "none", "game"].contains(&word);
        let thing = names.spaces.contains(word)
            || names.sides.contains(word)
            || names.pieces.contains(row_of(word))
            || names.records.contains(row_of(word));
        if number || plain || thing || self.texts.contains(word) || self.context.mentions.joins(word) {
            return Ok(());
        }
        let things = names.spaces.iter().chain(&names.pieces).chain(&names.sides).map(String::as_str);
        let ids = self.ids(|kind| kind == Kind::Offer);
        let help = did_you_mean(word, things.chain(ids).chain(self.texts.iter().copied()));
        Err(Wrong { help, ..Wrong::new(word, format!("nothing in the game is called `{word}`")) })
    }

    /// An answer, or some options: words, offers with a value, lists in brackets, counts.
    pub fn option(&self, text: &str) -> Fine {
        let whole = text.trim().trim_start_matches("...").trim_start_matches('…');
        if self.texts.contains(whole.trim()) {
            return Ok(());
        }
        let parts = |c: char| c.is_whitespace() || ",/[]()".contains(c);
        for word in whole.split(parts).filter(|word| !word.is_empty()) {
            let counted = word.rsplit_once('*').filter(|(_, n)| n.parse::<u32>().is_ok());
            self.said(counted.map_or(word, |(name, _)| name))?;
        }
        Ok(())
    }

    /// The label of a roll: a text of a script.
    pub fn label(&self, label: &str) -> Fine {
        if self.texts.contains(label) || self.context.mentions.joins(label) {
            return Ok(());
        }
        let help = did_you_mean(label, self.texts.iter().copied());
        Err(Wrong { help, ..Wrong::new(label, format!("nothing is rolled under the label `{label}`")) })
    }

    /// The type of an attribute or field; none for what every thing has.
    pub fn column(&self, table: TableId, name: &str) -> Result<Option<Type>, Wrong> {
        let world = &self.context.definition.world;
        let fields = match table {
            TableId::PIECE => world.piece_fields.columns.as_slice(),
            TableId::SPACE => world.space_fields.columns.as_slice(),
            TableId::SIDE => world.side_fields.columns.as_slice(),
            _ => &[],
        };
        let own: &[&str] = match table {
            TableId::PIECE => &["place", "level", "levels", "name", "facing"],
            TableId::SPACE => &["count", "pieces", "name"],
            TableId::SIDE => &["team"],
            _ => &[],
        };
        if own.contains(&name) {
            return Ok(None);
        }
        let columns = &world.schema.tables[usize::from(table.0)].columns;
        let columns = columns.iter().map(|column| (column.name, &column.ty));
        let all: Vec<(&str, &Type)> = columns
            .chain(fields.iter().map(|(name, ty)| (*name, ty)))
            .map(|(name, ty)| (world.symbols.text(name), ty))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        if let Some((_, ty)) = all.iter().find(|(other, _)| *other == name) {
            return Ok(Some((*ty).clone()));
        }
        let what = match table {
            TableId::GAME => "the game has",
            TableId::SIDE => "sides have",
            TableId::SPACE => "spaces have",
            _ => "pieces have",
        };
        let help = did_you_mean(name, all.iter().map(|column| column.0).chain(own.iter().copied()));
        Err(Wrong { help, ..Wrong::new(name, format!("{what} no attribute or field `{name}`")) })
    }

    /// `THING.ATTRIBUTE VALUE`; effects have a value only where one is looked at.
    pub fn value(&self, text: &str, looked_at: bool) -> Fine {
        let names = &self.context.names;
        let (path, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Some((thing, attribute)) = path.rsplit_once('.') else {
            return Err(Wrong::new(path, format!("`{path}`: expected THING.ATTRIBUTE")));
        };
        let plain = thing.strip_prefix("sides.").unwrap_or(thing);
        let table = match plain {
            "game" => TableId::GAME,
            side if names.sides.contains(side) => TableId::SIDE,
            space if names.spaces.contains(space) => TableId::SPACE,
            piece if names.pieces.contains(row_of(piece)) => TableId::PIECE,
            record if names.records.contains(row_of(record)) => return Ok(()),
            _ if looked_at && attribute == "effect" => return self.effect(thing),
            other => {
                let all = names.sides.iter().chain(&names.spaces).chain(&names.pieces);
                return self.one("side, space or piece", other, all);
            }
        };
        match self.column(table, attribute)? {
            Some(ty) => self.held(&ty, path, value.trim()),
            None => Ok(()),
        }
    }

    /// A value that an attribute or field can have.
    fn held(&self, ty: &Type, path: &str, value: &str) -> Fine {
        let names = &self.context.names;
        let world = &self.context.definition.world;
        let expected =
            |what: &str| Wrong::new(value, format!("`{path}` is never `{value}`; expected {what}"));
        match ty {
            _ if value.is_empty() || value == "nil" => Ok(()),
            Type::Bool if value == "true" || value == "false" => Ok(()),
            Type::Bool => Err(expected("true or false")),
            Type::Int { .. } if value.parse::<i32>().is_ok() => Ok(()),
            Type::Int { .. } => Err(expected("a whole number")),
            Type::Enum(words) => {
                let words: Vec<&str> = words.iter().map(|&word| world.symbols.text(word)).collect();
                if words.contains(&value) {
                    return Ok(());
                }
                Err(Wrong {
                    help: did_you_mean(value, words.iter().copied()),
                    ..expected(&alternatives(&words))
                })
            }
            Type::Side => self.one("side", value, &names.sides),
            Type::Piece => self.piece(value),
            Type::Space => self.one("space", value, &names.spaces),
            Type::Text | Type::Record(_) => Ok(()),
            Type::List(of) => value.split_whitespace().try_for_each(|word| self.held(of, path, word)),
        }
    }

    fn effect(&self, name: &str) -> Fine {
        let arg_roles = [ArgRole::Effect, ArgRole::EffectRead];
        if self.context.mentions.has(name, &arg_roles) || self.texts.contains(name) {
            return Ok(());
        }
        let names: Vec<&str> = arg_roles.iter().flat_map(|&role| self.context.mentions.of(role)).collect();
        self.one("effect", name, names)
    }

    /// An expected change in canonical form.
    pub fn change(&self, text: &str) -> Fine {
        let names = &self.context.names;
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["..." | "…"] | [] => Ok(()),
            ["move", piece, from, to] => {
                self.piece(piece).and_then(|()| self.place(from)).and_then(|()| self.place(to))
            }
            ["move", ..] => Err(Wrong::new("move", "expected `move PIECE FROM TO`; `-` is no place".into())),
            ["set", ..] => self.value(text.trim_start_matches("set").trim(), false),
            ["create" | "destroy" | "reveal" | "conceal", piece] => self.piece(piece),
            ["shuffle", space] => self.one("space", space, &names.spaces),
            ["roll", label, ..] => self.label(label),
            ["number", name, ..] => {
                self.handler("number", name, |kind| kind == Kind::Number)?;
                let parts = text.split_once(" = ").map_or("", |(_, parts)| parts);
                parts.split(',').filter_map(|part| part.split_whitespace().next_back()).try_for_each(|id| {
                    self.handler("number or contribution", id, |kind| {
                        matches!(kind, Kind::Number | Kind::Modify)
                    })
                })
            }
            ["effect" | "end-effect", name] => self.effect(name),
            ["end", winner, reason] => {
                if *winner != "nobody" {
                    self.one("side", winner, &names.sides)?;
                }
                if self.texts.contains(reason) { Ok(()) } else { self.one("text", reason, &names.texts) }
            }
            ["edit", ..] => Ok(()),
            [word, ..] if CHANGES.contains(word) => {
                Err(Wrong::new(word, format!("a change that begins with `{word}` has other words after it")))
            }
            [word, ..] => self.one("change that begins with", word, CHANGES),
        }
    }
}
