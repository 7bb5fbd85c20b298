//! XRechnung 3.0.2, release 2.5.0. Its validator configuration pairs the UBL rules of CEN 1.3.15
//! with it (those of 1.3.16 in CII, the only release of that syntax that is here).

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
            sets: &["eu.cen.en16931:cii:1.3.16", "de.xrechnung:cii:3.0.2"],
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
