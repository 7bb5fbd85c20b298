//! Tax data of the United Arab Emirates 1.0.4.

use super::TAX_DATA;
use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.4";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "ae-1.0.4",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[part!("tax-data-ae", "org.peppol.taxdata:ae", "1.0.4")],
    sets: &[set!("tax-data-ae", "org.peppol.taxdata:ae", "1.0.4", TAX_DATA, tax_data::EMIRATES)],
};
