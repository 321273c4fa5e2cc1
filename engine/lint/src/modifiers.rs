//! Contributions of independent layers to the same stage of a number: additions commute, everything else does not.

use crate::context::LintContext;
use crate::{codes, place};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::origin::LayerId;
use sandtable_data::source::Span;
use sandtable_script::{Handler, Kind, ScriptContext};

/// The methods of a number whose order counts; `add` is the one whose order does not.
const ORDERED: &[&str] =
    &["times", "divide_up", "divide_down", "round_up", "round_down", "at_least", "at_most", "set"];

/// Warns of two layers whose contributions give another result in another order.
pub(crate) fn check(context: &LintContext<'_>, cx: &ScriptContext, out: &mut Diagnostics) {
    let registry = cx.registry.borrow();
    let by_layers = |handler: &&Handler| handler.kind == Kind::Modify && handler.layer > 0 && handler.wanted;
    let list: Vec<&Handler> = registry.handlers.iter().filter(by_layers).collect();
    let needs = |a: u16, b: u16| {
        context.catalog.layers.get(usize::from(a)).is_some_and(|layer| layer.needs.contains(&LayerId(b)))
    };
    for (at, one) in list.iter().enumerate() {
        for other in &list[at + 1..] {
            let together = one.target == other.target && one.stage == other.stage && one.order == other.order;
            let independent =
                one.layer != other.layer && !needs(one.layer, other.layer) && !needs(other.layer, one.layer);
            if !together || !independent {
                continue;
            }
            let (Some(first), Some(second)) = (span(context, one), span(context, other)) else { continue };
            let Some(method) = ordered(context, &registry.handlers, one)
                .or_else(|| ordered(context, &registry.handlers, other))
            else {
                continue;
            };
            let name = |layer: u16| context.catalog.layer_name(LayerId(layer));
            let message = format!(
                "`{}` of layer {} and `{}` of layer {} change `{}` at the same stage, one of them by `{method}`, and neither layer needs the other",
                one.id,
                name(one.layer),
                other.id,
                name(other.layer),
                cx.text(one.target),
            );
            out.push(
                Diagnostic::warning(&codes::HANDLER_CONFLICT, second, message)
                    .label(first, format!("layer {} here", name(one.layer)))
                    .help("let one need the other, or give one an `order` or a stage of its own".to_string()),
            );
        }
    }
}

fn span(context: &LintContext<'_>, handler: &Handler) -> Option<Span> {
    let (path, line) = handler.place.rsplit_once(':')?;
    let file = place::of_path(context.catalog, path)?;
    Some(place::of_line(context.catalog, file, line.parse().ok()?))
}

/// The first method in a handler's lines, up to the next handler of its script, whose order counts.
fn ordered<'f>(context: &'f LintContext<'_>, all: &[Handler], handler: &Handler) -> Option<&'f str> {
    let start = span(context, handler)?;
    let next = all.iter().filter_map(|other| span(context, other));
    let end =
        next.filter(|other| other.file == start.file && other.start > start.start).map(|other| other.start);
    let end = end.min().unwrap_or(u32::MAX);
    let facts = context.scripts.iter().find(|facts| facts.file == start.file)?;
    let inside = |span: Span| span.start >= start.start && span.start < end;
    let method =
        facts.methods.iter().find(|name| inside(name.span) && ORDERED.contains(&name.name.as_str()))?;
    Some(&method.name)
}
