//! Paths of UBL names, what stands at their ends, and how amounts are compared.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::rules::values;
use crate::rules::values::{Read, cac, cbc, normalize, one, string};
use crate::rules::{Case, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// The aggregates at the end of a path, `Item/ClassifiedTaxCategory`.
pub(super) fn groups<'d>(at: Element<'d>, path: &str) -> Vec<Element<'d>> {
    path.split('/')
        .fold(vec![at], |found, local| found.into_iter().flat_map(|up| cac(up, local)).collect())
}

/// The basic components at the end of a path of aggregates, `Price/PriceAmount`.
pub(super) fn leaves<'d>(at: Element<'d>, path: &str) -> Vec<Element<'d>> {
    match path.rsplit_once('/') {
        Some((above, last)) => groups(at, above).into_iter().flat_map(|up| cbc(up, last)).collect(),
        None => cbc(at, path).collect(),
    }
}

/// Whether a path leads to a basic component.
pub(super) fn has(at: Element<'_>, path: &str) -> bool {
    !leaves(at, path).is_empty()
}

/// Whether every path leads to one.
pub(super) fn has_all(at: Element<'_>, paths: &[&str]) -> bool {
    paths.iter().all(|path| has(at, path))
}

/// The one at the end of a path, where several are an error.
pub(super) fn leaf<'d>(at: Element<'d>, path: &str) -> Read<'d, Option<Element<'d>>> {
    one(leaves(at, path).into_iter())
}

/// `normalize-space(path)`: empty of none.
pub(super) fn text<'d>(at: Element<'d>, path: &str) -> Read<'d, Cow<'d, str>> {
    Ok(leaf(at, path)?.map_or(Cow::Borrowed(""), values::normalized))
}

/// `string(path)`: empty of none.
pub(super) fn raw<'d>(at: Element<'d>, path: &str) -> Read<'d, Cow<'d, str>> {
    Ok(leaf(at, path)?.map_or(Cow::Borrowed(""), string))
}

/// `xs:decimal(path)`.
pub(super) fn number<'d>(at: Element<'d>, path: &str) -> Read<'d, Option<Decimal>> {
    values::decimal_of(leaves(at, path).into_iter())
}

/// Whether some value at the end of a path is so.
pub(super) fn some_text(at: Element<'_>, path: &str, is: impl Fn(&str) -> bool) -> bool {
    leaves(at, path).into_iter().any(|own| is(&string(own)))
}

/// `text()`, of which there may be one: `None` of none.
pub(super) fn own_text(at: Element<'_>) -> Read<'_, Option<Cow<'_, str>>> {
    values::text::one(std::iter::once(at))
}

/// `cac:TaxScheme/normalize-space(upper-case(cbc:ID)) = 'GST'`.
pub(super) fn is_tax<'d>(parent: Element<'d>, tax: &str) -> Read<'d, bool> {
    values::some(cac(parent, "TaxScheme").map(|scheme| {
        let id = one(cbc(scheme, "ID"))?.map_or(Cow::Borrowed(""), string);
        Ok(normalize(Cow::Owned(id.to_uppercase())) == tax)
    }))
}

/// The same as a condition of its own, of which there may be one value.
pub(super) fn is_tax_alone<'d>(parent: Element<'d>, tax: &str) -> Read<'d, bool> {
    match one(cac(parent, "TaxScheme"))? {
        Some(_) => is_tax(parent, tax),
        None => Ok(false),
    }
}

/// Those of some categories that are of a tax.
pub(super) fn of_tax<'d>(found: Vec<Element<'d>>, tax: &str) -> Read<'d, Vec<Element<'d>>> {
    let mut kept = Vec::new();
    for category in found {
        if is_tax(category, tax)? {
            kept.push(category);
        }
    }
    Ok(kept)
}

/// Whether two amounts are no further apart than a slack.
pub(super) fn within(expected: Decimal, value: Decimal, slack: Decimal) -> bool {
    expected.checked_sub(value).is_some_and(|apart| apart.abs() <= slack)
}

/// Two hundredths.
pub(super) fn cents(count: i64) -> Decimal {
    Decimal::new(count, 2)
}

/// What has more digits than numbers have.
pub(super) fn too_long<'d>(case: &Case<'_, 'd>) -> Unreadable<'d> {
    Unreadable::at(case, case.at.id())
}

/// `rate div 100` of an amount, not rounded.
pub(super) fn share(amount: Decimal, rate: Decimal) -> Option<Decimal> {
    amount.checked_mul(rate.checked_div(Decimal::new(100, 0))?)
}

/// `amount * rate div 100`, not rounded.
pub(super) fn share_of(amount: Decimal, rate: Decimal) -> Option<Decimal> {
    amount.checked_mul(rate)?.checked_div(Decimal::new(100, 0))
}

/// Kept or broken, with the first element of a path as the one that is wrong.
pub(super) fn at<'d>(case: &Case<'_, 'd>, path: &str, holds: bool) -> RuleVerdict<'d> {
    if holds {
        return RuleVerdict::Holds;
    }
    match leaves(case.at, path).first() {
        Some(&own) => RuleVerdict::broken().found(string(own)).element(Some(own)),
        None => RuleVerdict::broken(),
    }
}

/// Kept or broken, with the text of the element that was tested.
pub(super) fn here<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    RuleVerdict::of(holds).found(string(case.at))
}

/// A decimal with every digit of a double that 38 digits can hold.
pub(super) fn exactly(x: f64) -> Option<Decimal> {
    let whole = x.is_finite().then(|| format!("{:.0}", x.abs()).len())?;
    let decimals = 36_usize.checked_sub(whole)?.min(30);
    Decimal::parse(&format!("{x:.decimals$}")).ok()
}
