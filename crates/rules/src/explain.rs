//! What a rule is: what it asks, where, in which sets, about which terms, and who fixes it.
//!
//! ```text
//! id ── explain ──► Explanation ── Text (a terminal) or serde (JSON)
//!    ── near ──► rules with nearly that name
//! ```
//! It is put together from what the rules are made of: the sentences of rules by hand
//! ([`crate::rules::texts`]), the rows of structure tables ([`crate::subset::Asked`]), our own
//! findings ([`crate::own`]) and the clauses of XML Schema. Nothing is written twice; a rule that
//! is added is explained.

mod near;
pub(crate) mod own;
pub mod pages;
mod text;
pub(crate) mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::Serialize;

use crate::releases as packages;
use crate::releases::RULE_SETS;
use crate::rules::texts::{RuleDescription, term};
use crate::rules::{RulePlace, RuleSet};
use crate::subset;
use crate::subset::{Example, RowInRule};
use quoin_model::Language;
use quoin_model::{FixBy, Flag};

pub use near::near;
pub use text::ExplanationText;

/// A rule in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Its identifier, as its authority writes it.
    pub id: String,
    /// The language of the texts.
    pub language: Language,
    /// Who can fix what it finds.
    pub fix_by: FixBy,
    /// Whether findings may come with a change that fixes them for sure.
    pub patch: bool,
    /// The business terms and groups of EN 16931 that it is about.
    pub terms: Vec<ExplainedTerm>,
    /// What it asks. Several, where sets or releases use the identifier differently, or ask
    /// several things under it.
    pub meanings: Vec<RuleMeaning>,
}

/// A business term or group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedTerm {
    /// Its identifier: `BT-112`, `BG-22`.
    pub id: String,
    /// Its name with the identifier; the identifier alone where it has no name here.
    pub name: String,
}

/// What a rule asks in some sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleMeaning {
    /// The sentence; `…` stands for values of a document.
    pub asks: String,
    /// Whether breaking it stops the document.
    pub flag: Flag,
    /// What is right and what is wrong, where that is short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
    /// Where it is asked; nowhere for what is our own.
    pub tested: Vec<Tested>,
}

/// Where some sets test a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tested {
    /// The elements, as XPath; empty where they are told by code.
    pub places: Vec<String>,
    /// The sets that test it there.
    pub sets: Vec<SetRelease>,
}

/// A release of a rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SetRelease {
    /// The set: `en16931-ubl`.
    pub set: &'static str,
    /// Its coordinate: `eu.cen.en16931:ubl:1.3.16`.
    pub coordinate: &'static str,
    /// The first day on which documents may be judged by it; none for the oldest that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Date>,
    /// The first day on which it does not apply any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
}

/// Explains a rule; `None` where no set has it. Upper and lower case are the same, unless two rules
/// differ in nothing else.
pub fn explain(id: &str, language: Language) -> Option<Explanation> {
    own::explain(id, language)
        .or_else(|| of_sets(language, &|own| own == id))
        .or_else(|| of_sets(language, &|own| own.eq_ignore_ascii_case(id)))
        .or_else(|| own::clause(id, language))
}

/// The identifiers of all rules that can be explained, in the order of their characters. The
/// clauses of XML Schema are not among them.
pub fn ids() -> BTreeSet<&'static str> {
    let own = crate::own::all().map(|own| own.id);
    let sets = RULE_SETS.iter().flat_map(RuleSet::tested);
    own.chain(sets).collect()
}

/// The rules of a release, each with what it asks there, in the order of its tables. A rule that
/// asks several things is there several times.
pub fn of_set(set: &'static RuleSet, language: Language) -> Vec<(&'static str, RuleMeaning)> {
    let mut found = Vec::new();
    meanings(set, language, &|_| true, &mut |id, meaning| found.push((id, meaning)));
    found
}

fn of_sets(language: Language, wanted: &dyn Fn(&str) -> bool) -> Option<Explanation> {
    let mut all: Vec<RuleMeaning> = Vec::new();
    let mut known: Option<(&'static str, &'static RuleSet)> = None;
    for set in RULE_SETS.iter() {
        meanings(set, language, wanted, &mut |own, meaning| {
            known.get_or_insert((own, set));
            add(&mut all, meaning);
        });
    }
    let (id, set) = known?;
    let entry = RuleDescription::of(set, id);
    let terms = entry.map_or(&[][..], |entry| &entry.terms);
    Some(Explanation {
        id: id.to_owned(),
        language,
        fix_by: entry.map_or(FixBy::SourceSystem, |entry| entry.fix_by),
        patch: entry.is_some_and(|entry| entry.patch),
        terms: terms.iter().map(|id| named(id, language)).collect(),
        meanings: all,
    })
}

/// Adds a meaning, or its places and sets to one that says the same.
fn add(all: &mut Vec<RuleMeaning>, new: RuleMeaning) {
    let same = |old: &&mut RuleMeaning| old.asks == new.asks && old.flag == new.flag;
    let Some(old) = all.iter_mut().find(same) else { return all.push(new) };
    for Tested { places, sets } in new.tested {
        let Some(own) = old.tested.iter_mut().find(|own| own.places == places) else {
            old.tested.push(Tested { places, sets });
            continue;
        };
        let sets = sets.into_iter().filter(|set| !own.sets.contains(set));
        own.sets.extend(sets.collect::<Vec<_>>());
    }
}

fn named(id: &str, language: Language) -> ExplainedTerm {
    let name = term(id, language).unwrap_or_else(|| id.to_owned());
    ExplainedTerm { id: id.to_owned(), name }
}

/// What the rules of a release ask, those with a wanted identifier.
fn meanings(
    set: &'static RuleSet,
    language: Language,
    wanted: &dyn Fn(&str) -> bool,
    visit: &mut dyn FnMut(&'static str, RuleMeaning),
) {
    let sets = || {
        let (from, until) = packages::span(set.coordinate);
        vec![SetRelease { set: set.id, coordinate: set.coordinate, from, until }]
    };
    for (id, release) in set.tables {
        let rows = subset::table(id, release).into_iter().flat_map(|table| table.asked());
        for asked in rows.filter(|asked| wanted(asked.row.id)) {
            visit(asked.row.id, of_row(set, &asked, sets(), language));
        }
    }
    for rule in set.rules().filter(|rule| wanted(rule.id)) {
        if let RulePlace::Own(flag, _) = rule.place {
            let entry = RuleDescription::of(set, rule.id);
            let asks = entry.and_then(|entry| entry.asks(rule.id, "…", language));
            let tested = vec![Tested { places: Vec::new(), sets: sets() }];
            let asks = asks.unwrap_or_default();
            visit(rule.id, RuleMeaning { asks, flag, example: None, tested });
        }
    }
}

fn of_row(
    set: &RuleSet,
    asked: &RowInRule<'_>,
    sets: Vec<SetRelease>,
    language: Language,
) -> RuleMeaning {
    let row = asked.row;
    let by_hand = || RuleDescription::of(set, row.id)?.asks(row.id, &asked.element(), language);
    let asks = by_hand().or_else(|| asked.text(language));
    let asks = asks.unwrap_or_else(|| words::NO_SENTENCE.in_language(language).to_owned());
    let tested = vec![Tested { places: asked.places(), sets }];
    RuleMeaning { asks, flag: row.flag, example: asked.example(), tested }
}
