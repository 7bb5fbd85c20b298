//! Finding parsers in the source of a crate: functions that others may call and that take bytes.

use std::collections::BTreeSet;
use std::path::Path;

/// The functions in `src` that take bytes (`&[u8]`, with or without a lifetime, or `Bytes`), may be
/// called from outside their module, and are in none of the lists: `file.rs function`.
///
/// `exempt` has those that read nothing from outside, each with its reason.
///
/// # Panics
/// Where the source cannot be read, or a list names what is not there.
pub(super) fn unlisted(crate_dir: &str, covered: &[&str], exempt: &[(&str, &str)]) -> Vec<String> {
    let src = Path::new(crate_dir).join("src");
    let mut found = BTreeSet::new();
    walk(&src, &src, &mut found);
    let listed: BTreeSet<&str> =
        covered.iter().copied().chain(exempt.iter().map(|(name, _)| *name)).collect();
    let gone: Vec<_> = listed.iter().filter(|name| !found.contains(**name)).collect();
    assert!(gone.is_empty(), "listed, but not there (any more): {gone:?}");
    found.into_iter().filter(|name| !listed.contains(name.as_str())).collect()
}

fn walk(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if stem == "tests" || stem == "growth" {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file is text");
            let file = path.strip_prefix(root).expect("below the root").display().to_string();
            found.extend(functions(&text).map(|name| format!("{file} {name}")));
        }
    }
}

/// The names of functions with `pub` before them and bytes among their arguments.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("fn ").filter_map(|(at, _)| {
        let line = text.get(..at)?.rsplit('\n').next()?.trim_start();
        let signature = text.get(at + 3..)?;
        let signature = signature.get(..signature.find(['{', ';'])?)?;
        let name = signature.split(['(', '<']).next()?;
        let arguments = signature.split("->").next()?;
        let bytes = ["[u8]", "Bytes,", "Bytes)", "Bytes\n"];
        let takes = bytes.iter().any(|bytes| arguments.contains(bytes));
        (line.starts_with("pub") && takes).then_some(name)
    })
}
