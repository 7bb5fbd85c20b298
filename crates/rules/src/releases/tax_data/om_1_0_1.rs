//! Tax data of Oman 1.0.1.

use super::TAX_DATA;
use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.1";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "om-1.0.1",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[part!("tax-data-om", "org.peppol.taxdata:om", "1.0.1")],
    sets: &[set!("tax-data-om", "org.peppol.taxdata:om", "1.0.1", TAX_DATA, tax_data::OMAN)],
};
