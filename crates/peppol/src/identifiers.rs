//! The identifiers of the network (Policy for use of Identifiers 4.4.0): who takes part
//! ([`ParticipantId`]), what is exchanged ([`DocumentTypeId`]), in which business process
//! ([`ProcessId`]), by which transport ([`TransportProfile`]) and through whom ([`SeatId`]).
//!
//! Every one is checked when it is made, so that code that holds one need not check it again.

mod check;
mod document_type;
mod error;
mod participant;
mod process;
mod seat;
mod text;
mod wildcard;

#[cfg(test)]
mod tests;

pub use check::CheckFailure;
pub use document_type::{DocumentTypeId, DocumentTypeParts, DocumentTypeScheme};
pub use error::IdentifierError;
pub use participant::{META_SCHEME, ParticipantId};
pub use process::{ProcessId, TransportProfile};
pub use seat::SeatId;
pub use wildcard::{best_match, candidates};

/// Namespace of identifiers in XML, in the documents of the SMP and of the SML.
pub const IDENTIFIERS_NAMESPACE: &str = "http://busdox.org/transport/identifiers/1.0/";
/// Longest participant value, without the scheme, in characters (Policy 1).
pub const PARTICIPANT_VALUE_LIMIT: usize = 130;
/// Longest document type value, without the scheme, in characters (Policy 1).
pub const DOCUMENT_TYPE_LIMIT: usize = 500;
/// Longest process value, without the scheme, in characters (Policy 1).
pub const PROCESS_LIMIT: usize = 200;
/// Longest transport profile, in characters (Policy 1).
pub const TRANSPORT_PROFILE_LIMIT: usize = 50;
