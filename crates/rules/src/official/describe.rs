//! What an operator says about a set: one entry of a `quoin-rules.toml`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{Applies, Coordinate};

/// What a set checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OfficialSetKind {
    /// Names, order and types of elements: an XML Schema.
    Structure,
    /// Business rules: a Schematron file.
    #[default]
    Rules,
}

impl OfficialSetKind {
    /// The kind as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            OfficialSetKind::Structure => "structure",
            OfficialSetKind::Rules => "rules",
        }
    }

    /// What a file is by the end of its name.
    pub fn of_file(path: &str) -> Option<OfficialSetKind> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        if name.ends_with(".xsd") {
            Some(OfficialSetKind::Structure)
        } else {
            (name.ends_with(".sch") || name.ends_with(".sch.xml")).then_some(OfficialSetKind::Rules)
        }
    }
}

/// A set before it is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Description {
    /// Its name.
    pub coordinate: Coordinate,
    /// Its title for people.
    #[serde(default)]
    pub title: String,
    /// What it checks.
    #[serde(default)]
    pub kind: OfficialSetKind,
    /// The main file, from the folder of the set.
    pub file: String,
    /// The phase of a Schematron file that runs; its default phase where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The first day on which it is in force; from ever where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Date>,
    /// The last day on which it is in force; to the day of the next release where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// What it applies to.
    #[serde(default)]
    pub applies: Applies,
}
