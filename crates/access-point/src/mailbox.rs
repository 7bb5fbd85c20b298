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
/// How long a look into a mailbox may take.
pub const MAILBOX_LIMIT: Duration = Duration::from_secs(240);
