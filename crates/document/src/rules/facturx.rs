//! Factur-X and ZUGFeRD 2: the profiles MINIMUM, BASIC WL, BASIC, EN 16931 and EXTENDED, all in
//! CII.
//!
//! Source: the Schematron of Factur-X 1.09.2 (effective from September 2026). Each profile has the
//! rules of EN 16931 as far as it has the terms, and rules on what it has not, so that its set
//! stands instead of EN 16931 and not beside it. EN 16931 as a profile has the same specification
//! identifier as the standard, and its documents are judged by the standard.

use super::en16931::cii;
use super::{CII, EVER, Rule, RuleSet};

const fn of_profile(
    id: &'static str,
    coordinate: &'static str,
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id, family: id, syntaxes: CII, coordinate, from: EVER, until: None, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    of_profile(
        "factur-x-minimum",
        "org.factur-x:minimum:1.09.2",
        &[("factur-x-minimum", "1.09.2")],
        cii::RULES,
    ),
    of_profile(
        "factur-x-basic-wl",
        "org.factur-x:basic-wl:1.09.2",
        &[("factur-x-basic-wl", "1.09.2")],
        cii::RULES,
    ),
    of_profile(
        "factur-x-basic",
        "org.factur-x:basic:1.09.2",
        &[("factur-x-basic", "1.09.2")],
        cii::RULES,
    ),
    of_profile(
        "factur-x-en16931",
        "org.factur-x:en16931:1.09.2",
        &[("factur-x-en16931", "1.09.2")],
        cii::RULES,
    ),
    of_profile(
        "factur-x-extended",
        "org.factur-x:extended:1.09.2",
        &[("factur-x-extended", "1.09.2")],
        cii::RULES,
    ),
];
