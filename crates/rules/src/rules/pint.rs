//! PINT: the international base and its jurisdictions.
//!
//! Source: the Schematron files of the PINT specialisations that OpenPEPPOL publishes, each in a
//! release of its own. Every one has the rules that all share (under the same identifiers, some
//! with code lists of its own) and those of the jurisdiction.

mod ae;
mod aunz;
mod document;
mod eu;
mod jp;
mod my;
mod om;
mod paths;
mod schemes;
mod sg;
mod taxes;

use super::{Rule, RuleSetRow, TableName, UBL};

/// The rules that every jurisdiction has.
pub(crate) const SHARED: &[&[Rule]] = &[schemes::RULES, document::RULES];
/// The United Arab Emirates.
pub(crate) const AE: &[&[Rule]] = ae::RULES;
/// Australia and New Zealand.
pub(crate) const AUNZ: &[&[Rule]] = &[aunz::RULES];
/// EN 16931 in the European Union.
pub(crate) const EN16931: &[&[Rule]] = super::en16931::ubl::RULES;
/// The European Union.
pub(crate) const EU: &[&[Rule]] = eu::RULES;
/// Japan: billing.
pub(crate) const JP_BILLING: &[&[Rule]] = &[jp::SHARED, jp::TAXED, jp::BILLING];
/// Japan: sellers that are not registered.
pub(crate) const JP_NOT_REGISTERED: &[&[Rule]] = &[jp::SHARED, jp::NOT_REGISTERED];
/// Japan: self-billing.
pub(crate) const JP_SELF_BILLING: &[&[Rule]] = &[jp::SHARED, jp::TAXED, jp::SELF_BILLING];
/// Malaysia: billing.
pub(crate) const MY_BILLING: &[&[Rule]] = &[my::SHARED, my::BILLING];
/// Malaysia: self-billing.
pub(crate) const MY_SELF_BILLING: &[&[Rule]] = &[my::SHARED, my::SELF_BILLING];
/// Oman.
pub(crate) const OM: &[&[Rule]] = om::RULES;
/// Singapore.
pub(crate) const SG: &[&[Rule]] = &[sg::RULES];

/// A release of a set of PINT.
pub(crate) const fn set(
    id: &'static str,
    coordinate: &'static str,
    tables: &'static [TableName],
    hand: &'static [&'static [Rule]],
) -> RuleSetRow {
    RuleSetRow { id, syntaxes: UBL, coordinate, tables, hand }
}
