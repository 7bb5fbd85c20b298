//! Parties in CII: BG-4 to BG-12, BT-70 with BG-15.

use quoin_model::en16931::{
    Contact, DeliveryInformation, Field, Identifier, Party, PostalAddress, TaxRegistration,
    TaxRegistrationKind,
};

use super::{id, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes the first party of a role.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    parties: &Field<Party<'d>>,
) {
    let Some(party) = parties.first() else { return };
    out.group(name, |out| {
        identifiers(out, &party.identifiers);
        out.first("ram:Name", &party.name);
        out.first("ram:Description", &party.legal_information);
        out.group("ram:SpecifiedLegalOrganization", |out| {
            if let Some(registration) = party.legal_registration.filled() {
                id(out, "ram:ID", registration);
            }
            out.first("ram:TradingBusinessName", &party.trading_name);
        });
        if let Some(one) = party.contact.first() {
            contact(out, one);
        }
        address(out, &party.address);
        out.group("ram:URIUniversalCommunication", |out| {
            if let Some(endpoint) = party.endpoint.filled() {
                id(out, "ram:URIID", endpoint);
            }
        });
        for registration in &party.tax_registrations {
            tax_registration(out, registration);
        }
    });
}

/// BT-70, BT-71, BG-15.
pub(super) fn ship_to<'d>(out: &mut InvoiceOutput<'d>, delivery: &DeliveryInformation<'d>) {
    out.group("ram:ShipToTradeParty", |out| {
        identifiers(out, &delivery.location);
        if let Some(party) = delivery.party.first() {
            out.first("ram:Name", &party.name);
        }
        address(out, &delivery.address);
    });
}

/// BT-29 and its like: those without scheme are `ID`, the others `GlobalID`.
fn identifiers<'d>(out: &mut InvoiceOutput<'d>, all: &Field<Identifier<'d>>) {
    let is_global = |one: &&Identifier<'d>| one.scheme().is_some_and(|scheme| !scheme.is_blank());
    for local in all.iter().filter(|one| !is_global(one)) {
        out.text("ram:ID", *local);
    }
    for global in all.iter().filter(is_global) {
        id(out, "ram:GlobalID", *global);
    }
}

fn contact<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    out.group("ram:DefinedTradeContact", |out| {
        out.first("ram:PersonName", &contact.name);
        out.first("ram:DepartmentName", &contact.department);
        wrapped(
            out,
            "ram:TelephoneUniversalCommunication",
            "ram:CompleteNumber",
            &contact.telephone,
        );
        wrapped(out, "ram:FaxUniversalCommunication", "ram:CompleteNumber", &contact.telefax);
        wrapped(out, "ram:EmailURIUniversalCommunication", "ram:URIID", &contact.email);
    });
}

fn address<'d>(out: &mut InvoiceOutput<'d>, addresses: &Field<PostalAddress<'d>>) {
    let Some(address) = addresses.first() else { return };
    out.group("ram:PostalTradeAddress", |out| {
        out.first("ram:PostcodeCode", &address.post_code);
        out.first("ram:LineOne", &address.line1);
        out.first("ram:LineTwo", &address.line2);
        out.first("ram:LineThree", &address.line3);
        out.first("ram:CityName", &address.city);
        out.first("ram:CountryID", &address.country);
        out.first("ram:CountrySubDivisionName", &address.subdivision);
    });
}

/// BT-31, BT-32, BT-48, BT-63. CII knows two kinds: `VA`, and `FC` for all others.
fn tax_registration<'d>(out: &mut InvoiceOutput<'d>, registration: &TaxRegistration<'d>) {
    let Some(value) = registration.id.filled() else { return };
    let is_vat = registration.kind() == TaxRegistrationKind::Vat;
    let scheme = if is_vat { "VA" } else { "FC" };
    out.group("ram:SpecifiedTaxRegistration", |out| {
        out.constant("ram:ID", &value.text(), &[("schemeID", scheme)]);
        let path = out.path_of("ram:ID/@schemeID");
        out.ledger.carry(*value);
        if let Some(own) = registration.scheme.filled() {
            match is_vat || own.is("FC") {
                true => out.ledger.carry(*own),
                false => {
                    let reason = "CII has FC for every tax other than VAT";
                    out.ledger.list(*own, LossKind::Changed, Some(path), reason);
                }
            }
        }
    });
}
