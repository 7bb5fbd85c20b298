//! PINT of Oman, 1.0.1.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "om-1.0.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "pint-om",
            version: "1.0.1",
            sets: &[BASE, "org.peppol.pint.om:invoice:1.0.1"],
        },
        Part {
            package: "pint-om-sb",
            version: "1.0.1",
            sets: &[
                "org.peppol.pint.om:invoice-self-billing-shared:1.0.1",
                "org.peppol.pint.om:invoice-self-billing:1.0.1",
            ],
        },
    ],
    sets: &[
        pint::set("pint-om", "org.peppol.pint.om:invoice:1.0.1", &[("pint-om", TABLES)], pint::OM),
        pint::set(
            "pint-om-sb-shared",
            "org.peppol.pint.om:invoice-self-billing-shared:1.0.1",
            &[("pint-om-sb-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set(
            "pint-om-sb",
            "org.peppol.pint.om:invoice-self-billing:1.0.1",
            &[("pint-om-sb", TABLES)],
            pint::OM,
        ),
    ],
};
