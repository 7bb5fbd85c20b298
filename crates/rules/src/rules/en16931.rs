//! EN 16931: the rules of the standard in UBL and in CII.
//!
//! Source: the validation artefacts of CEN/TC 434, releases 1.3.13 to 1.3.16.

pub(super) mod category;
pub(super) mod cii;
pub(super) mod sums;
pub(super) mod ubl;

use super::{CII, RuleSet, UBL};

/// A table, as [`RuleSet::tables`] names it: set and release.
type Table = (&'static str, &'static str);

const fn in_ubl(coordinate: &'static str, tables: &'static [Table]) -> RuleSet {
    RuleSet { id: "en16931-ubl", syntaxes: UBL, coordinate, tables, hand: ubl::RULES }
}

pub(super) const SETS: &[RuleSet] = &[
    in_ubl("eu.cen.en16931:ubl:1.3.13", &[("en16931-ubl", "1.3.13")]),
    in_ubl("eu.cen.en16931:ubl:1.3.15", &[("en16931-ubl", "1.3.15")]),
    in_ubl("eu.cen.en16931:ubl:1.3.16", &[("en16931-ubl", "1.3.16")]),
    RuleSet {
        id: "en16931-cii",
        syntaxes: CII,
        coordinate: "eu.cen.en16931:cii:1.3.16",
        tables: &[("en16931-cii", "1.3.16")],
        hand: cii::RULES,
    },
];
