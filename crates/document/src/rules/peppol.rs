//! Peppol BIS Billing 3 and BIS Self-Billing 3, with the national rules.
//!
//! Sources: PEPPOL-EN16931-UBL of releases 3.0.20 (November 2025) and 3.0.21 (May 2026), that of
//! self-billing of March and May 2026, and PEPPOL-EN16931-CII of May 2025, the last one. The oldest
//! release that is known is used for everything before it too.

pub(in crate::rules) mod cii;
pub(in crate::rules) mod numbers;
pub(in crate::rules) mod reading;
pub(in crate::rules) mod ubl;

#[cfg(test)]
mod tests;

use jiff::civil::{Date, date};

use super::{CII, EVER, Rule, RuleSet, UBL};
use ubl::{denmark, document, germany, greece, iceland, italy, lines, netherlands, norway, sweden};

/// The day of the release of May 2026.
const MAY_2026: Date = date(2026, 5, 18);

const BILLING_2025_11: &[&[Rule]] = &[
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

const BILLING_2026_05: &[&[Rule]] = &[
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

const SELF_BILLING_2026_03: &[&[Rule]] = &[
    document::SELF_BILLING_2026_03,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH_WITH_PREFIX,
];

const SELF_BILLING_2026_05: &[&[Rule]] = &[
    document::SELF_BILLING_2026_05,
    document::RULES,
    lines::RULES,
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
];

const BILLING_IN_CII: &[&[Rule]] = &[
    cii::document::RULES,
    cii::lines::RULES,
    numbers::RULES,
    numbers::DANISH,
    numbers::AUSTRALIAN_OF_ANY_SHAPE,
    cii::national::RULES,
    cii::denmark::RULES,
    sweden::ACCOUNTS,
];

const fn billing(
    coordinate: &'static str,
    (from, until): (Date, Option<Date>),
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    let (id, family) = ("peppol-bis3-ubl", "peppol-bis3");
    RuleSet { id, family, syntaxes: UBL, coordinate, from, until, tables, hand }
}

const fn self_billing(
    coordinate: &'static str,
    (from, until): (Date, Option<Date>),
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    let (id, family) = ("peppol-bis3-selfbilling", "peppol-bis3-selfbilling");
    RuleSet { id, family, syntaxes: UBL, coordinate, from, until, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    billing(
        "eu.peppol.bis3:invoice-core:2025.11",
        (EVER, Some(MAY_2026)),
        &[("peppol-bis3-ubl", "2025-11")],
        BILLING_2025_11,
    ),
    billing(
        "eu.peppol.bis3:invoice-core:2026.5",
        (MAY_2026, None),
        &[("peppol-bis3-ubl", "2026-05")],
        BILLING_2026_05,
    ),
    RuleSet {
        id: "peppol-bis3-cii",
        family: "peppol-bis3",
        syntaxes: CII,
        coordinate: "eu.peppol.bis3:invoice-core-cii:2025.5",
        from: EVER,
        until: None,
        tables: &[("peppol-bis3-cii", "2025-05")],
        hand: BILLING_IN_CII,
    },
    self_billing(
        "eu.peppol.bis3:selfbilling-core:2026.3",
        (EVER, Some(MAY_2026)),
        &[("peppol-bis3-selfbilling", "2026-03")],
        SELF_BILLING_2026_03,
    ),
    self_billing(
        "eu.peppol.bis3:selfbilling-core:2026.5",
        (MAY_2026, None),
        &[("peppol-bis3-selfbilling", "2026-05")],
        SELF_BILLING_2026_05,
    ),
];
