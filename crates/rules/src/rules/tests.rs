//! The rule sets hold together: tables are there, rules by hand have rows, texts and terms.

mod cii;
mod national;
mod official;
mod pairs;

use std::collections::BTreeMap;

use super::*;
use crate::releases::RULE_SETS;
use quoin_model::Flag;
use quoin_xml::tree::{Document, Element, Limits};

/// The rules of some families that fire at a document element, and how often.
fn fired(root: Element<'_>, families: &[&str]) -> BTreeMap<&'static str, usize> {
    let facts = Facts::new(root, jiff::civil::date(2026, 11, 21));
    let mut fired = BTreeMap::new();
    for set in sets(root, families) {
        set.check(&facts, &mut |hit| *fired.entry(hit.id).or_default() += 1);
    }
    fired
}

/// Whether some set of the families has a rule.
fn have(root: Element<'_>, families: &[&str], id: &str) -> bool {
    sets(root, families).any(|set| set.ids().any(|known| known == id))
}

fn sets(root: Element<'_>, families: &[&str]) -> impl Iterator<Item = &'static RuleSet> {
    let syntax = match root.local() {
        "CrossIndustryInvoice" => Syntax::Cii,
        "CreditNote" => Syntax::UblCreditNote,
        _ => Syntax::UblInvoice,
    };
    families.iter().flat_map(move |family| newest(family, syntax))
}

/// The newest release of a set, whatever its syntax is called by.
fn newest(family: &str, syntax: Syntax) -> Option<&'static RuleSet> {
    let named = |set: &RuleSet| {
        let rest = set.id.strip_prefix(family);
        rest.is_some_and(|rest| ["", "-ubl", "-cii"].contains(&rest))
    };
    RULE_SETS.iter().rev().find(|set| named(set) && set.syntaxes.contains(&syntax))
}

fn tree(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

#[test]
fn every_set_has_its_tables_and_every_rule_its_texts() {
    for set in RULE_SETS.iter() {
        for (id, release) in set.tables {
            assert!(crate::subset::table(id, release).is_some(), "{}: {id} {release}", set.id);
        }
        for rule in set.rules() {
            assert!(
                texts::RuleDescription::of(set, rule.id).is_some(),
                "{}: no text for {}",
                set.id,
                rule.id
            );
        }
    }
}

#[test]
fn a_broken_total_is_found_with_what_was_expected() {
    let text = quoin_formats::samples::document(
        quoin_formats::samples::SampleKind::Invoice,
        quoin_formats::samples::SENDER,
        quoin_formats::samples::RECEIVER,
        "N1",
        2,
    );
    let text = text.replace(
        "<cbc:LineExtensionAmount currencyID=\"EUR\">65.46",
        "<cbc:LineExtensionAmount currencyID=\"EUR\">65.47",
    );
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let facts = Facts::new(document.root(), jiff::civil::date(2026, 11, 21));
    let set = newest("en16931", Syntax::UblInvoice).unwrap();
    let mut hits = Vec::new();
    set.check(&facts, &mut |hit| hits.push(hit));
    let hit = hits.iter().find(|hit| hit.id == "BR-CO-10").unwrap();
    assert_eq!(hit.flag, Flag::Fatal);
    let told = texts::explain(set, hit, facts.outline(), quoin_model::Language::Nl);
    assert_eq!(
        told.message,
        "Som van de regelbedragen (BT-106) moet de som van de regels zijn. \
         Verwacht 65.46, gevonden 65.47."
    );
}

#[test]
fn no_row_by_hand_is_without_rule() {
    for set in RULE_SETS.iter() {
        let missing = set.untested();
        assert!(missing.is_empty(), "{} {}: {missing:?}", set.id, set.coordinate);
    }
}

#[test]
fn every_term_has_a_name_in_every_language() {
    for (id, names) in names::all() {
        assert_eq!(names.len(), 5, "{id}: {names:?}");
        assert!(names.iter().all(|name| !name.trim().is_empty()), "{id}: {names:?}");
    }
}

#[test]
fn profiles_name_rules_that_are_there() {
    for profile in quoin_formats::profiles::PROFILES {
        for (level, _) in profile.levels {
            let rule = level.rsplit('/').next().unwrap();
            let known = RULE_SETS.iter().any(|set| set.ids().any(|id| id == rule));
            assert!(known, "{}: {level}", profile.id);
        }
    }
}
