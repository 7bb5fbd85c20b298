//! A single rule file with what it includes: nothing else of the folder that it lies in.

use std::path::Path;

use quoin_rules::official::SetFiles;
use quoin_xml::tree::{Document, Element, Limits};

use super::RulesError;
use super::package::{MAX_FILE, MAX_FILES, file};

/// Elements that name another file, of Schematron, XSLT, XInclude and XML Schema.
const REFERENCES: &[&str] = &["include", "import", "extends", "redefine", "override"];
/// Functions whose argument is another file.
const FUNCTIONS: &[&str] = &["document(", "doc("];

/// Reads the file `main` of a folder, and what it names there, in turn. What leads out of the
/// folder or is not there is left to whoever compiles the file: he tells where it is named.
pub(super) fn read(folder: &Path, main: &str) -> Result<SetFiles, RulesError> {
    let mut files = SetFiles::new();
    file(&folder.join(main), main.to_owned(), &mut files)?;
    let root = folder.canonicalize().map_err(RulesError::file(folder))?;
    let mut waiting = vec![main.to_owned()];
    while let Some(name) = waiting.pop() {
        for reference in references(&files, &name) {
            let Some(path) = join(&name, &reference) else { continue };
            // A link may lead anywhere.
            let inside = root.join(&path).canonicalize().ok();
            let inside = inside.filter(|found| found.starts_with(&root) && found.is_file());
            if let (Some(found), false) = (inside, files.contains_key(&path)) {
                if files.len() >= MAX_FILES {
                    let (what, limit) = ("files", MAX_FILES as u64);
                    return Err(RulesError::Limit { path: folder.join(main), what, limit });
                }
                file(&found, path.clone(), &mut files)?;
                waiting.push(path);
            }
        }
    }
    Ok(files)
}

/// The phases of the Schematron files of a package, by their ids.
pub(super) fn phases(files: &SetFiles) -> Vec<String> {
    let mut found = Vec::new();
    for name in files.keys() {
        let Some(document) = parsed(files, name) else { continue };
        let all = document.root().descendants().filter(|element| element.local() == "phase");
        found.extend(all.filter_map(|element| element.attribute("id")).map(str::to_owned));
    }
    found
}

fn parsed(files: &SetFiles, name: &str) -> Option<Document> {
    let limits = Limits { bytes: MAX_FILE as usize, ..Limits::default() };
    Document::parse(files.get(name)?, &limits).ok()
}

/// What a file names: other files, as they are written. One that is no XML names none.
fn references(files: &SetFiles, name: &str) -> Vec<String> {
    let Some(document) = parsed(files, name) else { return Vec::new() };
    let mut found = Vec::new();
    for element in std::iter::once(document.root()).chain(document.root().descendants()) {
        found.extend(named(element));
        element.attributes().for_each(|attribute| arguments(attribute.value, &mut found));
    }
    found
}

fn named(element: Element<'_>) -> Option<String> {
    let is_reference = REFERENCES.contains(&element.local());
    let path = element.attribute("href").or_else(|| element.attribute("schemaLocation"))?;
    let path = path.split('#').next().unwrap_or_default().trim();
    (is_reference && !path.is_empty()).then(|| path.to_owned())
}

/// The texts that are given to functions which open a file.
fn arguments(expression: &str, found: &mut Vec<String>) {
    for function in FUNCTIONS {
        for after in expression.split(function).skip(1) {
            let after = after.trim_start();
            let Some(quote) = after.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
                continue;
            };
            let text = after.get(1..).and_then(|rest| rest.split_once(quote));
            found.extend(text.map(|(path, _)| path.split('#').next().unwrap_or(path).to_owned()));
        }
    }
}

/// A path as it is written in the file `base`, from the folder; none where it leads out of it or is
/// no relative path.
fn join(base: &str, written: &str) -> Option<String> {
    if written.starts_with('/') || written.contains(['\\', ':', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}
