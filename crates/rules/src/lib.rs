//! The rules of business documents: whether a document is right, and why not.
//!
//! ```text
//! Parsed ── validate(on) ──► Report (steps, findings)
//! ```
//! The room is pure: a document and a date in, values out. [`validate()`] always completes: a wrong
//! document is a [`Report`] with findings, never an error. A release of rules is a folder below
//! [`releases`] and a row of its table; for the findings that are our own there is [`own::OWN`].

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod explain;
#[cfg(test)]
mod growth;
mod locate;
pub mod official;
pub mod own;
pub mod releases;
pub mod report;
pub mod rules;
pub mod subset;
mod validate;

pub use report::{Report, StepOutcome, StepResult, ValidationPolicy, Verdict};
pub use validate::{
    Objection, Options, Until, ValidatedDocument, validate, validate_file, validate_with,
};
