//! KSeF, the national system of Poland that every invoice goes through: its interface as values,
//! the cryptography of packages, certificates, receipts (UPO), the codes that are printed, the
//! steps of a batch, and the terms of the modes without the system.
//!
//! ```text
//! certificate ─► AuthTokenRequest ─► tokens ─┐
//! FA(3) ... ─► package (ZIP, AES, parts) ────┴─► session ─► invoices ─► UPO ─► KOD I, KOD II
//! ```
//! A pure room: bytes, time and randomness in, values out. The calls are made by
//! `access-point/src/ksef`; the counterpart for tests is `lab/src/ksef`.
//!
//! Sources: the interface of KSeF 2.0 (OpenAPI 2.6) and its documentation; schemas of
//! `AuthTokenRequest` 2.0 and 2.1 and of UPO 4-3.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod api;
pub mod auth;
pub mod certificate;
pub mod codes;
pub mod explain;
pub mod export;
#[cfg(test)]
mod growth;
pub mod limits;
pub mod links;
pub mod number;
pub mod offline;
pub mod outcome;
pub mod package;
pub mod steps;
#[cfg(test)]
mod testing;
pub mod upo;
