//! `quoin-rules.toml`: what the sets in a folder are called, when they are in force and what they
//! apply to. An operator may write one beside the official files; the registry keeps one beside
//! each package it holds.

use std::path::Path;

use jiff::Timestamp;
use quoin_rules::official::Description;
use serde::{Deserialize, Serialize};

use super::{RulesError, syntax_name, syntax_named};

/// The name of a manifest.
pub const MANIFEST: &str = "quoin-rules.toml";

/// Bytes of a manifest at most.
const MAX_BYTES: usize = 1 << 20;

/// The content of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesManifest {
    /// When the package was registered; written by the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_on: Option<Timestamp>,
    /// What the package was called; written by the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The sets.
    #[serde(default, rename = "set")]
    pub sets: Vec<Description>,
}

impl RulesManifest {
    /// Reads a manifest. Dates may be written with or without quotes.
    ///
    /// # Errors
    /// [`RulesError::Manifest`].
    pub fn read(path: &Path, bytes: &[u8]) -> Result<RulesManifest, RulesError> {
        let wrong = |reason: String| RulesError::Manifest { path: path.to_owned(), reason };
        if bytes.len() > MAX_BYTES {
            return Err(wrong(format!("it is larger than {MAX_BYTES} bytes")));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
        let table: toml::Table = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let mut plain = dates_as_texts(toml::Value::Table(table));
        usual_names(&mut plain);
        plain.try_into().map_err(|error: toml::de::Error| wrong(error.to_string()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// Never in practice: every field has a form in TOML.
    pub fn text(&self) -> Result<String, RulesError> {
        let path = Path::new(MANIFEST).to_owned();
        toml::to_string(self)
            .map_err(|error| RulesError::Manifest { path, reason: error.to_string() })
    }
}

/// TOML has dates of its own; the rest of the house writes them as texts.
fn dates_as_texts(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Datetime(date) => toml::Value::String(date.to_string()),
        toml::Value::Array(all) => {
            toml::Value::Array(all.into_iter().map(dates_as_texts).collect())
        }
        toml::Value::Table(all) => {
            let entries = all.into_iter().map(|(key, value)| (key, dates_as_texts(value)));
            toml::Value::Table(entries.collect())
        }
        other => other,
    }
}

/// Formats may be named as in the reference, too.
fn usual_names(manifest: &mut toml::Value) {
    let sets = manifest.get_mut("set").and_then(toml::Value::as_array_mut);
    for set in sets.into_iter().flatten() {
        let formats = set.get_mut("applies").and_then(|applies| applies.get_mut("formats"));
        for name in formats.and_then(toml::Value::as_array_mut).into_iter().flatten() {
            let known = name.as_str().and_then(syntax_named).and_then(syntax_name);
            if let Some(known) = known {
                *name = toml::Value::String(known);
            }
        }
    }
}
