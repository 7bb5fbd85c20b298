//! Business documents: what a file is, what it says, and whether it is right.
//!
//! ```text
//! bytes ── read ──► Parsed (one tree + Detection) ── validate(on) ──► Report (steps, findings)
//!                      ├── header ──► Header (what routing needs of an invoice)
//!                      ├── routing ──► Routing (what routing needs of any document)
//!                      └── read_invoice ──► Invoice (the semantic model) + residue
//! ```
//! The room is pure: bytes and a date in, values out. Whatever the bytes are, [`read`] answers and
//! [`validate()`] completes: a wrong document is a [`Report`] with findings, never an error.
//! Four tables name the variants: [`formats::FORMATS`], [`profiles::PROFILES`],
//! [`rules::RULE_SETS`] and, for the findings that are our own, [`own::OWN`].

pub mod amount;
pub mod choice;
pub mod codes;
pub mod detect;
pub mod explain;
pub mod formats;
#[cfg(test)]
mod growth;
pub mod header;
mod language;
mod locate;
mod message_status;
pub mod model;
pub mod official;
pub mod own;
pub mod packages;
pub mod profiles;
pub mod readers;
pub mod report;
pub mod routing;
pub mod rules;
pub mod samples;
mod structure;
pub mod structure_tables;
pub mod subset;
mod ubl;
pub mod unwrap;
mod validate;
pub mod write;

pub use detect::{Certainty, Detection, Parsed, detect, read};
pub use header::{Endpoint, Header};
pub use language::Language;
pub use message_status::{MessageIssue, MessageStatus};
pub use report::{
    Finding, FixBy, Flag, Location, Outcome, Policy, Report, Step, StepResult, Verdict,
};
pub use unwrap::{Unwrapped, Wrapper, inside, unwrap};
pub use validate::{Judged, Objection, Options, Until, validate, validate_file, validate_with};
