//! Periods and times: the end is not before the start, and times have a time zone.

use quoin_xml::tree::Element;

use super::times::{has_zone, moment};
use crate::rules::values::{Read, cbc, one, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const T120: &[Rule] =
    &[Rule::new("PEPPOL-T120-R012", days), Rule::new("PEPPOL-T120-R015", moments)];

pub(super) const T123: &[Rule] = &[
    Rule::new("PEPPOL-T123-R012", days),
    Rule::new("PEPPOL-T123-R015", moments),
    Rule::new("PEPPOL-T123-R016", start_zone),
    Rule::new("PEPPOL-T123-R017", end_zone),
    Rule::new("PEPPOL-T123-R018", zone),
];

pub(super) const T124: &[Rule] = &[
    Rule::new("PEPPOL-T124-R012", days),
    Rule::new("PEPPOL-T124-R015", moments),
    Rule::new("PEPPOL-T124-R016", start_zone),
    Rule::new("PEPPOL-T124-R017", end_zone),
    Rule::new("PEPPOL-T124-R018", zone),
];

pub(super) const T125: &[Rule] = &[
    Rule::new("PEPPOL-T125-R012", days),
    Rule::new("PEPPOL-T125-R015", moments),
    Rule::new("PEPPOL-T125-R016", start_zone),
    Rule::new("PEPPOL-T125-R017", end_zone),
    Rule::new("PEPPOL-T125-R022", days),
    Rule::new("PEPPOL-T125-R025", moments),
    Rule::new("PEPPOL-T125-R026", start_zone),
    Rule::new("PEPPOL-T125-R027", end_zone),
    Rule::new("PEPPOL-T125-R018", issue_zone),
];

pub(super) const T126: &[Rule] = &[Rule::new("PEPPOL-T126-R018", zone)];

pub(super) const T127: &[Rule] = &[Rule::new("PEPPOL-T127-R018", zone)];

pub(super) const T128: &[Rule] =
    &[Rule::new("PEPPOL-T128-R012", days), Rule::new("PEPPOL-T128-R015", moments)];

/// The end beside the start.
fn beside<'d>(holds: bool, start: Option<Element<'d>>, end: Element<'d>) -> RuleVerdict<'d> {
    let verdict = RuleVerdict::of(holds).found(string(end)).element(Some(end));
    match start {
        Some(start) => verdict.expected(string(start)),
        None => verdict,
    }
}

/// The days are compared as texts without their hyphens.
fn days<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "EndDate").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let (start, end) = (one(cbc(case.at, "StartDate"))?, one(cbc(case.at, "EndDate"))?);
    let Some(end) = end else { return Ok(RuleVerdict::Holds) };
    let digits = |element| string(element).replace('-', "");
    Ok(beside(start.map(digits).unwrap_or_default() <= digits(end), start, end))
}

fn moments<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local: &&str| cbc(case.at, local).next().is_some();
    if !["StartDate", "StartTime", "EndDate", "EndTime"].iter().all(has) {
        return Ok(RuleVerdict::Holds);
    }
    let pair = |date, time| -> Read<'d, _> {
        let (date, time) = (one(cbc(case.at, date))?, one(cbc(case.at, time))?);
        let found = date.zip(time);
        found.map(|(date, time)| Ok((time, moment(date, time)?))).transpose()
    };
    let (end, start) = (pair("EndDate", "EndTime")?, pair("StartDate", "StartTime")?);
    let (Some((end, last)), Some((start, first))) = (end, start) else {
        return Ok(RuleVerdict::Holds);
    };
    Ok(beside(last >= first, Some(start), end))
}

fn has_zone_if_there<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let Some(time) = one(cbc(case.at, local))? else { return Ok(RuleVerdict::Holds) };
    Ok(RuleVerdict::of(has_zone(time)?).found(string(time)).element(Some(time)))
}

fn start_zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    has_zone_if_there(case, "StartTime")
}

fn end_zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    has_zone_if_there(case, "EndTime")
}

fn zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(has_zone(case.at)?).found(string(case.at)))
}

/// The document has a time of issue, with a time zone.
fn issue_zone<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    match cbc(case.at, "IssueTime").next() {
        Some(_) => has_zone_if_there(case, "IssueTime"),
        None => Ok(RuleVerdict::broken()),
    }
}
