//! The nearest valid names for a name that was not found.

/// Longer words get no suggestions: the comparison is quadratic and nobody mistypes them.
const LONGEST: usize = 64;

/// Returns up to three candidates near `word`: those that differ only in case first, then by distance and name.
///
/// A candidate is near if the number of edits (a swap of neighbours is one) is at most a third of the longer name.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return Vec::new();
    }
    let folded: Vec<char> = word.to_lowercase().chars().collect();
    let mut hits: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != word && candidate.len() <= LONGEST)
        .filter_map(|candidate| {
            let other: Vec<char> = candidate.to_lowercase().chars().collect();
            let limit = (folded.len().max(other.len()) / 3).max(1);
            if folded.len().abs_diff(other.len()) > limit {
                return None;
            }
            let distance = edits(&folded, &other);
            (distance <= limit).then_some((distance, candidate))
        })
        .collect();
    hits.sort_unstable();
    hits.dedup();
    hits.truncate(3);
    hits.into_iter().map(|(_, name)| name).collect()
}

/// Returns "did you mean …?" with the nearest candidates, or nothing.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = nearest(word, candidates).into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => None,
        names => Some(format!("did you mean {}?", alternatives(names))),
    }
}

/// Returns "did you mean …?", or "there are …" with all candidates where none is near and they are few.
pub fn near_or_all<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const FEW: usize = 12;
    let all: Vec<&str> = candidates.into_iter().collect();
    let few = || (1..=FEW).contains(&all.len()).then(|| format!("there are {}", all.join(", ")));
    did_you_mean(word, all.iter().copied()).or_else(few)
}

/// Returns how many edits lie between two names, whatever their case; a swap of neighbours is one.
pub fn distance(a: &str, b: &str) -> usize {
    let folded = |text: &str| text.chars().take(LONGEST).flat_map(char::to_lowercase).collect::<Vec<char>>();
    edits(&folded(a), &folded(b))
}

/// Joins names as `a`, `a or b` or `a, b or c`.
pub fn alternatives<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", init.join(", "), last.as_ref())
        }
    }
}

/// Counts insertions, deletions, replacements and swaps of neighbours between two words.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i];
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            current.push(best);
        }
        before = previous;
        previous = current;
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_none_is_near_a_few_are_listed() {
        assert_eq!(near_or_all("fords", ["ford", "mill"]).as_deref(), Some("did you mean `ford`?"));
        assert_eq!(near_or_all("nothing", ["ford", "mill"]).as_deref(), Some("there are ford, mill"));
        assert_eq!(near_or_all("nothing", []), None);
        assert_eq!(near_or_all("nothing", ["ford"; 13]), None);
    }

    #[test]
    fn edits_are_counted_with_swaps() {
        let count = |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("ops", "ops"), 0);
        assert_eq!(count("osp", "ops"), 1);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("kitten", "sitting"), 3);
    }

    #[test]
    fn case_comes_first_then_distance_and_at_most_three() {
        let names = ["platad", "PLATED", "plateds", "plaxed", "infantry"];
        assert_eq!(nearest("plated", names), ["PLATED", "platad", "plateds"]);
        assert_eq!(did_you_mean("9999", ["0999", "1724"]).as_deref(), Some("did you mean `0999`?"));
        assert_eq!(did_you_mean("x", ["long-name"]), None);
        assert_eq!(alternatives(&["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn a_huge_word_gets_no_suggestion() {
        assert!(nearest(&"x".repeat(1 << 20), ["x"]).is_empty());
        assert!(nearest("", ["x"]).is_empty());
    }
}
