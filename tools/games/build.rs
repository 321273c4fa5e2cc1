//! Embeds the shipped games: every file under `rules/` and `scenarios/` becomes a constant.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    let root = root.canonicalize()?;
    let mut files = Vec::new();
    for folder in ["rules", "scenarios"] {
        let path = root.join(folder);
        println!("cargo:rerun-if-changed={}", path.display());
        if path.is_dir() {
            collect(&path, &mut files)?;
        }
    }
    files.sort();
    let mut list = String::from(
        "/// Path and bytes of every file of the shipped games.\npub static FILES: &[(&str, &[u8])] = &[\n",
    );
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let place = file.to_string_lossy();
        list.push_str(&format!("    ({name:?}, include_bytes!({place:?})),\n"));
    }
    list.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("embedded.rs"), list)
}

/// Finds the files that packages are made of; hidden ones are left out.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = path
            .extension()
            .is_some_and(|end| ["toml", "csv", "lua", "md"].iter().any(|known| end == *known));
        if name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if known {
            files.push(path);
        }
    }
    Ok(())
}
