//! Numbers in scripts: fractions, which no state can hold, and figures that belong into tables.

use crate::codes;
use crate::facts::Facts;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};

/// Reports fractions, and whole numbers other than 0 and 1 inside functions that are not an index.
pub(crate) fn numbers(scripts: &[Facts], out: &mut Diagnostics) {
    for number in scripts.iter().flat_map(|facts| &facts.numbers) {
        let text = number.text.trim_start_matches('-');
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        if !hexadecimal && text.contains(['.', 'e', 'E']) || hexadecimal && text.contains(['.', 'p', 'P']) {
            let message = format!("{} is a number with a fraction; expected a whole number", number.text);
            out.push(Diagnostic::error(&codes::FLOAT, number.span, message));
        } else if number.in_function && !number.index && (number.sum || !["0", "1"].contains(&text)) {
            let message = format!(
                "the figure {} stands in a rule; it belongs into a value, where it has a name and a paragraph",
                number.text
            );
            out.push(Diagnostic::warning(&codes::FIGURE, number.span, message));
        }
    }
}
