//! The compiled form of an expression: names are slots, functions are numbers, constants are made.

use std::sync::{Arc, OnceLock};

use hashbrown::HashSet;

use super::functions::Function;
use super::types::{AtomicType, SequenceType};
use super::value::Item;

/// A compiled expression. It belongs to the [`super::Program`] of the compiler that made it.
#[derive(Debug, Clone)]
pub struct Expression {
    pub(crate) root: Expr,
    /// Frame slots that it needs.
    pub(crate) slots: u32,
    /// Its truth in a document that lacks one of some names.
    pub(crate) without: Option<(bool, Box<[u32]>)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Expr {
    /// One constant item.
    Constant(Item<'static>),
    /// A constant sequence, also the empty one.
    Constants(Arc<ConstantSequence>),
    Context,
    /// A variable of the document.
    Variable(u32),
    /// A variable of the frame.
    Local(u32),
    Sequence(Box<[Expr]>),
    Range(Box<[Expr; 2]>),
    Or(Box<[Expr]>),
    And(Box<[Expr]>),
    General(Comparison, Box<[Expr; 2]>),
    Single(Comparison, Box<[Expr; 2]>),
    Nodes(NodeComparison, Box<[Expr; 2]>),
    Arithmetic(Operator, Box<[Expr; 2]>),
    Negate(Box<Expr>),
    /// Unary plus: only the check that it is a number.
    Plus(Box<Expr>),
    Union(Box<[Expr]>),
    Intersect(Box<[Expr; 2]>),
    Except(Box<[Expr; 2]>),
    If(Box<[Expr; 3]>),
    For(Box<Binding>),
    Some(Box<Binding>),
    Every(Box<Binding>),
    /// A variable that is evaluated when it is first asked for.
    Let(Box<Binding>),
    Cast(AtomicType, bool, Box<Expr>),
    Castable(AtomicType, bool, Box<Expr>),
    InstanceOf(Box<(Expr, SequenceType)>),
    Treat(Box<(Expr, SequenceType)>),
    /// The function conversion rules, XPath 2.0 section 3.1.5.
    Convert(Box<(Expr, SequenceType)>),
    Path(Box<PathExpression>),
    /// An expression with predicates.
    Filter(Box<(Expr, Box<[Predicate]>)>),
    Call(Function, Box<[Expr]>),
    User(u32, Box<[Expr]>),
    Key(u32, Box<[Expr]>),
    /// Does not depend on the place: evaluated once a document.
    Memo(u32, Box<Expr>),
    /// Whether any of the strings is in a constant set.
    Member(Box<SetLookup>),
    /// Regular expression functions with a constant pattern.
    Regex(RegexCall, Arc<super::regexes::Regex>, Box<[Expr]>),
    /// The text that `xsl:value-of` makes: untyped, items joined by a separator.
    TextOf(Box<Expr>, Box<str>),
}

/// A constant sequence; it is shared by all places where it stands.
#[derive(Debug, Default)]
pub(crate) struct ConstantSequence {
    pub(crate) items: Vec<Item<'static>>,
    texts: OnceLock<Option<Texts>>,
}

/// Texts that are looked up.
pub(crate) type Texts = Arc<HashSet<Box<str>>>;

impl ConstantSequence {
    pub(crate) fn new(items: Vec<Item<'static>>) -> ConstantSequence {
        ConstantSequence { items, texts: OnceLock::new() }
    }

    /// The items as a set, where all of them are strings or untyped.
    pub(crate) fn texts(&self) -> Option<Texts> {
        let texts = self.texts.get_or_init(|| {
            let texts = self.items.iter().map(|item| match item {
                Item::String(text) | Item::Untyped(text) => Some(Box::from(text.as_str())),
                _ => None,
            });
            texts.collect::<Option<HashSet<_>>>().map(Arc::new)
        });
        texts.clone()
    }
}

impl Expr {
    /// The empty sequence.
    pub(crate) fn empty() -> Expr {
        Expr::Constants(Arc::default())
    }
}

/// Which function with a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RegexCall {
    Matches,
    Replace,
    Tokenize,
}

/// `for`, `some`, `every` and `let`.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    pub(crate) slot: u32,
    pub(crate) source: Expr,
    pub(crate) body: Expr,
}

/// Look-up of strings in a constant set.
#[derive(Debug, Clone)]
pub(crate) struct SetLookup {
    pub(crate) value: Expr,
    pub(crate) set: Texts,
    pub(crate) kind: MemberKind,
}

/// What a look-up stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MemberKind {
    /// `value = ('a', 'b')`: any item of the value; only strings and untyped values.
    Any,
    /// `contains(' a b ', concat(' ', value, ' '))`: the text as a function argument. The whole
    /// text is searched where the value has the separator inside.
    Token {
        /// The first argument of `contains`.
        whole: Box<str>,
        /// What stands before and after each token.
        separator: Box<str>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeComparison {
    Is,
    Before,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Child,
    Attribute,
    Descendant,
    DescendantOrSelf,
    Own,
    Parent,
    Ancestor,
    AncestorOrSelf,
    FollowingSibling,
    PrecedingSibling,
    Following,
    Preceding,
}

/// What a step selects along its axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeTest {
    /// An expanded name, as a slot; of the principal kind of the axis.
    Name(u32),
    /// One of some names of the principal kind: `(a | b)` as a step.
    Names(Box<[u32]>),
    /// `*`.
    AnyName,
    /// `prefix:*`.
    InNamespace(Box<str>),
    /// `*:local`.
    Local(Box<str>),
    AnyNode,
    Text,
    Comment,
    Instruction(Option<Box<str>>),
    Document,
    /// `element()` or `element(name)`, whatever the axis.
    Element(Option<u32>),
    /// `attribute()` or `attribute(name)`, whatever the axis.
    Attribute(Option<u32>),
}

#[derive(Debug, Clone)]
pub(crate) struct PathExpression {
    pub(crate) start: PathStart,
    pub(crate) steps: Box<[PathStep]>,
    /// What is known of the nodes as they are found one after another.
    pub(crate) order: WalkOrder,
    /// Names without which the path gives nothing, in the document where it starts.
    pub(crate) required: Box<[u32]>,
    /// Whether it never leaves the document of the context node.
    pub(crate) local: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum PathStart {
    Context,
    /// The document node of the tree of the context node.
    Root,
    Expr(Expr),
}

/// What a walk without sorting gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkOrder {
    /// In document order, none twice.
    Document,
    /// None twice.
    Distinct,
    /// Nothing is known.
    Unknown,
    /// A step asks for its position among all nodes before it: the steps must be taken one after
    /// the other for all nodes together.
    Sets,
}

#[derive(Debug, Clone)]
pub(crate) enum PathStep {
    Axis(AxisStep),
    /// Any other expression, evaluated for each node.
    Expr(Expr),
}

#[derive(Debug, Clone)]
pub(crate) struct AxisStep {
    pub(crate) axis: Axis,
    pub(crate) test: NodeTest,
    pub(crate) predicates: Box<[Predicate]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Predicate {
    pub(crate) expr: Expr,
    pub(crate) kind: PredicateKind,
    /// For a condition on the node alone: the slot of its truths, the same for each predicate of
    /// the same text.
    pub(crate) known: Option<u32>,
}

/// How the value of a predicate is used, XPath 2.0 section 3.2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PredicateKind {
    /// Never a number, and uses neither `position()` nor `last()`: each node stands for itself.
    Boolean,
    /// A constant position.
    Position(i64),
    /// Uses `position()`, or may be a number, but does not need `last()`.
    Counted,
    /// Needs how many nodes there are.
    Sized,
}
