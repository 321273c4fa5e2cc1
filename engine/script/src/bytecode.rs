//! Which shared variables a compiled function assigns: read from the bytecode that Lua itself would run, so that no way of
//! writing a script can hide an assignment.
//!
//! The format is that of `lua_dump` in Lua 5.4, whose header is compared: another Lua is an error, never a wrong answer.

/// A function assigns a variable that it shares with what stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assigns {
    /// The name of the variable.
    pub name: String,
    /// The line of the assignment.
    pub line: u32,
}

/// Signature, version, format, `LUAC_DATA`, and the sizes of an instruction, an integer and a number.
const HEAD: &[u8] = b"\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08";
/// An integer and a number by which Lua tells the order of bytes.
const CHECKS: usize = 16;
/// `OP_SETUPVAL A B`: the variable of number B becomes what register A holds.
const SET_UPVALUE: u32 = 10;
/// A step of the line table that stands in the list of absolute lines instead.
const ABSOLUTE: i8 = -128;
/// How deep functions may stand in each other; Lua itself allows 200.
const DEPTH: usize = 250;

/// The assignments, in a dumped function and those inside it, to variables from outside of it; nothing if the bytes are not
/// the bytecode of this Lua.
pub(crate) fn assigns(dump: &[u8]) -> Option<Vec<Assigns>> {
    let rest = dump.strip_prefix(HEAD)?;
    // After the checks stands the number of shared variables, which is repeated inside.
    let mut reader = Reader { rest: rest.get(CHECKS + 1..)? };
    let function = reader.function(0)?;
    let name = |number: usize| function.names.get(number).cloned().unwrap_or_default();
    Some(function.sets.iter().map(|&(number, line)| Assigns { name: name(number), line }).collect())
}

/// What is known of a function: its shared variables by name, and which of them are assigned on which line.
struct Function {
    names: Vec<String>,
    sets: Vec<(usize, u32)>,
    /// Where its shared variables come from: a number among those of the function around it, or one of its locals.
    from: Vec<Option<usize>>,
}

struct Reader<'d> {
    rest: &'d [u8],
}

impl<'d> Reader<'d> {
    fn take(&mut self, n: usize) -> Option<&'d [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// A number in groups of seven bits, the largest first; the last group is marked.
    fn number(&mut self) -> Option<usize> {
        let mut number: usize = 0;
        loop {
            let byte = self.byte()?;
            number = number.checked_mul(128)? | usize::from(byte & 0x7f);
            if byte & 0x80 != 0 {
                return Some(number);
            }
        }
    }

    fn text(&mut self) -> Option<&'d [u8]> {
        match self.number()? {
            0 => Some(&[]),
            size => self.take(size - 1),
        }
    }

    fn function(&mut self, depth: usize) -> Option<Function> {
        if depth > DEPTH {
            return None;
        }
        self.text()?;
        let first_line = self.number()? as u32;
        self.number()?;
        // Parameters, whether there are more, and the size of the stack.
        self.take(3)?;
        let code = self.number()?;
        let code = self.take(code.checked_mul(4)?)?;
        self.constants()?;
        let mut from = Vec::new();
        for _ in 0..self.number()? {
            let (in_stack, number) = (self.byte()?, self.byte()?);
            self.byte()?;
            from.push((in_stack == 0).then_some(usize::from(number)));
        }
        let mut inside = Vec::new();
        for _ in 0..self.number()? {
            inside.push(self.function(depth + 1)?);
        }
        let lines = self.lines(first_line)?;
        let names = self.names()?;
        let instructions = code.chunks_exact(4).filter_map(|word| <[u8; 4]>::try_from(word).ok());
        let instructions = instructions.map(u32::from_ne_bytes).enumerate();
        let own = instructions.filter(|(_, word)| word & 0x7f == SET_UPVALUE);
        let mut sets: Vec<(usize, u32)> = own
            .map(|(at, word)| ((word >> 16 & 0xff) as usize, lines.get(at).copied().unwrap_or(first_line)))
            .collect();
        // What a function inside this one assigns from outside of both is assigned by this one too.
        for function in inside {
            let outer = |&(number, line): &(usize, u32)| Some(((*function.from.get(number)?)?, line));
            sets.extend(function.sets.iter().filter_map(outer));
        }
        Some(Function { names, sets, from })
    }

    fn constants(&mut self) -> Option<()> {
        for _ in 0..self.number()? {
            match self.byte()? {
                0x03 | 0x13 => drop(self.take(8)?),
                0x04 | 0x14 => drop(self.text()?),
                0x00 | 0x01 | 0x11 => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The line of each instruction.
    fn lines(&mut self, first_line: u32) -> Option<Vec<u32>> {
        let steps = self.number()?;
        let steps = self.take(steps)?;
        let mut absolute = Vec::new();
        for _ in 0..self.number()? {
            absolute.push((self.number()?, self.number()? as u32));
        }
        let mut line = first_line;
        let mut absolute = absolute.into_iter();
        let lines = steps.iter().map(|&step| {
            line = match step as i8 {
                ABSOLUTE => absolute.next().map_or(line, |(_, line)| line),
                step => line.wrapping_add_signed(step.into()),
            };
            line
        });
        Some(lines.collect())
    }

    /// The names of the shared variables, which stand after those of the locals.
    fn names(&mut self) -> Option<Vec<String>> {
        for _ in 0..self.number()? {
            self.text()?;
            self.number()?;
            self.number()?;
        }
        let mut names = Vec::new();
        for _ in 0..self.number()? {
            names.push(String::from_utf8_lossy(self.text()?).into_owned());
        }
        Some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlua::{Function, Lua};

    /// What the function that a script returns assigns.
    fn of(script: &str) -> Vec<(String, u32)> {
        let lua = Lua::new();
        let function: Function = lua.load(script).eval().unwrap_or_else(|error| panic!("{error}"));
        let found = assigns(&function.dump(false)).unwrap_or_else(|| panic!("not bytecode: {script}"));
        found.into_iter().map(|set| (set.name, set.line)).collect()
    }

    #[test]
    fn an_assignment_to_a_shared_variable_is_found_with_its_line() {
        assert_eq!(of("local n = 0\nreturn function()\n  n = n + 1\nend"), [("n".to_string(), 3)]);
        assert_eq!(
            of("local a, b\nreturn function() b = 1\n\n a = b end"),
            [("b".into(), 2), ("a".into(), 4)]
        );
        assert_eq!(of("return function() _ENV = {} end"), [("_ENV".to_string(), 1)]);
    }

    #[test]
    fn an_assignment_by_a_function_inside_is_one_of_both() {
        let script = "local n = 0 return function() return function() return function()\n n = 1 end end end";
        assert_eq!(of(script), [("n".to_string(), 2)]);
    }

    #[test]
    fn variables_of_the_call_itself_may_be_assigned() {
        assert_eq!(of("local n = 0 return function() local m = n return function() m = m + n end end"), []);
        assert_eq!(of("return function(a) a = 1 for i = 1, 2 do a = i end return a end"), []);
    }

    #[test]
    fn lines_are_right_in_a_long_function() {
        for gap in [1, 100, 127, 128, 129, 300, 5_000] {
            let (blank, filling) = ("\n".repeat(gap), "x()\n".repeat(gap));
            let script = format!("local n, x\nreturn function(){blank}{filling}n = 1 end");
            assert_eq!(of(&script), [("n".to_string(), 2 + 2 * gap as u32)], "{gap}");
        }
    }

    #[test]
    fn constants_of_all_kinds_are_passed_over() {
        let script = format!(
            "local n return function(t) t.a, t.b, t.c = 1e300, 1 << 40, \"{}\" t[nil] = true t.d = false n = 2.5 end",
            "long".repeat(50)
        );
        assert_eq!(of(&script), [("n".to_string(), 1)]);
    }

    #[test]
    fn bytes_that_are_not_bytecode_are_an_error() {
        let lua = Lua::new();
        let script = "local n return function() n = 1 end";
        let function: Function = lua.load(script).eval().unwrap_or_else(|error| panic!("{error}"));
        let dump = function.dump(false);
        assert!(assigns(&dump).is_some());
        for length in 0..dump.len() {
            assert_eq!(assigns(&dump[..length]), None, "{length}");
        }
        assert_eq!(assigns(b""), None);
    }
}
