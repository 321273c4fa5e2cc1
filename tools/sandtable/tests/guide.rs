//! The guide is true: every file in it is written, every command in it is run, and the answers shown are given.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::{Folder, sandtable};

/// A fenced block: what stands behind the fence, and its lines.
fn fences(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String, String)> = None;
    for line in text.lines() {
        match &mut open {
            Some((fence, info, body)) => {
                if line.trim() == *fence {
                    found.push((info.clone(), body.clone()));
                    open = None;
                } else {
                    body.push_str(line);
                    body.push('\n');
                }
            }
            None => {
                let ticks = line.chars().take_while(|&c| c == '`').count();
                if ticks >= 3 {
                    open = Some(("`".repeat(ticks), line[ticks..].trim().to_string(), String::new()));
                }
            }
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    found
}

#[test]
fn every_example_of_the_guide_works() {
    let guide = include_str!("../../../docs/guide.md");
    let folder = Folder::new("guide");
    let (mut files, mut commands) = (0, 0);
    for (info, body) in fences(guide) {
        let mut words = info.split_whitespace();
        match (words.next().unwrap(), words.next()) {
            ("sh", how) => {
                for call in body.split("$ ").filter(|call| !call.trim().is_empty()) {
                    commands += 1;
                    run(&folder, call, how == Some("fails"));
                }
            }
            (_, Some(path)) => {
                files += 1;
                let path = folder.0.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, body).unwrap();
            }
            (other, None) => panic!("a block of {other} is neither a file nor a command"),
        }
    }
    let said = in_prose(guide);
    assert!(said.len() >= 6, "{said:?}");
    said.iter().for_each(|typed| try_out(&folder, typed));
    // What the reader has written by now is sound as well.
    let checked = sandtable(&folder.0, &["check"], "");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.error);
    assert!(files >= 12 && commands >= 20, "{files} files, {commands} commands");
}

fn run(folder: &Folder, call: &str, fails: bool) {
    let mut lines = call.lines();
    let typed = lines.next().unwrap();
    let args: Vec<&str> = typed.split_whitespace().skip(1).collect();
    let said = sandtable(&folder.0, &args, "");
    let out = format!("{}{}", said.out, said.error);
    assert_eq!(said.code != 0, fails, "{typed}\n{out}");
    let mut rest = out.as_str();
    for wanted in lines.map(str::trim).filter(|line| !line.is_empty()) {
        let Some(at) = rest.find(wanted) else { panic!("{typed}\nexpected {wanted:?}, found\n{out}") };
        rest = &rest[at + wanted.len()..];
    }
}

/// The commands that the text mentions outside its blocks.
fn in_prose(text: &str) -> Vec<String> {
    let mut fence: Option<usize> = None;
    let mut prose = String::new();
    for line in text.lines() {
        let ticks = line.chars().take_while(|&c| c == '`').count();
        match fence {
            Some(open) if ticks == open && line.len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    let spans = prose.split('`').skip(1).step_by(2);
    spans.filter(|span| span.starts_with("sandtable ")).map(|span| span.replace('\n', " ")).collect()
}

/// Runs a command of the text: one that watches until it says so, others to their end.
fn try_out(folder: &Folder, typed: &str) {
    let args: Vec<&str> = typed.split_whitespace().skip(1).collect();
    if !args.contains(&"--watch") {
        let said = sandtable(&folder.0, &args, "quit\n");
        assert_eq!(said.code, 0, "{typed}\n{}{}", said.out, said.error);
        return;
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(&args)
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let waits = lines.any(|line| line.contains("waiting for files to change"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(waits, "{typed} ends");
}
