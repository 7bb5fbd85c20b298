//! A Peppol network on loopback: certificates shaped like the real ones, an SML that answers real
//! DNS questions, revocation lists and responders.

pub mod pki;
pub mod pki_http;
pub mod sml;
