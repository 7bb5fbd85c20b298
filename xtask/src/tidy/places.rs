//! A place that a document names is there: the table of common changes is of no use otherwise.

use std::path::Path;

use super::LAYERS;

/// Documents that speak of how things were.
const OF_THE_PAST: &str = "adr";

/// Every place of a room, in the documents of the tree, that is not there.
pub fn check(root: &Path, found: &mut Vec<String>) -> Result<(), String> {
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        document(root, &root.join(name), found)?;
    }
    folder(root, &root.join("docs"), found)
}

fn folder(root: &Path, at: &Path, found: &mut Vec<String>) -> Result<(), String> {
    let entries = std::fs::read_dir(at).map_err(|e| format!("{}: {e}", at.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        let is_old = path.file_name().is_some_and(|name| name == OF_THE_PAST);
        match path.extension().is_some_and(|ending| ending == "md") {
            true => document(root, &path, found)?,
            false if path.is_dir() && !is_old => folder(root, &path, found)?,
            false => {}
        }
    }
    Ok(())
}

fn document(root: &Path, path: &Path, found: &mut Vec<String>) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    for (number, line) in text.lines().enumerate() {
        for place in line.split('`').skip(1).step_by(2).flat_map(places) {
            let at = root.join("crates").join(&place);
            if !at.exists() && !at.with_extension("rs").exists() {
                let name = path.strip_prefix(root).unwrap_or(path).display();
                found.push(format!("{name}:{}: there is no {place}", number + 1));
            }
        }
    }
    Ok(())
}

/// The paths in the room that a quoted text names: `xml/src/{tree,xpath}` names two. What stands
/// for any name (`<family>`, `NAME`) ends a path.
pub fn places(quoted: &str) -> Vec<String> {
    let Some((room, rest)) = quoted.split_once('/') else { return Vec::new() };
    let is_room = LAYERS.iter().any(|(own, _)| *own == room);
    if !is_room || !rest.starts_with("src/") || quoted.contains(' ') {
        return Vec::new();
    }
    let whole = match quoted.split_once('{') {
        Some((head, tail)) => match tail.split_once('}') {
            Some((names, end)) => {
                names.split(',').map(|name| format!("{head}{}{end}", name.trim())).collect()
            }
            None => Vec::new(),
        },
        None => vec![quoted.to_owned()],
    };
    let is_any = |part: &str| {
        let name = part.split('.').next().unwrap_or_default();
        name.starts_with('<') || name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase())
    };
    let known = |path: String| {
        let parts = path.trim_end_matches('/').split('/');
        let path = parts.take_while(|part| !is_any(part)).collect::<Vec<_>>().join("/");
        // A constant in the file is not a part of the path.
        path.split_once(".rs:").map_or(path.clone(), |(file, _)| format!("{file}.rs"))
    };
    whole.into_iter().map(known).collect()
}
