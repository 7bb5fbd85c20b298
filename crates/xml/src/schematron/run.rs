//! Applying a schema to a document.

use super::compile::{CompiledCheck, CompiledPiece, CompiledRule};
use super::outcome::{Cause, Fired, FiredRule, SchematronOutcome};
use super::place::NodePaths;
use super::{RunOptions, SchematronSchema};
use crate::tree::Document;
use crate::xpath::{
    DocumentResolver, DynamicError, Environment, EvaluationSettings, Expression, Frame,
    FrameLayout, Item, NodeRef,
};

/// The code of the limit on findings; the others are those of the XPath room.
const TOO_MANY: &str = "QX0100";

/// The files that `document()` may read: those that the rule set names, read with it.
#[derive(Debug, Clone, Copy)]
struct Shelf<'d>(&'d std::collections::BTreeMap<String, Document>);

impl<'d> DocumentResolver<'d> for Shelf<'d> {
    fn document(&self, reference: &str) -> Option<&'d Document> {
        self.0.get(reference)
    }
}

pub(super) fn run(
    schema: &SchematronSchema,
    document: &Document,
    options: &RunOptions,
) -> SchematronOutcome {
    let shelf = Shelf(&schema.documents);
    let empty = FrameLayout::default();
    let settings =
        EvaluationSettings { now: options.now, documents: &shelf, budget: options.budget };
    let environment = Environment::new(&schema.compiled.program, document, settings);
    let mut run = SchematronRun {
        environment: &environment,
        places: NodePaths::new(document),
        frame: Frame::new(&empty, NodeRef::ROOT),
        outcome: SchematronOutcome { is_complete: true, ..SchematronOutcome::default() },
        options,
    };
    run.whole(schema);
    run.outcome
}

struct SchematronRun<'r, 'd> {
    environment: &'r Environment<'d>,
    places: NodePaths<'d>,
    frame: Frame<'d>,
    outcome: SchematronOutcome,
    options: &'r RunOptions,
}

/// The run ends here: a limit was reached, and the outcome says so.
struct Stop;

impl<'d> SchematronRun<'_, 'd> {
    fn whole(&mut self, schema: &'d SchematronSchema) {
        let patterns = &schema.compiled.patterns;
        let hits = match schema.dispatch.hits(patterns, self.environment) {
            Ok(hits) => hits,
            Err(error) => {
                self.limit_before_tests(schema, &error);
                return;
            }
        };
        for (number, (pattern, hits)) in patterns.iter().zip(hits).enumerate() {
            for (node, rule) in hits {
                let Some(rule) = pattern.rules.get(rule as usize) else { continue };
                if self.options.trace {
                    self.outcome.rules.push(FiredRule {
                        pattern: number,
                        id: rule.id.clone(),
                        context: rule.context.clone(),
                        flag: rule.flag.clone(),
                        role: rule.role.clone(),
                        before: self.outcome.fired.len(),
                    });
                }
                if let Err(Stop) = self.rule(rule, node) {
                    self.outcome.is_complete = false;
                    return;
                }
            }
        }
    }

    /// A limit reached while contexts are matched belongs to no test; the first one carries it.
    fn limit_before_tests(&mut self, schema: &'d SchematronSchema, error: &DynamicError) {
        self.outcome.is_complete = false;
        let rules = schema.compiled.patterns.iter().flat_map(|pattern| &pattern.rules);
        if let Some(check) = rules.flat_map(|rule| &rule.checks).next() {
            let cause = Cause::Limit { code: error.code.as_str(), message: error.to_string() };
            self.push(check, NodeRef::ROOT, cause);
        }
    }

    fn rule(&mut self, rule: &'d CompiledRule, node: NodeRef) -> Result<(), Stop> {
        self.frame.reset(&rule.layout, node);
        for check in &rule.checks {
            match self.environment.evaluate_boolean(&check.test, &self.frame) {
                Ok(holds) if holds == check.check.is_report => {
                    let cause = if holds { Cause::SuccessfulReport } else { Cause::FailedAssert };
                    self.push(check, node, cause);
                }
                Ok(_) => continue,
                Err(error) => self.error(check, node, &error)?,
            }
            if self.outcome.fired.len() >= self.options.findings {
                let message = format!("there are more than {} findings", self.options.findings);
                self.push(check, node, Cause::Limit { code: TOO_MANY, message });
                return Err(Stop);
            }
        }
        Ok(())
    }

    fn error(
        &mut self,
        check: &'d CompiledCheck,
        node: NodeRef,
        error: &DynamicError,
    ) -> Result<(), Stop> {
        let (code, message) = (error.code.as_str(), error.message.clone().into_owned());
        if error.code.is_limit() {
            self.push(check, node, Cause::Limit { code, message });
            return Err(Stop);
        }
        self.push(check, node, Cause::Error { code, message });
        Ok(())
    }

    fn push(&mut self, check: &'d CompiledCheck, node: NodeRef, cause: Cause) {
        let is_verdict = matches!(cause, Cause::FailedAssert | Cause::SuccessfulReport);
        let mut failure = None;
        let mut diagnostics = Vec::new();
        let message = if is_verdict {
            for (id, pieces) in &check.diagnostics {
                diagnostics.push((id.clone(), self.message(pieces, node, &mut failure)));
            }
            self.message(&check.message, node, &mut failure)
        } else {
            plain(&check.message)
        };
        let location = self.places.location(node);
        let value = self.places.value(node);
        let fired = Fired {
            check: std::sync::Arc::clone(&check.check),
            cause,
            location,
            value,
            message,
            diagnostics,
        };
        self.outcome.fired.push(fired);
        // A message that cannot be filled in ends an XSLT engine too.
        if let Some(error) = failure {
            let (code, message) = (error.code.as_str(), error.message.into_owned());
            self.push(check, node, Cause::Error { code, message });
        }
    }

    fn message(
        &self,
        pieces: &'d [CompiledPiece],
        node: NodeRef,
        failure: &mut Option<DynamicError>,
    ) -> String {
        let mut text = String::new();
        for piece in pieces {
            let filled = match piece {
                CompiledPiece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                CompiledPiece::ValueOf(expression) => {
                    self.environment.evaluate_string(expression, &self.frame)
                }
                CompiledPiece::Name(None) => Ok(self.places.name(node)),
                CompiledPiece::Name(Some(expression)) => self.name_of(expression),
            };
            match filled {
                Ok(filled) => text.push_str(&filled),
                Err(error) => {
                    text.push_str(error.code.as_str());
                    *failure = Some(error);
                }
            }
        }
        collapsed(&text)
    }

    /// The name of the first node that an expression gives.
    fn name_of(&self, expression: &'d Expression) -> Result<String, DynamicError> {
        let found = self.environment.evaluate(expression, &self.frame)?;
        let node = found.items().iter().find_map(|item| match item {
            Item::Node(node) if node.is_in_main_document() => Some(*node),
            _ => None,
        });
        Ok(node.map(|node| self.places.name(node)).unwrap_or_default())
    }
}

/// The message without what could not be filled in.
fn plain(pieces: &[CompiledPiece]) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        CompiledPiece::Text(text) => text.as_str(),
        _ => "…",
    });
    collapsed(&texts.collect::<String>())
}

fn collapsed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
