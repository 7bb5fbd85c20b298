//! Documents for parties of a country, and changes that national rules look at: as texts, in
//! documents that have the usual prefixes.

use super::{Numbers, values};

/// A country with invented numbers that are valid there.
pub struct Country {
    pub code: &'static str,
    pub vat: &'static str,
    pub legal: &'static str,
    pub endpoint: &'static str,
    number: Option<&'static str>,
}

const fn country(
    code: &'static str,
    vat: &'static str,
    legal: &'static str,
    endpoint: &'static str,
) -> Country {
    Country { code, vat, legal, endpoint, number: None }
}

pub const COUNTRIES: &[Country] = &[
    country("DE", "DE123456789", " schemeID=\"0002\">HRB 1", " schemeID=\"9930\">DE123456789"),
    country("DK", "DK12345678", " schemeID=\"0184\">12345678", " schemeID=\"0184\">DK12345678"),
    Country {
        number: Some("123456783|13/11/2017|1|1.1|A|7"),
        ..country("GR", "EL123456783", ">1", " schemeID=\"9933\">123456783")
    },
    country("IS", "IS12345", " schemeID=\"0196\">1234567890", " schemeID=\"0196\">1234567890"),
    country("IT", "IT12345678903", ">IT1", " schemeID=\"0211\">IT12345678903"),
    country("NL", "NL123456789B01", " schemeID=\"0106\">12345678", " schemeID=\"0190\">1234567890"),
    country("NO", "NO123456785MVA", " schemeID=\"0192\">123456785", " schemeID=\"0192\">123456785"),
    country(
        "SE",
        "SE123456789701",
        " schemeID=\"0007\">1234567897",
        " schemeID=\"0007\">1234567897",
    ),
];

/// Replaces elements of a name, where the function answers another text for the whole element.
pub fn replace(
    text: &str,
    name: &str,
    with: &mut dyn FnMut(usize, &str) -> Option<String>,
) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let (mut out, mut rest, mut number) = (String::new(), text, 0);
    while let Some(start) = rest.find(&open) {
        let Some(length) = rest[start..].find(&close) else { break };
        let end = start + length + close.len();
        out.push_str(&rest[..start]);
        // Another name may begin like this one.
        let is_own = rest[start + open.len()..].starts_with(['>', ' ']);
        match is_own.then(|| with(number, &rest[start..end])).flatten() {
            Some(other) => out.push_str(&other),
            None => out.push_str(&rest[start..end]),
        }
        number += usize::from(is_own);
        rest = &rest[end..];
    }
    out + rest
}

/// The document for parties of a country.
pub fn moved(text: &str, country: &Country) -> String {
    let code = format!("<cbc:IdentificationCode>{}</cbc:IdentificationCode>", country.code);
    let text = replace(text, "cbc:IdentificationCode", &mut |_, _| Some(code.clone()));
    let text = replace(&text, "cac:PartyTaxScheme", &mut |_, own| {
        let number = format!("<cbc:CompanyID>{}</cbc:CompanyID>", country.vat);
        Some(replace(own, "cbc:CompanyID", &mut |_, _| Some(number.clone())))
    });
    let text = replace(&text, "cac:PartyLegalEntity", &mut |_, own| {
        let number = format!("<cbc:CompanyID{}</cbc:CompanyID>", country.legal);
        Some(replace(own, "cbc:CompanyID", &mut |_, _| Some(number.clone())))
    });
    let endpoint = format!("<cbc:EndpointID{}</cbc:EndpointID>", country.endpoint);
    let text = replace(&text, "cbc:EndpointID", &mut |_, _| Some(endpoint.clone()));
    let Some(number) = country.number else { return text };
    let date = "<cbc:IssueDate>2017-11-13</cbc:IssueDate>".to_owned();
    let text = replace(&text, "cbc:IssueDate", &mut |_, _| Some(date.clone()));
    let number = format!("<cbc:ID>{number}</cbc:ID>");
    replace(&text, "cbc:ID", &mut |at, _| (at == 0).then(|| number.clone()))
}

fn pick<'t>(numbers: &mut Numbers, from: &[&'t str]) -> &'t str {
    from[numbers.below(from.len())]
}

/// Changes that rules look at, in one syntax.
pub struct Changes {
    /// What elements of a name may say instead.
    pub values: &'static [(&'static str, &'static [&'static str])],
    /// Elements with the number of a party.
    pub numbered: &'static [&'static str],
    /// What is put after a text.
    pub inserts: &'static [(&'static str, &'static [&'static str])],
    /// Elements that may be missing.
    pub deletes: &'static [&'static str],
    /// The account of a means of payment: its group and its name.
    pub account: (&'static str, &'static str),
}

/// Two to six changes.
pub fn changed(text: &str, changes: &Changes, numbers: &mut Numbers) -> String {
    let mut text = text.to_owned();
    for _ in 0..2 + numbers.below(5) {
        text = change(&text, changes, numbers);
    }
    text
}

fn change(text: &str, changes: &Changes, numbers: &mut Numbers) -> String {
    let (name, other) = match numbers.below(12) {
        0..=3 => {
            let (name, values) = changes.values[numbers.below(changes.values.len())];
            (name, Some(format!(">{}", pick(numbers, values))))
        }
        4 | 5 => (pick(numbers, changes.numbered), Some(pick(numbers, values::NUMBERS).to_owned())),
        6 => {
            let number = pick(numbers, values::GREEK);
            let account = pick(numbers, values::ACCOUNTS);
            return match numbers.below(2) {
                0 => numbered(text, number),
                _ => with_account(text, changes.account, account),
            };
        }
        7 | 8 => (pick(numbers, changes.deletes), None),
        _ => {
            let (place, inserts) = changes.inserts[numbers.below(changes.inserts.len())];
            let insert = pick(numbers, inserts);
            return text.replacen(place, &format!("{place}{insert}"), 1 + numbers.below(2));
        }
    };
    let count = text.matches(&format!("<{name}")).count();
    let chosen = numbers.below(count);
    let other = other.map(|other| format!("<{name}{other}</{name}>")).unwrap_or_default();
    replace(text, name, &mut |at, _| (at == chosen).then(|| other.clone()))
}

/// With another invoice number.
fn numbered(text: &str, number: &str) -> String {
    let number = format!("<cbc:ID>{number}</cbc:ID>");
    replace(text, "cbc:ID", &mut |at, _| (at == 0).then(|| number.clone()))
}

fn with_account(text: &str, (group, name): (&str, &str), account: &str) -> String {
    let account = format!("<{name}>{account}</{name}>");
    replace(text, group, &mut |_, own| {
        Some(replace(own, name, &mut |at, _| (at == 0).then(|| account.clone())))
    })
}

/// An invoice in UBL as a credit note.
pub fn credited(text: &str) -> String {
    let pairs = [
        ("xsd:Invoice-2", "xsd:CreditNote-2"),
        ("<Invoice", "<CreditNote"),
        ("</Invoice", "</CreditNote"),
        ("cac:InvoiceLine", "cac:CreditNoteLine"),
        ("InvoicedQuantity", "CreditedQuantity"),
        ("InvoiceTypeCode>380", "CreditNoteTypeCode>381"),
        ("InvoiceTypeCode", "CreditNoteTypeCode"),
    ];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
