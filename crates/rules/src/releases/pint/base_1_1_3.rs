//! The base of PINT 1.1.3: the rules that all jurisdictions share.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::pint;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.3";

/// The rules that all share, as the base has them.
pub(super) const BASE: &str = "org.peppol.pint:invoice:1.1.3";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "base-1.1.3",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        Part { package: "pint", version: "1.1.3", sets: &[BASE] },
        // The base has no self-billing of its own, and its type codes have none: the rules that
        // all share stand in the files of each jurisdiction, with the type codes of self-billing.
        Part {
            package: "pint-selfbilling",
            version: "1.1.3",
            sets: &["org.peppol.pint.om:invoice-self-billing-shared:1.0.1"],
        },
        Part {
            package: "pint-nontax",
            version: "1.1.3",
            sets: &["org.peppol.pint.jp:ntr-invoice-shared:1.1.3"],
        },
    ],
    sets: &[pint::set("pint", BASE, &[("pint", TABLES)], pint::SHARED)],
};
