//! Which changes of the rules are to blame that a record goes another way: each is left out in turn, and the record played
//! again up to the first difference.

use crate::keys;
use crate::load::{self, Loaded};
use crate::test_watch::{changed_lines, handlers_in, place};
use sandtable_data::catalog::Catalog;
use sandtable_script::Host;
use sandtable_session::{Game, Record, Session};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Changes that are tried; each costs a game played again.
const MOST: usize = 40;

/// How a change is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Without {
    /// This setting puts the old value back.
    Set(String),
    /// This option has its old value.
    Option(String),
    /// This handler of a layer is turned off.
    Handler(u32),
    /// This change that a layer makes to a handler is not made.
    Change(usize),
    /// It cannot be left out alone.
    Never,
}

/// A change of the rules that a game touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The change in words, with its place.
    pub text: String,
    without: Without,
}

impl Suspect {
    /// A handler that a layer adds.
    pub fn handler(number: usize, text: String) -> Suspect {
        Suspect { text, without: u32::try_from(number).map_or(Without::Never, Without::Handler) }
    }

    /// A change that a layer makes to a handler, by its number.
    pub fn change(number: usize, text: String) -> Suspect {
        Suspect { text, without: Without::Change(number) }
    }

    /// Options that had other values in the record.
    pub fn options(record: &Record, now: &Record) -> Vec<Suspect> {
        let other = |(id, value): &(String, String)| {
            let (_, new) = now.options.iter().find(|(own, new)| own == id && new != value)?;
            let without = Without::Option(format!("{id}={value}"));
            Some(Suspect { text: format!("option {id} {value} -> {new}"), without })
        };
        record.options.iter().filter_map(other).collect()
    }
}

/// The values that differ between two sets of tables.
pub struct Changed(Vec<(Vec<String>, Suspect)>);

impl Changed {
    /// Compares two sets of tables.
    pub fn between(then: &Catalog, now: &Catalog) -> Changed {
        let mut old = BTreeMap::new();
        keys::leaves(then, &mut Vec::new(), &then.root, &mut |path, node| {
            old.insert(path.to_vec(), node.value.toml());
        });
        let mut found = Vec::new();
        let mut new = |path: &[String], before: Option<&String>, value: &str, place: &str| {
            let key = keys::joined(path);
            let shown = before.map_or("nothing", String::as_str);
            let without = before.map_or(Without::Never, |before| Without::Set(format!("{key}={before}")));
            found
                .push((path.to_vec(), Suspect { text: format!("{key} {shown} -> {value}{place}"), without }));
        };
        keys::leaves(now, &mut Vec::new(), &now.root, &mut |path, node| {
            let (before, value) = (old.remove(path), node.value.toml());
            if before.as_ref() != Some(&value) {
                new(path, before.as_ref(), &value, &format!("  {}", now.sources.describe(node.origin)));
            }
        });
        for (path, before) in &old {
            new(path, Some(before), "nothing", "");
        }
        Changed(found)
    }

    /// All of them in words.
    pub fn lines(&self) -> Vec<String> {
        self.0.iter().filter(|(path, _)| path[0] != "layer").map(|(_, change)| change.text.clone()).collect()
    }

    /// Those of them that were read since reading was last noted.
    pub fn read(&self, game: &Game) -> Vec<Suspect> {
        let touched = game.host.cx().touched.borrow();
        let Some(touched) = &*touched else { return Vec::new() };
        let has = |key: String| touched.data.contains(&key);
        let read = |path: &[String]| match path {
            [kind, id, ..] if kind == "value" || kind == "option" || kind == "profile" => {
                has(format!("{kind}.{id}"))
            }
            [kind, id, ..] if kind == "table" => {
                touched.data.iter().any(|key| key.starts_with(&format!("table.{id}.")))
            }
            // A ladder holds several fields.
            [_, row, field] if field == "levels" => {
                touched.data.iter().any(|key| key.starts_with(&format!("field.{row}.")))
            }
            [_, row, .., field] => has(format!("field.{row}.{field}")) || has(format!("fields.{field}")),
            _ => false,
        };
        self.0.iter().filter(|(path, _)| read(path)).map(|(_, change)| change.clone()).collect()
    }
}

/// The suspects whose absence alone takes the difference away. Where none does, those that cannot be left out alone, and
/// where there are none of these, all: then they act together.
pub fn responsible(
    record: &Record,
    loaded: &Loaded,
    suspects: Vec<Suspect>,
    choice: usize,
    load: &dyn Fn(&Extra) -> Result<Loaded, String>,
) -> Vec<String> {
    if suspects.len() <= 1 {
        return suspects.into_iter().map(|suspect| suspect.text).collect();
    }
    let clears = |suspect: &Suspect| {
        let game = left_out(loaded, &suspect.without, load);
        game.is_some_and(|game| !parts(&game, record, choice))
    };
    let (tried, rest) = suspects.split_at(suspects.len().min(MOST));
    let mut found: Vec<&Suspect> = tried.iter().filter(|suspect| clears(suspect)).collect();
    if found.is_empty() {
        found.extend(suspects.iter().filter(|suspect| suspect.without == Without::Never));
    }
    if found.is_empty() {
        found.extend(tried.iter().chain(rest));
    }
    found.iter().map(|suspect| suspect.text.clone()).collect()
}

/// A setting and an option on top of what a game is loaded with.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// `KEY=VALUE`.
    pub set: Option<String>,
    /// `ID=VALUE`.
    pub option: Option<String>,
}

/// The game of a record without one change; nothing if that cannot be had.
fn left_out(
    loaded: &Loaded,
    without: &Without,
    load: &dyn Fn(&Extra) -> Result<Loaded, String>,
) -> Option<Rc<Game>> {
    let extra = match without {
        Without::Set(line) => Extra { set: Some(line.clone()), option: None },
        Without::Option(line) => Extra { set: None, option: Some(line.clone()) },
        Without::Handler(number) => {
            let scripts = Game::scripts(&loaded.catalog);
            let host = Host::without(loaded.definition.world.clone(), &scripts, Some(*number)).ok()?;
            return Some(Rc::new(Game::with_host(loaded.definition.clone(), host)));
        }
        Without::Change(number) => {
            let scripts = Game::scripts(&loaded.catalog);
            let host = Host::unchanged(loaded.definition.world.clone(), &scripts, *number).ok()?;
            return Some(Rc::new(Game::with_host(loaded.definition.clone(), host)));
        }
        Without::Never => return None,
    };
    load::game(&load(&extra).ok()?).ok()
}

/// The handlers of a game in lines of scripts that are not as they were.
pub fn handlers(then: &Catalog, now: &Catalog, game: &Game) -> Vec<String> {
    let mut found = Vec::new();
    for script in &now.scripts {
        let path = now.sources.path(script.file);
        let old = then.scripts.iter().find(|other| then.sources.path(other.file) == path);
        let old = old.map_or("", |other| then.sources.text(other.file));
        // Seen from the new text, so that places are those of today.
        let Some(lines) = changed_lines(now.sources.text(script.file), old) else { continue };
        let registry = game.host.cx().registry.borrow();
        let places: Vec<(String, u32)> =
            registry.handlers.iter().map(|handler| place(&handler.place)).collect();
        for number in handlers_in(&places, path, lines) {
            let handler = &registry.handlers[number as usize];
            found.push(format!(
                "{} {}  {}",
                handler.kind.name(),
                handler.id,
                now.sources.opened(&handler.place)
            ));
        }
    }
    found
}

/// Whether a record goes another way at a choice or before it.
fn parts(game: &Rc<Game>, record: &Record, choice: usize) -> bool {
    Session::from_record(game, record, Some(choice)).is_ok_and(|replayed| {
        replayed.differs.is_some_and(|at| at <= choice)
            || replayed.parted.is_some_and(|parted| parted.choice <= choice)
    })
}
