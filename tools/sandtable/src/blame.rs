//! Which changes of the rules are to blame that a record goes another way: each is left out in turn, and the record played
//! again up to the first difference.

use crate::load::{self, Loaded};
use sandtable_script::Host;
use sandtable_session::{Game, Record, Session};
use std::collections::BTreeSet;
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
    /// This script, by its path, has this text.
    Script(String, String),
    /// It cannot be left out alone.
    Never,
}

/// A change of the rules that a game touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The change in words, with its place.
    pub text: String,
    without: Without,
    /// The handler that it is a change of.
    handler: Option<usize>,
}

impl Suspect {
    /// A handler that a layer adds.
    pub fn handler(number: usize, text: String) -> Suspect {
        let without = u32::try_from(number).map_or(Without::Never, Without::Handler);
        Suspect { text, without, handler: Some(number) }
    }

    /// A change that a layer makes to a handler, by its number.
    pub fn change(number: usize, text: String) -> Suspect {
        Suspect { text, without: Without::Change(number), handler: None }
    }

    /// A change in a script, of a handler or of what stands at its head, and the script without it.
    pub fn script(handler: Option<usize>, text: String, path: &str, without: String) -> Suspect {
        Suspect { text, without: Without::Script(path.into(), without), handler }
    }

    /// A value, and the setting that puts the old one back.
    pub fn value(text: String, set: Option<String>) -> Suspect {
        Suspect { text, without: set.map_or(Without::Never, Without::Set), handler: None }
    }

    /// Whether it is a change of one of these handlers.
    pub fn is_of(&self, handlers: &BTreeSet<usize>) -> bool {
        self.handler.is_some_and(|number| handlers.contains(&number))
    }

    /// Options that had other values in the record.
    pub fn options(record: &Record, now: &Record) -> Vec<Suspect> {
        let other = |(id, value): &(String, String)| {
            let (_, new) = now.options.iter().find(|(own, new)| own == id && new != value)?;
            let without = Without::Option(format!("{id}={value}"));
            Some(Suspect { text: format!("option {id} {value} -> {new}"), without, handler: None })
        };
        record.options.iter().filter_map(other).collect()
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
        Without::Script(path, text) => {
            let mut scripts = Game::scripts(&loaded.catalog);
            scripts.iter_mut().find(|script| script.name == *path)?.text.clone_from(text);
            let host = Host::new(loaded.definition.world.clone(), &scripts).ok()?;
            return Some(Rc::new(Game::with_host(loaded.definition.clone(), host)));
        }
        Without::Never => return None,
    };
    load::game(&load(&extra).ok()?).ok()
}

/// Whether a record goes another way at a choice or before it.
fn parts(game: &Rc<Game>, record: &Record, choice: usize) -> bool {
    // One that cannot even begin goes another way.
    Session::from_record(game, record, Some(choice)).map_or(true, |replayed| {
        replayed.differs.is_some_and(|at| at <= choice)
            || replayed.parted.is_some_and(|parted| parted.choice <= choice)
    })
}
