//! Values as XPath 2.0 reads them from a document, for rules that must say what it says.
//!
//! An element without type is `xs:untypedAtomic`: `xs:decimal(x)` reads it as a decimal and fails
//! on anything else; compared or added without that, it is an `xs:double`. A path of no element
//! is the empty sequence, of which every comparison is false; one of several elements is an error
//! where one value is asked for.
//!
//! Source: XPath 2.0 and XQuery 1.0 Functions and Operators, sections 6.4, 10 and 17.1.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::Unreadable;
use quoin_model::amount::Decimal;

pub mod number;
pub mod text;

/// UBL 2 basic components: the elements with text.
pub const CBC: &str = quoin_formats::ubl::CBC;
/// UBL 2 aggregate components: the elements with elements.
pub const CAC: &str = quoin_formats::ubl::CAC;
/// CII: reusable aggregates.
pub const RAM: &str =
    "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100";
/// CII: the document and its three parts.
pub const RSM: &str = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
/// CII: unqualified data types.
pub const UDT: &str = "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100";
/// CII: qualified data types.
pub const QDT: &str = "urn:un:unece:uncefact:data:standard:QualifiedDataType:100";
pub use quoin_model::text::SPACE;

/// `cac:…` inside an element.
pub fn cac<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CAC, local)
}

/// `cbc:…` inside an element.
pub fn cbc<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CBC, local)
}

/// `ram:…` inside an element.
pub fn ram<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(RAM, local)
}

/// `rsm:…` inside an element.
pub fn rsm<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(RSM, local)
}

/// `udt:…` inside an element.
pub fn udt<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(UDT, local)
}

/// `string(x)`: the text of an element and of all elements inside it.
pub fn string(element: Element<'_>) -> Cow<'_, str> {
    element.string_value()
}

/// `normalize-space(x)`.
pub fn normalized(element: Element<'_>) -> Cow<'_, str> {
    normalize(string(element))
}

/// `normalize-space` of a text: none around, single spaces inside.
pub fn normalize(text: Cow<'_, str>) -> Cow<'_, str> {
    crate::subset::trimmed(text)
}

/// What a test reads, or why it cannot.
pub type Read<'d, T> = Result<T, Unreadable<'d>>;

/// The one element of a path, or none; several are an error.
///
/// # Errors
/// [`Unreadable`] where there are several.
pub fn one<'d>(mut elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<Element<'d>>> {
    let first = elements.next();
    match elements.next() {
        None => Ok(first),
        Some(second) => Err(Unreadable::several(second)),
    }
}

/// `xs:decimal(x)` of an element.
///
/// # Errors
/// [`Unreadable`] where the text is none, or has more than 38 digits.
pub fn decimal(element: Element<'_>) -> Read<'_, Decimal> {
    let text = string(element);
    Decimal::parse(&text).map_err(|_| Unreadable::value(element, text))
}

/// `xs:decimal(path)`: empty stays empty.
///
/// # Errors
/// [`Unreadable`] where there are several elements, or the text is no decimal.
pub fn decimal_of<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<Decimal>> {
    one(elements)?.map(decimal).transpose()
}

/// `sum(path/xs:decimal(.))`; nought of none.
///
/// # Errors
/// [`Unreadable`] where a text is no decimal.
pub fn decimal_sum<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Decimal> {
    let mut sum = Decimal::ZERO;
    for element in elements {
        let next = sum.checked_add(decimal(element)?);
        sum = next.ok_or_else(|| Unreadable::value(element, string(element)))?;
    }
    Ok(sum)
}

/// `xs:double(x)` of an element.
///
/// # Errors
/// [`Unreadable`] where the text is none.
pub fn double(element: Element<'_>) -> Read<'_, f64> {
    let text = string(element);
    number::parse(&text).ok_or_else(|| Unreadable::value(element, text))
}

/// `sum(path)` of elements without type: doubles, added in their order.
///
/// # Errors
/// [`Unreadable`] where a text is no number.
pub fn double_sum<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, f64> {
    let mut sum = 0.0;
    for element in elements {
        sum += double(element)?;
    }
    Ok(sum)
}

/// `path > x`, `path >= x` and the like of elements without type: some element is so.
///
/// # Errors
/// [`Unreadable`] where an element before that is no number.
pub fn some_double<'d>(
    elements: impl Iterator<Item = Element<'d>>,
    is: impl Fn(f64) -> bool,
) -> Read<'d, bool> {
    some(elements.map(|element| Ok(is(double(element)?))))
}

/// `some … satisfies`: whether one is true, up to which an error counts.
///
/// # Errors
/// The first error before a true one.
pub fn some<E>(values: impl Iterator<Item = Result<bool, E>>) -> Result<bool, E> {
    for value in values {
        if value? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A condition of `and` or `or`.
pub type LazyCondition<'c, 'd> = &'c dyn Fn() -> Read<'d, bool>;

/// `a or b or …`: an error counts only where no other condition is true. XPath 2.0 section 3.6
/// leaves that open; the reference processor does so.
///
/// # Errors
/// The first error, where nothing is true.
pub fn any_of<'d, const N: usize>(conditions: [LazyCondition<'_, 'd>; N]) -> Read<'d, bool> {
    decided_by(true, &conditions)
}

/// `a and b and …`: an error counts only where no other condition is false.
///
/// # Errors
/// The first error, where nothing is false.
pub fn all_of<'d, const N: usize>(conditions: [LazyCondition<'_, 'd>; N]) -> Read<'d, bool> {
    decided_by(false, &conditions)
}

fn decided_by<'d>(decides: bool, conditions: &[LazyCondition<'_, 'd>]) -> Read<'d, bool> {
    let mut failure = None;
    for condition in conditions {
        match condition() {
            Ok(value) if value == decides => return Ok(decides),
            Ok(_) => {}
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(!decides), Err)
}

/// `xs:boolean(x)` of an element: `true`, `1`, `false`, `0` with white space around.
///
/// # Errors
/// [`Unreadable`] where the text is none.
pub fn boolean(element: Element<'_>) -> Read<'_, bool> {
    let text = string(element);
    match text.trim_matches(SPACE) {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Unreadable::value(element, text)),
    }
}

/// `path = true()` or `path = false()`: some element says so.
///
/// # Errors
/// [`Unreadable`] where an element before that is no boolean.
pub fn some_boolean<'d>(
    elements: impl Iterator<Item = Element<'d>>,
    wanted: bool,
) -> Read<'d, bool> {
    some(elements.map(|element| Ok(boolean(element)? == wanted)))
}

/// `xs:date(x)` of an element, to compare: minutes from the year 0, in UTC where the date has no
/// time zone.
///
/// # Errors
/// [`Unreadable`] where the text is no date.
pub fn date(element: Element<'_>) -> Read<'_, i64> {
    let text = string(element);
    number::date(&text).ok_or_else(|| Unreadable::value(element, text))
}
