//! Conflicts: two layers, neither of which needs the other, that touch the same thing.
//!
//! | layer a | layer b | conflict |
//! |---|---|---|
//! | sets a field | sets it to another value | yes |
//! | sets a field | sets it to the same value | no |
//! | changes it (add, scale, extend, insert, items removed) | sets it | yes |
//! | changes a number (add, scale) | changes it | yes |
//! | extends a list of lines, tags or words | extends it by other items | no: both, in the order of the layers' ids |
//! | inserts into a list, or extends it | inserts between other items | no |
//! | inserts into a list, or extends it | inserts between the same items, or the same item anywhere | yes |
//! | inserts beside an item | takes that item out | yes |
//! | takes an item out | takes it or another out | no |
//! | removes a row or field | touches it or anything in it | yes |
//! | removes a row | removes it too | no |
//! | changes a field that a row inherits | touches the field it inherits | yes |
//! | adds a row | changes it among others by `each` | no |
//! | chooses rows by a field (`each … where`) | changes that field afterwards | a warning |
//!
//! A third layer that needs both and sets or removes the thing resolves it.

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::keys::SETUP;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::layer::LayerInfo;
use crate::origin::{LayerId, Origin};
use crate::tree::Value;
use crate::tree_path::KeyPath;

/// Conflicts reported for one pair of layers.
const MOST_OF_A_PAIR: usize = 20;

/// The phase of the merge in which `each` is applied.
pub(crate) const EACH: u8 = 7;

/// Returns whether the items of a list stand each for itself, so that two layers can both add some: set-up lines, tags, and the words
/// that a value may be.
pub(crate) fn is_list_of_lines(path: &[String]) -> bool {
    let last = path.last().map_or("", String::as_str);
    let of_words = match path[0].as_str() {
        "attribute" | "field" | "record" => last == "enum",
        "option" => last == "values",
        _ => false,
    };
    last == "tags" || of_words || path[0] == "scenario" && SETUP.contains(&last)
}

/// A place between the items that a list had before layers added some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Before all of them.
    First,
    /// Behind the one with this number.
    Behind(usize),
    /// Beside an item that is not there any more.
    Nowhere,
}

/// What a layer did to a path.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Set it to a value.
    Set(Value),
    /// Added to a number or scaled it.
    Change,
    /// Put items into a gap of a list whose order counts, beside an item or at its end.
    Insert { gap: Gap, beside: Option<Value>, new: Vec<Value> },
    /// Took items out of a list.
    TakeOut(Vec<Value>),
    /// Extended a list whose items stand for themselves, by these.
    Extend(Vec<Value>),
    /// Removed it with all below it.
    Remove,
    /// Took it as the base of an inherited value.
    Read,
}

/// One change that a layer made.
#[derive(Debug, Clone)]
pub(crate) struct Touch {
    pub path: Vec<String>,
    pub origin: Origin,
    pub act: Act,
    pub phase: u8,
    /// Whether it is a value of a row that the layer adds.
    pub new_row: bool,
}

impl Touch {
    fn layer(&self) -> LayerId {
        self.origin.layer
    }

    fn verb(&self) -> &'static str {
        match self.act {
            Act::Set(_) => "sets",
            Act::Change => "changes",
            Act::Extend(_) | Act::Insert { beside: None, .. } => "extends",
            Act::Insert { .. } => "inserts into",
            Act::TakeOut(_) => "takes items out of",
            Act::Remove => "removes",
            Act::Read => "builds on",
        }
    }
}

/// An `each` that chose its rows by the values of some fields.
#[derive(Debug, Clone)]
pub(crate) struct Scan {
    pub kind: String,
    pub fields: Vec<String>,
    pub origin: Origin,
}

/// Reports all conflicts among the touches of a merge.
pub(crate) fn report(touches: &[Touch], scans: &[Scan], layers: &[LayerInfo], out: &mut Diagnostics) {
    let view = View { layers, by_path: by_path(touches) };
    let mut seen: BTreeSet<(LayerId, LayerId, &[String])> = BTreeSet::new();
    let mut counts: BTreeMap<(LayerId, LayerId), usize> = BTreeMap::new();
    for touch in touches {
        for length in 1..=touch.path.len() {
            let Some(others) = view.by_path.get(&touch.path[..length]) else { continue };
            for other in others {
                let (early, late) =
                    if other.layer() < touch.layer() { (*other, touch) } else { (touch, *other) };
                if !view.independent(early.layer(), late.layer()) || !contradict(early, late) {
                    continue;
                }
                // The longer of the two paths: the field in question.
                let path = touch.path.as_slice();
                if view.resolved(path, early.layer(), late.layer())
                    || !seen.insert((early.layer(), late.layer(), path))
                {
                    continue;
                }
                let count = counts.entry((early.layer(), late.layer())).or_insert(0);
                *count += 1;
                if *count <= MOST_OF_A_PAIR {
                    out.push(view.describe(path, early, late));
                }
            }
        }
    }
    for ((early, late), count) in counts {
        if count > MOST_OF_A_PAIR {
            let message = format!(
                "layers {} and {} have {} more conflicts",
                view.name(early),
                view.name(late),
                count - MOST_OF_A_PAIR
            );
            out.push(Diagnostic::placeless(&codes::CONFLICT, message));
        }
    }
    view.report_scans(touches, scans, out);
}

fn by_path(touches: &[Touch]) -> BTreeMap<&[String], Vec<&Touch>> {
    let mut map: BTreeMap<&[String], Vec<&Touch>> = BTreeMap::new();
    for touch in touches {
        map.entry(&touch.path).or_default().push(touch);
    }
    map
}

fn contradict(a: &Touch, b: &Touch) -> bool {
    match (&a.act, &b.act) {
        (Act::Read, Act::Read) => false,
        (Act::Remove, Act::Remove) => a.path != b.path,
        // An `each` speaks of all rows, those of other layers included.
        _ if a.new_row && b.phase == EACH || b.new_row && a.phase == EACH => false,
        (Act::Set(x), Act::Set(y)) if a.path == b.path => !x.same(y),
        _ if a.path == b.path => contradict_in_list(&a.act, &b.act),
        _ => true,
    }
}

/// Whether two changes of one list cannot both be made, or not without saying which comes first.
fn contradict_in_list(a: &Act, b: &Act) -> bool {
    let share = |x: &[Value], y: &[Value]| x.iter().any(|item| y.iter().any(|other| item.same(other)));
    match (a, b) {
        (Act::Insert { gap, new: x, .. }, Act::Insert { gap: other, new: y, .. }) => {
            gap == other && *gap != Gap::Nowhere || share(x, y)
        }
        (Act::Insert { new: x, .. }, Act::Extend(y)) | (Act::Extend(x), Act::Insert { new: y, .. }) => {
            share(x, y)
        }
        (Act::Extend(x), Act::Extend(y)) => share(x, y),
        (Act::TakeOut(_), Act::TakeOut(_)) => false,
        (Act::TakeOut(gone), Act::Insert { beside, new, .. })
        | (Act::Insert { beside, new, .. }, Act::TakeOut(gone)) => {
            share(gone, new)
                || beside.as_ref().is_some_and(|beside| share(gone, std::slice::from_ref(beside)))
        }
        (Act::TakeOut(gone), Act::Extend(new)) | (Act::Extend(new), Act::TakeOut(gone)) => share(gone, new),
        _ => true,
    }
}

struct View<'a> {
    layers: &'a [LayerInfo],
    by_path: BTreeMap<&'a [String], Vec<&'a Touch>>,
}

impl View<'_> {
    fn name(&self, layer: LayerId) -> &str {
        self.layers.get(usize::from(layer.0)).map_or("?", |layer| layer.id.as_str())
    }

    fn needs(&self, layer: LayerId, other: LayerId) -> bool {
        self.layers.get(usize::from(layer.0)).is_some_and(|layer| layer.needs.contains(&other))
    }

    fn independent(&self, a: LayerId, b: LayerId) -> bool {
        a != b && !self.needs(a, b) && !self.needs(b, a)
    }

    /// Returns whether a layer that needs both sets or removes the thing, or what it stands in.
    fn resolved(&self, path: &[String], a: LayerId, b: LayerId) -> bool {
        (1..=path.len()).filter_map(|length| self.by_path.get(&path[..length])).flatten().any(|touch| {
            matches!(touch.act, Act::Set(_) | Act::Remove)
                && self.needs(touch.layer(), a)
                && self.needs(touch.layer(), b)
        })
    }

    fn describe(&self, path: &[String], early: &Touch, late: &Touch) -> Diagnostic {
        let (first, second) = (self.name(early.layer()), self.name(late.layer()));
        let (path, theirs) = (KeyPath(path.to_vec()), KeyPath(early.path.clone()));
        let theirs = if early.path == late.path { "it".to_owned() } else { theirs.to_string() };
        let message = format!(
            "layer {second} {} {}, layer {first} {} {theirs}, and neither needs the other",
            late.verb(),
            KeyPath(late.path.clone()),
            early.verb(),
        );
        Diagnostic::error(&codes::CONFLICT, late.origin, message)
            .label(early.origin, format!("layer {first} here"))
            .help(format!("let one need the other, or load a layer that needs both and sets {path}"))
    }

    /// Warns of rows chosen by a field that an independent layer changes after the choice.
    fn report_scans(&self, touches: &[Touch], scans: &[Scan], out: &mut Diagnostics) {
        for scan in scans {
            let chooser = scan.origin.layer;
            let depth = |layer: LayerId| self.layers.get(usize::from(layer.0)).map_or(0, |layer| layer.depth);
            let late = touches.iter().find(|touch| {
                touch.path.len() >= 3
                    && touch.path[0] == scan.kind
                    && scan.fields.contains(&touch.path[2])
                    && self.independent(chooser, touch.layer())
                    && (depth(touch.layer()) > depth(chooser)
                        || depth(touch.layer()) == depth(chooser) && touch.phase == EACH)
            });
            if let Some(touch) = late {
                let message = format!(
                    "layer {} chooses rows by {}.{}, which layer {} changes, and neither needs the other",
                    self.name(chooser),
                    scan.kind,
                    touch.path[2],
                    self.name(touch.layer()),
                );
                out.push(
                    Diagnostic::warning(&codes::CONFLICT, scan.origin, message)
                        .label(touch.origin, format!("layer {} here", self.name(touch.layer()))),
                );
            }
        }
    }
}
