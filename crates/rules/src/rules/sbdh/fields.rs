//! The header itself: version, partners, identification, and one payload after it.

use super::{header, parts, payloads};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_formats::detection::SBDH;
use quoin_model::Flag;
use quoin_model::text::trimmed;
use quoin_model::{Patch, PatchKind};

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-SBDH-HEADER", one_header).at(Flag::Fatal, envelope),
    Rule::new("QUOIN-SBDH-PAYLOAD", one_payload).at(Flag::Fatal, envelope),
    Rule::new("QUOIN-SBDH-VERSION", version).at(Flag::Fatal, headers),
    Rule::new("QUOIN-SBDH-PARTNER", partners).at(Flag::Fatal, headers),
    Rule::new("QUOIN-SBDH-AUTHORITY", authority).at(Flag::Fatal, identifiers),
    Rule::new("QUOIN-SBDH-PARTICIPANT", participant).at(Flag::Fatal, identifiers),
    Rule::new("QUOIN-SBDH-FIELD", fields).at(Flag::Fatal, headers),
    Rule::new("QUOIN-SBDH-CREATED", created).at(Flag::Fatal, creations),
];

fn envelope<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    visit(facts.root());
}

fn headers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    header(facts).into_iter().for_each(visit);
}

fn identifiers<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    let Some(header) = header(facts) else { return };
    let partners = parts(header, "Sender").chain(parts(header, "Receiver"));
    partners.flat_map(|partner| parts(partner, "Identifier")).for_each(visit);
}

fn creations<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    let header = header(facts).into_iter();
    let identified = header.flat_map(|header| parts(header, "DocumentIdentification"));
    let dates = identified.flat_map(|own| parts(own, "CreationDateAndTime"));
    dates.filter(|date| !trimmed(*date).is_empty()).for_each(visit);
}

/// The envelope begins with its header, and has no other.
fn one_header<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut headers = case.at.children_named(SBDH, "StandardBusinessDocumentHeader");
    let first = headers.next();
    let is_first = first.is_some() && first == case.at.elements().next();
    let second = headers.next();
    Ok(RuleVerdict::of(is_first && second.is_none()).element(second.or(Some(case.at))))
}

/// One element follows the header, and it is no envelope.
fn one_payload<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut payloads = payloads(case);
    let first = payloads.next();
    let second = payloads.next();
    let is_nested = first.is_some_and(|own| own.namespace() == SBDH);
    let holds = first.is_some() && second.is_none() && !is_nested;
    let wrong = if is_nested { first } else { second.or(Some(case.at)) };
    let found = wrong.filter(|own| *own != case.at).map(|own| own.qualified_name());
    let verdict = RuleVerdict::of(holds).element(wrong);
    Ok(match found {
        Some(found) => verdict.found(found),
        None => verdict,
    })
}

fn version<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let versions = || parts(case.at, "HeaderVersion");
    let holds = versions().count() == 1 && versions().all(|own| trimmed(own) == "1.0");
    let verdict = RuleVerdict::of(holds).expected("1.0");
    Ok(match versions().next() {
        Some(own) => verdict.found(trimmed(own)).element(Some(own)),
        None => verdict,
    })
}

/// One sender and one receiver, each with one identifier.
fn partners<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    for role in ["Sender", "Receiver"] {
        let partners = || parts(case.at, role);
        let count = partners().count();
        let named = partners().flat_map(|partner| parts(partner, "Identifier")).count();
        if count != 1 || named != 1 {
            let wrong = partners().nth(1).or_else(|| partners().next());
            let verdict = RuleVerdict::broken().found(role).element(wrong.or(Some(case.at)));
            return Ok(verdict.expected("1"));
        }
    }
    Ok(RuleVerdict::Holds)
}

/// The scheme of participant identifiers.
pub(super) const PARTICIPANTS: &str = "iso6523-actorid-upis";

fn authority<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let found = case.at.attribute("Authority");
    let verdict = RuleVerdict::of(found == Some(PARTICIPANTS)).expected(PARTICIPANTS);
    let Some(found) = found else {
        // An identifier that is one of a participant can be of no other authority.
        let sure = is_participant(&trimmed(case.at));
        let (xpath, value) = ("@Authority".to_owned(), PARTICIPANTS.to_owned());
        let patch = Patch { xpath, kind: PatchKind::SetAttribute, value };
        return Ok(if sure { verdict.patch(patch) } else { verdict });
    };
    Ok(verdict.found(found))
}

/// A code of four digits, a colon, and something without white space.
pub(super) fn is_participant(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, value)| {
        let is_code = scheme.len() == 4 && scheme.bytes().all(|byte| byte.is_ascii_digit());
        is_code && !value.is_empty() && !value.contains(char::is_whitespace)
    })
}

fn participant<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = trimmed(case.at);
    Ok(RuleVerdict::of(is_participant(&text)).found(text).expected("0106:12345678"))
}

/// The parts of the identification that are there once, with a value.
const FIELDS: [&str; 5] =
    ["Standard", "TypeVersion", "InstanceIdentifier", "Type", "CreationDateAndTime"];

fn fields<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut all = parts(case.at, "DocumentIdentification");
    let Some(identification) = all.next() else {
        return Ok(RuleVerdict::broken().found("DocumentIdentification"));
    };
    if let Some(second) = all.next() {
        return Ok(RuleVerdict::broken().found("DocumentIdentification").element(Some(second)));
    }
    let is_wrong = |local: &&str| {
        let mut own = identification.children_named(SBDH, local);
        let is_given = own.next().is_some_and(|own| !trimmed(own).is_empty());
        !is_given || own.next().is_some()
    };
    Ok(match FIELDS.into_iter().find(|local| is_wrong(local)) {
        Some(local) => {
            let at = parts(identification, local).next().unwrap_or(identification);
            RuleVerdict::broken().found(local).element(Some(at))
        }
        None => RuleVerdict::Holds,
    })
}

/// A moment with a time zone.
fn created<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = trimmed(case.at);
    let is_moment = text.as_bytes().get(10) == Some(&b'T') && !text.contains('[');
    let holds = is_moment && text.parse::<jiff::Timestamp>().is_ok();
    Ok(RuleVerdict::of(holds).found(text).expected("2026-05-31T12:00:00Z"))
}
