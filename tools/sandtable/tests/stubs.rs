//! `sandtable stubs`: what editors are told of a game.

#![expect(clippy::unwrap_used, reason = "a test that cannot read what it wrote has failed")]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::GAMES;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the stubs of the small game to a folder of the test's own.
fn stubs(name: &str) -> PathBuf {
    stubs_of(&["skirmish"], name)
}

fn stubs_of(what: &[&str], name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let done = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .current_dir(root())
        .arg("stubs")
        .args(what)
        .arg("--out")
        .arg(&folder)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

#[test]
fn the_stubs_name_functions_and_the_things_of_the_game() {
    let folder = stubs("stubs-names");
    let api = std::fs::read_to_string(folder.join("api.lua")).unwrap();
    for line in [
        "---@param a space|space_id|string\n---@param b space|space_id|string\n---@return whole\nfunction distance(a, b) end",
        "function move(piece, place, end_) end",
        "function list:filter(by) end",
        "---@param ... any\n---@return any\nfunction call(name, ...) end",
    ] {
        assert!(api.contains(line), "no {line}");
    }
    let game = std::fs::read_to_string(folder.join("game.lua")).unwrap();
    for line in [
        "---@alias side_id\n",
        "---@alias value_id\n",
        "---@class piece\n---@field ",
        "---@class game\n---@field ",
    ] {
        assert!(game.contains(line), "no {line}");
    }
}

#[test]
fn the_stubs_are_lua() {
    let folder = stubs("stubs-lua");
    for name in ["api.lua", "game.lua"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let wrong = text.lines().find(|line| {
            !(line.is_empty()
                || line.starts_with("--")
                || line.starts_with("function ")
                || line.starts_with("local ")
                || line.ends_with("= nil"))
        });
        assert_eq!(wrong, None, "{name}");
    }
}

#[test]
fn the_schema_knows_every_table_of_the_game() {
    let folder = stubs("stubs-schema");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("schema.json")).unwrap()).unwrap();
    let kinds = schema["properties"].as_object().unwrap();
    for kind in ["unit", "hex", "side", "sequence", "sight", "attribute", "scenario"] {
        assert_eq!(kinds[kind]["type"], "object", "{kind}");
    }
    let sides = kinds["unit"]["additionalProperties"]["properties"]["side"]["enum"].as_array().unwrap();
    assert_eq!(sides.len(), 2);
    for settings in [".luarc.json", ".emmyrc.json", "settings.json"] {
        let text = std::fs::read_to_string(folder.join(settings)).unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{settings}");
    }
}

/// What is committed for editors that know no game: api.lua, game.lua and schema.json.
#[test]
fn the_committed_stubs_and_schema_are_not_stale() {
    let folder = stubs_of(&[], "stubs-any");
    for name in ["api.lua", "game.lua", "schema.json"] {
        let fresh = std::fs::read_to_string(folder.join(name)).unwrap();
        let committed = std::fs::read_to_string(root().join("docs/editor").join(name)).unwrap_or_default();
        assert!(committed == fresh, "docs/editor/{name} is stale: sandtable stubs --out docs/editor");
    }
}

/// Every TOML file of every game, of its scenarios and its layers fits the game's schema, and the one of any game.
#[test]
fn the_shipped_tables_fit_their_schemas() {
    let any = read(&stubs_of(&[], "schema-any").join("schema.json"));
    for game in GAMES {
        let schema = read(&stubs_of(&[game], &format!("schema-{game}")).join("schema.json"));
        let mut files = Vec::new();
        for folder in ["rules", "scenarios"] {
            tables(&root().join(folder).join(game), &mut files);
        }
        assert!(files.len() > 5, "{game} has {files:?}");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let value: Value = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
            let layer = file
                .components()
                .any(|part| ["layers", "variants"].iter().any(|name| part.as_os_str() == *name));
            for (name, schema) in [("its schema", &schema), ("that of any game", &any)] {
                // A layer may declare fields that the schema of its game alone does not know.
                if let Err(why) = fits(schema, &value, "")
                    && !(layer && name == "its schema")
                {
                    panic!("{} does not fit {name}: {why}", file.display());
                }
            }
        }
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn tables(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tables(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

/// Whether a value fits a schema, as far as ours go; a word that is not known here is an error of the test.
fn fits(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Some(words) = schema.as_object() else {
        return if schema == &Value::Bool(true) { Ok(()) } else { Err(format!("{at} is not allowed")) };
    };
    for (word, wanted) in words {
        match word.as_str() {
            "$schema" | "title" | "description" | "properties" => {}
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64(),
                    "boolean" => value.is_boolean(),
                    other => panic!("type {other}"),
                };
                let types = wanted.as_array().map_or_else(|| vec![wanted], |types| types.iter().collect());
                if !types.iter().any(|name| is(name.as_str().unwrap())) {
                    return Err(format!("{at} is {value}, not {wanted}"));
                }
            }
            "enum" if !wanted.as_array().unwrap().contains(value) => {
                return Err(format!("{at} is {value}, not one of {wanted}"));
            }
            "enum" => {}
            "minimum" | "maximum" => {
                let (bound, n) = (wanted.as_i64().unwrap(), value.as_i64().unwrap());
                if (word == "minimum" && n < bound) || (word == "maximum" && n > bound) {
                    return Err(format!("{at} is {n}; {word} {bound}"));
                }
            }
            "minItems" => {
                let (least, n) = (wanted.as_u64().unwrap(), value.as_array().map_or(0, Vec::len));
                if value.is_array() && (n as u64) < least {
                    return Err(format!("{at} has {n} items, fewer than {least}"));
                }
            }
            "required" => {
                for key in wanted.as_array().unwrap() {
                    if value.is_object() && value.get(key.as_str().unwrap()).is_none() {
                        return Err(format!("{at} has no {key}"));
                    }
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    fits(wanted, item, at)?;
                }
            }
            "additionalProperties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    let own = schema["properties"].get(key).unwrap_or(wanted);
                    fits(own, inner, &format!("{at}.{key}"))?;
                }
            }
            "anyOf" => {
                let tried: Vec<_> =
                    wanted.as_array().unwrap().iter().map(|one| fits(one, value, at)).collect();
                if tried.iter().all(Result::is_err) {
                    return Err(format!("{at}: {tried:?}"));
                }
            }
            other => panic!("the test does not know `{other}`"),
        }
    }
    Ok(())
}

#[test]
fn settings_of_editors_are_written_where_they_are_read_when_asked() {
    let folder = support::Folder::new("stubs-here");
    let said = support::sandtable(&folder.0, &["stubs", "skirmish"], "");
    assert!(said.out.contains("--here writes them"), "{}{}", said.out, said.error);
    assert!(!folder.0.join(".luarc.json").exists());
    std::fs::write(folder.0.join(".taplo.toml"), "# mine\n").unwrap();
    let said = support::sandtable(&folder.0, &["stubs", "skirmish", "--here"], "");
    assert!(said.out.contains(".taplo.toml is there already"), "{}", said.out);
    let text = std::fs::read_to_string(folder.0.join(".luarc.json")).unwrap();
    assert!(text.contains(".sandtable/skirmish"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.0.join(".taplo.toml")).unwrap(), "# mine\n");
}
