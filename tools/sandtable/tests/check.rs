//! `sandtable check`, run as people run it: far from the sources, on folders and single files of their own.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of a test's own, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sandtable-check-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Exit code and output.
fn check(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .arg("check")
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap_or(-1), text)
}

const LAYER: &str =
    "[layer]\nid = \"thaw\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-reds]\nstrenght = 4\n";

#[test]
fn a_layer_in_one_file_is_checked_with_its_game() {
    let folder = Folder::new("layer");
    folder.file("thaw.toml", LAYER);
    let (code, text) = check(&folder.0, &["thaw.toml", "--format", "concise"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.starts_with("thaw.toml:7:1: E0202: unit.h-reds has no key `strenght`"), "{text}");
    assert!(text.ends_with("skirmish with thaw: 1 error, 0 warnings\n"), "{text}");
}

#[test]
fn a_game_in_a_folder_is_checked_and_so_is_one_file_of_it() {
    let folder = Folder::new("game");
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/lint/tests/broken/base");
    let copy = |path: &str| folder.file(path, &std::fs::read_to_string(base.join(path)).unwrap());
    for name in [
        "game.toml",
        "map.toml",
        "border.csv",
        "link.csv",
        "pieces.toml",
        "texts.toml",
        "values.toml",
        "sequence.toml",
    ] {
        copy(&format!("rules/g/{name}"));
    }
    for path in [
        "rules/g/rules.lua",
        "rules/g/table.combat.csv",
        "rules/g/rulebook/book.md",
        "scenarios/g/first.toml",
    ] {
        copy(path);
    }
    let (code, text) = check(&folder.0, &["rules/g"]);
    assert_eq!((code, text.as_str()), (0, "g: 0 errors, 0 warnings\n"));
    let rules = std::fs::read_to_string(folder.0.join("rules/g/rules.lua")).unwrap();
    folder.file("rules/g/rules.lua", &rules.replace("#units_of(game", "#untis_of(game"));
    folder.file(
        "rules/g/values.toml",
        "[value]\nlast-turn = 4\nstack = { units = 2 }\nmarch = { bonus = 1 }\nunread = 1\n",
    );
    let (_, text) = check(&folder.0, &["rules/g/values.toml", "--format", "concise"]);
    assert!(text.contains("g/values.toml:5:1: E1005") && text.contains("g/rules.lua:7:59: E0901"), "{text}");
    // From elsewhere, by the whole path; the scenarios beside `rules` are found.
    let elsewhere = Folder::new("elsewhere");
    let path = folder.0.join("rules/g").display().to_string();
    let (code, text) = check(&elsewhere.0, &[&path, "--json"]);
    let problems: serde_json::Value = serde_json::from_str(&text).unwrap();
    let problems = problems["problems"].as_array().unwrap();
    assert_eq!(code, 1);
    assert_eq!(problems.len(), 2, "{text}");
    assert_eq!((problems[0]["code"].as_str(), problems[0]["line"].as_u64()), (Some("E0901"), Some(7)));
}

#[test]
fn a_broken_manifest_is_shown_with_its_place() {
    let folder = Folder::new("manifest");
    folder.file("g/game.toml", "[game]\nid = \n");
    let (code, text) = check(&folder.0, &["g", "--format", "concise"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.starts_with("g/game.toml:2:6: E0104"), "{text}");
}

#[test]
fn codes_are_explained_by_code_and_name() {
    let folder = Folder::new("explain");
    let (code, text) = check(&folder.0, &["--explain", "unknown-global"]);
    assert_eq!(code, 0);
    assert!(
        text.starts_with("E0901 unknown-global: ") && text.contains("Example:") && text.contains("Repair:"),
        "{text}"
    );
    let (code, text) = check(&folder.0, &["--explain", "unknown-globals"]);
    assert!(code != 0 && text.contains("did you mean `unknown-global`"), "{text}");
}

#[test]
fn places_can_be_opened_and_warnings_fail_when_asked() {
    let folder = Folder::new("strict");
    folder
        .file("layers/thaw.toml", &LAYER.replace("[unit.h-reds]\nstrenght = 4", "[value.march]\nforcd = 4"));
    let (code, text) = check(&folder.0, &["layers/thaw.toml", "--format", "concise"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("layers/thaw.toml:7:1: E1"), "{text}");
    let (code, text) = check(&folder.0, &["layers/thaw.toml", "--strict"]);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn a_file_of_cases_is_checked_with_the_game_it_names() {
    let folder = Folder::new("cases");
    folder.file(
        "cases.md",
        "game: skirmish\n\n### x.1 A case\n\n```case\nplace h-redz 0502\ncall movement\n```\n",
    );
    let (code, text) = check(&folder.0, &["cases.md", "--format", "concise"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.starts_with("cases.md:6:1: E0912: there is no piece `h-redz`; nearest: h-reds"), "{text}");
}
