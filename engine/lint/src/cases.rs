//! Cases of rulebooks: lines that cannot be read, and names in them that the game does not have. Whether a case holds is for `test` to say.

use crate::case_names::{Known, Wrong};
use crate::context::LintContext;
use crate::{codes, place};
use sandtable_data::definition::keys;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::{FileId, Span};
use sandtable_kernel::state::TableId;
use sandtable_script::{Kind, Play, ScriptContext};
use sandtable_session::apply_line;
use sandtable_workbench::book::{Book, CaseText};
use sandtable_workbench::case::{self, Policy, odds};
use std::collections::BTreeSet;

/// Reports what is wrong with the cases of all books.
pub(crate) fn check(context: &LintContext<'_>, cx: &ScriptContext, out: &mut Diagnostics) {
    let cases = Cases { context, cx, known: Known::new(context, cx) };
    for file in &context.catalog.books {
        for text in Book::read(&file.path, context.catalog.sources.text(file.file)).cases {
            cases.case(file.file, &text, out);
        }
    }
}

struct Cases<'a, 'c> {
    context: &'a LintContext<'c>,
    cx: &'a ScriptContext,
    known: Known<'a, 'c>,
}

impl Cases<'_, '_> {
    fn case(&self, file: FileId, text: &CaseText, out: &mut Diagnostics) {
        let variants = match case::read(text) {
            Ok(cases) => cases,
            Err(failure) => {
                let span = place::of_line(self.context.catalog, file, failure.line);
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
                let Err(wrong) = self.line(&line, play.as_mut()) else { continue };
                if seen.insert(*number) {
                    let span = self.word(place::of_line(self.context.catalog, file, *number), &wrong.word);
                    out.push(Diagnostic::error(&codes::BAD_CASE, span, wrong.message).help(wrong.help));
                }
            }
        }
    }

    /// The place of a word in a line; the whole line where the word is a loop's.
    fn word(&self, line: Span, word: &str) -> Span {
        let text = self.context.catalog.sources.text(line.file);
        let Some(text) = text.get(line.start as usize..line.end as usize) else { return line };
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        let whole = |at: &usize| {
            ends(text[..*at].chars().next_back()) && ends(text[at + word.len()..].chars().next())
        };
        match text.match_indices(word).map(|found| found.0).find(whole).filter(|_| !word.is_empty()) {
            Some(at) => Span::new(line.file, line.start as usize + at, line.start as usize + at + word.len()),
            None => line,
        }
    }

    fn line(&self, line: &str, play: Option<&mut Play>) -> Result<(), Wrong> {
        let known = &self.known;
        let names = &self.context.names;
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (rest, first) = (rest.trim(), rest.split_whitespace().next().unwrap_or_default());
        let words = || rest.split_whitespace();
        if keys::SETUP.contains(&word) || keys::FORCED.contains(&word) {
            return match play {
                Some(play) => apply_line(self.cx, play, word, rest)
                    .map_err(|error| Wrong::new("", format!("{}{}", error.message, error.hint))),
                None => self.set_up(word, rest),
            };
        }
        match word {
            "scenario" => known.one("scenario", rest, self.context.catalog.rows("scenario").map(|row| row.0)),
            "option" => {
                known.one("option", rest.split('=').next().unwrap_or_default().trim(), &names.options)
            }
            "call" => {
                known.handler("procedure", first, |kind| kind == Kind::Procedure)?;
                words().skip(1).filter(|word| *word != "->").try_for_each(|word| known.said(word))
            }
            "step" => known.one("node of the sequence", rest, &names.nodes),
            "roll" => rest
                .split([';', ','])
                .filter_map(|part| part.split_whitespace().next())
                .try_for_each(|label| known.label(label)),
            "player" => {
                known.prompt(first)?;
                match Policy::read(words().skip(1).collect::<Vec<_>>().join(" ").as_str()) {
                    Policy::Least(field) | Policy::Most(field) => {
                        known.column(TableId::PIECE, &field).map(drop)
                    }
                    Policy::Take(option) => known.option(&option),
                    Policy::Random | Policy::First => Ok(()),
                }
            }
            "outcome" => {
                let ids =
                    known.ids(|kind| kind == Kind::Query).filter_map(|id| id.strip_prefix(odds::PREFIX));
                known.one("outcome", first, ids)
            }
            "is" => known.value(rest, true),
            "sees" => {
                if first != "spectator" {
                    known.one("side", first, &names.sides)?;
                }
                self.sees(words().nth(1).unwrap_or_default(), words().skip(2))
            }
            "=>" => known.change(rest),
            _ => match word.strip_suffix([':', '?', '!']) {
                Some(side) if !word.starts_with('#') => {
                    known.one("side", side, &names.sides)?;
                    match (word.ends_with('!'), rest.rsplit_once(char::is_whitespace)) {
                        (true, Some((option, "-"))) => known.option(option),
                        (true, Some((option, rule))) => {
                            let refuses = |kind| matches!(kind, Kind::Forbid | Kind::Prefer);
                            known.option(option).and_then(|()| known.handler("refusal", rule, refuses))
                        }
                        _ => known.option(rest),
                    }
                }
                _ => Ok(()),
            },
        }
    }

    /// A set-up line on top of a scenario.
    fn set_up(&self, verb: &str, text: &str) -> Result<(), Wrong> {
        for part in text.split(';') {
            let words: Vec<&str> = part.split_whitespace().collect();
            match (verb, words.as_slice()) {
                ("place", [piece, place, ..]) => {
                    self.known.piece(piece)?;
                    self.known.place(place)?;
                }
                ("set", _) => self.known.value(part.trim(), false)?,
                ("pile" | "shuffle", [space, pieces @ ..]) => {
                    self.known.one("space", space, &self.context.names.spaces)?;
                    pieces.iter().try_for_each(|piece| self.known.piece(piece))?;
                }
                ("make" | "reveal" | "conceal", [piece, ..]) => self.known.piece(piece)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// What a side sees: pieces of a space, or a value.
    fn sees<'w>(&self, thing: &str, mut what: impl Iterator<Item = &'w str>) -> Result<(), Wrong> {
        if self.context.names.spaces.contains(thing) {
            return what.try_for_each(|word| {
                match word.strip_prefix('(').and_then(|w| w.strip_suffix(')')) {
                    Some(kind) => self.known.one("kind of pieces", kind, &self.context.names.kinds),
                    None if word == "?" || word.parse::<u32>().is_ok() => Ok(()),
                    None => self.known.piece(word),
                }
            });
        }
        if !thing.contains('.') {
            return self.known.one("space", thing, &self.context.names.spaces);
        }
        let value = what.collect::<Vec<_>>().join(" ");
        self.known.value(&if value == "?" { thing.to_string() } else { format!("{thing} {value}") }, true)
    }
}
