//! Peppol: identifiers, code lists, envelopes, SML, SMP, AS4 and PKI, without I/O.

pub mod as4;
