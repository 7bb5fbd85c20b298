//! Peppol logistics 1.2: despatch, transport and weight; the only release that is here.

use crate::releases::{ALWAYS, MESSAGES, Part, PublishedRelease};
use crate::rules::{RuleSetRow, logistics};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.2";

/// The package of a transaction, which has one set.
macro_rules! part {
    ($id:literal, $name:literal) => {
        Part {
            package: $id,
            version: "1.2",
            sets: &[concat!("eu.peppol.logistics:", $name, ":1.2")],
        }
    };
}

/// The set of a transaction.
macro_rules! set {
    ($id:literal, $name:literal, $hand:expr) => {
        RuleSetRow {
            id: $id,
            syntaxes: MESSAGES,
            coordinate: concat!("eu.peppol.logistics:", $name, ":1.2"),
            tables: &[($id, TABLES)],
            hand: $hand,
        }
    };
}

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "logistics-1.2",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        part!("peppol-t120", "advanced-despatch-advice"),
        part!("peppol-t122", "weight-statement"),
        part!("peppol-t123", "transport-execution-plan-request"),
        part!("peppol-t124", "transport-execution-plan"),
        part!("peppol-t125", "waybill"),
        part!("peppol-t126", "transportation-status-request"),
        part!("peppol-t127", "transportation-status"),
        part!("peppol-t128", "receipt-advice"),
        part!("peppol-t129", "application-response"),
    ],
    sets: &[
        set!("peppol-t120", "advanced-despatch-advice", logistics::T120),
        set!("peppol-t122", "weight-statement", logistics::T122),
        set!("peppol-t123", "transport-execution-plan-request", logistics::T123),
        set!("peppol-t124", "transport-execution-plan", logistics::T124),
        set!("peppol-t125", "waybill", logistics::T125),
        set!("peppol-t126", "transportation-status-request", logistics::T126),
        set!("peppol-t127", "transportation-status", logistics::T127),
        set!("peppol-t128", "receipt-advice", logistics::T128),
        set!("peppol-t129", "application-response", logistics::T129),
    ],
};
