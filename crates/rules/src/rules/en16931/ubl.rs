//! The rules of EN 16931 in UBL: tests for the rows of `en16931-ubl` that have none, and for those
//! of every set that repeats them under the same identifiers.

mod layout;
pub(in crate::rules) mod lines;
mod mentions;
mod parties;
pub(in crate::rules) mod registered;
pub(in crate::rules) mod subtotals;
pub(in crate::rules) mod syntax;
pub(in crate::rules) mod totals;

pub(in crate::rules) use layout::Ubl;

use crate::rules::Rule;

/// All of them.
pub(in crate::rules) const RULES: &[&[Rule]] = &[
    totals::RULES,
    lines::RULES,
    parties::RULES,
    registered::RULES,
    subtotals::RULES,
    syntax::RULES,
];
