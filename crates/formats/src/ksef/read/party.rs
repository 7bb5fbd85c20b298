//! Parties: BG-4 to BG-12.

use quoin_model::en16931::{
    AttributeName, Contact, Derivation, Identifier, Party, PartyExtensions, PartyRole,
    PolishAddress, PolishParty, PolishPartyIds, PostalAddress, TaxRegistration, Text, ValueSource,
};

use super::super::codes::{GLN, GTIN};
use crate::reading::{implied, joined};

/// A party in a role.
pub(super) fn party<'d>(role: PartyRole, own: &PolishParty<'d>) -> Party<'d> {
    let mut party = Party::new(role, own.element);
    party.identifiers.extend(own.customer_number.iter().copied());
    for one in &own.ids {
        party.name.extend(one.name.iter().copied());
        identifiers(&mut party, own, one);
    }
    for one in &own.address {
        party.address.push(address(one));
        let gln = one.gln.iter().map(|gln| schemed(**gln, GLN));
        party.identifiers.extend(gln);
    }
    let mut contacts = own.contacts.iter().map(|one| {
        let mut contact = Contact::new(one.element);
        (contact.email, contact.telephone) = (one.email.clone(), one.telephone.clone());
        contact
    });
    party.contact.extend(contacts.next());
    let others: Vec<_> = contacts.collect();
    if !others.is_empty() {
        let more = PartyExtensions { contacts: others, ..PartyExtensions::default() };
        party.extensions = Some(Box::new(more));
    }
    party
}

/// BT-71: the location number of a recipient.
pub(super) fn gln<'d>(own: &PolishParty<'d>) -> Option<Identifier<'d>> {
    let gln = own.address.iter().find_map(|one| one.gln.get())?;
    Some(schemed(*gln, GLN))
}

/// BT-157 of an item.
pub(super) fn gtin(id: Identifier<'_>) -> Identifier<'_> {
    schemed(*id, GTIN)
}

fn schemed<'d>(source: ValueSource<'d>, scheme: &'static str) -> Identifier<'d> {
    let scheme = source.saying(Derivation::Implied, scheme);
    Identifier::from(source.with(&[(AttributeName::SchemeId, scheme)]))
}

/// What identifies a party. The Polish number is one for VAT with the country before it; who is
/// paid has identifiers of no kind (BT-60).
fn identifiers<'d>(party: &mut Party<'d>, own: &PolishParty<'d>, ids: &PolishPartyIds<'d>) {
    let is_payee = party.role == PartyRole::Payee;
    party.identifiers.extend(ids.internal_id.iter().copied());
    for nip in &ids.nip {
        if is_payee {
            party.identifiers.push(*nip);
            continue;
        }
        let nip = Text::from(**nip);
        let id = match own.prefix.get() {
            Some(prefix) => joined(nip.element(), &[], &[Text::from(*prefix), nip], ""),
            None => joined(nip.element(), &["PL"], &[nip], ""),
        };
        party.tax_registrations.push(registration(id));
    }
    for number in &ids.eu_number {
        let country = ids.eu_country.iter().map(|country| Text::from(**country));
        let parts: Vec<Text<'d>> = country.chain([Text::from(**number)]).collect();
        let id = joined(number.element(), &[], &parts, "");
        match is_payee {
            true => party.identifiers.push(id),
            false => party.tax_registrations.push(registration(id)),
        }
    }
    for id in &ids.other_id {
        let country = ids.country.text().unwrap_or_default();
        let is_for_vat = !country.is_empty() && id.trimmed().starts_with(country.as_ref());
        match is_for_vat && !is_payee {
            true => party.tax_registrations.push(registration(*id)),
            false => party.legal_registration.push(*id),
        }
    }
}

fn registration(id: Identifier<'_>) -> TaxRegistration<'_> {
    let mut one = TaxRegistration::new(id.element());
    one.scheme.push(implied(id.element(), "VAT"));
    one.id.push(id);
    one
}

/// An address: of the second line a Polish post code, and what follows it, the city.
pub(super) fn address<'d>(own: &PolishAddress<'d>) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(own.element);
    address.country = own.country.clone();
    address.line1 = own.line1.clone();
    for line in &own.line2 {
        let text = line.trimmed();
        match post_code(&text) {
            Some((code, city)) => {
                address.post_code.push(line.saying(Derivation::Part, code.to_owned()).into());
                address.city.push(line.saying(Derivation::Part, city.to_owned()).into());
            }
            None => address.line2.push(*line),
        }
    }
    address
}

/// `00-001 Warszawa` as post code and city.
pub(in super::super) fn post_code(text: &str) -> Option<(&str, &str)> {
    let (code, city) = text.split_once(' ')?;
    let [a, b, b'-', c, d, e] = code.as_bytes() else { return None };
    let is_code = [a, b, c, d, e].iter().all(|byte| byte.is_ascii_digit());
    let city = city.trim();
    (is_code && !city.is_empty()).then_some((code, city))
}
