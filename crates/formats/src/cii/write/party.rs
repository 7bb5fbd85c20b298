//! Parties in CII: BG-4 to BG-12, BT-70 with BG-15.

use quoin_model::en16931::{
    Contact, DeliveryInformation, Field, Identifier, Invoice, Party, PartyRole, PostalAddress,
    TaxRegistration, TaxRegistrationKind,
};

use super::{id, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

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
    // Of the buyer EN 16931 has the one for VAT (BT-48), and the rules of Factur-X ask for that.
    let is_one = party.role == PartyRole::Buyer && out.is_of_factur_x();
    let is_used = |own: &&TaxRegistration<'d>| !is_one || own.kind() == TaxRegistrationKind::Vat;
    for registration in party.tax_registrations.iter().filter(is_used) {
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
        names(out, contact);
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

/// BT-41, BT-56: the rules allow one of person and department (CII-SR-465).
fn names<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    const NAME: &str = "ram:PersonName";
    let both = contact.name.filled().zip(contact.department.filled());
    let Some((person, department)) = both.filter(|_| out.has_place(NAME)) else {
        out.first(NAME, &contact.name);
        out.first("ram:DepartmentName", &contact.department);
        return;
    };
    let reason = "CII has one name for the person and the department (CII-SR-465)";
    for part in [person, department] {
        out.told_otherwise(NAME, *part, LossKind::Merged, reason);
    }
    out.constant(NAME, &format!("{} {}", person.trimmed(), department.trimmed()), &[]);
}

/// BG-5 and its like. What the schema has more, the rules of EN 16931 forbid (CII-DT-082 to 096).
fn address<'d>(out: &mut InvoiceOutput<'d>, addresses: &Field<PostalAddress<'d>>) {
    // The schemas of Factur-X ask for the country.
    let has_place = |one: &&PostalAddress<'d>| !out.is_of_factur_x() || one.country.is_filled();
    let Some(address) = addresses.first().filter(has_place) else { return };
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
        out.constant("ram:ID", &value.trimmed(), &[("schemeID", scheme)]);
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
