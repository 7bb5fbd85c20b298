//! What the steps find, on its way into a report.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;
use quoin_xml::tree::{Element, NodeId, ParseError};

use crate::explain::own::told;
use crate::locate::locate;
use crate::official::{OfficialFinding, OfficialSet};
use crate::own::Own;
use crate::releases::Release;
use crate::releases::choice::level_in_line;
use crate::report::{StepOutcome, StepResult};
use quoin_formats::profiles::Profile;
use quoin_model::Language;
use quoin_model::Patch;
use quoin_model::finding::{MAX_FINDINGS, MAX_MESSAGE};
use quoin_model::text::{cut, shortened};
use quoin_model::{Finding, FiredAssertion, FixBy, Flag, Location, ValidationStep};

/// A finding before its place is known.
pub(crate) struct FindingDraft<'d> {
    pub rule: Cow<'static, str>,
    pub flag: Flag,
    pub fix_by: FixBy,
    pub terms: &'static [&'static str],
    pub message: String,
    pub element: Option<Element<'d>>,
    /// What follows the path of the element: the step to an attribute, or nothing.
    pub below: String,
    /// The place, where no element is told.
    pub location: Option<Location>,
    pub value: Option<String>,
    pub expected: Option<String>,
    pub rule_set: Option<Cow<'static, str>>,
    pub assertion: Option<Box<FiredAssertion>>,
    pub patch: Option<Patch>,
    /// The day from which it stops the document, where it does not yet.
    pub fatal_from: Option<Date>,
}

impl<'d> FindingDraft<'d> {
    /// The same as something that a release finds which is not mandatory yet.
    pub(super) fn warning_until(self, release: &Release) -> FindingDraft<'d> {
        match self.flag {
            Flag::Fatal => {
                FindingDraft { flag: Flag::Warning, fatal_from: Some(release.mandatory), ..self }
            }
            _ => self,
        }
    }

    /// A finding of a rule of ours.
    pub(crate) fn new(
        rule: impl Into<Cow<'static, str>>,
        (flag, fix_by): (Flag, FixBy),
        element: Option<Element<'d>>,
        message: String,
    ) -> FindingDraft<'d> {
        FindingDraft {
            rule: rule.into(),
            flag,
            fix_by,
            terms: &[],
            message,
            element,
            below: String::new(),
            location: None,
            value: None,
            expected: None,
            rule_set: None,
            assertion: None,
            patch: None,
            fatal_from: None,
        }
    }
}

/// A state of a sink that it can go back to.
pub(super) struct Mark {
    drafts: usize,
    beyond: usize,
    omitted: usize,
    steps: Vec<StepResult>,
    fired: BTreeMap<Cow<'static, str>, usize>,
}

/// Collects what the steps find, up to [`MAX_FINDINGS`]; the rest is counted.
#[derive(Default)]
pub(crate) struct Sink<'d> {
    drafts: Vec<(ValidationStep, FindingDraft<'d>)>,
    steps: Vec<StepResult>,
    omitted: usize,
    /// Elements with which the structure found more than is kept.
    beyond: Vec<NodeId>,
    /// How often each rule fired in the present step.
    fired: BTreeMap<Cow<'static, str>, usize>,
    /// In which language our own findings and those of the embedded structure speak.
    language: Language,
}

/// What a sink holds in the end.
pub(super) struct CollectedFindings {
    pub steps: Vec<StepResult>,
    pub findings: Vec<Finding>,
    pub omitted: usize,
}

impl<'d> Sink<'d> {
    /// A sink whose findings speak a language.
    pub(crate) fn speaking(language: Language) -> Sink<'d> {
        Sink { language, ..Sink::default() }
    }

    /// Says a finding in the language of the sink; `english` is how it is said in English.
    pub(super) fn said_as(
        &self,
        id: &str,
        element: Option<Element<'_>>,
        english: String,
    ) -> String {
        let name = element.map(|element| element.qualified_name());
        told(id, self.language, name.as_deref()).unwrap_or(english)
    }

    /// Begins a step: what is found from now on belongs to it.
    pub(crate) fn begin(&mut self, step: ValidationStep) {
        self.steps.push(result(step, StepOutcome::Passed));
        self.fired.clear();
    }

    /// Adds a finding to the present step.
    pub(crate) fn push(&mut self, draft: FindingDraft<'d>) {
        let last = self.steps.len().saturating_sub(1);
        self.push_to(last, draft);
    }

    /// Adds a finding to one of the steps, by its position.
    pub(super) fn push_to(&mut self, step: usize, draft: FindingDraft<'d>) {
        let Some(step) = self.steps.get_mut(step) else { return };
        match draft.flag {
            Flag::Fatal => {
                step.fatal += 1;
                step.outcome = StepOutcome::Failed;
            }
            Flag::Warning => step.warnings += 1,
            Flag::Information => step.information += 1,
        }
        *self.fired.entry(draft.rule.clone()).or_default() += 1;
        if self.drafts.len() < MAX_FINDINGS {
            let value = draft.value.map(|value| shortened(&value).into_owned());
            let expected = draft.expected.map(|expected| shortened(&expected).into_owned());
            let message = cut(&draft.message, MAX_MESSAGE).into_owned();
            self.drafts.push((step.step, FindingDraft { value, expected, message, ..draft }));
        } else {
            self.omitted += 1;
            let is_structural = step.step == ValidationStep::Structure;
            self.beyond.extend(draft.element.filter(|_| is_structural).map(Element::id));
        }
    }

    /// Adds a finding of our own, which is put into words only where it is kept.
    pub(crate) fn own(
        &mut self,
        row: &'static Own,
        element: Option<Element<'d>>,
        value: Option<&str>,
        message: impl FnOnce() -> String,
    ) {
        if self.is_full() {
            let by = (row.flag, row.fix_by);
            return self.push(FindingDraft::new(row.id, by, element, String::new()));
        }
        let value = value.map(str::to_owned);
        let message = self.said_as(row.id, element, message());
        self.push(FindingDraft {
            value,
            ..FindingDraft::new(row.id, (row.flag, row.fix_by), element, message)
        });
    }

    /// Adds what an official set found, with the weight that the rule has in a profile.
    pub(super) fn hit(
        &mut self,
        set: &OfficialSet,
        profile: Option<&Profile>,
        hit: OfficialFinding<'d>,
    ) {
        let OfficialFinding {
            rule,
            flag,
            message,
            element,
            below,
            location,
            value,
            expected,
            assertion,
        } = hit;
        let level = profile.and_then(|own| level_in_line(own, set.coordinate.line(), &rule));
        let flag = level.unwrap_or(flag);
        let rule_set = Some(Cow::Owned(set.coordinate.as_str().to_owned()));
        let draft = FindingDraft::new(rule, (flag, FixBy::SourceSystem), element, message);
        self.push(FindingDraft { below, location, value, expected, rule_set, assertion, ..draft });
    }

    /// The present state.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            drafts: self.drafts.len(),
            beyond: self.beyond.len(),
            omitted: self.omitted,
            steps: self.steps.clone(),
            fired: self.fired.clone(),
        }
    }

    /// Forgets what was found since a state.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.drafts.truncate(mark.drafts);
        self.beyond.truncate(mark.beyond);
        (self.omitted, self.steps, self.fired) = (mark.omitted, mark.steps, mark.fired);
    }

    /// How many fatal findings there are.
    pub(super) fn fatal(&self) -> usize {
        self.steps.iter().map(|step| step.fatal).sum()
    }

    /// How many of them there are since a state.
    pub(super) fn fatal_since(&self, mark: &Mark) -> usize {
        self.fatal() - mark.steps.iter().map(|step| step.fatal).sum::<usize>()
    }

    /// What was found, without places.
    pub(super) fn into_drafts(self) -> Vec<(ValidationStep, FindingDraft<'d>)> {
        self.drafts
    }

    /// The position of a step that was begun.
    pub(super) fn step(&self, wanted: ValidationStep) -> Option<usize> {
        self.steps.iter().position(|result| result.step == wanted)
    }

    /// Whether a rule of a family, told by how its identifier begins, was broken at an element.
    pub(crate) fn has_said(&self, element: Element<'d>, family: &str) -> bool {
        let is_there =
            |draft: &FindingDraft<'d>| draft.element.map(Element::id) == Some(element.id());
        self.drafts.iter().any(|(_, draft)| is_there(draft) && draft.rule.starts_with(family))
    }

    /// The elements with which the structure found something.
    pub(super) fn structural(&self) -> impl Iterator<Item = NodeId> {
        let kept = self.drafts.iter().filter(|(step, _)| *step == ValidationStep::Structure);
        let kept = kept.filter_map(|(_, draft)| Some(draft.element?.id()));
        kept.chain(self.beyond.iter().copied())
    }

    /// What was found so far, with its step.
    pub(super) fn drafts(&self) -> impl Iterator<Item = &(ValidationStep, FindingDraft<'d>)> {
        self.drafts.iter()
    }

    /// Notes that what was found as less is fatal by a release that is not mandatory yet.
    pub(super) fn becomes_fatal(&mut self, found: &FindingDraft<'d>, release: &Release) {
        let place = |draft: &FindingDraft<'d>| draft.element.map(Element::id);
        for (_, draft) in &mut self.drafts {
            if draft.rule == found.rule && place(draft) == place(found) {
                draft.fatal_from = Some(release.mandatory);
            }
        }
    }

    /// Whether further findings are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.drafts.len() >= MAX_FINDINGS
    }

    /// How often each rule fired in the present step.
    pub(crate) fn fired(&self) -> &BTreeMap<Cow<'static, str>, usize> {
        &self.fired
    }

    /// Everything with its place; a document that could not be read has the place of the error.
    pub(super) fn found(mut self, error: Option<&ParseError>) -> CollectedFindings {
        for step in ValidationStep::ALL {
            if self.steps.iter().all(|done| done.step != step) {
                self.steps.push(result(step, StepOutcome::Skipped));
            }
        }
        self.steps.sort_by_key(|result| result.step);
        // Rules find things in their own order; people read a document from its start.
        let place = |step: ValidationStep, draft: &FindingDraft<'_>| match step {
            ValidationStep::Rules => draft.element.map_or(0, |element| element.id().0),
            _ => 0,
        };
        self.drafts.sort_by_key(|(step, draft)| (*step, place(*step, draft)));
        let elements: Vec<_> = self.drafts.iter().map(|(_, draft)| draft.element).collect();
        let unread = error.map(|error| Location {
            xpath: String::new(),
            line: error.position.line,
            column: error.position.column,
        });
        let places = locate(&elements).into_iter().map(|place| place.or_else(|| unread.clone()));
        let findings = self.drafts.into_iter().zip(places);
        CollectedFindings {
            steps: self.steps,
            findings: findings.map(|((step, draft), place)| finding(step, draft, place)).collect(),
            omitted: self.omitted,
        }
    }
}

fn result(step: ValidationStep, outcome: StepOutcome) -> StepResult {
    StepResult { step, outcome, fatal: 0, warnings: 0, information: 0 }
}

fn finding(step: ValidationStep, draft: FindingDraft<'_>, location: Option<Location>) -> Finding {
    let located = location.map(|mut place| {
        place.xpath.push_str(&shortened(&draft.below));
        place
    });
    let location = draft.location.or(located);
    Finding {
        rule: draft.rule,
        step,
        flag: draft.flag,
        message: draft.message,
        location,
        value: draft.value,
        expected: draft.expected,
        terms: draft.terms.iter().map(|term| Cow::Borrowed(*term)).collect(),
        fix_by: draft.fix_by,
        rule_set: draft.rule_set,
        assertion: draft.assertion,
        patch: draft.patch,
        fatal_from: draft.fatal_from,
    }
}
