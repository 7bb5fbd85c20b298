//! The VAT breakdown of CII: categories in it (-01), taxable amounts (-08), VAT (-09, BR-CO-17).

#![expect(clippy::indexing_slicing, reason = "an array has a place for each category")]

use quoin_xml::tree::Element;

use super::layout::Cii;
use super::lines::is_vat;
use super::totals::as_double;
use crate::rules::en16931::category::{COUNT, Category};
use crate::rules::en16931::sums::{SumGroup, SumLayout, TaxSums};
use crate::rules::values::number::{round, round_to_cents};
use crate::rules::values::{
    RAM, Read, all_of, any_of, decimal, decimal_of, double, one, ram, some_double, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-S-01", mentioned),
    Rule::new("BR-AF-01", mentioned),
    Rule::new("BR-AG-01", mentioned),
    Rule::new("BR-S-08", by_rate::<Cii>),
    Rule::new("BR-AF-08", by_rate::<Cii>),
    Rule::new("BR-AG-08", by_rate::<Cii>),
    Rule::new("BR-AE-08", near::<Cii>),
    Rule::new("BR-E-08", near::<Cii>),
    Rule::new("BR-G-08", near::<Cii>),
    Rule::new("BR-IC-08", near::<Cii>),
    Rule::new("BR-Z-08", near_by_cast::<Cii>),
    Rule::new("BR-O-08", o_08::<Cii>),
    Rule::new("BR-S-09", s_09),
    Rule::new("BR-AE-09", |case| vat_is_nought(parent(case))),
    Rule::new("BR-E-09", |case| vat_is_nought(parent(case))),
    Rule::new("BR-G-09", |case| vat_is_nought(parent(case))),
    Rule::new("BR-IC-09", |case| vat_is_nought(parent(case))),
    Rule::new("BR-Z-09", |case| vat_is_nought(parent(case))),
    Rule::new("BR-O-09", |case| vat_is_nought(case.at)),
    Rule::new("BR-CO-17", co_17),
];

/// The group of the category code that is tested.
pub(super) fn parent<'d>(case: &Case<'_, 'd>) -> Element<'d> {
    case.at.parent().unwrap_or(case.at)
}

pub(super) fn category(case: &Case<'_, '_>) -> Category {
    Category::of_rule(case.id).unwrap_or(Category::Standard)
}

pub(super) fn wrong<'d>(
    tax: Element<'d>,
    local: &str,
    expected: Option<Decimal>,
) -> RuleVerdict<'d> {
    let verdict = match ram(tax, local).next() {
        Some(element) => RuleVerdict::broken().found(element.text()).element(Some(element)),
        None => RuleVerdict::broken().element(Some(tax)),
    };
    match expected {
        Some(expected) => verdict.expected(format!("{expected:.2}")),
        None => verdict,
    }
}

/// How often each category stands in lines, in allowances and charges, and in the breakdown.
#[derive(Default)]
struct CategoryCounts([[usize; 3]; COUNT]);

impl CategoryCounts {
    fn of(facts: &Facts<'_>) -> CategoryCounts {
        let mut counts = CategoryCounts::default();
        for tax in facts.named(RAM, "ApplicableTradeTax") {
            match tax.parent().filter(|up| up.namespace() == RAM).map(Element::local) {
                Some("SpecifiedLineTradeSettlement") => counts.add(tax, 0),
                Some("ApplicableHeaderTradeSettlement") => counts.add(tax, 2),
                _ => {}
            }
        }
        facts.named(RAM, "CategoryTradeTax").for_each(|tax| counts.add(tax, 1));
        counts
    }

    fn add(&mut self, tax: Element<'_>, place: usize) {
        let codes = ram(tax, "CategoryCode").filter_map(|own| Category::of_code(&string(own)));
        let mut seen = [false; COUNT];
        for code in codes {
            let is_new = !std::mem::replace(&mut seen[code as usize], true);
            self.0[code as usize][place] += usize::from(is_new);
        }
    }
}

fn mentioned<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let counts = case.memo(CategoryCounts::of);
    let [lines, adjustments, breakdown] = counts.0[category(case) as usize];
    let fits = |mentions: usize| mentions + breakdown >= 2 || mentions == 0;
    Ok(RuleVerdict::of(fits(lines) && fits(adjustments)))
}

/// Each sum rounded: lines, and charges, less allowances.
fn sum<'d, L: SumLayout>(
    case: &Case<'_, 'd>,
    [charges, allowances]: [SumGroup; 2],
    rate: Option<Decimal>,
) -> Read<'d, Decimal> {
    let (sums, own) = (case.memo(TaxSums::<L>::of), category(case));
    let part = |group| Ok(sums.sum(case, (group, own, rate))?.round_to_cents());
    let (lines, charges, allowances) =
        (part(SumGroup::InvoiceLines)?, part(charges)?, part(allowances)?);
    let total = lines.checked_add(charges).and_then(|sum| sum.checked_sub(allowances));
    total.ok_or_else(|| Unreadable::at(case, case.at.id()))
}

/// Indicators that are compared.
pub(in crate::rules) const COMPARED: [SumGroup; 2] = [SumGroup::Charges, SumGroup::Allowances];
/// Indicators that are cast.
pub(in crate::rules) const CAST: [SumGroup; 2] =
    [SumGroup::ChargesByCast, SumGroup::AllowancesByCast];

/// `every $rate in … satisfies ram:BasisAmount = …`.
pub(in crate::rules) fn by_rate<'d, L: SumLayout>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let tax = parent(case);
    for rate in ram(tax, "RateApplicablePercent") {
        let rate = decimal(rate)?;
        if ram(tax, "BasisAmount").next().is_none() {
            return Ok(RuleVerdict::broken());
        }
        let sum = sum::<L>(case, COMPARED, Some(rate))?;
        let expected = as_double(sum);
        if !some_double(ram(tax, "BasisAmount"), |stated| stated == expected)? {
            return Ok(wrong(tax, "BasisAmount", Some(sum)));
        }
    }
    Ok(RuleVerdict::Holds)
}

pub(super) fn near<'d, L: SumLayout>(case: &Case<'_, 'd>) -> Outcome<'d> {
    within_one::<L>(case, COMPARED, |least, sum| least < sum)
}

pub(super) fn near_by_cast<'d, L: SumLayout>(case: &Case<'_, 'd>) -> Outcome<'d> {
    within_one::<L>(case, CAST, |least, sum| least < sum)
}

/// The taxable amount is less than 1 below the sum, and no more above than `is_above` has it.
pub(in crate::rules) fn within_one<'d, L: SumLayout>(
    case: &Case<'_, 'd>,
    groups: [SumGroup; 2],
    is_above: fn(f64, f64) -> bool,
) -> Outcome<'d> {
    let tax = parent(case);
    let Some(stated) = one(ram(tax, "BasisAmount"))? else {
        return Ok(wrong(tax, "BasisAmount", None));
    };
    let stated = double(stated)?;
    let sum = sum::<L>(case, groups, None)?;
    let expected = as_double(sum);
    let holds = is_above(stated - 1.0, expected) && stated + 1.0 > expected;
    Ok(if holds { RuleVerdict::Holds } else { wrong(tax, "BasisAmount", Some(sum)) })
}

pub(super) fn o_08<'d, L: SumLayout>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if ram(case.at, "BasisAmount").next().is_none() {
        return Ok(RuleVerdict::broken());
    }
    let sum = sum::<L>(case, CAST, None)?;
    let expected = as_double(sum);
    let holds = some_double(ram(case.at, "BasisAmount"), |stated| stated == expected)?;
    Ok(if holds { RuleVerdict::Holds } else { wrong(case.at, "BasisAmount", Some(sum)) })
}

fn vat_is_nought<'d>(tax: Element<'d>) -> Outcome<'d> {
    let holds = some_double(ram(tax, "CalculatedAmount"), |amount| amount == 0.0)?;
    let nought = Some(Decimal::ZERO);
    Ok(if holds { RuleVerdict::Holds } else { wrong(tax, "CalculatedAmount", nought) })
}

/// Computed in doubles, because the rate has no type: `round(abs(basis) * rate) div 100`.
fn s_09<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "CalculatedAmount";
    let tax = parent(case);
    let one_less = Decimal::new(1, 0);
    let Some(stated) = decimal_of(ram(tax, LOCAL))? else { return Ok(wrong(tax, LOCAL, None)) };
    let Some(basis) = decimal_of(ram(tax, "BasisAmount"))? else {
        return Ok(wrong(tax, "BasisAmount", None));
    };
    let Some(rate) = one(ram(tax, "RateApplicablePercent"))? else {
        return Ok(wrong(tax, LOCAL, None));
    };
    let expected = round(as_double(basis.abs()) * double(rate)?) / 100.0;
    let least = stated.abs().checked_sub(one_less).map(as_double);
    let most = stated.abs().checked_add(one_less).map(as_double);
    let holds =
        least.is_some_and(|least| least < expected) && most.is_some_and(|most| most > expected);
    let cents = crate::rules::values::number::exact_cents(round_to_cents(expected));
    Ok(if holds { RuleVerdict::Holds } else { wrong(tax, LOCAL, cents) })
}

fn co_17<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "CalculatedAmount";
    let tax = case.at;
    let rate = || match is_vat(tax)? {
        true => decimal_of(ram(tax, "RateApplicablePercent")),
        false => Ok(None),
    };
    let stated = || decimal_of(ram(tax, LOCAL));
    let basis = || decimal_of(ram(tax, "BasisAmount"));
    let computed = |basis: Decimal, rate: Decimal| {
        let share = rate.checked_div(Decimal::new(100, 0));
        let vat = share.and_then(|share| basis.abs().checked_mul(share));
        vat.map(Decimal::round_to_cents).ok_or_else(|| Unreadable::at(case, tax.id()))
    };
    let nought = || Ok(stated()?.is_some_and(|own| own.round(0).is_zero()));
    let is_nought = |rate: Decimal| rate.round(0).is_zero();
    let close = || {
        let Some(stated) = stated()? else { return Ok(false) };
        let (Some(basis), Some(rate)) = (basis()?, rate()?) else { return Ok(false) };
        let apart = stated.abs().checked_sub(computed(basis, rate)?).map(Decimal::abs);
        Ok(apart.is_some_and(|apart| apart <= Decimal::new(1, 0)))
    };
    let holds = any_of([
        &|| all_of([&|| Ok(rate()?.is_some_and(is_nought)), &nought]),
        &|| all_of([&|| Ok(rate()?.is_some_and(|rate| !is_nought(rate))), &close]),
        &|| all_of([&|| Ok(rate()?.is_none()), &nought]),
    ])?;
    if holds {
        return Ok(RuleVerdict::Holds);
    }
    let known = |read: Read<'d, Option<Decimal>>| read.ok().flatten();
    let expected = match (known(rate()).filter(|rate| !is_nought(*rate)), known(basis())) {
        (Some(rate), Some(basis)) => computed(basis, rate).ok(),
        (Some(_), None) => None,
        (None, _) => Some(Decimal::ZERO),
    };
    Ok(wrong(tax, LOCAL, expected))
}
