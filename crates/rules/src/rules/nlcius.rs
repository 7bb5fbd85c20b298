//! NLCIUS (SI-UBL 2.0): the Dutch specification on EN 16931, in both syntaxes, and its extension
//! for the blocked account (G-account).
//!
//! Source: the Schematron of SI-UBL 2.0.3.13, NLCIUS-CII 1.0.3.13 and G-account 1.0.2.13. The
//! published files hold a copy of EN 16931; here it is a set of its own, but for the G-account,
//! which changes rules of it. Most rules are for sellers in the Netherlands only, and say so in
//! their contexts: an element is tested by the first rule whose context it is.

mod cii;
mod gaccount;
mod place;
mod ubl;

use super::Rule;
use super::en16931::{cii as en_cii, ubl as en_ubl};

/// The extension is a set instead of EN 16931 and NLCIUS, and not beside them.
pub(crate) const GACCOUNT: &[&[Rule]] = &joined();
/// The same in CII.
pub(crate) const GACCOUNT_IN_CII: &[&[Rule]] = &joined_in_cii();
/// NLCIUS in UBL.
pub(crate) const IN_UBL: &[&[Rule]] = &[ubl::DOCUMENTS, ubl::RULES];
/// NLCIUS in CII.
pub(crate) const IN_CII: &[&[Rule]] = &[cii::RULES];

const PARTS: usize = en_ubl::RULES.len() + 2;

/// The rules of EN 16931, NLCIUS and the extension.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const fn joined() -> [&'static [Rule]; PARTS] {
    let mut all: [&[Rule]; PARTS] = [gaccount::RULES; PARTS];
    all[1] = ubl::RULES;
    let mut at = 2;
    while at < PARTS {
        all[at] = en_ubl::RULES[at - 2];
        at += 1;
    }
    all
}

/// The rules of EN 16931 and NLCIUS in CII.
const CII_PARTS: usize = en_cii::RULES.len() + 1;

#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const fn joined_in_cii() -> [&'static [Rule]; CII_PARTS] {
    let mut all: [&[Rule]; CII_PARTS] = [cii::RULES; CII_PARTS];
    let mut at = 1;
    while at < CII_PARTS {
        all[at] = en_cii::RULES[at - 1];
        at += 1;
    }
    all
}
