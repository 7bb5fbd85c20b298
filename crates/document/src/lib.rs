//! Business documents: what a file is, what it says, and whether it is right.
//!
//! ```text
//! bytes ── read ──► Parsed (one tree + Detection) ── validate(on) ──► Report (steps, findings)
//!                      └── header ──► Header (what routing needs)
//! ```
//! The room is pure: bytes and a date in, values out. Whatever the bytes are, [`read`] answers and
//! [`validate()`] completes: a wrong document is a [`Report`] with findings, never an error.
//! Four tables name the variants: [`formats::FORMATS`], [`profiles::PROFILES`],
//! [`rules::RULE_SETS`] and, for the findings that are our own, [`own::OWN`].

pub mod amount;
pub mod detect;
pub mod formats;
pub mod header;
mod locate;
pub mod own;
pub mod profiles;
pub mod report;
pub mod rules;
pub mod samples;
mod structure;
mod ubl;
mod validate;

pub use detect::{Certainty, Detection, Parsed, detect, read};
pub use header::{Endpoint, Header};
pub use report::{Finding, FixBy, Flag, Location, Outcome, Report, Step, StepResult};
pub use validate::validate;
