//! Parties: tir01-021 to tir01-086, tir01-155 to tir01-161, tir76-021 to tir76-060.

use quoin_model::en16931::{Field, Identifier, Party, PartyRole, TaxRegistrationKind};
use quoin_model::order::{Order, OrderKind};

use super::bis::{endpoint, has_scheme};
use crate::ubl::write::invoice::party::{address, contact};
use crate::ubl::write::invoice::{id, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes the parties, in the order of the schema of the message.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let buyer = ("cac:BuyerCustomerParty", &order.buyer);
    let seller = ("cac:SellerSupplierParty", &order.seller);
    let is_response = order.kind == OrderKind::Response;
    let both = if is_response { [seller, buyer] } else { [buyer, seller] };
    for (name, field) in both {
        out.required_group(name, |out| {
            if let Some(party) = field.first() {
                out.group("cac:Party", |out| inside(out, party, order.kind));
            }
        });
    }
    if is_response {
        return;
    }
    if let Some(party) = order.originator.first() {
        out.group("cac:OriginatorCustomerParty", |out| {
            out.group("cac:Party", |out| {
                identifier(out, &party.identifiers);
                wrapped(out, "cac:PartyName", "cbc:Name", &party.name);
                if let Some(one) = party.contact.first() {
                    contact(out, one);
                }
            });
        });
    }
    if order.kind == OrderKind::Cancellation {
        return;
    }
    if let Some(party) = order.invoicee.first() {
        out.group("cac:AccountingCustomerParty", |out| {
            out.group("cac:Party", |out| inside(out, party, order.kind));
        });
    }
}

/// Writes buyer, seller, or who gets the invoice. An answer names them and no more.
fn inside<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, kind: OrderKind) {
    address_of(out, party);
    identifier(out, &party.identifiers);
    if kind == OrderKind::Response {
        return wrapped(out, "cac:PartyLegalEntity", "cbc:RegistrationName", &party.name);
    }
    wrapped(out, "cac:PartyName", "cbc:Name", &party.trading_name);
    address(out, "cac:PostalAddress", &party.address);
    if party.role == PartyRole::Buyer {
        tax(out, party);
    }
    out.group("cac:PartyLegalEntity", |out| {
        out.first("cbc:RegistrationName", &party.name);
        if let Some(registration) = party.legal_registration.filled() {
            id(out, "cbc:CompanyID", registration);
        }
    });
    if let Some(one) = party.contact.first() {
        contact(out, one);
    }
}

/// The electronic address: the party's own, else what can be one.
fn address_of<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    if let Some(own) = party.endpoint.filled() {
        id(out, "cbc:EndpointID", own);
        return;
    }
    let Some(known) = endpoint(party) else { return };
    let text = known.trimmed().into_owned();
    let scheme = known.scheme().map(|scheme| scheme.trimmed().into_owned()).unwrap_or_default();
    let reason = "a party must have an electronic address: its identifier is one";
    out.implied("cbc:EndpointID", &text, party.element, None, reason);
    out.constant("cbc:EndpointID", &text, &[("schemeID", &scheme)]);
}

/// An identifier, by preference with a scheme; a scheme that is none of ISO 6523 has no place.
fn identifier<'d>(out: &mut InvoiceOutput<'d>, field: &Field<Identifier<'d>>) {
    let best = field.iter().copied().find(has_scheme).or_else(|| field.filled());
    let Some(own) = best else { return };
    out.group("cac:PartyIdentification", |out| match has_scheme(&own) {
        true => {
            id(out, "cbc:ID", own);
        }
        false => {
            out.text("cbc:ID", own);
            if let Some(scheme) = own.scheme() {
                out.lost(scheme, "the target has schemes of ISO 6523 only");
            }
        }
    });
}

/// tir01-034: the number for VAT.
fn tax<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let vat = |one: &&quoin_model::en16931::TaxRegistration<'d>| {
        one.kind() == TaxRegistrationKind::Vat && one.id.is_filled()
    };
    let Some(registration) = party.tax_registrations.iter().find(vat) else { return };
    let Some(own) = registration.id.filled() else { return };
    out.group("cac:PartyTaxScheme", |out| {
        out.text("cbc:CompanyID", own);
        if let Some(scheme) = own.scheme() {
            // The element of the tax scheme says it.
            out.ledger.carry(scheme);
        }
        out.group("cac:TaxScheme", |out| out.constant("cbc:ID", "VAT", &[]));
    });
}

/// Who receives the goods: tir01-101 to tir01-106.
pub(super) fn receiver<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    out.group("cac:DeliveryParty", |out| {
        identifier(out, &party.identifiers);
        wrapped(out, "cac:PartyName", "cbc:Name", &party.name);
        address(out, "cac:PostalAddress", &party.address);
        if let Some(one) = party.contact.first() {
            contact(out, one);
        }
    });
    if !party.name.is_filled()
        && let Some(name) = party.trading_name.filled()
    {
        out.told_otherwise("cac:DeliveryParty", *name, LossKind::Lost, "it has one name here");
    }
}
