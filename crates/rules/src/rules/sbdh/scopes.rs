//! The scopes: document type, process, country of the sender, and who gets the message level
//! status.

use std::collections::HashSet;

use quoin_xml::tree::Element;

use super::fields::{PARTICIPANTS, is_participant};
use super::{header, parts, scope, value};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_formats::detection::SBDH;
use quoin_model::Flag;
use quoin_model::codes;

/// The countries that a report about end users takes.
const COUNTRIES: &str = "iso3166@peppol-eusr-1.1.5";

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-SBDH-SCOPE", needed).at(Flag::Fatal, headers),
    Rule::new("QUOIN-SBDH-SCOPE-ONCE", once).at(Flag::Fatal, headers),
    Rule::new("QUOIN-SBDH-DOCUMENTID", document_type).at(Flag::Fatal, document_types),
    Rule::new("QUOIN-SBDH-PROCESSID", process).at(Flag::Fatal, processes),
    Rule::new("QUOIN-SBDH-COUNTRY", country).at(Flag::Fatal, countries),
    Rule::new("QUOIN-SBDH-MLS-TO", mls_to).at(Flag::Fatal, mls_receivers),
    Rule::new("QUOIN-SBDH-MLS-TYPE", mls_type).at(Flag::Fatal, mls_types),
];

fn headers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    header(facts).into_iter().for_each(visit);
}

fn document_types<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    scope(facts, "DOCUMENTID").into_iter().for_each(visit);
}

fn processes<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    scope(facts, "PROCESSID").into_iter().for_each(visit);
}

fn countries<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    scope(facts, "COUNTRY_C1").into_iter().for_each(visit);
}

fn mls_receivers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    scope(facts, "MLS_TO").into_iter().for_each(visit);
}

fn mls_types<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    scope(facts, "MLS_TYPE").into_iter().for_each(visit);
}

/// The keys of all scopes of a header, with their elements.
fn keys<'d>(header: Element<'d>) -> impl Iterator<Item = (String, Element<'d>)> {
    let scopes = parts(header, "BusinessScope").flat_map(|own| parts(own, "Scope"));
    scopes.map(|scope| (value(scope, "Type"), scope))
}

/// The scopes that every envelope has.
const NEEDED: [&str; 3] = ["DOCUMENTID", "PROCESSID", "COUNTRY_C1"];

fn needed<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let known: HashSet<String> = keys(case.at).map(|(key, _)| key).collect();
    let absent: Vec<&str> = NEEDED.into_iter().filter(|key| !known.contains(*key)).collect();
    let at = case.at.child(SBDH, "BusinessScope").or(Some(case.at));
    let verdict = RuleVerdict::of(absent.is_empty()).element(at);
    Ok(verdict.expected(absent.join(", ")))
}

/// No two scopes have the same key.
fn once<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut known = HashSet::new();
    let twice = keys(case.at).find(|(key, _)| !known.insert(key.clone()));
    Ok(match twice {
        Some((key, scope)) => RuleVerdict::broken().found(key).element(Some(scope)),
        None => RuleVerdict::Holds,
    })
}

/// Broken at the value of a scope.
fn valued<'d>(case: &Case<'_, 'd>, holds: bool, expected: &'static str) -> RuleVerdict<'d> {
    let found = value(case.at, "InstanceIdentifier");
    let at = case.at.child(SBDH, "InstanceIdentifier").or(Some(case.at));
    let verdict = RuleVerdict::of(holds).expected(expected).element(at);
    if found.is_empty() { verdict } else { verdict.found(found) }
}

/// The schemes of document type identifiers.
const TYPES: [&str; 2] = ["busdox-docid-qns", "peppol-doctype-wildcard"];

/// A document type identifier with its customization and version, as no registration writes it.
fn document_type<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (text, scheme) = (value(case.at, "InstanceIdentifier"), value(case.at, "Identifier"));
    let is_type = text.split_once("##").is_some_and(|(root, rest)| {
        let customized = rest.rsplit_once("::");
        !root.is_empty() && customized.is_some_and(|(id, end)| !id.is_empty() && !end.is_empty())
    });
    let is_written = !text.contains(char::is_whitespace) && !text.contains('*');
    let is_known = scheme.is_empty() || TYPES.contains(&scheme.as_str());
    let expected = "{namespace}::{element}##{CustomizationID}::{version}";
    Ok(valued(case, is_type && is_written && is_known, expected))
}

fn process<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = value(case.at, "InstanceIdentifier");
    let holds = !text.is_empty() && !text.contains(char::is_whitespace);
    Ok(valued(case, holds, "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"))
}

fn country<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = value(case.at, "InstanceIdentifier");
    // The list of the reports, since what is not in it makes them invalid.
    let is_known = codes::by_key(COUNTRIES).is_none_or(|list| list.contains(&text));
    Ok(valued(case, is_known, "NL"))
}

/// A participant, with the scheme of participants.
fn mls_to<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_scheme = value(case.at, "Identifier") == PARTICIPANTS;
    let holds = is_scheme && is_participant(&value(case.at, "InstanceIdentifier"));
    Ok(valued(case, holds, "0242:000123"))
}

fn mls_type<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = value(case.at, "InstanceIdentifier");
    let holds = ["FAILURE_ONLY", "ALWAYS_SEND"].contains(&text.as_str());
    Ok(valued(case, holds, "FAILURE_ONLY"))
}
