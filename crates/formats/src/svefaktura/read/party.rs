//! Parties: BG-4 to BG-9.

use quoin_model::en16931::{
    AttributeName, Contact, Derivation, Field, Identifier, Party, PartyExtensions, PartyRole,
    PostalAddress, TaxRegistration, Text,
};
use quoin_xml::tree::Element;

use super::super::codes::{GLN, ORGANISATION};
use super::{name, of_agency, take, value, wrapped};
use crate::reading::{Pass, view};

/// Reads `BuyerParty` or `SellerParty`.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    parties: &mut Field<Party<'d>>,
    role: PartyRole,
    element: Element<'d>,
) {
    let mut party = Party::new(role, element);
    let mut names = PartyNames::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Party" => {
                pass.open(child);
                for inner in child.elements() {
                    term(pass, &mut party, &mut names, inner);
                }
            }
            "AccountsContact" => {
                let contact = contact(pass, child);
                extensions(&mut party).contacts.push(contact);
            }
            _ => pass.unread(child),
        }
    }
    // Where a name is registered, the other is that under which the party trades.
    match names.registered.first() {
        None => party.name.append(&mut names.own),
        Some(registered) => {
            party.name.push(view(registered.element()));
            let text = registered.trimmed();
            let other = names.own.iter().filter(|name| name.trimmed() != text);
            party.trading_name.extend(other.copied());
            let same = names.own.iter().filter(|name| name.trimmed() == text);
            party.name.extend(same.skip(1).copied());
        }
    }
    parties.push(party);
}

#[derive(Default)]
struct PartyNames<'d> {
    own: Field<Text<'d>>,
    registered: Field<Text<'d>>,
}

fn extensions<'p, 'd>(party: &'p mut Party<'d>) -> &'p mut PartyExtensions<'d> {
    party.extensions.get_or_insert_default()
}

fn term<'d>(
    pass: &mut Pass<'d>,
    party: &mut Party<'d>,
    names: &mut PartyNames<'d>,
    element: Element<'d>,
) {
    match name(element) {
        "PartyIdentification" => {
            let mut ids: Field<Identifier<'d>> = Field::default();
            wrapped(pass, &mut ids, element, &["ID"]);
            party.identifiers.extend(ids.iter().map(|id| of_agency(*id, GLN)));
        }
        "PartyName" => wrapped(pass, &mut names.own, element, &["Name"]),
        "Address" => party.address.push(address(pass, element)),
        "Contact" => party.contact.push(contact(pass, element)),
        "PartyTaxScheme" => scheme(pass, party, names, element),
        _ => pass.unread(element),
    }
}

/// `PartyTaxScheme`: of VAT it is BT-31 and BT-48; of Swedish income tax (`SWT`) it is BT-30, and
/// what is said of preliminary tax is BT-32.
fn scheme<'d>(
    pass: &mut Pass<'d>,
    party: &mut Party<'d>,
    names: &mut PartyNames<'d>,
    element: Element<'d>,
) {
    let mut own = TaxRegistration::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "CompanyID" => take(pass, &mut own.id, child),
            "RegistrationName" => {
                take(pass, &mut own.registration_name, child);
                names.registered.push(view(child));
            }
            "ExemptionReason" => take(pass, &mut own.exemption_reason, child),
            "RegistrationAddress" => {
                let place = address(pass, child);
                if party.legal_information.is_absent() {
                    party.legal_information.extend(place.city.iter().copied());
                }
                extensions(party).registration_address.push(place);
            }
            "TaxScheme" => wrapped(pass, &mut own.scheme, child, &["ID"]),
            _ => pass.unread(child),
        }
    }
    if own.scheme.is("SWT") {
        for id in &std::mem::take(&mut own.id) {
            let scheme = id.saying(Derivation::Implied, ORGANISATION);
            let id = id.with(&[(AttributeName::SchemeId, scheme)]);
            party.legal_registration.push(id.into());
        }
        own.id.extend(own.exemption_reason.iter().map(|one| Identifier::from(**one)));
    }
    party.tax_registrations.push(own);
}

/// Reads an address: BG-5, BG-8, BG-15. Lines without a name are those that are free.
pub(super) fn address<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    let mut lines: Field<Text<'d>> = Field::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ID" => {
                let id = value(pass, child);
                address.id.push(of_agency(id, GLN));
            }
            "StreetName" => take(pass, &mut address.line1, child),
            "Postbox" => take(pass, &mut address.line2, child),
            "Department" => take(pass, &mut address.line3, child),
            "CityName" => take(pass, &mut address.city, child),
            "PostalZone" => take(pass, &mut address.post_code, child),
            "AddressLine" => wrapped(pass, &mut lines, child, &["Line"]),
            "Country" => wrapped(pass, &mut address.country, child, &["IdentificationCode"]),
            _ => pass.unread(child),
        }
    }
    for line in &lines {
        let free = [&mut address.line1, &mut address.line2, &mut address.line3];
        match free.into_iter().find(|field| field.is_absent()) {
            Some(field) => field.push(*line),
            None => address.others.push(*line),
        }
    }
    address
}

/// Reads a contact: BG-6, BG-9.
fn contact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Name" => take(pass, &mut contact.name, child),
            "Telephone" => take(pass, &mut contact.telephone, child),
            "Telefax" => take(pass, &mut contact.telefax, child),
            "ElectronicMail" => take(pass, &mut contact.email, child),
            _ => pass.unread(child),
        }
    }
    contact
}
