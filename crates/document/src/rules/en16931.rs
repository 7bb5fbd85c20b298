//! EN 16931: the rules of the standard in UBL and in CII.
//!
//! Source: the validation artefacts of CEN/TC 434, releases 1.3.13 to 1.3.16. A release is used
//! from the middle of the May or November after it, when its code lists come into force.

pub(super) mod category;
pub(super) mod cii;
pub(super) mod sums;
pub(super) mod ubl;

use jiff::civil::{Date, date};

use super::{CII, EVER, RuleSet, UBL};

/// A table, as [`RuleSet::tables`] names it: set and release.
type Table = (&'static str, &'static str);

const fn in_ubl(
    coordinate: &'static str,
    from: Date,
    until: Option<Date>,
    tables: &'static [Table],
) -> RuleSet {
    let (id, family, hand) = ("en16931-ubl", "en16931", ubl::RULES);
    RuleSet { id, family, syntaxes: UBL, coordinate, from, until, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    in_ubl(
        "eu.cen.en16931:ubl:1.3.13",
        EVER,
        Some(date(2025, 11, 15)),
        &[("en16931-ubl", "1.3.13")],
    ),
    in_ubl(
        "eu.cen.en16931:ubl:1.3.15",
        date(2025, 11, 15),
        Some(date(2026, 5, 15)),
        &[("en16931-ubl", "1.3.15")],
    ),
    in_ubl("eu.cen.en16931:ubl:1.3.16", date(2026, 5, 15), None, &[("en16931-ubl", "1.3.16")]),
    RuleSet {
        id: "en16931-cii",
        family: "en16931",
        syntaxes: CII,
        coordinate: "eu.cen.en16931:cii:1.3.16",
        from: EVER,
        until: None,
        tables: &[("en16931-cii", "1.3.16")],
        hand: cii::RULES,
    },
];
