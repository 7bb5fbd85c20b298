//! Parties: BG-4 to BG-10, BG-13. A party is told by its global location number.

use quoin_model::en16931::{
    Contact, CreditTransfer, Identifier, Invoice, Party, PartyRole, PostalAddress, Text,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{GLN, KVK};
use super::{document, merged};
use crate::writing::{InvoiceOutput, LossKind, pieces};

/// Why a party is not who it was.
const NUMBER: &str = "the target tells a party by its global location number (GLN)";

/// The terms that a number of a party is in the eyes of readers, with their schemes.
struct NumberTerms {
    id: [&'static str; 2],
    endpoint: [&'static str; 2],
    scheme_of_registration: &'static str,
    /// The first line of the address.
    line: &'static str,
}

const BUYER: NumberTerms = NumberTerms {
    id: ["BT-46", "BT-46-1"],
    endpoint: ["BT-49", "BT-49-1"],
    scheme_of_registration: "BT-47-1",
    line: "BT-50",
};

const SELLER: NumberTerms = NumberTerms {
    id: ["BT-29", "BT-29-1"],
    endpoint: ["BT-34", "BT-34-1"],
    scheme_of_registration: "BT-30-1",
    line: "BT-35",
};

/// Writes `Buyer` to `DeliveryParty`.
pub(super) fn parties<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let (buyer, seller) = (invoice.buyer.first(), invoice.seller.first());
    match buyer {
        Some(buyer) => out.required_group("Buyer", |out| {
            trader(out, buyer, &BUYER, "the GLN of the buyer (BT-46 or BT-49, scheme 0088)");
            contacts(out, buyer);
        }),
        None => out.refuse_without(invoice.element, "the buyer (BG-7)", "Buyer"),
    }
    match seller {
        Some(seller) => out.required_group("Supplier", |out| {
            trader(out, seller, &SELLER, "the GLN of the seller (BT-29 or BT-34, scheme 0088)");
            account(out, invoice);
            contacts(out, seller);
        }),
        None => out.refuse_without(invoice.element, "the seller (BG-4)", "Supplier"),
    }
    if out.ledger.in_own_words {
        again(out, invoice);
    } else {
        if let Some(buyer) = buyer {
            out.group("Invoicee", |out| address_of(out, buyer, &BUYER));
        }
        match (invoice.payee.first(), seller) {
            (Some(payee), _) if is_other(payee, seller) => {
                out.group("Invoicer", |out| plain(out, payee));
            }
            (_, Some(seller)) if endpoint(seller).is_some() => {
                out.group("Invoicer", |out| address_of(out, seller, &SELLER));
            }
            _ => {}
        }
    }
    delivery(out, invoice);
}

/// Whether who is paid has another name than the seller.
fn is_other<'d>(payee: &Party<'d>, seller: Option<&Party<'d>>) -> bool {
    let own = seller.and_then(|seller| seller.name.text());
    own.is_some() && payee.name.is_filled() && payee.name.text() != own
}

/// The parties that only DICO has, as they stand in a document of it.
fn again<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let more = &invoice.extensions.parties;
    let payees = invoice.payee.iter().map(|payee| (payee, "Invoicer"));
    let others = more.iter().filter_map(|party| {
        let name = match party.role {
            PartyRole::Invoicee => "Invoicee",
            PartyRole::Invoicer => "Invoicer",
            PartyRole::ShipFrom => "ShipFrom",
            PartyRole::UltimateShipTo => "UltimateConsignee",
            _ => return None,
        };
        Some((party, name))
    });
    const ORDER: &[&str] = &["Invoicee", "Invoicer", "ShipFrom", "UltimateConsignee"];
    let mut all: Vec<_> = others.chain(payees).collect();
    all.sort_by_key(|(_, name)| ORDER.iter().position(|known| known == name));
    for (party, name) in all {
        out.group(name, |out| plain(out, party));
    }
}

/// The number of a party with scheme 0088, of thirteen digits.
fn gln<'d>(mut ids: impl Iterator<Item = Identifier<'d>>) -> Option<Identifier<'d>> {
    ids.find(|id| {
        let text = id.trimmed();
        let is_number = text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number && id.scheme().is_some_and(|scheme| scheme.is(GLN))
    })
}

/// BT-34, BT-49, where it is a GLN.
fn endpoint<'d>(party: &Party<'d>) -> Option<Identifier<'d>> {
    gln(party.endpoint.iter().copied())
}

/// Writes an identifier and marks its scheme as told by the element.
fn number<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, id: Identifier<'d>) {
    out.kept(name, &id.trimmed(), *id);
    if let Some(scheme) = id.scheme() {
        out.ledger.carry(scheme);
    }
}

/// Buyer or seller: number, VAT, registration, name and address.
fn trader<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    terms: &NumberTerms,
    what: &'static str,
) {
    let own = gln(party.identifiers.iter().copied());
    let other = endpoint(party).or_else(|| gln(party.legal_registration.iter().copied()));
    match (own, other) {
        (Some(own), _) => number(out, "GLN", own),
        (None, Some(other)) => {
            let text = other.trimmed();
            out.constant("GLN", &text, &[]);
            out.implied("GLN", &text, party.element, Some(terms.id[0]), NUMBER);
            out.implied("GLN", GLN, party.element, Some(terms.id[1]), NUMBER);
        }
        // As it stands: the number is not asked for again.
        (None, None) if out.ledger.in_own_words => {
            if let Some(id) = party.identifiers.filled() {
                number(out, "GLN", id);
            }
        }
        (None, None) => out.refuse_without(party.element, what, "GLN"),
    }
    registrations(out, party, terms.scheme_of_registration);
    body(out, party, terms.line);
}

/// BT-31, BT-48 and BT-30, BT-47.
fn registrations<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, term: &'static str) {
    let vat = party.tax_registrations.iter().find(|one| {
        one.kind() == quoin_model::en16931::TaxRegistrationKind::Vat && one.id.is_filled()
    });
    if let Some((one, id)) = vat.and_then(|one| Some((one, one.id.filled()?))) {
        out.kept("VATRegistrationNumber", &id.trimmed(), *id);
        out.ledger.implied_vat(one, id);
    }
    let Some(id) = party.legal_registration.filled() else { return };
    let in_netherlands = party.country().is_some_and(|country| country.is("NL"));
    match id.scheme().filter(|scheme| !scheme.is_blank()) {
        Some(scheme) if scheme.is(KVK) => number(out, "ChamberOfCommerceNumber", id),
        None if in_netherlands => {
            let reason = "it is a number of the Dutch chamber of commerce";
            out.kept("ChamberOfCommerceNumber", &id.trimmed(), *id);
            let place = id.element();
            out.implied("ChamberOfCommerceNumber", KVK, place, Some(term), reason);
        }
        _ => {}
    }
}

/// Whom it is invoiced to, or by whom: the electronic address, else the number of the party.
fn address_of<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, terms: &NumberTerms) {
    let own = gln(party.identifiers.iter().copied());
    match (endpoint(party), own) {
        (Some(endpoint), _) => number(out, "GLN", endpoint),
        (None, Some(own)) => {
            let text = own.trimmed();
            out.constant("GLN", &text, &[]);
            out.implied("GLN", &text, party.element, Some(terms.endpoint[0]), NUMBER);
            out.implied("GLN", GLN, party.element, Some(terms.endpoint[1]), NUMBER);
        }
        (None, None) => {
            let ids = gln(party.legal_registration.iter().copied());
            if let Some(id) = ids {
                let text = id.trimmed();
                out.constant("GLN", &text, &[]);
                out.implied("GLN", &text, party.element, Some(terms.endpoint[0]), NUMBER);
                out.implied("GLN", GLN, party.element, Some(terms.endpoint[1]), NUMBER);
            }
        }
    }
}

/// A party without a number for VAT: number, name and address.
fn plain<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let own = gln(party.identifiers.iter().copied());
    let any = party.identifiers.filled().filter(|_| out.ledger.in_own_words);
    if let Some(id) = own.or(any) {
        number(out, "GLN", id);
    }
    if out.ledger.in_own_words {
        registrations(out, party, "");
    }
    body(out, party, "");
    if out.ledger.in_own_words {
        contacts(out, party);
    }
}

/// Whether a value stands in the party itself: another one may have lent it.
fn is_own<'d>(out: &InvoiceOutput<'d>, place: Element<'d>, source: ValueSource<'d>) -> bool {
    let element = source.element();
    !out.ledger.in_own_words || element == place || element.parent() == Some(place)
}

/// Name and address.
fn body<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, line: &'static str) {
    if let Some(name) = party.name.filled().filter(|name| is_own(out, party.element, **name)) {
        self::name(out, name);
    }
    let place = party.address.first();
    if let Some(place) =
        place.filter(|one| !out.ledger.in_own_words || one.element == party.element)
    {
        address(out, place, line);
    }
}

/// A name: in two parts of fifty characters where it is longer than one.
fn name<'d>(out: &mut InvoiceOutput<'d>, name: Text<'d>) {
    const MOST: usize = 50;
    if out.ledger.in_own_words {
        let parts: Vec<_> = name.parts().collect();
        for (at, part) in parts.iter().enumerate() {
            out.kept(if at == 0 { "Name" } else { "Name2" }, &part.trimmed(), *part);
        }
        if parts.is_empty() {
            out.kept("Name", &name.trimmed(), *name);
        }
        return;
    }
    let words = name.trimmed();
    let is_spaced = words.split_whitespace().collect::<Vec<_>>().join(" ") == words;
    match pieces(&words, MOST).as_slice() {
        [one] => out.kept("Name", one, *name),
        [one, two] if is_spaced && format!("{one} {two}") == words => {
            out.constant("Name", one, &[]);
            out.constant("Name2", two, &[]);
            out.ledger.carry(*name);
        }
        _ => out.shortened("Name", *name, MOST),
    }
}

/// Writes the inside of an address: the street with its number in one text of 35 characters.
fn address<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, term: &'static str) {
    const NAME: &str = "StreetAndNumber";
    const MOST: usize = 35;
    let lines = [&address.line1, &address.building_number, &address.line2, &address.line3];
    let lines: Vec<Text<'d>> = lines.into_iter().filter_map(|line| line.filled()).collect();
    let whole = lines.iter().map(|line| line.trimmed()).collect::<Vec<_>>().join(" ");
    let reason = "the lines of an address are one text in the target";
    match lines.as_slice() {
        [] => {}
        [one] if out.ledger.in_own_words => street(out, *one),
        [one] if address.line1.is_filled() => out.shortened(NAME, **one, MOST),
        [first, ..] if whole.chars().count() > MOST => {
            out.shortened(NAME, **first, MOST);
            if !address.line1.is_filled() {
                out.implied(NAME, &first.trimmed(), first.element(), Some(term), reason);
                out.ledger.list(**first, LossKind::Changed, None, reason);
            }
        }
        several => {
            let sources: Vec<_> = several.iter().map(|line| **line).collect();
            merged(out, NAME, &sources, &whole, reason);
            if !address.line1.is_filled() {
                out.implied(NAME, &whole, address.element, Some(term), reason);
            }
        }
    }
    if let Some(city) = address.city.filled() {
        out.shortened("City", *city, 35);
    }
    if let Some(code) = address.post_code.filled() {
        out.limited("PostalCode", *code, 9);
    }
    if let Some(country) = address.country.filled() {
        out.limited("Country", *country, 2);
    }
}

/// A street and its number as they stand: in one element, or in several.
fn street<'d>(out: &mut InvoiceOutput<'d>, line: Text<'d>) {
    const NAMES: &[&str] =
        &["StreetAndNumber", "Street", "HouseNumber", "HouseLetter", "HouseNumberSuffix"];
    let parts: Vec<_> = line.parts().collect();
    if parts.is_empty() {
        return out.kept("StreetAndNumber", &line.trimmed(), *line);
    }
    for part in parts {
        let own = NAMES.iter().find(|known| **known == part.element().local());
        out.kept(own.copied().unwrap_or_default(), &part.trimmed(), part);
    }
}

/// BG-6, BG-9.
fn contacts<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let Some(contact) = party.contact.first() else { return };
    out.group("ContactInformation", |out| reach(out, contact));
}

fn reach<'d>(out: &mut InvoiceOutput<'d>, contact: &Contact<'d>) {
    let point = contact.name.filled().or_else(|| contact.department.filled());
    if let Some(name) = point {
        out.shortened("ContactPersonName", *name, 35);
    }
    if let Some(telephone) = contact.telephone.filled() {
        out.limited("PhoneNumber", *telephone, 20);
    }
    if let Some(email) = contact.email.filled() {
        out.limited("EmailAddress", *email, 254);
    }
}

/// BG-17: one account.
fn account<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(means) = document::means(invoice) else { return };
    let has_number = |one: &&CreditTransfer<'d>| one.account.is_filled();
    let Some(account) = means.credit_transfers.iter().find(has_number) else { return };
    out.group("AccountInformation", |out| {
        if let Some(id) = account.account.filled() {
            number(out, "IBAN", id);
        }
        if let Some(provider) = account.provider.filled() {
            number(out, "BIC", provider);
        }
    });
}

/// BG-13, BG-15.
fn delivery<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(one) = invoice.delivery.first() else { return };
    out.group("DeliveryParty", |out| {
        let location = gln(one.location.iter().copied());
        let any = one.location.filled().filter(|_| out.ledger.in_own_words);
        if let Some(id) = location.or(any) {
            number(out, "GLN", id);
        }
        if let Some(party) = one.party.first() {
            if let Some(name) = party.name.filled() {
                self::name(out, name);
            }
            if let Some(address) = one.address.first() {
                self::address(out, address, "BT-75");
                location_text(out, address);
            }
            if out.ledger.in_own_words {
                contacts(out, party);
            }
        } else if let Some(address) = one.address.first() {
            self::address(out, address, "BT-75");
        }
    });
}

/// How the place is found, which only DICO has.
fn location_text<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>) {
    if !out.ledger.in_own_words {
        return;
    }
    for text in &address.others {
        out.kept("LocationDescription", &text.trimmed(), **text);
    }
}
