//! EN 16931 1.3.16, in use from the middle of May 2026, when its code lists come into force.

use jiff::civil::date;

use crate::releases::{Part, PublishedRelease};
use crate::rules::en16931;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.3.16";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.3.16",
    published: date(2026, 5, 15),
    mandatory: date(2026, 5, 15),
    parts: &[
        Part { package: "en16931-ubl", version: "1.3.16", sets: &["eu.cen.en16931:ubl:1.3.16"] },
        Part { package: "en16931-cii", version: "1.3.16", sets: &["eu.cen.en16931:cii:1.3.16"] },
    ],
    sets: &[
        en16931::in_ubl("eu.cen.en16931:ubl:1.3.16", &[("en16931-ubl", TABLES)]),
        en16931::in_cii("eu.cen.en16931:cii:1.3.16", &[("en16931-cii", TABLES)]),
    ],
};
