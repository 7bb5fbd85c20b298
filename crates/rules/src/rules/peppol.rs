//! Peppol BIS Billing 3 and BIS Self-Billing 3, with the national rules.
//!
//! Sources: PEPPOL-EN16931-UBL of releases 3.0.20 (November 2025) and 3.0.21 (May 2026), that of
//! self-billing of March and May 2026, and PEPPOL-EN16931-CII of May 2025, the last one. The oldest
//! release that is known is used for everything before it too.

pub(crate) mod cii;
pub(crate) mod numbers;
pub(crate) mod reading;
pub(crate) mod ubl;

#[cfg(test)]
mod tests;
