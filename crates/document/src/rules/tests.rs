//! The rules: the tables hold together, each rule fires and keeps quiet where it must, and the
//! verdicts are those of the official unit tests.

mod official;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::profiles::PROFILES;
use crate::report::Step;
use quoin_xml::tree::{Document, Limits};

/// The rules of some sets that fire at a document element, and how often.
fn fired(root: Element<'_>, sets: &[&str]) -> BTreeMap<&'static str, usize> {
    let invoice = Invoice::new(root);
    let mut sink = Sink::default();
    sink.begin(Step::Rules);
    for set in RULE_SETS.iter().filter(|set| sets.contains(&set.id)) {
        set.rules().for_each(|rule| rule.run(&invoice, &[], &mut sink));
    }
    let mut counts = BTreeMap::new();
    sink.fired().into_iter().for_each(|rule| *counts.entry(rule).or_default() += 1);
    counts
}

fn tree(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn identifiers_are_unique_in_a_set_and_rules_say_what_they_ask_for() {
    for set in RULE_SETS {
        let mut seen = BTreeSet::new();
        for rule in set.rules() {
            assert!(seen.insert(rule.id), "{} twice in {}", rule.id, set.id);
            assert!(rule.asks.ends_with('.'), "{}: {}", rule.id, rule.asks);
            let known = rule.terms.iter().all(|t| t.starts_with("BT-") || t.starts_with("BG-"));
            assert!(known, "{}: {:?}", rule.id, rule.terms);
        }
    }
    for profile in PROFILES {
        for id in profile.rule_sets {
            assert!(RULE_SETS.iter().any(|set| set.id == *id), "{}: {id}", profile.id);
        }
        for eased in profile.eased {
            let known = RULE_SETS.iter().flat_map(|set| set.rules()).any(|rule| rule.id == *eased);
            assert!(known, "{}: {eased}", profile.id);
        }
    }
}

#[test]
fn the_release_is_picked_by_the_day() {
    let day = jiff::civil::date;
    assert!(RuleSet::in_force("en16931", day(2026, 5, 1)).is_some());
    assert!(RuleSet::in_force("en16931", day(2000, 1, 1)).is_none());
    assert!(RuleSet::in_force("nonsense", day(2026, 5, 1)).is_none());
}
