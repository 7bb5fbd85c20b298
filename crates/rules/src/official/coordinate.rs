//! The name of a rule set: `group:artifact:release`, such as `eu.peppol.bis3:invoice:2026.5`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// Characters of a coordinate at most.
const MAX_LENGTH: usize = 200;

/// A coordinate. Ordered by group, artifact and release, releases by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Coordinate {
    text: String,
    /// Where the release begins.
    release: usize,
}

/// Why a text is not a coordinate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a coordinate: expected group:artifact:release of letters, digits, '.', '-' \
     and '_', as in eu.peppol.bis3:invoice:2026.5"
)]
pub struct CoordinateError(String);

impl FromStr for Coordinate {
    type Err = CoordinateError;

    fn from_str(text: &str) -> Result<Coordinate, CoordinateError> {
        let fits = |part: &str| {
            let inner = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
            part.bytes().all(inner) && part.starts_with(|c: char| c.is_ascii_alphanumeric())
        };
        let parts = text.split(':');
        let right = parts.clone().count() == 3 && parts.into_iter().all(fits);
        match text.rfind(':') {
            Some(at) if right && text.len() <= MAX_LENGTH => {
                Ok(Coordinate { text: text.to_owned(), release: at + 1 })
            }
            _ => Err(CoordinateError(text.chars().take(MAX_LENGTH).collect())),
        }
    }
}

impl Coordinate {
    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Group and artifact: what all releases have in common.
    pub fn line(&self) -> &str {
        self.text.get(..self.release.saturating_sub(1)).unwrap_or_default()
    }

    /// The release.
    pub fn release(&self) -> &str {
        self.text.get(self.release..).unwrap_or_default()
    }
}

impl Ord for Coordinate {
    fn cmp(&self, other: &Coordinate) -> Ordering {
        let lines = self.line().cmp(other.line());
        lines.then_with(|| by_number(self.release(), other.release()))
    }
}

impl PartialOrd for Coordinate {
    fn partial_cmp(&self, other: &Coordinate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `2025.11` is before `2026.5`, and `1.3.9` before `1.3.16`.
fn by_number(one: &str, other: &str) -> Ordering {
    let parts = |text: &str| -> Vec<(Option<u64>, String)> {
        text.split(['.', '-', '_']).map(|part| (part.parse().ok(), part.to_owned())).collect()
    };
    parts(one).cmp(&parts(other)).then_with(|| one.cmp(other))
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for Coordinate {
    type Error = CoordinateError;

    fn try_from(text: String) -> Result<Coordinate, CoordinateError> {
        text.parse()
    }
}

impl From<Coordinate> for String {
    fn from(coordinate: Coordinate) -> String {
        coordinate.text
    }
}
