//! What a reader of a syntax gives: an invoice or an order, and the leaves that are not in it.

mod derived;
mod pass;

use quoin_model::en16931::Invoice;
use quoin_model::order::{Order, OrderKind, OrderSyntax};
use quoin_xml::tree::Element;

use crate::syntax::Syntax;

pub(crate) use derived::{
    CodeTable, DISCOUNT, RunningSum, agreement, cents, day_of, implied, joined, lookup,
    lookup_back, mapped, negated, only_category, share, summed, view,
};
pub use pass::{DocumentLeaf, LeafTally};
pub(crate) use pass::{LeafKind, Pass, XSI, leaf};

/// What a reader found.
#[derive(Debug, Clone)]
pub struct Reading<'d> {
    /// The syntax that it is written in.
    pub syntax: Syntax,
    /// The invoice or credit note.
    pub invoice: Invoice<'d>,
    /// The leaves that are not in it, in document order of their groups.
    pub residue: Vec<DocumentLeaf<'d>>,
    /// The leaves that follow from the rest, and were checked to.
    pub derived: Vec<DocumentLeaf<'d>>,
    /// The leaves that are no content, and that every writer makes anew.
    pub regenerated: Vec<DocumentLeaf<'d>>,
    /// How many leaves had which fate.
    pub tally: LeafTally,
}

impl<'d> Reading<'d> {
    /// The leaves that are not in it, for the ledger of a conversion.
    pub(crate) fn fates(&self) -> LeafFates<'_, 'd> {
        let Reading { residue, derived, regenerated, .. } = self;
        LeafFates { residue, derived, regenerated }
    }
}

/// What a reader of orders found.
#[derive(Debug, Clone)]
pub struct OrderReading<'d> {
    /// The order, or the message about one.
    pub order: Order<'d>,
    /// The leaves that are not in it, in document order of their groups.
    pub residue: Vec<DocumentLeaf<'d>>,
    /// The leaves that follow from the rest, and were checked to.
    pub derived: Vec<DocumentLeaf<'d>>,
    /// The leaves that are no content, and that every writer makes anew.
    pub regenerated: Vec<DocumentLeaf<'d>>,
    /// How many leaves had which fate.
    pub tally: LeafTally,
}

impl<'d> OrderReading<'d> {
    /// The leaves that are not in it, for the ledger of a conversion.
    pub(crate) fn fates(&self) -> LeafFates<'_, 'd> {
        let OrderReading { residue, derived, regenerated, .. } = self;
        LeafFates { residue, derived, regenerated }
    }
}

/// The leaves that are not in what a reader made, by their fate.
#[derive(Clone, Copy)]
pub(crate) struct LeafFates<'r, 'd> {
    pub residue: &'r [DocumentLeaf<'d>],
    pub derived: &'r [DocumentLeaf<'d>],
    pub regenerated: &'r [DocumentLeaf<'d>],
}

/// What reads the invoices of a syntax.
#[derive(Debug, Clone, Copy)]
pub struct InvoiceReader {
    /// The syntax of the invoice at an element; `None` where it is none that this reads.
    pub syntax: fn(Element<'_>) -> Option<Syntax>,
    /// Reads the document at the element, the first invoice of it where it holds several.
    pub read: for<'d> fn(Syntax, Element<'d>) -> Reading<'d>,
    /// Reads every invoice of the document at the element, where one may hold several.
    pub every: Option<ReadEvery>,
    /// What it is tested with by the tests that walk the table; `None` where a syntax has tests of
    /// its own instead: UBL, CII, JSON.
    #[cfg(test)]
    pub(crate) proof: Option<&'static ReaderProof>,
}

/// What a reader is tested with by the tests that walk [`crate::SYNTAXES`].
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct ReaderProof {
    /// A document of ten lines or more of which every leaf is read; its whole model is
    /// `samples/NAME.model.txt`.
    pub sample: &'static str,
    /// How many documents the corpora have in the folder of its name, at least; what the reader
    /// leaves unread of them is `src/NAME/unread.txt`.
    pub documents: usize,
    /// The worst inputs that anybody could think of.
    pub worst: quoin_testing::growth::Parser,
}

/// Reads every invoice of a document; `None` where they are very much more than it is long.
type ReadEvery = for<'d> fn(Syntax, Element<'d>) -> Option<Vec<Reading<'d>>>;

/// What reads the orders of a syntax.
pub(crate) struct OrderReader {
    /// The syntax.
    pub syntax: OrderSyntax,
    /// Which message about an order the document at an element is.
    pub kind: fn(Element<'_>) -> Option<OrderKind>,
    /// Reads the document at the element.
    pub read: for<'d> fn(OrderKind, Element<'d>) -> OrderReading<'d>,
}
