//! What functions of XPath read at the end of a path, in UBL and in CII.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::rules::RuleVerdict;
use crate::rules::values::{Read, normalize, normalized, one, string, text};

/// `normalize-space(path)`.
pub(crate) fn normal<'d>(elements: Vec<Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(one(elements.into_iter())?.map_or(Cow::Borrowed(""), normalized))
}

/// `string(path)`.
pub(crate) fn text<'d>(elements: Vec<Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(one(elements.into_iter())?.map_or(Cow::Borrowed(""), string))
}

/// `string(path/@name)`.
pub(crate) fn attribute<'d>(elements: Vec<Element<'d>>, name: &str) -> Read<'d, &'d str> {
    let mut having = elements.into_iter().filter(|own| own.attribute(name).is_some());
    Ok(one(having.by_ref())?.and_then(|own| own.attribute(name)).unwrap_or_default())
}

/// `substring(x, from, count)` of a text, counted from 1.
pub(crate) fn substring(text: &str, from: usize, count: usize) -> &str {
    let mut starts = text.char_indices().map(|(at, _)| at).skip(from.saturating_sub(1));
    let Some(start) = starts.next() else { return "" };
    let end = starts.nth(count.saturating_sub(1)).unwrap_or(text.len());
    if count == 0 { "" } else { text.get(start..end).unwrap_or_default() }
}

/// `substring(x, from)`.
pub(crate) fn substring_from(text: &str, from: usize) -> &str {
    substring(text, from, usize::MAX)
}

/// `normalize-space(path/text())`.
pub(crate) fn own_text<'d>(elements: Vec<Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(normalize(text::one(elements.into_iter())?.unwrap_or_default()))
}

/// A verdict on the first of some elements, with what it says.
pub(crate) fn on<'d>(elements: &[Element<'d>], holds: bool) -> RuleVerdict<'d> {
    match elements.first() {
        Some(first) => RuleVerdict::of(holds).element(Some(*first)).found(string(*first)),
        None => RuleVerdict::of(holds),
    }
}
