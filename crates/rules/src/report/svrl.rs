//! A report as SVRL, the Schematron Validation Report Language (ISO/IEC 19757-3, annex D), so that
//! whatever reads the reports of other validators reads ours.
//!
//! The steps that are not Schematron (reading, detection, structure, routing) appear as patterns of
//! their own, so that no finding is lost.

use std::fmt::{self, Display, Formatter};

use super::escape::EscapedText;
use super::{Finding, Report, ValidationStep};

#[cfg(test)]
mod tests;

/// Namespace of SVRL.
pub const SVRL: &str = "http://purl.oclc.org/dsdl/svrl";

/// A report of one document, to be written as one SVRL document.
#[derive(Debug, Clone, Copy)]
pub struct Svrl<'r> {
    /// What the document is called.
    pub name: &'r str,
    /// The report.
    pub report: &'r Report,
}

impl Display for Svrl<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        writeln!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        let title = report.rule_sets.join(", ");
        writeln!(
            f,
            "<svrl:schematron-output xmlns:svrl=\"{SVRL}\" title=\"{}\" schemaVersion=\"\">",
            EscapedText(&title)
        )?;
        let mut current = None;
        for finding in &report.findings {
            let pattern = pattern(finding);
            if current != Some(pattern) {
                current = Some(pattern);
                let (document, (set, id)) = (EscapedText(self.name), pattern);
                let (set, id) = (EscapedText(set), EscapedText(id));
                writeln!(
                    f,
                    "  <svrl:active-pattern document=\"{document}\" name=\"{set}\" id=\"{id}\"/>"
                )?;
            }
            assertion(f, finding)?;
        }
        let quiet = report.steps.iter().filter(|step| step.outcome == super::StepOutcome::Passed);
        for step in quiet.filter(|step| report.findings.iter().all(|f| f.step != step.step)) {
            let (document, id) = (EscapedText(self.name), step.step.as_str());
            writeln!(f, "  <svrl:active-pattern document=\"{document}\" id=\"{id}\"/>")?;
            writeln!(f, "  <svrl:fired-rule context=\"/\"/>")?;
        }
        writeln!(f, "</svrl:schematron-output>")
    }
}

/// The rule set and the pattern of a finding.
fn pattern(finding: &Finding) -> (&str, &str) {
    let set = finding.rule_set.as_deref().unwrap_or(match finding.step {
        ValidationStep::Rules => "quoin rules",
        _ => "quoin",
    });
    let pattern = finding.assertion.as_ref().and_then(|assertion| assertion.pattern.as_deref());
    (set, pattern.unwrap_or(finding.step.as_str()))
}

fn assertion(f: &mut Formatter<'_>, finding: &Finding) -> fmt::Result {
    let official = finding.assertion.as_deref();
    let xpath = finding.location.as_ref().map_or("/", |place| place.xpath.as_str());
    let xpath = if xpath.is_empty() { "/" } else { xpath };
    let context = official.map_or(xpath, |official| official.context.as_str());
    let test = official.map_or("", |official| official.test.as_str());
    let name = match official {
        Some(official) if official.is_report => "successful-report",
        _ => "failed-assert",
    };
    writeln!(f, "  <svrl:fired-rule context=\"{}\"/>", EscapedText(context))?;
    let (id, flag) = (EscapedText(&finding.rule), finding.flag.as_str());
    let role = official.and_then(|official| official.role.as_deref());
    let role = role.map(|role| format!(" role=\"{}\"", EscapedText(role))).unwrap_or_default();
    let (location, test) = (EscapedText(xpath), EscapedText(test));
    writeln!(
        f,
        "  <svrl:{name} id=\"{id}\" flag=\"{flag}\"{role} location=\"{location}\" test=\"{test}\">"
    )?;
    let diagnostics = official.iter().flat_map(|official| &official.diagnostics);
    for (text, number) in diagnostics.zip(1..) {
        write!(f, "    <svrl:diagnostic-reference diagnostic=\"d{number}\">")?;
        writeln!(f, "{}</svrl:diagnostic-reference>", EscapedText(text))?;
    }
    writeln!(f, "    <svrl:text>{}</svrl:text>", EscapedText(&finding.message))?;
    writeln!(f, "  </svrl:{name}>")
}
