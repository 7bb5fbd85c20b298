//! A transaction: one document on its way through the service, with the facts that decisions are
//! made from. The store keeps more about it; a decision needs no more than this.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hook::{ActionKind, Output};
use crate::ids::{DocumentId, OrganisationId, TransactionId};
use crate::topics::Family;

/// Which way a document goes, seen from this service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From our customer (corner 1) to the network; we are corner 2.
    Outgoing,
    /// From the network to our customer (corner 4); we are corner 3.
    Incoming,
}

impl Direction {
    /// The word in the store and in listings.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Outgoing => "outgoing",
            Direction::Incoming => "incoming",
        }
    }

    /// The direction of this word, if there is one.
    pub fn named(word: &str) -> Option<Direction> {
        [Direction::Outgoing, Direction::Incoming].into_iter().find(|d| d.as_str() == word)
    }
}

/// The status of a document in the canonical words of the interface (conventions A4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Status {
    /// Stored; nothing was done with it yet.
    Pending,
    /// The document's format is known and it keeps the rules of its format.
    Validated,
    /// The receiver's access point is known.
    Routed,
    /// The receiver's access point took it (outgoing), or it lies ready for the party (incoming).
    Delivered,
    /// The document is wrong; it is never delivered.
    Rejected,
    /// It could not be delivered: no route, a final no, or attempts used up.
    Failed,
}

impl Status {
    /// Every status, in the order in which a document passes them.
    pub const ALL: [Status; 6] = [
        Status::Pending,
        Status::Validated,
        Status::Routed,
        Status::Delivered,
        Status::Rejected,
        Status::Failed,
    ];

    /// The canonical word.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "Pending",
            Status::Validated => "Validated",
            Status::Routed => "Routed",
            Status::Delivered => "Delivered",
            Status::Rejected => "Rejected",
            Status::Failed => "Failed",
        }
    }

    /// The status of this word, if there is one. Case counts.
    pub fn named(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether nothing can change any more.
    pub fn is_final(self) -> bool {
        matches!(self, Status::Delivered | Status::Rejected | Status::Failed)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What decisions are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Our key of the transaction.
    pub id: TransactionId,
    /// The tenant whose document it is.
    pub organisation: OrganisationId,
    /// The key of the tenant's party. It says nothing of the identifiers that the party has.
    pub party: String,
    /// The id by which the tenant knows the document.
    pub document_id: DocumentId,
    /// Which way it goes.
    pub direction: Direction,
    /// Which topics its life has.
    pub family: Family,
    /// Where it is now.
    pub status: Status,
    /// Delivery attempts that were recorded so far.
    pub attempts: u32,
    /// How often the record changed; a commit demands the number it saw. 0: not stored yet.
    pub version: u64,
    /// Sender in the document or envelope, `scheme:identifier`, once known.
    pub sender: Option<String>,
    /// Receiver in the document or envelope, `scheme:identifier`, once known.
    pub receiver: Option<String>,
    /// The document's own number (BT-1 and the like), once known.
    pub number: Option<String>,
    /// The document type as it came, in the form `scheme::value`, once known.
    pub source_document_type: Option<String>,
    /// The document type as it is sent, once routed.
    pub target_document_type: Option<String>,
    /// The channel it takes, and what comes after that.
    pub way: DeliveryRoute,
}

/// A channel that takes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextChannel {
    /// The key of its hook, under which it is on record.
    pub hook: String,
    /// The id of its hook, by which people and events name it (specification 2.8).
    pub id: String,
}

/// The channel a document takes. What is on record is the channel and where its attempts began;
/// the rest follows from the hooks of the moment (see [`crate::choice`]).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryRoute {
    /// The hook whose channel it takes, once it was chosen.
    pub channel: Option<String>,
    /// How that channel delivers; none as long as none was chosen, and then it is Peppol.
    pub kind: Option<ActionKind>,
    /// Attempts that earlier channels used up: each channel has the whole schedule.
    pub attempts_before: u32,
    /// The channel to take where this one does not reach the receiver.
    pub unreachable: Option<NextChannel>,
    /// The channel to take where this one failed.
    pub failed: Option<NextChannel>,
    /// Topics that the hook of the channel publishes when it is done, by status code.
    pub output: Vec<Output>,
}
