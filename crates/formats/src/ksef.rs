//! FA, the invoice of the Polish national system KSeF: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

/// What the namespaces of FA and of its relatives begin with.
const WZOR: &str = "http://crd.gov.pl/wzor/";
/// The namespace of FA(3).
const FA_3: &str = "http://crd.gov.pl/wzor/2025/06/25/13775/";
/// The namespace of FA(2), which FA(3) has taken over but for lists of codes.
const FA_2: &str = "http://crd.gov.pl/wzor/2023/06/29/12648/";

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_invoice = element.local() == "Faktura" && [FA_2, FA_3].contains(&element.namespace());
    is_invoice.then_some(Syntax::Ksef)
}

/// The local name of an element of FA; `""` for any other.
fn name(element: Element<'_>) -> &str {
    if element.namespace().starts_with(WZOR) { element.local() } else { "" }
}
