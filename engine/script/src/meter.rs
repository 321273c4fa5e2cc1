//! The meter: counts what scripts do, so that none runs for ever.
//!
//! Lua can count instructions by itself, but then looks at a counter before each of them, which takes a tenth of all
//! time. What runs for long loops or calls, so it is enough to count there: every script is given a counter at the head
//! of each function and each block after `do` or `repeat`, and before each `goto`. They are put on the lines that are
//! there, so that messages name the same lines as before.

use crate::cx::{Cx, fail};
use crate::tokens::{Token, tokens};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Instructions that may run between two answers.
pub const INSTRUCTIONS: u64 = 50_000_000;
/// What a turn of a loop, or a call, is taken for.
const TURN: u64 = 10;
/// Turns between two looks at the budget.
pub(crate) const TURNS: i64 = 500;
/// Time that may pass between two answers. The budget of instructions decides long before for anything but a script
/// that makes single instructions slow, such as comparing texts of many megabytes; it is far off, so that a machine
/// under load never ends a sound game.
const TIME: Duration = Duration::from_secs(60);
/// Bytes of text that are made or looked through in the time of one instruction.
const BYTES: u64 = 16;
/// Bytes of memory that are taken in the time of one instruction; those that are kept have a bound of their own.
const GROWTH: u64 = 64;
/// Names that scripts may make in play, over those written in the game's files.
const NAMES: usize = 1_000_000;

/// The counter and the function that renews it: the first argument of a script.
const HEAD: &str = "local __turns,__meter=0,(...)";
const COUNT: &str = " __turns=__turns-1 if __turns<0 then __turns=__meter()end ";
/// Names that no script may use, or it could reach its own counter.
pub(crate) const RESERVED: [&str; 2] = ["__turns", "__meter"];

/// Most names that are made constants of a script: Lua allows 200 locals, and the script has its own.
const CONSTANTS: usize = 120;

/// A script with counters, or the reserved name that it uses and its line.
///
/// Names that every script is given, such as the functions of the API, become constants of the script where it uses them:
/// they are found at once, instead of first among the script's globals.
pub(crate) fn metered(source: &str, given: impl Fn(&str) -> bool) -> Result<String, (&'static str, usize)> {
    let mut text = String::with_capacity(source.len() + source.len() / 4 + HEAD.len());
    text.push_str(HEAD);
    let words = tokens(source).filter_map(|token| match token {
        Token::Word(range) => Some(&source[range]),
        _ => None,
    });
    let constants: BTreeSet<&str> = words.filter(|word| given(word)).collect();
    for name in constants.into_iter().take(CONSTANTS) {
        // Writing to the text cannot fail.
        let _ = write!(text, " local {name} <const> = {name}");
    }
    text.push(' ');
    let mut copied = 0;
    // Between `function` and the end of its parameters.
    let mut declaring = false;
    for token in tokens(source) {
        let at = match token {
            Token::Word(range) => match &source[range.clone()] {
                "function" => {
                    declaring = true;
                    continue;
                }
                "do" | "repeat" => range.end,
                "goto" => range.start,
                word => match RESERVED.into_iter().find(|&name| name == word) {
                    Some(name) => {
                        return Err((name, 1 + source[..range.start].matches('\n').count()));
                    }
                    None => continue,
                },
            },
            Token::Sign(at) if declaring && source.as_bytes()[at] == b')' => {
                declaring = false;
                at + 1
            }
            Token::Sign(_) | Token::Text(_) => continue,
        };
        text.push_str(&source[copied..at]);
        text.push_str(COUNT);
        copied = at;
    }
    text.push_str(&source[copied..]);
    Ok(text)
}

impl Cx {
    /// Gives what may run until the next answer; the time until then begins at the next look.
    pub(crate) fn refill(&self) {
        self.budget.set(self.limit.get());
        self.clock.set((0, self.clock.get().1));
    }

    /// Takes the turns since the last look off the budget, and looks at the other bounds.
    pub(crate) fn look(&self) -> mlua::Result<()> {
        let left = self.budget.get();
        let (before, mut since) = self.clock.get();
        if left > before {
            // The budget was renewed: this is a new answer.
            #[expect(
                clippy::disallowed_methods,
                reason = "a bound on time decides whether a script goes on, never how"
            )]
            let now = Instant::now();
            since = now;
        }
        self.clock.set((left, since));
        if since.elapsed() > TIME {
            return fail(format!("this ran more than {} seconds without an answer", TIME.as_secs()));
        }
        if self.symbols.borrow().len().saturating_sub(NAMES) > self.fixed.get() {
            return fail(format!("the scripts made more than {NAMES} new names in play"));
        }
        // Lua's own `..` makes texts without a call: what the heap has grown by since the last look is paid for.
        let used = self.border.lua().map_or(0, |lua| lua.used_memory());
        let grown = used.saturating_sub(self.used.replace(used));
        self.spend(grown as u64 / GROWTH)?;
        self.spend(TURNS as u64 * TURN)
    }

    /// Takes work on so many bytes off the budget.
    pub(crate) fn wrote(&self, bytes: usize) -> mlua::Result<()> {
        self.spend(bytes as u64 / BYTES)
    }

    /// Takes something off the budget of instructions: work that the counters of scripts do not see.
    pub(crate) fn spend(&self, instructions: u64) -> mlua::Result<()> {
        let left = self.budget.get();
        if left < instructions {
            self.budget.set(0);
            let limit = self.limit.get();
            return fail(format!(
                "this ran more than {limit} instructions without an answer: an endless loop?"
            ));
        }
        self.budget.set(left - instructions);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(source: &str) -> String {
        let text = metered(source, |_| false).unwrap_or_default();
        text.strip_prefix(HEAD).unwrap_or_default().replace(COUNT, "#")
    }

    #[test]
    fn loops_and_functions_are_counted() {
        assert_eq!(body("while x do y() end"), " while x do# y() end");
        assert_eq!(body("for i = 1, 2 do end"), " for i = 1, 2 do# end");
        assert_eq!(body("repeat until x"), " repeat# until x");
        assert_eq!(body("function a.b:c(d, e) return d end"), " function a.b:c(d, e)# return d end");
        assert_eq!(body("f(function(...) g() end)"), " f(function(...)# g() end)");
        assert_eq!(body("::a:: goto a"), " ::a:: #goto a");
    }

    #[test]
    fn texts_and_comments_are_left_alone() {
        for source in ["x = 'do'", "-- repeat", "x = [[ function() ]]", "undo = dot"] {
            assert_eq!(body(source), format!(" {source}"));
        }
    }

    #[test]
    fn lines_stay_where_they_are() {
        let source = "function a(\n  b,\n  c)\n  while c do\n  end\nend";
        assert_eq!(body(source).matches('\n').count(), source.matches('\n').count());
        assert_eq!(body(source), " function a(\n  b,\n  c)#\n  while c do#\n  end\nend");
    }

    #[test]
    fn what_is_given_becomes_constant_where_it_is_used() {
        let text = metered("ask(x.roll)", |name| matches!(name, "ask" | "roll" | "move")).unwrap_or_default();
        assert_eq!(text, format!("{HEAD} local ask <const> = ask local roll <const> = roll ask(x.roll)"));
    }

    #[test]
    fn a_script_cannot_name_its_counter() {
        assert_eq!(metered("x = 1\n__turns = 5", |_| false), Err(("__turns", 2)));
        assert_eq!(metered("local __meter", |_| false), Err(("__meter", 1)));
        assert!(metered("x = '__turns'", |_| false).is_ok());
    }

    #[test]
    fn time_in_which_somebody_thinks_is_not_counted() {
        let files = sandtable_data::package::MemoryFiles::new().with(
            "rules/g/game.toml",
            "[game]\nid = \"g\"\ntitle = \"G\"\nversion = \"1.0.0\"\nsides = [\"a\"]\n[side]\na = { name = \"A\" }\n\
             [scenario.s]\ntitle = \"S\"\n[sequence]\ngame = { steps = [\"x\"] }\n",
        );
        let search = sandtable_data::package_search::SearchPath::new().with(files);
        let (catalog, _) = sandtable_data::catalog::load("g", &[], &[], &search);
        let (definition, problems) = sandtable_data::definition::build(&catalog, None, &[]);
        let Some(definition) = definition else { panic!("{problems:?}") };
        let cx = Cx::new(definition.world);
        cx.refill();
        assert_eq!(cx.look().map_err(|error| error.to_string()), Ok(()));
        let (left, since) = cx.clock.get();
        let Some(earlier) = since.checked_sub(TIME * 2) else { return };
        cx.clock.set((left, earlier));
        assert!(cx.look().is_err(), "an answer that takes so long is given up");
        // The next one does as much before its first look as the one before did.
        cx.refill();
        assert_eq!(cx.look().map_err(|error| error.to_string()), Ok(()));
    }
}
