//! XRechnung 3.0.2, release 2.5.0. Its validator configuration (2026-01-31) pairs the rules of CEN
//! 1.3.15 with it, in both syntaxes.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{CII, RuleSetRow, UBL, xrechnung};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "3.0.2-2.5.0";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "3.0.2",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "xrechnung-ubl",
            version: "3.0.2",
            sets: &["eu.cen.en16931:ubl:1.3.15", "de.xrechnung:ubl:3.0.2"],
        },
        Part {
            package: "xrechnung-cii",
            version: "3.0.2",
            sets: &["eu.cen.en16931:cii:1.3.15", "de.xrechnung:cii:3.0.2"],
        },
    ],
    sets: &[
        RuleSetRow {
            id: "xrechnung-ubl",
            syntaxes: UBL,
            coordinate: "de.xrechnung:ubl:3.0.2",
            tables: &[("xrechnung-ubl", TABLES)],
            hand: xrechnung::IN_UBL,
        },
        RuleSetRow {
            id: "xrechnung-cii",
            syntaxes: CII,
            coordinate: "de.xrechnung:cii:3.0.2",
            tables: &[("xrechnung-cii", TABLES)],
            hand: xrechnung::IN_CII,
        },
    ],
};
