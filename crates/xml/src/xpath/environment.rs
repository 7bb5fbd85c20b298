//! What an evaluation knows: the document, other documents, the time, variables, and limits.

mod budget;
mod conditions;
mod frame;
mod loaded;

pub use budget::EvaluationBudget;
pub use frame::Frame;

pub(crate) use frame::{Focus, VariableSlot};
pub(crate) use loaded::Loaded;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;

use super::compiler::{NameSlot, Program};
use super::error::{DynamicError, XPathResult};
use super::evaluate::{StableSequence, StringSet};
use super::ir::Expression;
use super::keys::KeyTable;
use super::pattern::MatchPattern;
use super::regexes::Regex;
use super::value::{NodeRef, Sequence};
use crate::tree::{Document, NodeId};

/// Where `document()` and `doc()` find other documents.
///
/// The caller decides what may be read: for rules, the files of the rule set's folder, and nothing
/// else. The same reference must give the same document.
pub trait DocumentResolver<'d> {
    /// The document that a reference means; `None` where there is none.
    fn document(&self, reference: &str) -> Option<&'d Document>;
}

/// No other documents: `document()` fails with `FODC0002`.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDocuments;

impl<'d> DocumentResolver<'d> for NoDocuments {
    fn document(&self, _: &str) -> Option<&'d Document> {
        None
    }
}

/// What a caller gives besides the document.
#[derive(Clone, Copy)]
pub struct EvaluationSettings<'d> {
    /// What `current-dateTime()` gives, always in UTC; without it the function is an error.
    pub now: Option<jiff::Timestamp>,
    /// Where other documents are.
    pub documents: &'d dyn DocumentResolver<'d>,
    /// The limits; `None` takes [`Budget::for_document`].
    pub budget: Option<EvaluationBudget>,
}

impl Default for EvaluationSettings<'_> {
    fn default() -> Self {
        EvaluationSettings { now: None, documents: &NoDocuments, budget: None }
    }
}

/// The state of one program on one document. Not shared between threads.
pub struct Environment<'d> {
    pub(crate) program: &'d Program,
    pub(crate) main: Loaded<'d>,
    pub(crate) settings: EvaluationSettings<'d>,
    pub(crate) budget: EvaluationBudget,
    /// Steps that are left.
    pub(crate) steps: Cell<u64>,
    /// Expressions inside one another at this moment.
    pub(crate) depth: Cell<u32>,
    /// Where the stack stood when the outermost expression began.
    pub(crate) stack: Cell<usize>,
    pub(crate) others: RefCell<Vec<Rc<Loaded<'d>>>>,
    /// Which references gave which of `others`.
    pub(crate) references: RefCell<HashMap<String, Option<u32>>>,
    pub(crate) variables: Vec<RefCell<VariableSlot<'d>>>,
    pub(crate) memos: Vec<OnceCell<XPathResult<Sequence<'d>>>>,
    /// Truths of conditions that stand in several places, for each node.
    pub(crate) conditions: conditions::ConditionMemo,
    pub(crate) truths: Vec<Cell<Option<bool>>>,
    /// Values of remembered sequences and variables as sets of strings, where they are strings.
    pub(crate) sets: RefCell<HashMap<StableSequence, Option<Rc<StringSet<'d>>>>>,
    /// The first limit that was reached in a pattern, where errors are no match.
    pub(crate) limit: RefCell<Option<DynamicError>>,
    pub(crate) keys: RefCell<HashMap<(u32, u32), Rc<KeyTable>>>,
    pub(crate) regexes: RefCell<HashMap<(String, String), std::sync::Arc<Regex>>>,
}

impl<'d> Environment<'d> {
    /// An environment for one document.
    pub fn new(
        program: &'d Program,
        document: &'d Document,
        settings: EvaluationSettings<'d>,
    ) -> Environment<'d> {
        let budget = settings.budget.unwrap_or_else(|| EvaluationBudget::for_document(document));
        Environment {
            program,
            main: Loaded::new(program, document),
            settings,
            budget,
            steps: Cell::new(budget.steps),
            depth: Cell::new(0),
            stack: Cell::new(0),
            others: RefCell::default(),
            references: RefCell::default(),
            variables: program
                .variables
                .iter()
                .map(|value| RefCell::new(VariableSlot::Pending(&value.root)))
                .collect(),
            memos: (0..program.memos).map(|_| OnceCell::new()).collect(),
            conditions: conditions::ConditionMemo::new(&program.shared),
            truths: vec![Cell::new(None); program.memos as usize],
            sets: RefCell::default(),
            limit: RefCell::default(),
            keys: RefCell::default(),
            regexes: RefCell::default(),
        }
    }

    /// Evaluates an expression for the context node of a frame.
    ///
    /// # Errors
    /// The dynamic error that the specification asks for, or a limit that was reached.
    pub fn evaluate(
        &self,
        expression: &'d Expression,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        self.sequence(&expression.root, frame.focus(), frame)
    }

    /// The effective boolean value of an expression (XPath 2.0 section 2.4.3), evaluated no
    /// further than is needed to know it.
    ///
    /// # Errors
    /// As [`Environment::evaluate`]; `FORG0006` for a value without a boolean value.
    pub fn evaluate_boolean(
        &self,
        expression: &'d Expression,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        if let Some((truth, names)) = &expression.without
            && frame.current.is_some_and(NodeRef::is_in_main_document)
            && !self.has_names(0, names)
        {
            return Ok(*truth);
        }
        self.boolean(&expression.root, frame.focus(), frame)
    }

    /// The text that `xsl:value-of` and `sch:value-of` show: the items as strings with a space
    /// between them.
    ///
    /// # Errors
    /// As [`Environment::evaluate`].
    pub fn evaluate_string(
        &self,
        expression: &'d Expression,
        frame: &Frame<'d>,
    ) -> XPathResult<String> {
        self.text_of(&expression.root, " ", frame.focus(), frame)
    }

    /// Whether a pattern matches a node. An error in a predicate means that it does not.
    pub fn matches(&self, pattern: &'d MatchPattern, node: NodeRef) -> bool {
        (0..pattern.alternatives.len()).any(|at| self.matches_alternative(pattern, at, node))
    }

    /// The first limit that was reached while matching patterns, where an error means no match.
    /// Ask for it after the last pattern: with a limit reached, what did not match is not known.
    pub fn limit_reached(&self) -> Option<DynamicError> {
        self.limit.borrow().clone()
    }

    /// The steps that are left of the budget.
    pub fn steps_left(&self) -> u64 {
        self.steps.get()
    }

    /// The slot of the name of an element of the document that is judged; `None` for a name that
    /// no rule mentions, or for another kind of node.
    pub fn slot_of(&self, element: NodeId) -> Option<NameSlot> {
        self.main.slot_of(self.main.document.name_of(element)?)
    }

    /// The slot of the name of an attribute, by its number in the document.
    pub fn slot_of_attribute(&self, attribute: u32) -> Option<NameSlot> {
        self.main.slot_of(self.main.document.attribute_name(attribute)?)
    }

    /// The document that is judged.
    pub fn document(&self) -> &'d Document {
        self.main.document
    }
}
