//! A rule set, ready to be applied.

use std::collections::BTreeMap;

use super::compile::{Compiled, CompiledPiece, compile};
use super::dispatch::Dispatch;
use super::error::{LoadError, Origin};
use super::expand::{PhaseChoice, expand};
use super::library::{FileResolver, ParsedFiles};
use super::outcome::SchematronOutcome;
use super::source::PrefixMap;
use super::testset::bracketed;
use super::{read, run};
use crate::tree::Document;
use crate::xpath::EvaluationBudget;

/// How many findings one run may have.
const MAX_FINDINGS: usize = 20_000;

/// A compiled rule set: immutable, to be shared between threads.
#[derive(Debug)]
pub struct SchematronSchema {
    pub(super) compiled: Compiled,
    pub(super) dispatch: Dispatch,
    /// What `document()` may read, by the reference as the rules write it.
    pub(super) documents: BTreeMap<String, Document>,
    title: Option<String>,
    version: Option<String>,
    namespaces: PrefixMap,
    notes: Vec<(Origin, String)>,
}

/// What a run may use, and what it keeps.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The current time, in UTC, for rules that ask for it; without it their tests are errors.
    pub now: Option<jiff::Timestamp>,
    /// The limits of the run; `None` takes those that fit the size of the document.
    pub budget: Option<EvaluationBudget>,
    /// Whether the rules that were applied are kept in [`Outcome::rules`].
    pub trace: bool,
    /// How many findings are kept before the run ends with a limit.
    pub findings: usize,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { now: None, budget: None, trace: false, findings: MAX_FINDINGS }
    }
}

/// A pattern that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternInfo<'s> {
    /// Its `id`.
    pub id: Option<&'s str>,
    /// Its `title`.
    pub title: Option<&'s str>,
}

impl SchematronSchema {
    /// Reads and compiles a rule set. `main` is the path of its main file, as the resolver takes
    /// it: relative to the folder of the set, which must hold every file that the set includes.
    ///
    /// # Errors
    /// [`LoadError`]: the first thing that is missing, wrong or not supported, with its place.
    pub fn load(
        resolver: &dyn FileResolver,
        main: &str,
        phase: &PhaseChoice,
    ) -> Result<SchematronSchema, LoadError> {
        let library = ParsedFiles::read(resolver, main)?;
        let source = expand(read::read(&library)?, phase)?;
        let documents = super::documents::read(resolver, &source)?;
        let compiled = compile(&source)?;
        let dispatch = Dispatch::new(&compiled.program, &compiled.patterns);
        Ok(SchematronSchema {
            compiled,
            dispatch,
            documents,
            title: source.title,
            version: source.version,
            namespaces: source.namespaces,
            notes: source.notes,
        })
    }

    /// Applies the rules to a document.
    ///
    /// Structure should be checked before: an amount that is no number is an error in many
    /// official rules, which their own engines do not survive.
    pub fn validate(&self, document: &Document, options: &RunOptions) -> SchematronOutcome {
        run::run(self, document, options)
    }

    /// The `title` of the rule set.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The `schemaVersion` of the rule set.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The `ns` elements: prefix and namespace, ordered by prefix.
    pub fn namespaces(&self) -> impl Iterator<Item = (&str, &str)> {
        self.namespaces.iter().map(|(prefix, uri)| (prefix.as_str(), uri.as_str()))
    }

    /// The patterns, in the order in which they are applied.
    pub fn patterns(&self) -> impl Iterator<Item = PatternInfo<'_>> {
        let patterns = self.compiled.patterns.iter();
        patterns.map(|found| PatternInfo { id: found.id.as_deref(), title: found.title.as_deref() })
    }

    /// The assertions and reports, in their order; those of an abstract pattern once for each use.
    pub fn checks(&self) -> impl Iterator<Item = &super::SchematronCheck> {
        let rules = self.compiled.patterns.iter().flat_map(|pattern| &pattern.rules);
        rules.flat_map(|rule| &rule.checks).map(|compiled| &*compiled.check)
    }

    /// The identifiers of the rules, as [`super::testset::rule_of`] tells them of what fired, in
    /// the order of [`SchematronSchema::checks`]; one without any is left out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let rules = self.compiled.patterns.iter().flat_map(|pattern| &pattern.rules);
        rules.flat_map(|rule| &rule.checks).filter_map(|compiled| {
            let bracketed = || match compiled.message.first() {
                Some(CompiledPiece::Text(text)) => bracketed(text),
                _ => None,
            };
            compiled.check.id.as_deref().or_else(bracketed)
        })
    }

    /// What was passed over while loading, and why that changes no verdict.
    pub fn notes(&self) -> &[(Origin, String)] {
        &self.notes
    }
}
