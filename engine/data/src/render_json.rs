//! Diagnostics as JSON for editors and scripts: one object a problem.

use serde_json::{Value, json};

use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};

/// Bytes of a source line that are given at most.
const LONGEST_LINE: usize = 400;

/// Returns one object with code, name, severity, message, place, source line, labels, notes and help.
pub fn to_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut object = json!({
        "code": diagnostic.code.code,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "labels": diagnostic.labels.iter().map(|label| {
            let mut object = place(Some(label.span), sources);
            object["text"] = json!(label.text);
            object
        }).collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
    });
    if let (Value::Object(object), Value::Object(place)) = (&mut object, place(diagnostic.span, sources)) {
        object.extend(place);
    }
    object
}

fn place(span: Option<Span>, sources: &Sources) -> Value {
    let Some((span, file)) = span.and_then(|span| Some((span, sources.get(span.file)?))) else {
        return json!({
            "file": null, "place": null, "line": null, "column": null, "end_line": null, "end_column": null,
            "source_line": null,
        });
    };
    let (start, end) = (file.position(span.start), file.position(span.end.max(span.start)));
    let line = file.line(start.line);
    json!({
        "file": file.shown(), "place": file.place(),
        "line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column,
        "source_line": &line[..line.floor_char_boundary(LONGEST_LINE)],
    })
}
