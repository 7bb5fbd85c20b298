//! What is tested otherwise before 1.3.16: of several amounts in one place all are added up, or
//! they are an error, where later releases take the first; and payment terms are asked for.

#![expect(clippy::indexing_slicing, reason = "an array has a place for each category")]

use std::collections::{BTreeSet, HashMap};

use quoin_xml::tree::{Element, NodeId};

use super::breakdown::{by_rate, category, near, near_by_cast, o_08, parent, wrong};
use super::layout::{Cii, CiiBefore};
use super::totals::{co_11, co_12, co_13, co_16};
use super::{settlements, totals};
use crate::rules::en16931::category::{COUNT, Category};
use crate::rules::en16931::sums::{SumGroup, SumLayout};
use crate::rules::values::number::{exact_cents, parse, round_to_cents};
use crate::rules::values::{RAM, Read, any_of, decimal, decimal_of, double, one, ram, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-51", br_51),
    Rule::new("BR-CO-11", co_11::<false>),
    Rule::new("BR-CO-12", co_12::<false>),
    Rule::new("BR-CO-13", co_13::<false>),
    Rule::new("BR-CO-15", co_15),
    Rule::new("BR-CO-16", co_16::<false>),
    Rule::new("BR-CO-25", payment_terms),
    Rule::new("BR-S-08", by_rate::<CiiBefore>),
    Rule::new("BR-AF-08", by_rate::<CiiBefore>),
    Rule::new("BR-AG-08", by_rate::<CiiBefore>),
    Rule::new("BR-AE-08", near::<CiiBefore>),
    Rule::new("BR-E-08", near::<CiiBefore>),
    Rule::new("BR-G-08", near::<CiiBefore>),
    Rule::new("BR-IC-08", near::<CiiBefore>),
    Rule::new("BR-Z-08", near_by_cast::<CiiBefore>),
    Rule::new("BR-O-08", o_08::<CiiBefore>),
];

/// Before 1.3.15: amounts without type.
pub(super) const IN_DOUBLES: &[Rule] = &[
    Rule::new("BR-AE-08", near_in_doubles),
    Rule::new("BR-E-08", near_in_doubles),
    Rule::new("BR-G-08", near_in_doubles),
    Rule::new("BR-IC-08", near_in_doubles),
];

/// Digits of a card that may be told.
const CARD_DIGITS: usize = 10;

/// White space around the number of a card counts.
fn br_51<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = one(ram(case.at, "ID"))?;
    let length = number.map_or(0, |own| string(own).chars().count());
    let verdict = RuleVerdict::of(length <= CARD_DIGITS).element(number);
    Ok(number.into_iter().fold(verdict, |verdict, own| verdict.found(string(own))))
}

/// A day or terms of payment, where something is to be paid.
pub(in crate::rules) fn payment_terms<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = one(case.named(RAM, "DuePayableAmount"))?;
    let amount = due.and_then(|due| parse(&string(due)));
    let is_payable = amount.is_some_and(|amount| amount > 0.0);
    let has = |local| {
        let terms = case.named(RAM, "SpecifiedTradePaymentTerms");
        terms.flat_map(|own| ram(own, local)).next().is_some()
    };
    let holds = !is_payable || has("DueDateDateTime") || has("Description");
    Ok(RuleVerdict::of(holds).found(due.map(string).unwrap_or_default()).element(due))
}

/// Amounts by their currency: how many, and the first.
type ByCurrency<'d> = HashMap<String, (usize, Element<'d>)>;

fn by_currency<'d>(amounts: impl Iterator<Item = Element<'d>>) -> ByCurrency<'d> {
    let mut found = ByCurrency::new();
    for amount in amounts {
        if let Some(currency) = amount.attribute("currencyID") {
            found.entry(currency.to_owned()).or_insert((0, amount)).0 += 1;
        }
    }
    found
}

/// The totals are those of every group of totals, wherever it stands: some may be the one that is
/// asked for, and only one can be added to another.
fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const GROUP: &str = "SpecifiedTradeSettlementHeaderMonetarySummation";
    const TAX: &str = "TaxTotalAmount";
    let groups = || case.named(RAM, GROUP);
    let all = |local: &str| -> Read<'d, Vec<Decimal>> {
        groups().filter_map(|own| decimal_of(ram(own, local)).transpose()).collect()
    };
    let (stated, without) = (all("GrandTotalAmount"), all("TaxBasisTotalAmount"));
    let stated: Read<'d, BTreeSet<Decimal>> = stated.map(|all| all.into_iter().collect());
    let (in_header, anywhere) =
        (by_currency(totals(case, TAX)), by_currency(groups().flat_map(|own| ram(own, TAX))));
    let failed = |read: &Unreadable<'d>| read.clone();
    let without_tax = || {
        let stated = stated.as_ref().map_err(failed)?;
        Ok(without.as_ref().map_err(failed)?.iter().any(|own| stated.contains(own)))
    };
    let is_equal = without_tax();
    for currency in settlements(case).flat_map(|own| ram(own, "InvoiceCurrencyCode")) {
        let code = string(currency);
        let sum = || -> Read<'d, Option<Decimal>> {
            let Some((count, tax)) = anywhere.get(&*code) else { return Ok(None) };
            let without = match without.as_ref().map_err(failed)?.as_slice() {
                [] => return Ok(None),
                [one] if *count == 1 => *one,
                _ => return Err(Unreadable::several(*tax)),
            };
            let sum = without.checked_add(decimal(*tax)?);
            let sum = sum.ok_or_else(|| Unreadable::at(case, tax.id()))?;
            Ok(Some(sum.round_to_cents()))
        };
        let with_tax = || {
            if in_header.get(&*code).is_none_or(|(count, _)| *count != 1) {
                return Ok(false);
            }
            let stated = stated.as_ref().map_err(failed)?;
            Ok(sum()?.is_some_and(|sum| stated.contains(&sum)))
        };
        if any_of([&with_tax, &|| is_equal.clone()])? {
            continue;
        }
        let at = totals(case, "GrandTotalAmount").next();
        let verdict = RuleVerdict::broken().element(at);
        let verdict = at.into_iter().fold(verdict, |verdict, at| verdict.found(at.text()));
        return Ok(match sum() {
            Ok(Some(expected)) => verdict.expected(format!("{expected:.2}")),
            _ => verdict,
        });
    }
    Ok(RuleVerdict::Holds)
}

/// A sum in doubles, or the element that cannot be read.
type DoubleSum = Result<f64, NodeId>;

/// The sums of all amounts, by category: of lines, of charges and of allowances.
struct DoubleSums([[DoubleSum; COUNT]; 3]);

impl DoubleSums {
    fn of(facts: &Facts<'_>) -> DoubleSums {
        let mut sums = DoubleSums([[Ok(0.0); COUNT]; 3]);
        Cii::elements(facts, &mut |element, group| match group {
            SumGroup::InvoiceLines => add(&mut sums.0[0], element, group),
            SumGroup::Charges => add(&mut sums.0[1], element, group),
            SumGroup::Allowances => add(&mut sums.0[2], element, group),
            _ => {}
        });
        sums
    }
}

/// Adds an element to the sums of its categories.
fn add(sums: &mut [DoubleSum; COUNT], element: Element<'_>, group: SumGroup) {
    let taxes = Cii::categories(element, group);
    let codes = taxes.flat_map(|tax| ram(tax, "CategoryCode"));
    let mut is_in = [false; COUNT];
    codes.filter_map(|code| Category::of_code(&string(code))).for_each(|own| {
        is_in[own as usize] = true;
    });
    if is_in == [false; COUNT] {
        return;
    }
    let amounts: Vec<DoubleSum> = match Cii::is_wanted(element, group) {
        Ok(false) => return,
        Err(wrong) => vec![Err(wrong.id())],
        Ok(true) => amounts(element, group).map(|own| double(own).map_err(|e| e.id())).collect(),
    };
    for (sum, _) in sums.iter_mut().zip(is_in).filter(|(_, is_in)| *is_in) {
        *sum = amounts.iter().fold(*sum, |sum, amount| Ok(sum? + (*amount)?));
    }
}

/// The amounts of a line, or of an allowance or a charge.
fn amounts<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>> {
    const SUMS: &str = "SpecifiedTradeSettlementLineMonetarySummation";
    let is_line = group.is_line();
    let of_line = ram(element, SUMS).flat_map(|own| ram(own, "LineTotalAmount"));
    let own = ram(element, "ActualAmount").filter(move |_| !is_line);
    of_line.filter(move |_| is_line).chain(own)
}

/// The taxable amount is less than 1 from the sum, where amounts are doubles.
fn near_in_doubles<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "BasisAmount";
    let tax = parent(case);
    let Some(stated) = one(ram(tax, LOCAL))? else { return Ok(wrong(tax, LOCAL, None)) };
    let stated = double(stated)?;
    let sums = case.memo(DoubleSums::of);
    let own = category(case) as usize;
    let part = |place: usize| -> Read<'d, f64> {
        sums.0[place][own].map(round_to_cents).map_err(|id| Unreadable::at(case, id))
    };
    let sum = part(0)? + part(1)? - part(2)?;
    let holds = stated - 1.0 < sum && stated + 1.0 > sum;
    let expected = exact_cents(round_to_cents(sum));
    Ok(if holds { RuleVerdict::Holds } else { wrong(tax, LOCAL, expected) })
}
