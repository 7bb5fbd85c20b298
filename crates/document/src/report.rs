//! What validation answers: named steps, and findings that say what is wrong, where, and who can
//! put it right. A report can carry whatever later rule sets find; its JSON is lowerCamelCase.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::detect::Detection;

/// Findings that a report holds at most; the rest are counted in [`Report::omitted`].
pub const MAX_FINDINGS: usize = 1_000;

/// Characters of an offending value, of a namespace and of one name in an XPath that a report
/// repeats at most. Without it one long name, shared by many elements, would fill the memory.
pub const MAX_VALUE: usize = 200;

/// Characters of a message at most.
pub const MAX_MESSAGE: usize = 2_000;

/// The outcome of validating one document. It is complete even when nothing could be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The day whose rules were applied.
    pub on: jiff::civil::Date,
    /// What the document was taken for, and why.
    pub detection: Detection,
    /// Coordinates of the rule sets that were applied, such as `eu.cen.en16931:ubl:1.3`.
    pub rule_sets: Vec<Cow<'static, str>>,
    /// The steps in their order, each once.
    pub steps: Vec<StepResult>,
    /// What was found, in the order of the steps and, inside a step, of the document.
    pub findings: Vec<Finding>,
    /// How many further findings there were beyond [`MAX_FINDINGS`].
    pub omitted: usize,
}

impl Report {
    /// Whether the document may be sent on: no step has a fatal finding, omitted ones included.
    pub fn is_valid(&self) -> bool {
        self.steps.iter().all(|step| step.fatal == 0)
    }

    /// The fatal findings.
    pub fn fatal(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.flag == Flag::Fatal)
    }

    /// Whether a rule has fired.
    pub fn has(&self, rule: &str) -> bool {
        self.findings.iter().any(|finding| finding.rule == rule)
    }
}

/// The steps of validation. Each has its own findings; a later one is skipped where an earlier one
/// leaves it nothing to stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// Is it XML, and safe to read?
    Parse,
    /// Which format and profile is it?
    Detect,
    /// Are the elements that the rules and routing stand on there, once, and in their place?
    Structure,
    /// The business rules of the profile.
    Rules,
    /// Can it be routed: one electronic address for each party.
    Routing,
}

/// One step and how it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The step.
    pub step: Step,
    /// How it went.
    pub outcome: Outcome,
    /// How many fatal findings it gave.
    pub fatal: usize,
    /// How many warnings it gave.
    pub warnings: usize,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It ran and found nothing fatal.
    Passed,
    /// It ran and found something fatal.
    Failed,
    /// It did not run: an earlier step failed, or the profile has nothing for it.
    Skipped,
}

/// Something that is wrong, or noteworthy, in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule: the standard's identifier (`BR-CO-15`), or one of our own ([`crate::own::OWN`]).
    pub rule: Cow<'static, str>,
    /// The step that found it.
    pub step: Step,
    /// Whether it stops the document.
    pub flag: Flag,
    /// What was expected, what was found and what to do, in one or two sentences.
    pub message: String,
    /// Where; `None` where the document has no place for it, such as for an empty file.
    pub location: Option<Location>,
    /// The offending value, shortened to [`MAX_VALUE`] characters.
    pub value: Option<String>,
    /// The value, or the kind of value, that was expected.
    pub expected: Option<String>,
    /// The business terms and groups of EN 16931 that it is about: `BT-115`, `BG-22`.
    pub terms: Vec<Cow<'static, str>>,
    /// Who can put it right.
    pub fix_by: FixBy,
}

/// Whether a finding stops the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Flag {
    /// The document is not valid and is not sent.
    Fatal,
    /// Worth mending; the document is sent.
    Warning,
}

/// Who can put a finding right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FixBy {
    /// The program that made the document.
    SourceSystem,
    /// Whoever keeps the sender's records of parties, items and references.
    MasterData,
    /// The receiver, who has to give or register something first.
    Receiver,
}

/// A text cut to [`MAX_VALUE`] characters, with an ellipsis where something is missing.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, MAX_VALUE)
}

/// A text cut to a number of characters, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A place in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// XPath with the document's own prefixes: `/Invoice[1]/cac:InvoiceLine[2]/cbc:ID[1]`; empty
    /// for a place in a text that could not be read as XML.
    pub xpath: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}
