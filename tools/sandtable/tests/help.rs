//! What every command says of itself: an example that works as it is written, and the exit codes.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Folder, sandtable};

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let folder = Folder::new("help");
    let help = sandtable(&folder.0, &["--help"], "");
    assert!(help.code == 0 && help.out.contains("It ends with 0 if all is well, 1 if"), "{}", help.out);
    let (_, list) = help.out.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| line.starts_with("  "));
    names.map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
}

/// The examples in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let folder = Folder::new("help-of");
    let help = sandtable(&folder.0, &[command, "--help"], "");
    assert_eq!(help.code, 0, "{}", help.error);
    let (_, shown) = help.out.split_once("Example: ").unwrap_or_else(|| panic!("{command} has no example"));
    shown.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_example_works_as_written() {
    let commands = commands();
    assert!(commands.len() >= 21, "{commands:?}");
    for command in commands {
        let folder = Folder::new(&format!("example-{command}"));
        let examples = examples(&command);
        assert!(
            examples.iter().any(|line| line.starts_with(&format!("sandtable {command}"))),
            "{examples:?}"
        );
        for line in examples {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[0], "sandtable", "{line}");
            // One that serves a table runs until it is ended.
            if words[1] == "play" && !words.contains(&"--terminal") {
                continue;
            }
            let mut args: Vec<String> = Vec::new();
            for word in &words[1..] {
                match word.strip_suffix("*.record") {
                    Some(inside) => {
                        let found = std::fs::read_dir(folder.0.join(inside)).unwrap();
                        let mut found: Vec<String> = found
                            .map(|entry| format!("{inside}{}", entry.unwrap().file_name().to_str().unwrap()))
                            .collect();
                        found.sort();
                        args.extend(found);
                    }
                    None => args.push(word.to_string()),
                }
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let said = sandtable(&folder.0, &args, "auto 3\nsave game.record\nquit\n");
            // Records may part from changed rules, which is what they are played again for.
            let fine = said.code == 0 || (said.code == 1 && words[1] == "rerun");
            assert!(fine, "{line} ends with {}\n{}{}", said.code, said.out, said.error);
            assert!(!said.out.is_empty(), "{line} says nothing");
        }
    }
}
