//! Files that are not what they seem: pipes, devices, folders, links, and texts that would steer a terminal.
#![allow(clippy::unwrap_used, reason = "tests")]
#![cfg(unix)]

mod support;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{Folder, Said, command, finish, sandtable};

/// A game whose texts hold orders to a terminal, some of them the same as our own colours.
fn game(folder: &Path) {
    let text = "red \\u001b[31mink\\u001b[0m\\u001b[2J\\u009b1m";
    let rules = folder.join("rules/ink");
    std::fs::create_dir_all(&rules).unwrap();
    let toml = format!(
        "[game]\nid = \"ink\"\ntitle = \"{text}\"\nversion = \"1.0.0\"\nsides = [\"a\"]\n[side]\na = {{ name = \"{text}\" }}\n\
         [scenario.only]\ntitle = \"{text}\"\n[sequence]\ngame = {{ steps = [\"main\"] }}\n\
         [prompt]\nwhat = {{ text = \"{text}\" }}\n[text]\nhappened = \"{text}\"\n[value]\nink = {{ n = 2, note = \"{text}\" }}\n"
    );
    std::fs::write(rules.join("game.toml"), toml).unwrap();
    let lua = "procedure('main', {}, function() log('happened') ask('a', 'what', { among = { 1, 2 } })\n\
               error('red \\27[31mink\\27[0m\\27[2J') end)\n";
    std::fs::write(rules.join("main.lua"), lua).unwrap();
    std::fs::create_dir_all(rules.join("rulebook")).unwrap();
    let book = "# Ink\n\n### 1.1 Red \u{1b}[31mink\u{1b}[0m\u{1b}[2J\n\nText \u{1b}[31mink.\n";
    std::fs::write(rules.join("rulebook/book.md"), book).unwrap();
    std::fs::create_dir_all(folder.join("layers")).unwrap();
    let layer = format!(
        "[layer]\nid = \"more\"\ngame = \"ink\"\nversion = \"1\"\n[value]\nink.n = 3\nink.note = \"{text} more\"\n"
    );
    std::fs::write(folder.join("layers/more.toml"), layer).unwrap();
}

/// Runs the command, which must not wait for what never comes.
fn soon(folder: &Path, args: &[&str]) -> Said {
    let mut child = command(folder, args).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    finish(child, "")
}

#[test]
fn what_is_not_a_file_is_refused_with_its_name() {
    let folder = Folder::new("odd-files");
    let here = &folder.0;
    game(here);
    let rules = here.join("rules/ink");
    let mkfifo = std::process::Command::new("mkfifo").arg(rules.join("pipe.lua")).status().unwrap();
    assert!(mkfifo.success());
    symlink("/dev/zero", rules.join("zero.toml")).unwrap();
    let huge = std::fs::File::create(rules.join("huge.csv")).unwrap();
    huge.set_len(65 << 20).unwrap();
    let said = soon(here, &["check", "ink"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.error);
    let odd = "cannot be read: it is not a file but a pipe, a device or the like";
    for expected in [
        format!("ink/pipe.lua {odd}"),
        format!("ink/zero.toml {odd}"),
        "ink/huge.csv cannot be read: it is larger than 64 MB".into(),
    ] {
        assert!(said.out.contains(&expected), "{expected}\n{}", said.out);
    }
    for args in [
        ["replay", "/dev/zero"],
        ["replay", "rules/ink/pipe.lua"],
        ["add", "/dev/zero"],
        ["add", "rules/ink/pipe.lua"],
    ] {
        let said = soon(here, &args);
        assert!(said.code == 2 && said.error.contains("it is not a file but"), "{args:?}: {}", said.error);
    }
    let said = soon(here, &["replay", "rules"]);
    assert!(said.error.contains("it is a folder, not a file"), "{}", said.error);
}

#[test]
fn nothing_is_packed_or_unpacked_through_a_link() {
    let folder = Folder::new("links");
    let here = &folder.0;
    game(here);
    let layer = here.join("layers/linked");
    std::fs::create_dir_all(&layer).unwrap();
    std::fs::write(layer.join("layer.toml"), "[layer]\nid = \"linked\"\ngame = \"ink\"\nversion = \"1\"\n")
        .unwrap();
    std::fs::write(here.join("secret.md"), "# A secret of this machine\n").unwrap();
    symlink(here.join("secret.md"), layer.join("notes.md")).unwrap();
    let said = sandtable(here, &["pack", "layers/linked", "--out", "out.sandtable"], "");
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.error.contains("layers/linked/notes.md is a link"), "{}", said.error);
    assert!(!here.join("out.sandtable").exists());
    std::fs::remove_file(layer.join("notes.md")).unwrap();
    symlink(here.join("rules"), layer.join("inside")).unwrap();
    let said = sandtable(here, &["pack", "layers/linked", "--out", "out.sandtable"], "");
    assert!(said.error.contains("layers/linked/inside is a link"), "{}", said.error);
    std::fs::remove_file(layer.join("inside")).unwrap();
    std::fs::create_dir_all(layer.join("deep")).unwrap();
    std::fs::write(layer.join("deep/more.md"), "# More\n").unwrap();
    let said = sandtable(here, &["pack", "layers/linked", "--out", "out.sandtable"], "");
    assert_eq!(said.code, 0, "{}{}", said.out, said.error);
    // A link in the way of what is unpacked: the folder of all layers, that of this one, one inside it, a file.
    for (number, way) in
        ["layers", "layers/linked", "layers/linked/deep", "layers/linked/deep/more.md"].iter().enumerate()
    {
        let (to, elsewhere) = (here.join(format!("to{number}")), here.join(format!("elsewhere{number}")));
        std::fs::create_dir_all(to.join(way).parent().unwrap()).unwrap();
        match way.ends_with(".md") {
            true => std::fs::write(&elsewhere, "mine").unwrap(),
            false => std::fs::create_dir_all(&elsewhere).unwrap(),
        }
        symlink(&elsewhere, to.join(way)).unwrap();
        for replace in [&[][..], &["--replace"]] {
            let to = to.display().to_string();
            let args = [&["add", "out.sandtable", "--to", &to], replace].concat();
            let said = sandtable(here, &args, "");
            assert_eq!(said.code, 2, "{way}: {}", said.out);
            assert!(
                said.error.contains("is a link, and nothing is unpacked through links"),
                "{way}: {}",
                said.error
            );
        }
        match way.ends_with(".md") {
            true => assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine"),
            false => assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0, "{way}"),
        }
    }
    let said = sandtable(here, &["add", "out.sandtable", "--to", "sound"], "");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(here.join("sound/layers/linked/deep/more.md").exists());
}

#[test]
fn no_text_of_a_package_steers_the_terminal() {
    let folder = Folder::new("ink");
    let here = &folder.0;
    game(here);
    for args in [
        &["find", "ink", "red"][..],
        &["list"],
        &["list", "ink"],
        &["check", "ink"],
        &["check", "ink", "--layer", "more"],
        &["origin", "ink", "value.ink", "--layer", "more"],
        &["diff", "ink", "more"],
        &["docs", "ink"],
        &["coverage", "ink"],
        &["test", "ink"],
        &["sim", "ink", "--games", "2"],
        &["play", "ink", "--terminal", "--seed", "1"],
    ] {
        for forced in ["0", "1"] {
            let mut child = command(here, args);
            child.env("CLICOLOR_FORCE", forced).env_remove("NO_COLOR");
            let said = finish(child.spawn().unwrap(), "help\n1\nlog\nquit\n");
            let all = format!("{}{}", said.out, said.error);
            assert!(!all.contains("\u{1b}[31mink") && !all.contains("\u{1b}[2J"), "{args:?}: {all:?}");
            assert!(!all.contains('\u{9b}'), "{args:?}: {all:?}");
            if forced == "0" {
                assert!(!all.contains('\u{1b}'), "{args:?}: {all:?}");
            }
        }
    }
    // Our own colours are colours.
    std::fs::write(
        here.join("rules/ink/more.lua"),
        "on('main.start', 'x', { ruel = '1.1' }, function() end)\n",
    )
    .unwrap();
    let said = finish(
        command(here, &["check", "ink"]).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").spawn().unwrap(),
        "",
    );
    assert!(said.out.contains("\u{1b}[1;31merror"), "{:?}", said.out);
}
