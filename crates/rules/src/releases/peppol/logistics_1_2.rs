//! Peppol logistics 1.2: despatch, transport and weight; the only release that is here.

use crate::releases::{ALWAYS, MESSAGES, PublishedRelease};
use crate::rules::logistics;

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.2";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "logistics-1.2",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        part!("peppol-t120", "eu.peppol.logistics:advanced-despatch-advice", "1.2"),
        part!("peppol-t122", "eu.peppol.logistics:weight-statement", "1.2"),
        part!("peppol-t123", "eu.peppol.logistics:transport-execution-plan-request", "1.2"),
        part!("peppol-t124", "eu.peppol.logistics:transport-execution-plan", "1.2"),
        part!("peppol-t125", "eu.peppol.logistics:waybill", "1.2"),
        part!("peppol-t126", "eu.peppol.logistics:transportation-status-request", "1.2"),
        part!("peppol-t127", "eu.peppol.logistics:transportation-status", "1.2"),
        part!("peppol-t128", "eu.peppol.logistics:receipt-advice", "1.2"),
        part!("peppol-t129", "eu.peppol.logistics:application-response", "1.2"),
    ],
    sets: &[
        set!(
            "peppol-t120",
            "eu.peppol.logistics:advanced-despatch-advice",
            "1.2",
            MESSAGES,
            logistics::T120
        ),
        set!(
            "peppol-t122",
            "eu.peppol.logistics:weight-statement",
            "1.2",
            MESSAGES,
            logistics::T122
        ),
        set!(
            "peppol-t123",
            "eu.peppol.logistics:transport-execution-plan-request",
            "1.2",
            MESSAGES,
            logistics::T123
        ),
        set!(
            "peppol-t124",
            "eu.peppol.logistics:transport-execution-plan",
            "1.2",
            MESSAGES,
            logistics::T124
        ),
        set!("peppol-t125", "eu.peppol.logistics:waybill", "1.2", MESSAGES, logistics::T125),
        set!(
            "peppol-t126",
            "eu.peppol.logistics:transportation-status-request",
            "1.2",
            MESSAGES,
            logistics::T126
        ),
        set!(
            "peppol-t127",
            "eu.peppol.logistics:transportation-status",
            "1.2",
            MESSAGES,
            logistics::T127
        ),
        set!("peppol-t128", "eu.peppol.logistics:receipt-advice", "1.2", MESSAGES, logistics::T128),
        set!(
            "peppol-t129",
            "eu.peppol.logistics:application-response",
            "1.2",
            MESSAGES,
            logistics::T129
        ),
    ],
};
