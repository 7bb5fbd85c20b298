//! What validation answers: named steps, and findings that say what is wrong, where, and who can
//! put it right. A report can carry whatever later rule sets find; its JSON is lowerCamelCase.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use quoin_formats::Detection;
use quoin_model::Language;
use quoin_model::{Finding, Flag, ValidationStep};

mod escape;
pub mod html;
pub mod svrl;
pub mod text;
mod verdict;
mod words;

pub use verdict::{Verdict, VerdictTally};

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
    pub package: Option<AppliedPackage>,
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
    pub policy: ValidationPolicy,
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

/// A release of a package ([`crate::releases::PACKAGES`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedPackage {
    /// The package: `peppol-bis3`.
    pub package: Cow<'static, str>,
    /// The release: `2026.5`.
    pub release: Cow<'static, str>,
}

fn is_english(language: &Language) -> bool {
    *language == Language::En
}

/// Whose rules decide about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ValidationPolicy {
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

impl Report {
    /// What it comes to; omitted findings count.
    pub fn verdict(&self) -> Verdict {
        let failed = |routing: bool| {
            let mut steps = self.steps.iter();
            steps.any(|step| step.fatal > 0 && (step.step == ValidationStep::Routing) == routing)
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

/// One step and how it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The step.
    pub step: ValidationStep,
    /// How it went.
    pub outcome: StepOutcome,
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
pub enum StepOutcome {
    /// It ran and found nothing fatal.
    Passed,
    /// It ran and found something fatal.
    Failed,
    /// It did not run: an earlier step failed, or the profile has nothing for it.
    Skipped,
}
