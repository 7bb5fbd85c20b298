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
        part!("peppol-t01", "eu.peppol.bis3:order", "2025.11"),
        part!("peppol-t110", "eu.peppol.bis3:order-agreement", "2025.11"),
        part!("peppol-t111", "eu.peppol.bis3:invoice-message-response", "2025.11"),
        part!("peppol-t114", "eu.peppol.bis3:order-change", "2025.11"),
        part!("peppol-t115", "eu.peppol.bis3:order-cancellation", "2025.11"),
        part!("peppol-t116", "eu.peppol.bis3:order-response-advanced", "2025.11"),
        part!("peppol-t16", "eu.peppol.bis3:despatch-advice", "2025.11"),
        part!("peppol-t19", "eu.peppol.bis3:catalogue", "2025.11"),
        part!("peppol-t58", "eu.peppol.bis3:catalogue-response", "2025.11"),
        part!("peppol-t71", "eu.peppol.bis3:mlr", "2025.11"),
        part!("peppol-t76", "eu.peppol.bis3:order-response", "2025.11"),
        part!("peppol-t77", "eu.peppol.bis3:punch-out", "2025.11"),
    ],
    sets: &[
        RuleSetRow {
            id: "peppol-bis3-ubl",
            syntaxes: UBL,
            coordinate: "eu.peppol.bis3:invoice-core:2025.11",
            tables: &[("peppol-bis3-ubl", TABLES)],
            hand: BILLING,
        },
        set!("peppol-t01", "eu.peppol.bis3:order", "2025.11", MESSAGES, postaward::T01),
        set!("peppol-t110", "eu.peppol.bis3:order-agreement", "2025.11", MESSAGES, postaward::T110),
        set!(
            "peppol-t111",
            "eu.peppol.bis3:invoice-message-response",
            "2025.11",
            MESSAGES,
            postaward::T111
        ),
        set!("peppol-t114", "eu.peppol.bis3:order-change", "2025.11", MESSAGES, postaward::T114),
        set!(
            "peppol-t115",
            "eu.peppol.bis3:order-cancellation",
            "2025.11",
            MESSAGES,
            postaward::T115
        ),
        set!(
            "peppol-t116",
            "eu.peppol.bis3:order-response-advanced",
            "2025.11",
            MESSAGES,
            postaward::T116
        ),
        set!("peppol-t16", "eu.peppol.bis3:despatch-advice", "2025.11", MESSAGES, postaward::T16),
        set!("peppol-t19", "eu.peppol.bis3:catalogue", "2025.11", MESSAGES, postaward::T19),
        set!(
            "peppol-t58",
            "eu.peppol.bis3:catalogue-response",
            "2025.11",
            MESSAGES,
            postaward::T58
        ),
        set!("peppol-t71", "eu.peppol.bis3:mlr", "2025.11", MESSAGES, postaward::T71),
        set!("peppol-t76", "eu.peppol.bis3:order-response", "2025.11", MESSAGES, postaward::T76),
        set!("peppol-t77", "eu.peppol.bis3:punch-out", "2025.11", MESSAGES, postaward::T77),
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
