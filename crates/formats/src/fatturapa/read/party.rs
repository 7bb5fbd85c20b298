//! Parties: seller (1.2), tax representative (1.3), buyer (1.4), third party (1.5), carrier
//! (2.1.9.1); in the simplified invoice, too, where a party has its data one level higher.

use std::borrow::Cow;

use quoin_model::en16931::{
    Derivation, Field, Identifier, ItalianParty, Party, PartyExtensions, PartyRole, PostalAddress,
    TaxRegistration, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::TAX_CODE;
use super::{day, header, name, schemed, tax_id};
use crate::reading::{Pass, implied, joined, view};

/// Names in parts, and entries in registers, as they are found.
#[derive(Default)]
struct PartyParts<'d> {
    persons: Vec<(Element<'d>, Cow<'d, str>)>,
    register: Option<(Element<'d>, Cow<'d, str>)>,
    register_number: Option<Cow<'d, str>>,
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
            let text = pass.part(element);
            parts.persons.push((element, text));
        }
        "Titolo" => {
            let title = pass.value(element);
            extensions(party).persons.push(title);
        }
        "CodEORI" => {
            let code = pass.part(element);
            party.identifiers.push(prefixed(element, "EORI", &[code]));
        }
        "AlboProfessionale" => parts.register = Some((element, pass.part(element))),
        "NumeroIscrizioneAlbo" if parts.register_number.is_none() => {
            parts.register_number = Some(pass.part(element));
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
    if !parts.persons.is_empty() {
        let of = |wanted: &str| {
            let mut all = parts.persons.iter().filter(|(element, _)| name(*element) == wanted);
            all.next().map(|(_, text)| text.clone())
        };
        let full: Vec<_> = of("Nome").into_iter().chain(of("Cognome")).collect();
        if party.name.is_absent() {
            let at = parts.persons.first().and_then(|(one, _)| one.parent());
            party.name.push(joined(at.unwrap_or(element), &full, " "));
        }
        extensions(party)
            .persons
            .extend(parts.persons.iter().map(|(one, _)| view::<Text<'d>>(*one)));
    }
    match (parts.register, parts.register_number) {
        (Some((at, register)), number) => {
            let texts: Vec<_> = std::iter::once(register).chain(number).collect();
            party.identifiers.push(prefixed(at, "ALBO", &texts));
        }
        (None, Some(number)) => party.identifiers.push(prefixed(element, "ALBO", &[number])),
        (None, None) => {}
    }
}

/// `EORI:…`, `REA:…`, `ALBO:…`: how the rules on European invoices write these in BT-29.
fn prefixed<'d>(
    element: Element<'d>,
    kind: &'static str,
    texts: &[Cow<'d, str>],
) -> Identifier<'d> {
    let parts: Vec<_> = std::iter::once(Cow::Borrowed(kind)).chain(texts.iter().cloned()).collect();
    joined(element, &parts, ":")
}

/// `IscrizioneREA`: BT-29 is office and number; BT-33 is capital, sole member and liquidation,
/// with a `#` between them.
fn companies_register<'d>(pass: &mut Pass<'d>, party: &mut Party<'d>, element: Element<'d>) {
    let empty = || Cow::Borrowed("");
    let (mut id, mut facts) = ([empty(), empty()], [empty(), empty(), empty()]);
    let ([office, number], [capital, members, liquidation]) = (&mut id, &mut facts);
    pass.open(element);
    for child in element.elements() {
        let part = match name(child) {
            "Ufficio" => &mut *office,
            "NumeroREA" => &mut *number,
            "CapitaleSociale" => &mut *capital,
            "SocioUnico" => &mut *members,
            "StatoLiquidazione" => &mut *liquidation,
            _ => {
                pass.unread(child);
                continue;
            }
        };
        match part.is_empty() {
            true => *part = pass.part(child),
            false => pass.unread(child),
        }
    }
    party.identifiers.push(prefixed(element, "REA", &id));
    if facts.iter().any(|fact| !fact.is_empty()) {
        let text = ValueSource::of(element).saying(Derivation::Joined, facts.join("#"));
        party.legal_information.push(Text::from(text));
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
