//! Every dependency may be redistributed with this program.
#![allow(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;
use std::process::Command;

/// Licences that allow it. MPL-2.0 binds only changes of the files that are under it.
const FREE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` can be met with those.
fn allows(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    // `AND` binds more loosely here than it should, which can only refuse what is fine.
    plain.split(" AND ").all(|part| part.split(" OR ").any(|licence| FREE.contains(&licence.trim())))
}

#[test]
fn dependencies_may_be_redistributed() {
    // Those of other systems too, which a build on this one has not fetched.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let foreign: Vec<&Value> = packages.iter().filter(|package| !package["source"].is_null()).collect();
    assert!(foreign.len() > 50, "only {} dependencies are listed", foreign.len());
    let refused: Vec<String> = foreign
        .iter()
        .filter(|package| !allows(package["license"].as_str().unwrap_or("none")))
        .map(|package| format!("{} is under {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn expressions_are_read() {
    assert!(
        allows("MIT OR Apache-2.0") && allows("MIT/Apache-2.0") && allows("(MIT OR GPL-3.0) AND Unicode-3.0")
    );
    assert!(!allows("GPL-3.0-only") && !allows("MIT AND GPL-3.0-only") && !allows("none"));
}
