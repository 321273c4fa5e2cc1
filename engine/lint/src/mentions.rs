//! Which names the scripts mention, and as what: the ground for saying that something is never used.

use crate::arg_roles::{ArgRole, ArgRoles};
use crate::facts::{Facts, Joined};
use crate::names::Set;
use std::collections::BTreeMap;

/// Mentions of names in all scripts.
pub(crate) struct Mentions<'f> {
    /// Texts in places where their meaning is known.
    known: BTreeMap<ArgRole, Set>,
    /// Texts elsewhere: they could name anything.
    free: Set,
    /// Joined texts, with what they name if that is known.
    joined: Vec<(&'f Joined, Vec<ArgRole>)>,
}

impl<'f> Mentions<'f> {
    pub fn new(scripts: &'f [Facts], arg_roles: &ArgRoles) -> Self {
        let mut mentions = Self { known: BTreeMap::new(), free: Set::new(), joined: Vec::new() };
        for facts in scripts {
            for text in &facts.texts {
                let found = text.slot.as_ref().map(|slot| arg_roles.of(facts.file, slot)).unwrap_or_default();
                if found.is_empty() {
                    mentions.free.insert(text.value.clone());
                }
                for role in found {
                    let value = match role {
                        ArgRole::OptionTest => text.value.split('=').next().unwrap_or_default().trim(),
                        _ => &text.value,
                    };
                    mentions.known.entry(role).or_default().insert(value.to_string());
                }
            }
            for joined in &facts.joined {
                let found =
                    joined.slot.as_ref().map(|slot| arg_roles.of(facts.file, slot)).unwrap_or_default();
                mentions.joined.push((joined, found));
            }
        }
        mentions
    }

    /// Whether a name is mentioned as one of these, or where its meaning is not known.
    pub fn has(&self, name: &str, arg_roles: &[ArgRole]) -> bool {
        self.free.contains(name)
            || arg_roles.iter().any(|role| self.known.get(role).is_some_and(|names| names.contains(name)))
            || self.joined(arg_roles).any(|joined| joined.fits(name))
    }

    /// Whether a name could come of texts that are joined, whatever they name.
    pub fn joins(&self, name: &str) -> bool {
        self.joined.iter().any(|(joined, _)| joined.fits(name))
    }

    /// The joined texts that name one of these, or something unknown.
    pub fn joined<'m>(&'m self, arg_roles: &'m [ArgRole]) -> impl Iterator<Item = &'f Joined> + 'm {
        let fits = |found: &[ArgRole]| found.is_empty() || found.iter().any(|role| arg_roles.contains(role));
        self.joined.iter().filter(move |(_, found)| fits(found)).map(|(joined, _)| *joined)
    }

    /// The names mentioned as one of these.
    pub fn of(&self, role: ArgRole) -> impl Iterator<Item = &str> {
        self.known.get(&role).into_iter().flatten().map(String::as_str)
    }
}
