//! What routing knows of an invoice whose syntax has no row of paths: what its reader reads.

use std::borrow::Cow;

use quoin_model::ElectronicAddress;
use quoin_model::en16931::{Field, Party};
use quoin_model::text::cut;
use quoin_xml::tree::Element;

use super::{Routing, RoutingParty};
use crate::Detection;
use crate::detection::MAX_IDENTIFIER;
use crate::json::SkimmedInvoice;
use crate::readers::read_invoice_at;
use crate::syntax::Syntax;

/// The routing of an invoice, as far as the model has it. Addresses of other networks than ours are
/// none: only the JSON form names participants.
pub(super) fn completed(routing: Routing, root: Element<'_>, self_billing: bool) -> Routing {
    let Some(reading) = read_invoice_at(root) else { return routing };
    let invoice = &reading.invoice;
    let of_ours = reading.syntax == Syntax::InvoiceJson;
    let seller = end(&invoice.seller, of_ours);
    let buyer = end(&invoice.buyer, of_ours);
    let type_code = invoice.type_code.text();
    // Of our own form detection says it, which knows the specification, too.
    let by_type = !of_ours && matches!(type_code.as_deref(), Some("389" | "261"));
    let turned = self_billing || by_type;
    let (sender, receiver) = if turned { (buyer, seller) } else { (seller, buyer) };
    Routing {
        number: invoice.number.text().map(kept),
        issue_date: invoice.issue_date.day(),
        type_code: type_code.map(kept),
        currency: invoice.currency.text().map(kept),
        sender,
        receiver,
        ..routing
    }
}

/// The routing of an invoice in JSON that is refused, as far as it was seen.
pub(super) fn glimpsed(skimmed: &SkimmedInvoice, detection: &Detection) -> Routing {
    let [seller, buyer] =
        skimmed.ends().map(|endpoint| RoutingParty { endpoint, ..RoutingParty::default() });
    let turned = detection.self_billing;
    let (sender, receiver) = if turned { (buyer, seller) } else { (seller, buyer) };
    Routing {
        customization_id: detection.customization_id.clone(),
        profile_id: detection.profile_id.clone(),
        number: skimmed.number.clone(),
        issue_date: skimmed.issue_date.as_deref().and_then(quoin_model::text::date),
        type_code: skimmed.type_code.clone(),
        currency: skimmed.currency.clone(),
        sender,
        receiver,
        ..Routing::default()
    }
}

fn kept(text: Cow<'_, str>) -> String {
    cut(&text, MAX_IDENTIFIER).into_owned()
}

fn end(party: &Field<Party<'_>>, of_ours: bool) -> RoutingParty {
    let Some(party) = party.first() else { return RoutingParty::default() };
    let address = || {
        let address = party.endpoint.one()?;
        let scheme = kept(address.scheme()?.text());
        let value = kept(address.text());
        (!scheme.is_empty() && !value.is_empty()).then_some(ElectronicAddress { scheme, value })
    };
    let country = party.address.first().and_then(|own| own.country.text());
    RoutingParty {
        endpoint: if of_ours { address() } else { None },
        name: party.name.text().or_else(|| party.trading_name.text()).map(kept),
        country: country.map(|code| kept(code).to_ascii_uppercase()),
    }
}
