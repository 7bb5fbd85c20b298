//! The releases of a package on one document: the one in force, the one that may be used already,
//! and what the next one finds.
//!
//! Between the day of its publication and the day from which it is mandatory, a document may pass a
//! release or the one before it. What the newer one finds is then a warning that names the day.

use std::collections::HashMap;

use quoin_xml::tree::Element;

use super::Sink;
use super::builtin::Builtin;
use super::plan::ValidationPlan;
use super::sink::FindingDraft;
use crate::releases::Release;
use crate::report::Coming;
use crate::rules::RuleSet;
use quoin_formats::ParsedDocument;
use quoin_model::{Finding, Flag, ValidationStep};

/// Runs the built-in sets of the release in force, or of the one that may be used already where the
/// document keeps its rules and not the others; answers which release judged.
pub(super) fn run<'d>(builtin: &Builtin<'_, 'd>, sink: &mut Sink<'d>) -> Option<&'static Release> {
    let plan = builtin.plan;
    let mark = sink.mark();
    builtin.run(&plan.ours().collect::<Vec<_>>(), sink);
    let now = plan.choice.applied.map(|applied| applied.now);
    let Some(newer) = plan.allowed() else { return now };
    let sets: Vec<&RuleSet> = newer.rule_sets().filter(|set| plan.is_left_to_us(set)).collect();
    let mut tried = Sink::speaking(plan.language);
    tried.begin(ValidationStep::Rules);
    builtin.run(&sets, &mut tried);
    if sink.fatal_since(&mark) > 0 && tried.fatal() == 0 {
        sink.rewind(mark);
        builtin.run(&sets, sink);
        return Some(newer);
    }
    let place = |draft: &FindingDraft<'d>| (draft.rule.clone(), draft.element.map(Element::id));
    let known: HashMap<_, _> =
        sink.drafts().map(|(_, draft)| (place(draft), draft.flag == Flag::Fatal)).collect();
    for (_, draft) in tried.into_drafts() {
        match known.get(&place(&draft)) {
            None => sink.push(draft.warning_until(newer)),
            Some(false) if draft.flag == Flag::Fatal => sink.becomes_fatal(&draft, newer),
            Some(_) => {}
        }
    }
    now
}

/// What the next release of each set finds that the present one does not, or has as a warning.
pub(super) fn coming(
    parsed: &ParsedDocument,
    plan: &ValidationPlan<'_>,
    now: &[Finding],
) -> Vec<Coming> {
    let Some(root) = parsed.root() else { return Vec::new() };
    let mut all = Vec::new();
    for set in &plan.coming {
        let mut sink = Sink::speaking(plan.language);
        sink.begin(ValidationStep::Rules);
        set.engine.check(root, plan.on, &mut |hit| sink.hit(set, plan.profile(), hit));
        all.extend(set.from.map(|from| (set.coordinate.as_str().to_owned(), from, sink)));
    }
    let next = plan.choice.applied.and_then(|applied| applied.coming);
    if let Some(next) = next.filter(|_| plan.tells_coming) {
        let builtin = Builtin::new(plan, root);
        let is_new = |set: &&'static RuleSet| {
            plan.is_left_to_us(set)
                && plan.builtin.iter().all(|own| own.coordinate != set.coordinate)
        };
        for set in next.rule_sets().filter(is_new) {
            let mut sink = Sink::speaking(plan.language);
            sink.begin(ValidationStep::Rules);
            builtin.run_set(set, &mut sink);
            all.push((set.coordinate.to_owned(), next.published, sink));
        }
    }
    let is_told = |finding: &Finding| finding.flag == Flag::Fatal || finding.fatal_from.is_some();
    let known: HashMap<_, _> = now.iter().map(|finding| (key(finding), is_told(finding))).collect();
    all.into_iter()
        .map(|(rule_set, from, sink)| {
            let mut findings = sink.found(None).findings;
            findings.retain(|finding| match known.get(&key(finding)) {
                None => true,
                // It is a warning today, and will not be.
                Some(is_told) => finding.flag == Flag::Fatal && !is_told,
            });
            Coming { rule_set, from, findings }
        })
        .collect()
}

/// What makes two findings the same.
fn key(finding: &Finding) -> (&str, &str) {
    (&finding.rule, finding.location.as_ref().map_or("", |place| &place.xpath))
}
