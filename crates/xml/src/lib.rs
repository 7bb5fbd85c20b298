//! The hardened reader, the writer, canonical XML, and the engines of XML Schema, XPath and
//! Schematron. No cryptography: signatures are the room `xmldsig`.
//!
//! Everything here takes bytes and returns values. Nothing here knows an invoice, Peppol or AS4.
//! Documents are read by [`tree`], which is the one parse that detection, validation, the readers
//! and the security checks share; a document type declaration is refused before anything else.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod base64;
pub mod c14n;
#[cfg(test)]
mod growth;
pub mod namespaces;
pub mod pattern;
pub mod schematron;
pub mod tree;
pub mod write;
pub mod xpath;
pub mod xsd;
