//! The breakdown of tax, the rates of allowances and charges, and percentages.

use std::borrow::Cow;

use super::OmanTransaction::Simplified;
use super::sums::OmanSums;
use super::{RATE, header, is_any, number_at, unless};
use crate::rules::pint::paths::{at, has, here, share_of, text, too_long, within};
use crate::rules::values::{Read, cbc, normalized, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("ALIGNED-IBRP-045", |case| asks(case, "TaxableAmount")),
    Rule::new("ALIGNED-IBRP-046", |case| asks(case, "TaxAmount")),
    Rule::new("ALIGNED-IBRP-047", |case| asks(case, CODE)),
    Rule::new("ALIGNED-IBRP-048", |case| {
        let is_taxed = || Ok(!matches!(&*text(case.at, CODE)?, "E" | "O"));
        unless([&|| is_own(case), &is_taxed], || Ok(at(case, RATE_PATH, has(case.at, RATE_PATH))))
    }),
    Rule::new("ALIGNED-IBRP-E-08-OM", |case| taxable(case, "E")),
    Rule::new("ALIGNED-IBRP-O-08-OM", |case| taxable(case, "O")),
    Rule::new("ALIGNED-IBRP-Z-08-OM", |case| taxable(case, "Z")),
    Rule::new("ALIGNED-IBRP-E-09-OM", |case| no_tax(case, "E")),
    Rule::new("ALIGNED-IBRP-O-09-OM", |case| no_tax(case, "O")),
    Rule::new("ALIGNED-IBRP-Z-09-OM", |case| no_tax(case, "Z")),
    Rule::new("ALIGNED-IBRP-S-08-OM", standard_taxable),
    Rule::new("ALIGNED-IBRP-S-09-OM", |case| standard_tax(case, false)),
    Rule::new("ALIGNED-IBRP-S-09-OM-WARN", |case| standard_tax(case, true)),
    Rule::new("IBR-053-OM", |case| {
        unless([&|| is_in_rials(case), &|| is_of(case, "S")], || {
            Ok(at(case, RATE_PATH, rate(case) == Some(Decimal::new(RATE, 0))))
        })
    }),
    Rule::new("IBR-095-OM", |case| no_rate(case, "E")),
    Rule::new("IBR-096-OM", |case| no_rate(case, "O")),
    Rule::new("IBR-097-OM", |case| {
        unless([&|| is_in_rials(case), &|| is_of(case, "Z")], || {
            Ok(at(case, RATE_PATH, rate(case).is_some_and(Decimal::is_zero)))
        })
    }),
    Rule::new("IBR-045-OM", |case| rate_of(case, "S", RATE)),
    Rule::new("IBR-100-OM", |case| rate_of(case, "Z", 0)),
    Rule::new("IBR-047-OM", |case| rate_of(case, "S", RATE)),
    Rule::new("IBR-094-OM", |case| rate_of(case, "Z", 0)),
    Rule::new("IBR-033-OM", percentage),
    Rule::new("IBR-063-OM", percentage),
    Rule::new("IBR-046-OM", percent),
];

const CODE: &str = "TaxCategory/ID";
const RATE_PATH: &str = "TaxCategory/Percent";

fn rate(case: &Case<'_, '_>) -> Option<Decimal> {
    number_at(case.at, RATE_PATH)
}

/// Whether some tax of the subtotal is in a currency.
fn is_in(case: &Case<'_, '_>, currency: &str) -> bool {
    cbc(case.at, "TaxAmount").any(|tax| tax.attribute("currencyID") == Some(currency))
}

/// Whether it is in the currency of the document.
fn is_own<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let header = header(case);
    Ok(is_in(case, header.currency(case)?))
}

/// Whether it is in the currency of tax, where there is one.
fn is_in_rials<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    let header = header(case);
    let currency = header.tax_currency(case)?;
    Ok(!currency.is_empty() && is_in(case, currency))
}

/// Whether the category is one.
fn is_of<'d>(case: &Case<'_, 'd>, code: &str) -> Read<'d, bool> {
    Ok(text(case.at, CODE)? == code)
}

/// Whether the document is not simplified.
fn is_full<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(!is_any(case, &[Simplified]))
}

fn asks<'d>(case: &Case<'_, 'd>, path: &str) -> Outcome<'d> {
    unless([&|| is_own(case)], || Ok(RuleVerdict::of(has(case.at, path))))
}

fn hundredth() -> Decimal {
    Decimal::new(1, 2)
}

/// An amount beside what it should be.
fn stated<'d>(case: &Case<'_, 'd>, local: &str, holds: bool, sum: Decimal) -> RuleVerdict<'d> {
    at(case, local, holds).expected(format!("{:.2}", sum.round_to_cents()))
}

/// The taxable amount of a category that is not taxed; simplified documents are passed over.
fn taxable<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    const LOCAL: &str = "TaxableAmount";
    unless([&|| is_own(case), &|| is_full(case), &|| is_of(case, code)], || {
        let Some(amount) = number_at(case.at, LOCAL) else { return Ok(at(case, LOCAL, false)) };
        let sum = case.memo(OmanSums::of).of_code(case, &text(case.at, CODE)?)?.round_to_cents();
        Ok(stated(case, LOCAL, within(amount, sum, hundredth()), sum))
    })
}

fn no_tax<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    unless([&|| is_full(case), &|| is_of(case, code)], || {
        let tax = number_at(case.at, "TaxAmount");
        Ok(stated(case, "TaxAmount", tax.is_some_and(Decimal::is_zero), Decimal::ZERO))
    })
}

/// The taxable amount of a rate.
fn standard_taxable<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxableAmount";
    unless([&|| is_own(case), &|| is_of(case, "S")], || {
        // The sums ask for the category again.
        text(case.at, CODE)?;
        let (Some(amount), Some(rate)) = (number_at(case.at, LOCAL), rate(case)) else {
            return Ok(at(case, LOCAL, false));
        };
        let sum = case.memo(OmanSums::of).of_rate(case, rate)?.round_to_cents();
        Ok(stated(case, LOCAL, within(amount, sum, hundredth()), sum))
    })
}

/// The tax of a rate is that of its lines, charges and allowances, within a baisa for each line;
/// what is not the same, but so near, is a warning.
fn standard_tax<'d>(case: &Case<'_, 'd>, exact: bool) -> Outcome<'d> {
    unless([&|| is_own(case), &|| is_of(case, "S")], || tax_of_rate(case, exact))
}

fn tax_of_rate<'d>(case: &Case<'_, 'd>, exact: bool) -> Outcome<'d> {
    let tax = number_at(case.at, "TaxAmount").map(Decimal::round_to_cents);
    if tax.is_none() {
        return Ok(at(case, "TaxAmount", exact));
    }
    // The category is asked for again where there is a rate.
    let expected = match rate(case) {
        Some(rate) => {
            text(case.at, CODE)?;
            Some(case.memo(OmanSums::of).tax_of(case, rate)?.round_to_cents())
        }
        None => None,
    };
    let slack = Decimal::new(header(case).lines, 3);
    let is_within =
        |slack| tax.zip(expected).is_some_and(|(tax, expected)| within(tax, expected, slack));
    let holds = match exact {
        true => is_within(Decimal::ZERO) || !is_within(slack),
        false => is_within(slack),
    };
    let verdict = at(case, "TaxAmount", holds);
    Ok(match expected {
        Some(expected) => verdict.expected(format!("{expected:.2}")),
        None => verdict,
    })
}

fn no_rate<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    unless([&|| is_in_rials(case), &|| is_of(case, code)], || {
        Ok(at(case, RATE_PATH, !has(case.at, RATE_PATH)))
    })
}

/// The rate of an allowance or charge of a category.
fn rate_of<'d>(case: &Case<'_, 'd>, code: &str, wanted: i64) -> Outcome<'d> {
    unless([&|| is_of(case, code)], || {
        Ok(at(case, RATE_PATH, rate(case) == Some(Decimal::new(wanted, 0))))
    })
}

/// An allowance or charge is the percentage of its base, within a hundredth.
fn percentage<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has(case.at, "BaseAmount") || !has(case.at, "MultiplierFactorNumeric") {
        return Ok(RuleVerdict::Holds);
    }
    let read = |local| number_at(case.at, local);
    let (Some(amount), Some(base), Some(factor)) =
        (read("Amount"), read("BaseAmount"), read("MultiplierFactorNumeric"))
    else {
        return Ok(at(case, "Amount", false));
    };
    let part = share_of(base, factor).ok_or_else(|| too_long(case))?.round_to_cents();
    Ok(stated(case, "Amount", within(amount, part, hundredth()), part))
}

/// A percentage from 0 to 100 with at most two decimals.
fn percent<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text: Cow<'d, str> = normalized(case.at);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|own| own.is_ascii_digit());
    let is_plain = match text.split_once('.') {
        Some((whole, decimals)) => is_digits(whole) && is_digits(decimals) && decimals.len() <= 2,
        None => is_digits(&text),
    };
    let most = Decimal::new(100, 0);
    let holds = is_plain && Decimal::parse(&string(case.at)).is_ok_and(|own| own <= most);
    Ok(here(case, holds))
}
