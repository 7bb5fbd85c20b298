//! Validation: the steps in their order, and the report they make together.

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_xml::tree::{Element, ParseError, ParseErrorKind};

use crate::detect::{Certainty, Detection, Parsed};
use crate::formats::Support;
use crate::locate::locate;
use crate::own::{self, Own};
use crate::profiles::{Profile, Standing};
use crate::report::{
    Finding, FixBy, Flag, Location, MAX_FINDINGS, MAX_MESSAGE, Outcome, Report, Step, StepResult,
    cut, shortened,
};
use crate::rules::endpoints::Covered;
use crate::rules::{RuleSet, endpoints};
use crate::structure;

#[cfg(test)]
mod tests;

/// Validates a document by the rules in force on a day.
///
/// It always completes. A document that is not XML, or of a format that is not validated, gets a
/// report with a finding that says so, and the later steps are skipped.
pub fn validate(parsed: &Parsed, on: Date) -> Report {
    let detection = parsed.detection();
    let mut sink = Sink::default();
    let mut rule_sets = Vec::new();
    if parse(parsed, &mut sink) && detect(detection, on, &mut sink) {
        rule_sets = judge(parsed, on, &mut sink);
    }
    sink.report(detection.clone(), rule_sets, on, parsed.tree.as_ref().err())
}

/// Is it XML? Answers whether the next step has something to stand on.
fn parse(parsed: &Parsed, sink: &mut Sink<'_>) -> bool {
    sink.begin(Step::Parse);
    let Err(error) = &parsed.tree else { return true };
    let syntax = parsed.detection().syntax;
    let (row, seen) = match (unreadable(&error.kind), syntax) {
        (row, Some(syntax)) if std::ptr::eq(row, &own::XML_DTD) => {
            (row, format!(" It begins like {}.", syntax.title()))
        }
        (_, Some(syntax)) => (&own::NOT_XML, format!(" It begins like {}.", syntax.title())),
        (row, None) => (row, String::new()),
    };
    let message = format!("{} ({error}).{seen} {}", row.meaning.trim_end_matches('.'), row.remedy);
    sink.own(row, None, None, message);
    false
}

fn unreadable(kind: &ParseErrorKind) -> &'static Own {
    use ParseErrorKind as Kind;
    match kind {
        Kind::Empty => &own::XML_EMPTY,
        Kind::TooLarge(_) => &own::XML_TOO_LARGE,
        Kind::Dtd => &own::XML_DTD,
        Kind::Depth(_) => &own::XML_DEPTH,
        Kind::Nodes(_) | Kind::Attributes(_) | Kind::Namespaces(_) => &own::XML_NODES,
        Kind::Entity(_) => &own::XML_ENTITY,
        Kind::Encoding(_) | Kind::UnsupportedEncoding(_) => &own::XML_ENCODING,
        _ => &own::XML_SYNTAX,
    }
}

/// Is it something to validate, and still allowed? Answers whether the next steps run.
fn detect(detection: &Detection, on: Date, sink: &mut Sink<'_>) -> bool {
    sink.begin(Step::Detect);
    let reasons = || detection.reasons.join(" ");
    let Some(syntax) = detection.syntax else {
        let row = &own::FORMAT_UNKNOWN;
        sink.own(row, None, None, format!("{} {}", reasons(), row.remedy));
        return false;
    };
    if syntax.format().is_none_or(|format| format.support != Support::Validated) {
        let row = &own::FORMAT_UNSUPPORTED;
        let message = format!("{} {} {}", reasons(), row.meaning, row.remedy);
        sink.own(row, None, Some(syntax.title()), message);
        return false;
    }
    let customization = detection.customization_id.as_deref();
    let Some(profile) = detection.profile() else {
        if customization.is_some() {
            let row = &own::PROFILE_UNKNOWN;
            sink.own(row, None, customization, format!("{} {}", row.meaning, row.remedy));
        }
        return true;
    };
    if detection.certainty == Certainty::Base {
        let (row, rest) = (&own::PROFILE_PARTIAL, detection.unknown_extension.as_deref());
        let message = format!("{} Found {}. {}", row.meaning, rest.unwrap_or(""), row.remedy);
        sink.own(row, None, rest, message);
    }
    standing(profile, customization, on, sink)
}

/// Says what is to be said about a profile; answers whether its documents are validated.
fn standing(profile: &Profile, found: Option<&str>, on: Date, sink: &mut Sink<'_>) -> bool {
    match profile.standing {
        Standing::RefusedSince(day) if on >= day => {
            let row = &own::SI_UBL_1;
            let version = found.and_then(si_ubl_version).unwrap_or("1");
            let message = format!(
                "The document is SI-UBL {version} by its CustomizationID. {} {}",
                row.meaning, row.remedy
            );
            sink.own(row, None, found, message);
            return false;
        }
        Standing::Legacy | Standing::RefusedSince(_) => {
            let row = &own::PROFILE_LEGACY;
            let message = format!("{} is out of use. {}", profile.title, row.remedy);
            sink.own(row, None, found, message);
        }
        Standing::Current => {}
    }
    if profile.rule_sets.is_empty() {
        let row = &own::PROFILE_NO_RULES;
        let message = format!("The profile is {}. {} {}", profile.title, row.meaning, row.remedy);
        sink.own(row, None, found, message);
    }
    true
}

/// `1.2` of `...:si-ubl:ver1.2` and of `...:si-ubl:invoice:ver1.0`.
fn si_ubl_version(customization: &str) -> Option<&str> {
    let (_, rest) = customization.split_once("si-ubl:")?;
    let (_, rest) = rest.split_once("ver")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    rest.get(..end).filter(|version| !version.is_empty())
}

/// The steps on a UBL invoice or credit note. Answers the rule sets that were applied.
fn judge<'d>(parsed: &'d Parsed, on: Date, sink: &mut Sink<'d>) -> Vec<&'static RuleSet> {
    let Some(invoice) = parsed.invoice() else { return Vec::new() };
    let profile = parsed.detection().profile();
    let names = profile.map_or(&["en16931"][..], |profile| profile.rule_sets);
    let eased = profile.map_or(&[][..], |profile| profile.eased);
    let sets: Vec<&RuleSet> = names.iter().filter_map(|id| RuleSet::in_force(id, on)).collect();
    let has = |rule: &str| sets.iter().any(|set| set.rules().any(|known| known.id == rule));

    sink.begin(Step::Structure);
    structure::check(&invoice, has("BR-02"), sink);
    if !sets.is_empty() {
        sink.begin(Step::Rules);
        for rule in sets.iter().flat_map(|set| set.rules()) {
            rule.run(&invoice, eased, sink);
        }
    }
    sink.begin(Step::Routing);
    let covered = Covered { scheme: has("BR-CL-25"), presence: has("PEPPOL-EN16931-R010") };
    endpoints::check(&invoice, covered, sink);
    sets
}

/// A finding before its place is known.
pub(crate) struct Draft<'d> {
    pub rule: &'static str,
    pub flag: Flag,
    pub fix_by: FixBy,
    pub terms: &'static [&'static str],
    pub message: String,
    pub element: Option<Element<'d>>,
    pub value: Option<String>,
    pub expected: Option<String>,
}

/// Collects what the steps find, up to [`MAX_FINDINGS`]; the rest is counted.
#[derive(Default)]
pub(crate) struct Sink<'d> {
    drafts: Vec<(Step, Draft<'d>)>,
    steps: Vec<StepResult>,
    omitted: usize,
}

impl<'d> Sink<'d> {
    /// Begins a step: what is found from now on belongs to it.
    pub(crate) fn begin(&mut self, step: Step) {
        let outcome = Outcome::Passed;
        self.steps.push(StepResult { step, outcome, fatal: 0, warnings: 0 });
    }

    /// Adds a finding to the present step.
    pub(crate) fn push(&mut self, draft: Draft<'d>) {
        let Some(step) = self.steps.last_mut() else { return };
        match draft.flag {
            Flag::Fatal => {
                step.fatal += 1;
                step.outcome = Outcome::Failed;
            }
            Flag::Warning => step.warnings += 1,
        }
        if self.drafts.len() < MAX_FINDINGS {
            let value = draft.value.map(|value| shortened(&value).into_owned());
            let message = cut(&draft.message, MAX_MESSAGE).into_owned();
            self.drafts.push((step.step, Draft { value, message, ..draft }));
        } else {
            self.omitted += 1;
        }
    }

    /// Adds a finding of our own.
    pub(crate) fn own(
        &mut self,
        row: &'static Own,
        element: Option<Element<'d>>,
        value: Option<&str>,
        message: String,
    ) {
        let value = value.map(str::to_owned);
        let Own { id: rule, flag, fix_by, .. } = *row;
        let terms = &[];
        self.push(Draft { rule, flag, fix_by, terms, message, element, value, expected: None });
    }

    /// The identifiers of the rules that fired, in order.
    #[cfg(test)]
    pub(crate) fn fired(&self) -> Vec<&'static str> {
        self.drafts.iter().map(|(_, draft)| draft.rule).collect()
    }

    fn report(
        mut self,
        detection: Detection,
        rule_sets: Vec<&'static RuleSet>,
        on: Date,
        error: Option<&ParseError>,
    ) -> Report {
        for step in [Step::Parse, Step::Detect, Step::Structure, Step::Rules, Step::Routing] {
            if self.steps.iter().all(|done| done.step != step) {
                let (outcome, fatal, warnings) = (Outcome::Skipped, 0, 0);
                self.steps.push(StepResult { step, outcome, fatal, warnings });
            }
        }
        self.steps.sort_by_key(|result| result.step);
        let elements: Vec<_> = self.drafts.iter().map(|(_, draft)| draft.element).collect();
        let unread = error.map(|error| Location {
            xpath: String::new(),
            line: error.position.line,
            column: error.position.column,
        });
        let places = locate(&elements).into_iter().map(|place| place.or_else(|| unread.clone()));
        let findings = self.drafts.into_iter().zip(places);
        let rule_sets = rule_sets.iter().map(|set| Cow::Borrowed(set.coordinate)).collect();
        Report {
            on,
            detection,
            rule_sets,
            steps: self.steps,
            findings: findings.map(|((step, draft), place)| finding(step, draft, place)).collect(),
            omitted: self.omitted,
        }
    }
}

fn finding(step: Step, draft: Draft<'_>, location: Option<Location>) -> Finding {
    Finding {
        rule: Cow::Borrowed(draft.rule),
        step,
        flag: draft.flag,
        message: draft.message,
        location,
        value: draft.value,
        expected: draft.expected,
        terms: draft.terms.iter().map(|term| Cow::Borrowed(*term)).collect(),
        fix_by: draft.fix_by,
    }
}
