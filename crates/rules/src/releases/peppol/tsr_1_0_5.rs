//! Peppol transaction statistics report 1.0.5.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{RuleSetRow, mls};
use quoin_formats::Syntax;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.5";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "tsr-1.0.5",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part { package: "peppol-tsr", version: "1.0.5", sets: &["eu.peppol:tsr:1.0.5"] }],
    sets: &[RuleSetRow {
        id: "peppol-tsr",
        syntaxes: &[Syntax::TransactionStatistics],
        coordinate: "eu.peppol:tsr:1.0.5",
        tables: &[("peppol-tsr", TABLES)],
        hand: mls::TSR,
    }],
};
