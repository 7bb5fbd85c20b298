//! Parties in UBL: BG-4 to BG-12.

use quoin_model::en16931::{
    Contact, Field, Identifier, Invoice, Party, PartyRole, PostalAddress, TaxRegistration,
    TaxRegistrationKind,
};

use super::{id, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

/// The parts of an address that EN 16931 has not: the name in CII, and here.
const ADDRESS_PARTS: &[(&str, &str)] = &[
    ("BuildingName", "cbc:BuildingName"),
    ("CitySubDivisionName", "cbc:CitySubdivisionName"),
    ("AttentionOf", "cbc:MarkAttention"),
    ("CareOf", "cbc:MarkCare"),
    ("DepartmentName", "cbc:Department"),
];

/// Writes seller, buyer, payee and tax representative.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let creditor = invoice.payment.creditor_identifier.filled();
    let has_payee = invoice.payee.is_present();
    out.required_group("cac:AccountingSupplierParty", |out| {
        if let Some(seller) = invoice.seller.first() {
            let creditor = creditor.filter(|_| !has_payee);
            out.group("cac:Party", |out| {
                inside(out, seller, creditor);
                agent(out, invoice);
            });
        }
    });
    out.required_group("cac:AccountingCustomerParty", |out| {
        if let Some(buyer) = invoice.buyer.first() {
            out.group("cac:Party", |out| inside(out, buyer, None));
        }
    });
    if let Some(payee) = invoice.payee.first() {
        out.group("cac:PayeeParty", |out| inside(out, payee, creditor));
    }
    if let Some(representative) = invoice.tax_representative.first() {
        out.group("cac:TaxRepresentativeParty", |out| inside(out, representative, None));
    }
}

/// Who acts for the seller (`SalesAgentTradeParty` in CII).
fn agent<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let mut parties = invoice.extensions.parties.iter();
    if let Some(agent) = parties.find(|party| party.role == PartyRole::Agent) {
        out.group("cac:AgentParty", |out| inside(out, agent, None));
    }
}

/// The inside of a party; BT-90 is an identifier of seller or payee with scheme `SEPA`.
pub(super) fn inside<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    creditor: Option<Identifier<'d>>,
) {
    if let Some(endpoint) = party.endpoint.filled() {
        id(out, "cbc:EndpointID", endpoint);
    }
    // BT-29 is 0..n; of buyer (UBL-SR-16) and payee there is one, by preference with a scheme.
    let all = party.identifiers.all();
    let has_scheme = |one: &&Identifier<'d>| one.scheme().is_some_and(|scheme| !scheme.is_blank());
    let kept: &[Identifier<'d>] = match party.role {
        PartyRole::Seller => all,
        _ => all.iter().find(has_scheme).or(all.first()).map_or(&[], std::slice::from_ref),
    };
    for one in kept {
        out.group("cac:PartyIdentification", |out| {
            id(out, "cbc:ID", *one);
        });
    }
    if let Some(creditor) = creditor {
        out.group("cac:PartyIdentification", |out| {
            out.constant("cbc:ID", &creditor.trimmed(), &[("schemeID", "SEPA")]);
        });
        out.ledger.carry(*creditor);
        if let Some(scheme) = creditor.scheme().filter(|scheme| scheme.is("SEPA")) {
            out.ledger.carry(scheme);
        }
    }
    let has_registered_name = matches!(party.role, PartyRole::Seller | PartyRole::Buyer);
    let name = if has_registered_name { &party.trading_name } else { &party.name };
    wrapped(out, "cac:PartyName", "cbc:Name", name);
    address(out, "cac:PostalAddress", &party.address);
    for registration in &party.tax_registrations {
        tax_registration(out, registration);
    }
    out.group("cac:PartyLegalEntity", |out| {
        if has_registered_name {
            out.first("cbc:RegistrationName", &party.name);
        }
        if let Some(registration) = party.legal_registration.filled() {
            id(out, "cbc:CompanyID", registration);
        }
        let more = party.extensions.as_deref();
        if let Some(more) = more {
            out.first("cbc:CompanyLegalFormCode", &more.legal_classification);
        }
        out.first("cbc:CompanyLegalForm", &party.legal_information);
        if let Some(more) = more {
            address(out, "cac:RegistrationAddress", &more.registration_address);
        }
    });
    if let Some(one) = party.contact.first() {
        contact(out, one);
    }
}

/// BG-5 and its like, in the order of the schema.
pub(in crate::ubl) fn address<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    addresses: &Field<PostalAddress<'d>>,
) {
    let Some(address) = addresses.first() else { return };
    out.group(name, |out| {
        out.first("cbc:ID", &address.id);
        out.first("cbc:Postbox", &address.post_box);
        out.first("cbc:StreetName", &address.line1);
        out.first("cbc:AdditionalStreetName", &address.line2);
        address_part(out, address, "cbc:BuildingName");
        out.first("cbc:BuildingNumber", &address.building_number);
        address_part(out, address, "cbc:Department");
        address_part(out, address, "cbc:MarkAttention");
        address_part(out, address, "cbc:MarkCare");
        address_part(out, address, "cbc:CitySubdivisionName");
        out.first("cbc:CityName", &address.city);
        out.first("cbc:PostalZone", &address.post_code);
        out.first("cbc:CountrySubentity", &address.subdivision);
        out.first("cbc:CountrySubentityCode", &address.subdivision_code);
        wrapped(out, "cac:AddressLine", "cbc:Line", &address.line3);
        out.group("cac:Country", |out| {
            out.first("cbc:IdentificationCode", &address.country);
            out.first("cbc:Name", &address.country_name);
        });
    });
}

/// A part of an address that is told by the name of its element in CII.
fn address_part<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, name: &'static str) {
    let row = ADDRESS_PARTS.iter().find(|(_, ubl)| *ubl == name);
    let part = row.and_then(|(cii, _)| {
        let mut parts = address.others.iter();
        parts.find(|part| !part.is_blank() && part.element().local() == *cii)
    });
    if let Some(part) = part {
        out.text(name, *part);
    }
}

/// BT-31, BT-32, BT-48, BT-63: `VA` of CII is `VAT`, `FC` stays.
fn tax_registration<'d>(out: &mut InvoiceOutput<'d>, registration: &TaxRegistration<'d>) {
    let Some(value) = registration.id.filled() else { return };
    let is_vat = registration.kind() == TaxRegistrationKind::Vat;
    out.group("cac:PartyTaxScheme", |out| {
        out.text("cbc:CompanyID", value);
        out.group("cac:TaxScheme", |out| {
            let scheme = value.scheme().filter(|scheme| !scheme.is_blank());
            let text = scheme.map(|scheme| scheme.trimmed());
            let text = if is_vat { "VAT" } else { text.as_deref().unwrap_or("FC") };
            out.constant("cbc:ID", text, &[]);
            match scheme {
                Some(scheme) if !is_vat && text.eq_ignore_ascii_case("VAT") => {
                    // Which it is, UBL says by this word; in CII it is none.
                    let path = Some(out.path_of("cbc:ID"));
                    let reason = "VAT is no word of CII (VA is), and is value added tax in UBL";
                    out.ledger.list_as(Some("BT-31"), scheme, LossKind::Changed, path, reason);
                    out.ledger.list(*value, LossKind::Changed, None, reason);
                }
                Some(scheme) => out.ledger.carry(scheme),
                None => {
                    let path = out.path_of("cbc:ID");
                    let reason = "the schema asks for a tax scheme, and the source has none";
                    out.ledger.invent(registration.element, None, text, path, reason);
                }
            }
        });
    });
}

/// BG-6, BG-9. UBL has one name for person and department.
pub(in crate::ubl) fn contact<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    out.group("cac:Contact", |out| {
        out.first("cbc:ID", &contact.id);
        match (contact.name.filled(), contact.department.filled()) {
            (Some(person), Some(department)) => {
                let path = out.path_of("cbc:Name");
                let both = format!("{} {}", person.text(), department.text());
                out.constant("cbc:Name", &both, &[]);
                let reason = "UBL has one name for the person and the department";
                for part in [person, department] {
                    out.ledger.list(*part, LossKind::Merged, Some(path.clone()), reason);
                }
            }
            _ => {
                if !out.first("cbc:Name", &contact.name) {
                    out.first("cbc:Name", &contact.department);
                }
            }
        }
        out.first("cbc:Telephone", &contact.telephone);
        out.first("cbc:Telefax", &contact.telefax);
        out.first("cbc:ElectronicMail", &contact.email);
    });
}
