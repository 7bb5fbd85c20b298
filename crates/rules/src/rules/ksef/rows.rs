//! Rows of an invoice.

use std::collections::HashSet;

use super::{child, children, content, differ, fa, invoice_rows, is_correction, number, text};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::amount::{Decimal, decimals_as_written};
use quoin_xml::tree::Element;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-ROW-NUMBER", row_numbers).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-ROW-SIGN", sign).at(Flag::Fatal, invoice_rows),
    Rule::new("QUOIN-FA-ROW-AMOUNT", amount).at(Flag::Warning, invoice_rows),
    Rule::new("QUOIN-FA-QUANTITY", quantity).at(Flag::Warning, invoice_rows),
];

/// Each row has a number of its own; in a correction, the row before it may have the same.
fn row_numbers<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let order = fa(case).and_then(|fa| child(fa, "Zamowienie"));
    let rows = [
        (Some(case.at), "FaWiersz", "NrWierszaFa", "StanPrzed"),
        (order, "ZamowienieWiersz", "NrWierszaZam", "StanPrzedZ"),
    ];
    for (parent, row, number, before) in rows {
        let mut seen = HashSet::new();
        for row in parent.into_iter().flat_map(|parent| children(parent, row)) {
            let key = (text(row, number), child(row, before).is_some());
            let number_of = key.0.clone();
            if !number_of.is_empty() && !seen.insert(key) {
                let place = child(row, number);
                return Ok(RuleVerdict::broken().found(number_of).element(place));
            }
        }
    }
    Ok(RuleVerdict::Holds)
}

/// Quantity, price and amount of a row, net or gross.
struct RowAmounts<'d> {
    quantity: Decimal,
    price: Decimal,
    amount: Decimal,
    of: Option<Element<'d>>,
    /// How far rounding of what was written can take them apart.
    allowed: Decimal,
}

/// Those of a row; none in a correction, whose rows are differences.
fn amounts<'d>(case: &Case<'_, 'd>) -> Option<RowAmounts<'d>> {
    if is_correction(case) {
        return None;
    }
    let row = case.at;
    let names = [("P_9A", "P_11"), ("P_9B", "P_11A")];
    let both = |(price, amount): &(&str, &str)| {
        child(row, price).is_some() && child(row, amount).is_some()
    };
    let (price, amount) = names.into_iter().find(both)?;
    let quantity = number(row, "P_8B")?;
    let half = |name: &str| {
        let decimals = u32::try_from(decimals_as_written(&text(row, name))).ok()?;
        Some(Decimal::new(5, decimals + 1))
    };
    let price_of = number(row, price)?;
    let by_price = quantity.abs().checked_mul(half(price)?)?;
    // Quantities with few decimals are counted, not rounded.
    let is_counted = decimals_as_written(&text(row, "P_8B")) < 3;
    let by_quantity = match is_counted {
        true => Decimal::ZERO,
        false => price_of.abs().checked_mul(half("P_8B")?)?,
    };
    let allowed = Decimal::new(1, 2).checked_add(by_price)?.checked_add(by_quantity)?;
    let of = child(row, amount);
    let amount = number(row, amount)?;
    Some(RowAmounts { quantity, price: price_of, amount, of, allowed })
}

/// What is taken back is not charged: an amount above nought has a quantity and a price of one
/// sign.
///
/// Source: FA(3), `P_8B` (what was delivered), `P_11` (the value of what was delivered); rows of a
/// correction are differences (`FaWiersz`, art. 106j), and signs of them are the seller's. KSeF
/// itself admits a minus on each of the three. A row that takes back and says so by its amount
/// alone, or by all three, charges nothing that was not delivered: the sums count it as it is
/// meant, and [`amount`] warns of it.
fn sign<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(row) = amounts(case) else { return Ok(RuleVerdict::Holds) };
    let made = row.quantity.checked_mul(row.price).map(Decimal::round_to_cents);
    let takes_back = made.is_some_and(Decimal::is_negative);
    let charges = !row.amount.is_zero() && !row.amount.is_negative();
    let is_discounted = child(case.at, "P_10").is_some();
    let holds = is_discounted || !(takes_back && charges);
    let expected = made.map(|made| made.to_string()).unwrap_or_default();
    Ok(RuleVerdict::of(holds).found(row.amount.to_string()).expected(expected).element(row.of))
}

/// An amount is quantity times price, less the discount of the row (or of each unit).
fn amount<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(row) = amounts(case) else { return Ok(RuleVerdict::Holds) };
    let discount = number(case.at, "P_10").unwrap_or(Decimal::ZERO);
    let made = row.quantity.checked_mul(row.price);
    let of_row = made.and_then(|made| made.checked_sub(discount));
    let each = row.quantity.checked_mul(discount);
    let of_unit = made.zip(each).and_then(|(made, each)| made.checked_sub(each));
    let Some((of_row, of_unit)) = of_row.zip(of_unit) else { return Ok(RuleVerdict::Holds) };
    let is = |made| !differ(made, row.amount, row.allowed);
    let expected = of_row.round_to_cents().to_string();
    let verdict = RuleVerdict::of(is(of_row) || is(of_unit)).found(row.amount.to_string());
    Ok(verdict.expected(expected).element(row.of))
}

/// Less than nothing is taken back by a correction.
fn quantity<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_less = number(case.at, "P_8B").is_some_and(Decimal::is_negative);
    let place = child(case.at, "P_8B");
    let verdict = RuleVerdict::of(!is_less || is_correction(case));
    Ok(verdict.found(text(case.at, "P_8B")).element(place))
}
