//! The Markdown of rulebooks as HTML: headings, paragraphs, lists, tables, fences, and words in the line.

/// Text that means nothing to HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A block of lines between two headings or fences.
pub fn blocks(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let mut block = vec![trimmed];
        if is_item(trimmed) {
            while let Some(next) = lines.next_if(|next| !next.trim().is_empty()) {
                block.push(next.trim());
            }
            out.push_str(&list(&block));
        } else if trimmed.starts_with('|') {
            while let Some(next) = lines.next_if(|next| next.trim().starts_with('|')) {
                block.push(next.trim());
            }
            out.push_str(&table(&block));
        } else {
            while let Some(next) = lines.next_if(|next| !next.trim().is_empty() && !is_item(next.trim())) {
                block.push(next.trim());
            }
            out.push_str(&format!("<p>{}</p>\n", inline(&block.join(" "))));
        }
    }
    out
}

fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

fn list(lines: &[&str]) -> String {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            Some(item) => items.push(item.to_string()),
            None => {
                if let Some(last) = items.last_mut() {
                    *last = format!("{last} {line}");
                }
            }
        }
    }
    let items: String = items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
    format!("<ul>\n{items}</ul>\n")
}

fn table(lines: &[&str]) -> String {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| inline(cell.trim())).collect()
    };
    let is_rule = |line: &str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let headed = lines.get(1).is_some_and(|line| is_rule(line));
    let mut out = String::from("<div class=\"wide\"><table>\n");
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !is_rule(line)) {
        let tag = if headed && number == 0 { "th" } else { "td" };
        let row: String = cells(line).iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        out.push_str(&format!("<tr>{row}</tr>\n"));
    }
    out.push_str("</table></div>\n");
    out
}

/// Words in a line: `code`, **strong**, *emphasis*, [text](link).
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    // What stands between backquotes is taken as it is.
    for (number, part) in text.split('`').enumerate() {
        if number % 2 == 1 {
            out.push_str(&format!("<code>{}</code>", escape(part)));
        } else {
            out.push_str(&paired(&paired(&links(&escape(part)), "**", "strong"), "*", "em"));
        }
    }
    out
}

fn paired(text: &str, mark: &str, tag: &str) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    // An odd mark, or one that stands alone as in `1*`, is a mark and nothing else.
    let tight = |part: &&str| !part.is_empty() && !part.starts_with(' ') && !part.ends_with(' ');
    if parts.len().is_multiple_of(2) || !parts.iter().skip(1).step_by(2).all(tight) {
        return text.to_string();
    }
    let wrap = |(number, part): (usize, &&str)| {
        if number % 2 == 1 { format!("<{tag}>{part}</{tag}>") } else { (*part).to_string() }
    };
    parts.iter().enumerate().map(wrap).collect()
}

fn links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").and_then(|middle| {
            let end = rest[open + middle..].find(')')?;
            Some((
                &rest[open + 1..open + middle],
                &rest[open + middle + 2..open + middle + end],
                open + middle + end + 1,
            ))
        });
        let Some((words, to, end)) = link else { break };
        out.push_str(&rest[..open]);
        // Links within the book, or to the web; nothing that runs.
        if to.starts_with('#') || to.starts_with("https://") || to.starts_with("http://") {
            out.push_str(&format!("<a href=\"{to}\">{words}</a>"));
        } else {
            out.push_str(words);
        }
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lists_and_tables() {
        insta::assert_snapshot!(blocks("A *word*, `a < b`,\n**two**.\n\n- one\n- two\n  lines\n\n| a | b |\n|---|---|\n| 1* | 2 |\n"), @r#"
        <p>A <em>word</em>, <code>a &lt; b</code>, <strong>two</strong>.</p>
        <ul>
        <li>one</li>
        <li>two lines</li>
        </ul>
        <div class="wide"><table>
        <tr><th>a</th><th>b</th></tr>
        <tr><td>1*</td><td>2</td></tr>
        </table></div>
        "#);
        assert_eq!(
            inline("1* and 2*, [x](javascript:y) [z](#4.1) <b>"),
            "1* and 2*, x <a href=\"#4.1\">z</a> &lt;b&gt;"
        );
    }
}
