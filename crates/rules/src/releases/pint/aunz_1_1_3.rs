//! PINT of Australia and New Zealand, 1.1.3.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.3";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "aunz-1.1.3",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "pint-aunz",
            version: "1.1.3",
            sets: &[BASE, "org.peppol.pint.aunz:invoice:1.1.3"],
        },
        Part {
            package: "pint-aunz-sb",
            version: "1.1.3",
            sets: &[
                "org.peppol.pint.aunz:invoice-self-billing-shared:1.1.3",
                "org.peppol.pint.aunz:invoice-self-billing:1.1.3",
            ],
        },
    ],
    sets: &[
        pint::set(
            "pint-aunz",
            "org.peppol.pint.aunz:invoice:1.1.3",
            &[("pint-aunz", TABLES)],
            pint::AUNZ,
        ),
        pint::set(
            "pint-aunz-sb-shared",
            "org.peppol.pint.aunz:invoice-self-billing-shared:1.1.3",
            &[("pint-aunz-sb-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set(
            "pint-aunz-sb",
            "org.peppol.pint.aunz:invoice-self-billing:1.1.3",
            &[("pint-aunz-sb", TABLES)],
            pint::AUNZ,
        ),
    ],
};
