//! EN 16931 1.3.15, in use from the middle of November 2025, when its code lists come into force.
//! In CII the file itself is not among the official ones: its tables are those of 1.3.14.1 with
//! what is changed in it (`xtask/src/subsets/cen.rs`).

use jiff::civil::date;

use crate::releases::{Part, PublishedRelease};
use crate::rules::en16931;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.3.15";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.3.15",
    published: date(2025, 11, 15),
    mandatory: date(2025, 11, 15),
    parts: &[
        Part { package: "en16931-ubl", version: "1.3.15", sets: &["eu.cen.en16931:ubl:1.3.15"] },
        Part { package: "en16931-cii", version: "1.3.15", sets: &["eu.cen.en16931:cii:1.3.15"] },
    ],
    sets: &[
        en16931::in_ubl("eu.cen.en16931:ubl:1.3.15", &[("en16931-ubl", TABLES)]),
        en16931::in_cii_1_3_15("eu.cen.en16931:cii:1.3.15", &[("en16931-cii", TABLES)]),
    ],
};
