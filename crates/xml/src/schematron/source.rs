//! A rule set as it is written, before abstract patterns and rules are resolved.

use std::collections::BTreeMap;

use super::error::Origin;

/// A namespace declaration: prefix and name.
pub(super) type Namespaces = BTreeMap<String, String>;

/// An XPath expression or a rule context, where it stands, and the scope of its prefixes.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) text: String,
    pub(super) origin: Origin,
    /// Index into [`Source::scopes`].
    pub(super) scope: usize,
}

#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) title: Option<String>,
    pub(super) version: Option<String>,
    pub(super) default_phase: Option<String>,
    /// The `ns` elements.
    pub(super) namespaces: Namespaces,
    /// Declarations in scope of elements, each different set once.
    pub(super) scopes: Vec<Namespaces>,
    pub(super) lets: Vec<Let>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) phases: Vec<Phase>,
    pub(super) diagnostics: BTreeMap<String, Vec<Piece>>,
    pub(super) functions: Vec<Function>,
    pub(super) keys: Vec<Key>,
    /// What was passed over, and why that does no harm.
    pub(super) notes: Vec<(Origin, String)>,
}

/// `sch:let`, and `xsl:variable` or `xsl:param` at the top.
#[derive(Debug, Clone)]
pub(super) struct Let {
    pub(super) name: String,
    pub(super) declared: Option<String>,
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// The value of a variable.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// An expression.
    Select(Code),
    /// A sequence constructor.
    Body(Vec<Instruction>),
}

#[derive(Debug, Clone)]
pub(super) struct Phase {
    pub(super) id: String,
    pub(super) lets: Vec<Let>,
    pub(super) active: Vec<(String, Origin)>,
}

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) is_abstract: bool,
    pub(super) is_a: Option<String>,
    pub(super) params: Vec<(String, String)>,
    pub(super) lets: Vec<Let>,
    pub(super) rules: Vec<Rule>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) id: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) role: Option<String>,
    pub(super) is_abstract: bool,
    /// `None` for an abstract rule.
    pub(super) context: Option<Code>,
    pub(super) items: Vec<RuleItem>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone)]
pub(super) enum RuleItem {
    Let(Let),
    Check(Check),
    /// The contents of the abstract rule of this identifier.
    Extends(String, Origin),
}

/// `assert` or `report`.
#[derive(Debug, Clone)]
pub(super) struct Check {
    pub(super) id: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) role: Option<String>,
    pub(super) is_report: bool,
    pub(super) test: Code,
    pub(super) message: Vec<Piece>,
    pub(super) diagnostics: Vec<String>,
    pub(super) origin: Origin,
}

/// A part of a message.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text(String),
    /// The string value of what an expression selects.
    ValueOf(Code),
    /// The name of the context node, or of the node that the path selects.
    Name(Option<Code>),
}

/// `xsl:key`.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) matching: Code,
    pub(super) using: Code,
}

/// `xsl:function`.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    /// Name and declared type of each.
    pub(super) params: Vec<(String, Option<String>)>,
    pub(super) returns: Option<String>,
    pub(super) body: Vec<Instruction>,
    pub(super) origin: Origin,
    pub(super) scope: usize,
}

/// An instruction of a sequence constructor (XSLT 2.0, section 5.7).
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    Variable(Let),
    Sequence(Code),
    /// A text node: the items of the expression, joined by the separator.
    ValueOf {
        select: Code,
        separator: Option<String>,
    },
    /// A text node of this text.
    Text(String),
    /// `xsl:choose`, and `xsl:if` as a choice of one.
    Choose {
        branches: Vec<(Code, Vec<Instruction>)>,
        otherwise: Vec<Instruction>,
    },
}
