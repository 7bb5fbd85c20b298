//! The formats of business documents: what a file is, and what it says.
//!
//! ```text
//! bytes ── read ──► Parsed (one tree + Detection)
//!                      ├── header ──► Header (what routing needs of an invoice)
//!                      ├── routing ──► Routing (what routing needs of any document)
//!                      ├── read_invoice ──► Invoice (the semantic model) + residue
//!                      └── convert ──► the same document in another syntax + losses
//! ```
//! A syntax is a folder and a row of [`SYNTAXES`]; a profile is a row of [`profiles::PROFILES`].
//! The room is pure: bytes in, values out. Whatever the bytes are, [`read`] answers.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod archives;
mod cii;
pub mod convert;
mod cxml;
pub mod detect;
pub mod detection;
mod dico;
mod ebinterface;
mod edifact_xml;
mod estonia;
mod facturae;
mod fatturapa;
mod finvoice;
#[cfg(test)]
mod growth;
mod gs1;
pub mod header;
mod interchange;
mod isdoc;
mod iso20022;
mod json;
mod ksef;
mod message_status;
mod mime;
mod network;
mod norway;
pub mod orders;
mod procurement;
pub mod profiles;
pub mod readers;
mod reading;
pub mod routing;
pub mod samples;
mod sbdh;
mod setu;
pub mod statistics;
pub mod structure_tables;
mod svefaktura;
mod syntax;
mod syntax_row;
mod table;
mod tax_data;
pub mod ubl;
pub mod unwrap;
mod writing;

pub use cii::{CII_AGGREGATES, CROSS_INDUSTRY_INVOICE};
pub use detect::{
    begins_like, detect, detect_tree, inside, is_pdf, may_hold_documents, opened, read, unpacked,
    unwrap,
};
pub use detection::{Certainty, Detection, ParsedDocument, Wrapper};
pub use header::UblHeader;
pub use json::invoice_schema;
pub use message_status::{MessageIssue, MessageStatus};
pub use reading::InvoiceReader;
pub use syntax::{
    DocumentKind, ElementPath, Format, FormatSignature, KindSign, Syntax, VersionSign,
};
pub use syntax_row::SyntaxRow;
pub use table::{FORMATS, SYNTAXES};
pub use unwrap::Unwrapped;
