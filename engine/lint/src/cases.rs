//! Cases of rulebooks: lines that cannot be read, and names in them that the game does not have. Whether a case holds is for `test` to say.

use crate::look::Look;
use crate::wants::Want;
use crate::{codes, place};
use sandtable_data::definition::keys;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::FileId;
use sandtable_data::suggest::did_you_mean;
use sandtable_script::{Cx, Kind, Play};
use sandtable_session::apply_line;
use sandtable_workbench::book::{Book, CaseText};
use sandtable_workbench::case;
use std::collections::BTreeSet;

/// Reports what is wrong with the cases of all books.
pub(crate) fn check(look: &Look<'_>, cx: &Cx, out: &mut Diagnostics) {
    let registry = cx.registry.borrow();
    let procedures = registry.handlers.iter().filter(|handler| handler.kind == Kind::Procedure);
    let cases = Cases { look, cx, procedures: procedures.map(|handler| handler.id.as_str()).collect() };
    for file in &look.catalog.books {
        for text in Book::read(&file.path, look.catalog.sources.text(file.file)).cases {
            cases.case(file.file, &text, out);
        }
    }
}

/// What is wrong with a line: the message, and the nearest names.
type Wrong = (String, Option<String>);

struct Cases<'a, 'c> {
    look: &'a Look<'c>,
    cx: &'a Cx,
    procedures: BTreeSet<&'a str>,
}

impl Cases<'_, '_> {
    fn case(&self, file: FileId, text: &CaseText, out: &mut Diagnostics) {
        let variants = match case::read(text) {
            Ok(cases) => cases,
            Err(failure) => {
                let span = place::of_line(self.look.catalog, file, failure.line);
                return out.push(Diagnostic::error(&codes::BAD_CASE, span, failure.message));
            }
        };
        // One report a line, whichever variant shows it.
        let mut seen = BTreeSet::new();
        for variant in &variants {
            // What a scenario makes and sets is not known here; of its pieces only the names count.
            let mut play = variant.needs.scenario.is_empty().then(|| Play::new(&self.cx.world, 1));
            for (number, line) in &text.lines {
                let line = line.split(" # ").next().unwrap_or_default().trim();
                let line =
                    variant.variant.iter().fold(line.to_string(), |line, (name, to)| line.replace(name, to));
                let Some((message, help)) = self.line(&line, play.as_mut()) else { continue };
                if seen.insert(*number) {
                    let span = place::of_line(self.look.catalog, file, *number);
                    out.push(Diagnostic::error(&codes::BAD_CASE, span, message).help(help));
                }
            }
        }
    }

    fn line(&self, line: &str, play: Option<&mut Play>) -> Option<Wrong> {
        let names = &self.look.names;
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (rest, first) = (rest.trim(), rest.split_whitespace().next().unwrap_or_default());
        if keys::SETUP.contains(&word) {
            let error = apply_line(self.cx, play?, word, rest).err()?;
            return Some((format!("{}{}", error.message, error.hint), None));
        }
        let sides = || names.sides.iter().map(String::as_str).collect();
        match word {
            "scenario" => {
                let ids = self.look.catalog.rows("scenario").map(|row| row.0).collect();
                known("scenario", rest, &ids)
            }
            "option" => {
                let id = rest.split('=').next().unwrap_or_default().trim();
                known("option", id, &names.options.iter().map(String::as_str).collect())
            }
            "call" => known("procedure", first, &self.procedures),
            "step" => known("node of the sequence", rest, &names.nodes.iter().map(String::as_str).collect()),
            "player" => self.prompt(first),
            "is" => self.thing(first),
            "sees" if first != "spectator" => known("side", first, &sides()),
            _ if word.starts_with('=') || word.starts_with('#') => None,
            _ => {
                let side = word.strip_suffix([':', '?', '!'])?;
                known("side", side, &sides())
            }
        }
    }

    fn prompt(&self, name: &str) -> Option<Wrong> {
        if self.look.mentions.has(name, &[Want::Prompt]) || self.look.names.prompts.contains(name) {
            return None;
        }
        known("prompt", name, &self.look.names.prompts.iter().map(String::as_str).collect())
    }

    /// The owner of a value: `game`, a side, space or piece, or the name of an effect.
    fn thing(&self, path: &str) -> Option<Wrong> {
        let names = &self.look.names;
        let (thing, attribute) = path.rsplit_once('.')?;
        let thing = thing.strip_prefix("sides.").unwrap_or(thing);
        let one_of = thing.rsplit_once('.').filter(|(_, n)| n.parse::<u32>().is_ok()).map(|(id, _)| id);
        let sets = [&names.sides, &names.spaces, &names.pieces];
        let is_known = |name: &str| sets.iter().any(|set| set.contains(name));
        let record = one_of.is_some_and(|id| names.records.contains(id));
        if thing == "game"
            || attribute == "effect"
            || record
            || is_known(thing)
            || one_of.is_some_and(is_known)
        {
            return None;
        }
        let all = sets.iter().flat_map(|set| set.iter().map(String::as_str)).collect();
        known("side, space or piece", thing, &all)
    }
}

fn known(what: &str, name: &str, names: &BTreeSet<&str>) -> Option<Wrong> {
    let wrong = || (format!("there is no {what} `{name}`"), did_you_mean(name, names.iter().copied()));
    (!names.contains(name)).then(wrong)
}
