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

use super::Rule;
use super::peppol::numbers;

/// The order.
pub(crate) const T01: &[&[Rule]] = &[
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
    totals::T01,
    amounts::T01,
];
/// The order agreement.
pub(crate) const T110: &[&[Rule]] = &[
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
    agreement::T110,
    amounts::T110,
];
/// The invoice message response.
pub(crate) const T111: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, responses::T111];
/// The order change.
pub(crate) const T114: &[&[Rule]] = &[
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    numbers::DUTCH,
    totals::T114,
    amounts::T114,
];
/// The order cancellation.
pub(crate) const T115: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH];
/// The order response advanced.
pub(crate) const T116: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, responses::T116];
/// The despatch advice.
pub(crate) const T16: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, responses::T16];
/// The catalogue.
pub(crate) const T19: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, catalogue::T19];
/// The catalogue response.
pub(crate) const T58: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH];
/// The message level response.
pub(crate) const T71: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH];
/// The order response.
pub(crate) const T76: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, responses::T76];
/// The punch out.
pub(crate) const T77: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, numbers::DUTCH, catalogue::T77];
