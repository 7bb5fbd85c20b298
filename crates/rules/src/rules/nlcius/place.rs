//! Contexts: which elements a rule is about, and for which documents.

use quoin_xml::tree::Element;

use crate::rules::values::{CAC, CBC, QDT, RAM, SPACE, UDT};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, RuleVerdict};

/// An element and those around it, from the inside: `["cbc:ID", "cac:Party"]`.
pub(super) type AncestorPath = &'static [&'static str];

fn is(element: Element<'_>, name: &str) -> bool {
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    element.is(namespace(prefix), local)
}

fn namespace(prefix: &str) -> &'static str {
    match prefix {
        "cac" => CAC,
        "cbc" => CBC,
        "ram" => RAM,
        "udt" => UDT,
        "qdt" => QDT,
        _ => "",
    }
}

/// Whether an element stands at the end of a path.
pub(super) fn stands_at(element: Element<'_>, path: &[&str]) -> bool {
    let above = std::iter::successors(Some(element), |own| own.parent());
    above.zip(path).filter(|(own, name)| is(*own, name)).count() == path.len()
}

/// Calls back for each element at the end of a path, where the document is one of those.
pub(super) fn each<'d>(
    facts: &Facts<'d>,
    path: AncestorPath,
    applies: bool,
    add: ElementVisitor<'_, 'd>,
) {
    let Some((prefix, local)) = path.first().and_then(|name| name.split_once(':')) else { return };
    if applies {
        let named = facts.named(namespace(prefix), local);
        named.filter(|own| stands_at(*own, path)).for_each(add);
    }
}

/// Calls back for each element with nothing in it that no other context has.
pub(super) fn empty<'d>(
    facts: &Facts<'d>,
    is_taken: impl Fn(Element<'d>) -> bool,
    add: ElementVisitor<'_, 'd>,
) {
    let is_empty = |own: &Element<'d>| {
        own.elements().next().is_none() && own.string_value().trim_matches(SPACE).is_empty()
    };
    let all = facts.root().descendants();
    all.filter(is_empty).filter(|own| !is_taken(*own)).for_each(add);
}

/// What is there should not be there. The published test asks for an element of the name `false`.
pub(super) fn discouraged<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = case.at.elements().any(|own| own.is("", "false"));
    Ok(RuleVerdict::of(holds).found(case.at.text()))
}

/// What is empty should be left out.
pub(super) fn left_empty<'d>(_: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::broken())
}

/// Whether the schemes of identifiers have that of the trade register or of public bodies. They
/// are put together with spaces, and searched as one text.
pub(super) fn is_registered<'d>(identifiers: impl Iterator<Item = Element<'d>>) -> bool {
    let schemes = identifiers.filter_map(|id| id.attribute("schemeID"));
    let schemes = format!(" {} ", schemes.collect::<Vec<_>>().join(" "));
    schemes.contains(" 0106 ") || schemes.contains(" 0190 ")
}

/// Whether there is something but white space.
pub(super) fn is_filled(element: Element<'_>) -> bool {
    !element.string_value().trim_matches(SPACE).is_empty()
}
