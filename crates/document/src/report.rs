//! What validation answers: named steps, and findings that say what is wrong, where, and who can
//! put it right. A report can carry whatever later rule sets find; its JSON is lowerCamelCase.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::detect::Detection;
use crate::language::Language;
use crate::rules::Patch;

mod escape;
pub mod html;
pub mod svrl;
pub mod text;
mod words;

/// Findings that a report holds at most; the rest are counted in [`Report::omitted`].
pub const MAX_FINDINGS: usize = 1_000;

/// Characters of an offending value, of a namespace and of one name in an XPath that a report
/// repeats at most. Without it one long name, shared by many elements, would fill the memory.
pub const MAX_VALUE: usize = 200;

/// Characters of an XPath that an engine tells at most.
pub const MAX_XPATH: usize = 4_000;

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
    /// The profile that it was judged as: that of the detection, unless it came as another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Cow<'static, str>>,
    /// The package of built-in rules that judged it, and which release of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<Applied>,
    /// Whether at least one rule set judged the document itself. Without one it is never valid.
    #[serde(default = "yes")]
    pub is_judged: bool,
    /// Coordinates of the rule sets that were applied, such as `eu.cen.en16931:ubl:1.3`.
    pub rule_sets: Vec<Cow<'static, str>>,
    /// The steps in their order, each once.
    pub steps: Vec<StepResult>,
    /// What was found, in the order of the steps and, inside a step, of the document.
    pub findings: Vec<Finding>,
    /// How many further findings there were beyond [`MAX_FINDINGS`].
    pub omitted: usize,
    /// Whose rules decided.
    #[serde(default)]
    pub policy: Policy,
    /// In which language its findings speak; those of official files speak that of the file.
    #[serde(default, skip_serializing_if = "is_english")]
    pub language: Language,
    /// Where the built-in rules and the official ones said different things; only by
    /// [`Policy::Both`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// What releases that are not in force yet will say, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coming: Vec<Coming>,
}

/// Reports of earlier releases do not say it; what they call valid was judged.
fn yes() -> bool {
    true
}

/// A release of a package ([`crate::packages::PACKAGES`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// The package: `peppol-bis3`.
    pub package: Cow<'static, str>,
    /// The release: `2026.5`.
    pub release: Cow<'static, str>,
}

/// What a report comes to, one of four words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It keeps every rule of at least one rule set, and can be routed.
    Valid,
    /// It keeps them, and cannot be routed by what it says: an electronic address is missing or
    /// wrong.
    Unroutable,
    /// No rule set that is here judges such a document: nobody can say whether it is valid.
    NotJudged,
    /// It is wrong.
    NotValid,
}

impl Verdict {
    /// Every verdict, from the best to the worst.
    pub const ALL: [Verdict; 4] =
        [Verdict::Valid, Verdict::Unroutable, Verdict::NotJudged, Verdict::NotValid];

    /// The verdict as one word of an interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Unroutable => "unroutable",
            Verdict::NotJudged => "notJudged",
            Verdict::NotValid => "notValid",
        }
    }
}

/// How many documents came to which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Documents by verdict, in the order of [`Verdict::ALL`].
    counts: [usize; 4],
}

impl Tally {
    /// Counts a document.
    pub fn add(&mut self, verdict: Verdict) {
        let at = Verdict::ALL.iter().position(|own| *own == verdict);
        if let Some(count) = at.and_then(|at| self.counts.get_mut(at)) {
            *count += 1;
        }
    }

    /// Takes over what another one has counted.
    pub fn join(&mut self, other: Tally) {
        self.counts.iter_mut().zip(other.counts).for_each(|(own, more)| *own += more);
    }

    /// How many came to a verdict.
    pub fn of(&self, verdict: Verdict) -> usize {
        Verdict::ALL
            .iter()
            .zip(self.counts)
            .filter(|(own, _)| **own == verdict)
            .map(|(_, n)| n)
            .sum()
    }

    /// How many there were.
    pub fn documents(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The worst verdict; `None` where nothing was counted.
    pub fn worst(&self) -> Option<Verdict> {
        Verdict::ALL.into_iter().rev().find(|verdict| self.of(*verdict) > 0)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} documents, {} valid", self.documents(), self.of(Verdict::Valid))?;
        let rest = [Verdict::Unroutable, Verdict::NotJudged, Verdict::NotValid];
        for verdict in rest.into_iter().filter(|verdict| self.of(*verdict) > 0) {
            let word = words::verdict(verdict, Language::En);
            write!(f, ", {} {word}", self.of(verdict))?;
        }
        Ok(())
    }
}

fn is_english(language: &Language) -> bool {
    *language == Language::En
}

/// Whose rules decide about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Policy {
    /// Our own rules.
    #[default]
    Builtin,
    /// The official files that are registered; our own where none is registered for the document.
    Official,
    /// Both run, the official files decide, and what differs is told.
    Both,
}

/// A rule on which the built-in rules and the official ones did not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The rule.
    pub rule: String,
    /// The coordinate of the built-in set that has it; of an official one where none has.
    #[serde(default)]
    pub rule_set: Cow<'static, str>,
    /// How often the built-in rule fired; `None` where there is no such built-in rule.
    pub builtin: Option<usize>,
    /// How often the official rule fired.
    pub official: usize,
}

/// What a release that is not in force yet says about the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Coming {
    /// The coordinate of the release.
    pub rule_set: String,
    /// The day from which it is in force.
    pub from: jiff::civil::Date,
    /// What it finds that the release in force does not.
    pub findings: Vec<Finding>,
}

impl Coming {
    /// Whether the document will be refused from the day of the release.
    pub fn refuses(&self) -> bool {
        self.findings.iter().any(|finding| finding.flag == Flag::Fatal)
    }
}

impl Finding {
    /// What to type to learn more about its rule; `None` where an official file has it, which
    /// may be one that is not known here.
    pub fn explained_by(&self) -> Option<String> {
        self.rule_set.is_none().then(|| format!("quoin explain {}", self.rule))
    }
}

impl Report {
    /// What it comes to; omitted findings count.
    pub fn verdict(&self) -> Verdict {
        let failed = |routing: bool| {
            let mut steps = self.steps.iter();
            steps.any(|step| step.fatal > 0 && (step.step == Step::Routing) == routing)
        };
        match (failed(false), self.is_judged, failed(true)) {
            (true, ..) => Verdict::NotValid,
            (false, false, _) => Verdict::NotJudged,
            (false, true, true) => Verdict::Unroutable,
            (false, true, false) => Verdict::Valid,
        }
    }

    /// Whether some rule set judged the document and nothing but its routing is wrong.
    pub fn is_valid(&self) -> bool {
        matches!(self.verdict(), Verdict::Valid | Verdict::Unroutable)
    }

    /// The fatal findings.
    pub fn fatal(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.flag == Flag::Fatal)
    }

    /// How many findings of one flag there are, omitted ones included.
    pub fn count(&self, flag: Flag) -> usize {
        let of = |step: &StepResult| match flag {
            Flag::Fatal => step.fatal,
            Flag::Warning => step.warnings,
            Flag::Information => step.information,
        };
        self.steps.iter().map(of).sum()
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
    /// How many remarks it gave that ask for nothing.
    #[serde(default)]
    pub information: usize,
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
    /// The coordinate of the official rule set that says so; `None` for rules of our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<Cow<'static, str>>,
    /// What an official rule file says about its rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assertion: Option<Box<Assertion>>,
    /// A change that mends it for sure, from its element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
    /// The day from which it stops the document, where the release that finds it is published and
    /// not mandatory yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fatal_from: Option<jiff::civil::Date>,
}

/// The assertion of a Schematron file that fired, as the file has it (ISO/IEC 19757-3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assertion {
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
    /// Worth mending; the document is sent.
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

impl Step {
    /// The steps in their order.
    pub const ALL: [Step; 5] =
        [Step::Parse, Step::Detect, Step::Structure, Step::Rules, Step::Routing];

    /// The step as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Step::Parse => "parse",
            Step::Detect => "detect",
            Step::Structure => "structure",
            Step::Rules => "rules",
            Step::Routing => "routing",
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
