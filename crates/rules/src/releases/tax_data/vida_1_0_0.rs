//! Tax data of the ViDA pilot 1.0.0.

use super::TAX_DATA;
use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.0";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "vida-1.0.0",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[part!("tax-data-vida", "org.peppol.taxdata:vida", "1.0.0")],
    sets: &[set!(
        "tax-data-vida",
        "org.peppol.taxdata:vida",
        "1.0.0",
        TAX_DATA,
        tax_data::VIDA_1_0
    )],
};
