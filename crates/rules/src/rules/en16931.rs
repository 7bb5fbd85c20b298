//! EN 16931: the rules of the standard in UBL and in CII.
//!
//! Source: the validation artefacts of CEN/TC 434, releases 1.3.13 to 1.3.16.

pub(super) mod category;
pub(super) mod cii;
pub(super) mod sums;
pub(super) mod ubl;

use super::{CII, Rule, RuleSetRow, TableName, UBL};

/// A release in UBL.
pub(crate) const fn in_ubl(coordinate: &'static str, tables: &'static [TableName]) -> RuleSetRow {
    RuleSetRow { id: "en16931-ubl", syntaxes: UBL, coordinate, tables, hand: ubl::RULES }
}

/// A release in CII, with what is tested by hand in it.
const fn of_cii(
    coordinate: &'static str,
    tables: &'static [TableName],
    hand: &'static [&'static [Rule]],
) -> RuleSetRow {
    RuleSetRow { id: "en16931-cii", syntaxes: CII, coordinate, tables, hand }
}

/// A release in CII, from 1.3.16.
pub(crate) const fn in_cii(coordinate: &'static str, tables: &'static [TableName]) -> RuleSetRow {
    of_cii(coordinate, tables, cii::RULES)
}

/// The release 1.3.15 in CII.
pub(crate) const fn in_cii_1_3_15(
    coordinate: &'static str,
    tables: &'static [TableName],
) -> RuleSetRow {
    of_cii(coordinate, tables, cii::OF_1_3_15)
}

/// The release 1.3.14.1 in CII.
pub(crate) const fn in_cii_1_3_14_1(
    coordinate: &'static str,
    tables: &'static [TableName],
) -> RuleSetRow {
    of_cii(coordinate, tables, cii::OF_1_3_14_1)
}
