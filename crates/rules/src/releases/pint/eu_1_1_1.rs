//! PINT of the European Union, 1.1.1: it has three files, of which the first is the base.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "eu-1.1.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part {
        package: "pint-eu",
        version: "1.1.1",
        sets: &[
            BASE,
            "org.peppol.pint.eu:invoice-en16931:1.1.1",
            "org.peppol.pint.eu:invoice:1.1.1",
        ],
    }],
    sets: &[
        pint::set(
            "pint-eu-en16931",
            "org.peppol.pint.eu:invoice-en16931:1.1.1",
            &[("pint-eu-en16931", TABLES)],
            pint::EN16931,
        ),
        pint::set("pint-eu", "org.peppol.pint.eu:invoice:1.1.1", &[("pint-eu", TABLES)], pint::EU),
    ],
};
