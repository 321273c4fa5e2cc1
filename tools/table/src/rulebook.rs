//! The rulebooks as HTML, with an anchor at each paragraph. Whatever HTML a book holds is shown as text.

use crate::library::Loaded;
use crate::refusal::Refusal;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use sandtable_workbench::book::Book;
use serde_json::{Value, json};

/// All books with their paragraphs.
pub fn books(loaded: &Loaded) -> Value {
    let catalog = &loaded.catalog;
    let book = |file: &sandtable_data::catalog::LayerFile| {
        let text = catalog.sources.text(file.file);
        let paragraphs: Vec<Value> = Book::read(&file.path, text)
            .paragraphs
            .iter()
            .map(|paragraph| json!({ "id": paragraph.id, "title": paragraph.title }))
            .collect();
        json!({
            "path": catalog.sources.path(file.file), "layer": catalog.layer_name(file.layer),
            "title": title(&file.path, text), "paragraphs": paragraphs,
        })
    };
    json!({ "books": catalog.books.iter().map(book).collect::<Vec<_>>() })
}

/// One book: by its path, or the one that holds a paragraph.
pub fn page(loaded: &Loaded, book: Option<&str>, paragraph: Option<&str>) -> Result<Value, Refusal> {
    let catalog = &loaded.catalog;
    let path = |file: &sandtable_data::catalog::LayerFile| catalog.sources.path(file.file).to_string();
    let holds = |file: &&sandtable_data::catalog::LayerFile| match (book, paragraph) {
        (Some(book), _) => path(file) == book,
        (None, Some(id)) => {
            let book = Book::read(&file.path, catalog.sources.text(file.file));
            book.paragraphs.iter().any(|paragraph| paragraph.id == id)
        }
        (None, None) => true,
    };
    // A layer's word on a paragraph comes after the game's, so the last book that holds it counts.
    let found = catalog.books.iter().rfind(holds);
    let Some(file) = found else {
        let wanted = book.or(paragraph).unwrap_or("a rulebook");
        return Err(Refusal::missing(format!("There is no paragraph or book `{wanted}`.")));
    };
    let text = catalog.sources.text(file.file);
    Ok(json!({
        "path": path(file), "layer": catalog.layer_name(file.layer), "title": title(&file.path, text),
        "html": markup(text), "anchor": paragraph.map(|id| format!("p-{id}")),
    }))
}

fn title(path: &str, text: &str) -> String {
    let heading = text.lines().find_map(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")));
    heading.map_or_else(|| path.to_string(), |heading| heading.trim().to_string())
}

/// Markdown as HTML.
fn markup(text: &str) -> String {
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut opened: Option<usize> = None;
    // Why a paragraph needs no case concerns those who write the book, not those who read it.
    let text: String =
        text.lines().filter(|line| !line.starts_with("exempt:")).flat_map(|line| [line, "\n"]).collect();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Html(raw) | Event::InlineHtml(raw) => events.push(Event::Text(raw)),
            Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => {
                opened = Some(events.len());
                events.push(event);
            }
            Event::Text(words) => {
                // The first word of a heading is the paragraph's id.
                if let Some(at) = opened.take()
                    && let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(at)
                {
                    let first = words.split_whitespace().next().unwrap_or_default();
                    *id = Some(format!("p-{first}").into());
                }
                events.push(Event::Text(words));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if &*info == "case" => {
                events.push(Event::Html("<details class=\"case\"><summary></summary>".into()));
                events.push(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced("case".into()))));
            }
            Event::Start(Tag::Link { dest_url, .. }) if !harmless(&dest_url) => {}
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            event => events.push(event),
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, close_cases(events).into_iter());
    out
}

/// A case is folded up behind a line; its end comes after the end of its block.
fn close_cases(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut all = Vec::with_capacity(events.len());
    let (mut in_case, mut links) = (false, 0usize);
    for event in events {
        match &event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => in_case = &**info == "case",
            Event::Start(Tag::Link { .. }) => links += 1,
            // The beginning of a link that was left out has an end that must go as well.
            Event::End(TagEnd::Link) if links == 0 => continue,
            Event::End(TagEnd::Link) => links -= 1,
            _ => {}
        }
        let ends = matches!(event, Event::End(TagEnd::CodeBlock)) && in_case;
        all.push(event);
        if ends {
            all.push(Event::Html("</details>".into()));
            in_case = false;
        }
    }
    all
}

/// Whether a link leads to a page and not to a script.
fn harmless(link: &str) -> bool {
    let scheme = link.split(['/', '#', '?']).next().unwrap_or_default();
    !scheme.contains(':') || link.starts_with("https://") || link.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_have_anchors_and_markup_of_a_book_is_only_text() {
        let html = markup(
            "# Rules\n### 6.1 Fire & smoke\nexempt: no case\n<script>alert(1)</script> *x* <b onclick=y>\n[a](javascript:alert(2)) [b](https://example.org)\n\n```case\ngo <i>\n```\n",
        );
        assert!(!html.contains("exempt"), "{html}");
        assert!(html.contains("<h3 id=\"p-6.1\">6.1 Fire &amp; smoke</h3>"), "{html}");
        assert!(
            html.contains("&lt;script&gt;") && !html.contains("<script") && !html.contains("<b onclick"),
            "{html}"
        );
        assert!(!html.contains("javascript:") && html.contains("https://example.org"), "{html}");
        assert!(
            html.contains("<details") && html.contains("go &lt;i&gt;") && html.contains("</details>"),
            "{html}"
        );
    }
}
