//! Type-checks every shipped game, with its layers, against the stubs that `sandtable stubs` writes for it.
#![cfg(test)]

use emmylua_code_analysis::{EmmyLuaAnalysis, Emmyrc, WorkspaceFolder};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Writes the stubs of a game, perhaps with a layer, with the command of this repository, built if it must be.
fn stubs(game: &str, layer: Option<&Path>) -> PathBuf {
    let name = layer.and_then(Path::file_stem).map_or("", |name| name.to_str().unwrap_or_default());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/stubs").join(format!("{game}-{name}"));
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(["run", "--release", "--quiet", "--bin", "sandtable", "--", "stubs", game]);
    if let Some(layer) = layer {
        command.arg("--layer").arg(layer);
    }
    let done = command.arg("--out").arg(&folder).output().expect("cargo runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

/// All scripts below a folder, in order.
fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lua") {
            found.push(path);
        }
    }
}

/// A script with its text.
type Script = (PathBuf, String);

/// What the analyser says of some scripts, with others and stubs beside them, one line each.
fn problems(game: &str, folder: &Path, own: &[Script], others: &[Script]) -> Vec<String> {
    let settings = std::fs::read_to_string(folder.join(".emmyrc.json")).expect("settings");
    let settings: Emmyrc = serde_json::from_str(&settings).expect("settings that the analyser reads");
    let mut analysis = EmmyLuaAnalysis::new();
    analysis.update_config(Arc::new(settings));
    analysis.init_std_lib(None);
    analysis.add_main_workspace(root().join("rules").join(game));
    analysis.add_library_workspace(&WorkspaceFolder::new(folder.to_path_buf(), true));
    analysis.add_library_workspace(&WorkspaceFolder::new(root().join("rules/lib"), true));
    let mut files = Vec::new();
    for name in ["api.lua", "game.lua"] {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).expect("a stub");
        files.push((path, Some(text)));
    }
    let libraries = read(&root().join("rules/lib"));
    let scripts = libraries.iter().chain(own).chain(others);
    files.extend(scripts.map(|(path, text)| (path.clone(), Some(text.clone()))));
    analysis.update_files_by_path(files);
    let mut found = Vec::new();
    for (path, text) in own {
        let uri = emmylua_code_analysis::file_path_to_uri(path).expect("a path");
        let id = analysis.get_file_id(&uri).expect("a file that was given");
        for problem in analysis.diagnose_file(id, CancellationToken::new()).unwrap_or_default() {
            // Hints, such as parameters that a handler does not use, are for people.
            if serde_json::to_value(problem.severity).is_ok_and(|severity| severity == 4) {
                continue;
            }
            // The analyser takes `local sum = 0` for an integer and what a rule adds to it for any number; the engine has whole numbers only.
            if problem.message.contains("` to `integer`") {
                continue;
            }
            let code = problem.code.as_ref().map(|code| serde_json::to_string(code).unwrap_or_default());
            let line = problem.range.start.line;
            found.push(format!(
                "{}:{}: {} {}\n    {}",
                path.strip_prefix(root()).unwrap_or(path).display(),
                line + 1,
                code.unwrap_or_default().trim_matches('"'),
                problem.message,
                text.lines().nth(line as usize).unwrap_or_default().trim()
            ));
        }
    }
    found
}

/// The folders below a game in which its layers stand.
const LAYERS: &[&str] = &["layers", "variants"];

fn read(folder: &Path) -> Vec<Script> {
    let mut paths = Vec::new();
    if folder.is_dir() {
        scripts(folder, &mut paths);
    } else if folder.extension().is_some_and(|extension| extension == "lua") {
        paths.push(folder.to_path_buf());
    }
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a script"))).collect()
}

/// The scripts of a game, without those of its layers.
fn game_scripts(game: &str) -> Vec<Script> {
    let folder = root().join("rules").join(game);
    let mut found = read(&folder);
    found.retain(|(path, _)| !LAYERS.iter().any(|layers| path.starts_with(folder.join(layers))));
    found
}

/// The layers of a game that have scripts.
fn layers(game: &str) -> Vec<(PathBuf, Vec<Script>)> {
    let folders = LAYERS.iter().map(|layers| root().join("rules").join(game).join(layers));
    let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).map(|path| (path.clone(), read(&path))).collect();
    found.retain(|(_, scripts)| !scripts.is_empty());
    found.sort();
    found
}

#[test]
fn the_shipped_games_and_layers_pass() {
    let rules = std::fs::read_dir(root().join("rules")).expect("the games");
    let mut games: Vec<PathBuf> = rules.map(|entry| entry.expect("an entry").path()).collect();
    games.retain(|path| path.join("game.toml").exists());
    games.sort();
    assert!(games.len() >= 6, "{games:?}");
    let (mut found, mut count) = (Vec::new(), 0);
    for game in games {
        let game = game.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        let scripts = game_scripts(&game);
        found.extend(problems(&game, &stubs(&game, None), &scripts, &[]));
        for (layer, own) in layers(&game) {
            count += 1;
            found.extend(problems(&game, &stubs(&game, Some(&layer)), &own, &scripts));
        }
    }
    assert!(count >= 10, "{count} layers with scripts");
    assert!(found.is_empty(), "{}\n{} problems", found.join("\n"), found.len());
}

/// The stubs are no blank cheque: what is wrong is found.
#[test]
fn mistakes_are_found() {
    let (folder, scripts) = (stubs("skirmish", None), game_scripts("skirmish"));
    for (text, code) in [
        ("procedure('x', {}, function() step_down(3) end)", "param-type-mismatch"),
        ("procedure('x', {}, function() mvoe(piece 'h-reds', '0101') end)", "undefined-global"),
        ("procedure('x', {}, function() return piece('h-reds').aims end)", "undefined-field"),
        ("procedure('x', {}, function() return distance(space '0101') end)", "missing-parameter"),
        ("procedure('x', {}, function() game.turn = 'two' end)", "assign-type-mismatch"),
        ("procedure('x', {}, function() return value 'no-such-value' end)", "param-type-mismatch"),
        ("procedure('x', {}, function() return option 'no-such-option' end)", "param-type-mismatch"),
    ] {
        let mistake = [(root().join("rules/skirmish/mistake.lua"), text.to_string())];
        let found = problems("skirmish", &folder, &mistake, &scripts);
        assert!(found.len() == 1 && found[0].contains(code), "{text}\n{}", found.join("\n"));
    }
}
