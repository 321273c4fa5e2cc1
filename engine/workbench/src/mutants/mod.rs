//! Mutants: every small change of a game's rules that a case should notice.

mod apply;
mod data;
mod script;

pub use apply::{set, set_field, set_tree};
pub use data::{rows, walked, word};
use sandtable_data::catalog::Catalog;
use sandtable_kernel::world::{Datum, World};
use sandtable_script::{Host, Kind};

/// How something printed is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// A number is one more, a truth value the other, a word the next of those it may be.
    Next,
    /// It is not there.
    Gone,
}

/// One change of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A handler does nothing.
    Disabled {
        /// Its number.
        handler: u32,
        /// What it is, for people.
        name: String,
        /// Script and line where it is registered.
        place: (String, u32),
    },
    /// A piece of a script is replaced.
    Script {
        /// Name of the script.
        script: String,
        /// Bytes that are replaced.
        from: usize,
        /// End of them.
        to: usize,
        /// The new text.
        with: String,
        /// What was done, for people.
        what: String,
        /// First and last line.
        lines: (u32, u32),
    },
    /// Something printed on a component or space is another, on all rungs of its ladder.
    Field {
        /// Kind and id of the row: `unit.h-reds`.
        row: String,
        /// The field.
        field: String,
        /// How it is changed.
        shift: Shift,
    },
    /// An option has a value whatever a case says.
    Option {
        /// Its id.
        id: String,
        /// The value, as cases write it.
        value: String,
    },
    /// A node of the sequence of play is left out.
    Node {
        /// Its name.
        node: String,
    },
    /// A figure is another.
    Datum {
        /// Key: `value.x`, `value.x.y`, `limit.x.most`, or `table.t.row.column`.
        key: String,
        /// The new value.
        with: Datum,
    },
}

impl Mutant {
    /// What of the game the mutant changes, for those who ask what implements a paragraph.
    pub fn subject(&self) -> String {
        match self {
            Mutant::Disabled { name, place, .. } => format!("{name}  {}:{}", place.0, place.1),
            Mutant::Script { script, lines, .. } => format!("{script}:{}", lines.0),
            Mutant::Field { row, .. } => row.clone(),
            Mutant::Option { id, .. } => format!("option.{id}"),
            Mutant::Node { node } => format!("sequence.{node}"),
            Mutant::Datum { key, .. } => key.clone(),
        }
    }

    /// The mutant in a line.
    pub fn describe(&self) -> String {
        match self {
            Mutant::Disabled { name, place, .. } => format!("{}:{}: {name} disabled", place.0, place.1),
            Mutant::Script { script, what, lines, .. } => format!("{script}:{}: {what}", lines.0),
            Mutant::Field { row, field, shift: Shift::Next } => format!("{row}.{field} is another"),
            Mutant::Field { row, field, shift: Shift::Gone } => format!("{row}.{field} is not there"),
            Mutant::Option { id, value } => format!("option.{id} is always {value}"),
            Mutant::Node { node } => format!("sequence.{node} left out"),
            Mutant::Datum { key, with } => format!("{key} = {with:?}"),
        }
    }
}

/// All mutants of a game, in a fixed order.
pub fn all(catalog: &Catalog, world: &World, host: &Host) -> Vec<Mutant> {
    let mut mutants = handlers(host);
    for file in &catalog.scripts {
        script::scripts(catalog.sources.path(file.file), catalog.sources.text(file.file), &mut mutants);
    }
    data::figures(catalog, world, &mut mutants);
    data::printed(catalog, world, &mut mutants);
    data::options(catalog, world, &mut mutants);
    data::nodes(catalog, &mut mutants);
    mutants
}

fn handlers(host: &Host) -> Vec<Mutant> {
    let registry = host.cx().registry.borrow();
    let all = (0u32..).zip(&registry.handlers);
    // Invariants guard simulations, not cases.
    // Those behind an option that is off count too: cases turn it on.
    all.filter(|(_, handler)| handler.kind != Kind::Invariant)
        .map(|(number, handler)| {
            let (file, line) = handler.place.rsplit_once(':').unwrap_or((&handler.place, "0"));
            Mutant::Disabled {
                handler: number,
                name: format!("{} {}", handler.kind.name(), handler.id),
                place: (file.to_string(), line.parse().unwrap_or(0)),
            }
        })
        .collect()
}
