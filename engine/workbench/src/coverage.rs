//! Coverage: which paragraphs of a rulebook are proved by a case, and which are not.

use crate::book::Book;
use crate::mutants::{self, Mutant};
use crate::mutate::{Baseline, Verdict};
use sandtable_data::catalog::Catalog;
use sandtable_data::tree::{self, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How a paragraph stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Cases under it notice when the rule is gone: file and line of each.
    Proved(Vec<(String, u32)>),
    /// It states no behaviour: the reason.
    Exempt(String),
    /// Nothing cites it.
    NotImplemented,
    /// No case under it passes.
    NoCase,
    /// The cases under it run nothing that cites it.
    NotTouched,
    /// The cases under it do not notice when the rule is gone.
    NotNoticed,
}

/// The coverage of one paragraph.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Handlers and data that cite it.
    pub cited_by: Vec<String>,
    /// How it stands.
    pub proof: Proof,
}

/// What cites a paragraph: mutants that take it out of force.
fn citations(
    catalog: &Catalog,
    base: &Baseline<'_>,
    mutants: &[Mutant],
) -> Result<BTreeMap<String, Vec<usize>>, String> {
    let mut cited: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let rules = base.handler_rules()?;
    let data = data_rules(catalog);
    for (at, mutant) in mutants.iter().enumerate() {
        let paragraphs: Vec<String> = match mutant {
            Mutant::Disabled { handler, .. } => rules.get(*handler as usize).cloned().unwrap_or_default(),
            Mutant::Datum { key, .. } => {
                let found = data
                    .iter()
                    .filter(|(prefix, _)| key == *prefix || key.starts_with(&format!("{prefix}.")));
                found.flat_map(|(_, rules)| rules.clone()).collect()
            }
            Mutant::Script { .. } | Mutant::Field { .. } | Mutant::Node { .. } | Mutant::Option { .. } => {
                Vec::new()
            }
        };
        for paragraph in paragraphs {
            cited.entry(paragraph).or_default().push(at);
        }
    }
    Ok(cited)
}

/// The paragraphs that rows of data cite: key of the row and its `rule`.
pub fn data_rules(catalog: &Catalog) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    let kinds = catalog.root.as_table().into_iter().flat_map(|table| table.keys());
    for kind in kinds.filter(|kind| !matches!(*kind, "game" | "layer" | "prompt" | "text" | "option")) {
        for (id, node) in catalog.rows(kind) {
            collect(&format!("{kind}.{id}"), node, &mut found);
        }
    }
    found
}

fn collect(key: &str, node: &tree::Node, found: &mut BTreeMap<String, Vec<String>>) {
    let Some(table) = node.as_table() else { return };
    if let Some(rule) = table.get("rule") {
        let rules = match &rule.value {
            Value::Str(text) => vec![text.clone()],
            Value::Array(items) => {
                items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
            }
            _ => Vec::new(),
        };
        found.insert(key.to_string(), rules);
    }
    for (name, child) in table.iter() {
        collect(&format!("{key}.{name}"), child, found);
    }
}

/// A mutant to be judged: number of the paragraph, the mutant, the cases that may notice it.
pub type Work = (usize, Mutant, Vec<usize>);

/// Works out how every paragraph stands. `judge` runs mutants, on as many threads as the caller likes.
pub fn cover(
    catalog: &Catalog,
    books: &[Book],
    base: &Baseline<'_>,
    judge: &dyn Fn(&[Work]) -> Vec<Verdict>,
) -> Result<Vec<Coverage>, String> {
    let mut mutants = base.mutants()?;
    // Rows are looked at by the paragraphs that they cite, below.
    mutants.retain(|mutant| matches!(mutant, Mutant::Disabled { .. } | Mutant::Datum { .. }));
    let mut cited = citations(catalog, base, &mutants)?;
    let rules = mutants.len();
    // Components, spaces and nodes of the sequence that cite a paragraph.
    let data = data_rules(catalog);
    for (key, mutant) in mutants::rows(catalog, &*base.world()?) {
        for paragraph in data.get(&key).into_iter().flatten() {
            cited.entry(paragraph.clone()).or_default().push(mutants.len());
        }
        mutants.push(mutant);
    }
    let paragraphs = books.iter().flat_map(|book| &book.paragraphs);
    let mut coverage = Vec::new();
    let mut open: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for paragraph in paragraphs {
        if !seen.insert(paragraph.id.clone()) {
            continue;
        }
        let numbers = cited.get(&paragraph.id).cloned().unwrap_or_default();
        let cases: Vec<usize> =
            (0..base.cases.len()).filter(|&at| base.cases[at].paragraph == paragraph.id).collect();
        let proof = match &paragraph.exempt {
            Some(reason) => Proof::Exempt(reason.clone()),
            None if cases.is_empty() => Proof::NoCase,
            None if numbers.is_empty() => Proof::NotImplemented,
            None => {
                open.push((coverage.len(), numbers.clone(), cases));
                Proof::NotTouched
            }
        };
        let mut cited_by: Vec<String> = numbers.iter().map(|&number| mutants[number].subject()).collect();
        let mut named = BTreeSet::new();
        cited_by.retain(|by| named.insert(by.clone()));
        coverage.push(Coverage { id: paragraph.id.clone(), title: paragraph.title.clone(), cited_by, proof });
    }
    // Rules and figures first; printed fields and nodes only where these prove nothing.
    for rows in [false, true] {
        let mut work: Vec<Work> = Vec::new();
        for (index, numbers, cases) in &open {
            if matches!(coverage[*index].proof, Proof::Proved(..)) {
                continue;
            }
            for &number in numbers.iter().filter(|&&number| (number >= rules) == rows) {
                let touching = base.touching(&mutants[number]);
                let own: Vec<usize> = touching.into_iter().filter(|at| cases.contains(at)).collect();
                if !own.is_empty() {
                    coverage[*index].proof = Proof::NotNoticed;
                    work.push((*index, mutants[number].clone(), own));
                }
            }
        }
        for ((index, ..), verdict) in work.iter().zip(judge(&work)) {
            let Verdict::Caught(at) = verdict else { continue };
            let place = base.cases[at].place.clone();
            match &mut coverage[*index].proof {
                Proof::Proved(places) if places.contains(&place) => {}
                Proof::Proved(places) => places.push(place),
                proof => *proof = Proof::Proved(vec![place]),
            }
        }
    }
    Ok(coverage)
}
