//! Embeds the files of the web client.
//!
//! Writes a table of every file under `web/`, with its path on the server, for `edge::assets`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("web");
    println!("cargo:rerun-if-changed=web");
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(&root)?.to_str().ok_or("a file name is not UTF-8")?;
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        let file = file.to_str().ok_or("a folder name is not UTF-8")?;
        writeln!(table, "    (\"/{path}\", include_bytes!({file:?})),")?;
    }
    table.push(']');
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("web_files.rs"), table)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
