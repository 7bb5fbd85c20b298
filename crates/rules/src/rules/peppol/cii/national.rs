//! Norway, Italy, Sweden and the Netherlands.

use std::rc::Rc;

use quoin_xml::tree::{Element, NodeId};

use super::paths::{agreed, at, in_scheme, of_document, says, settled};
use crate::rules::peppol::reading::{normal, on, own_text, substring};
use crate::rules::peppol::ubl::italy::is_registration;
use crate::rules::peppol::ubl::netherlands::registration;
use crate::rules::peppol::ubl::norway::vat_number;
use crate::rules::peppol::ubl::sweden;
use crate::rules::values::{
    RAM, Read, all_of, any_of, decimal_of, normalize, one, ram, rsm, some, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};
use quoin_model::amount::Decimal;

pub(crate) const RULES: &[Rule] = &[
    Rule::new("NO-R-002", register).at(Warning, |facts, visit| sellers_of(facts, "NO", visit)),
    Rule::new("NO-R-001", norwegian_vat).at(Fatal, |facts, visit| sellers_of(facts, "NO", visit)),
    Rule::new("IT-R-001", italian_registration).at(Fatal, |facts, visit| {
        let each = &mut |seller| ram(seller, "SpecifiedTaxRegistration").for_each(&mut *visit);
        sellers_of(facts, "IT", each);
    }),
    Rule::new("IT-R-002", |case| has_address(case, "LineOne"))
        .at(Fatal, |facts, visit| sellers_of(facts, "IT", visit)),
    Rule::new("IT-R-003", |case| has_address(case, "CityName"))
        .at(Fatal, |facts, visit| sellers_of(facts, "IT", visit)),
    Rule::new("IT-R-004", |case| has_address(case, "PostcodeCode"))
        .at(Fatal, |facts, visit| sellers_of(facts, "IT", visit)),
    Rule::new("SE-R-001", |case| sweden::length(&vat_numbers(case.at), 14)).at(Fatal, swedish),
    Rule::new("SE-R-002", |case| sweden::vat_digits(&vat_numbers(case.at))).at(Fatal, swedish),
    Rule::new("SE-R-003", |case| sweden::digits(&ids(case.at))),
    Rule::new("SE-R-004", |case| sweden::length(&ids(case.at), 10)),
    Rule::new("SE-R-013", |case| sweden::organisation(&ids(case.at))),
    Rule::new("SE-R-006", |case| {
        sweden::rate(&ram(case.at, "RateApplicablePercent").collect::<Vec<_>>())
    })
    .at(Fatal, swedish_taxes),
    Rule::new("NL-R-003", registration),
    Rule::new("NL-R-005", registration),
    Rule::new("NL-R-007", means_of_payment),
];

/// The country of the seller, or the element at which an XPath processor ends.
struct Supplier(Result<String, NodeId>);

fn supplier(facts: &Facts<'_>) -> Rc<Supplier> {
    facts.memo(|facts| Supplier(country(facts).map_err(|wrong| wrong.id())))
}

/// The first element of each step.
fn first_seller<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    let root = super::paths::document(facts)?;
    let transaction = rsm(root, "SupplyChainTradeTransaction").next()?;
    let agreement = ram(transaction, "ApplicableHeaderTradeAgreement").next()?;
    ram(agreement, "SellerTradeParty").next()
}

fn country<'d>(facts: &Facts<'d>) -> Read<'d, String> {
    let seller: Vec<_> = first_seller(facts).into_iter().collect();
    let representatives = agreed(facts, "SellerTaxRepresentativeTradeParty");
    for parties in [seller, representatives] {
        if let Some(prefix) = prefix(&parties)? {
            return Ok(prefix);
        }
    }
    let addresses = agreed(facts, "SellerTradeParty/PostalTradeAddress/CountryID");
    match addresses.is_empty() {
        true => Ok("XX".to_owned()),
        false => Ok(normal(addresses)?.to_uppercase()),
    }
}

/// `ram:SpecifiedTaxRegistration[ram:ID/@schemeID = 'VAT']`.
fn vat_registrations<'d>(party: Element<'d>) -> Vec<Element<'d>> {
    let all = ram(party, "SpecifiedTaxRegistration");
    all.filter(|own| in_scheme(*own, "VAT").next().is_some()).collect()
}

/// The first two characters of the one VAT number of some parties.
fn prefix<'d>(parties: &[Element<'d>]) -> Read<'d, Option<String>> {
    let mut found = None;
    for registration in parties.iter().flat_map(|party| vat_registrations(*party)) {
        let number = one(ram(registration, "ID"))?.map(string).unwrap_or_default();
        if found.is_some() {
            return Err(Unreadable::several(registration));
        }
        found = Some(substring(&number, 1, 2).to_owned());
    }
    let prefix = found.filter(|prefix| !prefix.is_empty());
    Ok(prefix.map(|prefix| normalize(prefix.into()).to_uppercase()))
}

/// The sellers, wherever they stand, of a document from a country.
fn sellers_of<'d>(facts: &Facts<'d>, code: &str, visit: &mut dyn FnMut(Element<'d>)) {
    if supplier(facts).0.as_deref() == Ok(code) {
        facts.named(RAM, "SellerTradeParty").for_each(visit);
    }
}

fn register<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const REGISTER: &str = "Foretaksregisteret";
    let registrations = ram(case.at, "SpecifiedTaxRegistration");
    let ids = registrations.flat_map(|own| in_scheme(own, "FC"));
    let holds = some(ids.map(|id| Ok(own_text(vec![id])? == REGISTER)))?;
    Ok(RuleVerdict::of(holds).expected(REGISTER))
}

fn norwegian_vat<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    vat_number(&|| Ok(vat_registrations(case.at)), &|own| ram(own, "ID").collect())
}

fn italian_registration<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let scheme = |id: &Element<'d>| normalize(id.attribute("schemeID").unwrap_or_default().into());
    let (of_tax, others): (Vec<_>, Vec<_>) = ram(case.at, "ID").partition(|id| scheme(id) == "FC");
    let has_other = || Ok(!others.is_empty());
    let has_shape = || Ok(is_registration(&normal(of_tax.clone())?));
    Ok(on(&of_tax, any_of([&has_other, &has_shape])?))
}

fn has_address<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    Ok(RuleVerdict::of(!at(case.at, &format!("PostalTradeAddress/{local}")).is_empty()))
}

fn ids(parent: Element<'_>) -> Vec<Element<'_>> {
    ram(parent, "ID").collect()
}

fn is_swedish(party: Element<'_>) -> bool {
    says(&at(party, "PostalTradeAddress/CountryID"), "SE")
}

/// `ram:SpecifiedTaxRegistration/ram:ID[@schemeID = 'VAT']`.
fn vat_numbers<'d>(party: Element<'d>) -> Vec<Element<'d>> {
    let registrations = ram(party, "SpecifiedTaxRegistration");
    registrations.flat_map(|own| in_scheme(own, "VAT")).collect()
}

/// `substring(ram:ID[@schemeID = 'VAT'], 1, 2) = 'SE'` of a registration.
fn is_swedish_vat<'d>(registration: Element<'d>) -> Read<'d, bool> {
    let number = one(in_scheme(registration, "VAT"))?.map(string).unwrap_or_default();
    Ok(substring(&number, 1, 2) == "SE")
}

fn has_swedish_vat(party: Element<'_>) -> bool {
    let registrations = ram(party, "SpecifiedTaxRegistration");
    is_swedish(party) && some(registrations.map(is_swedish_vat)).unwrap_or_default()
}

fn swedish<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let sellers = agreed(facts, "SellerTradeParty").into_iter();
    sellers.filter(|own| has_swedish_vat(*own)).for_each(visit);
}

/// Every tax of a document, whatever its category.
fn swedish_taxes<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let sellers = agreed(facts, "SellerTradeParty").into_iter().filter(|own| is_swedish(*own));
    let registrations = sellers.flat_map(|own| ram(own, "SpecifiedTaxRegistration"));
    if some(registrations.map(is_swedish_vat)).unwrap_or_default() {
        for local in ["ApplicableTradeTax", "CategoryTradeTax"] {
            facts.named(RAM, local).for_each(&mut *visit);
        }
    }
}

fn means_of_payment<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_credit_note =
        || Ok(own_text(of_document(case, "rsm:ExchangedDocument/TypeCode"))? == "381");
    let due = |is: fn(Decimal) -> bool| -> Read<'d, bool> {
        Ok(decimal_of(ram(case.at, "DuePayableAmount"))?.is_some_and(is))
    };
    let nothing_to_pay =
        || all_of([&|| Ok(!is_credit_note()?), &|| due(|amount| amount <= Decimal::ZERO)]);
    let nothing_back = || all_of([&is_credit_note, &|| due(|amount| amount >= Decimal::ZERO)]);
    let is_paid = || Ok(!settled(case, "SpecifiedTradeSettlementPaymentMeans").is_empty());
    let holds = any_of([&nothing_to_pay, &nothing_back, &is_paid])?;
    Ok(on(&ram(case.at, "DuePayableAmount").collect::<Vec<_>>(), holds))
}
