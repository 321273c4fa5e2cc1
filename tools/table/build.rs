//! Embeds the page: every file under `page/` becomes part of the binary.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("page");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut list = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        list.push_str(&format!("    ({name:?}, include_bytes!({:?})),\n", file.to_string_lossy()));
    }
    list.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("page.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().unwrap_or_default().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
