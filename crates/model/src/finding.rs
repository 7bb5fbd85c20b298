//! A finding: what is wrong, or noteworthy, where, and who can put it right.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Findings that a report holds at most; the rest are counted in `Report::omitted`.
pub const MAX_FINDINGS: usize = 1_000;

/// Characters of an XPath that an engine tells at most.
pub const MAX_XPATH: usize = 4_000;

/// Characters of a message at most.
pub const MAX_MESSAGE: usize = 2_000;

/// Something that is wrong, or noteworthy, in a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule: the standard's identifier (`BR-CO-15`), or one of our own (`OWN` of `rules`).
    pub rule: Cow<'static, str>,
    /// The step that found it.
    pub step: ValidationStep,
    /// Whether it stops the document.
    pub flag: Flag,
    /// What was expected, what was found and what to do, in one or two sentences.
    pub message: String,
    /// Where; `None` where the document has no place for it, such as for an empty file.
    pub location: Option<Location>,
    /// The offending value, shortened to [`super::MAX_VALUE`] characters.
    pub value: Option<String>,
    /// The value, or the kind of value, that was expected.
    pub expected: Option<String>,
    /// The business terms and groups of EN 16931 that it is about: `BT-115`, `BG-22`.
    pub terms: Vec<Cow<'static, str>>,
    /// Who can put it right.
    pub fix_by: FixBy,
    /// The coordinate of the official rule set that says so; `None` for rules of our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<Cow<'static, str>>,
    /// What an official rule file says about its rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<Box<FiredAssertion>>,
    /// A change that fixes it for sure, from its element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
    /// The day from which it stops the document, where the release that finds it is published and
    /// not mandatory yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fatal_from: Option<jiff::civil::Date>,
}

impl Finding {
    /// What to type to learn more about its rule; `None` where an official file has it, which
    /// may be one that is not known here.
    pub fn explained_by(&self) -> Option<String> {
        self.rule_set.is_none().then(|| format!("quoin explain {}", self.rule))
    }
}

/// The assertion of a Schematron file that fired, as the file has it (ISO/IEC 19757-3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FiredAssertion {
    /// The pattern it stands in, by its identifier or name.
    pub pattern: Option<String>,
    /// The context of its rule.
    pub context: String,
    /// Its test.
    pub test: String,
    /// `role` as written.
    pub role: Option<String>,
    /// `flag` as written.
    pub flag: Option<String>,
    /// The diagnostics it refers to, with their values filled in.
    pub diagnostics: Vec<String>,
    /// It is a `report`, which fires where its test holds.
    pub is_report: bool,
    /// The test could not be evaluated on this document. The published validators end here; this
    /// one reports it as a fatal finding and goes on.
    pub failed_to_run: bool,
}

/// Whether a finding stops the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Flag {
    /// The document is not valid and is not sent.
    #[default]
    Fatal,
    /// Worth fixing; the document is sent.
    Warning,
    /// A remark of a rule set that asks for nothing.
    Information,
}

impl Flag {
    /// The flag as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Flag::Fatal => "fatal",
            Flag::Warning => "warning",
            Flag::Information => "information",
        }
    }
}

impl FixBy {
    /// Who that is, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            FixBy::SourceSystem => "the program that made the document",
            FixBy::MasterData => "whoever keeps the sender's master data",
            FixBy::Receiver => "the receiver",
        }
    }
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

/// The steps of validation. Each has its own findings; a later one is skipped where an earlier one
/// leaves it nothing to stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ValidationStep {
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

impl ValidationStep {
    /// The steps in their order.
    pub const ALL: [ValidationStep; 5] = [
        ValidationStep::Parse,
        ValidationStep::Detect,
        ValidationStep::Structure,
        ValidationStep::Rules,
        ValidationStep::Routing,
    ];

    /// The step as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            ValidationStep::Parse => "parse",
            ValidationStep::Detect => "detect",
            ValidationStep::Structure => "structure",
            ValidationStep::Rules => "rules",
            ValidationStep::Routing => "routing",
        }
    }
}

/// A safe change to a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patch {
    /// From the element of the finding: empty for itself, `@schemeID`, `cbc:ID`.
    pub xpath: String,
    /// What to do there.
    pub kind: PatchKind,
    /// The text, or the element to insert; empty for a removal.
    pub value: String,
}

/// What a patch does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PatchKind {
    /// Sets an attribute, there or not.
    SetAttribute,
    /// Sets the text of an element.
    SetText,
    /// Inserts an element where the schema has its place.
    Insert,
    /// Removes an element or an attribute.
    Remove,
}
