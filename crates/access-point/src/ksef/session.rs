//! What a batch remembers between its steps: the session and its key, and what became of each of
//! its documents. It is sealed in the store.

use quoin_ksef::api::PartUpload;
use quoin_ksef::package::SessionKey;
use quoin_ksef::steps::Tried;
use serde::{Deserialize, Serialize};

/// What a batch remembers.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionMemory {
    /// Key and vector of the session, 48 bytes in base64.
    key: Option<String>,
    /// The reference number of the session.
    pub(crate) session: Option<String>,
    /// Where its parts go.
    pub(crate) uploads: Vec<PartUpload>,
    /// Whether its documents go one by one, in an online session.
    pub(crate) online: bool,
    /// How often a session was given up.
    pub(crate) sessions: u32,
    /// How often its documents went again, since the system could not process them.
    pub(crate) times: u32,
    /// How often in a row it was signed in anew, or asked for the key anew.
    pub(crate) renewals: u32,
    /// How often in a row nobody answered.
    pub(crate) unanswered: u32,
    /// What became of its documents.
    pub(crate) rows: Vec<SessionRow>,
    /// How many rows the step at hand has done.
    pub(crate) done: usize,
    /// Whether it was told that its documents wait, since something went on last.
    pub(crate) is_told: bool,
    /// Whether there was no hook for it when it was looked at last.
    pub(crate) hookless: bool,
    /// Whether the system said that it is not there when it was looked at last.
    pub(crate) is_away: bool,
    /// Whether the terms of documents that were issued without the system were looked at.
    pub(crate) is_planned: bool,
    /// Why its documents are issued without the system, where they are.
    pub(crate) offline: Option<String>,
}

/// What became of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionRow {
    /// The document's transaction.
    pub(crate) transaction: String,
    /// The status of the system.
    pub(crate) code: u16,
    /// Its text.
    pub(crate) line: String,
    /// The number of the system.
    pub(crate) ksef_number: Option<String>,
    /// The session in which it is registered.
    pub(crate) session: Option<String>,
    /// Where its receipt is, as long as that is good.
    pub(crate) link: Option<String>,
    /// What it ends with, once that is known.
    pub(crate) end: RowEnd,
}

/// What a document ends with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RowEnd {
    /// It has a number; its receipt is to be read.
    #[default]
    Numbered,
    /// Something else has its number; its receipt tells whether that is itself.
    Duplicate,
    /// Registered and receipted.
    Registered,
    /// The receipt says something else.
    Doubtful,
    /// Another document has its number.
    Other,
    /// Refused as it is.
    Refused,
    /// It goes again.
    Again,
}

impl SessionMemory {
    pub(crate) fn read(bytes: &[u8]) -> SessionMemory {
        // Nothing is remembered at the start.
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The key of the session, if there is one.
    pub(crate) fn key(&self) -> Option<SessionKey> {
        let bytes = data_encoding::BASE64.decode(self.key.as_ref()?.as_bytes()).ok()?;
        Some(SessionKey::from_random(bytes.try_into().ok()?))
    }

    pub(crate) fn set_key(&mut self, bytes: &[u8; 48]) {
        self.key = Some(data_encoding::BASE64.encode(bytes));
    }

    /// How it went until now, after a step that failed so often in a row.
    pub(crate) fn tried(&self, failed: u32) -> Tried {
        let SessionMemory { sessions, renewals, unanswered, .. } = *self;
        Tried { failed, unanswered, renewals, sessions }
    }

    /// A step came to something: what failed in a row before is over.
    pub(crate) fn went_on(&mut self) {
        (self.renewals, self.unanswered, self.is_told) = (0, 0, false);
    }

    /// Another session with fewer documents, which is no failure.
    pub(crate) fn begin_smaller(&mut self) {
        let SessionMemory { is_told, is_planned, .. } = *self;
        *self = SessionMemory { is_told, is_planned, ..self.counts() };
    }

    /// What the batch begins with in which documents go again that the system could not process.
    pub(crate) fn of_again(&self) -> SessionMemory {
        SessionMemory { times: self.times + 1, ..SessionMemory::default() }
    }

    /// The counts alone: where its documents go again, their batch goes on counting from there.
    pub(crate) fn counts(&self) -> SessionMemory {
        let SessionMemory { sessions, times, renewals, unanswered, .. } = *self;
        SessionMemory { sessions, times, renewals, unanswered, ..SessionMemory::default() }
    }

    /// A session that came to nothing: another one has another key.
    pub(crate) fn begin_anew(&mut self) {
        self.begin_smaller();
        self.sessions += 1;
    }
}
