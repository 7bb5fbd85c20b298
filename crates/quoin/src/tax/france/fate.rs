//! What becomes of an invoice: in which file it is told, or why in none. It is decided by what the
//! service decides by.

use bytes::Bytes;
use quoin_access_point::tax::exchanged::{came_by_access_point, gathered_of, opened, withdrawn};
use quoin_access_point::tax::{FRANCE, reporter_role};
use quoin_delivery::Direction;
use quoin_taxdata::ReportableInvoice;
use quoin_taxdata::flux1::{ExtractLevel, extract};
use quoin_taxdata::flux10::{Declarant, DeclarantRole, FrenchFlux, GatheredInvoice};

use super::exchanged::Exchanged;

/// For whom files are written.
pub(super) struct AskedDeclarant<'a> {
    /// Its SIREN.
    pub(super) siren: &'a str,
    /// Its side.
    pub(super) role: DeclarantRole,
    /// How much extracts tell.
    pub(super) level: ExtractLevel,
}

/// What becomes of an invoice.
pub(super) enum InvoiceFate {
    /// It is told in the file of its period.
    Gathered(GatheredInvoice),
    /// It is told by this extract.
    Extract(Vec<u8>),
    /// The party is on its other side.
    OtherSide,
    /// It is declared by this SIREN.
    OtherDeclarant(String),
    /// Nothing is told of it, for this reason.
    Untold(String),
    /// It would have to be told, and cannot be, for this reason.
    Missing(String),
}

/// What becomes of an invoice whose document is there, or is not kept any more.
pub(super) fn fate(
    one: &Exchanged,
    document: Option<&Bytes>,
    asked: &AskedDeclarant<'_>,
) -> InvoiceFate {
    let Some(document) = document else { return fate_of_gone(one, asked) };
    let (record, role) = (&one.record, reporter_role(one.role));
    let direction = record.transaction.direction;
    let parsed = opened(document, direction, &record.wishes);
    let invoice = match ReportableInvoice::of(&parsed) {
        Ok(invoice) => invoice,
        Err(error) => return InvoiceFate::Untold(error.to_string()),
    };
    let declarant = Declarant::of(&invoice, role);
    if declarant.role != asked.role {
        return InvoiceFate::OtherSide;
    }
    let flux = FrenchFlux::of(&invoice, role);
    if !flux.is_told_by(role) {
        return InvoiceFate::Untold(untold(flux, asked.role).to_owned());
    }
    if direction == Direction::Incoming && !came_by_access_point(record) {
        return InvoiceFate::Untold("it came from no access point of the network".to_owned());
    }
    if let Some(other) = declarant.siren.filter(|siren| siren != asked.siren) {
        return InvoiceFate::OtherDeclarant(other);
    }
    if let Some(why) = withdrawn(&one.reports) {
        return InvoiceFate::Untold(why.to_owned());
    }
    match flux {
        FrenchFlux::Extract => match extract(&invoice, asked.level) {
            Ok(text) => InvoiceFate::Extract(text),
            Err(error) => InvoiceFate::Missing(error.to_string()),
        },
        _ => match GatheredInvoice::of(&invoice, role) {
            Ok(gathered) => InvoiceFate::Gathered(gathered),
            Err(error) => InvoiceFate::Missing(error.to_string()),
        },
    }
}

fn untold(flux: FrenchFlux, side: DeclarantRole) -> &'static str {
    match (flux, side) {
        (FrenchFlux::Extract, _) => "the invoice is domestic: the platform of its sender tells it",
        (_, DeclarantRole::Seller) => "its seller has no French VAT number (BT-31)",
        (_, DeclarantRole::Buyer) => "its buyer has no French VAT number (BT-48)",
    }
}

/// What the service kept for the file of the period stands for the document.
fn fate_of_gone(one: &Exchanged, asked: &AskedDeclarant<'_>) -> InvoiceFate {
    let kept = gathered_of(&one.reports);
    match &kept {
        Some(kept) if kept.role != asked.role => return InvoiceFate::OtherSide,
        Some(kept) if kept.siren != asked.siren => {
            return InvoiceFate::OtherDeclarant(kept.siren.clone());
        }
        _ => {}
    }
    if let Some(why) = withdrawn(&one.reports) {
        return InvoiceFate::Untold(why.to_owned());
    }
    if let Some(kept) = kept {
        return InvoiceFate::Gathered(kept);
    }
    let country = one.reports.last().and_then(|report| report.facts.country.as_deref());
    match country.filter(|country| *country != FRANCE) {
        Some(other) => InvoiceFate::Untold(format!("it was to be told to {other}")),
        None => InvoiceFate::Missing("it is no longer kept".to_owned()),
    }
}
