//! Identifiers of parties: for tax (`IdFiscaleIVA`, `CodiceFiscale`), of customs (`CodEORI`), of
//! professions (`AlboProfessionale`) and of companies (`IscrizioneREA`).

use std::borrow::Cow;

use quoin_model::en16931::{Derivation, Identifier, ItalianParty, Party, Text, ValueSource};

use super::super::codes::TAX_CODE;
use super::{CENTS, text};
use crate::writing::{InvoiceOutput, LossKind, in_form};

/// Country and code of an identifier for tax; `None` where it does not begin with a country.
pub(super) fn parts(id: &str) -> Option<(String, String)> {
    let (country, code) = id.split_at_checked(2)?;
    let is_country = country.bytes().all(|byte| byte.is_ascii_uppercase());
    let fits = is_country && (1..=28).contains(&code.chars().count()) && code.is_ascii();
    fits.then(|| (country.to_owned(), code.to_owned()))
}

/// Writes `IdFiscaleIVA` or `IdTrasmittente`. Whether it is written; nothing is repaired.
pub(super) fn tax_id<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    id: Identifier<'d>,
) -> bool {
    let said: Vec<_> = id.parts().collect();
    let written = match said.as_slice() {
        [country, code] if out.ledger.in_own_words => {
            Some((country.trimmed().into_owned(), code.trimmed().into_owned()))
        }
        _ => parts(&id.trimmed()),
    };
    let Some((country, code)) = written else { return false };
    out.group(name, |out| {
        out.constant("IdPaese", &country, &[]);
        out.constant("IdCodice", &code, &[]);
    });
    match code.trim() == code {
        true => out.ledger.carry(*id),
        false => {
            let reason = "country and code are two elements, and the blank between them is none";
            out.told_otherwise(name, *id, LossKind::Changed, reason);
        }
    }
    true
}

/// BT-31, BT-48, BT-63: the first identifier for VAT that has a country. Whether there is one.
pub(super) fn vat<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) -> bool {
    for one in &party.tax_registrations {
        if one.kind() != quoin_model::en16931::TaxRegistrationKind::Vat {
            continue;
        }
        let Some(id) = one.id.filled() else { continue };
        if tax_id(out, "IdFiscaleIVA", id) {
            out.ledger.implied_vat(one, id);
            return true;
        }
    }
    false
}

/// `CodiceFiscale`: BT-30, BT-47, where it is said to be the tax code, or is one by its form and
/// the party is in Italy. Whether it is written.
pub(super) fn tax_code<'d>(
    out: &mut InvoiceOutput<'d>,
    party: &Party<'d>,
    scheme_term: &'static str,
) -> bool {
    let Some(id) = party.legal_registration.filled() else { return false };
    let in_italy = party.country().is_some_and(|country| country.is("IT"));
    let is_tax_code = match id.scheme() {
        Some(scheme) => scheme.is(TAX_CODE),
        None => in_italy,
    };
    let fits = |text: &str| {
        (11..=16).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    if !is_tax_code || !text::code_that(out, "CodiceFiscale", *id, fits) {
        return false;
    }
    match id.scheme() {
        Some(scheme) => out.ledger.carry(scheme),
        None => {
            let reason = "it is the tax code";
            out.implied("CodiceFiscale", TAX_CODE, id.element(), Some(scheme_term), reason);
        }
    }
    true
}

/// What follows a word such as `EORI:` in an identifier (BT-29, BT-46).
fn behind<'d>(party: &Party<'d>, word: &str) -> Option<(Identifier<'d>, Cow<'d, str>)> {
    party.identifiers.iter().find_map(|id| {
        let text = id.trimmed();
        let rest = text.strip_prefix(word)?.strip_prefix(':')?.to_owned();
        Some((*id, Cow::Owned(rest)))
    })
}

/// Writes `CodEORI`, 13 to 17 characters.
pub(super) fn customs<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let Some((id, code)) = behind(party, "EORI") else { return };
    if (13..=17).contains(&code.chars().count()) {
        out.kept("CodEORI", &code, *id);
    }
}

/// Writes `AlboProfessionale` to `DataIscrizioneAlbo`.
pub(super) fn profession<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let entry = behind(party, "ALBO").and_then(|(id, entry)| {
        let said: Vec<ValueSource<'d>> = id.parts().collect();
        let texts = match said.as_slice() {
            [name, number] => (name.trimmed().into_owned(), Some(number.trimmed().into_owned())),
            [one] => (one.trimmed().into_owned(), None),
            _ => {
                let mut parts = entry.splitn(2, ':').map(str::to_owned);
                (parts.next().unwrap_or_default(), parts.next())
            }
        };
        let name = text::latin(&texts.0, 60).filter(|name| *name == texts.0)?;
        let fits = texts.1.as_deref().is_none_or(|number| text::is_code(number, 60));
        fits.then_some((id, name, texts.1))
    });
    let is_number = |id: &Identifier<'d>| id.element().local() == "NumeroIscrizioneAlbo";
    let only_number =
        entry.as_ref().is_some_and(|(id, _, number)| number.is_none() && is_number(id));
    let empty = ItalianParty::default();
    let own = party.extensions.as_deref().and_then(|more| more.italy.as_deref()).unwrap_or(&empty);
    if let Some((_, name, _)) = entry.as_ref().filter(|_| !only_number) {
        out.constant("AlboProfessionale", name, &[]);
    }
    if let Some(province) = own.register_province.filled() {
        text::code_that(out, "ProvinciaAlbo", *province, is_province);
    }
    match &entry {
        Some((_, name, None)) if only_number => out.constant("NumeroIscrizioneAlbo", name, &[]),
        Some((_, _, Some(number))) => out.constant("NumeroIscrizioneAlbo", number, &[]),
        _ => {}
    }
    if let Some((id, ..)) = entry {
        out.ledger.carry(*id);
    }
    out.plain_day("DataIscrizioneAlbo", &own.registered_on);
}

/// Two capital letters.
pub(super) fn is_province(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Writes `IscrizioneREA`: office and number (BT-29), capital, members and liquidation (BT-33).
pub(super) fn companies<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>) {
    let Some((id, entry)) = behind(party, "REA") else { return };
    let facts = party.legal_information.iter().find(|text| is_facts(text));
    let Some((office, number)) = entry.split_once(':') else { return };
    let Some(facts) = facts.filter(|_| is_province(office) && text::is_code(number, 20)) else {
        return out.lost(*id, "an entry of the register (REA) says whether it is being wound up");
    };
    let words = facts.trimmed();
    let mut fact = words.split('#').map(str::trim);
    let (capital, members, liquidation) = (fact.next(), fact.next(), fact.next());
    out.group("IscrizioneREA", |out| {
        out.constant("Ufficio", office, &[]);
        out.constant("NumeroREA", number, &[]);
        for (name, text) in [
            ("CapitaleSociale", capital),
            ("SocioUnico", members),
            ("StatoLiquidazione", liquidation),
        ] {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                out.constant(name, text, &[]);
            }
        }
    });
    out.ledger.carry(*id);
    out.ledger.carry(**facts);
}

/// `10000.00#SU#LN`, of which the last is needed.
fn is_facts(text: &Text<'_>) -> bool {
    let words = text.trimmed();
    let parts: Vec<&str> = words.split('#').map(str::trim).collect();
    let [capital, members, liquidation] = parts.as_slice() else { return false };
    let number = quoin_model::amount::Decimal::parse(capital).ok();
    let is_amount = number.and_then(|number| in_form(number, CENTS)).is_some_and(|t| t == *capital);
    let is_derived = text.derivation() == Some(Derivation::Joined);
    (capital.is_empty() || is_amount || is_derived)
        && matches!(*members, "" | "SU" | "SM")
        && matches!(*liquidation, "LS" | "LN")
}
