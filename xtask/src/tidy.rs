//! The rules of the house as a test: layers, circles, sizes, module documentation, words not used.
//!
//! What is over a limit today stands in a ratchet list that may only shrink.

mod circles;
mod identifiers;
mod imports;
mod layers;
mod limits;
mod logged;
mod pages;
mod places;
mod sources;
mod types;
mod uses;

#[cfg(test)]
mod tests;

use std::path::Path;

use layers::LAYERS;
use sources::Source;

/// Lines of a file at most.
const FILE_LINES: usize = 400;
/// Lines of a function at most.
const FUNCTION_LINES: usize = 70;
/// Characters of a line at most.
const LINE_LENGTH: usize = 100;

/// What every room warns of.
const LINTS: &[&str] =
    &["unreachable_pub", "clippy::unwrap_used", "clippy::expect_used", "clippy::panic"];
/// The rooms that take bytes and time and give values; they index nothing unchecked, either.
const PURE: &[&str] = &[
    "xml", "xmldsig", "model", "formats", "render", "rules", "peppol", "ksef", "taxdata",
    "identity", "delivery",
];

/// Rooms that have no unit tests, so that they are not compiled once more for them.
const UNTESTED: &[&str] = &["server", "testing"];

/// Module names that say nothing.
const EMPTY_NAMES: &[&str] = &["common", "utils", "util", "helpers", "manager", "misc", "mod"];

/// Files that are larger than the limit; the list may only shrink.
const LARGE_FILES: &[&str] = &[];

/// Checks the whole tree and prints every breach.
pub fn run(root: &Path) -> Result<(), String> {
    let breaches = breaches(root)?;
    if breaches.is_empty() {
        println!("tidy: ok");
        return Ok(());
    }
    for breach in &breaches {
        eprintln!("tidy: {breach}");
    }
    Err(format!("tidy: {} breaches", breaches.len()))
}

/// Every breach, with its place and the rule.
pub fn breaches(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let sources = sources::read(root)?;
    for source in &sources {
        check_name(source, &mut found);
        check_head(source, &mut found);
        layers::check(source, &mut found);
        pages::citations(source, &mut found);
        identifiers::check(source, &mut found);
        imports::check(source, &mut found);
        logged::check(source, &mut found);
        logged::uncut(source, &mut found);
        if !source.is_generated() {
            check_sizes(source, &mut found);
        }
        check_words(source, &mut found);
        check_lints(source, &mut found);
        check_untested(source, &mut found);
    }
    circles::check(&sources, &mut found);
    types::check(&sources, &mut found);
    places::check(root, &mut found)?;
    limits::check(root, &mut found)?;
    layers::manifests(root, &mut found)?;
    pages::check(root, &mut found)?;
    Ok(found)
}

fn check_name(source: &Source, found: &mut Vec<String>) {
    if EMPTY_NAMES.contains(&source.stem()) {
        found.push(format!("{}: a module named {:?} says nothing", source.path, source.stem()));
    }
}

/// Every room asks for the lints that keep it from stopping where it stands.
fn check_lints(source: &Source, found: &mut Vec<String>) {
    let Some(room) =
        source.path.strip_prefix("crates/").and_then(|at| at.strip_suffix("/src/lib.rs"))
    else {
        return;
    };
    let pure = PURE.contains(&room).then_some("clippy::indexing_slicing");
    for lint in LINTS.iter().copied().chain(pure) {
        let is_room = LAYERS.iter().any(|(own, _)| *own == room);
        if is_room && !source.text.contains(lint) {
            found.push(format!("{}: must warn of {lint}", source.path));
        }
    }
}

/// A unit test where none is built would never run.
fn check_untested(source: &Source, found: &mut Vec<String>) {
    // Written in two halves, so that this file has none.
    let test = format!("#[cfg({})]", "test");
    let is_silent = UNTESTED.iter().any(|room| source.is_in_room(room));
    if is_silent && source.text.contains(&test) {
        found.push(format!("{}: a test here is not built: `test = false`", source.path));
    }
}

fn check_head(source: &Source, found: &mut Vec<String>) {
    let first = source.text.lines().find(|line| !line.starts_with("// @generated"));
    if !first.is_some_and(|line| line.starts_with("//!")) {
        found.push(format!("{}: must begin with //! and say what it is for", source.path));
    }
}

fn check_sizes(source: &Source, found: &mut Vec<String>) {
    let lines = source.text.lines().count();
    if lines > FILE_LINES && !LARGE_FILES.contains(&source.path.as_str()) {
        found.push(format!("{}: {lines} lines, at most {FILE_LINES}", source.path));
    }
    for (number, line) in source.text.lines().enumerate() {
        let length = line.chars().count();
        let is_long_word = !line.trim().trim_start_matches("//").trim().contains(' ');
        if length > LINE_LENGTH && !is_long_word && !line.contains('"') {
            let place = format!("{}:{}", source.path, number + 1);
            found.push(format!("{place}: {length} characters, at most {LINE_LENGTH}"));
        }
    }
    for (name, line, length) in sources::functions(&source.text) {
        if length > FUNCTION_LINES {
            let place = format!("{}:{line}", source.path);
            found.push(format!("{place}: fn {name} has {length} lines, at most {FUNCTION_LINES}"));
        }
    }
}

fn check_words(source: &Source, found: &mut Vec<String>) {
    // Written in two halves, so that this file does not name them.
    let unfinished = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    let ignored = format!("#[{}", "ignore");
    for word in unfinished.iter().chain([&ignored]) {
        if source.text.contains(word.as_str()) {
            found.push(format!("{}: {word} is not a finished thing", source.path));
        }
    }
}
