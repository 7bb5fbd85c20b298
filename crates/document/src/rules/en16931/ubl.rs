//! The rules of EN 16931 in UBL: tests for the rows of `en16931-ubl` that have none, and for those
//! of every set that repeats them under the same identifiers.

mod layout;
mod lines;
mod mentions;
mod parties;
mod registered;
mod subtotals;
mod syntax;
mod totals;

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
