//! The extension of XRechnung (BR-DEX) and its profile for clean vehicles (BR-DE-CVD) in UBL.

use std::cell::RefCell;
use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::formats::wrong;
use super::kind::{
    self, ADDRESSES, ExtensionCodeList, SCHEMES, is_extension, is_for_vehicles, is_invoice,
};
use super::ubl::is_filled;
use crate::rules::values::{CAC, CBC, Read, cac, cbc, decimal_of, one};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};
use quoin_model::amount::{Decimal, decimals_as_written};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-DEX-01", |case| kind::media(case.at)).at(Fatal, |facts, add| {
        extended(facts, facts.named(CBC, "EmbeddedDocumentBinaryObject"), add);
    }),
    Rule::new("BR-DEX-02", dex_02).at(Warning, |facts, add| extended(facts, invoice(facts), add)),
    Rule::new("BR-DEX-03", dex_03).at(Fatal, |facts, add| extended(facts, invoice(facts), add)),
    Rule::new("BR-DEX-09", dex_09).at(Fatal, |facts, add| {
        extended(facts, facts.named(CAC, "LegalMonetaryTotal"), add);
    }),
    Rule::new("BR-DEX-04", dex_04).at(Fatal, |facts, add| {
        extended(facts, schemed(facts, "PartyIdentification", "ID"), add);
    }),
    Rule::new("BR-DEX-05", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        extended(facts, schemed(facts, "PartyLegalEntity", "CompanyID"), add);
    }),
    Rule::new("BR-DEX-06", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        extended(facts, schemed(facts, "StandardItemIdentification", "ID"), add);
    }),
    Rule::new("BR-DEX-07", |case| scheme(case, &ADDRESSES)).at(Fatal, |facts, add| {
        let addresses = facts.named(CBC, "EndpointID");
        extended(facts, addresses.filter(|own| own.attribute("schemeID").is_some()), add);
    }),
    Rule::new("BR-DEX-08", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        extended(facts, schemed(facts, "DeliveryLocation", "ID"), add);
    }),
    Rule::new("BR-DEX-10", |case| filled(case, "ID")).at(Fatal, third_parties),
    Rule::new("BR-DEX-11", |case| filled(case, "PaidAmount")).at(Fatal, third_parties),
    Rule::new("BR-DEX-12", |case| filled(case, "InstructionID")).at(Fatal, third_parties),
    Rule::new("BR-DEX-13", dex_13).at(Fatal, third_parties),
    Rule::new("BR-DEX-14", dex_14).at(Fatal, third_parties),
    Rule::new("BR-DE-CVD-01", |case| referred(case, "ContractDocumentReference"))
        .at(Fatal, vehicles),
    Rule::new("BR-DE-CVD-02", |case| referred(case, "OriginatorDocumentReference"))
        .at(Fatal, vehicles),
    Rule::new("BR-DE-CVD-03", cvd_03).at(Fatal, vehicles),
    Rule::new("BR-DE-CVD-06-a", cvd_06_a).at(Fatal, items),
    Rule::new("BR-DE-CVD-06-b", cvd_06_b).at(Fatal, items),
    Rule::new("BR-TMP-CVD-01", |case| kind::class_scheme(case.at)).at(Fatal, classes),
    Rule::new("BR-DE-CVD-04", |case| kind::vehicle_category(case.at)).at(Fatal, classes),
    Rule::new("BR-DE-CVD-05", |case| Ok(kind::vehicle_kind(one(cbc(case.at, "Value"))?)))
        .at(Fatal, |facts, add| items(facts, &mut |item| vehicle_kinds(item).for_each(&mut *add))),
];

/// Elements of a document with the extension.
fn extended<'d>(
    facts: &Facts<'d>,
    elements: impl Iterator<Item = Element<'d>>,
    add: ElementVisitor<'_, 'd>,
) {
    if is_extension(facts) {
        elements.for_each(add);
    }
}

fn invoice<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    Some(facts.root()).filter(|root| is_invoice(*root)).into_iter()
}

/// `cac:outer/cbc:inner[@schemeID]`.
fn schemed<'d>(
    facts: &Facts<'d>,
    outer: &'static str,
    inner: &'static str,
) -> impl Iterator<Item = Element<'d>> {
    let inner = facts.named(CAC, outer).flat_map(move |own| cbc(own, inner));
    inner.filter(|own| own.attribute("schemeID").is_some())
}

fn third_parties<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    extended(facts, invoice(facts).flat_map(|root| cac(root, "PrepaidPayment")), add);
}

fn scheme<'d>(case: &Case<'_, 'd>, codes: &ExtensionCodeList) -> Outcome<'d> {
    Ok(codes.test(case.at, "schemeID"))
}

/// A creditor identifier of SEPA is one of the seller or the payee.
fn dex_04<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = case.at.attribute("schemeID").unwrap_or_default();
    let is_sepa = text.trim_matches(crate::rules::values::SPACE) == "SEPA";
    let roles = ["AccountingSupplierParty", "PayeeParty"];
    let is_role = |own: &Element<'d>| roles.iter().any(|role| own.is(CAC, role));
    let mut above = std::iter::successors(case.at.parent(), |own| own.parent());
    if is_sepa && above.any(|own| is_role(&own)) {
        return Ok(RuleVerdict::Holds);
    }
    scheme(case, &SCHEMES)
}

fn amount<'d>(line: Element<'d>) -> Read<'d, Option<Decimal>> {
    decimal_of(cbc(line, "LineExtensionAmount"))
}

/// Whether a line amounts to what its lines below come to.
fn adds_up<'d>(line: Element<'d>) -> Read<'d, bool> {
    let Some(stated) = amount(line)? else { return Ok(false) };
    let mut sum = Decimal::ZERO;
    for below in cac(line, "SubInvoiceLine") {
        let next = sum.checked_add(amount(below)?.unwrap_or_default());
        sum = next.ok_or_else(|| Unreadable::value(below, below.string_value()))?;
    }
    Ok(stated == sum)
}

/// Lines amount to what their lines below come to.
fn dex_02<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_below = |line: &Element<'d>| cac(*line, "SubInvoiceLine").next().is_some();
    let top = cac(case.at, "InvoiceLine").filter(has_below);
    let below = case.named(CAC, "SubInvoiceLine").filter(has_below);
    let mut failure = None;
    for line in top.chain(below) {
        match adds_up(line) {
            Ok(true) => {}
            Ok(false) => return Ok(wrong(false, Some(line)).found("")),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(RuleVerdict::Holds), Err)
}

/// A line below another has one group of VAT information.
fn dex_03<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let items = case.named(CAC, "SubInvoiceLine").flat_map(|line| cac(line, "Item"));
    let mut wrong = items.filter(|item| cac(*item, "ClassifiedTaxCategory").count() != 1);
    Ok(match wrong.next() {
        Some(item) => RuleVerdict::broken().element(Some(item)),
        None => RuleVerdict::Holds,
    })
}

/// The payments by third parties, by the element that they are in.
#[derive(Default)]
struct ThirdParties(RefCell<HashMap<Option<NodeId>, Result<Decimal, NodeId>>>);

/// The payments by third parties; none where no amount is stated.
fn by_third_parties<'d>(total: Element<'d>) -> Read<'d, Decimal> {
    let payments = || total.parent().into_iter().flat_map(|up| cac(up, "PrepaidPayment"));
    let mut sum = Decimal::ZERO;
    if !payments().flat_map(|own| cbc(own, "PaidAmount")).any(is_filled) {
        return Ok(sum);
    }
    for own in payments() {
        let next = sum.checked_add(decimal_of(cbc(own, "PaidAmount"))?.unwrap_or_default());
        sum = next.ok_or_else(|| Unreadable::value(own, own.string_value()))?;
    }
    Ok(sum)
}

/// The amount due, where third parties have paid.
fn dex_09<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let value = |local| decimal_of(cbc(case.at, local));
    let due = cbc(case.at, "PayableAmount").next();
    let (Some(stated), Some(total)) = (value("PayableAmount")?, value("TaxInclusiveAmount")?)
    else {
        return Ok(wrong(false, due));
    };
    let rounding = value("PayableRoundingAmount")?.unwrap_or_default();
    let paid = value("PrepaidAmount")?.unwrap_or_default();
    let known = case.memo(|_| ThirdParties::default());
    let up = case.at.parent().map(Element::id);
    let others = *known
        .0
        .borrow_mut()
        .entry(up)
        .or_insert_with(|| by_third_parties(case.at).map_err(|wrong| wrong.id()));
    let others = others.map_err(|id| Unreadable::at(case, id))?;
    let left = stated.checked_sub(rounding);
    let right = total.checked_sub(paid).and_then(|rest| rest.checked_add(others));
    let both = left.zip(right).ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let (left, right) = (both.0.round_to_cents(), both.1.round_to_cents());
    let verdict = wrong(left == right, due);
    Ok(match right.checked_add(rounding) {
        Some(expected) => verdict.expected(format!("{expected:.2}")),
        None => verdict,
    })
}

fn filled<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    Ok(RuleVerdict::of(cbc(case.at, local).any(is_filled)))
}

fn dex_13<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amount = one(cbc(case.at, "PaidAmount"))?;
    let decimals = amount.map_or(0, |amount| decimals_as_written(&amount.string_value()));
    Ok(wrong(decimals <= 2, amount))
}

/// The currencies of a document.
struct ExtensionCurrencies(Vec<String>);

/// A payment by a third party is in the currency of the invoice.
fn dex_14<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let codes = case.memo(|facts| {
        let codes = cbc(facts.root(), "DocumentCurrencyCode");
        ExtensionCurrencies(codes.map(|code| code.string_value().into_owned()).collect())
    });
    let is_known = |code: &str| codes.0.iter().any(|own| own == code);
    let mut currencies = cbc(case.at, "PaidAmount").filter_map(|own| own.attribute("currencyID"));
    let holds = currencies.any(is_known);
    let found = cbc(case.at, "PaidAmount").find_map(|own| own.attribute("currencyID"));
    let verdict = RuleVerdict::of(holds).found(found.unwrap_or_default());
    Ok(match codes.0.first() {
        Some(code) => verdict.expected(code.clone()),
        None => verdict,
    })
}

fn vehicles<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    if is_for_vehicles(facts) && kind::is_ubl(facts.root()) {
        add(facts.root());
    }
}

/// The items of the lines that the kind of document has.
fn items<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    if !is_for_vehicles(facts) {
        return;
    }
    let local = if is_invoice(facts.root()) { "InvoiceLine" } else { "CreditNoteLine" };
    let lines = cac(facts.root(), local);
    lines.flat_map(|line| cac(line, "Item")).for_each(add);
}

fn item_classes<'d>(item: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let groups = cac(item, "CommodityClassification");
    groups.flat_map(|own| cbc(own, "ItemClassificationCode"))
}

fn classes<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    items(facts, &mut |item| item_classes(item).for_each(&mut *add));
}

/// Classifications as a clean vehicle.
fn clean<'d>(item: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    item_classes(item).filter(|own| own.attribute("listID") == Some("CVD"))
}

/// Attributes that say what kind of clean vehicle it is.
fn vehicle_kinds<'d>(item: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let is = |own: &Element<'d>| cbc(*own, "Name").any(|name| name.string_value() == "cva");
    cac(item, "AdditionalItemProperty").filter(is)
}

fn referred<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let mut ids = cac(case.at, local).flat_map(|own| cbc(own, "ID"));
    Ok(RuleVerdict::of(ids.any(is_filled)))
}

fn cvd_03<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let lines = ["InvoiceLine", "CreditNoteLine"].into_iter();
    let mut items = lines.flat_map(|local| cac(case.at, local)).flat_map(|line| cac(line, "Item"));
    let is_both = |item| clean(item).next().is_some() && vehicle_kinds(item).next().is_some();
    Ok(RuleVerdict::of(items.any(is_both)))
}

fn cvd_06_a<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let count = vehicle_kinds(case.at).count();
    let holds = clean(case.at).next().is_none() || count == 1;
    Ok(RuleVerdict::of(holds).found(count.to_string()))
}

fn cvd_06_b<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let count = clean(case.at).count();
    let holds = vehicle_kinds(case.at).next().is_none() || count == 1;
    Ok(RuleVerdict::of(holds).found(count.to_string()))
}
