//! Sweden: numbers of the seller, rates of VAT, and how payments are coded.

use quoin_xml::tree::Element;

use super::paths::{at, buyers, inside, is_of_vat, normal, says, sellers, substring, text};
use crate::report::Flag::{Fatal, Warning};
use crate::rules::checksums::{is_number, swedish};
use crate::rules::values::{CAC, Read, any_of, cac, cbc, normalized, number, one, some, string};
use crate::rules::{Case, Facts, Outcome, Rule, Unreadable, Verdict};

pub(in crate::rules) const RULES: &[Rule] = &[
    Rule::new("SE-R-001", vat_length).at(Fatal, with_swedish_vat),
    Rule::new("SE-R-002", vat_digits).at(Fatal, with_swedish_vat),
    Rule::new("SE-R-003", organisation_digits),
    Rule::new("SE-R-004", organisation_length),
    Rule::new("SE-R-013", organisation_check),
    Rule::new("SE-R-006", rate).at(Fatal, standard_rates),
    Rule::new("SE-R-007", account_digits),
    Rule::new("SE-R-008", account_digits),
    Rule::new("SE-R-010", |case| account_length(case, 2)),
    Rule::new("SE-R-009", |case| account_length(case, 7)),
    Rule::new("SE-R-011", |case| old_code(case, "30")).at(Warning, old_codes),
    Rule::new("SE-R-012", |case| old_code(case, "30")).at(Warning, domestic_transfers),
];

/// `cac:PostalAddress/cac:Country/cbc:IdentificationCode = 'SE'`.
fn is_located(party: Element<'_>) -> bool {
    at(party, "PostalAddress/Country").iter().any(|own| says(*own, "IdentificationCode", "SE"))
}

/// Also with a Swedish VAT number; what cannot be read is no match.
fn has_swedish_vat(party: Element<'_>) -> bool {
    let schemes = cac(party, "PartyTaxScheme").filter(|own| is_of_vat(*own));
    let is_swedish = |scheme: Element<'_>| -> Result<bool, ()> {
        let number = one(cbc(scheme, "CompanyID")).map_err(drop)?;
        Ok(number.is_some_and(|own| substring(&string(own), 1, 2) == "SE"))
    };
    is_located(party) && some(schemes.map(is_swedish)).unwrap_or_default()
}

/// Whether some seller is located in Sweden, and whether one has a Swedish VAT number too.
struct Seller {
    is_located: bool,
    has_vat: bool,
    is_readable: bool,
}

fn seller(facts: &Facts<'_>) -> std::rc::Rc<Seller> {
    facts.memo(|facts| {
        let mut found = Seller { is_located: false, has_vat: false, is_readable: true };
        for party in sellers(facts).filter(|party| is_located(*party)) {
            found.is_located = true;
            found.has_vat = found.has_vat || has_swedish_vat(party);
            found.is_readable = found.is_readable && (found.has_vat || is_readable(party));
        }
        found
    })
}

/// Whether every VAT number of a party is one.
fn is_readable(party: Element<'_>) -> bool {
    let mut schemes = cac(party, "PartyTaxScheme").filter(|own| is_of_vat(*own));
    schemes.all(|scheme| one(cbc(scheme, "CompanyID")).is_ok())
}

fn with_swedish_vat<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if seller(facts).has_vat {
        sellers(facts).filter(|party| has_swedish_vat(*party)).for_each(visit);
    }
}

fn standard_rates<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let seller = seller(facts);
    if !seller.has_vat || !seller.is_readable {
        return;
    }
    for local in ["TaxCategory", "ClassifiedTaxCategory"] {
        facts.named(CAC, local).filter(|own| says(*own, "ID", "S")).for_each(&mut *visit);
    }
}

fn payments<'d>(facts: &Facts<'d>, codes: &[&str]) -> impl Iterator<Item = Element<'d>> {
    let is_wanted =
        |own: &Element<'d>| codes.iter().any(|code| says(*own, "PaymentMeansCode", code));
    facts.named(CAC, "PaymentMeans").filter(is_wanted)
}

/// The codes of Bankgiro and Plusgiro that are out of use.
fn old_codes<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if seller(facts).is_located {
        payments(facts, &["50", "56"]).for_each(visit);
    }
}

/// A means of payment is tested by the first of the two rules that takes it.
fn domestic_transfers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if !seller(facts).is_located || !buyers(facts).any(is_located) {
        return;
    }
    let is_old = |own: &Element<'d>| {
        says(*own, "PaymentMeansCode", "50") || says(*own, "PaymentMeansCode", "56")
    };
    payments(facts, &["31"]).filter(|own| !is_old(own)).for_each(visit);
}

/// `cac:PartyTaxScheme[cac:TaxScheme/cbc:ID = 'VAT']/cbc:CompanyID`.
fn vat_numbers(party: Element<'_>) -> Vec<Element<'_>> {
    let schemes: Vec<_> = cac(party, "PartyTaxScheme").filter(|own| is_of_vat(*own)).collect();
    inside(&schemes, "CompanyID")
}

/// A verdict on the first of some elements.
fn on<'d>(elements: &[Element<'d>], holds: bool) -> Verdict<'d> {
    match elements.first() {
        Some(first) => Verdict::of(holds).element(Some(*first)).found(string(*first)),
        None => Verdict::of(holds),
    }
}

fn vat_length<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = vat_numbers(case.at);
    Ok(on(&numbers, normal(numbers.clone())?.chars().count() == 14))
}

fn vat_digits<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = vat_numbers(case.at);
    Ok(on(&numbers, is_number(substring(&text(numbers.clone())?, 3, 12))))
}

fn organisation_digits<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers: Vec<_> = cbc(case.at, "CompanyID").collect();
    Ok(on(&numbers, is_number(&text(numbers.clone())?)))
}

fn organisation_length<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers: Vec<_> = cbc(case.at, "CompanyID").collect();
    Ok(on(&numbers, normal(numbers.clone())?.chars().count() == 10))
}

fn organisation_check<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers: Vec<_> = cbc(case.at, "CompanyID").collect();
    let number = normal(numbers.clone())?;
    match swedish(&number) {
        Some(holds) => Ok(on(&numbers, holds)),
        None => Err(Unreadable::value(case.at, number)),
    }
}

fn rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rates: Vec<_> = cbc(case.at, "Percent").collect();
    let is = |wanted: f64| -> Read<'d, bool> {
        Ok(number::parse(&text(rates.clone())?) == Some(wanted))
    };
    let holds = any_of([&|| is(25.0), &|| is(12.0), &|| is(6.0)])?;
    Ok(on(&rates, holds).expected("25, 12, 6"))
}

fn account_digits<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(on(&[case.at], is_number(&normalized(case.at))))
}

fn account_length<'d>(case: &Case<'_, 'd>, least: usize) -> Outcome<'d> {
    let length = normalized(case.at).chars().count();
    Ok(on(&[case.at], (least..=8).contains(&length)).expected(format!("{least}-8")))
}

fn old_code<'d>(case: &Case<'_, 'd>, expected: &'static str) -> Outcome<'d> {
    let code = cbc(case.at, "PaymentMeansCode").next();
    let verdict = Verdict::broken().element(code).expected(expected);
    Ok(match code {
        Some(code) => verdict.found(string(code)),
        None => verdict,
    })
}
