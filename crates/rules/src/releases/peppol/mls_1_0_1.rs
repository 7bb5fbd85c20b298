//! Peppol message level status 1.0.1.

use crate::releases::{ALWAYS, MESSAGES, Part, PublishedRelease};
use crate::rules::{RuleSetRow, mls};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "mls-1.0.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part { package: "peppol-mls", version: "1.0.1", sets: &["eu.peppol:mls:1.0.1"] }],
    sets: &[RuleSetRow {
        id: "peppol-mls",
        syntaxes: MESSAGES,
        coordinate: "eu.peppol:mls:1.0.1",
        tables: &[("peppol-mls", TABLES)],
        hand: mls::MLS,
    }],
};
