//! A page as PDF: PDF/A-3u (ISO 19005-3) and PDF/UA-1 (ISO 14289-1) at once.
//!
//! Tagged, with bookmarks, fonts embedded as subsets, and the same bytes for the same page: there
//! is no clock, and the identifier of the file is a digest of what is in it.

mod canvas;
mod colour;
mod embedded;
mod file;
mod flow;
mod fonts;
mod lines;
mod metadata;
mod structure;

#[cfg(test)]
pub(crate) use fonts::drawable;

use crate::facturx::FacturXLevel;
use crate::page::PageTree;
use crate::supplements::Supplement;

/// The XML inside a hybrid PDF.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmbeddedInvoice<'a> {
    /// Its bytes.
    pub xml: &'a [u8],
    /// Which profile it follows.
    pub level: FacturXLevel,
    /// The version that the metadata say.
    pub version: &'a str,
    /// Files that stand beside it.
    pub files: &'a [Supplement],
}

/// The whole file.
pub(crate) fn write(page: &PageTree, invoice: Option<&EmbeddedInvoice<'_>>) -> Vec<u8> {
    file::write(page, flow::PageFlow::drawn(page), invoice)
}

/// Title and number, as the window and the bookmarks say it.
fn title(page: &PageTree) -> String {
    let title = format!("{} {}", page.title, page.number);
    title.trim().chars().take(500).collect()
}
