//! Parties: registrations, passports and tax numbers.

use quoin_xml::tree::Element;

use super::{EmiratesTransaction, is_kind};
use crate::rules::pint::paths::{at, groups, has, here, leaf, leaves, raw};
use crate::rules::values::{CAC, CBC, Read, all_of, cbc, normalized, one, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::codes;

pub(super) const RULES: &[Rule] = &[
    Rule::new("ibr-010-ae", passport_country),
    Rule::new("ibr-012-ae", passport_country),
    Rule::new("ibr-149-ae", ibr_149),
    Rule::new("ibr-135-ae", ibr_135),
    Rule::new("ibr-183-ae", ibr_183),
    Rule::new("ibr-177-ae", ibr_177),
    Rule::new("ibr-132-ae", ibr_132),
    Rule::new("ibr-148-ae", ibr_148),
    Rule::new("ibr-133-ae", ibr_133),
    Rule::new("ibr-011-ae", known_country)
        .at(Flag::Fatal, |facts, visit| passports(facts, "AccountingCustomerParty", visit)),
    Rule::new("ibr-013-ae", known_country)
        .at(Flag::Fatal, |facts, visit| passports(facts, "AccountingSupplierParty", visit)),
];

const COMPANY: &str = "PartyLegalEntity/CompanyID";

/// Codes of the country list that a passport may not be of.
const NO_PASSPORT: &[&str] = &["1A", "XI"];

/// The countries; the release has no list of its own.
const COUNTRIES: &str = "iso3166@peppol-bis3-2025-q2";

fn is_country(code: &str) -> bool {
    codes::by_key(COUNTRIES).is_some_and(|list| list.contains(code))
}

/// A registration by passport (PAS) names the country that issued it.
fn passport_country<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let companies = leaves(case.at, COMPANY);
    let is_passport = companies.iter().any(|own| own.attribute("schemeAgencyID") == Some("PAS"));
    if !is_passport {
        return Ok(RuleVerdict::Holds);
    }
    let named = companies.iter().filter(|own| own.attribute("schemeAgencyName").is_some());
    let country = one(named.copied())?.and_then(|own| own.attribute("schemeAgencyName"));
    let holds = country.is_some_and(|code| is_country(code) && !NO_PASSPORT.contains(&code));
    Ok(at(case, COMPANY, holds))
}

/// Registrations by passport that name a country.
fn passports<'d>(facts: &Facts<'d>, role: &str, visit: &mut dyn FnMut(Element<'d>)) {
    for company in facts.named(CBC, "CompanyID") {
        let entity = company.parent().filter(|up| up.is(CAC, "PartyLegalEntity"));
        let party = entity.and_then(Element::parent).filter(|up| up.is(CAC, "Party"));
        let is_of_role = party.and_then(Element::parent).is_some_and(|up| up.is(CAC, role));
        let is_passport = company.attribute("schemeAgencyID") == Some("PAS");
        if is_of_role && is_passport && company.attribute("schemeAgencyName").is_some() {
            visit(company);
        }
    }
}

/// The name of the agency is a code of a country.
fn known_country<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let name = case.at.attribute("schemeAgencyName").unwrap_or_default();
    let code = name.trim_matches(quoin_model::text::SPACE);
    Ok(RuleVerdict::of(is_country(code)).found(name))
}

/// Whether an electronic address is of the Emirates' scheme.
fn is_local(endpoint: &Element<'_>) -> bool {
    endpoint.attribute("schemeID") == Some("0235")
}

/// `matches(normalize-space(cbc:EndpointID), '^[19]')`.
fn begins_with_1_or_9(party: Element<'_>) -> Read<'_, bool> {
    let endpoint = leaf(party, "EndpointID")?;
    Ok(endpoint.is_some_and(|own| normalized(own).starts_with(['1', '9'])))
}

fn ibr_149<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let abroad = cbc(case.at, "EndpointID")
        .any(|own| own.attribute("schemeID").is_some_and(|scheme| scheme != "0235"));
    let registered = has(case.at, "PartyTaxScheme/CompanyID");
    Ok(RuleVerdict::of(abroad || registered || begins_with_1_or_9(case.at)?))
}

/// A buyer with an address of the Emirates that is no tax number has another identifier, unless
/// the document is of an export.
fn ibr_135<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let above = case.at.parent().and_then(Element::parent);
    let is_inland =
        || Ok(!above.map_or(Ok(false), |root| is_kind(root, EmiratesTransaction::Export))?);
    let is_local = || Ok(cbc(case.at, "EndpointID").any(|own| is_local(&own)));
    let is_other = || Ok(!is_tax_number(&raw(case.at, "EndpointID")?));
    let is_asked = all_of([&is_inland, &is_local, &is_other])?;
    let identified =
        has(case.at, "PartyIdentification/ID") || has(case.at, "PartyTaxScheme/CompanyID");
    Ok(RuleVerdict::of(!is_asked || identified))
}

/// `1` and nine digits, of any script.
fn is_tax_number(text: &str) -> bool {
    let rest = text.strip_prefix('1');
    rest.is_some_and(|rest| rest.chars().count() == 9 && rest.chars().all(char::is_numeric))
}

/// The kinds of registration: trade licence, commercial licence, Emirates ID, passport, cabinet
/// decision.
const REGISTRATIONS: &[&str] = &["TL", "CL", "EID", "PAS", "CD"];

fn ibr_183<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_local = cbc(case.at, "EndpointID").any(|own| is_local(&own));
    if !has(case.at, COMPANY) || !is_local {
        return Ok(RuleVerdict::Holds);
    }
    let known = leaves(case.at, COMPANY).iter().any(|own| {
        own.attribute("schemeAgencyID").is_some_and(|kind| REGISTRATIONS.contains(&kind))
    });
    Ok(at(case, COMPANY, known || begins_with_1_or_9(case.at)?))
}

/// The document around an element: the nearest one.
fn document<'d>(element: Element<'d>) -> Option<Element<'d>> {
    let mut above = element.parent();
    while let Some(up) = above {
        if matches!(up.local(), "Invoice" | "CreditNote") {
            return Some(up);
        }
        above = up.parent();
    }
    None
}

/// A seller that an agent bills for has a tax number. The first code of the document counts.
fn ibr_177<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = document(case.at).and_then(|root| cbc(root, "ProfileExecutionID").next());
    let code = code.map(string).unwrap_or_default();
    let is_bits = code.len() == 8 && code.bytes().all(|bit| matches!(bit, b'0' | b'1'));
    let is_agent =
        is_bits && code.as_bytes().get(EmiratesTransaction::Agent as usize) == Some(&b'1');
    Ok(RuleVerdict::of(!is_agent || has(case.at, "PartyTaxScheme/CompanyID")))
}

/// A tax registration number of the Emirates: fifteen digits, from 1 to 03.
fn ibr_132<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let holds = text.len() == 15 && is_digits && text.starts_with('1') && text.ends_with("03");
    Ok(here(case, holds))
}

/// A tax identification number: ten digits, from 1.
fn ibr_148<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(here(case, is_identification(&string(case.at))))
}

fn is_identification(text: &str) -> bool {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() == 10 && text.starts_with('1') && is_digits
}

/// Whether some seller has a tax identification number, once a document.
struct SellerIdentified(bool);

/// A scheme other than VAT is for sellers with a tax identification number.
fn ibr_133<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let known = case.memo(|facts| {
        let sellers = facts.named(CAC, "AccountingSupplierParty");
        let schemes = sellers.flat_map(|role| groups(role, "Party/PartyTaxScheme"));
        let mut numbers = schemes.flat_map(|scheme| cbc(scheme, "CompanyID"));
        SellerIdentified(numbers.any(|own| is_identification(&normalized(own))))
    });
    Ok(here(case, string(case.at) == "VAT" || known.0).expected("VAT"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_emirates_are_told_apart() {
        assert!(is_identification("1234567890"));
        assert!(!is_identification("2234567890"));
        assert!(!is_identification("12345678901"));
        assert!(is_tax_number("1234567890"));
        assert!(!is_tax_number("123456789"));
    }
}
