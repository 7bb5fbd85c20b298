//! The Rust files of the tree and the functions in them.

use std::path::{Path, PathBuf};

/// A Rust file.
pub struct Source {
    /// Path from the root, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The file name without its ending.
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".rs").unwrap_or(name)
    }

    /// Whether it was written by a generator, or is a table.
    pub fn is_generated(&self) -> bool {
        self.text.starts_with("// @generated")
    }

    /// Whether it holds tests only.
    pub fn is_test(&self) -> bool {
        self.stem() == "tests" || self.path.contains("/tests/")
    }

    /// Whether it belongs to the product code of a room.
    pub fn is_in_room(&self, room: &str) -> bool {
        self.path.starts_with(&format!("crates/{room}/src/"))
    }
}

/// Reads every Rust file below `crates` and `xtask`.
pub fn read(root: &Path) -> Result<Vec<Source>, String> {
    let mut paths = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root.join(folder), &mut paths)?;
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text =
                std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let relative = path.strip_prefix(root).unwrap_or(&path);
            Ok(Source { path: relative.to_string_lossy().replace('\\', "/"), text })
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Name, first line and length of every function, as rustfmt lays them out: a function ends at the
/// closing brace in the column where it began.
pub fn functions(text: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let Some(name) = function_name(line.trim_start()) else { continue };
        let closing = format!("{}}}", " ".repeat(indent));
        let rest = lines.get(start..).unwrap_or_default();
        let opens = rest.iter().position(|line| line.ends_with('{') || line.ends_with(';'));
        let is_body = opens.and_then(|at| rest.get(at)).is_some_and(|line| line.ends_with('{'));
        if !is_body {
            continue;
        }
        if let Some(length) = rest.iter().position(|line| *line == closing) {
            found.push((name.to_owned(), start + 1, length + 1));
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let mut rest = line;
    for word in ["pub ", "pub(super) ", "pub(crate) ", "const ", "async "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(['(', '<']).next()
}
