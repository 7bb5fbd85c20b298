//! SI-UBL 2.0.3.13, with the extension for the blocked account (G-account), 1.0.2.13.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{RuleSetRow, UBL, nlcius};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.3.13";
/// The release of the tables of the extension.
const TABLES_OF_GACCOUNT: &str = "1.0.2.13";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "ubl-2.0.3.13",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "nlcius-ubl",
            version: "2.0.3.13",
            sets: &["eu.cen.en16931:ubl:1.3.16", "nl.nlcius:ubl:2.0.3.13"],
        },
        // The extension is a set instead of EN 16931 and NLCIUS, and not beside them.
        Part {
            package: "nlcius-gaccount-ubl",
            version: "1.0.2.13",
            sets: &["nl.nlcius:gaccount:1.0.2.13"],
        },
    ],
    sets: &[
        RuleSetRow {
            id: "nlcius-ubl",
            syntaxes: UBL,
            coordinate: "nl.nlcius:ubl:2.0.3.13",
            tables: &[("nlcius-ubl", TABLES)],
            hand: nlcius::IN_UBL,
        },
        RuleSetRow {
            id: "nlcius-gaccount",
            syntaxes: UBL,
            coordinate: "nl.nlcius:gaccount:1.0.2.13",
            tables: &[("nlcius-gaccount", TABLES_OF_GACCOUNT)],
            hand: nlcius::GACCOUNT,
        },
    ],
};
