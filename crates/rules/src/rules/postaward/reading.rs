//! What the tests of post-award messages read: numbers that may be none, totals beside what they
//! should be, sums of allowances and charges.

use quoin_xml::tree::{Element, NodeId};

use crate::rules::values;
use crate::rules::values::{Read, cac, cbc, decimal, number, one, string};
use crate::rules::{Case, Facts, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;
use quoin_model::text::SPACE;

/// What the document elements of UBL are called: this, the local name, `-2`.
const SCHEMAS: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// The document element where it is of this name; what a rule finds from the top is there.
pub(super) fn top<'d>(facts: &Facts<'d>, local: &str) -> Option<Element<'d>> {
    let root = facts.root();
    let name = root.namespace().strip_prefix(SCHEMAS)?.strip_suffix("-2")?;
    (name == local && root.local() == local).then_some(root)
}

/// `number(path)`: not a number where there is nothing, or something else.
///
/// # Errors
/// [`Unreadable`] where there are several.
pub(in crate::rules) fn number_of<'d>(
    elements: impl Iterator<Item = Element<'d>>,
) -> Read<'d, f64> {
    Ok(one(elements)?.map_or(f64::NAN, as_number))
}

/// `number(x)` of an element.
fn as_number(element: Element<'_>) -> f64 {
    number::parse(&string(element)).unwrap_or(f64::NAN)
}

/// `if (path) then xs:decimal(path) else 0`.
///
/// # Errors
/// [`Unreadable`] where there are several, or the text is no decimal.
pub(super) fn or_nought<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Decimal> {
    Ok(values::decimal_of(elements)?.unwrap_or_default())
}

/// A result of reckoning; where it has too many digits, the element cannot be tested.
///
/// # Errors
/// [`Unreadable`] of the element at which the rule is tested.
pub(in crate::rules) fn reckoned<'d>(
    case: &Case<'_, 'd>,
    value: Option<Decimal>,
) -> Read<'d, Decimal> {
    value.ok_or_else(|| Unreadable::at(case, case.at.id()))
}

/// What is read from a memo: a value, or the element that could not be read.
///
/// # Errors
/// [`Unreadable`] of that element.
pub(in crate::rules) fn known<'d, T: Copy>(
    case: &Case<'_, 'd>,
    value: &Result<T, NodeId>,
) -> Read<'d, T> {
    value.map_err(|id| Unreadable::at(case, id))
}

/// Kept, or broken at the first of the elements that are wrong.
pub(in crate::rules) fn wrong<'d>(
    holds: bool,
    mut at: impl Iterator<Item = Element<'d>>,
) -> RuleVerdict<'d> {
    match (holds, at.next()) {
        (true, _) => RuleVerdict::Holds,
        (false, Some(element)) => {
            RuleVerdict::broken().found(element.text()).element(Some(element))
        }
        (false, None) => RuleVerdict::broken(),
    }
}

/// `path >= 0`, where several are an error and nothing is no number.
///
/// # Errors
/// [`Unreadable`] where there are several.
pub(in crate::rules) fn not_negative<'d, I: Iterator<Item = Element<'d>>>(
    elements: impl Fn() -> I,
) -> Read<'d, RuleVerdict<'d>> {
    Ok(wrong(number_of(elements())? >= 0.0, elements()))
}

/// `u:slack`: two numbers that are at most 0.02 apart.
pub(super) fn nearly(one: Decimal, other: Decimal) -> Option<bool> {
    let slack = Decimal::new(2, 2);
    Some(one.checked_add(slack)? >= other && one.checked_sub(slack)? <= other)
}

/// Which allowances and charges are added up.
pub(super) type AdjustmentFilter = for<'d> fn(Element<'d>, &str) -> Read<'d, bool>;

/// `normalize-space(cbc:ChargeIndicator) = 'true'`.
pub(super) fn indicated<'d>(group: Element<'d>, value: &str) -> Read<'d, bool> {
    let indicator = one(cbc(group, "ChargeIndicator"))?;
    Ok(indicator.is_some_and(|own| string(own).trim_matches(SPACE) == value))
}

/// `cbc:ChargeIndicator = 'true'`.
pub(super) fn written<'d>(group: Element<'d>, value: &str) -> Read<'d, bool> {
    Ok(cbc(group, "ChargeIndicator").any(|own| string(own) == value))
}

/// The sum of the allowances (`false`) or charges (`true`) inside an element, in cents.
///
/// # Errors
/// [`Unreadable`] where an indicator is there twice, or an amount is no decimal.
pub(super) fn adjustments<'d>(
    parent: Element<'d>,
    wanted: AdjustmentFilter,
    value: &str,
) -> Read<'d, Decimal> {
    let mut sum = Decimal::ZERO;
    for group in cac(parent, "AllowanceCharge") {
        if !wanted(group, value)? {
            continue;
        }
        for amount in cbc(group, "Amount") {
            let next = sum.checked_add(decimal(amount)?);
            sum = next.ok_or_else(|| Unreadable::value(amount, string(amount)))?;
        }
    }
    Ok(sum.round_to_cents())
}
