//! The built-in rule sets on one document.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use quoin_xml::tree::{Element, NodeId};

use super::plan::ValidationPlan;
use super::{FindingDraft, Sink};
use crate::releases::Package;
use crate::report::Difference;
use crate::rules::texts::{RuleDescription, explain};
use crate::rules::{BrokenRule, Facts, RuleSet, sbdh};
use quoin_formats::profiles::Profile;
use quoin_model::{FixBy, ValidationStep};

/// The sets of a plan, and the document they judge.
pub(super) struct Builtin<'p, 'd> {
    pub(super) plan: &'p ValidationPlan<'p>,
    pub(super) facts: Facts<'d>,
    profile: Option<&'static Profile>,
    /// Elements with which the structure found something.
    said: HashSet<NodeId>,
}

impl<'p, 'd> Builtin<'p, 'd> {
    pub(super) fn new(plan: &'p ValidationPlan<'p>, root: Element<'d>) -> Builtin<'p, 'd> {
        let profile = plan.profile();
        let (facts, said) = (Facts::new(root, plan.on).at(plan.at), HashSet::new());
        Builtin { plan, facts, profile, said }
    }

    /// Keeps which elements the structure step has found something with.
    pub(super) fn after_structure(&mut self, sink: &Sink<'d>) {
        self.said = sink.structural().collect();
    }

    pub(super) fn has_rules(&self) -> bool {
        !self.plan.builtin.is_empty()
    }

    /// Runs the sets of the envelope around the document; answers what they are called.
    pub(super) fn envelope(
        &self,
        envelope: Element<'d>,
        sink: &mut Sink<'d>,
    ) -> impl Iterator<Item = Cow<'static, str>> + use<> {
        let facts = Facts::new(envelope, self.plan.on);
        let package = Package::by_id(sbdh::PACKAGE).and_then(|own| own.on(self.plan.on));
        let sets = package.into_iter().flat_map(|own| own.now.rule_sets());
        let sets: Vec<&'static RuleSet> = sets.collect();
        for set in &sets {
            self.run_on(&facts, set, sink);
        }
        sets.into_iter().map(|set| Cow::Borrowed(set.coordinate))
    }

    /// Runs one set.
    pub(super) fn run_set(&self, set: &'static RuleSet, sink: &mut Sink<'d>) {
        self.run_on(&self.facts, set, sink);
    }

    fn run_on(&self, facts: &Facts<'d>, set: &'static RuleSet, sink: &mut Sink<'d>) {
        set.check(facts, &mut |hit| self.take(set, hit, sink));
    }

    /// Takes over a broken rule.
    pub(super) fn take(&self, set: &'static RuleSet, hit: BrokenRule<'d>, sink: &mut Sink<'d>) {
        // What is no number or no date has been said with the structure.
        let value = hit.detail.element.unwrap_or(hit.context).id();
        if !hit.failed || !self.said.contains(&value) {
            sink.push(self.draft(set, hit, sink.is_full()));
        }
    }

    /// What a broken rule is in a report; one that is only `counted` is not put into words.
    fn draft(&self, set: &'static RuleSet, hit: BrokenRule<'d>, counted: bool) -> FindingDraft<'d> {
        let level = self.profile.and_then(|profile| profile.level(set.id, hit.id));
        let by = (level.unwrap_or(hit.flag), FixBy::SourceSystem);
        let draft = FindingDraft::new(hit.id, by, Some(hit.context), String::new());
        if counted {
            return draft;
        }
        let entry = RuleDescription::of(set, hit.id);
        let fix_by = entry.map_or(FixBy::SourceSystem, |entry| entry.fix_by);
        let outline = self.facts.outline();
        let wrong = || hit.row.and_then(|(table, row)| table.culprit(row, hit.context, outline));
        let element = hit.detail.element.or_else(wrong).or(Some(hit.context));
        let told = explain(set, &hit, outline, self.plan.language);
        FindingDraft {
            fix_by,
            message: told.message,
            value: told.found,
            expected: told.expected,
            terms: entry.map_or(&[], |entry| &entry.terms),
            patch: hit.detail.patch,
            element,
            ..draft
        }
    }

    /// The rules on which these sets and the official ones do not agree: one fired and the other
    /// did not. A set that decides itself is not compared, since no official file has its rules.
    pub(super) fn differences(&self, official: &Sink<'d>) -> Vec<Difference> {
        let mut builtin = Sink::default();
        builtin.begin(ValidationStep::Rules);
        let sets = self.plan.builtin.iter().copied();
        let sets: Vec<_> = sets.filter(|set| !self.plan.is_left_to_us(set)).collect();
        self.run(&sets, &mut builtin);
        let has = |rule: &str| sets.iter().any(|set| set.ids().any(|id| id == rule));
        let times =
            |sink: &Sink<'_>, rule: &str| sink.fired().get(rule).copied().unwrap_or_default();
        let all: BTreeSet<&str> =
            builtin.fired().keys().chain(official.fired().keys()).map(|rule| &**rule).collect();
        all.into_iter()
            .filter(|rule| !self.plan.decides(rule))
            .map(|rule| Difference {
                rule: rule.to_owned(),
                rule_set: self.set_of(rule, official),
                builtin: has(rule).then(|| times(&builtin, rule)),
                official: times(official, rule),
            })
            .filter(|found| (found.builtin.unwrap_or_default() > 0) != (found.official > 0))
            .collect()
    }

    /// The set that has a rule: one of ours, or else the official one that fired it.
    fn set_of(&self, rule: &str, official: &Sink<'_>) -> Cow<'static, str> {
        let ours = self.plan.builtin.iter().find(|set| set.ids().any(|id| id == rule));
        let fired = || official.drafts().find(|(_, draft)| draft.rule == rule);
        match ours {
            Some(set) => Cow::Borrowed(set.coordinate),
            None => fired().and_then(|(_, draft)| draft.rule_set.clone()).unwrap_or_default(),
        }
    }
}
