//! The meter: counts what scripts do, so that none runs for ever.
//!
//! Lua can count instructions by itself, but then looks at a counter before each of them, which takes a tenth of all
//! time. What runs for long loops or calls, so it is enough to count there: every script is given a counter at the head
//! of each function and each block after `do` or `repeat`, and before each `goto`. They are put on the lines that are
//! there, so that messages name the same lines as before.

use crate::context::{ScriptContext, fail};
use crate::sandbox::MEMORY;
use crate::tokens::{Token, line, tokens};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::time::Duration;

/// Instructions that may run between two answers.
pub const INSTRUCTIONS: u64 = 50_000_000;
/// What a turn of a loop, or a call, is taken for.
const TURN: u64 = 10;
/// Turns between two looks at the budget.
pub(crate) const TURNS: i64 = 500;
/// Time that may pass between two answers unless the host sets another. The budget of instructions decides long before
/// for anything but a script that makes single instructions slow, such as comparing texts of many megabytes; it is far
/// off, so that a machine under load never ends a sound game. A server, where others wait, sets less.
pub const TIME: Duration = Duration::from_secs(60);
/// Bytes of text that are made or looked through in the time of one instruction.
const BYTES: u64 = 16;
/// Bytes of memory that are taken in the time of one instruction; those that are kept have a bound of their own.
const GROWTH: u64 = 64;
/// Names that scripts may make in play, over those written in the game's files, and their bytes together.
const NAMES: usize = 1_000_000;
const NAME_BYTES: usize = 64 << 20;
/// Cells of the state that may be written for one answer, and in a game: each is kept for taking back.
const CELLS: Bound = Bound { answer: 1_000_000, game: 8_000_000 };
/// Bytes of what happened (moves, rolls, numbers with their parts, lines for people) for one answer, and in a game.
const CHANGES: Bound = Bound { answer: 16 << 20, game: 64 << 20 };

/// A bound on what is kept for good.
struct Bound {
    answer: usize,
    game: usize,
}

impl Bound {
    fn check(&self, before: usize, now: usize, what: &str) -> mlua::Result<()> {
        if now > self.game {
            return fail(format!("this game keeps more than {} {what}", self.game));
        }
        if now > before.saturating_add(self.answer) {
            return fail(format!(
                "this keeps more than {} {what} without an answer: an endless loop?",
                self.answer
            ));
        }
        Ok(())
    }
}

/// What the scripts of a game may use between two answers, and while they are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptBounds {
    /// Instructions that may run.
    pub instructions: u64,
    /// Time that may pass.
    pub time: Duration,
    /// Bytes that all scripts of a VM may hold together.
    pub memory: usize,
}

impl Default for ScriptBounds {
    fn default() -> ScriptBounds {
        ScriptBounds { instructions: INSTRUCTIONS, time: TIME, memory: MEMORY }
    }
}

/// The counter and the function that renews it: the first argument of a script. Whatever the script begins with, this is a
/// statement of its own: without its end, `and f` at the head of a script would put another function in place of the meter.
const HEAD: &str = "local __turns,__meter=0,(...);";
/// Names that no script may use, or it could reach its own counter.
pub(crate) const RESERVED: [&str; 2] = ["__turns", "__meter"];

/// Tokens that run in about the time of a turn. A block of more counts as several turns, so that code without loops is
/// not free because it is long.
const TOKENS: usize = 64;

/// Most names that are made constants of a script: Lua allows 200 locals, and the script has its own.
const CONSTANTS: usize = 120;

/// Words that are jumps to Lua's compiler, and most of them in a script: it keeps jumps in lists that it walks to their end for
/// each, so that tens of thousands would take minutes.
pub(crate) const JUMPS: (&[&str], usize) = (&["and", "or", "elseif", "break", "goto"], 5_000);

/// Why a script cannot be given counters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unmetered {
    /// It has more jumps than Lua's compiler takes in good time.
    Jumps,
    /// It uses a reserved name, in that line.
    Reserved(&'static str, usize),
    /// It is not Lua from that line on.
    Broken(usize),
}

/// Subtracts from the counter, and looks at the budget when it is used up.
fn count(turns: usize) -> String {
    format!(" __turns=__turns-{turns} if __turns<0 then __turns=__meter(__turns)end ")
}

/// A script with counters.
///
/// Names that every script is given, such as the functions of the API, become constants of the script where it uses them:
/// they are found at once, instead of first among the script's globals.
pub(crate) fn metered(source: &str, given: impl Fn(&str) -> bool) -> Result<String, Unmetered> {
    let (mut blocks, mut constants, mut jumps) = (Blocks::new(), BTreeSet::new(), 0);
    for token in tokens(source) {
        match &token {
            Token::Word(range) => {
                let word = &source[range.clone()];
                if let Some(name) = RESERVED.into_iter().find(|&name| name == word) {
                    return Err(Unmetered::Reserved(name, line(source, range.start)));
                }
                jumps += usize::from(JUMPS.0.contains(&word));
                if !constants.contains(word) && given(word) {
                    constants.insert(word);
                }
                blocks.word(word, range);
            }
            Token::Sign(at) => blocks.sign(source.as_bytes()[*at], *at),
            Token::Text(_) | Token::Number(_) => blocks.token(),
            Token::Broken(at) => return Err(Unmetered::Broken(line(source, *at))),
        }
    }
    if jumps > JUMPS.1 {
        return Err(Unmetered::Jumps);
    }
    let mut text = String::with_capacity(source.len() + source.len() / 4 + HEAD.len());
    text.push_str(HEAD);
    for name in constants.into_iter().take(CONSTANTS) {
        // Writing to the text cannot fail.
        let _ = write!(text, " local {name} <const> = {name};");
    }
    text.push(' ');
    let mut copied = 0;
    for (at, block) in blocks.places {
        text.push_str(&source[copied..at]);
        text.push_str(&count(1 + blocks.sizes[block] / TOKENS));
        copied = at;
    }
    text.push_str(&source[copied..]);
    Ok(text)
}

/// The blocks of a script as its tokens go by: where they are counted, and how much runs in each.
///
/// Where a counter goes depends on single words alone, so that no mistake about blocks could lose one.
struct Blocks {
    /// Where the counters go, and the block whose size each counts.
    places: Vec<(usize, usize)>,
    /// The tokens of each block, without those of blocks in it that have counters of their own.
    sizes: Vec<usize>,
    /// Blocks that are open, outermost first.
    open: Vec<Open>,
    /// The block of a `repeat` whose condition is being read, and how many blocks were open around it.
    condition: Option<(usize, usize)>,
    /// Between `function` and the end of its parameters.
    declaring: bool,
}

#[derive(Clone, Copy)]
struct Open {
    block: usize,
    /// Before the `do` of a `while` or `for`: what stands there runs with the loop.
    heading: bool,
}

impl Blocks {
    fn new() -> Blocks {
        Blocks {
            places: Vec::new(),
            sizes: vec![0],
            open: vec![Open { block: 0, heading: false }],
            condition: None,
            declaring: false,
        }
    }

    fn innermost(&self) -> Open {
        self.open.last().copied().unwrap_or(Open { block: 0, heading: false })
    }

    fn enter(&mut self, heading: bool) -> usize {
        self.sizes.push(1);
        self.open.push(Open { block: self.sizes.len() - 1, heading });
        self.sizes.len() - 1
    }

    /// Leaves the innermost block; the script itself is never left.
    fn leave(&mut self) -> usize {
        let block = self.innermost().block;
        if self.open.len() > 1 {
            self.open.pop();
        }
        block
    }

    fn token(&mut self) {
        let block = self.innermost().block;
        self.sizes[block] += 1;
        if let Some((block, depth)) = self.condition
            && depth == self.open.len()
        {
            self.sizes[block] += 1;
        }
    }

    fn sign(&mut self, sign: u8, at: usize) {
        self.token();
        if self.declaring && sign == b')' {
            self.declaring = false;
            self.places.push((at + 1, self.innermost().block));
        }
    }

    fn word(&mut self, word: &str, range: &Range<usize>) {
        self.token();
        // Words with which a statement begins or ends; the condition of a `repeat` does not go on over them.
        const STATEMENTS: [&str; 13] = [
            "while", "for", "do", "repeat", "goto", "if", "until", "local", "return", "break", "else",
            "elseif", "end",
        ];
        if STATEMENTS.contains(&word) && self.condition.is_some_and(|(_, depth)| depth == self.open.len()) {
            self.condition = None;
        }
        match word {
            "function" => {
                self.declaring = true;
                self.enter(false);
            }
            "while" | "for" => {
                self.enter(true);
            }
            "do" if self.innermost().heading => {
                let block = self.leave();
                self.open.push(Open { block, heading: false });
                self.places.push((range.end, block));
            }
            "do" | "repeat" => {
                let block = self.enter(false);
                self.places.push((range.end, block));
            }
            // A jump back runs again what stands around it.
            "goto" => self.places.push((range.start, self.innermost().block)),
            "if" => self.open.push(Open { heading: false, ..self.innermost() }),
            "until" => {
                let block = self.leave();
                self.condition = Some((block, self.open.len()));
            }
            "end" => {
                self.leave();
            }
            _ => {}
        }
    }
}

impl ScriptContext {
    /// Gives what may run until the next answer.
    pub(crate) fn refill(&self) {
        self.settle();
        self.bound_by_step();
        self.count_on();
        self.watched.renew();
        self.names_before.set((self.symbols.borrow().len(), self.named.get()));
        if let Ok(play) = self.play.try_borrow() {
            self.before.set((play.state.journal(), play.changes.bytes()));
        }
    }

    /// Fails if the game keeps more than it may: to be called before anything is written.
    pub(crate) fn keeps(&self) -> mlua::Result<()> {
        let (cells, bytes) = self.before.get();
        let play = self.play.borrow();
        CELLS.check(cells, play.state.journal(), "changes of its state")?;
        CHANGES.check(bytes, play.changes.bytes(), "bytes of what happened")
    }

    /// Takes work off the budget that is done already; should it be more than is left, the next look finds nothing.
    pub(crate) fn charge(&self, instructions: u64) {
        self.budget.set(self.budget.get().saturating_sub(instructions));
    }

    /// The same for whoever runs scripts.
    pub fn pay(&self, instructions: u64) -> Result<(), crate::ScriptError> {
        self.spend(instructions).map_err(|error| crate::ScriptError::from_lua(&error, Vec::new()))
    }

    /// Takes the turns since the last look off the budget, and looks at the other bounds.
    pub(crate) fn look(&self, turns: u64) -> mlua::Result<()> {
        let names = self.symbols.borrow().len();
        // Who makes no new names goes on, however many others have made.
        if names > self.names_before.get().0 && !self.loading.get() {
            let many = names.saturating_sub(NAMES) > self.fixed.get();
            if many || self.named.get() > NAME_BYTES {
                self.crammed.set(true);
                return fail(match many {
                    true => format!("the scripts made more than {NAMES} new names in play"),
                    false => {
                        format!("the new names that scripts made in play are longer than {NAME_BYTES} bytes")
                    }
                });
            }
        }
        // Lua's own `..` makes texts without a call: what the heap has grown by since the last look is paid for.
        let used = self.lua_ffi.lua().map_or(0, |lua| lua.used_memory());
        let grown = used.saturating_sub(self.used.replace(used));
        self.spend(grown as u64 / GROWTH)?;
        self.spend(turns.saturating_mul(TURN))
    }

    /// Whether nothing may run any more before the next answer.
    pub(crate) fn is_used_up(&self) -> bool {
        self.budget.get() == 0 || self.watched.is_over()
    }

    /// Takes work on so many bytes off the budget.
    pub(crate) fn charge_bytes(&self, bytes: usize) -> mlua::Result<()> {
        self.spend(bytes as u64 / BYTES)
    }

    /// Takes something off the budget of instructions: work that the counters of scripts do not see.
    pub(crate) fn spend(&self, instructions: u64) -> mlua::Result<()> {
        let left = self.budget.get();
        if self.watched.is_over() {
            return fail(self.used_up(true));
        }
        if left < instructions {
            self.budget.set(0);
            return fail(self.used_up(false));
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
        text.strip_prefix(HEAD).unwrap_or_default().replace(&count(1), "#").replace(&count(3), "###")
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
    fn long_blocks_count_as_several_turns() {
        let long = "f() ".repeat(50);
        assert_eq!(body(&format!("while x do {long} end")), format!(" while x do### {long} end"));
        assert_eq!(
            body(&format!("function f() if x then {long} end end")),
            format!(" function f()### if x then {long} end end")
        );
        assert_eq!(
            body(&format!("function f() while x do {long} end end")),
            format!(" function f()# while x do### {long} end end")
        );
        let condition = format!("x{}", " or x".repeat(70));
        assert_eq!(body(&format!("while {condition} do end")), format!(" while {condition} do### end"));
        assert_eq!(
            body(&format!("repeat until {condition} local x = 1")),
            format!(" repeat### until {condition} local x = 1")
        );
        assert_eq!(body(&format!("::a:: {long} goto a")), format!(" ::a:: {long} ###goto a"));
        // A function in the condition of a loop has a counter of its own.
        let inner = format!("(function() {long} end)()");
        assert_eq!(
            body(&format!("repeat until {inner}")),
            format!(" repeat# until (function()### {long} end)()")
        );
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
        assert_eq!(text, format!("{HEAD} local ask <const> = ask; local roll <const> = roll; ask(x.roll)"));
    }

    #[test]
    fn a_script_cannot_name_its_counter() {
        assert_eq!(metered("x = 1\n__turns = 5", |_| false), Err(Unmetered::Reserved("__turns", 2)));
        assert_eq!(metered("local __meter", |_| false), Err(Unmetered::Reserved("__meter", 1)));
        assert!(metered("x = '__turns'", |_| false).is_ok());
    }
}
