//! A document shown: as one HTML page, as a PDF, as a hybrid PDF with the data inside.
//!
//! ```text
//! document ── model or structure ──► PageTree ──► HTML
//!                                        └──────► PDF ── with its XML ──► Factur-X
//! ```
//! The page says what the document says: nothing is calculated, nothing is left out. What has no
//! place in a section stands in the appendix. Both forms draw the same tree.
//!
//! The room is pure: bytes in, bytes out, the same bytes each time.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod address;
mod appendix;
mod attachments;
mod codes;
mod draft;
mod epc;
mod facturx;
mod findings;
mod general;
#[cfg(test)]
mod growth;
mod harmless;
mod html;
mod invoice;
mod kinds;
mod markup;
mod names;
mod numbers;
pub mod page;
mod pdf;
mod request;
mod supplements;
#[cfg(test)]
mod tests;
mod words;

pub use appendix::MAX_ROWS;
pub use facturx::FacturXLevel;
pub use harmless::MAX_TEXT;
pub use markup::MAX_TREE_LINES;
pub use request::{RenderForm, RenderRefusal, RenderRequest, Rendered, page, render, render_with};
pub use words::PageWord;
