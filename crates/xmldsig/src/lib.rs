//! Keys, the files that they come in, and what is done with them to XML: signatures read and
//! verified, whole documents signed.
//!
//! The only pure room that links the TLS library; [`quoin_xml`] and what stands on it know no
//! cryptography, so that they build for a browser.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod enveloped;
#[cfg(test)]
mod growth;
pub mod keys;
pub mod pkcs12;
pub mod signature;
pub mod xades;
