//! PINT of Malaysia, 1.3.1.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.3.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "my-1.3.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "pint-my",
            version: "1.3.1",
            sets: &[BASE, "org.peppol.pint.my:invoice:1.3.1"],
        },
        Part {
            package: "pint-my-sb",
            version: "1.3.1",
            sets: &[
                "org.peppol.pint.my:invoice-self-billing-shared:1.3.1",
                "org.peppol.pint.my:invoice-self-billing:1.3.1",
            ],
        },
    ],
    sets: &[
        pint::set(
            "pint-my",
            "org.peppol.pint.my:invoice:1.3.1",
            &[("pint-my", TABLES)],
            pint::MY_BILLING,
        ),
        pint::set(
            "pint-my-sb-shared",
            "org.peppol.pint.my:invoice-self-billing-shared:1.3.1",
            &[("pint-my-sb-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set(
            "pint-my-sb",
            "org.peppol.pint.my:invoice-self-billing:1.3.1",
            &[("pint-my-sb", TABLES)],
            pint::MY_SELF_BILLING,
        ),
    ],
};
