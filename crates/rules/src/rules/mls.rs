//! Peppol's own messages: the message level status, and the reports on transactions and users.
//!
//! Sources: Peppol message level status 1.0.1, transaction statistics report 1.0.5 and end user
//! statistics report 1.1.5.

mod counts;
mod keys;
mod status;

use super::postaward::MESSAGES;
use super::{Rule, RuleSet};
use quoin_formats::Syntax;

const fn release(
    id: &'static str,
    syntaxes: &'static [Syntax],
    coordinate: &'static str,
    tables: &'static [(&'static str, &'static str)],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id, syntaxes, coordinate, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    release(
        "peppol-mls",
        MESSAGES,
        "eu.peppol:mls:1.0.1",
        &[("peppol-mls", "1.0.1")],
        &[status::MLS],
    ),
    release(
        "peppol-tsr",
        &[Syntax::TransactionStatistics],
        "eu.peppol:tsr:1.0.5",
        &[("peppol-tsr", "1.0.5")],
        &[status::TSR, keys::TSR, counts::TSR],
    ),
    release(
        "peppol-eusr",
        &[Syntax::EndUserStatistics],
        "eu.peppol:eusr:1.1.5",
        &[("peppol-eusr", "1.1.5")],
        &[status::EUSR, keys::EUSR, counts::EUSR],
    ),
];
