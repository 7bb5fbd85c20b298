//! Keys, and what is done with them to XML: signatures read and verified, whole documents signed.
//!
//! The only pure room that links the TLS library; [`quoin_xml`] and what stands on it know no
//! cryptography, so that they build for a browser.

pub mod enveloped;
#[cfg(test)]
mod growth;
pub mod keys;
pub mod signature;
