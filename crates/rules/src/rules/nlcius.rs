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

use super::en16931::{cii as en_cii, ubl as en_ubl};
use super::{CII, RuleSet, UBL};

/// The extension is a set instead of EN 16931 and NLCIUS, and not beside them.
const GACCOUNT: &[&[super::Rule]] = &joined();

const PARTS: usize = en_ubl::RULES.len() + 2;

/// The rules of EN 16931, NLCIUS and the extension.
const fn joined() -> [&'static [super::Rule]; PARTS] {
    let mut all: [&[super::Rule]; PARTS] = [gaccount::RULES; PARTS];
    all[1] = ubl::RULES;
    let mut at = 2;
    while at < PARTS {
        all[at] = en_ubl::RULES[at - 2];
        at += 1;
    }
    all
}

/// The same in CII.
const CII_PARTS: usize = en_cii::RULES.len() + 1;

const fn joined_in_cii() -> [&'static [super::Rule]; CII_PARTS] {
    let mut all: [&[super::Rule]; CII_PARTS] = [cii::RULES; CII_PARTS];
    let mut at = 1;
    while at < CII_PARTS {
        all[at] = en_cii::RULES[at - 1];
        at += 1;
    }
    all
}

pub(super) const SETS: &[RuleSet] = &[
    RuleSet {
        id: "nlcius-ubl",
        syntaxes: UBL,
        coordinate: "nl.nlcius:ubl:2.0.3.13",
        tables: &[("nlcius-ubl", "1.0.3.13")],
        hand: &[ubl::DOCUMENTS, ubl::RULES],
    },
    RuleSet {
        id: "nlcius-cii",
        syntaxes: CII,
        coordinate: "nl.nlcius:cii:1.0.3.13",
        tables: &[("nlcius-cii", "1.0.3.13")],
        hand: &[cii::RULES],
    },
    RuleSet {
        id: "nlcius-gaccount",
        syntaxes: UBL,
        coordinate: "nl.nlcius:gaccount:1.0.2.13",
        tables: &[("nlcius-gaccount", "1.0.2.13")],
        hand: GACCOUNT,
    },
    // The extension is published for UBL; in CII its documents are judged as the others.
    RuleSet {
        id: "nlcius-gaccount-cii",
        syntaxes: CII,
        coordinate: "nl.nlcius:gaccount-cii:1.0.3.13",
        tables: &[("en16931-cii", "1.3.16"), ("nlcius-cii", "1.0.3.13")],
        hand: &joined_in_cii(),
    },
];
