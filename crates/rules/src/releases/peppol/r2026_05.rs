//! Peppol, May 2026: billing in UBL, self-billing and after the award.

use jiff::civil::date;

use crate::releases::{MESSAGES, Part, PublishedRelease};
use crate::rules::peppol::numbers;
use crate::rules::peppol::ubl::{
    denmark, document, germany, greece, iceland, italy, lines, netherlands, norway, sweden,
};
use crate::rules::{Rule, RuleSetRow, UBL, postaward};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "2026-05";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "2026-05",
    published: date(2026, 5, 18),
    mandatory: date(2026, 8, 17),
    parts: &[
        Part {
            package: "peppol-bis3",
            version: "2026.5",
            sets: &["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:invoice-core:2026.5"],
        },
        Part {
            package: "peppol-bis3-selfbilling",
            version: "2026.5",
            sets: &["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:selfbilling-core:2026.5"],
        },
        part!("peppol-t01", "eu.peppol.bis3:order", "2026.5"),
        part!("peppol-t110", "eu.peppol.bis3:order-agreement", "2026.5"),
        part!("peppol-t111", "eu.peppol.bis3:invoice-message-response", "2026.5"),
        part!("peppol-t114", "eu.peppol.bis3:order-change", "2026.5"),
        part!("peppol-t115", "eu.peppol.bis3:order-cancellation", "2026.5"),
        part!("peppol-t116", "eu.peppol.bis3:order-response-advanced", "2026.5"),
        part!("peppol-t16", "eu.peppol.bis3:despatch-advice", "2026.5"),
        part!("peppol-t19", "eu.peppol.bis3:catalogue", "2026.5"),
        part!("peppol-t58", "eu.peppol.bis3:catalogue-response", "2026.5"),
        part!("peppol-t71", "eu.peppol.bis3:mlr", "2026.5"),
        part!("peppol-t76", "eu.peppol.bis3:order-response", "2026.5"),
        part!("peppol-t77", "eu.peppol.bis3:punch-out", "2026.5"),
    ],
    sets: &[
        RuleSetRow {
            id: "peppol-bis3-ubl",
            syntaxes: UBL,
            coordinate: "eu.peppol.bis3:invoice-core:2026.5",
            tables: &[("peppol-bis3-ubl", TABLES)],
            hand: BILLING,
        },
        RuleSetRow {
            id: "peppol-bis3-selfbilling",
            syntaxes: UBL,
            coordinate: "eu.peppol.bis3:selfbilling-core:2026.5",
            tables: &[("peppol-bis3-selfbilling", TABLES)],
            hand: SELF_BILLING,
        },
        set!("peppol-t01", "eu.peppol.bis3:order", "2026.5", MESSAGES, postaward::T01),
        set!("peppol-t110", "eu.peppol.bis3:order-agreement", "2026.5", MESSAGES, postaward::T110),
        set!(
            "peppol-t111",
            "eu.peppol.bis3:invoice-message-response",
            "2026.5",
            MESSAGES,
            postaward::T111
        ),
        set!("peppol-t114", "eu.peppol.bis3:order-change", "2026.5", MESSAGES, postaward::T114),
        set!(
            "peppol-t115",
            "eu.peppol.bis3:order-cancellation",
            "2026.5",
            MESSAGES,
            postaward::T115
        ),
        set!(
            "peppol-t116",
            "eu.peppol.bis3:order-response-advanced",
            "2026.5",
            MESSAGES,
            postaward::T116
        ),
        set!("peppol-t16", "eu.peppol.bis3:despatch-advice", "2026.5", MESSAGES, postaward::T16),
        set!("peppol-t19", "eu.peppol.bis3:catalogue", "2026.5", MESSAGES, postaward::T19),
        set!("peppol-t58", "eu.peppol.bis3:catalogue-response", "2026.5", MESSAGES, postaward::T58),
        set!("peppol-t71", "eu.peppol.bis3:mlr", "2026.5", MESSAGES, postaward::T71),
        set!("peppol-t76", "eu.peppol.bis3:order-response", "2026.5", MESSAGES, postaward::T76),
        set!("peppol-t77", "eu.peppol.bis3:punch-out", "2026.5", MESSAGES, postaward::T77),
    ],
};

/// What is tested by hand in billing.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const BILLING: &[&[Rule]] = &[
    document::BILLING_2026_05,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
    norway::RULES,
    denmark::RULES,
    italy::RULES,
    sweden::RULES,
    sweden::ACCOUNTS,
    greece::RULES,
    iceland::RULES,
    netherlands::RULES,
    denmark::STRICT,
    germany::RULES[0],
    germany::RULES[1],
    germany::RULES[2],
    germany::FROM_2026_05[0],
    germany::FROM_2026_05[1],
    germany::FROM_2026_05[2],
];

/// What is tested by hand in self-billing.
const SELF_BILLING: &[&[Rule]] = &[
    document::SELF_BILLING_2026_05,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
];
