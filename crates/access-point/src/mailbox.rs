//! Mailboxes, read over IMAP: the action of hooks that take documents out of one, the few commands
//! of IMAP that this needs, what a mail holds and who may send by it, and mail that came back. What
//! follows from a mail is decided in the worker and in the room `delivery`.
//!
//! ```text
//! a mailbox ──► ImapSession ──► MailFolder: listed, fetched, set aside
//!                                   │ bytes, on the pool
//!                                   ▼
//!                     ParsedMail ──► InboundLetter   a document to send, and from whom
//!                                └─► ReturnedMail    a mail of ours that came back
//! ```

mod action;
mod answer;
mod client;
mod dsn;
mod fault;
mod folder;
mod imap;
mod letter;
mod mime;
mod sender;

pub use action::{MailFromAction, MailFromError};
pub use answer::{AnswerLimits, LetterRefusal, answer};
pub use client::{MailboxClient, MailboxTarget, checked_password};
pub use dsn::{ReturnAction, ReturnedMail, ReturnedRecipient};
pub use fault::{MailboxFault, MailboxFaultKind};
pub use folder::{ListedMail, MailFolder};
pub use letter::{InboundLetter, LetterDocument};
pub use mime::LetterError;
pub use sender::AllowedSender;

use std::time::Duration;

/// Bytes of a mail that is read: a document of 24 MiB in Base64, and what is around it.
pub const LETTER_BYTES: usize = 36 << 20;
/// Bytes in which a server may be wrong about how long a mail is, which may be twice as long
/// besides: it counts line ends otherwise.
const LETTER_SLACK: usize = 1 << 20;
/// How long a look into a mailbox may take.
pub const MAILBOX_LIMIT: Duration = Duration::from_secs(240);

/// The bytes that are read at most of a mail that has so many, as its server tells: for these its
/// memory was asked.
pub fn most_of(told: usize) -> usize {
    LETTER_BYTES.min(told.saturating_mul(2)) + LETTER_SLACK
}
