//! What is checked, and of which files.
//!
//! * [`files`]: which files there are, and what kind each is.
//! * [`size`]: lengths of files and lines, and how they end.
//! * [`code`]: what Rust code may not hold: long functions, `unwrap` outside tests, …
//! * [`layout`]: which entries the root has, and which crates an engine may know.

mod code;
mod files;
mod layout;
mod size;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use files::File;

/// Something that is out of order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Below the root.
    pub path: PathBuf,
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl Fault {
    fn new(path: &Path, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}", self.path.display(), self.what),
            line => write!(formatter, "{}:{line}: {}", self.path.display(), self.what),
        }
    }
}

/// Checks the tree at `root`; the faults are sorted.
pub fn check(root: &Path) -> anyhow::Result<Vec<Fault>> {
    let files = files::read(root).with_context(|| format!("reading {}", root.display()))?;
    let mut faults = layout::check_root(root)?;
    for file in &files {
        check_file(file, &mut faults);
    }
    faults.sort();
    Ok(faults)
}

fn check_file(file: &File, faults: &mut Vec<Fault>) {
    if !file.is_generated() && !file.is_locale() {
        size::check(file, faults);
    }
    if file.extension() == "rs" && !file.is_generated() {
        code::check(file, faults);
    }
    if file.name() == "Cargo.toml" {
        layout::check_manifest(file, faults);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The faults of a tree that holds only this file.
    fn faults(path: &str, text: &str) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        check(root.path()).unwrap().iter().map(Fault::to_string).collect()
    }

    #[test]
    fn every_rule_finds_its_fault() {
        let long_function = format!("fn long() {{\n{}}}\n", "    step();\n".repeat(69));
        let cases: &[(&str, &str, &str)] = &[
            ("services/a/src/x.rs", &"\n".repeat(601), "services/a/src/x.rs: 601 lines; at most"),
            ("services/a/x.sql", &format!("{}\n", "x".repeat(101)), ":1: 101 characters; at"),
            ("services/a/x.css", "a \n", ":1: blanks at the end of the line"),
            ("services/a/x.css", "a\r\n", ":1: a carriage return"),
            ("deploy/x.yaml", "a: 1", ":1: the last line does not end"),
            ("services/a/src/x.rs", &long_function, ":1: fn long has 71 lines; at most 70"),
            ("services/a/src/lib.rs", "pub mod a;\n", ":1: the crate has no documentation"),
            ("services/a/tests/it/main.rs", "mod a;\n", ":1: the crate has no documentation"),
            ("services/a/src/utils.rs", "", ": the name of the module says nothing"),
            ("services/a/src/x.rs", "fn f() { g().unwrap(); }\n", ":1: unwrap outside tests"),
            ("services/a/src/x.rs", "fn f() { todo!() }\n", ":1: todo!"),
            ("services/a/src/x.rs", "fn f() { dbg!(1); }\n", ":1: dbg!"),
            ("services/a/src/x.rs", "fn f() { tokio::spawn(g()); }\n", ":1: spawned outside"),
            ("services/a/src/x.rs", "fn f() { unbounded_channel(); }\n", ":1: an unbounded"),
            ("services/a/src/x.rs", "#[test]\nfn test_a() {}\n", ":2: fn test_a: a test's name"),
            ("services/a/src/x.rs", "fn f( {\n", ":1: not Rust"),
            ("scripts/x.py", "", "scripts: does not belong in the root"),
            (
                "services/table/engines/a/Cargo.toml",
                "[dependencies]\ntokio.workspace = true\n",
                ":2: an engine may not depend on tokio",
            ),
        ];
        for (path, text, expected) in cases {
            let found = faults(path, text);
            assert!(found.iter().any(|fault| fault.contains(expected)), "{path}: {found:?}");
        }
    }

    #[test]
    fn what_is_allowed_is_not_found() {
        let cases: &[(&str, &str)] = &[
            ("services/a/tests/it/x.rs", "fn f() { tokio::spawn(g()).unwrap(); }\n"),
            ("services/a/src/x.rs", "#[cfg(test)]\nmod tests { fn f() { g().unwrap(); } }\n"),
            ("services/a/src/x.rs", "fn f() { shutdown.spawn(\"a\", g()); h().unwrap_or(1); }\n"),
            ("services/a/src/x.rs", "const A: NonZeroU8 = NonZeroU8::new(1).unwrap();\n"),
            ("services/common/src/shutdown.rs", "fn f() { tokio::spawn(g()); }\n"),
            ("services/a/src/x.rs", &format!("// @generated\n{}", "//\n".repeat(700))),
            ("services/a/data.json", "{}"),
            ("services/a/locale/en.js", &format!("\"{}\"\n", "word ".repeat(30))),
            ("README.md", &format!("{}\n", "word ".repeat(60).trim_end())),
            ("services/table/engines/a/Cargo.toml", "[dev-dependencies]\nrand = \"1\"\n"),
            ("target/debug/x.rs", "fn f( {"),
        ];
        for (path, text) in cases {
            assert_eq!(faults(path, text), Vec::<String>::new(), "{path}");
        }
    }
}
