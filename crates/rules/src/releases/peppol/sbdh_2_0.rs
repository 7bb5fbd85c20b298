//! The Peppol envelope: Business Message Envelope 2.0. There is no official file; the rules are
//! ours.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{RuleSetRow, sbdh};
use quoin_formats::Syntax;

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "sbdh-2.0",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[Part { package: "peppol-sbdh", version: "2.0", sets: &["eu.peppol:sbdh:2.0"] }],
    sets: &[RuleSetRow {
        id: "peppol-sbdh",
        syntaxes: &[Syntax::Sbdh],
        coordinate: "eu.peppol:sbdh:2.0",
        tables: &[],
        hand: sbdh::RULES,
    }],
};
