//! Germany: what an invoice needs whose seller and buyer are both there.

mod payments;
pub(crate) mod wording;

use std::collections::HashSet;

use quoin_xml::tree::Element;

use super::country::Countries;
use super::paths::{at, document, has, says, says_something};
use crate::rules::peppol::reading::normal;
use crate::rules::values::{Read, any_of, cac, cbc, normalized, some_double, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

/// What every release has.
pub(crate) const RULES: &[&[Rule]] = &[GROUPS, payments::RULES, wording::RULES];

const GROUPS: &[Rule] = &[
    Rule::new("DE-R-001", |case| Ok(RuleVerdict::of(has(case.at, "PaymentMeans"))))
        .at(Fatal, documents),
    Rule::new("DE-R-015", |case| filled(case, "BuyerReference")).at(Fatal, documents),
    Rule::new("DE-R-016", seller_tax_number).at(Fatal, documents),
    Rule::new("DE-R-022", file_names).at(Fatal, documents),
    Rule::new("DE-R-002", |case| Ok(RuleVerdict::of(has(case.at, "Party/Contact"))))
        .at(Fatal, |facts, visit| each(facts, "AccountingSupplierParty", visit)),
    Rule::new("DE-R-003", |case| filled(case, "CityName")).at(Fatal, seller_addresses),
    Rule::new("DE-R-004", |case| filled(case, "PostalZone")).at(Fatal, seller_addresses),
    Rule::new("DE-R-005", |case| filled(case, "Name")).at(Fatal, contacts),
    Rule::new("DE-R-006", |case| filled(case, "Telephone")).at(Fatal, contacts),
    Rule::new("DE-R-007", |case| filled(case, "ElectronicMail")).at(Fatal, contacts),
    Rule::new("DE-R-008", |case| filled(case, "CityName")).at(Fatal, buyer_addresses),
    Rule::new("DE-R-009", |case| filled(case, "PostalZone")).at(Fatal, buyer_addresses),
    Rule::new("DE-R-010", |case| filled(case, "CityName")).at(Fatal, delivery_addresses),
    Rule::new("DE-R-011", |case| filled(case, "PostalZone")).at(Fatal, delivery_addresses),
    Rule::new("DE-R-014", rate)
        .at(Fatal, |facts, visit| each(facts, "TaxTotal/TaxSubtotal", visit)),
];

/// Until May 2026.
pub(crate) const UNTIL_2026_05: &[&[Rule]] = &[
    &[
        Rule::new("DE-R-017", |case| type_code(case, CodeReading::Exact)).at(Warning, documents),
        Rule::new("DE-R-026", |case| correction(case, CodeReading::Exact)).at(Warning, documents),
    ],
    payments::UNTIL_2026_05,
    wording::UNTIL_2026_05,
];

/// From May 2026 on.
pub(crate) const FROM_2026_05: &[&[Rule]] = &[
    &[
        Rule::new("DE-R-017", |case| type_code(case, CodeReading::Normal)).at(Warning, documents),
        Rule::new("DE-R-026", |case| correction(case, CodeReading::Normal)).at(Warning, documents),
    ],
    payments::FROM_2026_05,
    wording::FROM_2026_05,
];

/// How a release reads a code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CodeReading {
    /// As it is written, and compared with a number as a number.
    Exact,
    /// Without white space.
    Normal,
}

/// Elements below the document element, where seller and buyer are German.
fn each<'d>(facts: &Facts<'d>, path: &str, visit: &mut dyn FnMut(Element<'d>)) {
    documents(facts, &mut |root| at(root, path).into_iter().for_each(&mut *visit));
}

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if Countries::of(facts).is_german() {
        document(facts).into_iter().for_each(visit);
    }
}

fn seller_addresses<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    each(facts, "AccountingSupplierParty/Party/PostalAddress", visit);
}

fn buyer_addresses<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    each(facts, "AccountingCustomerParty/Party/PostalAddress", visit);
}

fn contacts<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    each(facts, "AccountingSupplierParty/Party/Contact", visit);
}

fn delivery_addresses<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    each(facts, "Delivery/DeliveryLocation/Address", visit);
}

/// Some element of a name says something.
fn filled<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let element = cbc(case.at, local).next();
    Ok(RuleVerdict::of(says_something(case.at, local)).element(element))
}

fn rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut categories = cac(case.at, "TaxCategory");
    Ok(RuleVerdict::of(categories.any(|own| says_something(own, "Percent"))))
}

const CATEGORIES: [&str; 8] = ["S", "Z", "E", "AE", "K", "G", "L", "M"];

/// Whether some element has the code of a category for which the seller must be known.
fn has_category(elements: Vec<Element<'_>>) -> bool {
    elements.into_iter().any(|own| CATEGORIES.contains(&&*string(own)))
}

fn seller_tax_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = at(case.at, "AccountingSupplierParty/Party/PartyTaxScheme/cbc:CompanyID");
    let is_known = has(case.at, "TaxRepresentativeParty")
        || numbers.into_iter().any(|own| !normalized(own).is_empty());
    let adjusted = || {
        let is_told =
            |own: &Element<'d>| ["true", "false"].iter().any(|code| indicates(*own, code));
        let groups = cac(case.at, "AllowanceCharge").filter(is_told);
        groups.flat_map(|own| at(own, "TaxCategory/cbc:ID")).collect()
    };
    let of_lines = |line: &str| at(case.at, &format!("{line}/Item/ClassifiedTaxCategory/cbc:ID"));
    let holds = is_known
        || !(has_category(adjusted())
            || has_category(of_lines("InvoiceLine"))
            || has_category(of_lines("CreditNoteLine")));
    Ok(RuleVerdict::of(holds))
}

fn indicates(group: Element<'_>, code: &str) -> bool {
    says(group, "ChargeIndicator", code)
}

#[rustfmt::skip]
const TYPE_CODES: [&str; 8] = ["326", "380", "384", "389", "381", "875", "876", "877"];

fn type_code<'d>(case: &Case<'_, 'd>, reading: CodeReading) -> Outcome<'d> {
    let is_usual = |local: &str| -> Read<'d, bool> {
        Ok(match reading {
            CodeReading::Exact => TYPE_CODES.iter().any(|code| says(case.at, local, code)),
            CodeReading::Normal => TYPE_CODES.contains(&&*normal(cbc(case.at, local).collect())?),
        })
    };
    let holds = any_of([&|| is_usual("InvoiceTypeCode"), &|| is_usual("CreditNoteTypeCode")])?;
    Ok(with_type_code(case, holds).expected(TYPE_CODES.join(", ")))
}

fn with_type_code<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    let mut codes = cbc(case.at, "InvoiceTypeCode").chain(cbc(case.at, "CreditNoteTypeCode"));
    match codes.next() {
        Some(code) => RuleVerdict::of(holds).element(Some(code)).found(string(code)),
        None => RuleVerdict::of(holds),
    }
}

/// A corrected invoice names the one before it.
fn correction<'d>(case: &Case<'_, 'd>, reading: CodeReading) -> Outcome<'d> {
    let is_corrected = |local: &str| match reading {
        CodeReading::Exact => some_double(cbc(case.at, local), |code| code == 384.0),
        CodeReading::Normal => Ok(normal(cbc(case.at, local).collect())? == "384"),
    };
    let other = || {
        let codes = ["InvoiceTypeCode", "CreditNoteTypeCode"];
        Ok(!any_of([&|| is_corrected(codes[0]), &|| is_corrected(codes[1])])?)
    };
    let named = || Ok(has(case.at, "BillingReference/InvoiceDocumentReference"));
    Ok(with_type_code(case, any_of([&other, &named])?))
}

/// No two attachments of the document have a file name in common.
fn file_names<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut known = HashSet::new();
    for reference in cac(case.at, "AdditionalDocumentReference") {
        let objects = at(reference, "Attachment/cbc:EmbeddedDocumentBinaryObject");
        let names = || objects.iter().filter_map(|own| own.attribute("filename"));
        if let Some(twice) = names().find(|name| known.contains(name)) {
            return Ok(RuleVerdict::broken().element(Some(reference)).found(twice));
        }
        known.extend(names());
    }
    Ok(RuleVerdict::Holds)
}
