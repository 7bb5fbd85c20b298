//! The Peppol network as values: identifiers and their code lists, the business message envelope,
//! the names and answers of the SML, the documents of an SMP, AS4, and the checks of the Peppol
//! PKI. Bytes and time come in, values and refusals go out; sockets, files and the clock live
//! elsewhere.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod as4;
pub mod codelists;
pub mod countries;
pub mod dossier;
#[cfg(test)]
mod growth;
pub mod identifiers;
mod instant;
pub mod lookup;
pub mod pki;
pub mod sbdh;
pub mod schemes;
pub mod sml;
pub mod smp;
