//! Parties: seller (1.2), tax representative (1.3), buyer (1.4), third party (1.5), carrier
//! (2.1.9.1); in the simplified invoice, too, where a party has its data one level higher.

use quoin_model::en16931::{
    Field, Identifier, ItalianParty, Party, PartyExtensions, PartyRole, PostalAddress,
    TaxRegistration, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::TAX_CODE;
use super::{day, header, name, schemed, tax_id};
use crate::reading::{Pass, implied, joined};

/// Names in parts, and entries in registers, as they are found.
#[derive(Default)]
struct PartyParts<'d> {
    persons: Vec<Text<'d>>,
    register: Option<Text<'d>>,
    register_number: Option<Text<'d>>,
}

/// Reads a party into `party`, the representative of a buyer into `others`. Gives the elements
/// `RiferimentoAmministrazione`, which are no term of a party.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    party: &mut Party<'d>,
    others: &mut Vec<Party<'d>>,
    element: Element<'d>,
) -> Vec<Element<'d>> {
    let (mut parts, mut references) = (PartyParts::default(), Vec::new());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiAnagrafici" | "IdentificativiFiscali" | "AltriDatiIdentificativi" => {
                group(pass, party, others, &mut parts, child);
            }
            "RiferimentoAmministrazione" => references.push(child),
            _ => term(pass, party, others, &mut parts, child),
        }
    }
    named(party, element, parts);
    references
}

/// A group of terms of a party; they are the party's whatever group they are in.
fn group<'d>(
    pass: &mut Pass<'d>,
    party: &mut Party<'d>,
    others: &mut Vec<Party<'d>>,
    parts: &mut PartyParts<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Anagrafica" => {
                pass.open(child);
                for inner in child.elements() {
                    term(pass, party, others, parts, inner);
                }
            }
            _ => term(pass, party, others, parts, child),
        }
    }
}

fn term<'d>(
    pass: &mut Pass<'d>,
    party: &mut Party<'d>,
    others: &mut Vec<Party<'d>>,
    parts: &mut PartyParts<'d>,
    element: Element<'d>,
) {
    match name(element) {
        "IdFiscaleIVA" => {
            let mut registration = TaxRegistration::new(element);
            registration.id.push(tax_id(pass, element));
            registration.scheme.push(implied(element, "VAT"));
            party.tax_registrations.push(registration);
        }
        "CodiceFiscale" => {
            let code: Identifier<'d> = pass.value(element);
            party.legal_registration.push(schemed(*code, TAX_CODE));
        }
        "RegimeFiscale" => regime(pass, party, element),
        "Denominazione" => pass.take(&mut party.name, element),
        "Nome" | "Cognome" => {
            parts.persons.push(pass.value(element));
        }
        "Titolo" => {
            let title = pass.value(element);
            extensions(party).persons.push(title);
        }
        "CodEORI" => {
            let code = pass.value(element);
            party.identifiers.push(joined(element, &["EORI"], &[code], ":"));
        }
        "AlboProfessionale" if parts.register.is_none() => {
            parts.register = Some(pass.value(element));
        }
        "NumeroIscrizioneAlbo" if parts.register_number.is_none() => {
            parts.register_number = Some(pass.value(element));
        }
        "ProvinciaAlbo" => pass.take(&mut own(party).register_province, element),
        "DataIscrizioneAlbo" => day(pass, &mut own(party).registered_on, element),
        "Sede" => party.address.push(address(pass, element)),
        "StabileOrganizzazione" => {
            let place = address(pass, element);
            own(party).establishment.push(place);
        }
        "IscrizioneREA" => companies_register(pass, party, element),
        "Contatti" => party.contact.push(header::contact(pass, element)),
        "RappresentanteFiscale" if party.role != PartyRole::BuyerTaxRepresentative => {
            let mut representative = Party::new(PartyRole::BuyerTaxRepresentative, element);
            for one in read(pass, &mut representative, &mut Vec::new(), element) {
                pass.unread(one);
            }
            others.push(representative);
        }
        _ => pass.unread(element),
    }
}

/// The regime of tax belongs to the registration for VAT before it.
fn regime<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    if party.tax_registrations.is_empty() {
        party.tax_registrations.push(TaxRegistration::new(element));
    }
    if let Some(registration) = party.tax_registrations.last_mut() {
        pass.take(&mut registration.level, element);
    }
}

/// BT-27 of a natural person is first name and family name, in this order; BT-29 of a professional
/// is the register and the number in it.
fn named<'d>(party: &mut Party<'d>, element: Element<'d>, parts: PartyParts<'d>) {
    if let Some(first) = parts.persons.first() {
        let of = |wanted: &str| {
            parts.persons.iter().find(|part| name(part.element()) == wanted).copied()
        };
        let full: Vec<_> = of("Nome").into_iter().chain(of("Cognome")).collect();
        if party.name.is_absent() {
            let at = first.element().parent();
            party.name.push(joined(at.unwrap_or(element), &[], &full, " "));
        }
        extensions(party).persons.extend(parts.persons.iter().copied());
    }
    let entry: Vec<_> = parts.register.into_iter().chain(parts.register_number).collect();
    if let Some(first) = entry.first() {
        // `ALBO:…`, `EORI:…`, `REA:…`: how the rules on European invoices write these in BT-29.
        party.identifiers.push(joined(first.element(), &["ALBO"], &entry, ":"));
    }
}

/// `IscrizioneREA`: BT-29 is office and number; BT-33 is capital, sole member and liquidation,
/// with a `#` between them.
fn companies_register<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    const PARTS: [&str; 5] =
        ["Ufficio", "NumeroREA", "CapitaleSociale", "SocioUnico", "StatoLiquidazione"];
    let mut found: [Option<Text<'d>>; 5] = [None; 5];
    pass.open(element);
    for child in element.elements() {
        let place = PARTS.iter().position(|part| *part == name(child));
        match place.and_then(|place| found.get_mut(place)) {
            Some(part) if part.is_none() => *part = Some(pass.value(child)),
            _ => pass.unread(child),
        }
    }
    let [office, number, capital, members, liquidation] = found;
    let id: Vec<_> = office.into_iter().chain(number).collect();
    party.identifiers.push(joined(element, &["REA"], &id, ":"));
    let facts = [capital, members, liquidation];
    if facts.iter().any(Option::is_some) {
        let text = |fact: &Option<Text<'d>>| fact.map(|fact| fact.trimmed().into_owned());
        let texts: Vec<_> = facts.iter().map(|fact| text(fact).unwrap_or_default()).collect();
        let parts: Vec<_> = facts.iter().flatten().map(|fact| **fact).collect();
        let joined = ValueSource::of(element).made_of(&parts, texts.join("#"));
        party.legal_information.push(Text::from(joined));
    }
}

/// Reads `Sede`, `StabileOrganizzazione` or `IndirizzoResa` (BG-5, BG-8, BG-15).
pub(super) fn address<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PostalAddress<'d> {
    let mut address = PostalAddress::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Indirizzo" => pass.take(&mut address.line1, child),
            "NumeroCivico" => pass.take(&mut address.line2, child),
            "CAP" => pass.take(&mut address.post_code, child),
            "Comune" => pass.take(&mut address.city, child),
            "Provincia" => pass.take(&mut address.subdivision, child),
            "Nazione" => pass.take(&mut address.country, child),
            _ => pass.unread(child),
        }
    }
    address
}

fn extensions<'p, 'd>(party: &'p mut Party<'d>) -> &'p mut PartyExtensions<'d> {
    party.extensions.get_or_insert_default()
}

fn own<'p, 'd>(party: &'p mut Party<'d>) -> &'p mut ItalianParty<'d> {
    extensions(party).italy.get_or_insert_default()
}

/// Reads the carrier (2.1.9.1); gives what of it is no term of a party.
pub(super) fn carrier<'d>(
    pass: &mut Pass<'d>,
    licence: &mut Field<Identifier<'d>>,
    element: Element<'d>,
) -> Party<'d> {
    let (mut party, mut parts) = (Party::new(PartyRole::Other, element), PartyParts::default());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NumeroLicenzaGuida" => pass.take(licence, child),
            "Anagrafica" => {
                pass.open(child);
                for inner in child.elements() {
                    term(pass, &mut party, &mut Vec::new(), &mut parts, inner);
                }
            }
            _ => term(pass, &mut party, &mut Vec::new(), &mut parts, child),
        }
    }
    named(&mut party, element, parts);
    party
}
