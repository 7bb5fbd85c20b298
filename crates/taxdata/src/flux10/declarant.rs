//! Who declares an invoice in France, and by which flux: decided here for the service and for the
//! files that are written by hand.

use super::foreign::{is_domestic, siren_of};
use super::{DeclarantRole, NotEReportable};
use crate::invoice::ReportableInvoice;
use crate::missing::MissingTerm;
use crate::regime::ReporterRole;
use crate::terms::TradeSide;

/// The country.
const FRANCE: &str = "FR";

/// By which flux France is told of an invoice for the client of a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrenchFlux {
    /// By none: the client has no French VAT number.
    Untold,
    /// By an extract (flux 1): both ends are companies in France.
    Extract,
    /// In the file of its period (flux 10).
    File,
}

impl FrenchFlux {
    /// The flux of an invoice.
    pub fn of(invoice: &ReportableInvoice<'_>, role: ReporterRole) -> FrenchFlux {
        if invoice.reporting_country(role).as_deref() != Some(FRANCE) {
            return FrenchFlux::Untold;
        }
        if is_domestic(invoice) { FrenchFlux::Extract } else { FrenchFlux::File }
    }

    /// Whether the provider in a corner tells it. Extracts are told by that of the sender only.
    pub fn is_told_by(self, role: ReporterRole) -> bool {
        match self {
            FrenchFlux::Untold => false,
            FrenchFlux::Extract => role == ReporterRole::Corner2,
            FrenchFlux::File => true,
        }
    }
}

/// The end of an invoice that declares it: the client of a corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declarant {
    /// On which side it is (TT-15).
    pub role: DeclarantRole,
    /// Its SIREN (TT-13), where the invoice says it.
    pub siren: Option<String>,
    /// Its name (TT-14), where the invoice says it.
    pub name: Option<String>,
}

impl Declarant {
    /// The client of a corner.
    pub fn of(invoice: &ReportableInvoice<'_>, role: ReporterRole) -> Declarant {
        let (terms, side) = (invoice.terms(), invoice.client(role));
        Declarant {
            role: match side {
                TradeSide::Seller => DeclarantRole::Seller,
                TradeSide::Buyer => DeclarantRole::Buyer,
            },
            siren: siren_of(terms, side).map(|siren| siren.into_owned()),
            name: terms.name(side).map(|name| name.into_owned()),
        }
    }

    /// Its SIREN and its name, both of which a file has to say.
    ///
    /// # Errors
    /// The term of the invoice that is missing.
    pub(super) fn named(self) -> Result<(String, String), NotEReportable> {
        let (siren_term, name_term) = match self.role {
            DeclarantRole::Seller => ("BT-30", "BT-27"),
            DeclarantRole::Buyer => ("BT-47", "BT-44"),
        };
        let lacks = |term| NotEReportable::Lacks(MissingTerm::named(term));
        let siren = self.siren.ok_or_else(|| lacks(siren_term))?;
        Ok((siren, self.name.ok_or_else(|| lacks(name_term))?))
    }
}
