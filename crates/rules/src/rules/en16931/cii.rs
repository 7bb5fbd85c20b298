//! The rules of EN 16931 in CII: tests for the rows of `en16931-cii` that have none, and for those
//! of every set that repeats them under the same identifiers.
//!
//! This binding leaves most values without type, so that it computes in doubles where that of UBL
//! is exact; the verdicts are the same only as far as the arithmetic is.

mod before;
pub(in crate::rules) mod breakdown;
mod layout;
mod lines;
mod syntax;
mod totals;

use quoin_xml::tree::Element;

pub(in crate::rules) use before::payment_terms;
pub(in crate::rules) use layout::{Cii, indicators};

use crate::rules::values::{RSM, ram, rsm};
use crate::rules::{Facts, Rule};

/// All of them, as from 1.3.16.
pub(in crate::rules) const RULES: &[&[Rule]] =
    &[totals::RULES, lines::RULES, breakdown::RULES, syntax::RULES];

/// Those of 1.3.15: what is tested otherwise comes first, and is what is taken.
pub(in crate::rules) const OF_1_3_15: &[&[Rule]] =
    &[before::RULES, totals::RULES, lines::RULES, breakdown::RULES, syntax::RULES];

/// Those of 1.3.14.1.
pub(in crate::rules) const OF_1_3_14_1: &[&[Rule]] = &[
    before::IN_DOUBLES,
    before::RULES,
    totals::RULES,
    lines::RULES,
    breakdown::RULES,
    syntax::RULES,
];

/// `/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction`.
pub(in crate::rules) fn transactions<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    let root = Some(facts.root()).filter(|root| root.is(RSM, "CrossIndustryInvoice"));
    root.into_iter().flat_map(|root| rsm(root, "SupplyChainTradeTransaction"))
}

/// `…/ram:ApplicableHeaderTradeSettlement`.
pub(in crate::rules) fn settlements<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    transactions(facts).flat_map(|own| ram(own, "ApplicableHeaderTradeSettlement"))
}

/// `…/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:…`.
pub(in crate::rules) fn totals<'d>(
    facts: &Facts<'d>,
    local: &str,
) -> impl Iterator<Item = Element<'d>> {
    const TOTALS: &str = "SpecifiedTradeSettlementHeaderMonetarySummation";
    let groups = settlements(facts).flat_map(|own| ram(own, TOTALS));
    groups.flat_map(move |own| ram(own, local))
}
