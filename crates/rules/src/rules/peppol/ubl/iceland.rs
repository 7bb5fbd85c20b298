//! Iceland: type codes, registrations and addresses, accounts, and the final due date.

use quoin_xml::tree::Element;

use super::country::{Countries, is};
use super::paths::{at, document, has, says};
use crate::rules::peppol::reading::{normal, text};
use crate::rules::values::{all_of, any_of, cac, cbc, number, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("IS-R-001", type_code).at(Warning, documents),
    Rule::new("IS-R-002", |case| registration(case, SELLER)).at(Fatal, documents),
    Rule::new("IS-R-003", |case| address(case, SELLER)).at(Fatal, documents),
    Rule::new("IS-R-004", |case| registration(case, "Party")).at(Fatal, customers),
    Rule::new("IS-R-005", |case| address(case, "Party")).at(Fatal, customers),
    Rule::new("IS-R-006", |case| account(case, "9")).at(Fatal, documents),
    Rule::new("IS-R-007", |case| account(case, "42")).at(Fatal, documents),
    Rule::new("IS-R-008", final_date).at(Fatal, documents),
    Rule::new("IS-R-009", has_due_date).at(Fatal, documents),
    Rule::new("IS-R-010", final_date_after_due_date).at(Fatal, documents),
];

const SELLER: &str = "AccountingSupplierParty/Party";
/// How the reference is described that has the final due date.
const FINAL_DATE: &str = "EINDAGI";
/// The scheme of Icelandic registrations (kennitala).
const SCHEME: &str = "0196";

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is(&Countries::of(facts).seller_written, "IS") {
        document(facts).into_iter().for_each(visit);
    }
}

fn customers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if Countries::of(facts).is_within("IS") {
        let root = document(facts).into_iter();
        root.flat_map(|root| cac(root, "AccountingCustomerParty")).for_each(visit);
    }
}

fn type_code<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_usual = |local: &str| {
        let code = normal(cbc(case.at, local).collect())?;
        Ok(code == "380" || code == "381")
    };
    let holds = any_of([&|| is_usual("InvoiceTypeCode"), &|| is_usual("CreditNoteTypeCode")])?;
    let mut codes = cbc(case.at, "InvoiceTypeCode").chain(cbc(case.at, "CreditNoteTypeCode"));
    let code = codes.next();
    let verdict = RuleVerdict::of(holds).element(code).expected("380, 381");
    Ok(match code {
        Some(code) => verdict.found(string(code)),
        None => verdict,
    })
}

fn registration<'d>(case: &Case<'_, 'd>, party: &str) -> Outcome<'d> {
    let numbers = at(case.at, &format!("{party}/PartyLegalEntity/cbc:CompanyID"));
    let holds = numbers.iter().any(|own| own.attribute("schemeID") == Some(SCHEME));
    let first = numbers.first().copied();
    Ok(RuleVerdict::of(holds).element(first).expected(SCHEME))
}

fn address<'d>(case: &Case<'_, 'd>, party: &str) -> Outcome<'d> {
    let is_there = |local: &str| has(case.at, &format!("{party}/PostalAddress/cbc:{local}"));
    Ok(RuleVerdict::of(is_there("StreetName") && is_there("PostalZone")))
}

/// An account of twelve characters, where a means of payment has a code.
fn account<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    let means: Vec<_> =
        cac(case.at, "PaymentMeans").filter(|own| says(*own, "PaymentMeansCode", code)).collect();
    let Some(&first) = means.first() else { return Ok(RuleVerdict::Holds) };
    let accounts: Vec<_> =
        means.iter().flat_map(|own| at(*own, "PayeeFinancialAccount/cbc:ID")).collect();
    let element = accounts.first().copied().or(Some(first));
    let found = accounts.first().map(|own| string(*own)).unwrap_or_default();
    let holds = normal(accounts)?.chars().count() == 12;
    Ok(RuleVerdict::of(holds).element(element).found(found))
}

/// `cac:AdditionalDocumentReference[cbc:DocumentDescription = 'EINDAGI']`.
fn references(root: Element<'_>) -> Vec<Element<'_>> {
    let references = cac(root, "AdditionalDocumentReference");
    references.filter(|own| says(*own, "DocumentDescription", FINAL_DATE)).collect()
}

fn dates<'d>(references: &[Element<'d>]) -> Vec<Element<'d>> {
    references.iter().flat_map(|own| cbc(*own, "ID")).collect()
}

fn final_date<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let references = references(case.at);
    if references.is_empty() {
        return Ok(RuleVerdict::Holds);
    }
    let dates = dates(&references);
    let has_length = || Ok(text(dates.clone())?.chars().count() == 10);
    let is_date = || Ok(number::date(&text(dates.clone())?).is_some());
    let holds = all_of([&has_length, &is_date])?;
    let first = dates.first().copied();
    let verdict = RuleVerdict::of(holds).element(first).expected("YYYY-MM-DD");
    Ok(match first {
        Some(first) => verdict.found(string(first)),
        None => verdict,
    })
}

fn has_due_date<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_used = !references(case.at).is_empty();
    Ok(RuleVerdict::of(!is_used || cbc(case.at, "DueDate").next().is_some()))
}

/// The days are compared as texts, as elements without type are.
fn final_date_after_due_date<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let references = references(case.at);
    if references.is_empty() {
        return Ok(RuleVerdict::Holds);
    }
    let finals: Vec<_> = dates(&references).into_iter().map(string).collect();
    // Of all pairs one has to be in order: the first due date and the last of these.
    let due = cbc(case.at, "DueDate").map(string).min();
    let holds = due.zip(finals.iter().max()).is_some_and(|(due, last)| due <= *last);
    let verdict = RuleVerdict::of(holds).element(dates(&references).first().copied());
    Ok(match finals.into_iter().next() {
        Some(last) => verdict.found(last),
        None => verdict,
    })
}
