//! The document: currencies, references, and what its categories have in the breakdown.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use quoin_xml::tree::Element;

use super::OmanTransaction::{Margin, MarginSelf, Simplified};
use super::{OF_LINES, OF_OTHERS, RATE, castable, has_code, header, is_any, number_at, unless};
use crate::rules::pint::document::day;
use crate::rules::pint::paths::{at, groups, has, here, leaves, some_text, text, within};
use crate::rules::values::{
    CAC, CBC, Read, SPACE, cac, cbc, decimal, decimal_sum, double, number, one, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag;
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BTOM-PRE-001", |case| Ok(RuleVerdict::of(is_billing(case.at))))
        .at(Flag::Fatal, |facts, visit| visit(facts.root())),
    Rule::new("ALIGNED-IBRP-003-OM", ibrp_003),
    Rule::new("ALIGNED-IBRP-E-01-OM", |case| Ok(in_breakdown(case, "E"))),
    Rule::new("ALIGNED-IBRP-O-01-OM", |case| Ok(in_breakdown(case, "O"))),
    Rule::new("ALIGNED-IBRP-Z-01-OM", |case| Ok(in_breakdown(case, "Z"))),
    Rule::new("ALIGNED-IBRP-S-01-OM", rates_in_breakdown),
    Rule::new("ALIGNED-IBRP-S-05-OM", standard_lines),
    Rule::new("IBR-002-OM", |case| Ok(at(case, "UUID", is_uuid(&text(case.at, "UUID")?)))),
    Rule::new("IBR-004-OM", ibr_004),
    Rule::new("IBR-005-OM", ibr_005),
    Rule::new("IBR-023-OM", |case| Ok(refers(case, &["DocumentStatusCode"]))),
    Rule::new("IBR-032-OM", |case| Ok(refers(case, &["ID", "IssueDate", "UUID"]))),
    Rule::new("IBR-034-OM", ibr_034),
    Rule::new("IBR-059-OM", ibr_059),
    Rule::new("IBR-065-OM", tax_in_rials),
    Rule::new("IBR-066-OM", ibr_066),
    Rule::new("IBR-082-OM", margin_total),
    Rule::new("IBR-136-OM", ibr_136),
    Rule::new("IBR-137-OM", not_negative),
    Rule::new("IBR-156-OM", import_day),
    Rule::new("IBR-171-OM", issued),
    Rule::new("IBR-171-A-OM", day),
    Rule::new("IBR-172-OM", ibr_172),
    Rule::new("IBR-DEC-03-OM", three_decimals).at(Flag::Fatal, amounts),
];

const RIAL: &str = "OMR";

fn is_billing(root: Element<'_>) -> bool {
    const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";
    let namespace = root.namespace().strip_prefix(UBL);
    matches!(root.local(), "Invoice" | "CreditNote")
        && matches!(namespace, Some("Invoice-2" | "CreditNote-2"))
}

fn ibrp_003<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let header = header(case);
    let code = header.tax_currency(case)?;
    Ok(at(case, "TaxCurrencyCode", code.is_empty() || code == RIAL).expected(RIAL))
}

/// A category that is used has one group in the breakdown; a simplified document may have none.
fn in_breakdown<'d>(case: &Case<'_, 'd>, code: &str) -> RuleVerdict<'d> {
    let root = case.root();
    let used = super::lines(root).any(|own| has_code(own, OF_LINES, code))
        || ["true", "false"]
            .into_iter()
            .any(|is| super::adjustments(root, is).any(|own| has_code(own, OF_OTHERS, code)));
    let subtotals = groups(root, "TaxTotal/TaxSubtotal").into_iter();
    let count = subtotals.filter(|own| has_code(*own, OF_OTHERS, code)).count();
    let least = usize::from(!is_any(case, &[Simplified]));
    RuleVerdict::of(!used || (least..=1).contains(&count))
}

/// The rates of what is standard rated: in the breakdown each has one group.
fn rates_in_breakdown<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let root = case.root();
    let mut rates: Vec<Element<'d>> = Vec::new();
    for line in super::lines(root).filter(|own| has_code(*own, OF_LINES, "S")) {
        rates.extend(leaves(line, "Item/ClassifiedTaxCategory/Percent"));
    }
    for is in ["false", "true"] {
        for own in super::adjustments(root, is).filter(|own| has_code(*own, OF_OTHERS, "S")) {
            rates.extend(leaves(own, "TaxCategory/Percent"));
        }
    }
    if rates.is_empty() {
        return Ok(RuleVerdict::Holds);
    }
    let mut groups_of: HashMap<Decimal, usize> = HashMap::new();
    for own in groups(case.at, "TaxTotal/TaxSubtotal") {
        if has_code(own, OF_OTHERS, "S")
            && let Some(rate) = super::super::paths::number(own, "TaxCategory/Percent")?
        {
            *groups_of.entry(rate).or_default() += 1;
        }
    }
    let mut seen = HashSet::new();
    for rate in rates.into_iter().filter(|rate| seen.insert(string(*rate))) {
        let count = if groups_of.is_empty() { None } else { groups_of.get(&decimal(rate)?) };
        if count != Some(&1) {
            return Ok(RuleVerdict::broken().found(string(rate)).element(Some(rate)));
        }
    }
    Ok(RuleVerdict::Holds)
}

/// The rate of standard rated lines.
fn standard_lines<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PATH: &str = "Item/ClassifiedTaxCategory/Percent";
    let is_wrong = |line: &Element<'d>| {
        has_code(*line, OF_LINES, "S") && number_at(*line, PATH) != Some(Decimal::new(RATE, 0))
    };
    let Some(line) = super::lines(case.root()).find(is_wrong) else {
        return Ok(RuleVerdict::Holds);
    };
    let rate = leaves(line, PATH).first().copied();
    let verdict = RuleVerdict::broken().element(rate.or(Some(line)));
    Ok(match rate {
        Some(rate) => verdict.found(string(rate)),
        None => verdict,
    })
}

/// A UUID of version 5.
pub(super) fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let begins = |at: usize, with: &[char]| parts.get(at).is_some_and(|own| own.starts_with(with));
    lengths == [8, 4, 4, 4, 12]
        && parts.iter().all(is_hex)
        && begins(2, &['5'])
        && begins(3, &['8', '9', 'a', 'b', 'A', 'B'])
}

/// Whether the document is in another currency than the rial.
fn is_foreign<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(header(case).currency(case)? != RIAL)
}

/// Whether its currency of tax is the rial.
fn is_taxed_in_rials<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(header(case).tax_currency(case)? == RIAL)
}

fn ibr_004<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_rate = header(case).rate.is_some();
    unless([&|| is_foreign(case)], || Ok(RuleVerdict::of(has_rate)))
}

/// The rate has at most seven decimals.
fn ibr_005<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = header(case).rate.is_some_and(|rate| rate.decimals() <= 7);
    unless([&|| is_taxed_in_rials(case), &|| is_foreign(case)], || {
        Ok(at(case, "TaxExchangeRate/CalculationRate", holds))
    })
}

/// Credit and debit notes refer to a document by some of its parts, in whichever references.
fn refers<'d>(case: &Case<'_, 'd>, parts: &[&str]) -> RuleVerdict<'d> {
    let is_asked = matches!(header(case).code.as_str(), "381" | "383" | "261");
    let has =
        |part: &&str| has(case.at, &format!("BillingReference/InvoiceDocumentReference/{part}"));
    RuleVerdict::of(!is_asked || parts.iter().all(has))
}

fn ibr_034<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    unless([&|| is_foreign(case)], || {
        Ok(RuleVerdict::of(!header(case).tax_currency(case)?.is_empty()))
    })
}

/// The rate is from the currency of the document to that of tax.
fn ibr_059<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let header = header(case);
    if header.rate.is_none_or(Decimal::is_zero) {
        return Ok(RuleVerdict::Holds);
    }
    let (from, to) = (header.currency(case)?, header.tax_currency(case)?);
    let holds = some_text(case.at, "TaxExchangeRate/SourceCurrencyCode", |code| code == from)
        && some_text(case.at, "TaxExchangeRate/TargetCurrencyCode", |code| code == to);
    Ok(RuleVerdict::of(holds))
}

/// Whether an amount of tax of an element is in a currency.
fn taxed_in(at: Element<'_>, currency: &str) -> bool {
    cbc(at, "TaxAmount").any(|tax| tax.attribute("currencyID") == Some(currency))
}

/// The first amount of the totals in a currency.
fn first_tax<'d>(root: Element<'d>, currency: &str) -> Option<Element<'d>> {
    let totals = cac(root, "TaxTotal").filter(|own| taxed_in(*own, currency));
    totals.flat_map(|own| cbc(own, "TaxAmount")).next()
}

/// The tax in rials is that of the document at the exchange rate, computed as a double.
fn tax_in_rials<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    unless([&|| is_foreign(case), &|| is_taxed_in_rials(case)], || tax_at_rate(case))
}

fn tax_at_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let header = header(case);
    let (own, tax) = (header.currency(case)?, header.tax_currency(case)?);
    let taxes = (first_tax(case.at, tax), first_tax(case.at, own));
    let (Some(rate), (Some(stated), Some(original))) = (header.rate, taxes) else {
        return Ok(RuleVerdict::broken());
    };
    let (amount, computed) = (decimal(stated)?, number::double(rate) * double(original)?);
    let order = |by: i64| {
        let bound = amount.checked_add(Decimal::new(by, 2));
        let order = bound.and_then(|bound| number::compare_exactly(computed, bound));
        order.ok_or_else(|| Unreadable::value(original, string(original)))
    };
    let holds = order(1)?.is_le() && order(-1)?.is_ge();
    let verdict = RuleVerdict::of(holds).found(string(stated)).element(Some(stated));
    Ok(verdict.expected(format!("{:.2}", number::round_to_cents(computed))))
}

/// Standard rated tax is broken down in rials too.
fn ibr_066<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_standard = |own: Element<'d>| cbc(own, "ID").any(|id| string(id) == "S");
    let is_taxed = || Ok(case.named(CAC, "TaxCategory").any(is_standard));
    unless([&|| is_foreign(case), &is_taxed], || Ok(RuleVerdict::of(is_taxed_too(case)?)))
}

fn is_taxed_too<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let header = header(case);
    let tax = header.tax_currency(case)?;
    let totals = cac(case.root(), "TaxTotal").filter(|own| taxed_in(*own, tax));
    let mut subtotals = totals.flat_map(|own| cac(own, "TaxSubtotal"));
    let fits = |own: Element<'d>| {
        taxed_in(own, tax) && has_code(own, OF_OTHERS, "S") && has(own, "TaxCategory/Percent")
    };
    Ok(subtotals.any(fits))
}

/// The total of margins is the sum of those of the lines.
fn margin_total<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_any(case, &[Margin, MarginSelf]) {
        return Ok(RuleVerdict::Holds);
    }
    let is_total = |own: &Element<'_>| some_text(*own, "DocumentTypeCode", |code| code == TOTAL);
    let references = cac(case.at, "AdditionalDocumentReference").filter(is_total);
    let stated: Vec<_> = references.flat_map(|own| cbc(own, "DocumentDescription")).collect();
    let shown = stated.first().copied();
    let Some(amount) = castable(&stated) else {
        // The official message computes with the one total that it tells.
        let own = one(stated.into_iter())?;
        return own
            .map_or(Ok(RuleVerdict::broken()), |own| Err(Unreadable::value(own, string(own))));
    };
    let lines = super::lines(case.root());
    let sum = decimal_sum(lines.flat_map(|line| leaves(line, "ItemPriceExtension/Amount")))?;
    let verdict = RuleVerdict::of(within(amount, sum, Decimal::new(1, 2))).element(shown);
    Ok(verdict.found(amount.to_string()).expected(sum.to_string()))
}

/// The code of the reference that has the total of margins.
const TOTAL: &str = "PM_TOTAL";

/// Some total is in the currency of tax, with all of its breakdown.
fn ibr_136<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let header = header(case);
    let tax = header.tax_currency(case)?;
    let is = |own: Element<'d>| own.attribute("currencyID") == Some(tax);
    let fits = |own: Element<'d>| {
        taxed_in(own, tax) && leaves(own, "TaxSubtotal/TaxAmount").into_iter().all(is)
    };
    Ok(RuleVerdict::of(tax.is_empty() || cac(case.at, "TaxTotal").any(fits)))
}

/// Amounts and quantities that must not be below nought.
const POSITIVE: &[&str] = &[
    "TaxExclusiveAmount",
    "TaxInclusiveAmount",
    "AllowanceTotalAmount",
    "ChargeTotalAmount",
    "PrepaidAmount",
    "PayableAmount",
    "Amount",
    "PriceAmount",
    "BaseAmount",
    "Quantity",
    "BaseQuantity",
    "InvoicedQuantity",
    "CreditedQuantity",
    "TaxAmount",
    "LineExtensionAmount",
];

fn not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_negative =
        |own: &Element<'d>| Decimal::parse(&string(*own)).is_ok_and(Decimal::is_negative);
    let all = POSITIVE.iter().flat_map(|local| case.named(CBC, local));
    let inside = case.at.id()..case.document().end_of(case.at.id());
    Ok(match all.filter(is_negative).find(|own| inside.contains(&own.id())) {
        Some(own) => RuleVerdict::broken().found(string(own)).element(Some(own)),
        None => RuleVerdict::Holds,
    })
}

fn import_day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PATH: &str = "Delivery/Shipment/Delivery/ActualDeliveryDate";
    // Of several days none is castable, whatever else the test asks.
    let days = leaves(case.at, PATH);
    let is_day = |text: &str| text.len() == 10 && number::date(text).is_some();
    let holds = match days.as_slice() {
        [] => true,
        [own] => is_day(&string(*own)),
        _ => false,
    };
    Ok(at(case, PATH, holds))
}

/// A date without its time zone.
fn local_day(text: &str) -> Option<i64> {
    let text = text.trim_matches(SPACE);
    number::date(text)?;
    let zone = text.len().checked_sub(6).filter(|at| text.get(*at + 3..=*at + 3) == Some(":"));
    let bare = zone.and_then(|at| text.get(..at)).unwrap_or(text);
    number::date(bare.trim_end_matches('Z'))
}

/// The hours of Muscat.
const HOURS: &str = "<+04>-4";

/// The document is not of a later day than it is in Oman.
fn issued<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let days: Vec<_> = cbc(case.at, "IssueDate").collect();
    let today = local_day(&case.today(HOURS).to_string());
    let holds = match days.as_slice() {
        [] => true,
        [own] => local_day(&string(*own)).is_some_and(|own| Some(own) <= today),
        _ => false,
    };
    Ok(at(case, "IssueDate", holds))
}

fn ibr_172<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PATH: &str = "TaxExchangeRate/CalculationRate";
    unless([&|| Ok(!is_foreign(case)?)], || Ok(at(case, PATH, !has(case.at, PATH))))
}

/// Amounts that have at most three decimals; those of totals have rules of their own.
fn amounts<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    for local in ["Amount", "BaseAmount", "PriceAmount"] {
        facts.named(CBC, local).for_each(&mut *visit);
    }
    let totals = POSITIVE.iter().filter(|local| local.ends_with("TotalAmount"));
    let others = [
        "LineExtensionAmount",
        "TaxExclusiveAmount",
        "TaxInclusiveAmount",
        "PrepaidAmount",
        "PayableRoundingAmount",
        "PayableAmount",
    ];
    for local in totals.copied().chain(others) {
        let is_inside = |own: &Element<'d>| above(*own, 1) != "LegalMonetaryTotal";
        facts.named(CBC, local).filter(is_inside).for_each(&mut *visit);
    }
    for local in ["TaxAmount", "TaxableAmount"] {
        let is_other = |own: &Element<'d>| match above(*own, 1) {
            "TaxTotal" => {
                local != "TaxAmount" || !matches!(above(*own, 2), "Invoice" | "CreditNote")
            }
            "TaxSubtotal" => above(*own, 2) == "TaxTotal",
            _ => false,
        };
        facts.named(CBC, local).filter(is_other).for_each(&mut *visit);
    }
    let is_total = |own: &Element<'d>| {
        let up = own.parent().filter(|up| up.local() == "AdditionalDocumentReference");
        up.is_some_and(|up| cbc(up, "DocumentTypeCode").any(|code| string(code) == TOTAL))
    };
    facts.named(CBC, "DocumentDescription").filter(is_total).for_each(&mut *visit);
}

/// The local name of an element some steps above.
fn above<'d>(own: Element<'d>, steps: usize) -> &'d str {
    let found = (0..steps).try_fold(own, |own, _| own.parent());
    found.map_or("", Element::local)
}

fn three_decimals<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = Decimal::parse(&string(case.at)).is_ok_and(|amount| amount.decimals() <= 3);
    Ok(here(case, holds))
}
