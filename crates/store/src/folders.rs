//! The folders that large documents lie in: one for each owner.

use std::path::{Path, PathBuf};

/// Where a file of an owner is in such a folder; the names of owners have no separators.
pub(crate) fn place(folder: &Path, file: &str) -> PathBuf {
    let (owner, name) = file.split_once('/').unwrap_or(("", file));
    folder.join(folder_of(owner)).join(name)
}

/// The folder of an owner: its name, unless that means another folder.
pub(crate) fn folder_of(owner: &str) -> &str {
    match owner {
        "." => "%2E",
        ".." => "%2E%2E",
        name => name,
    }
}

/// The owner of a folder.
pub(crate) fn owner_of(folder: &str) -> &str {
    match folder {
        "%2E" => ".",
        "%2E%2E" => "..",
        name => name,
    }
}
