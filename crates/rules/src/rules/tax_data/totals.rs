//! Totals and numbers of the Emirates and Oman: how many, and in which currency.

use std::sync::LazyLock;

use quoin_xml::pattern::Pattern;
use quoin_xml::tree::Element;

use super::forms::once;
use super::{own, report};
use crate::rules::values::{Read, cac, cbc, normalize, normalized, one};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

/// The Emirates and Oman.
pub(super) const WHOLE: &[Rule] = &[
    Rule::new("ibr-tdd-31", currencies_differ),
    Rule::new("ibr-tdd-34", one_each),
    Rule::new("ibr-tdd-35", |case| in_currency(case, "DocumentCurrencyCode")),
    Rule::new("ibr-tdd-36", in_tax_currency),
    Rule::new("ibr-tdd-37", |case| Ok(once(own(case.at, "MonetaryTotal").count()))),
    Rule::new("ibr-tdd-38", total_in_currency),
    Rule::new("ibr-tdd-53", amount_in_currency),
];
/// The Emirates alone.
pub(super) const EMIRATES: &[Rule] = &[
    Rule::new("ibr-tdd-33", buyer),
    Rule::new("ibr-tdd-42", |case| Ok(once(cac(case.at, "PartyTaxScheme").count()))),
];
/// Oman alone.
pub(super) const OMAN: &[Rule] = &[Rule::new("ibr-tdd-42", number_of_seller)];

/// The extension in which the whole invoice stands.
const EXT: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";
/// What the namespaces of UBL documents are: this, the local name, `-2`.
const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// The codes of transactions: eight digits, the last one of exports.
static EXPORT: LazyLock<Option<Pattern>> = LazyLock::new(|| Pattern::xpath("^[01]{7}1$", "").ok());

/// A currency of the reported document; empty where it has none.
fn currency<'d>(at: Element<'d>, name: &str) -> Read<'d, String> {
    let code = one(cbc(at, name))?;
    Ok(code.map(|code| normalized(code).into_owned()).unwrap_or_default())
}

fn has_tax_currency(at: Element<'_>) -> bool {
    cbc(at, "TaxCurrencyCode").next().is_some()
}

fn currencies_differ<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has_tax_currency(case.at) {
        return Ok(RuleVerdict::Holds);
    }
    let (document, tax) =
        (currency(case.at, "DocumentCurrencyCode")?, currency(case.at, "TaxCurrencyCode")?);
    let element = cbc(case.at, "TaxCurrencyCode").next();
    Ok(RuleVerdict::of(document != tax).found(tax).element(element))
}

fn one_each<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let expected = if has_tax_currency(case.at) { 2 } else { 1 };
    let found = cac(case.at, "TaxTotal").count();
    let verdict = RuleVerdict::of(found == expected);
    Ok(verdict.found(found.to_string()).expected(expected.to_string()))
}

/// How many totals of tax are in a currency.
fn totals_in(at: Element<'_>, currency: &str) -> usize {
    let is_in = |amount: Element<'_>| amount.attribute("currencyID") == Some(currency);
    cac(at, "TaxTotal").filter(|total| cbc(*total, "TaxAmount").any(is_in)).count()
}

fn in_currency<'d>(case: &Case<'_, 'd>, name: &str) -> Outcome<'d> {
    let code = currency(case.at, name)?;
    Ok(once(totals_in(case.at, &code)).expected(code))
}

fn in_tax_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if has_tax_currency(case.at) {
        in_currency(case, "TaxCurrencyCode")
    } else {
        Ok(RuleVerdict::Holds)
    }
}

fn total_in_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals: Vec<_> = own(case.at, "MonetaryTotal").collect();
    let [total] = totals[..] else { return Ok(RuleVerdict::Holds) };
    let code = currency(case.at, "DocumentCurrencyCode")?;
    let is_in = |amount: Element<'d>| amount.attribute("currencyID") == Some(&*code);
    let holds = cbc(total, "TaxExclusiveAmount").any(is_in);
    Ok(RuleVerdict::of(holds).expected(code.clone()).element(Some(total)))
}

/// At a total: its amount is in the currency of the document.
fn amount_in_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = match case.at.parent() {
        Some(document) => currency(document, "DocumentCurrencyCode")?,
        None => String::new(),
    };
    let mut amounts = cbc(case.at, "TaxExclusiveAmount");
    let holds = amounts.any(|amount| amount.attribute("currencyID") == Some(&*code));
    let element = cbc(case.at, "TaxExclusiveAmount").next();
    let found = element.and_then(|amount| amount.attribute("currencyID")).unwrap_or_default();
    Ok(RuleVerdict::of(holds).found(found).expected(code).element(element))
}

/// The invoices inside the report's extension.
fn sources<'d>(at: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let transactions = own(report(at), "ReportedTransaction");
    let documents = transactions.flat_map(|one| own(one, "SourceDocument"));
    let contents = documents.flat_map(|one| one.children_named(EXT, "ExtensionContent"));
    contents.flat_map(Element::elements)
}

/// The buyer, without whom only an export can be.
fn buyer<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cac(case.at, "AccountingCustomerParty").next().is_some() {
        return Ok(RuleVerdict::Holds);
    }
    let code = one(sources(case.at).flat_map(|one| cbc(one, "ProfileExecutionID")))?;
    let code = code.map(normalized).unwrap_or_default();
    let is_export = EXPORT.as_ref().is_some_and(|pattern| pattern.is_match(&code));
    Ok(RuleVerdict::of(is_export))
}

/// One number of the seller; of imports and profit margin invoices that the buyer issued, none is
/// needed.
fn number_of_seller<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let numbers = cac(case.at, "PartyTaxScheme").count();
    let verdict = once(numbers);
    let exempt = numbers == 0 && is_exempt(case.at);
    Ok(if exempt { RuleVerdict::Holds } else { verdict })
}

/// Whether the invoice is one of import of services under reverse charge, of a profit margin that
/// the buyer issued, or of import of goods: digits 9, 11 and 13 of 20 (BTOM-001).
fn is_exempt(at: Element<'_>) -> bool {
    let is_ubl = |one: &Element<'_>| {
        let namespace = one.namespace().strip_prefix(UBL).and_then(|name| name.strip_suffix("-2"));
        namespace == Some(one.local()) && matches!(one.local(), "Invoice" | "CreditNote")
    };
    let codes = sources(at).filter(is_ubl).flat_map(|one| {
        let codes = one.elements();
        codes.filter(|code| matches!(code.local(), "InvoiceTypeCode" | "CreditNoteTypeCode"))
    });
    let name = codes.filter_map(|code| code.attribute("name")).next().unwrap_or_default();
    let digits = normalize(name.into());
    let bytes = digits.as_bytes();
    let is_code = bytes.len() == 20 && bytes.iter().all(|byte| matches!(byte, b'0' | b'1'));
    is_code && [8, 10, 12].iter().any(|at| bytes.get(*at) == Some(&b'1'))
}
