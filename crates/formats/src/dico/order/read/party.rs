//! Parties of DICO: who is told by a GLN, in street and number or in parts of an address.

use quoin_model::en16931::{
    AttributeName, Contact, Derivation, Field, Identifier, Party, PartyRole, PostalAddress,
    TaxRegistration, Text, ValueSource,
};
use quoin_model::order::Order;
use quoin_xml::tree::Element;

use crate::reading::{Pass, joined};

/// Reads a party.
pub(super) fn read<'d>(pass: &mut Pass<'d>, role: PartyRole, element: Element<'d>) -> Party<'d> {
    let mut party = Party::new(role, element);
    let mut address = PostalAddress::new(element);
    let (mut names, mut street) = (Vec::new(), Vec::new());
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "GLN" => party.identifiers.push(identifier(pass, child, "0088")),
            "VATRegistrationNumber" => {
                let mut registration = TaxRegistration::new(child);
                registration.id.push(identifier(pass, child, "VA"));
                party.tax_registrations.push(registration);
            }
            "ChamberOfCommerceNumber" => {
                party.legal_registration.push(identifier(pass, child, "0106"));
            }
            "Name" | "Name2" => names.push(pass.value(child)),
            "StreetAndNumber" | "Street" | "HouseNumber" | "HouseLetter" | "HouseNumberSuffix" => {
                street.push(pass.value(child));
            }
            "City" => pass.take(&mut address.city, child),
            "PostalCode" => pass.take(&mut address.post_code, child),
            "Country" => pass.take(&mut address.country, child),
            "LocationDescription" => address.others.push(pass.value(child)),
            "ContactInformation" | "Contactgegevens" => party.contact.push(contact(pass, child)),
            _ => pass.unread(child),
        }
    }
    one_text(&mut party.name, element, &names);
    one_text(&mut address.line1, element, &street);
    let texts = [&address.line1, &address.city, &address.post_code];
    let is_said = texts.iter().any(|text| text.is_present()) || address.country.is_present();
    if is_said || !address.others.is_empty() {
        party.address.push(address);
    }
    party
}

/// Reads `DeliveryParty`: who receives, and where.
pub(super) fn delivery<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let mut party = read(pass, PartyRole::DeliverTo, element);
    let Some(delivery) = order.delivery_at(element) else { return };
    let mut addresses = std::mem::take(&mut party.address);
    delivery.address.append(&mut addresses);
    let mut locations = std::mem::take(&mut party.identifiers);
    delivery.location.append(&mut locations);
    if let Some(address) = delivery.address.all_mut().first_mut() {
        delivery.location_name.extend(std::mem::take(&mut address.others));
    }
    delivery.party.push(party);
}

/// An identifier whose scheme the element means.
fn identifier<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    scheme: &'static str,
) -> Identifier<'d> {
    let own: Identifier<'d> = pass.value(element);
    let scheme = ValueSource::of(element).saying(Derivation::Implied, scheme);
    own.with(&[(AttributeName::SchemeId, scheme)]).into()
}

/// Parts that are one text: the name goes on in `Name2`, the street in the number.
fn one_text<'d>(field: &mut Field<Text<'d>>, element: Element<'d>, parts: &[Text<'d>]) {
    let said: Vec<_> = parts.iter().copied().filter(|part| !part.is_blank()).collect();
    match said.as_slice() {
        [] => field.extend(parts.first().copied()),
        [one] => field.push(*one),
        several => field.push(joined(element, &[], several, " ")),
    }
}

fn contact<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Contact<'d> {
    let mut contact = Contact::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "ContactPersonName" => pass.take(&mut contact.name, child),
            "PhoneNumber" => pass.take(&mut contact.telephone, child),
            "EmailAddress" => pass.take(&mut contact.email, child),
            _ => pass.unread(child),
        }
    }
    contact
}
