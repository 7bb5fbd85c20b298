//! The national system of Poland on loopback: signing in, batch and online sessions, receipts, the
//! service that says whether it runs; faithful to the OpenAPI description 2.6, and with faults
//! that
//! can be planned.
//!
//! ```text
//! listener ─► exchange (counted, recorded) ─► router ─► auth │ sessions │ invoices │ receipts
//!                      │                                          │
//!                    faults                                   processing ─► register of invoices
//! ```
//! What it takes it checks as the real one does: the signature of the one who signs in, sizes and
//! digests of parts, the order of checks, duplicates. It reads no amounts, as the real one does
//! not.

mod answers;
mod auth;
mod authority;
mod exports;
mod faults;
mod invoices;
mod processing;
mod queries;
mod reading;
mod receipts;
mod router;
mod sample;
mod server;
mod sessions;
mod state;
#[cfg(test)]
mod tests;

pub use authority::{IssuedCertificate, KsefAuthority};
pub use faults::KsefFault;
pub use sample::{sample_invoice, sample_purchase};
pub use server::{KsefExchange, KsefLab, KsefLabSettings};
pub use state::RegisteredInvoice;
