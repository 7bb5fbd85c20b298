//! Rules of the document: process, currencies, totals of VAT, type code, days.

use quoin_xml::tree::Element;

use super::paths::{at, of_document, settled};
use crate::rules::peppol::reading::{normal, own_text};
use crate::rules::peppol::ubl::document::{
    BILLING, CREDIT_NOTE_CODES, INVOICE_CODES, numbered_billing,
};
use crate::rules::values::{Read, all_of, any_of, normalize, ram, some_double, string, text};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::{Patch, PatchKind};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R005", r005),
    Rule::new("PEPPOL-EN16931-R007", r007),
    Rule::new("PEPPOL-EN16931-R054", r054),
    Rule::new("PEPPOL-EN16931-R055", r055),
    Rule::new("PEPPOL-EN16931-P0100", p0100),
    Rule::new("PEPPOL-EN16931-F001", f001),
];

const PROCESS: &str =
    "rsm:ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter";

/// The number of the process, if it is one of billing.
fn process<'d>(facts: &Facts<'d>) -> Read<'d, Option<String>> {
    let id = normal(of_document(facts, &format!("{PROCESS}/ID")))?;
    Ok(numbered_billing(&id).map(str::to_owned))
}

fn r005<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own: Vec<_> = ram(case.at, "TaxCurrencyCode").collect();
    let Some(&first) = own.first() else { return Ok(RuleVerdict::Holds) };
    let code = own_text(own)?;
    let holds = code != own_text(ram(case.at, "InvoiceCurrencyCode").collect())?;
    Ok(RuleVerdict::of(holds).found(code).element(Some(first)))
}

fn r007<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_known = process(case)?.is_some();
    let element = of_document(case, &format!("{PROCESS}/ID")).into_iter().next();
    let verdict = RuleVerdict::of(is_known).element(element).expected(BILLING);
    Ok(match element {
        Some(element) => verdict.found(string(element)).patch(Patch {
            xpath: String::new(),
            kind: PatchKind::SetText,
            value: BILLING.to_owned(),
        }),
        None => verdict,
    })
}

/// The currencies of the document: of its amounts, and of VAT accounting.
struct PeppolCiiCurrencies([Vec<String>; 2]);

impl PeppolCiiCurrencies {
    fn of(facts: &Facts<'_>) -> PeppolCiiCurrencies {
        PeppolCiiCurrencies(["InvoiceCurrencyCode", "TaxCurrencyCode"].map(|local| {
            settled(facts, local).into_iter().map(|own| string(own).into_owned()).collect()
        }))
    }

    /// Whether an amount is in one of some currencies.
    fn has(&self, number: usize, amount: Element<'_>) -> bool {
        let own = amount.attribute("currencyID");
        let codes = self.0.get(number).into_iter().flatten();
        own.is_some_and(|own| codes.into_iter().any(|code| code == own))
    }
}

const TAX: &str = "SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount";

fn r054<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let currencies = case.memo(PeppolCiiCurrencies::of);
    let is_other = |amount: &Element<'d>| {
        let own = amount.attribute("currencyID");
        let [codes, _] = &currencies.0;
        own.is_some_and(|own| codes.iter().any(|code| code != own))
    };
    let others = at(case.at, TAX).into_iter().filter(is_other).count();
    Ok(RuleVerdict::of(others == usize::from(ram(case.at, "TaxCurrencyCode").next().is_some())))
}

/// Both totals of VAT are below nought, or both nought or more.
fn r055<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let currencies = case.memo(PeppolCiiCurrencies::of);
    let [_, accounting] = &currencies.0;
    if accounting.is_empty() {
        return Ok(RuleVerdict::Holds);
    }
    let amounts = at(case.at, TAX);
    let some = |number: usize, is: fn(f64) -> bool| {
        let wanted = amounts.iter().copied().filter(|own| currencies.has(number, *own));
        some_double(wanted, is)
    };
    let both = |is: fn(f64) -> bool| all_of([&|| some(1, is), &|| some(0, is)]);
    Ok(RuleVerdict::of(any_of([&|| both(|tax| tax < 0.0), &|| both(|tax| tax >= 0.0)])?))
}

/// The official file names the element in the wrong namespace, so that it is never tested.
fn p0100<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = || own_text(vec![case.at]);
    let is_listed = |code: &str| INVOICE_CODES.contains(&code) || CREDIT_NOTE_CODES.contains(&code);
    let other_process = || Ok(process(case)?.as_deref() != Some("01"));
    let holds = any_of([&|| Ok(is_listed(&code()?)), &other_process])?;
    Ok(RuleVerdict::of(holds).found(string(case.at)).expected(INVOICE_CODES.join(", ")))
}

fn f001<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let format = normalize(case.at.attribute("format").unwrap_or_default().into());
    let is_day = || {
        let text = text::own(case.at)?;
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        Ok(text.len() == 8 && text.starts_with("20") && is_number)
    };
    let holds = format == "102" && is_day()?;
    Ok(RuleVerdict::of(holds).found(string(case.at)).expected("YYYYMMDD"))
}
