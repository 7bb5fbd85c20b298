//! The Peppol PKI: whether a certificate is one of a Peppol access point or SMP of our stage, now.
//!
//! [`Certificate`] is a parsed certificate, [`Trust`] the configured authorities, [`Revocations`] a
//! snapshot of verified CRLs and OCSP answers that the server keeps fresh. [`Trust::check`] answers
//! from these alone: it opens no connection and reads no clock.
//!
//! What a server does with a new certificate: [`Trust::chain`] once, kept by fingerprint; for each
//! of [`Chain::links`] fetch [`ocsp_request`] or the CRL from the addresses of the certificate,
//! verify ([`OcspAnswer::verify`], [`Crl::verify`]) and add to the snapshot; then [`Chain::check`]
//! for every message, which verifies no signature again.

mod certificate;
mod crl;
mod name;
mod ocsp;
mod path;
mod refusal;
mod revocation;
mod signed;
mod trust;

#[cfg(test)]
pub(crate) mod tests;

pub use certificate::Certificate;
pub use crl::Crl;
pub use name::DistinguishedName;
pub use ocsp::{OcspAnswer, ocsp_request};
pub use refusal::{CertificateError, PkiRefusal, RevocationDataError};
pub use revocation::{MEMORY, RevocationPolicy, RevocationStatus, Revocations};
pub use trust::{CertificateRole, Chain, Generation, Stage, Trust, Trusted};
