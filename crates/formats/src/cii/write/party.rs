//! Parties in CII: BG-4 to BG-12, BT-70 with BG-15.

use quoin_model::en16931::{
    Contact, DeliveryInformation, Field, Identifier, Invoice, Party, PartyRole, PostalAddress,
    TaxRegistration, TaxRegistrationKind,
};

use super::{id, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

/// The parts of an address that EN 16931 has not: the name in UBL, and here.
const ADDRESS_PARTS: &[(&str, &str)] = &[
    ("BuildingName", "ram:BuildingName"),
    ("CitySubdivisionName", "ram:CitySubDivisionName"),
    ("MarkAttention", "ram:AttentionOf"),
    ("MarkCare", "ram:CareOf"),
    ("Department", "ram:DepartmentName"),
];

/// Writes the first party of a role.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    parties: &Field<Party<'d>>,
) {
    if let Some(party) = parties.first() {
        one(out, name, party);
    }
}

/// Writes the first party of a role that EN 16931 has not.
pub(super) fn other<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    invoice: &Invoice<'d>,
    role: PartyRole,
) {
    if let Some(party) = invoice.extensions.parties.iter().find(|party| party.role == role) {
        one(out, name, party);
    }
}

/// Writes a party.
pub(super) fn one<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, party: &Party<'d>) {
    out.group(name, |out| {
        identifiers(out, &party.identifiers);
        inside(out, party, &party.address);
    });
}

/// A party without its identifiers.
fn inside<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    addresses: &Field<PostalAddress<'d>>,
) {
    let more = party.extensions.as_deref();
    out.first("ram:Name", &party.name);
    if let Some(more) = more {
        out.first("ram:RoleCode", &more.role_code);
    }
    out.first("ram:Description", &party.legal_information);
    out.group("ram:SpecifiedLegalOrganization", |out| {
        if let Some(more) = more {
            out.first("ram:LegalClassificationCode", &more.legal_classification);
        }
        if let Some(registration) = party.legal_registration.filled() {
            id(out, "ram:ID", registration);
        }
        out.first("ram:TradingBusinessName", &party.trading_name);
        if let Some(more) = more {
            address(out, &more.registration_address);
        }
    });
    if let Some(one) = party.contact.first() {
        contact(out, one);
    }
    address(out, addresses);
    out.group("ram:URIUniversalCommunication", |out| {
        if let Some(endpoint) = party.endpoint.filled() {
            id(out, "ram:URIID", endpoint);
        }
    });
    for registration in &party.tax_registrations {
        tax_registration(out, registration);
    }
}

/// BT-70, BT-71, BG-15.
pub(super) fn ship_to<'d>(out: &mut InvoiceOutput<'d>, delivery: &DeliveryInformation<'d>) {
    out.group("ram:ShipToTradeParty", |out| {
        identifiers(out, &delivery.location);
        match delivery.party.first() {
            Some(party) => inside(out, party, &delivery.address),
            None => address(out, &delivery.address),
        }
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
        out.first("ram:ID", &contact.id);
        out.first("ram:PersonName", &contact.name);
        out.first("ram:DepartmentName", &contact.department);
        out.first("ram:TypeCode", &contact.type_code);
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

/// BG-5 and its like, in the order of the schema.
fn address<'d>(out: &mut InvoiceOutput<'d>, addresses: &Field<PostalAddress<'d>>) {
    let Some(address) = addresses.first() else { return };
    out.group("ram:PostalTradeAddress", |out| {
        out.first("ram:ID", &address.id);
        out.first("ram:PostcodeCode", &address.post_code);
        out.first("ram:PostOfficeBox", &address.post_box);
        address_part(out, address, "ram:BuildingName");
        out.first("ram:LineOne", &address.line1);
        out.first("ram:LineTwo", &address.line2);
        out.first("ram:LineThree", &address.line3);
        out.first("ram:CityName", &address.city);
        address_part(out, address, "ram:CitySubDivisionName");
        out.first("ram:CountryID", &address.country);
        out.first("ram:CountryName", &address.country_name);
        out.first("ram:CountrySubDivisionID", &address.subdivision_code);
        out.first("ram:CountrySubDivisionName", &address.subdivision);
        address_part(out, address, "ram:AttentionOf");
        address_part(out, address, "ram:CareOf");
        out.first("ram:BuildingNumber", &address.building_number);
        address_part(out, address, "ram:DepartmentName");
    });
}

/// A part of an address that is told by the name of its element.
fn address_part<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, name: &'static str) {
    let is_it = |local: &str| {
        ADDRESS_PARTS.iter().any(|(ubl, cii)| {
            *cii == name && (*ubl == local || cii.trim_start_matches("ram:") == local)
        })
    };
    let part = address.others.iter().find(|part| !part.is_blank() && is_it(part.element().local()));
    if let Some(part) = part {
        out.text(name, *part);
    }
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
        if let Some(own) = value.scheme().filter(|own| own.is(scheme)) {
            out.ledger.carry(own);
        }
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
