//! The rules of XRechnung itself in UBL.

use std::collections::HashSet;

use quoin_xml::tree::Element;

use super::formats::{account, discounts, e_mail, link, normal_of, telephone};
use super::kind;
use crate::rules::values::{cac, cbc, normalized, one};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-DE-16", de_16),
    Rule::new("BR-DE-18", de_18),
    Rule::new("BR-DE-21", |case| kind::specified(cbc(case.at, "CustomizationID"))),
    Rule::new("BR-DE-22", de_22),
    Rule::new("BR-DE-TMP-32", de_tmp_32),
    Rule::new("BR-TMP-2", |case| Ok(link(one(cbc(case.at, "URI"))?))),
    Rule::new("BR-DE-27", |case| Ok(telephone(one(cbc(case.at, "Telephone"))?))),
    Rule::new("BR-DE-28", |case| Ok(e_mail(one(cbc(case.at, "ElectronicMail"))?))),
    Rule::new("BR-DE-19", de_19),
    Rule::new("BR-DE-20", de_20),
];

/// The categories of VAT that a seller must be registered for.
pub(super) const REGISTERED: &[&str] = &["S", "Z", "E", "AE", "K", "G", "L", "M"];

/// Whether an element is one of those categories, as written.
pub(super) fn is_registered(code: Element<'_>) -> bool {
    REGISTERED.contains(&&*code.string_value())
}

/// Whether there is something but white space.
pub(super) fn is_filled(element: Element<'_>) -> bool {
    !normalized(element).is_empty()
}

/// A seller who uses these categories has a number for tax, or a representative.
fn de_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let says = |own: Element<'_>, text: &str| {
        cbc(own, "ChargeIndicator").any(|indicator| indicator.string_value() == text)
    };
    let adjustments = cac(case.at, "AllowanceCharge");
    let adjustments = adjustments.filter(|own| says(*own, "false") || says(*own, "true"));
    let categories = adjustments.flat_map(|own| cac(own, "TaxCategory"));
    let lines = ["InvoiceLine", "CreditNoteLine"].into_iter();
    let items = lines.flat_map(|local| cac(case.at, local)).flat_map(|line| cac(line, "Item"));
    let categories = categories.chain(items.flat_map(|item| cac(item, "ClassifiedTaxCategory")));
    let used = categories.flat_map(|category| cbc(category, "ID")).find(|id| is_registered(*id));
    let Some(used) = used else { return Ok(RuleVerdict::Holds) };
    let sellers = cac(case.at, "AccountingSupplierParty").flat_map(|role| cac(role, "Party"));
    let schemes = sellers.flat_map(|party| cac(party, "PartyTaxScheme"));
    let mut numbers = schemes.flat_map(|scheme| cbc(scheme, "CompanyID"));
    let holds = numbers.any(is_filled) || cac(case.at, "TaxRepresentativeParty").next().is_some();
    Ok(RuleVerdict::of(holds).found(used.string_value()))
}

fn de_18<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let notes = cac(case.at, "PaymentTerms").filter_map(|terms| cbc(terms, "Note").next());
    discounts(&notes.collect::<Vec<_>>())
}

/// The names of the files of a reference.
fn names<'d>(reference: Element<'d>) -> impl Iterator<Item = (Element<'d>, &'d str)> {
    let attached = cac(reference, "Attachment");
    let files = attached.flat_map(|own| cbc(own, "EmbeddedDocumentBinaryObject"));
    files.filter_map(|file| Some((file, file.attribute("filename")?)))
}

/// No two references have a file of the same name.
fn de_22<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    unique(cac(case.at, "AdditionalDocumentReference"), names)
}

/// No element has a name that one before it has.
pub(super) fn unique<'d, N: Iterator<Item = (Element<'d>, &'d str)>>(
    elements: impl Iterator<Item = Element<'d>>,
    names: impl Fn(Element<'d>) -> N,
) -> Outcome<'d> {
    let mut known = HashSet::new();
    for element in elements {
        if let Some((file, name)) = names(element).find(|(_, name)| known.contains(name)) {
            return Ok(RuleVerdict::broken().found(name).element(Some(file)));
        }
        known.extend(names(element).map(|(_, name)| name));
    }
    Ok(RuleVerdict::Holds)
}

/// A day of delivery, a period, or a period in every line.
fn de_tmp_32<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_period = |own| cac(own, "InvoicePeriod").next().is_some();
    let delivered =
        cac(case.at, "Delivery").any(|own| cbc(own, "ActualDeliveryDate").next().is_some());
    let lines = ["InvoiceLine", "CreditNoteLine"].into_iter();
    let mut lines = lines.flat_map(|local| cac(case.at, local));
    Ok(RuleVerdict::of(delivered || has_period(case.at) || lines.all(has_period)))
}

fn de_19<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if normal_of(cbc(case.at, "PaymentMeansCode"))? != "58" {
        return Ok(RuleVerdict::Holds);
    }
    account(cac(case.at, "PayeeFinancialAccount").flat_map(|own| cbc(own, "ID")))
}

fn de_20<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mandates = cac(case.at, "PaymentMandate");
    let accounts = mandates.flat_map(|own| cac(own, "PayerFinancialAccount"));
    account(accounts.flat_map(|own| cbc(own, "ID")))
}
