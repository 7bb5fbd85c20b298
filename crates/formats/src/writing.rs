//! What a writer of invoices and orders works with: markup in the making, and the account of every
//! leaf of the source.
//!
//! A writer takes values of the model, which know where they stand in the source, and writes them.
//! Each value that is written is marked in the [`ledger`]; what is not marked in the end is lost,
//! and becomes a row of the list. So no writer can forget a leaf in silence, whatever the model
//! holds and whatever the writer knows.

mod attributes;
mod dates;
mod files;
mod language;
mod ledger;
mod length;
pub(crate) mod line_levels;
mod loss;
mod national;
mod orders;
mod output;
mod paths;
mod prices;
mod profile;
mod signs;
mod validity;

pub(crate) use attributes::quantity_as_value;
pub(crate) use dates::written_day;
pub use files::FileBeside;
pub(crate) use files::{content_id, files_of, with_files};
pub(crate) use language::{XML, is_language, language_of};
pub(crate) use ledger::LeafLedger;
pub(crate) use ledger::documents;
pub(crate) use ledger::reasons;
pub(crate) use ledger::reasons::{NEGATED, UNREAD_OF_ORDER};
pub use ledger::{ConversionTally, MAX_LIST_BYTES, MAX_LOSSES};
pub(crate) use length::{TOO_LONG, cut_at, pieces};
pub use loss::{ConversionRefusal, Loss, LossKind};
pub(crate) use national::{NumberForm, ONE_LINE, in_form, is_broken, sum_of, without_place};
pub(crate) use orders::usual_identifiers;
pub(crate) use output::{InvoiceOutput, OutputAttribute};
pub(crate) use prices::tell_gross_base;
pub(crate) use profile::{TargetProfile, UnusedPlaces};
pub(crate) use signs::{CREDIT_BELOW, WrittenSign, is_credit_below};
pub(crate) use validity::{AmountPlaces, announce};

use quoin_model::en16931::Invoice;
use quoin_model::order::{Order, OrderSyntax};
use quoin_xml::tree::Element;

use crate::syntax::Syntax;

/// Writes an invoice: the document, and the ledger with what was written.
type WriteInvoice =
    for<'d> fn(LeafLedger<'d>, &Invoice<'d>) -> Result<(String, LeafLedger<'d>), ConversionRefusal>;

/// The writer of a syntax: a row of the table of targets in [`crate::convert`].
pub(crate) struct InvoiceWriter {
    /// The name of the target: `ubl`.
    pub name: &'static str,
    /// Its name for people: `UBL 2.1`.
    pub title: &'static str,
    /// The syntaxes of the documents that are converted within their own.
    pub syntaxes: &'static [Syntax],
    /// Whether a document of the syntax is of the version that is written, so that its tree is
    /// copied.
    pub is_written_so: fn(Element<'_>) -> bool,
    /// Writes.
    pub write: WriteInvoice,
}

/// Writes an order: the document, and the ledger with what was written.
type WriteOrder =
    for<'d> fn(LeafLedger<'d>, &Order<'d>) -> Result<(String, LeafLedger<'d>), ConversionRefusal>;

/// The writer of orders of a syntax, and of the messages about them: a row of the table of targets
/// in [`crate::convert`].
pub(crate) struct OrderWriter {
    /// The syntax that it writes.
    pub syntax: OrderSyntax,
    /// The name of the target, which is that of the target of invoices.
    pub target: &'static str,
    /// Whether a document of the syntax is of the version that is written, so that its tree is
    /// copied.
    pub is_written_so: fn(Element<'_>) -> bool,
    /// Writes.
    pub write: WriteOrder,
}
