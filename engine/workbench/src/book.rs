//! Rulebooks: Markdown whose headings open paragraphs and whose fenced blocks are cases.

/// A paragraph of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Its id: the first word of the heading.
    pub id: String,
    /// The rest of the heading.
    pub title: String,
    /// Its text, without cases.
    pub text: String,
    /// Why it states no behaviour, if it does not.
    pub exempt: Option<String>,
    /// Line of the heading.
    pub line: u32,
}

/// A case as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseText {
    /// The paragraph above it.
    pub paragraph: String,
    /// Its lines with their numbers.
    pub lines: Vec<(u32, String)>,
    /// Line of the fence.
    pub line: u32,
    /// The file.
    pub file: String,
}

/// A rulebook file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// Its paragraphs in order.
    pub paragraphs: Vec<Paragraph>,
    /// Its cases in order.
    pub cases: Vec<CaseText>,
}

impl Book {
    /// Reads a Markdown file.
    pub fn read(file: &str, text: &str) -> Book {
        let mut book = Book::default();
        let mut open: Option<CaseText> = None;
        let mut other_fence = false;
        for (number, line) in (1u32..).zip(text.lines()) {
            let trimmed = line.trim();
            if let Some(case) = &mut open {
                if trimmed.starts_with("```") {
                    book.cases.extend(open.take());
                } else {
                    case.lines.push((number, line.to_string()));
                }
                continue;
            }
            if let Some(info) = trimmed.strip_prefix("```") {
                if info.trim() == "case" && !other_fence {
                    let paragraph =
                        book.paragraphs.last().map_or_else(String::new, |paragraph| paragraph.id.clone());
                    open =
                        Some(CaseText { paragraph, lines: Vec::new(), line: number, file: file.to_string() });
                } else {
                    other_fence = !other_fence;
                }
                continue;
            }
            if other_fence {
                continue;
            }
            if let Some(heading) = trimmed.strip_prefix("### ") {
                let (id, title) =
                    heading.trim().split_once(char::is_whitespace).unwrap_or((heading.trim(), ""));
                book.paragraphs.push(Paragraph {
                    id: id.to_string(),
                    title: title.trim().to_string(),
                    text: String::new(),
                    exempt: None,
                    line: number,
                });
            } else if let Some(paragraph) = book.paragraphs.last_mut() {
                if let Some(reason) = trimmed.strip_prefix("exempt:") {
                    paragraph.exempt = Some(reason.trim().to_string());
                } else if !trimmed.starts_with('#') {
                    paragraph.text.push_str(line);
                    paragraph.text.push('\n');
                }
            }
        }
        book.cases.extend(open);
        book
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_open_paragraphs_and_fences_open_cases() {
        let book = Book::read(
            "r.md",
            "# Rules\n## 1 Start\n### 1.1 First\nText.\n\n```case\ngo\n```\n### 1.2 Second\nexempt: only names things\n```lua\n### no\n```\n",
        );
        let ids: Vec<&str> = book.paragraphs.iter().map(|paragraph| paragraph.id.as_str()).collect();
        assert_eq!(ids, ["1.1", "1.2"]);
        assert_eq!(book.paragraphs[1].exempt.as_deref(), Some("only names things"));
        assert_eq!(book.cases[0].paragraph, "1.1");
        assert_eq!(book.cases[0].lines, [(7, "go".to_string())]);
    }
}
