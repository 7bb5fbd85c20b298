//! Peppol: BIS Billing and Self-Billing, post-award, logistics, and the network's own messages.
//!
//! Billing and post-award are released together, in May and in November; the others have releases
//! of their own.

mod eusr_1_1_5;
mod logistics_1_2;
mod mls_1_0_1;
mod r2025_05;
mod r2025_11;
mod r2026_03;
mod r2026_05;
mod sbdh_2_0;
mod tsr_1_0_5;

use super::{CII, MESSAGES, RulePublisher, UBL, named};
use quoin_formats::Syntax;

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "peppol",
    packages: &[
        named("peppol-bis3", "Peppol BIS Billing 3 in UBL", UBL),
        named("peppol-bis3-cii", "Peppol BIS Billing 3 in CII", CII),
        named("peppol-bis3-selfbilling", "Peppol BIS Self-Billing 3", UBL),
        named("peppol-t01", "Peppol order", MESSAGES),
        named("peppol-t110", "Peppol order agreement", MESSAGES),
        named("peppol-t111", "Peppol invoice response", MESSAGES),
        named("peppol-t114", "Peppol order change", MESSAGES),
        named("peppol-t115", "Peppol order cancellation", MESSAGES),
        named("peppol-t116", "Peppol advanced order response", MESSAGES),
        named("peppol-t16", "Peppol despatch advice", MESSAGES),
        named("peppol-t19", "Peppol catalogue", MESSAGES),
        named("peppol-t58", "Peppol response to a catalogue", MESSAGES),
        named("peppol-t71", "Peppol message level response", MESSAGES),
        named("peppol-t76", "Peppol order response", MESSAGES),
        named("peppol-t77", "Peppol punch out", MESSAGES),
        named("peppol-t120", "Peppol advanced despatch advice", MESSAGES),
        named("peppol-t122", "Peppol weight statement", MESSAGES),
        named("peppol-t123", "Peppol request for a transport execution plan", MESSAGES),
        named("peppol-t124", "Peppol transport execution plan", MESSAGES),
        named("peppol-t125", "Peppol waybill", MESSAGES),
        named("peppol-t126", "Peppol request for a transportation status", MESSAGES),
        named("peppol-t127", "Peppol transportation status", MESSAGES),
        named("peppol-t128", "Peppol receipt advice", MESSAGES),
        named("peppol-t129", "Peppol response in a transport process", MESSAGES),
        named("peppol-mls", "Peppol message level status", MESSAGES),
        named(
            "peppol-tsr",
            "Peppol transaction statistics report",
            &[Syntax::TransactionStatistics],
        ),
        named("peppol-eusr", "Peppol end user statistics report", &[Syntax::EndUserStatistics]),
        named("peppol-sbdh", "Peppol envelope", &[Syntax::Sbdh]),
    ],
    publications: &[
        r2025_05::RELEASE,
        r2025_11::RELEASE,
        r2026_03::RELEASE,
        r2026_05::RELEASE,
        logistics_1_2::RELEASE,
        mls_1_0_1::RELEASE,
        tsr_1_0_5::RELEASE,
        eusr_1_1_5::RELEASE,
        sbdh_2_0::RELEASE,
    ],
};
