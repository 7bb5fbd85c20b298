//! The shapes of dates, times and identifiers of service providers.

use std::sync::LazyLock;

use quoin_xml::pattern::Pattern;
use quoin_xml::tree::Element;

use crate::rules::postaward::reading::wrong;
use crate::rules::values::{Read, cac, cbc, normalized, one, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

/// Message level status.
pub(super) const MLS: &[Rule] = &[
    Rule::new("SCH-MLS-04", issue_date),
    Rule::new("SCH-MLS-06", issue_time),
    Rule::new("SCH-MLS-09", |case| provider(case, "SenderParty")),
    Rule::new("SCH-MLS-14", |case| provider(case, "ReceiverParty")),
];

/// Transaction statistics report.
pub(super) const TSR: &[Rule] = &[
    Rule::new("SCH-TSR-40", |case| day(case, "StartDate")),
    Rule::new("SCH-TSR-41", |case| day(case, "EndDate")),
    Rule::new("SCH-TSR-42", period),
    Rule::new("SCH-TSR-18", reporter),
    Rule::new("SCH-TSR-19", |case| Ok(seat(case.at))),
];

/// End user statistics report.
pub(super) const EUSR: &[Rule] = &[
    Rule::new("SCH-EUSR-16", |case| day(case, "StartDate")),
    Rule::new("SCH-EUSR-17", |case| day(case, "EndDate")),
    Rule::new("SCH-EUSR-18", period),
    Rule::new("SCH-EUSR-08", reporter),
];

/// A regular expression of XPath with its flags.
type LexicalPattern = LazyLock<Option<Pattern>>;

/// The end of a time: its time zone.
static ZONE: LexicalPattern = LazyLock::new(|| Pattern::xpath(r"([+-]\d{2}:\d{2}|Z)$", "").ok());
/// A service provider: six digits of its certificate, and its own departments.
static PROVIDER: LexicalPattern = LazyLock::new(|| {
    let text = r"^[0-9]{6}(-[0-9A-Z_]{3,12}(\.[0-9A-Z\-._~]{3,24})?)?$";
    Pattern::xpath(text, "i").ok()
});

fn fits(shape: &LexicalPattern, text: &str) -> bool {
    shape.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// A shape in which each `0` stands for a digit and each `A` for a capital letter.
fn looks_like(shape: &str, text: &str) -> bool {
    let is = |(sign, own): (u8, u8)| match sign {
        b'0' => own.is_ascii_digit(),
        b'A' => own.is_ascii_uppercase(),
        _ => sign == own,
    };
    shape.len() == text.len() && shape.bytes().zip(text.bytes()).all(is)
}

fn issue_date<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let date = one(cbc(case.at, "IssueDate"))?;
    let holds = date.is_some_and(|date| normalized(date).chars().count() == 10);
    Ok(wrong(holds, date.into_iter()))
}

fn issue_time<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let time = one(cbc(case.at, "IssueTime"))?;
    let holds = time.is_some_and(|time| fits(&ZONE, &normalized(time)));
    Ok(wrong(holds, time.into_iter()))
}

fn provider<'d>(case: &Case<'_, 'd>, role: &'static str) -> Outcome<'d> {
    let address = one(cac(case.at, role).flat_map(|party| cbc(party, "EndpointID")))?;
    let holds = address.is_some_and(|address| fits(&PROVIDER, &normalized(address)));
    Ok(wrong(holds, address.into_iter()))
}

/// The elements of a name in the period of a report, of the namespace of the report.
fn of_period<'d>(header: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    let namespace = header.namespace();
    let periods = header.children_named(namespace, "ReportPeriod");
    periods.flat_map(move |period| period.children_named(namespace, local))
}

fn day<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    let day = one(of_period(case.at, local))?;
    let holds = day.is_some_and(|day| looks_like("0000-00-00", &normalized(day)));
    Ok(wrong(holds, day.into_iter()))
}

/// The end is not before the start; both are compared as texts.
fn period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let starts = || of_period(case.at, "StartDate").map(string);
    let mut ends = of_period(case.at, "EndDate");
    let holds = ends.any(|end| starts().any(|start| string(end) >= start));
    let verdict = wrong(holds, of_period(case.at, "EndDate"));
    Ok(match starts().next() {
        Some(start) => verdict.expected(start),
        None => verdict,
    })
}

/// The identifier of a Peppol seat: `PNL000123`.
fn seat<'d>(element: Element<'d>) -> RuleVerdict<'d> {
    let holds = looks_like("PAA000000", &normalized(element));
    wrong(holds, std::iter::once(element))
}

fn reporter<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_certificate = case.at.attribute("schemeID") == Some("CertSubjectCN");
    let verdict: Read<'d, _> = Ok(seat(case.at));
    if is_certificate { verdict } else { Ok(RuleVerdict::Holds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_providers() {
        for text in ["000123", "000123-AB_", "000123-abc.x-~", "000123-ABCDEFGHIJKL.A.B"] {
            assert!(fits(&PROVIDER, text), "{text}");
        }
        for text in ["00012", "0001234", "000123-", "000123-AB", "000123.ABC", "A00123", ""] {
            assert!(!fits(&PROVIDER, text), "{text}");
        }
    }

    #[test]
    fn shapes_are_digits_and_capitals() {
        assert!(looks_like("PAA000000", "PNL000123") && looks_like("0000-00-00", "2026-13-99"));
        for text in ["pnl000123", "PNL00012", "PN1000123", "PNL0001234", "PNL00012é"] {
            assert!(!looks_like("PAA000000", text), "{text}");
        }
    }

    #[test]
    fn a_time_ends_with_its_zone() {
        assert!(fits(&ZONE, "10:00:00Z") && fits(&ZONE, "10:00:00-05:30"));
        assert!(!fits(&ZONE, "10:00:00") && !fits(&ZONE, "10:00:00+5:30"));
    }
}
