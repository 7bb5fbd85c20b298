//! Peppol: identifiers, code lists, envelopes, SML, SMP, AS4 and PKI, without I/O.
//!
//! Bytes and time go in, values come out: no sockets, no files, no clock, no randomness.

pub mod as4;
pub mod codelists;
pub mod identifiers;
pub mod sbdh;
