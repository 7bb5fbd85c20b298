//! What a file names of its own crate.

use std::collections::BTreeMap;

/// The names that follow `crate::` or `super::` in the product code of a file.
pub fn after(keyword: &str, text: &str) -> Vec<String> {
    let text = product(text);
    let mut names = Vec::new();
    for (at, _) in text.match_indices(keyword) {
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_whole {
            names.extend(heads(&text[at + keyword.len()..]));
        }
    }
    names
}

/// The names that the root of a crate exports or imports, and the folder that each comes from.
pub fn of_root(root: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for item in product(root).split(';') {
        let words = item.split_whitespace().skip_while(|word| *word != "use").skip(1);
        let tree: String = words.flat_map(|word| [word, " "]).collect();
        let tree = tree.trim_start_matches("crate::").trim_start_matches("self::");
        let Some((folder, rest)) = tree.split_once("::") else { continue };
        let words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for name in words.filter(|word| !word.is_empty()) {
            names.insert(name.to_owned(), folder.trim().to_owned());
        }
    }
    names
}

/// The first names of a path, or of each branch of a tree in braces.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(tree) = path.strip_prefix('{') else { return vec![word(path)] };
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (at, sign) in tree.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => {
                all.push(word(tree[start..at].trim_start()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(word(tree[start..at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
    }
    all
}

/// A file without comments, and without what is compiled for tests only at its end.
pub fn product(text: &str) -> String {
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}
