//! Tax data: what a tax authority is told of an invoice that was exchanged.
//!
//! ```text
//! invoice (any syntax that is read) ─► ReportableInvoice ── assess ──► country, scope, UUID
//!                                             └── build (regime, role, envelope) ──► TaxData (XML)
//! ```
//! A regime is a row of [`regime::REGIMES`]: the ViDA pilot (1.0 and 1.1), Slovakia, the United
//! Arab Emirates, Oman. When a report has to be there is a row of [`deadlines`]; what becomes of it
//! is decided by `quoin-delivery`. What a text leaves open is assumed in [`assumed`] and nowhere
//! else.
//! The files of France are made in [`flux10`] and [`flux1`].
//!
//! A pure room: bytes, time and randomness in, values out. Reports are judged by `quoin-rules`, and
//! sent by `access-point`.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod assess;
pub mod assumed;
pub mod build;
pub mod deadlines;
pub mod envelope;
pub mod flux1;
pub mod flux10;
#[cfg(test)]
mod growth;
pub mod invoice;
pub mod invoice_uuid;
pub mod missing;
pub mod places;
pub mod read;
pub mod regime;
mod taken_back;
mod terms;
#[cfg(test)]
mod tests;

pub use assess::{Assessment, assess};
pub use build::{BuiltReport, build};
pub use envelope::{TaxAuthority, TaxEnvelope};
pub use invoice::{NotReportable, ReportableInvoice};
pub use missing::{CannotReport, MissingTerm, WhoCanFix};
pub use places::{ReportPlace, of_place};
pub use read::{
    TaxReport, UnreadableReport, read_report, source_document, without_source_document,
};
pub use regime::{Regime, ReporterRole, TaxScope, TaxSubmission};
pub use taken_back::taken_back;
