//! Tax data of Slovakia 1.0.0.

use super::TAX_DATA;
use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.0.0";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "sk-1.0.0",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[part!("tax-data-sk", "org.peppol.taxdata:sk", "1.0.0")],
    sets: &[set!("tax-data-sk", "org.peppol.taxdata:sk", "1.0.0", TAX_DATA, tax_data::SLOVAKIA)],
};
