//! Tax data of the ViDA pilot 1.1.0. The pilot goes on with 1.0 beside it: no day is told from which
//! 1.1 is asked for.

use jiff::civil::date;

use super::TAX_DATA;
use crate::releases::{NOT_KNOWN, PublishedRelease};
use crate::rules::tax_data;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.1.0";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "vida-1.1.0",
    published: date(2026, 9, 15),
    mandatory: NOT_KNOWN,
    parts: &[part!("tax-data-vida", "org.peppol.taxdata:vida", "1.1.0")],
    sets: &[set!(
        "tax-data-vida",
        "org.peppol.taxdata:vida",
        "1.1.0",
        TAX_DATA,
        tax_data::VIDA_1_1
    )],
};
