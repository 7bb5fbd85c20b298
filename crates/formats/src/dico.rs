//! DICO, the messages of building and installation in the Netherlands: their formats, the reader of
//! invoices and the writer of SALES005.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
pub(crate) mod order;
mod read;
#[cfg(test)]
mod tests;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::FormatSignature::{Bare, Namespace, RootPrefix};
use crate::syntax::{CREDIT_CODES, DocumentKind};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

pub(crate) use write::WRITER;

const SALES: &str = "http://www.ketenstandaard.nl/";
/// The invoice of INSBOU004.
const INSBOU: &str = "http://www.gs1.nl/factuur/insbou/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("dico", ROWS).issued(&[(Syntax::Dico, &["InvoiceDate"])]).read_by(READER);

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

/// An `Invoice` of one of its namespaces; INSBOU003 has none, and is told by what it holds.
fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_named = element.local() == "Invoice" && read::is_ours(element.namespace());
    let has = |name: &str| element.elements().any(|child| child.local() == name);
    let is_told = || ["InvoiceNumber", "Buyer", "Supplier"].into_iter().all(has);
    let is_invoice = is_named && (!element.namespace().is_empty() || is_told());
    is_invoice.then_some(Syntax::Dico)
}

const ROWS: &[Format] = &[
    row(
        "dico-insbou004",
        Syntax::Dico,
        "DICO INSBOU004",
        DocumentKind::Invoice,
        RootPrefix("Invoice", INSBOU),
    )
    .version(VersionSign::Namespace)
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row(
        "dico-insbou004-order",
        Syntax::Dico,
        "DICO INSBOU004 order",
        DocumentKind::Order,
        RootPrefix("Order", "http://www.gs1.nl/order/insbou/"),
    )
    .version(VersionSign::Namespace),
    row(
        "dico-insbou004-order-response",
        Syntax::Dico,
        "DICO INSBOU004 order response",
        DocumentKind::OrderResponse,
        RootPrefix("OrderResponse", "http://www.gs1.nl/orderbevestiging/insbou/"),
    )
    .version(VersionSign::Namespace),
    row(
        "dico-insbou004-message",
        Syntax::Dico,
        "DICO INSBOU004 message",
        DocumentKind::Other,
        Namespace("http://www.gs1.nl/"),
    )
    .version(VersionSign::Namespace),
    row(
        "dico-insbou003",
        Syntax::Dico,
        "DICO INSBOU003",
        DocumentKind::Invoice,
        Bare("Invoice", "insbou003", &["InvoiceNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003"))
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row(
        "dico-insbou003-order",
        Syntax::Dico,
        "DICO INSBOU003 order",
        DocumentKind::Order,
        Bare("Order", "insbou003", &["OrderNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row(
        "dico-insbou003-order-response",
        Syntax::Dico,
        "DICO INSBOU003 order response",
        DocumentKind::OrderResponse,
        Bare("OrderResponse", "insbou003", &["OrderResponseNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row(
        "dico-insbou003-despatch-advice",
        Syntax::Dico,
        "DICO INSBOU003 despatch advice",
        DocumentKind::DespatchAdvice,
        Bare("DespatchAdvice", "insbou003", &["MessageNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row("dico-sales005-invoice", Syntax::Dico, "DICO SALES005 invoice", DocumentKind::Invoice, {
        RootPrefix("Invoice", SALES)
    })
    .version(VersionSign::Namespace)
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row("dico-sales005-order", Syntax::Dico, "DICO SALES005 order", DocumentKind::Order, {
        RootPrefix("Order", SALES)
    })
    .version(VersionSign::Namespace),
    row(
        "dico-sales005-order-response",
        Syntax::Dico,
        "DICO SALES005 order response",
        DocumentKind::OrderResponse,
        RootPrefix("OrderResponse", SALES),
    )
    .version(VersionSign::Namespace),
    row("dico-sales005", Syntax::Dico, "DICO SALES005", DocumentKind::MasterData, Namespace(SALES))
        .version(VersionSign::Namespace),
];
