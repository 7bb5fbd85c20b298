//! Lines of EXTENDED: groups of lines and what is below them, and days with a time.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use quoin_xml::pattern::Pattern;
use quoin_xml::tree::Element;

use super::near_totals::line_totals;
use crate::rules::en16931::cii::transactions;
use crate::rules::values::number::{parse, round};
use crate::rules::values::{RAM, Read, SPACE, normalized, one, ram, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-FXEXT-08", groups_add_up),
    Rule::new("BR-FXEXT-11", has_parent),
    Rule::new("BR-FXEXT-12", all_or_none),
    Rule::new("BR-FXEXT-CII-DT-097a", minute),
];

const LINE: &str = "IncludedSupplyChainTradeLineItem";

/// `ram:AssociatedDocumentLineDocument/ram:…` of a line.
fn own<'d>(line: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    ram(line, "AssociatedDocumentLineDocument").flat_map(move |own| ram(own, local))
}

fn is(line: Element<'_>, kind: &str) -> bool {
    own(line, "LineStatusReasonCode").any(|code| string(code) == kind)
}

/// `normalize-space(path)` of a line.
fn text<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, String> {
    Ok(one(elements)?.map_or_else(String::new, |own| normalized(own).into_owned()))
}

/// `number(x)`: what is no number is not equal to anything.
fn number(text: &str) -> f64 {
    parse(text).unwrap_or(f64::NAN)
}

/// Whether every group of lines with an amount is the sum of the lines below it.
struct LineGroups(Result<bool, quoin_xml::tree::NodeId>);

impl LineGroups {
    fn of(facts: &Facts<'_>) -> LineGroups {
        LineGroups(LineGroups::add_up(facts).map_err(|wrong| wrong.id()))
    }

    fn add_up<'d>(facts: &Facts<'d>) -> Read<'d, bool> {
        let mut below: HashMap<String, f64> = HashMap::new();
        let mut failure: Option<Unreadable<'d>> = None;
        for line in facts.named(RAM, LINE).filter(|line| is(*line, "DETAIL") || is(*line, "GROUP"))
        {
            let (parent, amount) = (text(own(line, "ParentLineID")), text(line_totals(line)));
            match (parent, amount) {
                (Ok(parent), Ok(amount)) => *below.entry(parent).or_default() += number(&amount),
                (Err(wrong), _) | (_, Err(wrong)) => failure = failure.or(Some(wrong)),
            }
        }
        for line in facts.named(RAM, LINE).filter(|line| is(*line, "GROUP")) {
            let stated = text(line_totals(line))?;
            if stated.is_empty() {
                continue;
            }
            let sum = below.get(&text(own(line, "LineID"))?).copied().unwrap_or_default();
            if let Some(wrong) = failure {
                return Err(wrong);
            }
            if number(&stated) != round(sum * 100.0) / 100.0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The published test looks at all groups of the document, at every line.
fn groups_add_up<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let groups = case.memo(LineGroups::of);
    Ok(RuleVerdict::of(groups.0.map_err(|id| Unreadable::at(case, id))?))
}

/// The identifiers of lines.
struct LineIdentifiers(HashSet<String>);

/// The line above a line is there.
fn has_parent<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let lines = case.memo(|facts| {
        let ids = facts.named(RAM, LINE).flat_map(|line| own(line, "LineID"));
        LineIdentifiers(ids.map(|id| normalized(id).into_owned()).collect())
    });
    let parent = one(own(case.at, "ParentLineID"))?;
    let id = parent.map(|parent| normalized(parent).into_owned()).unwrap_or_default();
    Ok(RuleVerdict::of(lines.0.contains(&id)).found(id).element(parent))
}

/// Groups below a line: how many, and how many amounts they have.
#[derive(Default)]
struct Below(HashMap<String, (usize, usize)>);

impl Below {
    fn of(facts: &Facts<'_>) -> Below {
        let mut below = Below::default();
        for line in transactions(facts).flat_map(|own| ram(own, LINE)) {
            if !is(line, "GROUP") {
                continue;
            }
            let amounts = line_totals(line).count();
            let parents: HashSet<String> =
                own(line, "ParentLineID").map(|id| string(id).into_owned()).collect();
            for parent in parents {
                let counts = below.0.entry(parent).or_default();
                counts.0 += 1;
                counts.1 += amounts;
            }
        }
        below
    }
}

/// Where a group has an amount, the groups below it have one too.
fn all_or_none<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let below = case.memo(Below::of);
    let Some(id) = one(own(case.at, "LineID"))? else { return Ok(RuleVerdict::broken()) };
    let (groups, amounts) = below.0.get(&*string(id)).copied().unwrap_or_default();
    Ok(RuleVerdict::of(groups == amounts).found(amounts.to_string()).expected(groups.to_string()))
}

/// Digits of any script, which a year may have.
static YEAR: LazyLock<Option<Pattern>> = LazyLock::new(|| Pattern::xpath(r"^\d{4}$", "").ok());

/// A day with hour and minute, of format 205: `YYYYMMDDHHMM`.
fn minute<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let digits = text.trim_matches(SPACE);
    let parts = digits.char_indices().nth(4).and_then(|(at, _)| digits.split_at_checked(at));
    let holds = parts.is_some_and(|(year, rest)| is_minute(rest) && is_year(year));
    Ok(RuleVerdict::of(holds).found(text))
}

fn is_year(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
        || YEAR.as_ref().is_some_and(|year| year.is_match(text))
}

fn is_minute(text: &str) -> bool {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let within = |range: std::ops::Range<usize>, least: u8, most: u8| {
        let part = text.get(range).and_then(|part| part.parse::<u8>().ok());
        part.is_some_and(|part| (least..=most).contains(&part))
    };
    within(0..2, 1, 12) && within(2..4, 1, 31) && within(4..6, 0, 23) && within(6..8, 0, 59)
}
