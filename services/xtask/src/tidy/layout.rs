//! The shape of the tree: entries of the root, and which way dependencies point.

use std::path::Path;
use std::{fs, io};

use super::Fault;
use super::files::File;

/// What the root may hold. Anything else belongs in one of these.
const ROOT: [&str; 20] = [
    ".cargo",
    ".ci",
    ".git",
    ".gitignore",
    ".work",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "charts",
    "clippy.toml",
    "deny.toml",
    "deploy",
    "parlor-data",
    "proto",
    "rustfmt.toml",
    "services",
    "target",
];

/// Where the engines live.
const ENGINES: &str = "services/table/engines";

/// What an engine may not know: everything that is not the game.
const OUTSIDE: [&str; 13] = [
    "axum",
    "getrandom",
    "opentelemetry",
    "parlor-common",
    "parlor-proto",
    "prost",
    "redb",
    "redis",
    "sqlx",
    "tokio",
    "tonic",
    "tracing",
    "uuid",
];

pub fn check_root(root: &Path) -> io::Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name();
        if !ROOT.iter().any(|allowed| name == *allowed) {
            let what = "does not belong in the root of the tree";
            faults.push(Fault::new(Path::new(&name), 0, what));
        }
    }
    Ok(faults)
}

/// Invariant: engines know nothing of the shell. Their tests and benches may.
pub fn check_manifest(file: &File, faults: &mut Vec<Fault>) {
    if !file.path.starts_with(ENGINES) {
        return;
    }
    let mut section = "";
    for (index, line) in file.text.lines().enumerate() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']', ' ']);
        }
        let name: &str = line.split(['.', '=', ' ']).next().unwrap_or("");
        if section == "dependencies" && OUTSIDE.contains(&name) {
            let what = format!("an engine may not depend on {name}");
            faults.push(Fault::new(&file.path, index + 1, what));
        }
    }
}
