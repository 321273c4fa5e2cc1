//! Whether a script is shallow enough to be parsed: the parser's trees are walked by recursion, and scripts come from strangers.

/// Blocks and brackets in each other; Lua itself stops at 200.
const DEEPEST: usize = 200;
/// Operators in one expression.
const LONGEST: usize = 250;

/// Returns where nesting or a single expression becomes deeper than the parser can bear, if it does.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // Operators seen in the expression that is open at each depth of brackets and blocks.
    let mut open: Vec<usize> = vec![0];
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let start = at;
        at += 1;
        match byte {
            b'-' if bytes[start..].starts_with(b"--") => {
                at = match long_bracket(bytes, start + 2) {
                    Some(level) => after_long(bytes, start + 2, level),
                    None => {
                        bytes[start..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| start + n)
                    }
                };
            }
            b'"' | b'\'' => {
                while at < bytes.len() && bytes[at] != byte && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'[' if long_bracket(bytes, start).is_some() => {
                at = after_long(bytes, start, long_bracket(bytes, start).unwrap_or(0));
            }
            b'(' | b'[' | b'{' => open.push(0),
            b')' | b']' | b'}' => close(&mut open),
            b',' | b';' => reset(&mut open),
            b'=' if bytes.get(at) != Some(&b'=')
                && !matches!(bytes[..start].last(), Some(b'=' | b'<' | b'>' | b'~')) =>
            {
                reset(&mut open);
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'#' | b'<' | b'>' | b'&' | b'|' | b'~' | b'.' => {
                count(&mut open);
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                    at += 1;
                }
                match &text[start..at] {
                    "function" | "do" | "then" | "repeat" => open.push(0),
                    "end" | "until" | "elseif" => close(&mut open),
                    "and" | "or" | "not" => count(&mut open),
                    "local" | "if" | "else" | "while" | "for" | "in" | "return" => reset(&mut open),
                    _ => {}
                }
            }
            _ => {}
        }
        if open.len() > DEEPEST || open.last().is_some_and(|&operators| operators > LONGEST) {
            return Some(start);
        }
    }
    None
}

fn close(open: &mut Vec<usize>) {
    if open.len() > 1 {
        open.pop();
    }
}

fn reset(open: &mut [usize]) {
    if let Some(last) = open.last_mut() {
        *last = 0;
    }
}

fn count(open: &mut [usize]) {
    if let Some(last) = open.last_mut() {
        *last += 1;
    }
}

fn long_bracket(bytes: &[u8], at: usize) -> Option<usize> {
    let level = bytes.get(at..)?.strip_prefix(b"[")?.iter().take_while(|&&b| b == b'=').count();
    (bytes.get(at + 1 + level) == Some(&b'[')).then_some(level)
}

fn after_long(bytes: &[u8], at: usize, level: usize) -> usize {
    let end: Vec<u8> = [b']'].into_iter().chain(std::iter::repeat_n(b'=', level)).chain([b']']).collect();
    let from = (at + level + 2).min(bytes.len());
    bytes[from..]
        .windows(end.len())
        .position(|window| window == end)
        .map_or(bytes.len(), |n| from + n + end.len())
}

#[cfg(test)]
mod tests {
    use super::too_deep;

    fn is_shallow(text: &str) -> bool {
        too_deep(text).is_none()
    }

    #[test]
    fn what_people_write_is_shallow_and_what_breaks_parsers_is_not() {
        let ordinary = "local a = 1 + 2\nif a == 3 then a = 4 elseif a then a = 5 end\n".repeat(2_000);
        assert!(is_shallow(&ordinary));
        assert!(is_shallow(&format!("t = {{ {} }}", "x + y, ".repeat(10_000))));
        for deep in [
            "(".repeat(100_000),
            format!("x = {}1", "1 + ".repeat(100_000)),
            format!("x = {}1", "f(1) .. ".repeat(100_000)),
            format!("x = {}1", "not ".repeat(100_000)),
            "if x then ".repeat(100_000),
            "x = function() ".repeat(100_000),
        ] {
            assert!(!is_shallow(&deep));
        }
        assert!(is_shallow(&format!("x = [==[{}]==]", "((((".repeat(1000))));
        assert!(is_shallow("'\\"));
    }
}
