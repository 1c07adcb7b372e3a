//! The files of the tree.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 6] = [".git", ".work", "artifacts", "corpus", "node_modules", "target"];

/// Kinds of text that people write and read here.
const READ: [&str; 14] = [
    "css", "html", "js", "md", "mjs", "proto", "py", "rs", "sh", "sql", "toml", "tpl", "yaml",
    "yml",
];

/// A text file.
#[derive(Clone, Debug)]
pub struct File {
    /// Below the root, with `/`.
    pub path: PathBuf,
    /// What it holds.
    pub text: String,
}

impl File {
    /// The name's end, without the dot; of a script without one: `sh`.
    pub fn extension(&self) -> &str {
        match self.path.extension().and_then(|extension| extension.to_str()) {
            None if self.text.starts_with("#!/") => "sh",
            extension => extension.unwrap_or(""),
        }
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or("")
    }

    /// Whether it says of itself, near its beginning, that a program wrote it.
    pub fn is_generated(&self) -> bool {
        self.text.lines().take(5).any(|line| line.contains("@generated"))
    }

    /// Whether the whole file is for tests or benches.
    pub fn is_test(&self) -> bool {
        self.parts().any(|part| matches!(part, "tests" | "benches" | "examples" | "tests.rs"))
    }

    /// Whether it holds sentences in a language, which are as long as they are.
    pub fn is_locale(&self) -> bool {
        self.parts().any(|part| part == "locale")
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        self.path.components().filter_map(|part| part.as_os_str().to_str())
    }
}

/// Reads the files below `root`, sorted by path.
pub fn read(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name();
            if kind.is_dir() {
                if !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if kind.is_file() {
                files.extend(read_file(root, &path)?);
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn read_file(root: &Path, path: &Path) -> io::Result<Option<File>> {
    let known = match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) => READ.contains(&extension),
        None => true,
    };
    if !known {
        return Ok(None);
    }
    match fs::read_to_string(path) {
        Ok(text) => {
            let path = path.strip_prefix(root).unwrap_or(path).to_owned();
            Ok(Some(File { path, text }))
        }
        // A picture or a program without an extension.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
        Err(error) => Err(error),
    }
}
