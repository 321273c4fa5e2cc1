//! Which handlers of scripts are not as they were, and the scripts with one of them as it was.
//!
//! A handler reaches from the line that registers it to the next one of its file; it is as it was if these lines stand in the old file.

use crate::blame::Suspect;
use crate::load::{self, Loaded};
use sandtable_data::catalog::{Catalog, LayerFile};
use sandtable_script::Kind;
use sandtable_session::Game;
use std::collections::{BTreeMap, BTreeSet};

/// A part of a script: where it begins (from 0; the head of the file has no handler), its text, and the handlers registered in its first line.
#[derive(Debug)]
struct Part<'a> {
    line: usize,
    text: &'a str,
    handlers: Vec<usize>,
}

/// What was changed, added or taken out in the scripts of packages that both have.
pub fn suspects(then: &Loaded, now: &Loaded, game: &Game) -> Vec<Suspect> {
    let Ok(old_game) = load::game(then) else { return Vec::new() };
    let both = |id: &str| then.catalog.layers.iter().any(|layer| layer.id == id);
    let (old_files, new_files) = (texts(&then.catalog, &|_| true), texts(&now.catalog, &both));
    let (old_ids, new_ids) = (ids(&old_game), ids(game));
    let mut found = Vec::new();
    for (path, new) in &new_files {
        let old = old_files.get(path).copied().unwrap_or_default();
        if old == *new {
            continue;
        }
        let (old_parts, new_parts) = (parts(old, path, &old_game), parts(new, path, game));
        let restored = |at: usize, text: &str| {
            let before = new_parts.iter().take(at).map(|part| part.text);
            let after = new_parts.iter().skip(at + 1).map(|part| part.text);
            before.chain([text]).chain(after).collect::<String>()
        };
        let sources = &now.catalog.sources;
        let place = |line: usize| sources.opened(&format!("{path}:{}", line + 1));
        for (at, part) in new_parts.iter().enumerate().filter(|(_, part)| !old.contains(code(part.text))) {
            let of = |number: &usize| new_ids.get(*number);
            let former = old_parts.iter().find(|old| match part.handlers.first().and_then(of) {
                Some(id) => old.handlers.first().and_then(|number| old_ids.get(*number)) == Some(id),
                None => old.handlers.is_empty(),
            });
            let text = restored(at, former.map_or("", |former| former.text));
            if part.handlers.is_empty() {
                let line = part.text.lines().zip(old.lines()).take_while(|(a, b)| a == b).count();
                found.push(Suspect::script(None, place(line), path, text));
                continue;
            }
            let shown = |number: usize| format!("{}  {}", named(game, number), place(part.line));
            let all = part.handlers.iter();
            found.extend(all.map(|&number| Suspect::script(Some(number), shown(number), path, text.clone())));
        }
        for part in &old_parts {
            let gone = part.handlers.iter().filter(|number| !new_ids.contains(&old_ids[**number]));
            found.extend(gone.map(|&number| {
                let text = format!("{}, which is gone", named(&old_game, number));
                Suspect::script(None, text, path, format!("{new}\n{}", part.text))
            }));
        }
    }
    found
}

/// The scripts of some packages by their path.
fn texts<'a>(catalog: &'a Catalog, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<&'a str, &'a str> {
    let own = |file: &&LayerFile| {
        catalog.layers.get(usize::from(file.layer.0)).is_some_and(|layer| wanted(&layer.id))
    };
    let scripts = catalog.scripts.iter().filter(own);
    scripts.map(|file| (catalog.sources.path(file.file), catalog.sources.text(file.file))).collect()
}

/// What names each handler of a game, by number.
fn ids(game: &Game) -> Vec<(Kind, String)> {
    let registry = game.host.cx().registry.borrow();
    registry.handlers.iter().map(|handler| (handler.kind, handler.id.clone())).collect()
}

/// A script in parts.
fn parts<'a>(text: &'a str, path: &str, game: &Game) -> Vec<Part<'a>> {
    let registry = game.host.cx().registry.borrow();
    let line = |place: &str| {
        let (file, line) = place.rsplit_once(':')?;
        (file == path).then(|| line.parse::<usize>().ok()?.checked_sub(1)).flatten()
    };
    let mut begin: BTreeMap<usize, Vec<usize>> = BTreeMap::from([(0, Vec::new())]);
    for (number, handler) in registry.handlers.iter().enumerate() {
        if let Some(line) = line(&handler.place) {
            begin.entry(line).or_default().push(number);
        }
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let ends: Vec<usize> = begin.keys().skip(1).copied().chain([lines.len()]).collect();
    let offset = |line: usize| lines.iter().take(line).map(|line| line.len()).sum::<usize>();
    let part = |((line, handlers), end): ((usize, Vec<usize>), usize)| Part {
        line,
        text: text.get(offset(line)..offset(end)).unwrap_or_default(),
        handlers,
    };
    begin.into_iter().zip(ends).map(part).collect()
}

/// A part without what stands between it and the next: the comment of that one.
fn code(text: &str) -> &str {
    let mut rest = text.trim_end();
    while let Some(line) = rest.lines().next_back().filter(|line| line.trim_start().starts_with("--")) {
        rest = rest[..rest.len() - line.len()].trim_end();
    }
    rest
}

/// A handler in words: id, paragraphs and layer.
pub fn named(game: &Game, number: usize) -> String {
    let registry = game.host.cx().registry.borrow();
    let Some(handler) = registry.handlers.get(number) else { return String::new() };
    let rules =
        if handler.rules.is_empty() { String::new() } else { format!(" (§ {})", handler.rules.join(", ")) };
    let layer = game.stamps.get(usize::from(handler.layer)).map_or("?", |stamp| stamp.id.as_str());
    format!("{} {}{rules} of {layer}", handler.kind.name(), handler.id)
}

/// The handlers that ran since that was last counted.
pub fn ran(game: &Game) -> BTreeSet<usize> {
    let registry = game.host.cx().registry.borrow();
    let handlers = registry.handlers.iter().enumerate();
    handlers.filter(|(_, handler)| handler.fired.get() > 0).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comment_of_the_next_handler_is_no_part_of_this_one() {
        assert_eq!(code("on(x)\nend\n\n-- What follows\n-- is other.\n"), "on(x)\nend");
        assert_eq!(code("-- only\n"), "");
    }
}
