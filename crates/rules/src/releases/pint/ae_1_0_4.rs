//! PINT of the United Arab Emirates, 1.0.4. Its base has code lists of its own.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.4";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "ae-1.0.4",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "pint-ae",
            version: "1.0.4",
            sets: &["org.peppol.pint.ae:invoice-shared:1.0.4", "org.peppol.pint.ae:invoice:1.0.4"],
        },
        Part {
            package: "pint-ae-sb",
            version: "1.0.4",
            sets: &[
                "org.peppol.pint.ae:invoice-self-billing-shared:1.0.4",
                "org.peppol.pint.ae:invoice:1.0.4",
            ],
        },
    ],
    sets: &[
        pint::set(
            "pint-ae-shared",
            "org.peppol.pint.ae:invoice-shared:1.0.4",
            &[("pint-ae-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set("pint-ae", "org.peppol.pint.ae:invoice:1.0.4", &[("pint-ae", TABLES)], pint::AE),
        pint::set(
            "pint-ae-sb-shared",
            "org.peppol.pint.ae:invoice-self-billing-shared:1.0.4",
            &[("pint-ae-sb-shared", TABLES)],
            pint::SHARED,
        ),
    ],
};
