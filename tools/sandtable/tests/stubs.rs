//! `sandtable stubs`: what editors are told of a game.

#![expect(clippy::unwrap_used, reason = "a test that cannot read what it wrote has failed")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the stubs of the small game to a folder of the test's own.
fn stubs(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let done = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .current_dir(root())
        .args(["stubs", "skirmish", "--out"])
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
        "---@param a space|space_id\n---@param b space|space_id\n---@return integer?\nfunction distance(a, b) end",
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
    for settings in [".luarc.json", "settings.json"] {
        let text = std::fs::read_to_string(folder.join(settings)).unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{settings}");
    }
}
