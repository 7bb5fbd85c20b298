//! Singapore: GST with many categories, totals in Singapore dollars, and rounding of both sides.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::aunz::one_total_in_tax_currency;
use super::paths::{
    at, cents, exactly, groups, has, here, is_tax, is_tax_alone, leaves, number, too_long, within,
};
use super::taxes;
use crate::rules::en16931::sums::beside;
use crate::rules::en16931::ubl::{subtotals, syntax, totals};
use crate::rules::values::{
    CAC, Read, any_of, cac, cbc, decimal_of, decimal_sum, double, double_sum, normalized,
    some_boolean, some_double, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R054-SG", one_total_in_tax_currency),
    Rule::new("PEPPOL-EN16931-R040-SG", taxes::percentage),
    Rule::new("PEPPOL-EN16931-R046-SG", taxes::net_price),
    Rule::new("PEPPOL-EN16931-R120-SG", line),
    Rule::new("BR-109-GST-SG", uuid),
    Rule::new("BR-CO-25-SG", payment_day),
    Rule::new("BR-CO-13-GST-SG", co_13),
    Rule::new("BR-CO-16-GST-SG", co_16),
    Rule::new("BR-CO-10-SG", |case| rounded(case, "LineExtensionAmount", totals::co_10)),
    Rule::new("BR-CO-11-SG", |case| adjustments(case, "AllowanceTotalAmount", false)),
    Rule::new("BR-CO-12-SG", |case| adjustments(case, "ChargeTotalAmount", true)),
    Rule::new("BR-53-GST-SG", br_53),
    Rule::new("BR-CO-15-GST-SG", co_15),
    Rule::new("BR-NG-02-GST-SG", |case| unregistered(case, Mentioned::Lines)),
    Rule::new("BR-NG-03-GST-SG", |case| unregistered(case, Mentioned::Allowances)),
    Rule::new("BR-NG-04-GST-SG", |case| unregistered(case, Mentioned::Charges)),
    Rule::new("BR-NG-08-GST-SG", ng_08),
    Rule::new("BR-NG-09-GST-SG", ng_09),
    Rule::new("BR-CO-14-GST-SG", |case| rounded(case, "TaxAmount", totals::co_14)),
    Rule::new("BR-48-GST-SG", br_48),
    Rule::new("BR-CO-17-GST-SG", |case| taxes::tax_by_rate(case, "GST", nearer_than_two)),
    Rule::new("BR-CL-08-SG", syntax::cl_08),
    Rule::new("BR-105-GST-SG", br_105),
    Rule::new("UBL-SR-43-GST-SG", |case| known_reference(case, false)),
    Rule::new("BR-102-GST-SG", |case| known_reference(case, true)),
    Rule::new("BR-100-GST-SG", |case| local_total(case, "sgdtotal-incl-gst")),
    Rule::new("BR-101-GST-SG", |case| local_total(case, "sgdtotal-excl-gst")),
];

fn nearer_than_two(stated: Decimal, computed: Decimal) -> bool {
    stated.checked_sub(computed).is_some_and(|apart| apart.abs() < Decimal::new(2, 0))
}

/// A line, with what is missing read as 0 or 1; charges and allowances are added up as doubles.
fn line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let is_invoice = case.root().local() == "Invoice";
    let quantity = if is_invoice { "InvoicedQuantity" } else { "CreditedQuantity" };
    let one = Decimal::new(1, 0);
    let stated = number(case.at, LOCAL)?.unwrap_or_default();
    let quantity = number(case.at, quantity)?.unwrap_or(one);
    let price = number(case.at, "Price/PriceAmount")?.unwrap_or_default();
    let base = number(case.at, "Price/BaseQuantity")?.filter(|base| !base.is_zero());
    let each = price.checked_div(base.unwrap_or(one)).ok_or_else(|| too_long(case))?;
    let (charges, allowances) = (adjusted(case, "true")?, adjusted(case, "false")?);
    let amount = quantity.checked_mul(each).and_then(|sum| sum.checked_add(charges));
    let amount =
        amount.and_then(|sum| sum.checked_sub(allowances)).ok_or_else(|| too_long(case))?;
    let shown = cbc(case.at, LOCAL).next();
    Ok(beside(shown, within(stated, amount, cents(2)), Some(amount.round_to_cents())))
}

/// The sum of the charges or allowances of a line: `xs:decimal(sum(…))`.
fn adjusted<'d>(case: &Case<'_, 'd>, indicator: &str) -> Read<'d, Decimal> {
    let mut amounts = Vec::new();
    for own in cac(case.at, "AllowanceCharge") {
        let said = super::paths::text(own, "ChargeIndicator")?;
        if said == indicator {
            amounts.extend(cbc(own, "Amount"));
        }
    }
    exactly(double_sum(amounts.into_iter())?).ok_or_else(|| too_long(case))
}

/// Five groups of hexadecimal digits.
fn uuid<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = normalized(case.at);
    let parts: Vec<&str> = text.split('-').collect();
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let holds = lengths == [8, 4, 4, 4, 12] && parts.iter().all(is_hex);
    Ok(here(case, holds))
}

fn payment_day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = double(case.at)?;
    Ok(here(case, (due > 0.0 && totals::has_terms(case)) || due <= 0.0))
}

/// Without tax: lines, charges and allowances; both sides rounded where something is added.
fn co_13<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxExclusiveAmount";
    let (Some(stated), Some(lines)) =
        (number(case.at, LOCAL)?, number(case.at, "LineExtensionAmount")?)
    else {
        return Ok(at(case, LOCAL, false));
    };
    let charges = number(case.at, "ChargeTotalAmount")?;
    let allowances = number(case.at, "AllowanceTotalAmount")?;
    let sum = lines.checked_add(charges.unwrap_or_default());
    let sum = sum.and_then(|sum| sum.checked_sub(allowances.unwrap_or_default()));
    let sum = sum.ok_or_else(|| too_long(case))?;
    let is_added = charges.is_some() || allowances.is_some();
    let holds = match is_added {
        true => stated.round_to_cents() == sum.round_to_cents(),
        false => stated == sum,
    };
    Ok(beside(cbc(case.at, LOCAL).next(), holds, Some(sum.round_to_cents())))
}

/// What is to be paid: with tax, less what is paid, and rounded.
fn co_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "PayableAmount";
    let (Some(due), Some(with_tax)) =
        (number(case.at, LOCAL)?, number(case.at, "TaxInclusiveAmount")?)
    else {
        return Ok(at(case, LOCAL, false));
    };
    let paid = number(case.at, "PrepaidAmount")?;
    let rounding = number(case.at, "PayableRoundingAmount")?;
    let left = due.checked_sub(rounding.unwrap_or_default()).ok_or_else(|| too_long(case))?;
    let right = with_tax.checked_sub(paid.unwrap_or_default()).ok_or_else(|| too_long(case))?;
    let holds = match paid.is_some() || rounding.is_some() {
        true => left.round_to_cents() == right.round_to_cents(),
        false => left == right,
    };
    let expected = right.checked_add(rounding.unwrap_or_default());
    Ok(beside(cbc(case.at, LOCAL).next(), holds, expected))
}

/// A test of EN 16931 that holds too where the stated amount does when it is rounded.
fn rounded<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    test: fn(&Case<'_, 'd>) -> Outcome<'d>,
) -> Outcome<'d> {
    let verdict = test(case)?;
    let RuleVerdict::Broken(detail) = &verdict else { return Ok(verdict) };
    let stated = number(case.at, local)?.map(Decimal::round_to_cents);
    let expected = detail.expected.as_deref().and_then(|text| Decimal::parse(text).ok());
    let holds = stated.is_some() && stated == expected;
    Ok(if holds { RuleVerdict::Holds } else { verdict })
}

fn adjustments<'d>(case: &Case<'_, 'd>, local: &'static str, charge: bool) -> Outcome<'d> {
    let beside = case.at.parent().map(|up| groups(up, "AllowanceCharge")).unwrap_or_default();
    let (mut amounts, mut any) = (Vec::new(), false);
    for own in beside {
        if some_boolean(cbc(own, "ChargeIndicator"), charge)? {
            any = true;
            if let Some(amount) = decimal_of(cbc(own, "Amount"))? {
                amounts.push(amount);
            }
        }
    }
    let sum = Decimal::sum(amounts).ok_or_else(|| too_long(case))?.round_to_cents();
    let stated = number(case.at, local)?;
    let holds = stated.map_or(!any, |stated| stated.round_to_cents() == sum);
    Ok(at(case, local, holds).expected(format!("{sum:.2}")))
}

/// Tax in another currency has its total, and both totals in Singapore dollars.
fn br_53<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let verdict = totals::br_53(case)?;
    let has_total = |code: &str| {
        let references = cac(case.at, "AdditionalDocumentReference");
        references
            .into_iter()
            .any(|own| cbc(own, "DocumentTypeCode").any(|own| string(own) == code))
    };
    if verdict != RuleVerdict::Holds || !has(case.at, "TaxCurrencyCode") {
        return Ok(verdict);
    }
    let holds = has_total("sgdtotal-incl-gst") && has_total("sgdtotal-excl-gst");
    Ok(at(case, "TaxCurrencyCode", holds))
}

/// One amount of tax in the currency of the document, wherever its total stands, and the total
/// with tax that follows from it.
fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    for currency in cbc(case.at, "DocumentCurrencyCode") {
        let currency = string(currency);
        let in_currency = |total: Element<'d>| {
            let own = currency.clone();
            decimal_of(
                cbc(total, "TaxAmount")
                    .filter(move |tax| tax.attribute("currencyID") == Some(own.as_ref())),
            )
        };
        let mut anywhere = 0;
        for total in case.named(CAC, "TaxTotal") {
            anywhere += usize::from(in_currency(total)?.is_some());
        }
        if anywhere != 1 {
            return Ok(RuleVerdict::broken());
        }
        let mut taxes = Vec::new();
        for total in cac(case.at, "TaxTotal") {
            taxes.extend(in_currency(total)?);
        }
        let verdict = with_tax(case, taxes.first().copied())?;
        if verdict != RuleVerdict::Holds {
            return Ok(verdict);
        }
    }
    Ok(RuleVerdict::Holds)
}

fn with_tax<'d>(case: &Case<'_, 'd>, tax: Option<Decimal>) -> Outcome<'d> {
    let each = |local: &'static str| {
        let read = cac(case.at, "LegalMonetaryTotal").map(move |own| decimal_of(cbc(own, local)));
        read.filter_map(Read::transpose).collect::<Read<'d, Vec<Decimal>>>()
    };
    let (stated, without) = (each("TaxInclusiveAmount")?, each("TaxExclusiveAmount")?);
    if without.len() > 1 {
        return Err(Unreadable::several(case.at));
    }
    let shown = leaves(case.at, "LegalMonetaryTotal/TaxInclusiveAmount").first().copied();
    let (Some(&without), Some(tax)) = (without.first(), tax) else {
        return Ok(beside(shown, false, None));
    };
    let sum = without.checked_add(tax).ok_or_else(|| too_long(case))?.round_to_cents();
    Ok(beside(shown, stated.contains(&sum), Some(sum)))
}

/// Where category NG is mentioned.
#[derive(Clone, Copy)]
enum Mentioned {
    Lines,
    Allowances,
    Charges,
}

/// A party that is registered for GST, or what cannot be read about it, once a document.
struct GstRegistration(Result<bool, quoin_xml::tree::NodeId>);

/// Some party of some roles, `AccountingSupplierParty` and the like, has an identifier for GST.
fn has_gst<'d>(facts: &Facts<'d>, parties: &[&str]) -> Read<'d, bool> {
    for role in parties {
        for role in facts.named(CAC, role) {
            let inner = groups(role, "Party");
            let parties = if role.local() == "TaxRepresentativeParty" { vec![role] } else { inner };
            for scheme in parties.into_iter().flat_map(|party| groups(party, "PartyTaxScheme")) {
                if is_tax_alone(scheme, "GST")? && has(scheme, "CompanyID") {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// A seller that is not registered (category NG) has no identifier, and nobody else has one.
fn unregistered<'d>(case: &Case<'_, 'd>, place: Mentioned) -> Outcome<'d> {
    if !mentions_unregistered(case, place)? {
        return Ok(RuleVerdict::Holds);
    }
    let known = case.memo(|facts| {
        let roles =
            ["AccountingSupplierParty", "TaxRepresentativeParty", "AccountingCustomerParty"];
        GstRegistration(has_gst(facts, &roles).map_err(|wrong| wrong.id()))
    });
    Ok(RuleVerdict::of(!known.0.map_err(|id| Unreadable::at(case, id))?))
}

/// Whether NG is on lines, once a document.
struct OnLines(Result<bool, quoin_xml::tree::NodeId>);

fn is_unregistered(category: Element<'_>) -> Read<'_, bool> {
    Ok(super::paths::text(category, "ID")? == "NG" && is_tax(category, "GST")?)
}

fn mentions_unregistered<'d>(case: &Case<'_, 'd>, place: Mentioned) -> Read<'d, bool> {
    let wanted = match place {
        Mentioned::Lines => {
            let known = case.memo(|facts| {
                let all = facts.named(CAC, "ClassifiedTaxCategory").map(is_unregistered);
                OnLines(crate::rules::values::some(all).map_err(|wrong| wrong.id()))
            });
            return known.0.map_err(|id| Unreadable::at(case, id));
        }
        Mentioned::Allowances => false,
        Mentioned::Charges => true,
    };
    for own in cac(case.root(), "AllowanceCharge") {
        if some_boolean(cbc(own, "ChargeIndicator"), wanted)? {
            for category in cac(own, "TaxCategory") {
                if is_unregistered(category)? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The taxable amount of NG; of a total inside a line only its own charges and allowances count.
fn ng_08<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let total = taxes::subtotal(case).parent();
    let Some(above) = total.and_then(Element::parent).filter(|up| up.id() != case.root().id())
    else {
        return subtotals::exact(case);
    };
    let sum = |charge| {
        let mut amounts = Vec::new();
        for own in cac(above, "AllowanceCharge") {
            if some_boolean(cbc(own, "ChargeIndicator"), charge)? {
                for category in cac(own, "TaxCategory") {
                    if super::paths::text(category, "ID")? == "NG" {
                        amounts.extend(cbc(own, "Amount"));
                        break;
                    }
                }
            }
        }
        decimal_sum(amounts.into_iter())
    };
    let expected = sum(true)?.checked_sub(sum(false)?);
    let subtotal = taxes::subtotal(case);
    let stated = decimal_of(cbc(subtotal, "TaxableAmount"))?;
    let holds = stated.is_some() && stated == expected;
    Ok(beside(cbc(subtotal, "TaxableAmount").next(), holds, expected))
}

fn ng_09<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amounts = || cbc(taxes::subtotal(case), "TaxAmount");
    let holds = some_double(amounts(), |tax| tax == 0.0)?;
    Ok(beside(amounts().next(), holds, Some(Decimal::ZERO)))
}

/// The second condition of the official test is always true; only what cannot be read is told.
fn br_48<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_gst = |category: &Element<'d>| {
        cac(*category, "TaxScheme").any(|scheme| cbc(scheme, "ID").any(|id| string(id) == "GST"))
    };
    let categories: Vec<_> = cac(case.at, "TaxCategory").filter(is_gst).collect();
    if categories.iter().any(|own| has(*own, "Percent")) {
        return Ok(RuleVerdict::Holds);
    }
    let codes = categories.into_iter().flat_map(|own| cbc(own, "ID"));
    crate::rules::values::one(codes).map(|_| RuleVerdict::Holds)
}

fn br_105<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let seller = || has_gst(case, &["AccountingSupplierParty"]);
    let representative = || has_gst(case, &["TaxRepresentativeParty"]);
    Ok(RuleVerdict::of(any_of([&seller, &representative])?))
}

/// The codes that a reference to a document may have, and that it comes without an attachment.
fn known_reference<'d>(case: &Case<'_, 'd>, without_attachment: bool) -> Outcome<'d> {
    let codes: Vec<Cow<'d, str>> = cbc(case.at, "DocumentTypeCode").map(string).collect();
    let has = |wanted: &str| codes.iter().any(|code| code == wanted);
    let is_credit_note = case.root().local() == "CreditNote";
    let is_total = has("sgdtotal-incl-gst") || has("sgdtotal-excl-gst");
    let is_known = has("130") || is_total || (is_credit_note && has("50"));
    let attached = without_attachment && cac(case.at, "Attachment").next().is_some();
    Ok(at(case, "DocumentTypeCode", is_known && !attached))
}

/// A total in Singapore dollars is a number of two decimals.
fn local_total<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    const LOCAL: &str = "DocumentDescription";
    let codes: Vec<Cow<'d, str>> = cbc(case.at, "DocumentTypeCode").map(string).collect();
    if codes.iter().any(|own| own != code) {
        return Ok(RuleVerdict::Holds);
    }
    let texts: Vec<Cow<'d, str>> = cbc(case.at, LOCAL).map(string).collect();
    let [text] = texts.as_slice() else { return Ok(at(case, LOCAL, false)) };
    let decimals = text.split_once('.').map_or(0, |(_, after)| after.chars().count());
    Ok(at(case, LOCAL, Decimal::parse(text).is_ok() && decimals <= 2))
}
