//! Parties: BG-4 to BG-10. Who bills and who is paid are named again beside seller and buyer.

use quoin_model::en16931::{
    Contact, Derivation, Field, Invoice, Party, PartyExtensions, PartyRole, PostalAddress,
    TaxRegistration, Text,
};
use quoin_xml::tree::Element;

use super::{SetuWalk, child, is_same, name};
use crate::reading::{implied, joined};

/// The address where a party is.
pub(in super::super) const PHYSICAL: &str = "PhysicalAddress";

/// Reads `Parties`. One that says what another says is told by that.
pub(super) fn parties<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    let find = |wanted: &str| child(element, wanted);
    let (customer, supplier) = (find("CustomerParty"), find("SupplierParty"));
    for one in element.elements() {
        let (main, is_main) = match name(one) {
            "CustomerParty" => (customer, true),
            "SupplierParty" => (supplier, true),
            "BillToParty" => (customer, false),
            "RemitToParty" => (supplier, false),
            _ => {
                walk.pass.unread(one);
                continue;
            }
        };
        let is_buyer = matches!(name(one), "CustomerParty" | "BillToParty");
        match main {
            Some(main) if !is_main && is_same(main, one) => walk.pass.derive_whole(one),
            Some(_) if !is_main => another(walk, invoice, is_buyer, one),
            // Older documents name who bills or who is paid only.
            _ if is_buyer => {
                let party = read(walk, PartyRole::Buyer, one);
                invoice.buyer.push(party);
            }
            _ => {
                let party = read(walk, PartyRole::Seller, one);
                invoice.seller.push(party);
            }
        }
    }
    payees(invoice);
}

/// Who is billed instead of the buyer, or is paid instead of the seller.
fn another<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    is_buyer: bool,
    element: Element<'d>,
) {
    let role = if is_buyer { PartyRole::Invoicee } else { PartyRole::Payee };
    let party = read(walk, role, element);
    match is_buyer {
        true => invoice.extensions.parties.push(party),
        false => invoice.payee.push(party),
    }
}

/// A payee of the name of the seller is no BG-10.
fn payees(invoice: &mut Invoice<'_>) {
    let own = invoice.seller.first().and_then(|seller| seller.name.text());
    let own = own.map(|name| name.into_owned());
    for mut payee in std::mem::take(&mut invoice.payee).iter().cloned() {
        match payee.name.text().map(|name| name.into_owned()) == own {
            true => {
                payee.role = PartyRole::Invoicer;
                invoice.extensions.parties.push(payee);
            }
            false => invoice.payee.push(payee),
        }
    }
}

fn extensions<'p, 'd>(party: &'p mut Party<'d>) -> &'p mut PartyExtensions<'d> {
    party.extensions.get_or_insert_default()
}

/// Reads a party.
fn read<'d>(walk: &mut SetuWalk<'d>, role: PartyRole, element: Element<'d>) -> Party<'d> {
    let mut party = Party::new(role, element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PartyId" => walk.wrapped(&mut party.identifiers, child, &["Id"]),
            "Name" => walk.pass.take(&mut party.name, child),
            "Description" => walk.pass.take(&mut extensions(&mut party).description, child),
            "TaxId" => {
                let mut registration = TaxRegistration::new(child);
                walk.pass.take(&mut registration.id, child);
                let ids = registration.id.iter();
                let schemes = ids.map(|id| id.saying(Derivation::Named, "VAT").into());
                registration.scheme = schemes.collect();
                party.tax_registrations.push(registration);
            }
            "Addresses" => addresses(walk, &mut party, child),
            "Contacts" => {
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "Contact" => contact(walk, &mut party, inner),
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            _ => walk.pass.unread(child),
        }
    }
    party
}

/// The first address where the party is, is that of the standard; without one the first.
fn addresses<'d>(walk: &mut SetuWalk<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let says = |one: Element<'d>| {
        child(one, "Description").is_some_and(|words| words.text().trim() == PHYSICAL)
    };
    let all = || element.elements().filter(|one| name(*one) == "PrimaryAddress");
    let main = all().find(|one| says(*one)).or_else(|| all().next());
    walk.pass.open(element);
    for one in element.elements() {
        if name(one) != "PrimaryAddress" {
            walk.pass.unread(one);
            continue;
        }
        let is_main = Some(one) == main && party.address.is_absent();
        let own = address(walk, one, is_main);
        match is_main {
            true => party.address.push(own),
            false => extensions(party).addresses.push(own),
        }
    }
}

/// Reads an address. What the main one is for is no content; its country is the Netherlands where
/// it says none.
fn address<'d>(walk: &mut SetuWalk<'d>, element: Element<'d>, is_main: bool) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    let mut lines: Field<Text<'d>> = Field::default();
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "AddressLine" => walk.pass.take(&mut lines, child),
            "City" => walk.pass.take(&mut address.city, child),
            "PostalCode" => walk.pass.take(&mut address.post_code, child),
            "StateOrProvince" => walk.pass.take(&mut address.subdivision, child),
            "Country" => walk.pass.take(&mut address.country, child),
            "Description" if is_main && child.text().trim() == PHYSICAL => {
                walk.pass.regenerate(child);
            }
            "County" | "Region" | "Description" => {
                address.others.push(walk.pass.value(child));
            }
            _ => walk.pass.unread(child),
        }
    }
    for line in &lines {
        let free = [&mut address.line1, &mut address.line2, &mut address.line3];
        match free.into_iter().find(|field| field.is_absent()) {
            Some(field) => field.push(*line),
            None => address.others.push(*line),
        }
    }
    if address.country.is_absent() && is_main {
        address.country.push(implied(element, "NL"));
    }
    address
}

/// BG-6, BG-9: a person, and the place in the organisation, which is a contact point too.
fn contact<'d>(walk: &mut SetuWalk<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let mut contact = Contact::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Person" => person(walk, party, &mut contact, child),
            "Telephone" => walk.pass.take(&mut contact.telephone, child),
            "EMailAddress" => walk.pass.take(&mut contact.email, child),
            "Fax" => walk.pass.take(&mut contact.telefax, child),
            "URI" => walk.pass.take(&mut extensions(party).website, child),
            "Description" => walk.pass.take(&mut contact.department, child),
            "Addresses" => addresses(walk, party, child),
            _ => walk.pass.unread(child),
        }
    }
    match party.contact.is_absent() {
        true => party.contact.push(contact),
        false => extensions(party).contacts.push(contact),
    }
}

/// The name of a person: the one that is formatted, else its parts together.
fn person<'d>(
    walk: &mut SetuWalk<'d>,
    party: &mut Party<'d>,
    contact: &mut Contact<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for child in element.elements() {
        if name(child) != "PersonName" {
            walk.pass.unread(child);
            continue;
        }
        let mut parts: Vec<Text<'d>> = Vec::new();
        let mut formatted: Field<Text<'d>> = Field::default();
        walk.pass.open(child);
        for inner in child.elements() {
            match name(inner) {
                "FormattedName" => walk.pass.take(&mut formatted, inner),
                "Salutation" | "GivenName" | "PreferredGivenName" | "MiddleName" | "FamilyName"
                | "Suffix" => parts.push(walk.pass.value(inner)),
                _ => walk.pass.unread(inner),
            }
        }
        match formatted.is_filled() {
            true => extensions(party).persons.extend(parts),
            false if parts.is_empty() => {}
            false => contact.name.push(joined(child, &[], &parts, " ")),
        }
        contact.name.append(&mut formatted);
    }
}
