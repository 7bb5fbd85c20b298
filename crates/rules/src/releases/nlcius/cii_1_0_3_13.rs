//! NLCIUS-CII 1.0.3.13.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{CII, RuleSetRow, nlcius};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.3.13";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "cii-1.0.3.13",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "nlcius-cii",
            version: "1.0.3.13",
            sets: &["eu.cen.en16931:cii:1.3.16", "nl.nlcius:cii:1.0.3.13"],
        },
        Part {
            package: "nlcius-gaccount-cii",
            version: "1.0.3.13",
            sets: &["nl.nlcius:gaccount-cii:1.0.3.13"],
        },
    ],
    sets: &[
        RuleSetRow {
            id: "nlcius-cii",
            syntaxes: CII,
            coordinate: "nl.nlcius:cii:1.0.3.13",
            tables: &[("nlcius-cii", TABLES)],
            hand: nlcius::IN_CII,
        },
        // The extension is published for UBL; in CII its documents are judged as the others.
        RuleSetRow {
            id: "nlcius-gaccount-cii",
            syntaxes: CII,
            coordinate: "nl.nlcius:gaccount-cii:1.0.3.13",
            tables: &[("en16931-cii", "1.3.16"), ("nlcius-cii", TABLES)],
            hand: nlcius::GACCOUNT_IN_CII,
        },
    ],
};
