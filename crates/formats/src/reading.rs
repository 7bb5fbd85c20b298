//! What a reader of a syntax gives: an invoice, and the leaves that are not in it.

mod derived;
mod pass;

use quoin_model::en16931::Invoice;

pub(crate) use derived::{
    CodeTable, RunningSum, agreement, cents, day_of, implied, joined, lookup, mapped, share,
    summed, view,
};
pub(crate) use pass::Pass;
pub use pass::{LeafTally, UnreadLeaf};

/// What a reader found.
#[derive(Debug, Clone)]
pub struct Reading<'d> {
    /// The invoice or credit note.
    pub invoice: Invoice<'d>,
    /// The leaves that are not in it, in document order of their groups.
    pub residue: Vec<UnreadLeaf<'d>>,
    /// How many leaves had which fate.
    pub tally: LeafTally,
}
