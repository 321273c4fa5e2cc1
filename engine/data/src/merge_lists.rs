//! Lists that several layers change: extending, inserting beside an item, and taking items out.
//!
//! A *gap* of a list is the place behind one of the items that were there before any layer added some, or before the first of
//! them. Layers that insert into different gaps combine; whoever inserts into the same gap says something about the order, and two that
//! do not know of each other cannot.

use crate::conflict::{Act, Gap};
use crate::merge::Merge;
use crate::origin::{LayerId, Origin};
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};

/// Whose an item of a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// It stood in the list before, at this place.
    There(usize),
    /// A layer added it.
    Added(LayerId),
}

/// Why a list could not be changed.
pub(crate) enum Refusal {
    /// A number became too large.
    Range,
    /// What was written has another form.
    Shape(Option<Origin>, String),
    /// An item is not in the list; with the nearest, and the place where a layer that is not needed adds it.
    Missing { place: Origin, item: String, near: Option<String>, added: Option<Origin> },
}

/// The new value of a list with what the layer did to it.
pub(crate) struct Changed {
    pub value: Value,
    pub origin: Origin,
    pub act: Act,
}

impl Merge {
    /// Whose the items of a list are; a list that was set anew begins anew.
    fn items_of(&mut self, path: &[String], list: &[Node]) -> Vec<Item> {
        match self.items.get(path) {
            Some(items) if items.len() == list.len() => items.clone(),
            _ => (0..list.len()).map(Item::There).collect(),
        }
    }

    pub(crate) fn extend(
        &mut self,
        path: &[String],
        target: &Value,
        operand: &Node,
        lines: bool,
    ) -> Result<Vec<Changed>, Refusal> {
        let (Value::Array(old), Value::Array(more)) = (target, &operand.value) else {
            let message = format!(
                "{} cannot be extended by {}; both must be lists",
                target.type_words(),
                operand.value.type_words()
            );
            return Err(Refusal::Shape(None, message));
        };
        let mut items = self.items_of(path, old);
        let gap = gap_at(&items, items.len());
        items.extend(more.iter().map(|_| Item::Added(operand.origin.layer)));
        self.items.insert(path.to_vec(), items);
        let new: Vec<Value> = more.iter().map(|item| item.value.clone()).collect();
        let act = if lines { Act::Extend(new) } else { Act::Insert { gap, beside: None, new } };
        let value = Value::Array(old.iter().chain(more).cloned().collect());
        Ok(vec![Changed { value, origin: operand.origin, act }])
    }

    pub(crate) fn insert(
        &mut self,
        path: &[String],
        target: &Value,
        operand: &Node,
    ) -> Result<Vec<Changed>, Refusal> {
        let Value::Array(list) = target else {
            let message = format!("{} has no order to insert into; expected a list", target.type_words());
            return Err(Refusal::Shape(None, message));
        };
        let mut list = list.clone();
        let operands = match &operand.value {
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(operand),
        };
        let mut changes = Vec::new();
        let mut items = self.items_of(path, &list);
        for operand in operands {
            let Some((after, anchor, step)) = operand.as_table().and_then(insertion) else {
                let place = Some(operand.origin);
                let message =
                    "expected { after = ITEM, step = NEW } or { before = ITEM, step = NEW }".to_owned();
                return Err(Refusal::Shape(place, message));
            };
            let at = self.anchor(path, (&list, &items), anchor, operand.origin.layer)?;
            let new = step.as_array().map_or_else(|| vec![step.clone()], <[Node]>::to_vec);
            let values = new.iter().map(|item| item.value.clone()).collect();
            let (at, gap) = match at {
                Some(at) => (at + usize::from(after), Some(gap_at(&items, at + usize::from(after)))),
                // The conflict with the layer that took the item out is reported; where the new one lands does not matter.
                None => (list.len(), None),
            };
            let act = Act::Insert {
                gap: gap.unwrap_or(Gap::Nowhere),
                beside: Some(anchor.value.clone()),
                new: values,
            };
            items.splice(at..at, new.iter().map(|_| Item::Added(operand.origin.layer)));
            list.splice(at..at, new);
            changes.push(Changed { value: Value::Array(list.clone()), origin: operand.origin, act });
        }
        self.items.insert(path.to_vec(), items);
        Ok(changes)
    }

    /// The place of the item that an insertion names; nothing if a layer of the same depth took it out. What another layer of the same
    /// depth added is not there for this one, or the answer would hang on the names of the two.
    fn anchor(
        &self,
        path: &[String],
        (list, items): (&[Node], &[Item]),
        anchor: &Node,
        layer: LayerId,
    ) -> Result<Option<usize>, Refusal> {
        let alike = |at: &usize| list[*at].value.same(&anchor.value);
        let known = |at: &usize| match items[*at] {
            Item::There(_) => true,
            Item::Added(by) => by == layer || !self.is_sibling(by),
        };
        let found = (0..list.len()).filter(alike).find(known);
        if found.is_some() || self.taken_out_by_sibling(path, &anchor.value, layer) {
            return Ok(found);
        }
        let near = anchor.as_str().and_then(|s| did_you_mean(s, list.iter().filter_map(Node::as_str)));
        let added = (0..list.len()).find(alike).map(|at| list[at].origin);
        let near = if added.is_some() { None } else { near };
        Err(Refusal::Missing { place: anchor.origin, item: anchor.value.brief(), near, added })
    }

    /// Takes items out of a list and returns what is left; those that are not there are returned as well.
    pub(crate) fn take_out<'a>(
        &mut self,
        path: &[String],
        list: &[Node],
        gone: &'a [Node],
    ) -> (Vec<Node>, Vec<&'a Node>) {
        let (mut kept, mut items) = (list.to_vec(), self.items_of(path, list));
        let mut missing = Vec::new();
        for item in gone {
            let stays: Vec<bool> = kept.iter().map(|other| !other.value.same(&item.value)).collect();
            if stays.iter().all(|stays| *stays)
                && !self.taken_out_by_sibling(path, &item.value, item.origin.layer)
            {
                missing.push(item);
            }
            let (mut of_kept, mut of_items) = (stays.iter().copied(), stays.iter().copied());
            kept.retain(|_| of_kept.next().unwrap_or(true));
            items.retain(|_| of_items.next().unwrap_or(true));
            self.taken_out.push((path.to_vec(), item.value.clone(), item.origin.layer));
        }
        self.items.insert(path.to_vec(), items);
        (kept, missing)
    }

    /// Whether another layer of the same depth took an item out of a list.
    fn taken_out_by_sibling(&self, path: &[String], item: &Value, layer: LayerId) -> bool {
        self.taken_out.iter().any(|(other, value, by)| {
            other.as_slice() == path && value.same(item) && *by != layer && self.is_sibling(*by)
        })
    }
}

/// The gap that a place of a list lies in.
fn gap_at(items: &[Item], at: usize) -> Gap {
    let before = items[..at].iter().rev().find_map(|item| match item {
        Item::There(number) => Some(*number),
        Item::Added(_) => None,
    });
    before.map_or(Gap::First, Gap::Behind)
}

/// Reads `{ after = …, step = … }`: whether after, the item that is there, and what is new.
fn insertion(table: &Table) -> Option<(bool, &Node, &Node)> {
    let (after, before) = (table.get("after"), table.get("before"));
    let (anchor, is_after) = match (after, before) {
        (Some(anchor), None) => (anchor, true),
        (None, Some(anchor)) => (anchor, false),
        _ => return None,
    };
    let known = table.keys().all(|key| ["after", "before", "step"].contains(&key));
    table.get("step").filter(|_| known).map(|step| (is_after, anchor, step))
}
