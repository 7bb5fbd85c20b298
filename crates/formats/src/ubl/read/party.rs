//! Parties in UBL: BG-4 to BG-12 and those of extensions.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{name, wrapped};
use crate::reading::Pass;
use quoin_model::en16931::{
    AttributeName, Contact, Field, Identifier, Party, PartyExtensions, PartyRole, PostalAddress,
    TaxRegistration,
};

/// Reads `AccountingSupplierParty` and its like: what stands beside the `Party`, and the `Party`.
///
/// A role without `Party` is a party without terms; one with two is two parties.
pub(in crate::ubl) fn role<'d>(
    pass: &mut Pass<'d>,
    role: PartyRole,
    element: Element<'d>,
) -> Vec<Party<'d>> {
    let mut parties = Vec::with_capacity(1);
    let mut extensions = PartyExtensions::default();
    let mut extended = false;
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Aggregate("Party") => parties.push(read(pass, role, child)),
            Basic(
                "CustomerAssignedAccountID" | "SupplierAssignedAccountID" | "AdditionalAccountID",
            ) => {
                pass.take(&mut extensions.account_ids, child);
                extended = true;
            }
            Aggregate(
                "DespatchContact" | "DeliveryContact" | "AccountingContact" | "BuyerContact"
                | "SellerContact",
            ) => {
                extensions.contacts.push(contact(pass, child));
                extended = true;
            }
            _ => pass.unread(child),
        }
    }
    if parties.is_empty() {
        parties.push(Party::new(role, element));
    }
    if extended && let Some(party) = parties.first_mut() {
        let own = party.extensions.get_or_insert_default();
        own.account_ids = extensions.account_ids;
        own.contacts = extensions.contacts;
    }
    parties
}

/// Reads a `Party` or an element of its type (`PayeeParty`, `DeliveryParty`).
pub(in crate::ubl) fn read<'d>(
    pass: &mut Pass<'d>,
    role: PartyRole,
    element: Element<'d>,
) -> Party<'d> {
    let mut party = Party::new(role, element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("EndpointID") => pass.take(&mut party.endpoint, child),
            Aggregate("PartyIdentification") => identification(pass, &mut party, child),
            Aggregate("PartyName") => {
                let field = match registered_name(role) {
                    true => &mut party.trading_name,
                    false => &mut party.name,
                };
                wrapped(pass, field, child, "Name");
            }
            Aggregate("PostalAddress") => party.address.push(address(pass, child)),
            Aggregate("PartyTaxScheme") => party.tax_registrations.push(tax_scheme(pass, child)),
            Aggregate("PartyLegalEntity") => legal_entity(pass, &mut party, child),
            Aggregate("Contact") => party.contact.push(contact(pass, child)),
            _ => extension(pass, party.extensions.get_or_insert_default(), child),
        }
    }
    party
}

/// Whether the name of a party in this role is the registered one (BT-27, BT-44), so that
/// `PartyName` is the trading name (BT-28, BT-45). Of the others `PartyName` is the name.
fn registered_name(role: PartyRole) -> bool {
    role.is_registered_by_name()
}

/// What only extensions have.
fn extension<'d>(pass: &mut Pass<'d>, more: &mut PartyExtensions<'d>, child: Element<'d>) {
    match name(child) {
        Basic("IndustryClassificationCode") => pass.take(&mut more.industry, child),
        Basic("WebsiteURI") => pass.take(&mut more.website, child),
        Aggregate("Language") => wrapped(pass, &mut more.language, child, "ID"),
        Aggregate("AgentParty") => {
            more.agents.push(read(pass, PartyRole::Agent, child));
        }
        Aggregate("Person") => {
            pass.open(child);
            for part in child.elements() {
                match name(part) {
                    Basic("FirstName" | "FamilyName" | "MiddleName" | "Title" | "JobTitle") => {
                        more.persons.push(pass.value(part));
                    }
                    _ => pass.unread(part),
                }
            }
        }
        _ => pass.unread(child),
    }
}

/// `PartyIdentification`: BT-29, BT-46, BT-60; with scheme `SEPA` on seller or payee BT-90.
fn identification<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let mut found = Field::<Identifier<'d>>::default();
    wrapped(pass, &mut found, element, "ID");
    let may_be_creditor = matches!(party.role, PartyRole::Seller | PartyRole::Payee);
    for id in found.iter().copied() {
        let scheme = id.element().attribute(AttributeName::SchemeId.as_str());
        let is_creditor = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("SEPA"));
        match may_be_creditor && is_creditor {
            true => pass.creditor.push(id),
            false => party.identifiers.push(id),
        }
    }
}

fn legal_entity<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("RegistrationName") if registered_name(party.role) => {
                pass.take(&mut party.name, child);
            }
            Basic("RegistrationName") => {
                let more = party.extensions.get_or_insert_default();
                pass.take(&mut more.registration_name, child);
            }
            Basic("CompanyID") => pass.take(&mut party.legal_registration, child),
            Basic("CompanyLegalForm") => pass.take(&mut party.legal_information, child),
            Basic("CompanyLegalFormCode") => {
                let more = party.extensions.get_or_insert_default();
                pass.take(&mut more.legal_classification, child);
            }
            Aggregate("RegistrationAddress") => {
                let address = address(pass, child);
                party.extensions.get_or_insert_default().registration_address.push(address);
            }
            _ => pass.unread(child),
        }
    }
}

fn tax_scheme<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TaxRegistration<'d> {
    let mut registration = TaxRegistration::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("CompanyID") => pass.take(&mut registration.id, child),
            Basic("RegistrationName") => pass.take(&mut registration.registration_name, child),
            Basic("TaxLevelCode") => pass.take(&mut registration.level, child),
            Basic("ExemptionReason") => pass.take(&mut registration.exemption_reason, child),
            Basic("ExemptionReasonCode") => {
                pass.take(&mut registration.exemption_reason_code, child);
            }
            Aggregate("TaxScheme") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("ID") => pass.take(&mut registration.scheme, part),
                        Basic("Name") => pass.take(&mut registration.scheme_name, part),
                        Basic("TaxTypeCode") => pass.take(&mut registration.scheme_type, part),
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    registration
}

/// Reads a postal address: `PostalAddress`, `Address`, `RegistrationAddress`.
pub(in crate::ubl) fn address<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("StreetName") => pass.take(&mut address.line1, child),
            Basic("AdditionalStreetName") => pass.take(&mut address.line2, child),
            Aggregate("AddressLine") => wrapped(pass, &mut address.line3, child, "Line"),
            Basic("CityName") => pass.take(&mut address.city, child),
            Basic("PostalZone") => pass.take(&mut address.post_code, child),
            Basic("CountrySubentity") => pass.take(&mut address.subdivision, child),
            Basic("CountrySubentityCode") => pass.take(&mut address.subdivision_code, child),
            Basic("BuildingNumber") => pass.take(&mut address.building_number, child),
            Basic("Postbox") => pass.take(&mut address.post_box, child),
            Basic("ID") => pass.take(&mut address.id, child),
            Basic(
                "Floor"
                | "Room"
                | "BlockName"
                | "BuildingName"
                | "InhouseMail"
                | "Department"
                | "MarkAttention"
                | "MarkCare"
                | "PlotIdentification"
                | "CitySubdivisionName"
                | "Region"
                | "District",
            ) => address.others.push(pass.value(child)),
            Aggregate("Country") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("IdentificationCode") => pass.take(&mut address.country, part),
                        Basic("Name") => pass.take(&mut address.country_name, part),
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    address
}

/// Reads a contact: `Contact`, `AccountingContact` and their like.
fn contact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Name") => pass.take(&mut contact.name, child),
            Basic("Telephone") => pass.take(&mut contact.telephone, child),
            Basic("ElectronicMail") => pass.take(&mut contact.email, child),
            Basic("Telefax") => pass.take(&mut contact.telefax, child),
            Basic("ID") => pass.take(&mut contact.id, child),
            Basic("Note") => pass.take(&mut contact.note, child),
            _ => pass.unread(child),
        }
    }
    contact
}
