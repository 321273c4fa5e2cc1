//! Packages: manifests, finding, order of layers, hashes.

use std::io;

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::catalog::{load, load_found};
use crate::diagnostic::Diagnostics;
use crate::diagnostic_testing::{Scene, render};
use crate::layer::ContentHash;
use crate::layer_option::{OptionValue, options};
use crate::package::{DiskFiles, Files, FolderEntry, MemoryFiles};
use crate::package_manifest::{Manifest, PackageKind};
use crate::package_search::{SearchPath, open_path};
use crate::source::FileId;

#[test]
fn scripts_books_and_scenarios_belong_to_the_game_and_variants_do_not() {
    let catalog = Scene::game("card.x.ops = 1")
        .file("rules/g/lua/combat.lua", "-- combat\n")
        .file("rules/g/rules.md", "# 1 Combat\n")
        .file("rules/g/notes.txt", "no data")
        .file("rules/g/variants/night/layer.toml", "[layer]\nid = 'night'\nversion = '1'\n")
        .file("rules/g/variants/night/night.lua", "-- night\n")
        .file("rules/g/variants/small.toml", "card.x.ops = 2\n[layer]\nid = 'small'\nversion = '1'\n")
        .file("rules/g/variants/one.lua", "--- layer: one\n--- version: 1.0\n--- needs: small\non('x')\n")
        .file("scenarios/g/first.toml", "[scenario.first]\nturns = 3\n")
        .with_layer("one")
        .clean();
    assert_eq!(
        catalog.scripts.iter().map(|s| s.path.as_str()).collect::<Vec<_>>(),
        ["lua/combat.lua", "one.lua"]
    );
    assert_eq!(catalog.books.iter().map(|s| s.path.as_str()).collect::<Vec<_>>(), ["rules.md"]);
    assert_eq!(
        catalog.layers.iter().map(|l| (l.id.as_str(), l.depth)).collect::<Vec<_>>(),
        [("g", 0), ("small", 1), ("one", 2)]
    );
    assert_eq!(catalog.get("card.x.ops").and_then(|n| n.as_int()), Some(2));
    assert_eq!(catalog.rows("scenario").count(), 1);
    assert_eq!(
        catalog.sources.describe(catalog.get("scenario.first.turns").expect("read").origin),
        "scenarios/g/first.toml:2:9"
    );
}

#[test]
fn what_is_not_found_is_named_with_the_nearest() {
    let files = MemoryFiles::new().with("rules/skirmish/game.toml", "[game]\nid = 'skirmish'\nversion = '1'");
    let (catalog, problems) = load("skirmsh", &[], &[], &SearchPath::new().with(files));
    assert_snapshot!(render(&catalog, &problems), @r#"
    error[E0301]: there is no game `skirmsh`
      = help: did you mean `skirmish`?
    "#);
    assert_snapshot!(Scene::game("").layer("night", &[], "").with_layer("nigth").problems(), @r#"
    error[E0302]: there is no layer `nigth`
      = help: did you mean `night`?
    "#);
}

#[test]
fn needs_clashes_versions_and_games_are_checked() {
    assert_snapshot!(Scene::game("").layer("a", &["erata@2", "g@2"], "").layer("errata", &[], "").problems(), @r#"
    error[E0305]: layer a needs `erata`, which is not found
     --> a.toml:5:10
      |
    5 | needs = ["erata@2", "g@2"]
      |          ^^^^^^^^^
      = help: did you mean `errata`?
    error[E0305]: layer a needs g in version 2; found version 1.0
     --> a.toml:5:21
      |
    5 | needs = ["erata@2", "g@2"]
      |                     ^^^^^
     ::: g/game.toml:1:1
      |
    1 | [game]
      | ------ g says its version here
    "#);
    let clash = Scene::game("")
        .file(
            "layers/a.toml",
            "[layer]\nid = 'a'\nversion = '1'\ngame = 'other'\nclashes = ['b']\nclashs = 1",
        )
        .with_layer("a")
        .layer("b", &[], "");
    assert_snapshot!(clash.problems(), @r#"
    error[E0304]: layer a is for the game other; this is g
     --> a.toml:1:1
      |
    1 | [layer]
      | ^^^^^^^
    error[E0307]: layer a cannot be combined with layer b
     --> a.toml:5:12
      |
    5 | clashes = ['b']
      |            ^^^
     ::: b.toml:2:1
      |
    2 | [layer]
      | ------- the other layer
    error[E0202]: layer has no key `clashs`
     --> a.toml:6:1
      |
    6 | clashs = 1
      | ^^^^^^
      = help: did you mean `clashes`?
    "#);
    assert_snapshot!(Scene::game("").layer("a", &["b"], "").layer("b", &["c"], "").layer("c", &["b"], "").problems(), @r#"
    error[E0306]: layers need each other in a circle: b needs c needs b
     --> b.toml:2:1
      |
    2 | [layer]
      | ^^^^^^^
    "#);
}

#[test]
fn a_manifest_must_be_complete() {
    assert_snapshot!(Scene::bare().file("rules/g/game.toml", "[game]\nid = 'g'\n").problems(), @r#"
    error[E0303]: the manifest has no `version`
     --> g/game.toml:1:1
      |
    1 | [game]
      | ^^^^^^
    "#);
    let search = |text: &str| SearchPath::new().with(MemoryFiles::new().with("layers/x.toml", text));
    assert!(search("[layer]\nid = 'Not an id'\nversion = '1'").find_layer("x", "g").is_none());
    assert!(search("layer = 3").list_layers().is_empty());
}

#[test]
fn layers_of_two_games_may_have_the_same_id() {
    let game = |id: &str| format!("[game]\nid = '{id}'\nversion = '1'\n[value]\nhand = 1");
    let errata = |game: &str, hand: u32| {
        format!("[layer]\nid = 'errata'\nversion = '1'\ngame = '{game}'\n[value]\nhand = {hand}")
    };
    let files = MemoryFiles::new()
        .with("rules/a/game.toml", &game("a"))
        .with("rules/a/layers/errata.toml", &errata("a", 2))
        .with("rules/b/game.toml", &game("b"))
        .with("rules/b/variants/errata/layer.toml", &errata("b", 3));
    let search = SearchPath::new().with(files);
    for (game, hand) in [("a", 2), ("b", 3)] {
        let (catalog, problems) = crate::catalog::load(game, &["errata".to_owned()], &[], &search);
        assert!(problems.is_empty(), "{game}");
        assert_eq!(catalog.get("value.hand").and_then(crate::tree::Node::as_int), Some(hand));
    }
    assert_eq!(search.list_layers().len(), 2);
}

#[test]
fn the_first_root_that_has_a_package_gives_all_of_it() {
    let disk = MemoryFiles::new()
        .with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '2'")
        .with("scenarios/g/own.toml", "scenario.own.turns = 1");
    let embedded = MemoryFiles::new()
        .with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'")
        .with("rules/g/old.toml", "card.x.ops = 1")
        .with("scenarios/g/first.toml", "scenario.first.turns = 1");
    let (catalog, problems) = load("g", &[], &[], &SearchPath::new().with(disk).with(embedded));
    assert!(problems.is_empty());
    assert_eq!(catalog.layers[0].version, "2");
    assert_eq!(catalog.get("card.x"), None);
    assert_eq!(catalog.rows("scenario").count(), 2);
}

#[test]
fn files_that_are_no_text_are_read_as_far_as_they_go() {
    let mut files = MemoryFiles::new().with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'");
    files.add("rules/g/a.toml", b"[card.x]\ntitle = \"Gro\xdf\"\nops = 3".to_vec());
    let (catalog, problems) = load("g", &[], &[], &SearchPath::new().with(files));
    assert_snapshot!(render(&catalog, &problems), @r#"
    error[E0102]: g/a.toml is not UTF-8 text: byte 21 is 0xdf
     --> g/a.toml:2:13
      |
    2 | title = "Gro�"
      |             ^
      = help: save the file as UTF-8
    "#);
    assert_eq!(catalog.get("card.x.ops").and_then(|n| n.as_int()), Some(3));
}

/// A disk with a file that cannot be read, a file that is too large and a package nested without end.
#[derive(Debug)]
struct BadDisk(MemoryFiles);

impl Files for BadDisk {
    fn list(&self, folder: &str) -> io::Result<Vec<FolderEntry>> {
        let entry = |name: &str, folder| FolderEntry { name: name.to_owned(), folder };
        match folder {
            "rules/g" => Ok(vec![
                entry("game.toml", false),
                entry("huge.md", false),
                entry("locked", true),
                entry("locked.toml", false),
                entry("loop", true),
            ]),
            "rules/g/locked" => Err(io::ErrorKind::PermissionDenied.into()),
            folder if folder.ends_with("loop") => Ok(vec![entry("loop", true)]),
            folder => self.0.list(folder),
        }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "rules/g/huge.md" => Err(io::ErrorKind::FileTooLarge.into()),
            "rules/g/locked.toml" => Err(io::ErrorKind::PermissionDenied.into()),
            path => self.0.read(path),
        }
    }

    fn place(&self, path: &str) -> Option<String> {
        Some(format!("/disk/{path}"))
    }
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_loaded() {
    let files = MemoryFiles::new().with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'");
    let (catalog, problems) = load("g", &[], &[], &SearchPath::new().with(BadDisk(files)));
    assert_eq!(catalog.layers.len(), 1);
    assert_snapshot!(render(&catalog, &problems), @r#"
    error[E0101]: g/locked.toml cannot be read: permission denied
    error[E0101]: the folder rules/g/locked cannot be listed
    error[E0103]: g has more than 10000 files, or folders more than 16 deep; the rest is not read
    error[E0103]: g/huge.md cannot be read: file too large
    "#);
}

#[test]
fn two_packages_with_one_id_are_refused() {
    let layer = "[layer]\nid = 'l'\nversion = '1'";
    let root = std::env::temp_dir().join(format!("sandtable-twins-{}", std::process::id()));
    std::fs::create_dir_all(&root).expect("writable");
    std::fs::write(root.join("l.toml"), layer).expect("writable");
    let files = MemoryFiles::new()
        .with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'")
        .with("layers/l.toml", layer);
    let path = root.join("l.toml").display().to_string();
    let layers = ["l".to_owned(), path.clone(), "l".to_owned()];
    let (catalog, problems) = load("g", &layers, &[], &SearchPath::new().with(files));
    std::fs::remove_dir_all(&root).expect("written above");
    assert_snapshot!(render(&catalog, &problems).replace(&path, "PATH"), @r#"
    error[E0308]: two packages have the id l: one in the program and PATH
    "#);
}

#[test]
fn the_content_hash_is_pinned() {
    let hash = ContentHash::of([("b.toml", &b"x = 1"[..]), ("a.toml", b"")]);
    assert_eq!(hash.to_string(), "091f31a0e84376f2");
    assert_eq!(hash, ContentHash::of([("a.toml", &b""[..]), ("b.toml", b"x = 1")]));
    assert_ne!(hash, ContentHash::of([("a.toml", &b"x"[..]), ("b.toml", b" = 1")]));
}

#[test]
fn packages_on_disk_are_found_by_path() {
    let root = std::env::temp_dir().join(format!("sandtable-data-{}", std::process::id()));
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("below the root")).expect("writable");
        std::fs::write(path, text).expect("writable");
    };
    write("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'");
    write("rules/g/t.toml", "card.x.ops = 1");
    write("mine/house.toml", "card.x.ops = 2\n[layer]\nid = 'house'\nversion = '1'");
    let search = SearchPath::new().with(DiskFiles::new(&root));
    let layer = root.join("mine/house.toml").display().to_string();
    let (catalog, problems) = load("g", std::slice::from_ref(&layer), &[], &search);
    let found = open_path(&root.join("rules/g")).map(|found| load_found(&found, &[], &[], &search).0);
    let escaped = DiskFiles::new(root.join("mine")).read("../rules/g/t.toml").is_err();
    std::fs::remove_dir_all(&root).expect("written above");
    assert!(problems.is_empty(), "{}", render(&catalog, &problems));
    assert_eq!(catalog.get("card.x.ops").and_then(|n| n.as_int()), Some(2));
    assert_eq!(found.and_then(|c| c.get("card.x.ops").and_then(|n| n.as_int())), Some(1));
    assert!(escaped);
}

#[test]
fn options_are_typed() {
    let scene = Scene::game(
        "[option.fog]\ndefault = false\nrule = '12'\n[option.size]\ntype = 'int'\ndefault = 2\nrange = [1, 3]\n\
         [option.ai]\ndefault = 'easy'\nvalues = ['easy', 'hard']",
    );
    let mut out = Diagnostics::new();
    let list = options(&scene.clean(), &mut out);
    assert!(out.is_empty());
    assert_eq!(list.iter().map(|o| o.id.as_str()).collect::<Vec<_>>(), ["ai", "fog", "size"]);
    assert_eq!(list[0].parse("hard"), Ok(OptionValue::Word("hard".to_owned())));
    assert_eq!(
        list[0].parse("hrad").expect_err("misspelt"),
        "option ai is \"hrad\"; expected easy or hard (did you mean `hard`?)"
    );
    assert_eq!(list[1].parse("on"), Ok(OptionValue::Bool(true)));
    assert!(list[2].parse("9").is_err());
    let wrong = Scene::game(
        "[option.a]\ntype = 'boolean'\ndefault = true\n[option.b]\ndefault = 9\nrange = [0, 3]\n[option.c]\ntitle = 'C'",
    );
    let (catalog, _) = wrong.load();
    let mut out = Diagnostics::new();
    assert!(options(&catalog, &mut out).is_empty());
    assert_snapshot!(render(&catalog, &out), @r#"
    error[E0204]: `type` of option.a is "boolean"; expected `bool`, `int` or `enum`
     --> g/tables.toml:2:8
      |
    2 | type = 'boolean'
      |        ^^^^^^^^^
    error[E0208]: `default` of option.b is 9; expected a whole number from 0 to 3
     --> g/tables.toml:5:11
      |
    5 | default = 9
      |           ^
    error[E0203]: option.c has no `default`
     --> g/tables.toml:7:1
      |
    7 | [option.c]
      | ^^^^^^^^^^
    "#);
}

#[test]
fn a_large_game_loads() {
    let mut scene = Scene::game("");
    for file in 0..100 {
        let rows: String = (0..60)
            .map(|n| format!("[unit.u-{file}-{n}]\ntitle = \"Unit {n}\"\nmp = {n}\ntags = ['a', 'b']\n"))
            .collect();
        scene = scene.file(&format!("rules/g/f{file}.toml"), &rows);
    }
    assert_eq!(scene.clean().rows("unit").count(), 6000);
}

proptest! {
    #[test]
    fn any_bytes_in_a_package_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..120),
        name in prop_oneof![Just("a.toml"), Just("unit.csv"), Just("table.t.csv"), Just("x.lua"), Just("game.toml"), Just("b.md")],
    ) {
        let mut files = MemoryFiles::new().with("rules/g/game.toml", "[game]\nid = 'g'\nversion = '1'");
        files.add(format!("rules/g/{name}"), bytes.clone());
        files.add("layers/l.toml", [b"[layer]\n", &bytes[..]].concat());
        files.add("layers/m.lua", [b"--- layer: m\n", &bytes[..]].concat());
        let search = SearchPath::new().with(files);
        let (catalog, problems) = load("g", &["l".to_owned(), "m".to_owned()], &[], &search);
        render(&catalog, &problems);
    }

    #[test]
    fn any_manifest_and_setting_is_read_without_panic(text in r"(id|version|needs|=|'a'|\[|\]|\n|@|layer|:|-|\PC){0,30}") {
        let mut out = Diagnostics::new();
        Manifest::read_toml(&format!("[layer]\n{text}"), PackageKind::Layer, FileId(0), &mut out);
        Manifest::read_lua(&format!("--- layer: a\n--- {text}"), FileId(0), &mut out);
        Scene::game("card.x.ops = 1").set(&text).set(&format!("card.x.ops={text}")).load();
    }
}
