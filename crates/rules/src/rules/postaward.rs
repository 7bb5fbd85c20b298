//! Peppol post-award: orders, despatch advices, catalogues and their answers.
//!
//! Source: Peppol BIS post-award 3, releases November 2025 and May 2026. Each transaction is a
//! family of its own, named after its number: T01 is the order.

mod agreement;
mod amounts;
mod catalogue;
pub(super) mod reading;
pub(super) mod responses;
mod totals;

use super::peppol::numbers;
use super::{Rule, RuleSet};
use quoin_formats::Syntax;

/// Every UBL document but an invoice and a credit note.
pub(super) const MESSAGES: &[Syntax] = &[Syntax::UblOther];

/// The two releases of a transaction.
macro_rules! transaction {
    ($id:literal, $name:literal, [$($hand:expr),*]) => {
        [
            release(
                $id,
                concat!("eu.peppol.bis3:", $name, ":2025.11"),
                &[($id, "2025-11")],
                &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH $(, $hand)*],
            ),
            release(
                $id,
                concat!("eu.peppol.bis3:", $name, ":2026.5"),
                &[($id, "2026-05")],
                &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH $(, $hand)*],
            ),
        ]
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

const TRANSACTIONS: [[RuleSet; 2]; 12] = [
    transaction!("peppol-t01", "order", [totals::T01, amounts::T01]),
    transaction!("peppol-t110", "order-agreement", [agreement::T110, amounts::T110]),
    transaction!("peppol-t111", "invoice-message-response", [responses::T111]),
    transaction!("peppol-t114", "order-change", [totals::T114, amounts::T114]),
    transaction!("peppol-t115", "order-cancellation", []),
    transaction!("peppol-t116", "order-response-advanced", [responses::T116]),
    transaction!("peppol-t16", "despatch-advice", [responses::T16]),
    transaction!("peppol-t19", "catalogue", [catalogue::T19]),
    transaction!("peppol-t58", "catalogue-response", []),
    transaction!("peppol-t71", "mlr", []),
    transaction!("peppol-t76", "order-response", [responses::T76]),
    transaction!("peppol-t77", "punch-out", [catalogue::T77]),
];

pub(super) const SETS: &[RuleSet] = TRANSACTIONS.as_flattened();
