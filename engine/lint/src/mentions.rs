//! Which names the scripts mention, and as what: the ground for saying that something is never used.

use crate::facts::{Facts, Joined};
use crate::names::Set;
use crate::wants::{Want, Wants};
use std::collections::BTreeMap;

/// Mentions of names in all scripts.
pub(crate) struct Mentions<'f> {
    /// Texts in places where their meaning is known.
    known: BTreeMap<Want, Set>,
    /// Texts elsewhere: they could name anything.
    free: Set,
    /// Joined texts, with what they name if that is known.
    joined: Vec<(&'f Joined, Vec<Want>)>,
}

impl<'f> Mentions<'f> {
    pub fn new(scripts: &'f [Facts], wants: &Wants) -> Self {
        let mut mentions = Self { known: BTreeMap::new(), free: Set::new(), joined: Vec::new() };
        for facts in scripts {
            for text in &facts.texts {
                let found = text.slot.as_ref().map(|slot| wants.of(facts.file, slot)).unwrap_or_default();
                if found.is_empty() {
                    mentions.free.insert(text.value.clone());
                }
                for want in found {
                    let value = match want {
                        Want::OptionTest => text.value.split('=').next().unwrap_or_default().trim(),
                        _ => &text.value,
                    };
                    mentions.known.entry(want).or_default().insert(value.to_string());
                }
            }
            for joined in &facts.joined {
                let found = joined.slot.as_ref().map(|slot| wants.of(facts.file, slot)).unwrap_or_default();
                mentions.joined.push((joined, found));
            }
        }
        mentions
    }

    /// Whether a name is mentioned as one of these, or where its meaning is not known.
    pub fn has(&self, name: &str, wants: &[Want]) -> bool {
        self.free.contains(name)
            || wants.iter().any(|want| self.known.get(want).is_some_and(|names| names.contains(name)))
            || self.joined(wants).any(|joined| joined.fits(name))
    }

    /// Whether a name could come of texts that are joined, whatever they name.
    pub fn joins(&self, name: &str) -> bool {
        self.joined.iter().any(|(joined, _)| joined.fits(name))
    }

    /// The joined texts that name one of these, or something unknown.
    pub fn joined<'m>(&'m self, wants: &'m [Want]) -> impl Iterator<Item = &'f Joined> + 'm {
        let fits = |found: &[Want]| found.is_empty() || found.iter().any(|want| wants.contains(want));
        self.joined.iter().filter(move |(_, found)| fits(found)).map(|(joined, _)| *joined)
    }

    /// The names mentioned as one of these.
    pub fn of(&self, want: Want) -> impl Iterator<Item = &str> {
        self.known.get(&want).into_iter().flatten().map(String::as_str)
    }
}
