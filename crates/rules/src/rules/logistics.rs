//! Peppol logistics: despatch, transport and weight.
//!
//! Source: Peppol BIS logistics, release 1.2. Each transaction is a family of its own, named after
//! its number: T120 is the advanced despatch advice.

mod loads;
mod periods;
mod times;
mod transport;

use super::Rule;
use super::peppol::numbers;

/// The advanced despatch advice.
pub(crate) const T120: &[&[Rule]] = &[
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    periods::T120,
    loads::T120,
    transport::T120,
];
/// The weight statement.
pub(crate) const T122: &[&[Rule]] = &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH];
/// The transport execution plan request.
pub(crate) const T123: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, periods::T123, loads::T123];
/// The transport execution plan.
pub(crate) const T124: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, periods::T124, loads::T124];
/// The waybill.
pub(crate) const T125: &[&[Rule]] = &[
    numbers::RULES,
    numbers::AUSTRALIAN,
    numbers::DANISH,
    periods::T125,
    loads::T125,
    transport::T125,
];
/// The transportation status request.
pub(crate) const T126: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, periods::T126];
/// The transportation status.
pub(crate) const T127: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, periods::T127];
/// The receipt advice.
pub(crate) const T128: &[&[Rule]] =
    &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH, periods::T128, transport::T128];
/// The application response.
pub(crate) const T129: &[&[Rule]] = &[numbers::RULES, numbers::AUSTRALIAN, numbers::DANISH];
