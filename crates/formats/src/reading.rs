//! What a reader of a syntax gives: an invoice, and the leaves that are not in it.

mod derived;
mod pass;

use quoin_model::en16931::Invoice;

pub(crate) use derived::{
    CodeTable, RunningSum, agreement, cents, day_of, implied, joined, lookup, lookup_back, mapped,
    negated, share, summed, view,
};
pub use pass::{DocumentLeaf, LeafTally};
pub(crate) use pass::{LeafKind, Pass, XSI, leaf};

/// What a reader found.
#[derive(Debug, Clone)]
pub struct Reading<'d> {
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
