//! Where a record and the contents of today part, and which rules or values are to blame.

use crate::args::WithArgs;
use crate::blame::{self, Suspect};
use crate::blame_scripts::{self, named, ran};
use crate::blame_values::Changed;
use crate::load::Loaded;
use crate::store::{self, Saved};
use sandtable_script::Touched;
use sandtable_session::record::Line;
use sandtable_session::{DivergenceReason, Game, Record, Replayed, Session};
use std::rc::Rc;

/// Rules and rolls that are named at most; a package that changed as a whole has many.
const MOST: usize = 6;

/// A record that was played again: with what, and what became of it.
#[derive(Clone, Copy)]
pub struct Again<'a> {
    pub record: &'a Saved,
    pub loaded: &'a Loaded,
    pub game: &'a Rc<Game>,
    pub with: &'a WithArgs,
    pub replayed: &'a Replayed,
}

/// The first choice at which a record goes another way: its number, what differs, and the rules and values to blame.
pub struct First {
    pub choice: usize,
    pub what: &'static str,
    pub by: Vec<String>,
}

/// What is not as it was when a record was made, as far as that can be known.
pub struct Since {
    changed: Changed,
    scripts: Vec<Suspect>,
    /// Whether the contents of then stand somewhere.
    known: bool,
}

impl Again<'_> {
    /// All that is to be said of it: what has changed since it was made and what came of that, dice that are not those of its seed,
    /// where it parts, and which rules are to blame.
    pub fn told(&self) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        if !self.replayed.unchanged {
            let changed = match store::changed(self.record, self.game).join("; ") {
                none if none.is_empty() => "the order of its layers".into(),
                changed => changed,
            };
            let same = self.replayed.parted.is_none() && self.replayed.differs.is_none();
            lines
                .push(format!("changed since: {changed}{}", if same { ": the same to the end" } else { "" }));
        }
        lines.extend(report(self.replayed));
        if self.replayed.unchanged || (self.replayed.parted.is_none() && self.replayed.differs.is_none()) {
            return Ok(lines);
        }
        let since = self.since()?;
        let by = self.first(&since)?.map_or_else(Vec::new, |first| first.by);
        if !by.is_empty() {
            let more =
                if by.len() > MOST { format!("; or one of {} more", by.len() - MOST) } else { String::new() };
            lines.push(format!("  by {}{more}", by[..by.len().min(MOST)].join("; ")));
        }
        if !since.known {
            lines.push("  (its contents of then are not at hand, so not all changes can be named)".into());
        }
        Ok(lines)
    }

    /// The rules and values to blame that it goes another way.
    pub fn blamed(&self) -> Result<Vec<String>, String> {
        if self.replayed.unchanged {
            return Ok(Vec::new());
        }
        Ok(self.first(&self.since()?)?.map_or_else(Vec::new, |first| first.by))
    }

    /// What is not as it was.
    pub fn since(&self) -> Result<Since, String> {
        match store::former(self.record, self.with) {
            Some(then) => Ok(Since {
                changed: Changed::between(&then.catalog, &self.loaded.catalog),
                scripts: blame_scripts::suspects(&then, self.loaded, self.game),
                known: true,
            }),
            None => {
                let then = WithArgs { path: self.with.path.clone(), ..WithArgs::default() };
                let then = store::load(self.record, &then)?;
                let changed = Changed::between(&then.catalog, &self.loaded.catalog);
                Ok(Since { changed, scripts: Vec::new(), known: false })
            }
        }
    }

    /// The first choice at which something differs, what differs, and the rules and values that are to blame.
    pub fn first(&self, since: &Since) -> Result<Option<First>, String> {
        let mut first =
            self.replayed.differs.map(|choice| First { choice, what: "the result", by: Vec::new() });
        if let Some(parted) = &self.replayed.parted {
            let earlier = first.as_ref().is_some_and(|first| first.choice < parted.choice);
            if !earlier {
                let by = if let DivergenceReason::Refused(reasons) = &parted.why {
                    reasons.clone()
                } else {
                    Vec::new()
                };
                first = Some(First { choice: parted.choice, what: "what is legal", by });
            }
        }
        let Some(mut first) = first else { return Ok(None) };
        let rolled = played_to(self.game, self.record, first.choice)?;
        if first.what == "the result" && rolled != rolls_to(self.record, first.choice) {
            first.what = "the dice";
        }
        let mut suspects = added(self, since);
        suspects.extend(since.scripts.clone());
        suspects.extend(since.changed.read(self.game));
        suspects.extend(Suspect::options(self.record, &self.game.head(self.record.seed)));
        let without = |extra: &blame::Extra| {
            let mut with = self.with.clone();
            with.set.extend(extra.set.clone());
            with.option.extend(extra.option.clone());
            store::load(self.record, &with)
        };
        for text in blame::responsible(self.record, self.loaded, suspects, first.choice, &without) {
            if !first.by.contains(&text) {
                first.by.push(text);
            }
        }
        Ok(Some(first))
    }

    /// What of the change was touched since that was last noted.
    pub fn touched(&self, since: &Since) -> Vec<String> {
        let ran = ran(self.game);
        let mut found = added(self, since);
        found.extend(since.scripts.iter().filter(|suspect| suspect.is_of(&ran)).cloned());
        found.extend(since.changed.read(self.game));
        found.extend(Suspect::options(self.record, &self.game.head(self.record.seed)));
        found.into_iter().map(|suspect| suspect.text).collect()
    }
}

/// Where a record, its seed and the rules part, in words.
pub fn report(replayed: &Replayed) -> Vec<String> {
    let mut lines: Vec<String> = replayed.rolls.iter().take(MOST).map(ToString::to_string).collect();
    if replayed.rolls.len() > MOST {
        lines.push(format!("… and {} more rolls", replayed.rolls.len() - MOST));
    }
    lines.extend(replayed.differs.map(|at| format!("the state differs from the record after choice {at}")));
    let parted = replayed.parted.as_ref();
    lines.extend(parted.map(|parted| format!("the record cannot be followed at {parted}")));
    lines
}

/// The handlers that ran, and the changes made to such, of layers with which the record was not played. Of a package that it had with other
/// contents only what changed is suspect.
fn added(again: &Again, since: &Since) -> Vec<Suspect> {
    let Again { record, game, loaded, .. } = again;
    let stamp = |layer: u16| game.stamps.get(usize::from(layer));
    let then = || record.packages();
    let is_new = |layer: u16| stamp(layer).is_some_and(|stamp| !then().any(|other| other.id == stamp.id));
    let ran = ran(game);
    let registry = game.host.cx().registry.borrow();
    let own = ran.iter().filter(|number| is_new(registry.handlers[**number].layer));
    let mut found: Vec<Suspect> = own.map(|&number| Suspect::handler(number, named(game, number))).collect();
    let changes = registry.changes.iter().enumerate();
    for (number, change) in changes.filter(|(_, change)| ran.contains(&(change.handler as usize))) {
        let other = stamp(change.layer)
            .is_some_and(|stamp| !then().any(|other| other.id == stamp.id && other.hash == stamp.hash));
        let suspect = is_new(change.layer) || (other && since.known);
        if !suspect {
            continue;
        }
        let id = &registry.handlers[change.handler as usize].id;
        let layer = stamp(change.layer).map_or("?", |stamp| stamp.id.as_str());
        let place = loaded.catalog.sources.opened(&change.place);
        found.push(Suspect::change(number, format!("{} of {id} by {layer}  {place}", change.verb)));
    }
    found
}

/// Rolls by their label.
type Rolls = Vec<(String, u32)>;

/// The rolls of a record up to the choice after a number of them.
fn rolls_to(record: &Record, choice: usize) -> Rolls {
    let (mut choices, mut rolls) = (0, Vec::new());
    for line in &record.lines {
        match line {
            Line::Answer(answer) if answer.digest.is_some() => {
                choices += 1;
                if choices > choice {
                    break;
                }
            }
            Line::Roll { label, value } => rolls.push((label.clone(), *value)),
            _ => {}
        }
    }
    rolls
}

/// Plays a record up to a choice and what follows from it, counting afresh; gives the rolls made.
fn played_to(game: &Rc<Game>, record: &Record, choice: usize) -> Result<Rolls, String> {
    for handler in &game.host.cx().registry.borrow().handlers {
        handler.fired.set(0);
    }
    *game.host.cx().touched.borrow_mut() = Some(Touched::default());
    let mut after = Session::from_record(game, record, Some(choice)).map_err(|error| error.to_string())?;
    let rolls = after.session.rolls().to_vec();
    Ok(after.session.look(|host| rolls.iter().map(|&(label, n)| (host.cx().text(label), n)).collect()))
}
