//! What is counted and paid for: which documents are billable, and what each package holds
//! (interface specification 1 and 8).

use quoin_peppol::identifiers::DocumentTypeId;

use crate::topics::Family;

/// A package of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// Its name in the configuration.
    pub name: &'static str,
    /// Billable documents in a month; `None` for as many as there are.
    pub documents: Option<u64>,
    /// Whether formats are converted on the way.
    pub transformation: bool,
}

/// Every package, the smallest first. Conversion of formats is part of the package of 10,000 and
/// of all above it.
pub static PACKAGES: &[Package] = &[
    Package { name: "1K", documents: Some(1_000), transformation: false },
    Package { name: "2.5K", documents: Some(2_500), transformation: false },
    Package { name: "5K", documents: Some(5_000), transformation: false },
    Package { name: "10K", documents: Some(10_000), transformation: true },
    Package { name: "25K", documents: Some(25_000), transformation: true },
    Package { name: "50K", documents: Some(50_000), transformation: true },
    Package { name: "100K", documents: Some(100_000), transformation: true },
    Package { name: "unlimited", documents: None, transformation: true },
];

/// The package of an organisation that was given none.
pub const WITHOUT: &Package = &Package { name: "unlimited", documents: None, transformation: true };

impl Package {
    /// The package of this name, in any case.
    pub fn named(name: &str) -> Option<&'static Package> {
        PACKAGES.iter().find(|package| package.name.eq_ignore_ascii_case(name))
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
    if matches!(family, Family::InvoiceResponse | Family::MessageLevelStatus) {
        return false;
    }
    let parsed = document_type.and_then(|text| text.parse::<DocumentTypeId>().ok());
    let local = parsed.as_ref().and_then(|id| id.parts().local_name);
    !local.is_some_and(|local| FREE.contains(&local))
}

#[cfg(test)]
mod tests;
