//! The rules of XRechnung itself in CII.

use std::collections::HashSet;

use quoin_xml::tree::{Element, NodeId};

use super::formats::{account, discounts, e_mail, link, normal_of, telephone};
use super::kind;
use super::ubl::{is_filled, is_registered, unique};
use crate::rules::values::{RAM, RSM, one, ram, rsm};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-DE-30", |case| direct_debit(case, CREDITOR, [MANDATE, ACCOUNT])),
    Rule::new("BR-DE-31", |case| direct_debit(case, ACCOUNT, [MANDATE, CREDITOR])),
    Rule::new("BR-DE-16", de_16),
    Rule::new("BR-DE-18", de_18),
    Rule::new("BR-DE-22", de_22),
    Rule::new("BR-DE-21", |case| {
        let guides = ram(case.at, "GuidelineSpecifiedDocumentContextParameter");
        kind::specified(guides.flat_map(|own| ram(own, "ID")))
    }),
    Rule::new("BR-DE-5", de_5),
    Rule::new("BR-DE-27", |case| {
        let path = &["TelephoneUniversalCommunication", "CompleteNumber"];
        Ok(telephone(one(below(case.at, path).into_iter())?))
    }),
    Rule::new("BR-DE-28", |case| {
        let path = &["EmailURIUniversalCommunication", "URIID"];
        Ok(e_mail(one(below(case.at, path).into_iter())?))
    }),
    Rule::new("BR-TMP-2", tmp_2),
    Rule::new("BR-DE-19", de_19),
    Rule::new("BR-DE-20", |case| account_of(case, "PayerPartyDebtorFinancialAccount")),
    Rule::new("BR-DE-TMP-32", de_tmp_32),
];

/// The elements at the end of a path of `ram:` names.
pub(super) fn below<'d>(start: Element<'d>, path: &[&str]) -> Vec<Element<'d>> {
    path.iter()
        .fold(vec![start], |from, local| from.into_iter().flat_map(|own| ram(own, local)).collect())
}

/// Those of a path in the transactions of the document.
pub(super) fn in_transaction<'d>(root: Element<'d>, path: &[&str]) -> Vec<Element<'d>> {
    let root = Some(root).filter(|root| root.is(RSM, "CrossIndustryInvoice"));
    let transactions = root.into_iter().flat_map(|root| rsm(root, "SupplyChainTradeTransaction"));
    transactions.flat_map(|own| below(own, path)).collect()
}

/// Those of a path in the settlement.
pub(super) fn settled<'d>(root: Element<'d>, path: &[&str]) -> Vec<Element<'d>> {
    let settlements = in_transaction(root, &["ApplicableHeaderTradeSettlement"]);
    settlements.into_iter().flat_map(|own| below(own, path)).collect()
}

/// BT-89.
const MANDATE: &[&str] = &["SpecifiedTradePaymentTerms", "DirectDebitMandateID"];
/// BT-90.
const CREDITOR: &[&str] = &["CreditorReferenceID"];
/// BT-91.
const ACCOUNT: &[&str] =
    &["SpecifiedTradeSettlementPaymentMeans", "PayerPartyDebtorFinancialAccount", "IBANID"];

/// A direct debit, which is there where one of its three terms is: one of them must be, and of the
/// other two at least one.
fn direct_debit<'d>(case: &Case<'_, 'd>, needed: &[&str], others: [&[&str]; 2]) -> Outcome<'d> {
    let has = |path: &[&str]| !settled(case.at, path).is_empty();
    let any_other = others.iter().any(|path| has(path));
    Ok(RuleVerdict::of(has(needed) == any_other))
}

/// A seller who uses these categories has a number for tax, or a representative.
fn de_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LINE: &[&str] =
        &["IncludedSupplyChainTradeLineItem", "SpecifiedLineTradeSettlement", "ApplicableTradeTax"];
    let lines = in_transaction(case.at, LINE);
    let adjustments = settled(case.at, &["SpecifiedTradeAllowanceCharge", "CategoryTradeTax"]);
    let coded = |taxes: &[Element<'d>]| {
        taxes.iter().flat_map(|tax| ram(*tax, "CategoryCode")).find(|code| is_registered(*code))
    };
    let is_vat = |own: Element<'d>| own.string_value() == "VAT";
    // Of allowances and charges the whole text is compared, and not that of the tax.
    let in_lines = lines.iter().any(|tax| ram(*tax, "TypeCode").any(is_vat));
    let in_adjustments = adjustments.iter().any(|tax| is_vat(*tax));
    let used = in_lines.then(|| coded(&lines)).flatten();
    let used = used.or_else(|| in_adjustments.then(|| coded(&adjustments)).flatten());
    let Some(used) = used else { return Ok(RuleVerdict::Holds) };
    let agreed = |path: &[&str]| {
        let agreements = in_transaction(case.at, &["ApplicableHeaderTradeAgreement"]);
        agreements.into_iter().flat_map(|own| below(own, path)).collect::<Vec<_>>()
    };
    let is_number = |id: &Element<'d>| {
        let scheme = id.attribute("schemeID").unwrap_or_default();
        let scheme = scheme.trim_matches(crate::rules::values::SPACE);
        ["VA", "FC"].contains(&scheme) && is_filled(*id)
    };
    let numbers = agreed(&["SellerTradeParty", "SpecifiedTaxRegistration", "ID"]);
    let holds =
        numbers.iter().any(is_number) || !agreed(&["SellerTaxRepresentativeTradeParty"]).is_empty();
    Ok(RuleVerdict::of(holds).found(used.string_value()))
}

fn de_18<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let terms = settled(case.at, &["SpecifiedTradePaymentTerms"]).into_iter();
    let notes = terms.filter_map(|own| ram(own, "Description").next());
    discounts(&notes.collect::<Vec<_>>())
}

/// The names of the files of a reference.
fn names<'d>(reference: Element<'d>) -> impl Iterator<Item = (Element<'d>, &'d str)> {
    let files = ram(reference, "AttachmentBinaryObject");
    files.filter_map(|file| Some((file, file.attribute("filename")?)))
}

/// No two references beside each other have a file of the same name.
fn de_22<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut known: HashSet<NodeId> = HashSet::new();
    for reference in case.named(RAM, "AdditionalReferencedDocument") {
        if names(reference).next().is_none() {
            continue;
        }
        let Some(up) = reference.parent() else { continue };
        if !known.insert(up.id()) {
            continue;
        }
        let verdict = unique(ram(up, "AdditionalReferencedDocument"), names)?;
        if verdict != RuleVerdict::Holds {
            return Ok(verdict);
        }
    }
    Ok(RuleVerdict::Holds)
}

fn de_5<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut names =
        ["PersonName", "DepartmentName"].into_iter().flat_map(|local| ram(case.at, local));
    Ok(RuleVerdict::of(names.any(is_filled)))
}

fn tmp_2<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(match one(ram(case.at, "URIID"))? {
        Some(address) => link(Some(address)),
        None => RuleVerdict::Holds,
    })
}

fn de_19<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    match &*normal_of(ram(case.at, "TypeCode"))? {
        "58" => account_of(case, "PayeePartyCreditorFinancialAccount"),
        _ => Ok(RuleVerdict::Holds),
    }
}

fn account_of<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    account(below(case.at, &[local, "IBANID"]).into_iter())
}

/// A day of delivery, a period, or a period in every line.
fn de_tmp_32<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |start, path: &[&str]| !below(start, path).is_empty();
    let delivery =
        ["ApplicableHeaderTradeDelivery", "ActualDeliverySupplyChainEvent", "OccurrenceDateTime"];
    let period = ["ApplicableHeaderTradeSettlement", "BillingSpecifiedPeriod"];
    let mut lines = ram(case.at, "IncludedSupplyChainTradeLineItem");
    let every = |line| has(line, &["SpecifiedLineTradeSettlement", "BillingSpecifiedPeriod"]);
    let holds = has(case.at, &delivery) || has(case.at, &period) || lines.all(every);
    Ok(RuleVerdict::of(holds))
}
