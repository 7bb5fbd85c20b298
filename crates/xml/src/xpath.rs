//! XPath 2.0 for rules on business documents: exact, fast, and bounded.
//!
//! Rules are compiled once and evaluated on many documents. [`Compiler`] holds what a whole rule
//! set shares while it is read: namespace prefixes, names, functions, keys, document variables.
//! It turns texts into an [`Expression`] or a [`Pattern`] and ends as a [`Program`], which is
//! immutable and may be shared between threads. What is not supported or not declared fails in
//! the compiler, with the place, and never while a document is judged.
//!
//! For one document there is one [`Environment`]: lazily evaluated document variables, remembered
//! sub-expressions that do not depend on the place, keys, other documents, and the [`Budget`].
//! A [`Frame`] holds the context node and the lazily evaluated local variables of one rule.
//!
//! ```text
//! let mut compiler = Compiler::new();
//! compiler.declare_prefix("cbc", CBC);
//! let mut scope = Scope::new();                       // names visible to a rule
//! let value = compiler.compile("xs:decimal(cbc:ID)", &mut scope)?;
//! scope.declare_local("id", value)?;                  // a lazy `let`
//! let test = compiler.compile("$id > 0", &mut scope)?;
//! let layout = scope.into_layout();
//! let program = compiler.finish()?;
//! let environment = Environment::new(&program, &document, Settings::default());
//! let frame = Frame::new(&layout, node);
//! environment.evaluate_boolean(&test, &frame)?;
//! ```
//!
//! Not supported, and refused while compiling: the namespace axis, schema types and element tests
//! with a type, user collations, back-references in regular expressions, XPath 1.0 compatibility.
//!
//! Sources: XML Path Language (XPath) 2.0 (second edition), XQuery 1.0 and XPath 2.0 Functions and
//! Operators (second edition), XSL Transformations (XSLT) 2.0 for patterns, keys and `current()`.

mod analyse;
mod arithmetic;
mod axes;
mod cast;
mod compare;
mod compiler;
mod environment;
mod error;
mod evaluate;
mod functions;
mod ir;
mod keys;
mod number;
mod optimise;
mod parser;
mod pattern;
mod regexes;
mod temporal;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use compiler::{
    Compiler, FrameLayout, FunctionId, NameSlot, Program, VariableId, VariableScope,
};
pub use environment::{
    DocumentResolver, Environment, EvaluationBudget, EvaluationSettings, Frame, NoDocuments,
};
pub use error::{CompileError, DynamicError, ErrorCode};
pub use ir::Expression;
pub use number::{Integer, XPathDecimal};
pub use pattern::{MatchPattern, Target};
pub use temporal::{Moment, XPathDuration};
pub use types::{AtomicType, SequenceType};
pub use value::{Item, NodeRef, Sequence, XPathText};
