//! PINT of Singapore, 1.4.1.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.4.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "sg-1.4.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "pint-sg",
        version: "1.4.1",
        sets: &[BASE, "org.peppol.pint.sg:invoice:1.4.1"],
    }],
    sets: &[pint::set(
        "pint-sg",
        "org.peppol.pint.sg:invoice:1.4.1",
        &[("pint-sg", TABLES)],
        pint::SG,
    )],
};
