//! Why a check never fires, or is never kept: by its own text, by a rule before it, or for a reason
//! that was found by reading it.

use std::collections::{BTreeMap, BTreeSet};

use super::tally::{Judge, Tally, name};

/// What a check did not do on any document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Never {
    Fired,
    Kept,
}

/// What was found by reading: set or `*`, what never happens, rule, reason.
fn read() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = include_str!("unreached.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        <[&str; 4]>::try_from(cells).unwrap_or_else(|_| panic!("four cells: {line}"))
    })
}

/// The checks that never fired or were never kept, by the reason; without one, those that are open.
pub fn by_reason(judge: &Judge, tally: &Tally, what: Never) -> BTreeMap<Option<String>, String> {
    let done = if what == Never::Fired { &tally.fired } else { &tally.held };
    let mut found: BTreeMap<Option<String>, BTreeSet<String>> = BTreeMap::new();
    for number in (0..judge.checks.len()).filter(|number| !done.contains(number)) {
        let why = reason(judge, tally, number, what);
        found.entry(why).or_default().insert(name(&judge.checks[number]));
    }
    let joined = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
    found.into_iter().map(|(why, names)| (why, joined(names))).collect()
}

/// Why a check never did something, where that is known.
pub fn reason(judge: &Judge, tally: &Tally, number: usize, what: Never) -> Option<String> {
    let check = &judge.checks[number];
    let (fires, keeps) = match check.is_report {
        true => ("true()", "false()"),
        false => ("false()", "true()"),
    };
    // A path to an element of this name, where a function of this name was meant.
    let test = if check.test.trim() == "false" { "false()" } else { check.test.trim() };
    if test == (if what == Never::Fired { keeps } else { fires }) {
        return Some(format!("its test is `{test}`"));
    }
    // What fires wherever its rule is run, and did not where another check of the same context was
    // tested, is in a rule that is not run: an earlier one of its pattern takes the elements.
    let is_tested = |other: &usize| {
        *other != number
            && judge.checks[*other].context == check.context
            && (tally.fired.contains(other) || tally.held.contains(other))
    };
    if test == fires
        && !tally.fired.contains(&number)
        && (0..judge.checks.len()).any(|other| is_tested(&other))
    {
        return Some("an earlier rule of its pattern has the same context".to_owned());
    }
    let is_earlier = |other: &usize| {
        let other = &judge.checks[*other];
        (&other.pattern, &other.context) == (&check.pattern, &check.context)
            && other.rule != check.rule
    };
    if (0..number).any(|other| is_earlier(&other)) {
        return Some("an earlier rule of its pattern has the same context".to_owned());
    }
    // A name without a prefix is in no namespace.
    let start = check.context.trim().strip_prefix('/').unwrap_or_default();
    let first = start.split(['/', '[']).next().unwrap_or_default();
    if first.starts_with(char::is_alphabetic) && !first.contains(':') {
        return Some("its context names the document element without its namespace".to_owned());
    }
    let word = if what == Never::Fired { "fired" } else { "kept" };
    let own = read().find(|[set, never, rule, _]| {
        (*set == "*" || *set == judge.set.id) && *never == word && *rule == name(check)
    });
    own.map(|[.., reason]| reason.to_owned())
}

#[test]
fn every_reason_is_about_a_rule_that_there_is() {
    use quoin_rules::releases::RULE_SETS;
    for [set, never, rule, reason] in read() {
        let mut sets = RULE_SETS.iter().filter(|own| set == "*" || own.id == set);
        assert!(sets.any(|own| own.ids().any(|id| id == rule)), "{set} has no {rule}");
        assert!(["fired", "kept"].contains(&never) && reason.len() > 20, "{set} {rule}");
    }
}
