//! Finding the SMP of a participant (Peppol SML 1.3.0, Policy for use of Identifiers policy 7): the
//! DNS name to ask, and which addresses are acceptable. In [`soap`], what an SMP and the SML say to
//! each other about it. What the records of the answer mean is read in [`crate::lookup`].

pub mod soap;
mod uri;

#[cfg(test)]
mod tests;

pub use uri::{SmpBase, UriPolicy, UriRefusal, check_endpoint, check_https};

use data_encoding::BASE32_NOPAD;
use quoin_xmldsig::keys::sha256;

use crate::identifiers::{META_SCHEME, ParticipantId};

/// Zone of the production network since 2026-03-19.
pub const PRODUCTION_ZONE: &str = "participant.sml.prod.tech.peppol.org";
/// Zone of the test network since 2026-03-19.
pub const TEST_ZONE: &str = "participant.sml.test.tech.peppol.org";

/// The name whose NAPTR records lead to the participant's SMP, absolute (it ends in a dot).
///
/// `zone` is the SML zone of the stage, with or without a dot at its end. The label is the Base32
/// (RFC 4648, no padding) of the SHA-256 of `<icd>:<value>` in lower case.
pub fn dns_name(participant: &ParticipantId, zone: &str) -> String {
    let label = BASE32_NOPAD.encode(&sha256(participant.folded().as_bytes()));
    format!("{label}.{META_SCHEME}.{}.", zone.trim_matches('.'))
}
