//! Addresses (BG-5, BG-8, BG-15): street, number, post code of five digits, city, province,
//! country.

use quoin_model::en16931::{Party, PostalAddress, ValueSource};

use super::text;
use crate::writing::{InvoiceOutput, LossKind};

/// Characters of `Indirizzo` and `Comune`.
const MAX_LINE: usize = 60;

/// Which terms an address has.
pub(super) struct AddressTerms {
    line1: &'static str,
    post_code: &'static str,
    /// What is missing where it is not there.
    street: &'static str,
    city: &'static str,
    code: &'static str,
    country: &'static str,
}

/// BG-5.
pub(super) const SELLER: AddressTerms = AddressTerms {
    line1: "BT-35",
    post_code: "BT-38",
    street: "the street of the seller in Latin letters (BT-35)",
    city: "the city of the seller in Latin letters (BT-37)",
    code: "the post code of the seller, five digits (BT-38)",
    country: "the country of the seller (BT-40)",
};
/// BG-8.
pub(super) const BUYER: AddressTerms = AddressTerms {
    line1: "BT-50",
    post_code: "BT-53",
    street: "the street of the buyer in Latin letters (BT-50)",
    city: "the city of the buyer in Latin letters (BT-52)",
    code: "the post code of the buyer, five digits (BT-53)",
    country: "the country of the buyer (BT-55)",
};
/// BG-15.
pub(super) const DELIVERY: AddressTerms = AddressTerms {
    line1: "BT-75",
    post_code: "BT-78",
    street: "the street of a delivery",
    city: "the city of a delivery",
    code: "the post code of a delivery",
    country: "the country of a delivery",
};
/// An address that is no term.
pub(super) const OTHER: AddressTerms = AddressTerms { line1: "", post_code: "", ..DELIVERY };

/// Writes the address of a party; the document is refused where it has none that can be written.
pub(super) fn required_address<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    party: &Party<'d>,
    terms: &AddressTerms,
) {
    let empty = PostalAddress::new(party.element);
    let address = party.address.first().unwrap_or(&empty);
    write(out, name, address, terms);
}

/// Writes an address where it has what the target asks for; else it is lost.
pub(super) fn optional<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    address: &PostalAddress<'d>,
    terms: &AddressTerms,
) -> bool {
    let is_text = |source: ValueSource<'d>| text::letters(&source.trimmed()).is_some();
    let line = [&address.line1, &address.line2, &address.line3];
    let has_line = line.iter().filter_map(|line| line.filled()).any(|line| is_text(*line));
    let all_lines = line.iter().filter_map(|line| line.filled()).all(|line| is_text(*line));
    let has_city = address.city.filled().is_some_and(|city| is_text(*city));
    let country = address.country.filled();
    let has_code = !country.is_some_and(|country| country.is("IT"))
        || address.post_code.text().is_some_and(|code| is_post_code(&code));
    let is_country = country.is_some_and(|country| is_country(&country.trimmed()));
    let fits = has_line && all_lines && has_city && has_code && is_country;
    if fits {
        write(out, name, address, terms);
    }
    fits
}

fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    address: &PostalAddress<'d>,
    terms: &AddressTerms,
) {
    out.required_group(name, |out| {
        street(out, address, terms);
        post_code(out, address, terms);
        if !text::free(out, "Comune", &address.city, MAX_LINE) {
            out.refuse_without(address.element, terms.city, "Comune");
        }
        if let Some(province) = address.subdivision.filled() {
            let in_italy = address.country.is("IT") || out.ledger.in_own_words;
            let fits = |text: &str| in_italy && super::register::is_province(text);
            text::code_that(out, "Provincia", *province, fits);
        }
        let country = address.country.filled();
        let is_written =
            country.is_some_and(|country| text::code_that(out, "Nazione", *country, is_country));
        if !is_written {
            out.refuse_without(address.element, terms.country, "Nazione");
        }
    });
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn is_post_code(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The post code of another country, which has another form than that of Italy.
fn foreign_code<'d>(address: &PostalAddress<'d>) -> Option<ValueSource<'d>> {
    let abroad = !address.country.filled().is_some_and(|country| country.is("IT"));
    let code = address.post_code.filled().filter(|code| abroad && !is_post_code(&code.trimmed()));
    code.map(|code| *code)
}

/// `Indirizzo` and `NumeroCivico`: line 1 and a short line 2; what else there is in one line.
fn street<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, terms: &AddressTerms) {
    let line1 = address.line1.filled().map(|line| *line);
    let line2 = address.line2.filled().map(|line| *line);
    let number = line2.filter(|line| line1.is_some() && text::is_code(&out.words(*line), 8));
    let others = [line2.filter(|_| number.is_none()), address.line3.filled().map(|line| *line)];
    let others = others.into_iter().flatten().chain(foreign_code(address));
    let pieces: Vec<ValueSource<'d>> = line1.into_iter().chain(others).collect();
    let is_written = match pieces.as_slice() {
        [] => false,
        [one] if line1.is_some() => text::one_free(out, "Indirizzo", *one, MAX_LINE),
        all => joined(out, address, terms, all, line1.is_some()),
    };
    if !is_written {
        out.refuse_without(address.element, terms.street, "Indirizzo");
    }
    if let Some(number) = number {
        let words = out.words(number);
        out.kept("NumeroCivico", &words, number);
    }
}

fn joined<'d>(
    out: &mut InvoiceOutput<'d>,
    address: &PostalAddress<'d>,
    terms: &AddressTerms,
    pieces: &[ValueSource<'d>],
    has_line1: bool,
) -> bool {
    let reason = "an address has one line of 60 characters in the target";
    let texts: Vec<_> = pieces.iter().map(|piece| piece.trimmed()).collect();
    let Some(line) = text::latin(&texts.join(", "), MAX_LINE) else { return false };
    out.constant("Indirizzo", &line, &[]);
    for piece in pieces {
        out.told_otherwise("Indirizzo", *piece, LossKind::Merged, reason);
    }
    if !has_line1 && !terms.line1.is_empty() {
        out.implied("Indirizzo", &line, address.element, Some(terms.line1), reason);
    }
    true
}

/// `CAP`: five digits; nought for another form of another country.
fn post_code<'d>(out: &mut InvoiceOutput<'d>, address: &PostalAddress<'d>, terms: &AddressTerms) {
    const ABROAD: &str = "post codes have five digits in the target: noughts for one abroad";
    let own = address.post_code.filled().map(|code| *code);
    let in_italy = address.country.filled().is_some_and(|country| country.is("IT"));
    match own {
        Some(code) if is_post_code(&code.trimmed()) => {
            let words = out.words(code);
            out.kept("CAP", &words, code);
        }
        // It is in the street.
        Some(_) if !in_italy => out.constant("CAP", "00000", &[]),
        None if !in_italy => {
            let term = (!terms.post_code.is_empty()).then_some(terms.post_code);
            out.derived("CAP", "00000", address.element, term, ABROAD);
        }
        _ => out.refuse_without(address.element, terms.code, "CAP"),
    }
}
