//! Tax data of the ViDA pilot 1.1.0. The pilot goes on with 1.0 beside it, under the same
//! identifier: a document without the identifier of its transmission (TDT-018) is one of 1.0, and
//! is judged as one.

use super::TAX_DATA;
use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.0";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "vida-1.1.0",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[part!("tax-data-vida", "org.peppol.taxdata:vida", "1.1.0")],
    sets: &[set!("tax-data-vida", "org.peppol.taxdata:vida", "1.1.0", TAX_DATA, tax_data::VIDA)],
};
