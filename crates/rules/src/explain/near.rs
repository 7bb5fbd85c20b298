//! Rules with nearly a name: what someone may have meant.

use super::ids;

/// Names that are suggested at most.
const SUGGESTED: usize = 6;
/// Characters of a name that are compared; no rule has a longer one.
const COMPARED: usize = 64;

/// The rules whose identifiers are nearest to one that no rule has, the nearest first; none where
/// nothing is near.
pub fn near(id: &str) -> Vec<&'static str> {
    let wanted: Vec<u8> = letters(id);
    if wanted.is_empty() {
        return Vec::new();
    }
    let reach = (wanted.len() / 3).clamp(1, 3);
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for known in ids() {
        let other = letters(known);
        let within = other.starts_with(&wanted) || other.ends_with(&wanted);
        let steps = distance(&wanted, &other);
        if within || steps <= reach {
            found.push((steps, known));
        }
    }
    found.sort_unstable();
    found.into_iter().take(SUGGESTED).map(|(_, known)| known).collect()
}

/// The letters and digits of a name, in upper case: people leave hyphens out, or write others.
fn letters(name: &str) -> Vec<u8> {
    let bytes = name.bytes().take(COMPARED).filter(u8::is_ascii_alphanumeric);
    bytes.map(|byte| byte.to_ascii_uppercase()).collect()
}

/// How many letters are put in, taken out or replaced to come from one to the other.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, own) in one.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        for (cell, letter) in row.iter_mut().skip(1).zip(other) {
            let above = *cell;
            *cell = (diagonal + usize::from(own != letter)).min(above + 1).min(left + 1);
            (diagonal, left) = (above, *cell);
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
