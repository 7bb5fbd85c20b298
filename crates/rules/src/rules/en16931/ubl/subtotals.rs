//! The VAT breakdown: taxable amounts are the sums of their lines (-08), VAT is the rate of them
//! (-09, BR-CO-17).

use std::cmp::Ordering;

use quoin_xml::tree::Element;

use super::layout::Ubl;
use super::parties::is_vat;
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::{SumGroup, TaxSums};
use crate::rules::values::{Read, all_of, any_of, cac, cbc, decimal_of, double, number, one};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-S-08", s_08),
    Rule::new("BR-AF-08", near),
    Rule::new("BR-AG-08", near),
    Rule::new("BR-IG-08", near),
    Rule::new("BR-IP-08", near),
    Rule::new("BR-AE-08", exact),
    Rule::new("BR-E-08", exact),
    Rule::new("BR-G-08", exact),
    Rule::new("BR-IC-08", exact),
    Rule::new("BR-O-08", exact),
    Rule::new("BR-Z-08", exact),
    Rule::new("BR-S-09", vat_is_the_rate),
    Rule::new("BR-AF-09", vat_is_the_rate),
    Rule::new("BR-AG-09", vat_is_the_rate),
    Rule::new("BR-IG-09", vat_is_the_rate),
    Rule::new("BR-IP-09", vat_is_the_rate),
    Rule::new("BR-AE-09", vat_is_nought),
    Rule::new("BR-E-09", vat_is_nought),
    Rule::new("BR-G-09", vat_is_nought),
    Rule::new("BR-IC-09", vat_is_nought),
    Rule::new("BR-O-09", vat_is_nought),
    Rule::new("BR-Z-09", vat_is_nought),
    Rule::new("BR-CO-17", co_17),
];

/// The subtotal of the category that is tested.
fn subtotal<'d>(case: &Case<'_, 'd>) -> Element<'d> {
    case.at.parent().unwrap_or(case.at)
}

fn category(case: &Case<'_, '_>) -> Category {
    Category::of_rule(case.id).unwrap_or(Category::Standard)
}

/// Broken: a child of the subtotal is something else.
fn wrong<'d>(subtotal: Element<'d>, local: &str, expected: Option<Decimal>) -> RuleVerdict<'d> {
    let verdict = match cbc(subtotal, local).next() {
        Some(element) => RuleVerdict::broken().found(element.text()).element(Some(element)),
        None => RuleVerdict::broken().element(Some(subtotal)),
    };
    match expected {
        Some(expected) => verdict.expected(format!("{expected:.2}")),
        None => verdict,
    }
}

/// Lines, charges and allowances of the category, at a rate where one is given.
fn sum<'d>(case: &Case<'_, 'd>, lines: SumGroup, rate: Option<Decimal>) -> Read<'d, Decimal> {
    let (sums, own) = (case.memo(TaxSums::<Ubl>::of), category(case));
    let lines = sums.sum(case, (lines, own, rate))?;
    let charges = sums.sum(case, (SumGroup::Charges, own, rate))?;
    let allowances = sums.sum(case, (SumGroup::Allowances, own, rate))?;
    let total = lines.checked_add(charges).and_then(|sum| sum.checked_sub(allowances));
    total.ok_or_else(|| Unreadable::at(case, case.at.id()))
}

/// Less than 1 apart: `xs:decimal(taxable - 1) < sum` and `xs:decimal(taxable + 1) > sum`, where
/// the differences are of doubles.
fn within_one<'d>(case: &Case<'_, 'd>, lines: SumGroup, rate: Option<Decimal>) -> Read<'d, bool> {
    let amount = one(cbc(subtotal(case), "TaxableAmount"))?;
    let Some(amount) = amount else { return Ok(false) };
    let taxable = double(amount)?;
    if !taxable.is_finite() {
        return Err(Unreadable::value(amount, amount.text()));
    }
    let sum = sum(case, lines, rate)?;
    let is = |x, order| number::compare_exactly(x, sum) == Some(order);
    Ok(is(taxable - 1.0, Ordering::Less) && is(taxable + 1.0, Ordering::Greater))
}

/// The taxable amount that is expected, for the message: of the lines that the document has.
fn taxable<'d>(case: &Case<'_, 'd>, rate: Option<Decimal>) -> RuleVerdict<'d> {
    let sums = case.memo(TaxSums::<Ubl>::of);
    let invoice = sums.any(SumGroup::AnyInvoiceLine);
    let lines = if invoice { SumGroup::InvoiceLines } else { SumGroup::CreditNoteLines };
    wrong(subtotal(case), "TaxableAmount", sum(case, lines, rate).ok())
}

/// Lines wherever they stand, and those that are added up.
const LINES: [(SumGroup, SumGroup); 2] = [
    (SumGroup::AnyInvoiceLine, SumGroup::InvoiceLines),
    (SumGroup::AnyCreditNoteLine, SumGroup::CreditNoteLines),
];

fn s_08<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(rate) = decimal_of(cbc(case.at, "Percent"))? else { return Ok(RuleVerdict::Holds) };
    let (sums, own) = (case.memo(TaxSums::<Ubl>::of), category(case));
    let has = |group| sums.has(case, (group, own, Some(rate)));
    let fits = |(anywhere, lines)| {
        let used = || any_of([&|| has(anywhere), &|| has(SumGroup::AnyAdjustment)]);
        all_of([&used, &|| within_one(case, lines, Some(rate))])
    };
    let holds = any_of([&|| fits(LINES[0]), &|| fits(LINES[1])])?;
    Ok(if holds { RuleVerdict::Holds } else { taxable(case, Some(rate)) })
}

fn near<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(rate) = decimal_of(cbc(case.at, "Percent"))? else { return Ok(RuleVerdict::Holds) };
    let sums = case.memo(TaxSums::<Ubl>::of);
    let fits = |(anywhere, lines)| Ok(sums.any(anywhere) && within_one(case, lines, Some(rate))?);
    let holds = any_of([&|| fits(LINES[0]), &|| fits(LINES[1])])?;
    Ok(if holds { RuleVerdict::Holds } else { taxable(case, Some(rate)) })
}

pub(in crate::rules) fn exact<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sums = case.memo(TaxSums::<Ubl>::of);
    let fits = |(anywhere, lines)| {
        if !sums.any(anywhere) {
            return Ok(false);
        }
        match decimal_of(cbc(subtotal(case), "TaxableAmount"))? {
            Some(stated) => Ok(stated == sum(case, lines, None)?),
            None => Ok(false),
        }
    };
    let holds = any_of([&|| fits(LINES[0]), &|| fits(LINES[1])])?;
    Ok(if holds { RuleVerdict::Holds } else { taxable(case, None) })
}

pub(in crate::rules) fn vat_is_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amount = decimal_of(cbc(subtotal(case), "TaxAmount"))?;
    Ok(match amount.is_some_and(|amount| amount.is_zero()) {
        true => RuleVerdict::Holds,
        false => wrong(subtotal(case), "TaxAmount", Some(Decimal::ZERO)),
    })
}

/// VAT by the rate: `round(abs(taxable) * (rate div 100) * 10 * 10) div 100`.
fn computed<'d>(case: &Case<'_, 'd>, taxable: Decimal, rate: Decimal) -> Read<'d, Decimal> {
    let share = rate.checked_div(Decimal::new(100, 0));
    let vat = share.and_then(|share| taxable.abs().checked_mul(share));
    vat.map(Decimal::round_to_cents).ok_or_else(|| Unreadable::at(case, case.at.id()))
}

/// Whether the VAT of a subtotal is less than 1 from the computed one.
fn is_near(stated: Decimal, computed: Decimal) -> bool {
    let one = Decimal::new(1, 0);
    let below = stated.abs().checked_sub(one).is_some_and(|least| least < computed);
    below && stated.abs().checked_add(one).is_some_and(|most| most > computed)
}

fn vat_is_the_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = subtotal(case);
    let Some(stated) = decimal_of(cbc(own, "TaxAmount"))? else { return Ok(RuleVerdict::broken()) };
    let taxable = decimal_of(cbc(own, "TaxableAmount"))?;
    let Some(taxable) = taxable else { return Ok(RuleVerdict::broken()) };
    let rate = decimal_of(cbc(case.at, "Percent"))?;
    let Some(rate) = rate else { return Ok(RuleVerdict::broken()) };
    let expected = computed(case, taxable, rate)?;
    Ok(match is_near(stated, expected) {
        true => RuleVerdict::Holds,
        false => wrong(own, "TaxAmount", Some(expected)),
    })
}

/// The rates of the categories of VAT of a subtotal, of which there may be one.
fn rate<'d>(subtotal: Element<'d>) -> Read<'d, Option<Decimal>> {
    let mut found = None;
    for category in cac(subtotal, "TaxCategory") {
        if !is_vat(category)? {
            continue;
        }
        if let Some(rate) = decimal_of(cbc(category, "Percent"))? {
            if found.is_some() {
                return Err(Unreadable::several(category));
            }
            found = Some(rate);
        }
    }
    Ok(found)
}

fn co_17<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = case.at;
    let stated = || decimal_of(cbc(own, "TaxAmount"));
    let nought = || Ok(stated()?.is_some_and(|own| own.round(0).is_zero()));
    let is_nought = |rate: Decimal| rate.round(0).is_zero();
    let close = || {
        let Some(stated) = stated()? else { return Ok(false) };
        let Some(taxable) = decimal_of(cbc(own, "TaxableAmount"))? else { return Ok(false) };
        let Some(rate) = rate(own)? else { return Ok(false) };
        Ok(is_near(stated, computed(case, taxable, rate)?))
    };
    let holds = any_of([
        &|| all_of([&|| Ok(rate(own)?.is_some_and(is_nought)), &nought]),
        &|| all_of([&|| Ok(rate(own)?.is_some_and(|rate| !is_nought(rate))), &close]),
        &|| all_of([&|| Ok(rate(own)?.is_none()), &nought]),
    ])?;
    if holds {
        return Ok(RuleVerdict::Holds);
    }
    let rate = rate(own).ok().flatten().filter(|rate| !is_nought(*rate));
    let taxable = decimal_of(cbc(own, "TaxableAmount")).ok().flatten();
    let expected = match (rate, taxable) {
        (Some(rate), Some(taxable)) => computed(case, taxable, rate).ok(),
        (Some(_), None) => None,
        (None, _) => Some(Decimal::ZERO),
    };
    Ok(wrong(own, "TaxAmount", expected))
}
