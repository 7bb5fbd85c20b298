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

use super::{CII, Rule, RuleSet, UBL};
use ubl::{denmark, document, germany, greece, iceland, italy, lines, netherlands, norway, sweden};

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
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id: "peppol-bis3-ubl", syntaxes: UBL, coordinate, tables, hand }
}

const fn self_billing(
    coordinate: &'static str,
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id: "peppol-bis3-selfbilling", syntaxes: UBL, coordinate, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    billing(
        "eu.peppol.bis3:invoice-core:2025.11",
        &[("peppol-bis3-ubl", "2025-11")],
        BILLING_2025_11,
    ),
    billing(
        "eu.peppol.bis3:invoice-core:2026.5",
        &[("peppol-bis3-ubl", "2026-05")],
        BILLING_2026_05,
    ),
    RuleSet {
        id: "peppol-bis3-cii",
        syntaxes: CII,
        coordinate: "eu.peppol.bis3:invoice-core-cii:2025.5",
        tables: &[("peppol-bis3-cii", "2025-05")],
        hand: BILLING_IN_CII,
    },
    self_billing(
        "eu.peppol.bis3:selfbilling-core:2026.3",
        &[("peppol-bis3-selfbilling", "2026-03")],
        SELF_BILLING_2026_03,
    ),
    self_billing(
        "eu.peppol.bis3:selfbilling-core:2026.5",
        &[("peppol-bis3-selfbilling", "2026-05")],
        SELF_BILLING_2026_05,
    ),
];
