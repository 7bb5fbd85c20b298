//! Peppol, May 2025: the last release of BIS Billing in CII. It comes with the rules of CEN
//! 1.3.14.1.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::peppol::cii::{denmark, document, lines, national};
use crate::rules::peppol::{numbers, ubl::sweden};
use crate::rules::{CII, Rule, RuleSetRow};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "2025-05";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "2025-05",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "peppol-bis3-cii",
        version: "2025.5",
        sets: &["eu.cen.en16931:cii:1.3.14.1", "eu.peppol.bis3:invoice-core-cii:2025.5"],
    }],
    sets: &[RuleSetRow {
        id: "peppol-bis3-cii",
        syntaxes: CII,
        coordinate: "eu.peppol.bis3:invoice-core-cii:2025.5",
        tables: &[("peppol-bis3-cii", TABLES)],
        hand: BILLING,
    }],
};

/// What is tested by hand in billing.
const BILLING: &[&[Rule]] = &[
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::DANISH,
    numbers::AUSTRALIAN_OF_ANY_SHAPE,
    national::RULES,
    denmark::RULES,
    sweden::ACCOUNTS,
];
