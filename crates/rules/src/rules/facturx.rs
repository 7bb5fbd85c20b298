//! Factur-X and ZUGFeRD 2: the profiles MINIMUM, BASIC WL, BASIC, EN 16931 and EXTENDED, all in
//! CII.
//!
//! Source: the Schematron of Factur-X 1.09.2 (effective from September 2026). Each profile has the
//! rules of EN 16931 as far as it has the terms, and rules on what it has not, so that its set
//! stands instead of EN 16931 and not beside it. EN 16931 as a profile has the same specification
//! identifier as the standard, and its documents are judged by the standard.

mod breakdown;
mod lines;
mod near_totals;
mod shares;
mod totals;

use super::Rule;
use super::en16931::cii;

/// The tests of Factur-X that are other than those of EN 16931 under the same identifier come
/// first, so that they are the ones that are taken.
const OWN: [&[Rule]; 5] =
    [totals::RULES, breakdown::RULES, near_totals::RULES, shares::RULES, lines::RULES];

const COUNT: usize = OWN.len() + cii::RULES.len();

/// All of them, for every profile.
pub(crate) const RULES: &[&[Rule]] = &joined();

#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const fn joined() -> [&'static [Rule]; COUNT] {
    let mut all: [&[Rule]; COUNT] = [&[]; COUNT];
    let mut at = 0;
    while at < COUNT {
        all[at] = if at < OWN.len() { OWN[at] } else { cii::RULES[at - OWN.len()] };
        at += 1;
    }
    all
}
