//! Peppol: BIS Billing and Self-Billing, post-award, logistics, and the network's own messages.
//!
//! Sources: the releases of November 2025 (mandatory since 2026-02-23) and May 2026 (published
//! 2026-05-18, mandatory since 2026-08-17); BIS Billing in CII of May 2025, the last one; logistics
//! 1.2; MLS 1.0.1, TSR 1.0.5, EUSR 1.1.5; the envelope (Business Message Envelope 2.0). The package
//! of self-billing before May 2026 has the rules of CEN 1.3.13.

use jiff::civil::{Date, date};

use super::{CII, MESSAGES, Package, UBL, first, package, release};
use quoin_formats::Syntax;

/// Publication of the release of May 2026, and the day from which it is mandatory.
const MAY_2026: (Date, Date) = (date(2026, 5, 18), date(2026, 8, 17));

/// A transaction of post-award, with its two releases.
macro_rules! post_award {
    ($id:literal, $title:literal, $name:literal) => {
        package(
            $id,
            $title,
            MESSAGES,
            &[
                first("2025.11", &[concat!("eu.peppol.bis3:", $name, ":2025.11")]),
                release("2026.5", MAY_2026, &[concat!("eu.peppol.bis3:", $name, ":2026.5")]),
            ],
        )
    };
}

/// A transaction of logistics.
macro_rules! logistics {
    ($id:literal, $title:literal, $name:literal) => {
        package(
            $id,
            $title,
            MESSAGES,
            &[first("1.2", &[concat!("eu.peppol.logistics:", $name, ":1.2")])],
        )
    };
}

pub(super) const ROWS: &[Package] = &[
    package(
        "peppol-bis3",
        "Peppol BIS Billing 3 in UBL",
        UBL,
        &[
            first("2025.11", &["eu.cen.en16931:ubl:1.3.15", "eu.peppol.bis3:invoice-core:2025.11"]),
            release(
                "2026.5",
                MAY_2026,
                &["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:invoice-core:2026.5"],
            ),
        ],
    ),
    package(
        "peppol-bis3-cii",
        "Peppol BIS Billing 3 in CII",
        CII,
        &[first(
            "2025.5",
            &["eu.cen.en16931:cii:1.3.16", "eu.peppol.bis3:invoice-core-cii:2025.5"],
        )],
    ),
    package(
        "peppol-bis3-selfbilling",
        "Peppol BIS Self-Billing 3",
        UBL,
        &[
            first(
                "2026.3",
                &["eu.cen.en16931:ubl:1.3.13", "eu.peppol.bis3:selfbilling-core:2026.3"],
            ),
            release(
                "2026.5",
                MAY_2026,
                &["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:selfbilling-core:2026.5"],
            ),
        ],
    ),
    post_award!("peppol-t01", "Peppol order", "order"),
    post_award!("peppol-t110", "Peppol order agreement", "order-agreement"),
    post_award!("peppol-t111", "Peppol invoice response", "invoice-message-response"),
    post_award!("peppol-t114", "Peppol order change", "order-change"),
    post_award!("peppol-t115", "Peppol order cancellation", "order-cancellation"),
    post_award!("peppol-t116", "Peppol advanced order response", "order-response-advanced"),
    post_award!("peppol-t16", "Peppol despatch advice", "despatch-advice"),
    post_award!("peppol-t19", "Peppol catalogue", "catalogue"),
    post_award!("peppol-t58", "Peppol response to a catalogue", "catalogue-response"),
    post_award!("peppol-t71", "Peppol message level response", "mlr"),
    post_award!("peppol-t76", "Peppol order response", "order-response"),
    post_award!("peppol-t77", "Peppol punch out", "punch-out"),
    logistics!("peppol-t120", "Peppol advanced despatch advice", "advanced-despatch-advice"),
    logistics!("peppol-t122", "Peppol weight statement", "weight-statement"),
    logistics!(
        "peppol-t123",
        "Peppol request for a transport execution plan",
        "transport-execution-plan-request"
    ),
    logistics!("peppol-t124", "Peppol transport execution plan", "transport-execution-plan"),
    logistics!("peppol-t125", "Peppol waybill", "waybill"),
    logistics!(
        "peppol-t126",
        "Peppol request for a transportation status",
        "transportation-status-request"
    ),
    logistics!("peppol-t127", "Peppol transportation status", "transportation-status"),
    logistics!("peppol-t128", "Peppol receipt advice", "receipt-advice"),
    logistics!("peppol-t129", "Peppol response in a transport process", "application-response"),
    package(
        "peppol-mls",
        "Peppol message level status",
        MESSAGES,
        &[first("1.0.1", &["eu.peppol:mls:1.0.1"])],
    ),
    package(
        "peppol-tsr",
        "Peppol transaction statistics report",
        &[Syntax::TransactionStatistics],
        &[first("1.0.5", &["eu.peppol:tsr:1.0.5"])],
    ),
    package(
        "peppol-eusr",
        "Peppol end user statistics report",
        &[Syntax::EndUserStatistics],
        &[first("1.1.5", &["eu.peppol:eusr:1.1.5"])],
    ),
    package(
        "peppol-sbdh",
        "Peppol envelope",
        &[Syntax::Sbdh],
        &[first("2.0", &["eu.peppol:sbdh:2.0"])],
    ),
];
