//! ISO Schematron: loads official rule files as they are and applies them to a document.
//!
//! [`Schema::load`] reads a rule set through a [`Resolver`] and compiles it once;
//! [`Schema::validate`] applies it. A schema is immutable and can be shared between threads; what
//! belongs to one document lives in the run.
//!
//! What is read: ISO/IEC 19757-3 with its includes, phases, abstract patterns and rules, variables
//! and diagnostics; of XSLT 2.0 the functions, keys and variables that official sets use. XPath 2.0
//! is the query language whatever `queryBinding` says about XSLT 1.0, as the published validators
//! do, which compile all of these sets as XSLT 2.0. Whatever is not supported fails while loading,
//! with its place; nothing is left out silently.

mod compile;
mod dispatch;
mod documents;
mod error;
mod expand;
mod library;
pub mod mutation;
mod outcome;
mod place;
mod read;
mod run;
mod schema;
mod source;
pub mod svrl;
#[cfg(test)]
mod tests;
pub mod testset;

pub use error::{LoadError, Origin, ResolveError};
pub use expand::PhaseChoice;
pub use library::FileResolver;
pub use outcome::{
    Cause, Fired, FiredRule, MAX_VALUE, NodeLocation, SchematronCheck, SchematronOutcome,
};
pub use schema::{PatternInfo, RunOptions, SchematronSchema};
