//! Sweden: numbers of the seller, rates of VAT, and how payments are coded.

use quoin_xml::tree::Element;

use super::paths::{at, buyers, inside, is_of_vat, says, sellers};
use crate::rules::checksums::{is_number, swedish};
use crate::rules::peppol::reading::{normal, on, substring, text};
use crate::rules::values::{CAC, cac, cbc, normalized, number, one, some, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("SE-R-001", |case| length(&vat_numbers(case.at), 14)).at(Fatal, with_swedish_vat),
    Rule::new("SE-R-002", |case| vat_digits(&vat_numbers(case.at))).at(Fatal, with_swedish_vat),
    Rule::new("SE-R-003", |case| digits(&numbers(case.at))),
    Rule::new("SE-R-004", |case| length(&numbers(case.at), 10)),
    Rule::new("SE-R-013", |case| organisation(&numbers(case.at))),
    Rule::new("SE-R-006", |case| rate(&cbc(case.at, "Percent").collect::<Vec<_>>()))
        .at(Fatal, standard_rates),
    Rule::new("SE-R-011", |case| old_code(case, "30")).at(Warning, old_codes),
    Rule::new("SE-R-012", |case| old_code(case, "30")).at(Warning, domestic_transfers),
];

/// Accounts of Plusgiro and Bankgiro, in UBL and in CII.
pub(crate) const ACCOUNTS: &[Rule] = &[
    Rule::new("SE-R-007", account_digits),
    Rule::new("SE-R-008", account_digits),
    Rule::new("SE-R-010", |case| account_length(case, 2)),
    Rule::new("SE-R-009", |case| account_length(case, 7)),
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

/// Registrations of a legal entity.
fn numbers(entity: Element<'_>) -> Vec<Element<'_>> {
    cbc(entity, "CompanyID").collect()
}

/// `cac:PartyTaxScheme[cac:TaxScheme/cbc:ID = 'VAT']/cbc:CompanyID`.
fn vat_numbers(party: Element<'_>) -> Vec<Element<'_>> {
    let schemes: Vec<_> = cac(party, "PartyTaxScheme").filter(|own| is_of_vat(*own)).collect();
    inside(&schemes, "CompanyID")
}

/// `string(number(…)) != 'NaN'`.
pub(crate) fn digits<'d>(elements: &[Element<'d>]) -> Outcome<'d> {
    Ok(on(elements, is_number(&text(elements.to_vec())?)))
}

/// So many characters without white space.
pub(crate) fn length<'d>(elements: &[Element<'d>], wanted: usize) -> Outcome<'d> {
    Ok(on(elements, normal(elements.to_vec())?.chars().count() == wanted))
}

/// The twelve characters after the country code are a number.
pub(crate) fn vat_digits<'d>(elements: &[Element<'d>]) -> Outcome<'d> {
    Ok(on(elements, is_number(substring(&text(elements.to_vec())?, 3, 12))))
}

/// An organisation number with its check digit.
pub(crate) fn organisation<'d>(elements: &[Element<'d>]) -> Outcome<'d> {
    let number = normal(elements.to_vec())?;
    match (swedish(&number), elements.first()) {
        (Some(holds), _) => Ok(on(elements, holds)),
        (None, Some(element)) => Err(Unreadable::value(*element, number)),
        (None, None) => Ok(RuleVerdict::broken()),
    }
}

/// One of the standard rates.
pub(crate) fn rate<'d>(rates: &[Element<'d>]) -> Outcome<'d> {
    let rate = number::parse(&text(rates.to_vec())?);
    let holds = rate.is_some_and(|rate| [25.0, 12.0, 6.0].contains(&rate));
    Ok(on(rates, holds).expected("25, 12, 6"))
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
    let verdict = RuleVerdict::broken().element(code).expected(expected);
    Ok(match code {
        Some(code) => verdict.found(string(code)),
        None => verdict,
    })
}
