//! FA(3) in the form 1-0E, in force since 1 February 2026. There is no official rule file beside
//! the schema; the rules are ours.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{RuleSetRow, ksef};
use quoin_formats::Syntax;

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "fa3-1-0E",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part { package: "ksef-fa3", version: "1-0E", sets: &["pl.gov.mf.ksef:fa3:1-0E"] }],
    sets: &[RuleSetRow {
        id: "ksef-fa3",
        syntaxes: &[Syntax::Ksef],
        coordinate: "pl.gov.mf.ksef:fa3:1-0E",
        tables: &[],
        hand: ksef::RULES,
    }],
};
