//! The unit tests that publishers deliver with their rules, as data.
//!
//! A test set (namespace `http://difi.no/xsd/vefa/validator/1.0`, used by CEN and OpenPeppol) holds
//! fragments of documents, each with the rules that must or must not speak up. A test looks only at
//! the rules that it names and at those in the scope of its set: a fragment breaks many others.

use std::collections::BTreeSet;

use super::outcome::{Cause, Fired, SchematronOutcome};
use crate::c14n;
use crate::tree::{Document, Element, Limits, ParseError, Position};

/// The namespace of test sets.
pub const VEFA: &str = "http://difi.no/xsd/vefa/validator/1.0";

/// A file of tests.
#[derive(Debug)]
pub struct TestSet {
    /// Which rule set it is for, as its publisher names it: `tc434-ubl`.
    pub configuration: Option<String>,
    /// The tests.
    pub tests: Vec<TestFragment>,
}

/// One fragment and what is expected of it.
#[derive(Debug)]
pub struct TestFragment {
    /// Its `id` or `number`, or else its place in the file, from 1.
    pub name: String,
    /// Where it begins in the file.
    pub position: Position,
    /// What must and must not be found.
    pub expectations: Vec<Expectation>,
    /// The rules that may not speak up unless that is expected.
    pub scope: BTreeSet<String>,
    /// The fragment, as a document of its own.
    pub document: Document,
}

/// What a test says about a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The identifier of the rule.
    pub rule: String,
    /// Whether it must be found, and how.
    pub verdict: ExpectedVerdict,
    /// How often it must be found; `None` is at least once.
    pub count: Option<usize>,
}

/// What may be expected of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedVerdict {
    /// The rule is not broken.
    Success,
    /// The rule is broken and only a warning.
    Warning,
    /// The rule is broken: `error` and `fatal` in a test set.
    Error,
}

/// Why a file of tests cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TestSetError {
    /// The file is not well-formed.
    #[error(transparent)]
    Xml(#[from] ParseError),
    /// A test has no fragment, or more than one.
    #[error("expected one document in a test, found {found} ({position})")]
    Fragments {
        /// How many there are.
        found: usize,
        /// The test.
        position: Position,
    },
}

impl TestSet {
    /// Reads a file; `None` where it is something else than a test set.
    ///
    /// # Errors
    /// [`TestSetError`].
    pub fn read(bytes: &[u8]) -> Result<Option<TestSet>, TestSetError> {
        let file = Document::parse(bytes, &Limits::default())?;
        let root = file.root();
        if !root.is(VEFA, "testSet") {
            return Ok(None);
        }
        let shared = root.child(VEFA, "assert");
        let mut tests = Vec::new();
        for (number, test) in root.children_named(VEFA, "test").enumerate() {
            let name = test.attribute("id").or(test.attribute("number"));
            let name = name.map_or_else(|| (number + 1).to_string(), str::to_owned);
            let asserts = [shared, test.child(VEFA, "assert")];
            let mut scope = BTreeSet::new();
            let mut expectations = Vec::new();
            for part in asserts.iter().flatten().flat_map(|assert| assert.elements()) {
                read_part(part, &mut scope, &mut expectations);
            }
            let document = fragment(test)?;
            let position = test.position();
            tests.push(TestFragment { name, position, expectations, scope, document });
        }
        let configuration = root.attribute("configuration").map(str::to_owned);
        Ok(Some(TestSet { configuration, tests }))
    }
}

/// `scope`, `success`, `warning`, `error` or `fatal`. Some published files misspell them with a
/// capital letter; their publisher's tool passes over those, and some of them are wrong.
fn read_part(part: Element<'_>, scope: &mut BTreeSet<String>, expectations: &mut Vec<Expectation>) {
    let rule = part.text().trim().to_owned();
    let verdict = match part.local() {
        "scope" => {
            scope.insert(rule);
            return;
        }
        "success" => ExpectedVerdict::Success,
        "warning" => ExpectedVerdict::Warning,
        "error" | "fatal" => ExpectedVerdict::Error,
        _ => return,
    };
    let count = part.attribute("number").and_then(|number| number.trim().parse().ok());
    expectations.push(Expectation { rule, verdict, count });
}

fn fragment(test: Element<'_>) -> Result<Document, TestSetError> {
    let foreign: Vec<_> = test.elements().filter(|element| element.namespace() != VEFA).collect();
    let [only] = foreign.as_slice() else {
        return Err(TestSetError::Fragments { found: foreign.len(), position: test.position() });
    };
    let mut text = Vec::new();
    c14n::inclusive(*only, &[], &mut text);
    Ok(Document::parse(&text, &Limits::default())?)
}

impl TestFragment {
    /// What is not as expected, one line each; empty where the test passes. The outcomes are those
    /// of all schemas of the configuration.
    pub fn judge(&self, outcomes: &[SchematronOutcome]) -> Vec<String> {
        let fired: Vec<&Fired> = outcomes.iter().flat_map(|outcome| &outcome.fired).collect();
        let mut wrong = Vec::new();
        for expectation in &self.expectations {
            let of_rule = fired.iter().copied().filter(|found| rule_of(found) == expectation.rule);
            let is_warning = |found: &&Fired| found.check.flag.as_deref() == Some("warning");
            let (warnings, errors): (Vec<_>, Vec<_>) = of_rule.partition(is_warning);
            let (found, name) = match expectation.verdict {
                ExpectedVerdict::Success => {
                    if let Some(found) = errors.first().or(warnings.first()) {
                        wrong.push(format!("{} was found: {}", expectation.rule, said(found)));
                    }
                    continue;
                }
                ExpectedVerdict::Warning => (warnings.len(), "warning"),
                ExpectedVerdict::Error => (errors.len(), "error"),
            };
            if expectation.count.map_or(found == 0, |count| count != found) {
                let wanted = expectation.count.map_or("one".into(), |count| count.to_string());
                let rule = &expectation.rule;
                wrong.push(format!("{rule}: expected {wanted} {name}, found {found}"));
            }
        }
        let expected = |rule: &str| self.expectations.iter().any(|known| known.rule == rule);
        for found in fired {
            let rule = rule_of(found);
            if self.scope.contains(rule) && !expected(rule) {
                wrong.push(format!("{rule} was not expected: {}", said(found)));
            }
        }
        wrong
    }
}

/// The identifier of the rule; for those without, what stands in brackets before the message.
pub fn rule_of(fired: &Fired) -> &str {
    if let Some(id) = &fired.check.id {
        return id;
    }
    bracketed(&fired.message).unwrap_or("")
}

/// What stands in brackets before a message.
pub(super) fn bracketed(message: &str) -> Option<&str> {
    message.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(id, _)| id)
}

fn said(fired: &Fired) -> String {
    let place = &fired.location.path;
    match &fired.cause {
        Cause::Error { code, message } => format!("{code} {message} at {place}"),
        _ => format!("{} at {place}", fired.message),
    }
}
