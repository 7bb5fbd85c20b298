//! What the system remembers.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::civil::Date;
use quoin_ksef::api::{AvailabilityMessage, SessionInvoice, StatusInfo};
use quoin_ksef::limits::{CallGroup, CallWindow};
use quoin_ksef::package::SessionKey;
use uuid::Uuid;

use super::exports::LabExport;
use super::faults::FaultPlan;
use super::invoices::LabDownload;
use super::reading::ReadInvoice;

/// An invoice that is registered.
#[derive(Debug, Clone)]
pub struct RegisteredInvoice {
    /// Its number of the system.
    pub ksef_number: String,
    /// The session it came in.
    pub session: String,
    /// Its number in the session.
    pub reference: String,
    /// As it came.
    pub xml: Vec<u8>,
    /// When it came.
    pub received: Timestamp,
    /// When it was stored for good.
    pub stored: Timestamp,
    /// Whether it counts as issued without the system.
    pub offline: bool,
    /// Seller (NIP), buyer (NIP where it has one), number, date, kind.
    pub(super) told: ReadInvoice,
    /// Its receipt, signed once somebody asks for it.
    pub(super) upo: OnceLock<Vec<u8>>,
}

impl RegisteredInvoice {
    /// The number that the seller gave it.
    pub fn number(&self) -> &str {
        &self.told.number
    }

    /// The NIP of the seller.
    pub fn seller(&self) -> &str {
        &self.told.seller_nip
    }

    /// `P_1`.
    pub fn issued(&self) -> Date {
        self.told.issued
    }
}

/// Which token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabTokenKind {
    Operation,
    Access,
    Refresh,
}

/// What a token stands for.
#[derive(Debug, Clone)]
pub(super) struct LabToken {
    pub(super) kind: LabTokenKind,
    /// The operation it came from.
    pub(super) operation: String,
    pub(super) until: Timestamp,
}

/// Somebody who signed in.
#[derive(Debug, Clone)]
pub(super) struct LabOperation {
    pub(super) started: Timestamp,
    /// The context: its kind and value.
    pub(super) context: (String, String),
    /// Digest of the document that was signed, in base64.
    pub(super) proof: String,
    /// What it ends with.
    pub(super) outcome: StatusInfo,
    /// Polls that are answered with 100 before it.
    pub(super) pending: u32,
    pub(super) redeemed: bool,
    pub(super) revoked: bool,
}

/// A part that was announced.
#[derive(Debug, Clone)]
pub(super) struct LabPart {
    pub(super) size: u64,
    pub(super) digest: String,
    /// What is in the address that lets in.
    pub(super) pass: String,
    pub(super) bytes: Option<axum::body::Bytes>,
}

/// A session.
#[derive(Debug, Clone)]
pub(super) struct LabSession {
    pub(super) is_batch: bool,
    pub(super) operation: String,
    pub(super) context: (String, String),
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
    pub(super) until: Timestamp,
    pub(super) offline_mode: bool,
    pub(super) file_digest: String,
    pub(super) file_size: u64,
    pub(super) is_tar: bool,
    /// `None` where the key could not be unwrapped.
    pub(super) key: Option<SessionKey>,
    pub(super) parts: Vec<LabPart>,
    pub(super) is_closed: bool,
    /// What it ends with once [`LabSession::pending`] polls were answered.
    pub(super) outcome: StatusInfo,
    pub(super) pending: u32,
    pub(super) invoices: Vec<SessionInvoice>,
    /// Whether counts are told: not of one that was never unpacked.
    pub(super) counts: bool,
    /// Receipts of the session: reference and document.
    pub(super) upo: Vec<(String, Vec<u8>)>,
}

/// Everything.
#[derive(Debug, Default)]
pub(super) struct KsefState {
    pub(super) challenges: HashMap<String, Timestamp>,
    pub(super) operations: HashMap<String, LabOperation>,
    pub(super) tokens: HashMap<String, LabToken>,
    pub(super) sessions: BTreeMap<String, LabSession>,
    pub(super) registered: Vec<RegisteredInvoice>,
    /// Seller, kind and number of what is registered, and where it is in `registered`.
    pub(super) known: HashMap<(String, String, String), usize>,
    /// Who may act for whom besides themselves: fingerprint or identifier, and NIP.
    pub(super) grants: Vec<(String, String)>,
    /// Where an invoice is in `registered`, by its number.
    pub(super) numbered: HashMap<String, usize>,
    /// Packages of invoices.
    pub(super) exports: HashMap<String, LabExport>,
    /// Links: what is in the address, the file, and until when it is good.
    pub(super) downloads: HashMap<String, (LabDownload, Timestamp)>,
    pub(super) windows: HashMap<(String, CallGroup), CallWindow>,
    pub(super) faults: FaultPlan,
    pub(super) availability: Option<quoin_ksef::api::Availability>,
    pub(super) messages: Vec<AvailabilityMessage>,
    numbers: u64,
}

impl KsefState {
    /// Registers an invoice.
    pub(super) fn register(&mut self, invoice: RegisteredInvoice) {
        self.numbered.insert(invoice.ksef_number.clone(), self.registered.len());
        self.registered.push(invoice);
    }

    /// The invoice of a number.
    pub(super) fn of_number(&self, number: &str) -> Option<&RegisteredInvoice> {
        self.registered.get(*self.numbered.get(number)?)
    }

    /// A reference number: the day, two letters, and digits that nobody guesses.
    pub(super) fn reference(&mut self, kind: &str, now: Timestamp) -> String {
        let digits = Uuid::new_v4().simple().to_string().to_uppercase();
        let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default().to_owned();
        let day = now.strftime("%Y%m%d");
        format!("{day}-{kind}-{}-{}-{}", part(0, 10), part(10, 20), part(20, 22))
    }

    /// The digits of the next number of an invoice.
    pub(super) fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        0x0100_0000_0000 + self.numbers
    }
}
