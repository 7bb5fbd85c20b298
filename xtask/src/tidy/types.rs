//! A name of a type stands for one thing: who searches for it finds one definition.
//!
//! Product code of the rooms only; what is compiled for tests, and what a macro makes, is not seen.

use std::collections::BTreeMap;

use super::sources::Source;
use super::{LAYERS, uses};

/// The words that begin the definition of a type. An alias counts where it is no part of an impl.
const WORDS: &[&str] = &["struct", "enum", "trait", "union", "type"];

/// Every name that is defined twice, with the places.
pub fn check(sources: &[Source], found: &mut Vec<String>) {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| is_product(source)) {
        for name in defined(&source.text) {
            places.entry(name).or_default().push(&source.path);
        }
    }
    for (name, places) in places.iter().filter(|(_, places)| places.len() > 1) {
        found.push(format!("the type {name} is defined in {}", places.join(" and ")));
    }
}

fn is_product(source: &Source) -> bool {
    !source.is_test() && LAYERS.iter().any(|(room, _)| source.is_in_room(room))
}

/// The types that a file defines.
pub fn defined(text: &str) -> Vec<String> {
    let text = uses::product(text);
    let mut names = Vec::new();
    let mut is_for_tests = false;
    for line in text.lines() {
        let inner = line.trim_start();
        if inner.starts_with("#[") {
            is_for_tests |= inner.starts_with("#[cfg(test)]");
            continue;
        }
        let is_nested = line.len() != inner.len();
        let name = name_of(inner).filter(|(word, _)| !is_nested || *word != "type");
        if let Some((_, name)) = name.filter(|_| !is_for_tests) {
            names.push(name);
        }
        is_for_tests &= inner.is_empty();
    }
    names
}

/// The word and the name of a definition.
fn name_of(line: &str) -> Option<(&'static str, String)> {
    let bare = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let (word, rest) = bare.trim_start().split_once(' ')?;
    let word = WORDS.iter().find(|own| **own == word)?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some((*word, name))
}
