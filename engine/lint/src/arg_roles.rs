//! Which arguments of the API are names, and of what; functions of the game that hand a parameter on are followed.

use crate::facts::{Callee, Facts, Slot};
use sandtable_data::source::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// What a text in a call names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ArgRole {
    Piece,
    Space,
    /// A space or a piece.
    Place,
    /// A row of the component list.
    Row,
    /// A kind of pieces.
    Kind,
    Side,
    Value,
    Table,
    /// The column of a `lookup`.
    Column,
    Option,
    /// `ID` or `ID=VALUE`.
    OptionTest,
    /// A prompt that is asked, or a menu that is opened.
    Prompt,
    /// A prompt or menu that a rule hangs on.
    Asked,
    Procedure,
    /// A procedure that a rule hangs on.
    Attached,
    /// An event that is raised.
    Event,
    /// An event that a rule waits for.
    Heard,
    Number,
    /// A number that a rule contributes to.
    Modified,
    /// An effect or memory that begins.
    Effect,
    /// An effect or memory that a rule looks for.
    EffectRead,
    Record,
    /// The id of a text.
    Text,
    /// A sentence, or the id of a text.
    Sentence,
    /// The label of a roll, whose text is `roll.LABEL`.
    Roll,
    Network,
    /// A network or a profile.
    Way,
    Profile,
    Sight,
    /// A limit on what may stand together.
    Limit,
    /// A node of the sequence or a type of record.
    Lasts,
    Feature,
    Rule,
    /// Any handler, by its id.
    Handler,
    /// The name of something that is defined here, or of a part of it.
    Defined,
}

/// What an argument of an API function names.
fn of_api(name: &str, argument: usize, key: Option<&str>) -> Option<ArgRole> {
    Some(match (name, argument, key) {
        ("piece", 0, None) => ArgRole::Piece,
        ("space", 0, None) => ArgRole::Space,
        ("row", 0, None) | ("create", 0, None) => ArgRole::Row,
        ("rows", 0, None) => ArgRole::Kind,
        ("value", 0, None) => ArgRole::Value,
        ("option", 0, None) => ArgRole::Option,
        ("lookup" | "column" | "columns", 0, None) => ArgRole::Table,
        ("lookup", 2, None) => ArgRole::Column,
        ("full" | "overfull", 0, None) => ArgRole::Limit,
        ("full" | "overfull", 1, None) => ArgRole::Side,
        ("enemy", 0, None) | ("create" | "reveal" | "conceal", 1, None) => ArgRole::Side,
        ("ask" | "ask_each" | "choose" | "menu" | "narrow", 0, None) | ("end_game", 0, Some("winner")) => {
            ArgRole::Side
        }
        ("move", 1, None) | ("create", 2, None) | ("draw", 1, None) => ArgRole::Place,
        ("shuffle" | "draw" | "neighbours" | "ring" | "within", 0, None)
        | ("adjacent" | "distance" | "direction" | "border", 0 | 1, None)
        | ("on_network", 1, None)
        | ("linked", 1 | 2, None) => ArgRole::Space,
        ("ask" | "ask_each" | "choose" | "menu" | "narrow", 1, None) => ArgRole::Prompt,
        ("call" | "schedule" | "is_procedure", 0, None) | ("offer", 2, Some("run")) => ArgRole::Procedure,
        ("emit", 0, None) => ArgRole::Event,
        ("evaluate", 0, None) => ArgRole::Number,
        ("start_effect" | "remember", 0, None) => ArgRole::Effect,
        ("effect" | "effects" | "end_effect" | "has_ever", 0, None) => ArgRole::EffectRead,
        ("start_effect" | "schedule", 1, Some("lasts")) => ArgRole::Lasts,
        ("schedule", 1, Some("on")) => ArgRole::Heard,
        ("start_record", 0, None) => ArgRole::Record,
        ("log", 0, None) | ("end_game", 0, Some("reason")) => ArgRole::Text,
        ("no", 0, None) => ArgRole::Sentence,
        ("roll" | "rolls" | "pick", 0, None) => ArgRole::Roll,
        ("linked" | "on_network", 0, None) => ArgRole::Network,
        ("flood", 0, Some("over")) => ArgRole::Way,
        ("reach", 0, Some("profile")) => ArgRole::Profile,
        ("sight" | "sight_all", 0, Some("rules")) => ArgRole::Sight,
        ("flood" | "paths", 0, Some("barrier")) | ("around", 1, Some("" | "barrier")) => ArgRole::Feature,
        ("end_game", 0, Some("rule")) => ArgRole::Rule,
        ("wrap" | "replace" | "disable", 0, None) => ArgRole::Handler,
        ("before" | "after" | "instead", 0, None) => ArgRole::Attached,
        ("on", 0, None) => ArgRole::Heard,
        ("modify", 0, None) => ArgRole::Modified,
        ("forbid" | "forbid_all" | "prefer" | "offer", 0, None) => ArgRole::Asked,
        ("waive", 0, None) => ArgRole::Handler,
        (name, at, key) => return of_meta(name, at, key),
    })
}

/// The same for what a handler says of itself.
fn of_meta(name: &str, argument: usize, key: Option<&str>) -> Option<ArgRole> {
    let meta = match name {
        "procedure" | "number" | "query" | "invariant" => 1,
        "before" | "after" | "instead" | "on" | "modify" | "forbid" | "forbid_all" | "prefer" | "waive"
        | "offer" | "reroll" => 2,
        _ => return None,
    };
    match key {
        None if argument < meta => Some(ArgRole::Defined),
        Some(key) if argument == meta => Some(match key {
            "rule" => ArgRole::Rule,
            "option" | "without" => ArgRole::OptionTest,
            "during" => ArgRole::EffectRead,
            "side" => ArgRole::Side,
            _ => ArgRole::Defined,
        }),
        _ => None,
    }
}

/// The API and the game's own functions, as far as their arguments are names.
pub(crate) struct ArgRoles {
    helpers: BTreeMap<(Option<FileId>, Callee, usize), BTreeSet<ArgRole>>,
    own: BTreeSet<String>,
}

impl ArgRoles {
    /// Follows parameters through the functions of all scripts.
    pub fn new(scripts: &[Facts]) -> Self {
        let sets = scripts.iter().flat_map(|facts| &facts.sets);
        let mut arg_roles =
            Self { helpers: BTreeMap::new(), own: sets.map(|(name, _)| name.name.clone()).collect() };
        // A helper may call a helper; games do not go deeper than this.
        for _ in 0..4 {
            let mut more = Vec::new();
            for facts in scripts {
                for handed in &facts.forwarded {
                    for role in arg_roles.of(facts.file, &handed.slot) {
                        more.push((key(facts.file, &handed.function, handed.parameter), role));
                    }
                }
            }
            let mut news = false;
            for (key, role) in more {
                news |= arg_roles.helpers.entry(key).or_default().insert(role);
            }
            if !news {
                break;
            }
        }
        arg_roles
    }

    /// What a text in that place names; nothing if it is not a name as far as can be told.
    pub fn of(&self, file: FileId, slot: &Slot) -> Vec<ArgRole> {
        if let Callee::Global(name) = &slot.callee
            && !self.own.contains(name)
        {
            return of_api(name, slot.argument, slot.key.as_deref()).into_iter().collect();
        }
        if slot.key.is_some() {
            return Vec::new();
        }
        let found = self.helpers.get(&key(file, &slot.callee, slot.argument));
        found.into_iter().flatten().copied().collect()
    }
}

fn key(file: FileId, callee: &Callee, parameter: usize) -> (Option<FileId>, Callee, usize) {
    let file = matches!(callee, Callee::Local(_)).then_some(file);
    (file, callee.clone(), parameter)
}
