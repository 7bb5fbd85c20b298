//! What a business document is: terms, amounts, codes, and what is said of it.
//!
//! The leaf of the rooms about documents: values and small types that all of them share. It knows
//! no syntax and no rule. The room is pure: bytes and a date in, values out.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod amount;
pub mod codes;
pub mod en16931;
mod endpoint;
pub mod finding;
mod language;
pub mod order;
pub mod rows;
pub mod text;
pub mod vocabulary;

pub use endpoint::ElectronicAddress;
pub use finding::{
    Finding, FiredAssertion, FixBy, Flag, Location, Patch, PatchKind, ValidationStep,
};
pub use language::Language;
