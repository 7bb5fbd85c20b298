//! Italy: the seller's tax registration and address.

use quoin_xml::tree::Element;

use super::country::{Countries, is};
use super::paths::{has, scheme_of, sellers};
use crate::rules::peppol::reading::normal;
use crate::rules::values::{cac, cbc};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::Fatal;

pub(crate) const RULES: &[Rule] = &[
    Rule::new("IT-R-001", registration).at(Fatal, other_registrations),
    Rule::new("IT-R-002", |case| address(case, "PostalAddress/cbc:StreetName")).at(Fatal, italian),
    Rule::new("IT-R-003", |case| address(case, "PostalAddress/cbc:CityName")).at(Fatal, italian),
    Rule::new("IT-R-004", |case| address(case, "PostalAddress/cbc:PostalZone")).at(Fatal, italian),
];

fn italian<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is(&Countries::of(facts).supplier, "IT") {
        sellers(facts).for_each(visit);
    }
}

/// Registrations for another tax than VAT.
fn other_registrations<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    italian(facts, &mut |seller| {
        let schemes = cac(seller, "PartyTaxScheme");
        schemes.filter(|own| scheme_of(*own).is_ok_and(|id| id != "VAT")).for_each(&mut *visit);
    });
}

/// Eleven to sixteen capital letters and digits.
pub(crate) fn is_registration(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (11..=16).contains(&text.len()) && text.bytes().all(fits)
}

fn registration<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = normal(cbc(case.at, "CompanyID").collect())?;
    let element = cbc(case.at, "CompanyID").next();
    Ok(RuleVerdict::of(is_registration(&number)).found(number).element(element))
}

fn address<'d>(case: &Case<'_, 'd>, path: &str) -> Outcome<'d> {
    Ok(RuleVerdict::of(has(case.at, path)))
}
