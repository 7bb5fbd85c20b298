//! What is counted and paid for: which documents are billable, and what each package holds
//! (interface specification 1 and 8).

use quoin_peppol::identifiers::DocumentTypeId;

use crate::topics::Family;

/// A package of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingPackage {
    /// Its name in the configuration.
    pub name: String,
    /// Billable documents in a month; `None` for as many as there are.
    pub documents: Option<u64>,
    /// Whether formats are converted on the way.
    pub transformation: bool,
}

/// The usual packages, the smallest first: name, billable documents in a month, whether formats are
/// converted. Conversion is part of the package of 10,000 and of all above it.
const USUAL: &[(&str, Option<u64>, bool)] = &[
    ("1K", Some(1_000), false),
    ("2.5K", Some(2_500), false),
    ("5K", Some(5_000), false),
    ("10K", Some(10_000), true),
    ("25K", Some(25_000), true),
    ("50K", Some(50_000), true),
    ("100K", Some(100_000), true),
    (WITHOUT, None, true),
];

/// The name of the package of an organisation that was given none.
const WITHOUT: &str = "unlimited";

/// The packages that there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packages(pub Vec<BillingPackage>);

impl Default for Packages {
    fn default() -> Packages {
        let package =
            |(name, documents, transformation): &(&str, Option<u64>, bool)| BillingPackage {
                name: (*name).to_owned(),
                documents: *documents,
                transformation: *transformation,
            };
        Packages(USUAL.iter().map(package).collect())
    }
}

impl Packages {
    /// The package of this name, in any case.
    pub fn named(&self, name: &str) -> Option<&BillingPackage> {
        self.0.iter().find(|package| package.name.eq_ignore_ascii_case(name))
    }

    /// The smallest package with conversion, for those who lack it.
    pub fn with_transformation(&self) -> Option<&BillingPackage> {
        let converting = self.0.iter().filter(|package| package.transformation);
        converting.min_by_key(|package| package.documents.unwrap_or(u64::MAX))
    }
}

impl BillingPackage {
    /// The package of an organisation that was given none: no limit, everything included.
    pub fn without() -> BillingPackage {
        BillingPackage { name: WITHOUT.to_owned(), documents: None, transformation: true }
    }

    /// Whether another billable document fits, after so many in this month.
    pub fn has_room(&self, used: u64) -> bool {
        self.documents.is_none_or(|limit| used < limit)
    }
}

/// Document elements of statuses and reports, which are part of the price of the document they are
/// about.
const FREE: &[&str] = &[
    "ApplicationResponse",
    "CrossDomainAcknowledgementAndResponse",
    "TransactionStatisticsReport",
    "EndUserStatisticsReport",
    "EndUserReport",
    "TaxData",
    "TaxDataStatus",
    "ReceptionAcknowledgement",
];

/// Whether a document is counted as one to pay for.
pub fn is_billable(family: Family, document_type: Option<&str>) -> bool {
    if matches!(family, Family::InvoiceResponse | Family::MessageLevelStatus | Family::TaxReport) {
        return false;
    }
    let parsed = document_type.and_then(|text| text.parse::<DocumentTypeId>().ok());
    let local = parsed.as_ref().and_then(|id| id.parts().local_name);
    !local.is_some_and(|local| FREE.contains(&local))
}

#[cfg(test)]
mod tests;
