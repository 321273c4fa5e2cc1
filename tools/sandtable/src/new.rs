//! `sandtable new`: a game, layer, scenario or file of cases to start from, which passes its own check and test.

use crate::args::{NewArgs, NewKind};
use crate::{load, store};
use sandtable_data::catalog::Catalog;
use sandtable_data::package_manifest::valid_id;
use sandtable_data::package_search::Found;
use sandtable_data::suggest;
use sandtable_data::tree::{Node, Value};
use std::path::PathBuf;

/// A file to write.
type File = (PathBuf, String);

/// Runs the command.
pub fn run(args: &NewArgs) -> Result<bool, String> {
    let name = &args.name;
    if !valid_id(name) {
        return Err(format!("`{name}` is not an id: expected lower-case letters, digits and hyphens"));
    }
    if let Some(taken) = taken(args) {
        return Err(taken);
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
            let catalog = load::catalog(&game, &args.with)?.0;
            (
                layer(name, &game, &catalog)?,
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
        outln!("{}", crate::test_show::tidy(&path));
    }
    outln!("\nnext:");
    next.iter().for_each(|line| outln!("  {line}"));
    Ok(true)
}

/// Whether a game or a layer of that id is there: the new one would hide it, or be hidden by it.
fn taken(args: &NewArgs) -> Option<String> {
    let (name, search) = (&args.name, load::search_path(&args.with));
    let other = format!("`sandtable list` shows the ids that are taken; choose another than {name}");
    match args.kind {
        NewKind::Game => search
            .find_game(name)
            .map(|found| format!("the game {name} is there already, {}; {other}", at(&found))),
        NewKind::Layer => {
            let mut layers = search.list_layers().into_iter();
            let found = layers.find(|found| found.manifest.id == *name)?;
            let game = found.manifest.game.clone().unwrap_or_default();
            Some(format!("the layer {name} for {game} is there already, {}; {other}", at(&found)))
        }
        NewKind::Scenario | NewKind::Cases => None,
    }
}

/// Where a package stands.
fn at(found: &Found) -> String {
    found.place.as_ref().map_or_else(|| "inside the program".into(), |place| format!("in {place}"))
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

/// A layer that does something from the first step of play on.
fn layer(name: &str, game: &str, catalog: &Catalog) -> Result<Vec<File>, String> {
    let folder = PathBuf::from("layers").join(name);
    let word = name.replace('-', "_");
    let mut nodes = catalog.rows("sequence").map(|(id, _)| id);
    let root = if catalog.row("sequence", "game").is_some() { Some("game") } else { nodes.next() };
    let Some(root) = root else { return Err(format!("{game} has no sequence of play")) };
    let scenario = first_scenario(game, catalog)?;
    let text = |text: &str| {
        let text =
            text.replace("NAME", name).replace("WORD", &word).replace("EVENT", &format!("{root}.start"));
        text.replace("SCENARIO", &scenario).replace("GAME", game)
    };
    Ok(vec![
        (folder.join("layer.toml"), text(include_str!("new/layer.toml"))),
        (folder.join("rules.lua"), text(include_str!("new/layer.lua"))),
        (folder.join("rulebook.md"), text(include_str!("new/layer.md"))),
    ])
}

/// The scenario that is played when none is named.
fn first_scenario(game: &str, catalog: &Catalog) -> Result<String, String> {
    let order = |row: &Node| row.get("order").and_then(Node::as_int).unwrap_or(i64::MAX);
    let first = catalog.rows("scenario").min_by_key(|(_, row)| order(row));
    first.map(|(id, _)| id.to_string()).ok_or_else(|| format!("{game} has no scenario to start from"))
}

fn scenario(name: &str, game: &str, catalog: &Catalog) -> Result<Vec<File>, String> {
    if catalog.row("scenario", name).is_some() {
        return Err(format!("{game} has a scenario {name} already"));
    }
    let like = first_scenario(game, catalog)?;
    let text = include_str!("new/scenario.toml").replace("NAME", name).replace("LIKE", &like);
    Ok(vec![(PathBuf::from("scenarios").join(game).join(format!("{name}.toml")), text)])
}

/// A first case: the scenario begins, and something is asked.
fn cases(game: &str, catalog: &Catalog) -> Result<String, String> {
    let scenario = first_scenario(game, catalog)?;
    Ok(include_str!("new/cases.md").replace("GAME", game).replace("SCENARIO", &scenario))
}

/// One stub a card: what is printed on it, and a place for what it does.
fn cards(game: &str, side: &str, catalog: &Catalog) -> Result<String, String> {
    let side_of = |row: &Node| row.get("side").and_then(Node::as_str).map(str::to_string);
    let mut all: Vec<_> =
        catalog.rows("card").filter(|(_, row)| side_of(row).as_deref() == Some(side)).collect();
    if all.is_empty() && catalog.row("side", side).is_none() {
        let sides: Vec<&str> = catalog.rows("side").map(|(id, _)| id).collect();
        let near = suggest::did_you_mean(side, sides.iter().copied())
            .map_or_else(String::new, |near| format!("; {near}"));
        return Err(format!("{game} has no side `{side}`; sides: {}{near}", sides.join(", ")));
    }
    // Cards that belong to nobody can come to anybody.
    all.extend(catalog.rows("card").filter(|(_, row)| side_of(row).is_none()));
    if all.is_empty() {
        return Err(match catalog.rows("card").next() {
            Some(_) => format!("{game} has no cards of `{side}`"),
            None => format!("{game} has no cards"),
        });
    }
    let mut text = format!(
        "game: {game}\n\n# Cards of {side}\n\nEach case says what is printed; add `call` and what must come of it.\n"
    );
    for (row_id, row) in all {
        // Of a row with a count there are several pieces, or none before play.
        let id = match row.get("count").and_then(Node::as_int) {
            None => row_id.to_string(),
            Some(0) => continue,
            Some(_) => format!("{row_id}.1"),
        };
        let name = row.get("name").and_then(Node::as_str).unwrap_or(row_id);
        text.push_str(&format!("\n### card.{row_id} {name}\n\n"));
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
