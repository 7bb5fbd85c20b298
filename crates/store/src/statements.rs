//! Every statement of the store, read from its source, so that a test can ask the engine how it
//! would answer each of them. What is written as SQL in a file of this room is found: a constant, a
//! macro that puts constants together, a statement in the middle of a function.

mod plans;
mod source;

use std::path::{Path, PathBuf};

/// A statement, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct FoundStatement {
    /// Its file below `src`.
    pub(crate) file: String,
    /// The constant it is, or the one before it.
    pub(crate) name: String,
    /// The statement.
    pub(crate) sql: String,
}

/// With which words a text is taken for a statement.
const VERBS: [&str; 5] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];

pub(crate) fn is_statement(text: &str) -> bool {
    VERBS.iter().any(|verb| text.starts_with(verb))
}

/// Every statement of the room.
pub(crate) fn all() -> Vec<FoundStatement> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in files(&root) {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        if file.ends_with("tests.rs") || file.starts_with("statements") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        found.extend(source::statements(&root, &file, &text));
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}
