//! Greece: the invoice number that is made of parts, tax numbers, the registration with the
//! authority (MARK) and its address, names and electronic addresses.

use quoin_xml::tree::Element;

use super::country::{Countries, is};
use super::paths::{
    at, buyers, document, inside, is_of_vat, says, scheme_of, sellers, tax_schemes,
};
use crate::rules::checksums::{greek, is_number, is_whole};
use crate::rules::peppol::reading::{normal, substring, substring_from, text};
use crate::rules::values::{CAC, Read, all_of, any_of, cac, cbc, normalize, one, some, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("GR-R-001-1", |case| part(case, |parts| parts.len() == 6)).at(Fatal, numbers),
    Rule::new("GR-R-001-2", tax_number).at(Fatal, numbers),
    Rule::new("GR-R-001-3", issue_date).at(Fatal, numbers),
    Rule::new("GR-R-001-4", serial).at(Fatal, numbers),
    Rule::new("GR-R-001-5", |case| part(case, |parts| KINDS.contains(&nth(parts, 3))))
        .at(Fatal, numbers),
    Rule::new("GR-R-001-6", |case| part(case, |parts| !nth(parts, 4).is_empty()))
        .at(Fatal, numbers),
    Rule::new("GR-R-001-7", |case| part(case, |parts| !nth(parts, 5).is_empty()))
        .at(Fatal, numbers),
    Rule::new("GR-R-002", name).at(Fatal, suppliers),
    Rule::new("GR-S-011", vat_number).at(Warning, suppliers),
    Rule::new("GR-R-003", own_vat_number).at(Fatal, vat_numbers),
    Rule::new("GR-R-004-1", |case| described(case, MARK, |count| count == 1)).at(Fatal, documents),
    Rule::new("GR-S-008-1", |case| described(case, ADDRESS, |count| count == 1))
        .at(Warning, documents),
    Rule::new("GR-R-008-2", |case| described(case, ADDRESS, |count| count < 2))
        .at(Fatal, documents),
    Rule::new("GR-R-004-2", mark).at(Fatal, marks),
    Rule::new("GR-R-008-3", address).at(Fatal, addresses),
    Rule::new("GR-R-005", name).at(Fatal, customers),
    Rule::new("GR-R-009", endpoint).at(Fatal, supplier_endpoints),
    Rule::new("GR-R-006", vat_number).at(Fatal, greek_customers),
    Rule::new("GR-R-010", endpoint).at(Fatal, customer_endpoints),
];

/// Descriptions of references.
const MARK: &str = "##M.AR.K##";
const ADDRESS: &str = "##INVOICE|URL##";
/// Kinds of documents.
const KINDS: [&str; 6] = ["1.1", "1.6", "2.1", "2.4", "5.1", "5.2"];
/// The scheme of Greek electronic addresses.
const SCHEME: &str = "9933";

/// The document element, where the seller is Greek.
fn from_greece<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    Some(facts.root()).filter(|_| Countries::of(facts).has_greek_supplier())
}

/// Whether a seller of the document has an address in Greece, written `GR`.
fn is_located(root: Element<'_>) -> bool {
    let countries = at(root, "AccountingSupplierParty/Party/PostalAddress/Country");
    countries.into_iter().any(|own| says(own, "IdentificationCode", "GR"))
}

fn numbers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let root = from_greece(facts).and(document(facts));
    root.into_iter().flat_map(|root| cbc(root, "ID")).for_each(visit);
}

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let root = from_greece(facts).and(document(facts));
    root.into_iter().filter(|root| is_located(*root)).for_each(visit);
}

fn suppliers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if from_greece(facts).is_some() {
        sellers(facts).for_each(visit);
    }
}

fn customers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if from_greece(facts).is_some() {
        buyers(facts).for_each(visit);
    }
}

fn greek_customers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if Countries::of(facts).is_greek() {
        buyers(facts).for_each(visit);
    }
}

fn customer_endpoints<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    greek_customers(facts, &mut |party| cbc(party, "EndpointID").for_each(&mut *visit));
}

fn supplier_endpoints<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let countries = Countries::of(facts);
    if is(&countries.seller, "GR") || is(&countries.seller, "EL") {
        sellers(facts).flat_map(|party| cbc(party, "EndpointID")).for_each(visit);
    }
}

fn vat_numbers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    suppliers(facts, &mut |party| {
        let schemes = cac(party, "PartyTaxScheme");
        let of_vat = schemes.filter(|own| scheme_of(*own).is_ok_and(|id| id == "VAT"));
        of_vat.flat_map(|own| cbc(own, "CompanyID")).for_each(&mut *visit);
    });
}

/// References that are described in one way, wherever they stand.
fn references<'d>(facts: &Facts<'d>, description: &'static str) -> Vec<Element<'d>> {
    let references = facts.named(CAC, "AdditionalDocumentReference");
    references.filter(|own| says(*own, "DocumentDescription", description)).collect()
}

fn marks<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if from_greece(facts).is_some_and(is_located) {
        let found = references(facts, MARK);
        found.into_iter().flat_map(|own| cbc(own, "ID")).for_each(visit);
    }
}

fn addresses<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if from_greece(facts).is_some() {
        references(facts, ADDRESS).into_iter().for_each(visit);
    }
}

/// The parts of a text between bars; none of an empty text.
fn parts(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('|').collect() }
}

/// A part, counted from 0; empty where there are fewer.
fn nth<'t>(parts: &[&'t str], number: usize) -> &'t str {
    parts.get(number).copied().unwrap_or_default()
}

fn part<'d>(case: &Case<'_, 'd>, holds: impl Fn(&[&str]) -> bool) -> Outcome<'d> {
    let text = string(case.at);
    let holds = holds(&parts(&text));
    Ok(RuleVerdict::of(holds).found(text))
}

/// `normalize-space(x)` has so many characters.
fn length(text: &str) -> usize {
    normalize(text.into()).chars().count()
}

fn tax_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let number = nth(&parts(&text), 0).to_owned();
    let is_of = |path: &str| -> Read<'d, bool> {
        let schemes = at(case.root(), path).into_iter().filter(|own| is_of_vat(*own));
        some(schemes.map(|scheme| {
            let own = one(cbc(scheme, "CompanyID"))?.map(string).unwrap_or_default();
            Ok(substring(&own, 3, 9) == number)
        }))
    };
    let is_known = || {
        any_of([&|| is_of("AccountingSupplierParty/Party/PartyTaxScheme"), &|| {
            is_of("TaxRepresentativeParty/PartyTaxScheme")
        }])
    };
    let holds = all_of([&|| Ok(length(&number) == 9), &|| Ok(greek(&number)), &is_known])?;
    Ok(RuleVerdict::of(holds).found(number))
}

/// Whether a text begins with a day, a month and a year with a sign or none between, as the
/// official expression has it.
fn begins_with_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_sign = |byte: &u8| b"-\\/ ".contains(byte);
    let value = |part: &[u8]| -> Option<u8> {
        let digit = |byte: &u8| byte.is_ascii_digit().then(|| byte - b'0');
        part.iter().try_fold(0u8, |all, byte| Some(all * 10 + digit(byte)?))
    };
    // Where a number of one or two digits up to `last` may end, with a sign after it or not.
    let after = |from: usize, last: u8| {
        let ends = [1, 2].into_iter().filter_map(move |count| {
            let number = value(bytes.get(from..from + count)?)?;
            (1..=last).contains(&number).then_some(from + count)
        });
        ends.flat_map(move |end| {
            let signed = bytes.get(end).filter(|byte| is_sign(byte)).map(|_| end + 1);
            [Some(end), signed].into_iter().flatten()
        })
    };
    let is_year = |from: usize| {
        let year = bytes.get(from..from + 4);
        year.is_some_and(|year| {
            let of_century = matches!(year, [b'1', b'9', ..] | [b'2', b'0', ..]);
            of_century && year.get(2..).and_then(value).is_some()
        })
    };
    after(0, 31).flat_map(|month| after(month, 12)).any(is_year)
}

fn issue_date<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let date = nth(&parts(&text), 1).to_owned();
    let is_issued = || {
        let issued = one(cbc(case.root(), "IssueDate"))?.map(string).unwrap_or_default();
        let own: Vec<&str> = date.split('/').collect();
        let issued: Vec<&str> = issued.split('-').collect();
        let same = |here: usize, there: usize| {
            own.get(here).is_some_and(|own| issued.get(there) == Some(own))
        };
        Ok(same(0, 2) && same(1, 1) && same(2, 0))
    };
    let holds = all_of([&|| Ok(length(&date) > 0), &|| Ok(begins_with_date(&date)), &is_issued])?;
    let expected = one(cbc(case.root(), "IssueDate")).ok().flatten().map(string);
    let verdict = RuleVerdict::of(holds).found(date.clone());
    Ok(match expected {
        Some(expected) => verdict.expected(expected),
        None => verdict,
    })
}

fn serial<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let number = nth(&parts(&text), 2).to_owned();
    if length(&number) == 0 || !is_number(&number) {
        return Ok(RuleVerdict::broken().found(number));
    }
    match is_whole(&number) {
        Some(holds) => Ok(RuleVerdict::of(holds).found(number)),
        None => Err(Unreadable::value(case.at, text)),
    }
}

fn name<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(!text(at(case.at, "PartyName/cbc:Name"))?.is_empty()))
}

/// `EL` and a tax number.
fn is_vat_number(text: &str) -> bool {
    substring(text, 1, 2) == "EL" && greek(substring_from(text, 3))
}

fn vat_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = inside(&tax_schemes(case.at, "VAT")?, "CompanyID");
    let verdict = match &numbers[..] {
        [number] => RuleVerdict::of(is_vat_number(&string(*number))),
        _ => RuleVerdict::broken(),
    };
    Ok(match numbers.first() {
        Some(number) => verdict.element(Some(*number)).found(string(*number)),
        None => verdict,
    })
}

fn own_vat_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = string(case.at);
    Ok(RuleVerdict::of(is_vat_number(&number)).found(number))
}

fn described<'d>(case: &Case<'_, 'd>, description: &str, fits: fn(usize) -> bool) -> Outcome<'d> {
    let references = cac(case.at, "AdditionalDocumentReference");
    let found: Vec<_> =
        references.filter(|own| says(*own, "DocumentDescription", description)).collect();
    Ok(RuleVerdict::of(fits(found.len())).element(found.get(1).copied()))
}

fn mark<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    Ok(RuleVerdict::of(text.starts_with(|digit| matches!(digit, '1'..='9'))).found(text))
}

fn address<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let path = "Attachment/ExternalReference/cbc:URI";
    Ok(RuleVerdict::of(!normal(at(case.at, path))?.is_empty()))
}

fn endpoint<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = string(case.at);
    let holds = case.at.attribute("schemeID") == Some(SCHEME) && greek(&number);
    Ok(RuleVerdict::of(holds).found(number).expected(SCHEME))
}
