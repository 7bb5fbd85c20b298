//! Flux 1 of France: what the public portal is told of a domestic invoice between companies, as an
//! extract of it in UBL.
//!
//! Sources: AIFE, external specifications of e-invoicing, flux 1 in UBL (rules 1.8, "démarrage" and
//! "cible"). What is in an extract is decided by the rows of `build/domestic.rs`.

use crate::assumed::{FLUX_1_BASE, FLUX_1_FULL};
use crate::build::domestic;
pub use crate::flux10::is_domestic;
use crate::flux10::{EReportBreach, EReportInvoice, NotEReportable, check_invoice};
use crate::invoice::ReportableInvoice;
use crate::missing::MissingTerm;

/// How much of an invoice is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtractLevel {
    /// The document without its lines, as at the start of the duty.
    Base,
    /// With its lines.
    Full,
}

impl ExtractLevel {
    /// BT-24 of an extract.
    pub fn specification(self) -> &'static str {
        match self {
            ExtractLevel::Base => FLUX_1_BASE,
            ExtractLevel::Full => FLUX_1_FULL,
        }
    }
}

/// What an extract is called among document types, without its specification and version; it never
/// is in the network.
const DOCUMENT_TYPE: &str =
    "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice";

impl ExtractLevel {
    /// What extracts are called among document types.
    pub fn document_type(self) -> String {
        format!("{DOCUMENT_TYPE}##{}::2.1", self.specification())
    }
}

/// Why there is no extract of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoExtract {
    /// A term is missing, or the invoice goes abroad.
    #[error(transparent)]
    NotReportable(#[from] NotEReportable),
    /// One of both ends is no company in France: then flux 10 tells of it.
    #[error(
        "one of both ends is no company in France: the invoice is told by flux 10, not by flux 1"
    )]
    NotDomestic,
    /// What the portal would refuse.
    #[error("the portal would refuse the extract: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Refused(Vec<EReportBreach>),
}

/// The extract of an invoice, in UTF-8.
///
/// # Errors
/// [`NoExtract`].
pub fn extract(invoice: &ReportableInvoice<'_>, level: ExtractLevel) -> Result<Vec<u8>, NoExtract> {
    let told = EReportInvoice::told(invoice)?;
    if !is_domestic(invoice) {
        return Err(NoExtract::NotDomestic);
    }
    for (party, term) in [(&told.seller, "BT-30"), (&told.buyer, "BT-47")] {
        if party.scheme != "0002" {
            return Err(NotEReportable::Lacks(MissingTerm::named(term)).into());
        }
    }
    let breaches = check_invoice(&told);
    if !breaches.is_empty() {
        return Err(NoExtract::Refused(breaches));
    }
    Ok(domestic::write(invoice, level.specification(), level == ExtractLevel::Full))
}
