//! The packages that organisations can have (interface specification 1 and 8).

use quoin_delivery::{BillingPackage, Packages};
use serde::{Deserialize, Serialize};

/// A package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageRow {
    /// Its name, in any case.
    pub name: String,
    /// Billable documents in a month; 0 for any number.
    #[serde(default)]
    pub documents: u64,
    /// Whether formats are converted on the way.
    #[serde(default)]
    pub transformation: bool,
}

impl PackageRow {
    /// Whether this is the package of that name.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// The usual packages.
pub(super) fn usual() -> Vec<PackageRow> {
    let row = |package: BillingPackage| PackageRow {
        name: package.name,
        documents: package.documents.unwrap_or_default(),
        transformation: package.transformation,
    };
    Packages::default().0.into_iter().map(row).collect()
}

/// The packages as they are looked up.
pub fn table(rows: &[PackageRow]) -> Packages {
    let package = |row: &PackageRow| BillingPackage {
        name: row.name.clone(),
        documents: Some(row.documents).filter(|documents| *documents > 0),
        transformation: row.transformation,
    };
    Packages(rows.iter().map(package).collect())
}
