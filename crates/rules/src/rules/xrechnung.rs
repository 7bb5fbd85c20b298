//! XRechnung: the German specification on EN 16931, its extension, and its profile for clean
//! vehicles.
//!
//! Source: the Schematron of XRechnung 3.0.2, release 2.5.0. It has its own copy of rules of
//! Peppol BIS Billing; those that are no table are in `bis_ubl` and `bis_cii`. Rules of the
//! extension and for clean vehicles look at the specification identifier themselves.

mod bis_cii;
mod bis_ubl;
mod cii;
mod cii_extension;
mod formats;
mod kind;
mod ubl;
mod ubl_extension;

use super::{CII, RuleSet, UBL};

pub(super) const SETS: &[RuleSet] = &[
    RuleSet {
        id: "xrechnung-ubl",
        syntaxes: UBL,
        coordinate: "de.xrechnung:ubl:3.0.2",
        tables: &[("xrechnung-ubl", "3.0.2-2.5.0")],
        hand: &[bis_ubl::RULES, ubl::RULES, ubl_extension::RULES],
    },
    RuleSet {
        id: "xrechnung-cii",
        syntaxes: CII,
        coordinate: "de.xrechnung:cii:3.0.2",
        tables: &[("xrechnung-cii", "3.0.2-2.5.0")],
        hand: &[bis_cii::RULES, cii::RULES, cii_extension::RULES],
    },
];
