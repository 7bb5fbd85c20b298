//! Peppol, March 2026: self-billing, by the rules of CEN 1.3.13; the oldest release that is here.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::peppol::numbers;
use crate::rules::peppol::ubl::{document, lines};
use crate::rules::{Rule, RuleSetRow, UBL};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "2026-03";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "2026-03",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "peppol-bis3-selfbilling",
        version: "2026.3",
        sets: &["eu.cen.en16931:ubl:1.3.13", "eu.peppol.bis3:selfbilling-core:2026.3"],
    }],
    sets: &[RuleSetRow {
        id: "peppol-bis3-selfbilling",
        syntaxes: UBL,
        coordinate: "eu.peppol.bis3:selfbilling-core:2026.3",
        tables: &[("peppol-bis3-selfbilling", TABLES)],
        hand: SELF_BILLING,
    }],
};

/// What is tested by hand in self-billing.
const SELF_BILLING: &[&[Rule]] = &[
    document::SELF_BILLING_2026_03,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH_WITH_PREFIX,
];
