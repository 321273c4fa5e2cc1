//! `sandtable test`: differences, accepting, reviewing, watching, and cases anywhere on disk.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, json, sandtable};

const CASES: &str = "\
game: skirmish

### x.1 Orders

```case
set game.active harrow
place h-battery 0102
call movement
harrow: h-battery
harrow? ..., march 0102, dig-in
harrow: stay
  => number allowance 3 = +3 allowance  # a reason
...
```

### x.2 Mines

```case
case a mine costs a step
place h-reds 0703; v-mine 0703
call arrival h-reds march
is h-reds.level 1
```

```case
for unit in h-reds h-blacks
place {unit} 0703; v-mine 0703
call arrival {unit} march
=> reveal v-mine
=> set {unit}.level 1
=> move v-mine 0703 spent
```

```case
place h-reds 0703
call arrival h-reds march
harrow: nonsense
is h-reds.level 2
```
";

fn written(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::write(folder.0.join("cases.md"), CASES).unwrap();
    folder
}

fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("cases.md")).unwrap()
}

#[test]
fn a_failure_shows_the_difference_and_the_line() {
    let folder = written("difference");
    let said = sandtable(&folder.0, &["test", "cases.md"], "");
    assert_eq!(said.code, 1, "{}", said.error);
    insta::assert_snapshot!(said.out, @r###"
    cases.md:10: x.1
      the options differ; not offered: march 0102
    -    10 | harrow? ..., march 0102, dig-in
    +       | harrow? … dig-in
    -    12 | => number allowance 3 = +3 allowance
    +       | => number allowance 2 = +2 allowance
    cases.md:22: x.2 a mine costs a step
      `h-reds.level` is 2, expected 1
    -    22 | is h-reds.level 1
    +       | is h-reds.level 2
    cases.md:30: x.2 h-reds
      expected `set h-reds.level 1`, found `move v-mine 0703 spent`
    -    30 | => set {unit}.level 1
    +    32 | => set {unit}.level 2
    cases.md:30: x.2 h-blacks
      expected `set h-blacks.level 1`, found `move v-mine 0703 spent`
    -    30 | => set {unit}.level 1
    +    32 | => set {unit}.level 2
    cases.md:37: x.2
      harrow is not asked; nothing is asked
         37 | harrow: nonsense
    0 passed, 5 failed
    `--accept [CASE]` writes the lines marked +, `--review` goes through them in groups
    "###);
    let totals = json(&sandtable(&folder.0, &["test", "cases.md", "--json"], ""));
    assert_eq!((&totals["cases"], &totals["passed"], &totals["failed"]), (&5.into(), &0.into(), &5.into()));
}

#[test]
fn accepting_writes_expected_lines_and_leaves_the_rest() {
    let folder = written("accept");
    let one = sandtable(&folder.0, &["test", "cases.md", "--accept", "x.1"], "");
    assert!(one.out.contains("2 lines written"), "{}", one.out);
    assert!(
        text(&folder.0).contains("  => number allowance 2 = +2 allowance  # a reason\n"),
        "{}",
        text(&folder.0)
    );
    assert!(text(&folder.0).contains("is h-reds.level 1\n"), "only the case that was named");
    let all = sandtable(&folder.0, &["test", "cases.md", "--accept"], "");
    assert!(all.out.contains("1 cases fail now"), "{}", all.out);
    insta::assert_snapshot!(text(&folder.0), @r###"
    game: skirmish

    ### x.1 Orders

    ```case
    set game.active harrow
    place h-battery 0102
    call movement
    harrow: h-battery
    harrow? … dig-in
    harrow: stay
      => number allowance 2 = +2 allowance  # a reason
    ...
    ```

    ### x.2 Mines

    ```case
    case a mine costs a step
    place h-reds 0703; v-mine 0703
    call arrival h-reds march
    is h-reds.level 2
    ```

    ```case
    for unit in h-reds h-blacks
    place {unit} 0703; v-mine 0703
    call arrival {unit} march
    => reveal v-mine
    => move v-mine 0703 spent
    => set {unit}.level 2
    ```

    ```case
    place h-reds 0703
    call arrival h-reds march
    harrow: nonsense
    is h-reds.level 2
    ```
    "###);
}

#[test]
fn a_build_machine_writes_nothing() {
    let folder = written("ci");
    let output = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(["test", "cases.md", "--accept"])
        .env("CI", "true")
        .env("NO_COLOR", "1")
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("nothing is written while CI is set"));
    assert_eq!(text(&folder.0), CASES);
}

#[test]
fn equal_differences_are_reviewed_as_one() {
    let folder = Folder::new("review");
    let case = |unit: &str| {
        format!(
            "```case\nplace {unit} 0703; v-mine 0703\ncall arrival {unit} march\nis {unit}.level 1\nis 0703.count 2\n```\n"
        )
    };
    let book =
        format!("game: skirmish\n### x.1 Mines\n{}{}{}", case("h-reds"), case("h-blacks"), case("h-battery"));
    std::fs::write(folder.0.join("cases.md"), &book).unwrap();
    let said = sandtable(&folder.0, &["test", "cases.md", "--review"], "what\na\nr\n");
    assert_eq!(said.code, 1);
    insta::assert_snapshot!(said.out, @r###"
    [1 of 2] count: 2 -> 1 in 3 cases
      cases.md:7
    -     7 | is 0703.count 2
    +       | is 0703.count 1
    accept, reject, skip, list all, quit? [a/r/s/l/q] `what`: expected a, r, s, l or q
    accept, reject, skip, list all, quit? [a/r/s/l/q] [2 of 2] level: 1 -> 2 in 3 cases
      cases.md:6
    -     6 | is h-reds.level 1
    +       | is h-reds.level 2
    accept, reject, skip, list all, quit? [a/r/s/l/q] cases.md: 3 lines written
    rejected: level: 1 -> 2 in 3 cases: the rules are wrong, not the cases
    "###);
    assert_eq!(text(&folder.0).matches(".count 1\n").count(), 3);
    assert_eq!(text(&folder.0).matches(".level 1\n").count(), 3, "rejected lines stay");
}

#[test]
fn cases_may_stand_anywhere_and_name_their_game() {
    let folder = Folder::new("anywhere");
    std::fs::create_dir_all(folder.0.join("mine/more")).unwrap();
    let book = "### x.1 Mines\n```case\nplace h-reds 0703; v-mine 0703\ncall arrival h-reds march\nis h-reds.level 2\n```\n";
    std::fs::write(folder.0.join("mine/more/a.md"), book).unwrap();
    let nameless = sandtable(&folder.0, &["test", "mine"], "");
    assert!(nameless.error.contains("`game: ID`"), "{}", nameless.error);
    assert!(sandtable(&folder.0, &["test", "skirmish", "mine"], "").out.contains("1 passed, 0 failed"));
    std::fs::write(folder.0.join("mine/more/a.md"), format!("game: skirmish\nlayer: errata\n\n{book}"))
        .unwrap();
    assert!(sandtable(&folder.0, &["test", "mine"], "").out.contains("1 passed, 0 failed"));
    let unknown = sandtable(&folder.0, &["test", "skirmich"], "");
    assert!(unknown.error.contains("skirmish"), "{}", unknown.error);
}

#[test]
fn what_a_side_sees_can_be_stated() {
    let folder = Folder::new("sees");
    let book = "game: skirmish\n### x.1 Hidden\n```case\nplace h-reds 0703; v-mine 0703\npile vale-hand v-stand v-sally\nsees vale vale-hand v-stand v-sally\nsees harrow vale-hand 2\nsees harrow vale.stores ?\nset vale.stores 1\nsees harrow vale.stores 1\n```\n";
    std::fs::write(folder.0.join("cases.md"), book).unwrap();
    let said = sandtable(&folder.0, &["test", "cases.md"], "");
    assert_eq!(said.code, 0, "{}{}", said.out, said.error);
}

#[test]
fn watching_runs_what_a_saved_file_affects() {
    let folder = Folder::new("watch");
    let book = "game: skirmish\n### x.1 Mines\n```case\nplace h-reds 0703; v-mine 0703\ncall arrival h-reds march\nis h-reds.level 2\n```\n";
    std::fs::write(folder.0.join("cases.md"), book).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(["test", "cases.md", "--watch"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.by_ref().any(|line| line.starts_with("waiting")));
    // The clock of a file system may be coarse.
    std::thread::sleep(Duration::from_millis(20));
    let saved = Instant::now();
    std::fs::write(folder.0.join("cases.md"), book.replace("level 2", "level 1")).unwrap();
    let shown = lines.by_ref().find(|line| line.contains("affected")).unwrap();
    let passed = saved.elapsed();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(shown.starts_with("1 of 1 cases affected: 0 passed, 1 failed"), "{shown}");
    assert!(passed < Duration::from_secs(3), "{passed:?}");
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_game_at_a_path_is_tested_and_not_its_namesake() {
    let folder = Folder::new("at-path");
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for part in ["rules", "scenarios"] {
        copy(&root.join(part).join("skirmish"), &folder.0.join("copy").join(part).join("skirmish"));
    }
    let values = folder.0.join("copy/rules/skirmish/values.toml");
    let old = std::fs::read_to_string(&values).unwrap();
    assert!(old.contains("river = -1"), "{old}");
    std::fs::write(&values, old.replace("river = -1", "river = -3")).unwrap();
    let shipped = sandtable(&folder.0, &["test", "skirmish"], "");
    assert_eq!(shipped.code, 0, "{}", shipped.out);
    for path in ["copy/rules/skirmish", "copy/rules/skirmish/rulebook"] {
        let said = sandtable(&folder.0, &["test", path], "");
        assert!(said.code == 1 && !said.out.contains(" 0 failed"), "{path}: {}{}", said.out, said.error);
    }
    // A game that is nowhere else, outside a folder `rules`.
    copy(&folder.0.join("copy/rules/skirmish"), &folder.0.join("other"));
    let manifest = folder.0.join("other/game.toml");
    let text = std::fs::read_to_string(&manifest).unwrap().replace("id = \"skirmish\"", "id = \"other\"");
    std::fs::write(manifest, text).unwrap();
    let said = sandtable(&folder.0, &["test", "other", "--only", "1."], "");
    assert!(said.out.contains("passed"), "{}{}", said.out, said.error);
}

#[test]
fn a_run_of_no_cases_is_no_success() {
    let folder = Folder::new("no-cases");
    let only = sandtable(&folder.0, &["test", "skirmish", "--only", "99"], "");
    assert!(only.code == 2 && only.error.contains("no case is meant by --only 99"), "{}", only.error);
    std::fs::create_dir_all(folder.0.join("layers")).unwrap();
    let layer =
        "[layer]\nid = \"tall\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-battery]\nmoves = 4\n";
    std::fs::write(folder.0.join("layers/tall.toml"), layer).unwrap();
    let bare = sandtable(&folder.0, &["test", "skirmish", "--layer", "tall"], "");
    assert!(bare.code == 2 && bare.error.contains("--all runs those of skirmish"), "{}", bare.error);
    let all = sandtable(&folder.0, &["test", "skirmish", "--layer", "tall", "--all"], "");
    assert!(all.code == 1 && all.out.contains("+4 allowance"), "{}{}", all.out, all.error);
    let odd = sandtable(&folder.0, &["test", "skirmish", "--option", "nosuch=1"], "");
    let lines = odd.error.matches("nosuch").count();
    assert!(odd.code == 2 && (1..4).contains(&lines), "{}", odd.error);
}
