//! Schematron files, run by [`quoin_xml::schematron`].

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_xml::c14n;
use quoin_xml::schematron::{
    Cause, Fired, PhaseChoice, RunOptions, SchematronSchema, testset::rule_of,
};
use quoin_xml::tree::{Document, Element, Limits, Position};

use super::engine::{Engine, OfficialFileError, OfficialFinding};
use super::{Description, SetFiles};
use quoin_model::finding::{MAX_FINDINGS, MAX_XPATH};
use quoin_model::text::cut;
use quoin_model::{FiredAssertion, Flag, Location};

#[cfg(test)]
mod tests;

/// The rule of an assertion without an identifier.
const NAMELESS: &str = "SCHEMATRON";

/// Characters of a test or context that a report repeats at most.
const MAX_EXPRESSION: usize = 1_000;

/// A compiled Schematron file.
#[derive(Debug)]
pub(super) struct CompiledSchematron {
    schema: SchematronSchema,
    /// The identifiers of its rules.
    rules: HashSet<String>,
}

impl CompiledSchematron {
    pub(super) fn compile(
        set: &Description,
        files: &SetFiles,
    ) -> Result<CompiledSchematron, OfficialFileError> {
        let phase = set.phase.clone().map_or(PhaseChoice::Default, PhaseChoice::Named);
        let schema = SchematronSchema::load(files, &set.file, &phase);
        let schema = schema.map_err(|error| OfficialFileError::Refused(error.to_string()))?;
        let rules = schema.names().map(str::to_owned).collect();
        Ok(CompiledSchematron { schema, rules })
    }
}

impl Engine for CompiledSchematron {
    fn rules(&self) -> usize {
        self.schema.checks().count()
    }

    fn has_rule(&self, rule: &str) -> bool {
        self.rules.contains(rule)
    }

    fn check<'d>(&self, root: Element<'d>, on: Date, hit: &mut dyn FnMut(OfficialFinding<'d>)) {
        let now = clock(on);
        let options = RunOptions { now, findings: MAX_FINDINGS * 2, ..RunOptions::default() };
        if root.parent().is_none() {
            let outcome = self.schema.validate(root.document(), &options);
            outcome.fired.into_iter().for_each(|fired| hit(told(fired)));
            return;
        }
        // Rules are written for a document of its own; inside an envelope there is a copy of it.
        let Some((copy, places)) = lifted(root) else { return };
        let around = root.parent().map(Element::path).unwrap_or_default();
        for fired in self.schema.validate(&copy, &options).fired {
            let position = fired.location.position;
            let mut found = told(fired);
            if let Some(place) = &mut found.location {
                let there = places.get(&(position.line, position.column));
                let there = there.copied().unwrap_or_else(|| root.position());
                (place.line, place.column) = (there.line, there.column);
                let inside = if place.xpath == "/" { "" } else { &place.xpath };
                place.xpath = cut(&format!("{around}{inside}"), MAX_XPATH).into_owned();
            }
            hit(found);
        }
    }
}

/// What the clock of rules that ask for it says on a day: its last second, so that what was issued
/// on that day was issued before.
fn clock(on: Date) -> Option<Timestamp> {
    let end = on.at(23, 59, 59, 0).to_zoned(TimeZone::UTC).ok()?;
    Some(end.timestamp())
}

/// Where the elements of a copy stand in the original, by line and column in the copy.
type OriginalPositions = HashMap<(u32, u32), Position>;

/// The element as a document of its own.
fn lifted(root: Element<'_>) -> Option<(Document, OriginalPositions)> {
    let mut text = Vec::new();
    c14n::inclusive(root, &[], &mut text);
    let copy = Document::parse(&text, &Limits::default()).ok()?;
    let key = |element: Element<'_>| {
        let Position { line, column } = element.position();
        (line, column)
    };
    let pairs = copy.root().descendants().zip(root.descendants());
    let places = pairs.map(|(copied, original)| (key(copied), original.position())).collect();
    Some((copy, places))
}

fn told<'d>(fired: Fired) -> OfficialFinding<'d> {
    let rule = Some(rule_of(&fired)).filter(|rule| !rule.is_empty()).unwrap_or(NAMELESS).to_owned();
    let Fired { check, cause, location, value, message, diagnostics } = fired;
    let (flag, message, failed_to_run) = match cause {
        Cause::FailedAssert | Cause::SuccessfulReport => {
            (flag(check.flag.as_deref(), check.role.as_deref()), message, false)
        }
        Cause::Error { code, message: why } => {
            let text = format!(
                "The test of this rule cannot be evaluated here: {why} ({code}). Fix the structure \
                 of the document first. The rule says: {message}"
            );
            (Flag::Fatal, text, true)
        }
        Cause::Limit { code, message: why } => {
            let text = format!("The rules were not run to their end: {why} ({code}).");
            (Flag::Fatal, text, true)
        }
    };
    let short = |text: &str| cut(text, MAX_EXPRESSION).into_owned();
    let assertion = FiredAssertion {
        pattern: check.pattern.clone(),
        context: short(&check.context),
        test: short(&check.test),
        role: check.role.clone(),
        flag: check.flag.clone(),
        diagnostics: diagnostics.into_iter().map(|(_, text)| short(&text)).collect(),
        is_report: check.is_report,
        failed_to_run,
    };
    OfficialFinding {
        rule,
        flag,
        message,
        location: Some(Location {
            xpath: cut(&location.path, MAX_XPATH).into_owned(),
            line: location.position.line,
            column: location.position.column,
        }),
        value,
        expected: None,
        assertion: Some(Box::new(assertion)),
        ..OfficialFinding::default()
    }
}

/// What `flag` and `role` say. Published files use both, with these words; where neither says
/// anything, an assertion that fails makes the document invalid, as the standard has it.
fn flag(flag: Option<&str>, role: Option<&str>) -> Flag {
    let said = [flag, role].into_iter().flatten().map(|word| word.trim().to_ascii_lowercase());
    for word in said {
        match word.as_str() {
            "fatal" | "error" | "err" | "severe" => return Flag::Fatal,
            "warning" | "warn" => return Flag::Warning,
            "information" | "info" | "hint" | "note" => return Flag::Information,
            _ => {}
        }
    }
    Flag::Fatal
}
