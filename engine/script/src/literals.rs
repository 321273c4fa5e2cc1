//! The texts written in a script: they are interned before play, so that the state can hold them by number.

/// The string literals of a Lua source, in order; escapes are left as they are written.
pub(crate) fn literals(source: &str) -> Vec<String> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'-' if bytes[at..].starts_with(b"--") => {
                at = match long_bracket(bytes, at + 2) {
                    Some(level) => close(bytes, at + 2, level).1,
                    None => bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n),
                };
            }
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let end = at.min(bytes.len());
                found.push(String::from_utf8_lossy(&bytes[start.min(end)..end]).into_owned());
                at += 1;
            }
            b'[' => match long_bracket(bytes, at) {
                Some(level) => {
                    let (end, after) = close(bytes, at, level);
                    found.push(String::from_utf8_lossy(&bytes[(at + level + 2).min(end)..end]).into_owned());
                    at = after;
                }
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    found
}

/// The level of a long bracket that opens at `at`, if one does.
fn long_bracket(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let level = bytes[at + 1..].iter().take_while(|&&b| b == b'=').count();
    (bytes.get(at + 1 + level) == Some(&b'[')).then_some(level)
}

/// Where the text of a long bracket ends, and where the source goes on.
fn close(bytes: &[u8], at: usize, level: usize) -> (usize, usize) {
    let mut end = vec![b']'];
    end.extend(std::iter::repeat_n(b'=', level));
    end.push(b']');
    let from = (at + level + 2).min(bytes.len());
    match bytes[from..].windows(end.len()).position(|window| window == end) {
        Some(n) => (from + n, from + n + end.len()),
        None => (bytes.len(), bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_texts() {
        let source = "local a = 'x' -- 'not'\n--[[ 'nor' ]] b = \"y\\\"z\" c = [==[ long ]] ]==]";
        assert_eq!(literals(source), ["x", "y\\\"z", " long ]] "]);
        assert_eq!(literals("'open\n'next'"), ["open", "next"]);
        assert_eq!(literals("[[never closed"), ["never closed"]);
        assert_eq!(literals("'\\"), [""; 1].map(|_| "\\".to_string()));
    }
}
