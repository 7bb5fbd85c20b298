//! Tax by category as the jurisdictions have it: taxable amounts are the sums of their lines, tax
//! is the rate of them.

use quoin_xml::tree::Element;

use super::paths::{
    at, cents, groups, has, leaves, number, of_tax, share, share_of, too_long, within,
};
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::{SumGroup, SumLayout, TaxSums, beside};
use crate::rules::en16931::ubl::Ubl;
use crate::rules::values::{
    Read, all_of, any_of, cac, cbc, decimal, decimal_of, double, double_sum, number as numbers,
    one, some_boolean,
};
use crate::rules::{Case, Outcome, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// Lines wherever they stand, and those that are added up.
const LINES: [(SumGroup, SumGroup); 2] = [
    (SumGroup::AnyInvoiceLine, SumGroup::InvoiceLines),
    (SumGroup::AnyCreditNoteLine, SumGroup::CreditNoteLines),
];

/// What a sum is of: lines alone, or lines with charges and allowances.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Lines,
    All,
}

/// The subtotal of the category that is tested.
pub(super) fn subtotal<'d>(case: &Case<'_, 'd>) -> Element<'d> {
    case.at.parent().unwrap_or(case.at)
}

fn sum<'d, L: SumLayout>(
    case: &Case<'_, 'd>,
    (of, lines): (Of, SumGroup),
    key: (Category, Option<Decimal>),
) -> Read<'d, Decimal> {
    let sums = case.memo(TaxSums::<L>::of);
    let of_group = |group| sums.sum(case, (group, key.0, key.1));
    let lines = of_group(lines)?;
    if of == Of::Lines {
        return Ok(lines);
    }
    let total = lines.checked_add(of_group(SumGroup::Charges)?);
    let allowances = of_group(SumGroup::Allowances)?;
    total.and_then(|sum| sum.checked_sub(allowances)).ok_or_else(|| too_long(case))
}

/// A stated amount of the subtotal, beside what it should be.
fn stated<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    holds: bool,
    sum: Option<Decimal>,
) -> RuleVerdict<'d> {
    let own = subtotal(case);
    beside(cbc(own, local).next().or(Some(own)), holds, sum)
}

/// The taxable amount of a rate is, but for a slack, the sum of what has the category and the rate.
pub(super) fn taxable_at_rate<'d, L: SumLayout>(
    case: &Case<'_, 'd>,
    (category, rate): (Category, Decimal),
    (of, slack): (Of, Decimal),
) -> Outcome<'d> {
    let sums = case.memo(TaxSums::<L>::of);
    let has = |group| sums.has(case, (group, category, Some(rate)));
    let amount = || decimal_of(cbc(subtotal(case), "TaxableAmount"));
    let fits = |(anywhere, lines)| {
        let on_lines = || has(anywhere);
        let used = || match of {
            Of::Lines => on_lines(),
            Of::All => any_of([&on_lines, &|| has(SumGroup::AnyAdjustment)]),
        };
        let near = || {
            let Some(amount) = amount()? else { return Err(missing(case, "TaxableAmount")) };
            Ok(within(amount, sum::<L>(case, (of, lines), (category, Some(rate)))?, slack))
        };
        all_of([&used, &near])
    };
    let holds = any_of([&|| fits(LINES[0]), &|| fits(LINES[1])])?;
    let lines = if sums.any(LINES[0].0) { LINES[0].1 } else { LINES[1].1 };
    let expected = sum::<L>(case, (of, lines), (category, Some(rate))).ok();
    Ok(stated(case, "TaxableAmount", holds, expected))
}

/// What a comparison with a slack cannot do without: a missing amount is an error there.
fn missing<'d>(case: &Case<'_, 'd>, local: &str) -> Unreadable<'d> {
    let element = cbc(case.at, local).next().or(Some(case.at));
    Unreadable { element, value: "".into() }
}

/// The category of a rule.
pub(super) fn category(case: &Case<'_, '_>) -> Category {
    Category::of_rule(case.id).unwrap_or(Category::Standard)
}

/// `-08` of categories with rates: nothing to say without a rate.
pub(super) fn taxable<'d>(case: &Case<'_, 'd>, slack: Decimal) -> Outcome<'d> {
    match decimal_of(cbc(case.at, "Percent"))? {
        Some(rate) => taxable_at_rate::<Ubl>(case, (category(case), rate), (Of::All, slack)),
        None => Ok(RuleVerdict::Holds),
    }
}

/// `round(abs(taxable) * (rate div 100) * 100) div 100`.
pub(super) fn computed<'d>(
    case: &Case<'_, 'd>,
    taxable: Decimal,
    rate: Decimal,
) -> Read<'d, Decimal> {
    share(taxable.abs(), rate).map(Decimal::round_to_cents).ok_or_else(|| too_long(case))
}

/// `-09` of categories with rates: the tax is the rate of the taxable amount, but for a slack.
pub(super) fn tax<'d>(case: &Case<'_, 'd>, rate: Option<Decimal>, slack: Decimal) -> Outcome<'d> {
    let own = |local| decimal_of(cbc(subtotal(case), local));
    let (Some(tax), Some(taxable), Some(rate)) = (own("TaxAmount")?, own("TaxableAmount")?, rate)
    else {
        return Err(missing(case, "TaxAmount"));
    };
    let expected = computed(case, taxable, rate)?;
    Ok(stated(case, "TaxAmount", within(tax.abs(), expected, slack), Some(expected)))
}

/// A rate above nought.
pub(super) fn rate_above_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = number(case.at, "Percent")?;
    Ok(at(case, "Percent", rate.is_some_and(|rate| rate > Decimal::ZERO)))
}

/// How near a stated tax must be to the computed one.
pub(super) type TaxTolerance = fn(Decimal, Decimal) -> bool;

/// The tax of a subtotal by the rate of its categories of a tax, and none where the rate is nought
/// or missing; both are looked at as whole numbers.
pub(super) fn tax_by_rate<'d>(
    case: &Case<'_, 'd>,
    scheme: &str,
    near: TaxTolerance,
) -> Outcome<'d> {
    let own = case.at;
    let tax = || decimal_of(cbc(own, "TaxAmount"));
    let rate = || rate(own, scheme);
    let is_nought = |number: Decimal| number.round(0).is_zero();
    let nought = || Ok(tax()?.is_some_and(is_nought));
    let close = || {
        let (Some(tax), Some(taxable)) = (tax()?, decimal_of(cbc(own, "TaxableAmount"))?) else {
            return Ok(false);
        };
        let Some(rate) = rate()? else { return Ok(false) };
        Ok(near(tax.abs(), computed(case, taxable, rate)?))
    };
    let holds = any_of([
        &|| all_of([&|| Ok(rate()?.is_some_and(is_nought)), &nought]),
        &|| all_of([&|| Ok(rate()?.is_some_and(|rate| !is_nought(rate))), &close]),
        &|| all_of([&|| Ok(rate()?.is_none()), &nought]),
    ])?;
    Ok(at(case, "TaxAmount", holds))
}

/// The rate of the categories of a tax, of which there may be one.
fn rate<'d>(subtotal: Element<'d>, scheme: &str) -> Read<'d, Option<Decimal>> {
    let mut found = None;
    for category in of_tax(groups(subtotal, "TaxCategory"), scheme)? {
        if let Some(rate) = decimal_of(cbc(category, "Percent"))? {
            if found.is_some() {
                return Err(Unreadable::several(category));
            }
            found = Some(rate);
        }
    }
    Ok(found)
}

/// An allowance or charge is the percentage of its base, within two hundredths.
pub(super) fn percentage<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has(case.at, "MultiplierFactorNumeric") || !has(case.at, "BaseAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let amount = number(case.at, "Amount")?.unwrap_or_default();
    let base = number(case.at, "BaseAmount")?.unwrap_or_default();
    let factor = number(case.at, "MultiplierFactorNumeric")?.unwrap_or_default();
    let part = share_of(base, factor).ok_or_else(|| too_long(case))?;
    let verdict = at(case, "Amount", within(amount, part, cents(2)));
    Ok(verdict.expected(part.round_to_cents().to_string()))
}

/// A net price is the gross price less the discount.
pub(super) fn net_price<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has(case.at, "BaseAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let up = case.at.parent();
    let prices = up.into_iter().flat_map(|up| cbc(up, "PriceAmount"));
    let (Some(net), Some(gross), Some(discount)) =
        (decimal_of(prices)?, number(case.at, "BaseAmount")?, number(case.at, "Amount")?)
    else {
        return Ok(RuleVerdict::broken());
    };
    let expected = gross.checked_sub(discount).ok_or_else(|| too_long(case))?;
    let shown = up.and_then(|up| cbc(up, "PriceAmount").next());
    Ok(beside(shown, net == expected, Some(expected)))
}

/// A line: quantity times price by its base, with charges and without allowances, as doubles.
pub(super) fn line_amount<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<f64>> {
    let read = |path: &str| one(leaves(case.at, path).into_iter())?.map(double).transpose();
    let quantities = cbc(case.at, "InvoicedQuantity").chain(cbc(case.at, "CreditedQuantity"));
    let (Some(quantity), Some(price)) =
        (one(quantities)?.map(double).transpose()?, read("Price/PriceAmount")?)
    else {
        return Ok(None);
    };
    let price = read("Price/BaseQuantity")?.map_or(price, |base| price / base);
    let charges = adjusted(case.at, true)?;
    Ok(Some(quantity * price + charges - adjusted(case.at, false)?))
}

/// The sum of the charges or allowances of an element, as doubles.
fn adjusted(at: Element<'_>, charge: bool) -> Read<'_, f64> {
    let mut amounts = Vec::new();
    for own in cac(at, "AllowanceCharge") {
        if some_boolean(cbc(own, "ChargeIndicator"), charge)? {
            amounts.extend(cbc(own, "Amount"));
        }
    }
    double_sum(amounts.into_iter())
}

/// The amount of a line is what it comes to, within two hundredths.
pub(super) fn line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let (Some(stated), Some(amount)) = (number(case.at, LOCAL)?, line_amount(case)?) else {
        return Err(missing(case, LOCAL));
    };
    let bound = |by| stated.checked_add(cents(by)).ok_or_else(|| too_long(case));
    let order = |by| -> Read<'d, _> {
        numbers::compare_exactly(amount, bound(by)?).ok_or_else(|| too_long(case))
    };
    let holds = order(2)?.is_le() && order(-2)?.is_ge();
    let verdict = at(case, LOCAL, holds);
    Ok(verdict.expected(format!("{:.2}", numbers::round_to_cents(amount))))
}

/// The first rate, or nought where there is none.
pub(super) fn first_rate(category: Element<'_>) -> Read<'_, Decimal> {
    cbc(category, "Percent").next().map_or(Ok(Decimal::ZERO), decimal)
}
