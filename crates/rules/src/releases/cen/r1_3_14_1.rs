//! EN 16931 1.3.14.1 in CII, the oldest release of that syntax that is here: the one that the last
//! release of Peppol BIS Billing in CII comes with. Its rules are those of 1.3.14.2, too.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::en16931;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.3.14.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.3.14.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "en16931-cii",
        version: "1.3.14.1",
        sets: &["eu.cen.en16931:cii:1.3.14.1"],
    }],
    sets: &[en16931::in_cii_1_3_14_1("eu.cen.en16931:cii:1.3.14.1", &[("en16931-cii", TABLES)])],
};
