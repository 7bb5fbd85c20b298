//! Peppol logistics: despatch, transport and weight.
//!
//! Source: Peppol BIS logistics, release 1.2. Each transaction is a family of its own, named after
//! its number: T120 is the advanced despatch advice.

mod loads;
mod periods;
mod times;
mod transport;

use super::peppol::numbers;
use super::postaward::MESSAGES;
use super::{Rule, RuleSet};

/// The release of a transaction.
macro_rules! transaction {
    ($id:literal, $name:literal, [$($hand:expr),*]) => {
        release(
            $id,
            concat!("eu.peppol.logistics:", $name, ":1.2"),
            &[($id, "1.2")],
            &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH $(, $hand)*],
        )
    };
}

const fn release(
    id: &'static str,
    coordinate: &'static str,
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id, syntaxes: MESSAGES, coordinate, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    transaction!(
        "peppol-t120",
        "advanced-despatch-advice",
        [periods::T120, loads::T120, transport::T120]
    ),
    transaction!("peppol-t122", "weight-statement", []),
    transaction!("peppol-t123", "transport-execution-plan-request", [periods::T123, loads::T123]),
    transaction!("peppol-t124", "transport-execution-plan", [periods::T124, loads::T124]),
    transaction!("peppol-t125", "waybill", [periods::T125, loads::T125, transport::T125]),
    transaction!("peppol-t126", "transportation-status-request", [periods::T126]),
    transaction!("peppol-t127", "transportation-status", [periods::T127]),
    transaction!("peppol-t128", "receipt-advice", [periods::T128, transport::T128]),
    transaction!("peppol-t129", "application-response", []),
];
