//! Inside a room, the imports of top-level folders make no circle.
//!
//! Cargo keeps the rooms apart; inside a room nothing does. A folder, with the file beside it, is
//! one node; an arrow is a path in product code that begins with `crate::`, or with as many
//! `super::` as lead to the root. A name of the root of the crate counts as one of the folder that
//! it comes from, whether the root exports it or only imports it.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Source;
use super::{LAYERS, uses};

/// The arrows of a room: folder to folders, each with a file that has it.
type Arrows = BTreeMap<String, BTreeMap<String, String>>;

/// Every folder that is in a circle.
pub fn check(sources: &[Source], found: &mut Vec<String>) {
    for (room, _) in LAYERS {
        let arrows = arrows(room, sources);
        let in_circle = arrows.keys().filter(|folder| reaches(&arrows, folder).contains(*folder));
        found.extend(in_circle.map(|folder| format!("crates/{room}: {}", told(&arrows, folder))));
    }
}

/// The arrows of a circle out of a folder, each with its file.
fn told(arrows: &Arrows, folder: &str) -> String {
    let back = arrows
        .get(folder)
        .into_iter()
        .flatten()
        .filter(|(to, _)| to.as_str() == folder || reaches(arrows, to).contains(folder));
    let back: Vec<String> = back.map(|(to, file)| format!("{to} ({file})")).collect();
    format!("{folder} is in a circle by {}", back.join(", "))
}

/// Everything that a folder comes to along the arrows.
fn reaches(arrows: &Arrows, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(at) = open.pop() {
        for to in arrows.get(&at).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    seen
}

fn arrows(room: &str, sources: &[Source]) -> Arrows {
    let start = format!("crates/{room}/src/");
    let own = || sources.iter().filter_map(|s| Some((s.path.strip_prefix(&start)?, s)));
    let folder_of = |path: &str| {
        let first = path.split('/').next().unwrap_or_default();
        first.trim_end_matches(".rs").to_owned()
    };
    let folders: BTreeSet<String> = own().map(|(path, _)| folder_of(path)).collect();
    let root = own().find(|(path, _)| *path == "lib.rs").map(|(_, source)| source);
    let names = root.map(|root| uses::of_root(&root.text)).unwrap_or_default();
    let mut arrows = Arrows::new();
    for (path, source) in own() {
        let from = folder_of(path);
        if source.is_test() || ["lib", "main", "growth"].contains(&from.as_str()) {
            continue;
        }
        let to = arrows.entry(from.clone()).or_default();
        let mut named = uses::after("crate::", &source.text);
        let to_root = "super::".repeat(1 + path.matches('/').count());
        named.extend(uses::after(&to_root, &source.text));
        for name in named {
            let folder = if folders.contains(&name) { Some(&name) } else { names.get(&name) };
            if let Some(folder) = folder.filter(|folder| **folder != from) {
                to.entry(folder.clone()).or_insert_with(|| path.to_owned());
            }
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(path, text): &(&str, &str)| Source {
            path: format!("crates/model/src/{path}"),
            text: (*text).to_owned(),
        };
        let mut found = Vec::new();
        check(&files.iter().map(source).collect::<Vec<_>>(), &mut found);
        found
    }

    #[test]
    fn a_circle_is_found_through_files_and_names_of_the_root() {
        let root = ("lib.rs", "mod a;\nmod b;\npub use b::{B, C};\n");
        let a = ("a/deep.rs", "use crate::{C, x};\n");
        assert_eq!(found(&[root, a, ("b.rs", "fn f() { crate::a::g() }\n")]).len(), 2);
        assert_eq!(found(&[root, a, ("b.rs", "// crate::a is above\n")]), [""; 0]);
        let tested = "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::a::g;\n}\n";
        assert_eq!(found(&[root, a, ("b.rs", tested)]), [""; 0]);
    }

    #[test]
    fn a_circle_is_found_by_every_way_to_the_root() {
        let b = ("b.rs", "use crate::a::A;\n");
        for root in ["mod a;\nmod b;\npub(crate) use b::B;\n", "mod a;\nmod b;\nuse b::B;\n"] {
            let named = ("a.rs", "fn f(_: crate::B) {}\n");
            assert_eq!(found(&[("lib.rs", root), named, b]).len(), 2, "{root}");
        }
        let root = ("lib.rs", "mod a;\nmod b;\n");
        let deep = ("a/deep.rs", "use super::super::b::B;\n");
        assert_eq!(found(&[root, deep, b]).len(), 2);
        assert_eq!(found(&[root, ("a/deep.rs", "use super::b::B;\n"), b]), [""; 0]);
    }
}
