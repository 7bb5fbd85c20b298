//! What a document is, decided once: its syntax, its profile, the rules and their release, its
//! document type and its process on the network, and whether all of these agree.
//!
//! ```text
//! Detection ─┐
//! Announced ─┼─ decide(day) ──► Identity { choice of rules, exchange: type and process | reasons }
//! day ───────┘
//! ```
//! Everybody asks: the command line, the calls that validate or send, what arrives, capabilities
//! and the SMP, events, reports and metering. Nobody else compares specification identifiers; the
//! rules of the house look after that.
//!
//! The type on the wire is root element ## CustomizationID of the *document* (Peppol policy for use
//! of identifiers 4.4.0, policy 20). What was announced beside it (the envelope of what arrives,
//! `sourceFormat` of what is sent) decides only where the syntax has no place for an identifier;
//! elsewhere it has to be the same. The room is pure.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod answering;
mod courses;
mod decide;
mod disagreement;
mod kind;
mod losses;
mod near;
mod process;
mod targets;
mod types;

#[cfg(test)]
mod tests;

pub use answering::{UnansweredOrder, order_answer};
pub use courses::{BusinessCourse, OtherCourses, by_course, keeps_course, processes};
pub use decide::{Announced, ExchangeTerms, Identity, decide};
pub use disagreement::Disagreement;
pub use kind::{StatusKind, becomes, is_report, kind_of, profile_of, status_of};
pub use losses::{ConversionPolicy, ConversionRelation};
pub use near::distance;
pub use targets::{ConversionOffer, ProcessOffer, is_base, is_of_format, target_of, targets};
pub use types::{DocumentTypeState, is_exchanged, list_changed, standing};
