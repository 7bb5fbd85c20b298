//! Peppol, November 2025 (mandatory since 2026-02-23): the oldest release of billing in UBL and
//! after the award that is here.

use crate::releases::{ALWAYS, MESSAGES, Part, PublishedRelease};
use crate::rules::peppol::numbers;
use crate::rules::peppol::ubl::{
    denmark, document, germany, greece, iceland, italy, lines, netherlands, norway, sweden,
};
use crate::rules::{Rule, RuleSetRow, UBL, postaward};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "2025-11";

/// The package of a transaction after the award, which has one set.
macro_rules! part {
    ($id:literal, $name:literal) => {
        Part {
            package: $id,
            version: "2025.11",
            sets: &[concat!("eu.peppol.bis3:", $name, ":2025.11")],
        }
    };
}

/// The set of a transaction after the award.
macro_rules! set {
    ($id:literal, $name:literal, $hand:expr) => {
        RuleSetRow {
            id: $id,
            syntaxes: MESSAGES,
            coordinate: concat!("eu.peppol.bis3:", $name, ":2025.11"),
            tables: &[($id, TABLES)],
            hand: $hand,
        }
    };
}

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "2025-11",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "peppol-bis3",
            version: "2025.11",
            sets: &["eu.cen.en16931:ubl:1.3.15", "eu.peppol.bis3:invoice-core:2025.11"],
        },
        part!("peppol-t01", "order"),
        part!("peppol-t110", "order-agreement"),
        part!("peppol-t111", "invoice-message-response"),
        part!("peppol-t114", "order-change"),
        part!("peppol-t115", "order-cancellation"),
        part!("peppol-t116", "order-response-advanced"),
        part!("peppol-t16", "despatch-advice"),
        part!("peppol-t19", "catalogue"),
        part!("peppol-t58", "catalogue-response"),
        part!("peppol-t71", "mlr"),
        part!("peppol-t76", "order-response"),
        part!("peppol-t77", "punch-out"),
    ],
    sets: &[
        RuleSetRow {
            id: "peppol-bis3-ubl",
            syntaxes: UBL,
            coordinate: "eu.peppol.bis3:invoice-core:2025.11",
            tables: &[("peppol-bis3-ubl", TABLES)],
            hand: BILLING,
        },
        set!("peppol-t01", "order", postaward::T01),
        set!("peppol-t110", "order-agreement", postaward::T110),
        set!("peppol-t111", "invoice-message-response", postaward::T111),
        set!("peppol-t114", "order-change", postaward::T114),
        set!("peppol-t115", "order-cancellation", postaward::T115),
        set!("peppol-t116", "order-response-advanced", postaward::T116),
        set!("peppol-t16", "despatch-advice", postaward::T16),
        set!("peppol-t19", "catalogue", postaward::T19),
        set!("peppol-t58", "catalogue-response", postaward::T58),
        set!("peppol-t71", "mlr", postaward::T71),
        set!("peppol-t76", "order-response", postaward::T76),
        set!("peppol-t77", "punch-out", postaward::T77),
    ],
};

/// What is tested by hand in billing.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const BILLING: &[&[Rule]] = &[
    document::BILLING_2025_11,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    norway::RULES,
    denmark::RULES,
    italy::RULES,
    sweden::RULES,
    sweden::ACCOUNTS,
    greece::RULES,
    iceland::RULES,
    netherlands::RULES,
    denmark::WARNINGS,
    germany::RULES[0],
    germany::RULES[1],
    germany::RULES[2],
    germany::UNTIL_2026_05[0],
    germany::UNTIL_2026_05[1],
    germany::UNTIL_2026_05[2],
];
