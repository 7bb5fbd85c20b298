//! PINT of Japan, 1.1.3.

use super::base_1_1_3::BASE;
use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.3";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "jp-1.1.3",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part {
            package: "pint-jp",
            version: "1.1.3",
            sets: &[BASE, "org.peppol.pint.jp:invoice:1.1.3"],
        },
        Part {
            package: "pint-jp-ntr",
            version: "1.1.3",
            sets: &[
                "org.peppol.pint.jp:ntr-invoice-shared:1.1.3",
                "org.peppol.pint.jp:ntr-invoice:1.1.3",
            ],
        },
        Part {
            package: "pint-jp-sb",
            version: "1.1.3",
            sets: &[
                "org.peppol.pint.jp:invoice-self-billing-shared:1.1.3",
                "org.peppol.pint.jp:invoice-self-billing:1.1.3",
            ],
        },
    ],
    sets: &[
        pint::set(
            "pint-jp",
            "org.peppol.pint.jp:invoice:1.1.3",
            &[("pint-jp", TABLES)],
            pint::JP_BILLING,
        ),
        pint::set(
            "pint-jp-ntr-shared",
            "org.peppol.pint.jp:ntr-invoice-shared:1.1.3",
            &[("pint-jp-ntr-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set(
            "pint-jp-ntr",
            "org.peppol.pint.jp:ntr-invoice:1.1.3",
            &[("pint-jp-ntr", TABLES)],
            pint::JP_NOT_REGISTERED,
        ),
        pint::set(
            "pint-jp-sb-shared",
            "org.peppol.pint.jp:invoice-self-billing-shared:1.1.3",
            &[("pint-jp-sb-shared", TABLES)],
            pint::SHARED,
        ),
        pint::set(
            "pint-jp-sb",
            "org.peppol.pint.jp:invoice-self-billing:1.1.3",
            &[("pint-jp-sb", TABLES)],
            pint::JP_SELF_BILLING,
        ),
    ],
};
