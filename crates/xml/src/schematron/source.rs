//! A rule set as it is written, before abstract patterns and rules are resolved.

use std::collections::BTreeMap;

use super::error::Origin;

/// A namespace declaration: prefix and name.
pub(super) type PrefixMap = BTreeMap<String, String>;

/// An XPath expression or a rule context, where it stands, and the scope of its prefixes.
#[derive(Debug, Clone)]
pub(super) struct ScopedExpression {
    pub(super) text: String,
    pub(super) origin: Origin,
    /// Index into [`Source::scopes`].
    pub(super) scope: usize,
}

#[derive(Debug, Default)]
pub(super) struct SchematronSource {
    pub(super) title: Option<String>,
    pub(super) version: Option<String>,
    pub(super) default_phase: Option<String>,
    /// The `ns` elements.
    pub(super) namespaces: PrefixMap,
    /// Declarations in scope of elements, each different set once.
    pub(super) scopes: Vec<PrefixMap>,
    pub(super) lets: Vec<Let>,
    pub(super) patterns: Vec<PatternSource>,
    pub(super) phases: Vec<Phase>,
    pub(super) diagnostics: BTreeMap<String, Vec<Piece>>,
    pub(super) functions: Vec<XslFunction>,
    pub(super) keys: Vec<XslKey>,
    /// What was passed over, and why that does no harm.
    pub(super) notes: Vec<(Origin, String)>,
}

/// `sch:let`, and `xsl:variable` or `xsl:param` at the top.
#[derive(Debug, Clone)]
pub(super) struct Let {
    pub(super) name: String,
    pub(super) declared: Option<String>,
    pub(super) value: VariableValue,
    pub(super) origin: Origin,
}

/// The value of a variable.
#[derive(Debug, Clone)]
pub(super) enum VariableValue {
    /// An expression.
    Select(ScopedExpression),
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
pub(super) struct PatternSource {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) is_abstract: bool,
    pub(super) is_a: Option<String>,
    pub(super) params: Vec<(String, String)>,
    pub(super) lets: Vec<Let>,
    pub(super) rules: Vec<RuleSource>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone)]
pub(super) struct RuleSource {
    pub(super) id: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) role: Option<String>,
    pub(super) is_abstract: bool,
    /// `None` for an abstract rule.
    pub(super) context: Option<ScopedExpression>,
    pub(super) items: Vec<RuleItem>,
    pub(super) origin: Origin,
}

#[derive(Debug, Clone)]
pub(super) enum RuleItem {
    Let(Let),
    Check(CheckSource),
    /// The contents of the abstract rule of this identifier.
    Extends(String, Origin),
}

/// `assert` or `report`.
#[derive(Debug, Clone)]
pub(super) struct CheckSource {
    pub(super) id: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) role: Option<String>,
    pub(super) is_report: bool,
    pub(super) test: ScopedExpression,
    pub(super) message: Vec<Piece>,
    pub(super) diagnostics: Vec<String>,
    pub(super) origin: Origin,
}

/// A part of a message.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text(String),
    /// The string value of what an expression selects.
    ValueOf(ScopedExpression),
    /// The name of the context node, or of the node that the path selects.
    Name(Option<ScopedExpression>),
}

/// `xsl:key`.
#[derive(Debug, Clone)]
pub(super) struct XslKey {
    pub(super) name: String,
    pub(super) matching: ScopedExpression,
    pub(super) using: ScopedExpression,
}

/// `xsl:function`.
#[derive(Debug, Clone)]
pub(super) struct XslFunction {
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
    Sequence(ScopedExpression),
    /// A text node: the items of the expression, joined by the separator.
    ValueOf {
        select: ScopedExpression,
        separator: Option<String>,
    },
    /// A text node of this text.
    Text(String),
    /// `xsl:choose`, and `xsl:if` as a choice of one.
    Choose {
        branches: Vec<(ScopedExpression, Vec<Instruction>)>,
        otherwise: Vec<Instruction>,
    },
}
