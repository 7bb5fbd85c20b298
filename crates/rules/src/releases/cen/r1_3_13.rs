//! EN 16931 1.3.13, the oldest release that is here.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::en16931;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.3.13";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.3.13",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "en16931-ubl",
        version: "1.3.13",
        sets: &["eu.cen.en16931:ubl:1.3.13"],
    }],
    sets: &[en16931::in_ubl("eu.cen.en16931:ubl:1.3.13", &[("en16931-ubl", TABLES)])],
};
