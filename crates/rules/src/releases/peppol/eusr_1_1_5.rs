//! Peppol end user statistics report 1.1.5.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{RuleSetRow, mls};
use quoin_formats::Syntax;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.5";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "eusr-1.1.5",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part { package: "peppol-eusr", version: "1.1.5", sets: &["eu.peppol:eusr:1.1.5"] }],
    sets: &[RuleSetRow {
        id: "peppol-eusr",
        syntaxes: &[Syntax::EndUserStatistics],
        coordinate: "eu.peppol:eusr:1.1.5",
        tables: &[("peppol-eusr", TABLES)],
        hand: mls::EUSR,
    }],
};
