//! What came of a run: a table for people, JSON for programs.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::case::{CaseArea, TestCase};
use super::verdict::{CaseFailure, CaseVerdict};

/// What came of a case.
#[derive(Debug, Serialize)]
pub struct CaseResult {
    /// Its id.
    pub id: &'static str,
    /// On which side.
    pub part: CaseArea,
    /// What it proves.
    pub proves: &'static str,
    /// Where that is asked for.
    pub source: &'static str,
    /// Milliseconds.
    pub took: u64,
    /// What came of it.
    #[serde(flatten)]
    pub verdict: CaseVerdict,
}

/// What came of a run.
#[derive(Debug, Serialize)]
pub struct TestReport {
    /// The door that was tested.
    pub subject: String,
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that could not be tried.
    pub skipped: usize,
    /// What could not be looked at, in sentences.
    pub notes: Vec<String>,
    /// Every case.
    pub cases: Vec<CaseResult>,
}

impl CaseResult {
    /// What came of a case, and how long it took.
    pub fn new(case: &'static TestCase, verdict: CaseVerdict, took: Duration) -> CaseResult {
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let TestCase { id, part, proves, source, .. } = case;
        CaseResult { id, part: *part, proves, source, took, verdict }
    }
}

impl TestReport {
    /// The report of these cases.
    pub fn new(subject: String, cases: Vec<CaseResult>, notes: Vec<String>) -> TestReport {
        let count = |wanted: fn(&CaseVerdict) -> bool| {
            cases.iter().filter(|outcome| wanted(&outcome.verdict)).count()
        };
        TestReport {
            subject,
            passed: count(|verdict| matches!(verdict, CaseVerdict::Pass { .. })),
            failed: count(|verdict| matches!(verdict, CaseVerdict::Fail(_))),
            skipped: count(|verdict| matches!(verdict, CaseVerdict::Skip { .. })),
            notes,
            cases,
        }
    }

    /// The case with this id.
    pub fn case(&self, id: &str) -> Option<&CaseResult> {
        self.cases.iter().find(|outcome| outcome.id == id)
    }

    /// The ids of the cases that failed.
    pub fn failures(&self) -> Vec<&'static str> {
        let failed = |outcome: &&CaseResult| matches!(outcome.verdict, CaseVerdict::Fail(_));
        self.cases.iter().filter(failed).map(|outcome| outcome.id).collect()
    }

    /// Prints the table.
    ///
    /// # Errors
    /// The output is closed.
    pub fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "Testbed against {}\n", self.subject)?;
        let mut part = None;
        for outcome in &self.cases {
            if part != Some(outcome.part) {
                part = Some(outcome.part);
                writeln!(out, "{}", heading(outcome.part))?;
            }
            row(out, outcome)?;
        }
        for note in &self.notes {
            writeln!(out, "\nNote: {note}")?;
        }
        let TestReport { passed, failed, skipped, .. } = self;
        writeln!(out, "\n{passed} passed, {failed} failed, {skipped} skipped.")
    }
}

fn heading(part: CaseArea) -> &'static str {
    match part {
        CaseArea::Reception => "\nReception: the access point as corner 3",
        CaseArea::Transport => "Transport: its web server",
        CaseArea::Publication => "\nPublication: its SMP",
        CaseArea::Submission => "\nSubmission: the access point as corner 2",
    }
}

fn row(out: &mut impl Write, outcome: &CaseResult) -> std::io::Result<()> {
    let CaseResult { id, proves, source, took, verdict, .. } = outcome;
    let word = match verdict {
        CaseVerdict::Pass { .. } => "pass",
        CaseVerdict::Fail(_) => "FAIL",
        CaseVerdict::Skip { .. } => "skip",
    };
    writeln!(out, "  {id:<6} {word} {took:>6} ms  {proves}")?;
    match verdict {
        CaseVerdict::Pass { .. } => Ok(()),
        CaseVerdict::Skip { reason } => writeln!(out, "         because  {reason}"),
        CaseVerdict::Fail(CaseFailure { expected, found, place, fixer }) => {
            writeln!(out, "         expected {expected}")?;
            writeln!(out, "         found    {found}")?;
            writeln!(out, "         where    {place}")?;
            writeln!(out, "         source   {source}")?;
            writeln!(out, "         who      {}", fixer.as_str())
        }
    }
}

/// Prints every case with what it proves, without trying it.
///
/// # Errors
/// The output is closed.
pub fn list(out: &mut impl Write, cases: &[&'static TestCase]) -> std::io::Result<()> {
    let mut part = None;
    for case in cases {
        if part != Some(case.part) {
            part = Some(case.part);
            writeln!(out, "{}", heading(case.part))?;
        }
        writeln!(out, "  {:<6} {}\n         {}", case.id, case.proves, case.source)?;
    }
    Ok(())
}

/// The same as JSON.
pub fn list_json(cases: &[&'static TestCase]) -> serde_json::Value {
    let row = |case: &&TestCase| {
        let TestCase { id, part, proves, source, .. } = case;
        serde_json::json!({ "id": id, "part": part, "proves": proves, "source": source })
    };
    cases.iter().map(row).collect()
}
