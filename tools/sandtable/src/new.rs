//! `sandtable new`: a game, layer, scenario or file of cases to start from, which passes its own check and test.

use crate::args::{NewArgs, NewKind};
use crate::{load, store};
use sandtable_data::catalog::Catalog;
use sandtable_data::package_manifest::valid_id;
use sandtable_data::tree::{Node, Value};
use std::path::PathBuf;

/// A file to write.
type File = (PathBuf, String);

/// Runs the command.
pub fn run(args: &NewArgs) -> Result<bool, String> {
    let name = &args.name;
    if !valid_id(name) {
        return Err(format!("`{name}` is no id: expected lower-case letters, digits and hyphens"));
    }
    let root = args.to.clone().unwrap_or_else(|| PathBuf::from("."));
    let (files, next): (Vec<File>, Vec<String>) = match args.kind {
        NewKind::Game => (
            game(name),
            vec![
                format!("sandtable check {name}"),
                format!("sandtable test {name}"),
                format!("sandtable play {name} --terminal"),
            ],
        ),
        NewKind::Layer => {
            let game = needed(args)?;
            load::catalog(&game, &args.with)?;
            (
                layer(name, &game),
                vec![
                    format!("sandtable test {game} --layer {name}"),
                    format!("sandtable play {game} --layer {name} --terminal"),
                ],
            )
        }
        NewKind::Scenario => {
            let game = needed(args)?;
            (
                scenario(name, &game, &load::catalog(&game, &args.with)?.0)?,
                vec![format!("sandtable play {game} {name} --terminal")],
            )
        }
        NewKind::Cases => {
            let game = needed(args)?;
            let catalog = load::catalog(&game, &args.with)?.0;
            let text = match &args.cards {
                Some(side) => cards(&game, side, &catalog)?,
                None => cases(&game, &catalog)?,
            };
            (vec![(PathBuf::from(format!("{name}.md")), text)], vec![format!("sandtable test {name}.md")])
        }
    };
    for (path, _) in &files {
        let path = root.join(path);
        if path.exists() {
            return Err(format!("{} is there already", path.display()));
        }
    }
    for (path, text) in &files {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        store::write(&path, text.as_bytes())?;
        say!("{}", crate::test_show::tidy(&path));
    }
    say!("\nnext:");
    next.iter().for_each(|line| say!("  {line}"));
    Ok(true)
}

fn needed(args: &NewArgs) -> Result<String, String> {
    args.game.clone().ok_or_else(|| "give --game ID: for which game is it?".to_string())
}

/// A game of two sides and one road, small enough to read in a minute.
fn game(name: &str) -> Vec<File> {
    let title: String = name.replace('-', " ");
    let rules = PathBuf::from("rules").join(name);
    let text = |text: &str| text.replace("NAME", name).replace("TITLE", &title);
    vec![
        (rules.join("game.toml"), text(include_str!("new/game.toml"))),
        (rules.join("rules.lua"), text(include_str!("new/rules.lua"))),
        (rules.join("rulebook.md"), text(include_str!("new/rulebook.md"))),
        (PathBuf::from("scenarios").join(name).join("start.toml"), text(include_str!("new/start.toml"))),
    ]
}

fn layer(name: &str, game: &str) -> Vec<File> {
    let folder = PathBuf::from("layers").join(name);
    let word = name.replace('-', "_");
    let text = |text: &str| text.replace("NAME", name).replace("WORD", &word).replace("GAME", game);
    vec![
        (folder.join("layer.toml"), text(include_str!("new/layer.toml"))),
        (folder.join("rules.lua"), text(include_str!("new/layer.lua"))),
        (folder.join("rulebook.md"), text(include_str!("new/layer.md"))),
    ]
}

fn scenario(name: &str, game: &str, catalog: &Catalog) -> Result<Vec<File>, String> {
    if catalog.row("scenario", name).is_some() {
        return Err(format!("{game} has a scenario {name} already"));
    }
    let first = catalog
        .rows("scenario")
        .min_by_key(|(_, row)| row.get("order").and_then(Node::as_int).unwrap_or(i64::MAX));
    let Some((like, _)) = first else { return Err(format!("{game} has no scenario to start from")) };
    let text = include_str!("new/scenario.toml").replace("NAME", name).replace("LIKE", like);
    Ok(vec![(PathBuf::from("scenarios").join(game).join(format!("{name}.toml")), text)])
}

/// A first case: the scenario begins, and something is asked.
fn cases(game: &str, catalog: &Catalog) -> Result<String, String> {
    let first = catalog
        .rows("scenario")
        .min_by_key(|(_, row)| row.get("order").and_then(Node::as_int).unwrap_or(i64::MAX));
    let Some((scenario, _)) = first else { return Err(format!("{game} has no scenario")) };
    Ok(include_str!("new/cases.md").replace("GAME", game).replace("SCENARIO", scenario))
}

/// One stub a card: what is printed on it, and a place for what it does.
fn cards(game: &str, side: &str, catalog: &Catalog) -> Result<String, String> {
    let of_side = |row: &Node| row.get("side").and_then(Node::as_str) == Some(side);
    let all: Vec<_> = catalog.rows("card").filter(|(_, row)| of_side(row)).collect();
    if all.is_empty() {
        let mut sides: Vec<&str> =
            catalog.rows("card").filter_map(|(_, row)| row.get("side")?.as_str()).collect();
        sides.dedup();
        return Err(format!("{game} has no cards of `{side}`; sides with cards: {}", sides.join(", ")));
    }
    let mut text = format!(
        "game: {game}\n\n# Cards of {side}\n\nEach case says what is printed; add `call` and what must come of it.\n"
    );
    for (id, row) in all {
        let name = row.get("name").and_then(Node::as_str).unwrap_or(id);
        text.push_str(&format!("\n### card.{id} {name}\n\n"));
        if let Some(says) = row.get("text").and_then(Node::as_str) {
            text.push_str(&format!("{says}\n\n"));
        }
        text.push_str(&format!("```case\ncase {name}\nis {id}.name {name}\n"));
        let declared =
            |field: &str| catalog.get("field.piece").and_then(|fields| fields.get(field)).is_some();
        for (field, node) in row.as_table().into_iter().flat_map(|table| table.iter()) {
            let value = match &node.value {
                Value::Int(n) => n.to_string(),
                Value::Bool(b) => b.to_string(),
                Value::Str(word) if !word.contains(' ') => word.clone(),
                _ => continue,
            };
            if declared(field) {
                text.push_str(&format!("is {id}.{field} {value}\n"));
            }
        }
        text.push_str("# call PROCEDURE ARGUMENTS\n# => what must happen\n```\n");
    }
    Ok(text)
}
