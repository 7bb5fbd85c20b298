//! Match patterns as rule contexts use them, XSLT 2.0 section 5.5.
//!
//! Beyond XSLT 2.0 a union in parentheses may stand where a step stands, as in XSLT 3.0:
//! `(a | b)[p]/c` is taken as `a[p]/c | b[p]/c`. A dynamic error in a predicate means that the
//! node does not match (section 5.5.4).

use super::analyse::required_of_tests;
use super::compiler::NameSlot;
use super::ir::{NodeTest, Predicate};

/// A compiled match pattern.
#[derive(Debug, Clone)]
pub struct MatchPattern {
    pub(crate) alternatives: Vec<Alternative>,
    /// Frame slots that its predicates need.
    pub(crate) slots: u32,
}

/// One path of a pattern.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    /// Steps from the last to the first.
    pub(crate) steps: Vec<PatternStep>,
    /// Whether the first step is a child of the document node (or, for `//`, anywhere below it).
    pub(crate) anchor: Anchor,
    /// Names without which it matches nothing.
    pub(crate) required: Box<[u32]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// A relative pattern: anything may be above.
    Anywhere,
    /// `/a`.
    Root,
    /// `//a`: anywhere below a document node.
    BelowRoot,
}

#[derive(Debug, Clone)]
pub(crate) struct PatternStep {
    /// Whether it is on the attribute axis.
    pub(crate) attribute: bool,
    pub(crate) test: NodeTest,
    pub(crate) predicates: Vec<Predicate>,
    /// Whether `//` stands between this step and the one before it in the text.
    pub(crate) below: bool,
}

/// Which nodes an alternative can match at all, for dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Elements of one name.
    Element(NameSlot),
    /// Elements of any name.
    AnyElement,
    /// Attributes of one name.
    Attribute(NameSlot),
    /// Attributes of any name.
    AnyAttribute,
    /// Document nodes.
    Document,
    /// Text nodes.
    Text,
    /// Comments.
    Comment,
    /// Processing instructions.
    Instruction,
    /// Any child node: elements, texts, comments and processing instructions.
    AnyChild,
}

impl MatchPattern {
    /// What each alternative can match, in the order of the text.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.alternatives.iter().map(Alternative::target)
    }
}

impl MatchPattern {
    /// Finds the names that the alternatives need.
    pub(super) fn require(&mut self) {
        for alternative in &mut self.alternatives {
            let steps = alternative.steps.iter();
            let steps = steps.map(|step| (&step.test, step.predicates.as_slice()));
            alternative.required = required_of_tests(steps);
        }
    }

    /// The predicates of all steps, to rewrite them.
    pub(super) fn predicates_mut(&mut self) -> impl Iterator<Item = &mut Predicate> {
        let steps = self.alternatives.iter_mut().flat_map(|each| &mut each.steps);
        steps.flat_map(|step| &mut step.predicates)
    }
}

impl Alternative {
    fn target(&self) -> Target {
        let Some(last) = self.steps.first() else { return Target::Document };
        match (&last.test, last.attribute) {
            (NodeTest::Name(slot), false) | (NodeTest::Element(Some(slot)), _) => {
                Target::Element(NameSlot(*slot))
            }
            (NodeTest::Name(slot), true) | (NodeTest::Attribute(Some(slot)), _) => {
                Target::Attribute(NameSlot(*slot))
            }
            (NodeTest::Attribute(None), _) | (_, true) => Target::AnyAttribute,
            (NodeTest::Text, _) => Target::Text,
            (NodeTest::Comment, _) => Target::Comment,
            (NodeTest::Instruction(_), _) => Target::Instruction,
            (NodeTest::Document, _) => Target::Document,
            (NodeTest::AnyNode, _) => Target::AnyChild,
            _ => Target::AnyElement,
        }
    }
}
