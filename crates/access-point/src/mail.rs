//! Mail: the action of mail hooks, what a mail says and carries, and the sending of one. When it is
//! sent again is decided in the room `delivery`.

mod action;
mod content;
mod dkim;
mod line;
mod message;
mod ready;
mod reply;
mod starttls;
mod talk;
mod transport;
mod verp;

pub use action::{MailAction, MailError, Senders, mailbox};
pub use content::{EmbeddedFile, EmbeddedFiles, attachments, recipient};
pub(crate) use dkim::is_below;
pub use message::{MailedPage, OutgoingMail, extension, message, plain_message};
pub use ready::ReadyMail;
pub use talk::MissedAddress;
pub use transport::{MailOutcome, MailSent, Mailer, MailerError};
pub use transport::{senders, token_login};
pub use verp::ReturnAddress;

/// The largest mail before encoding, in bytes: what most servers take.
pub const MAIL_BYTES: usize = 24 << 20;
/// Attachments of a mail, at most.
pub const ATTACHMENTS: usize = 64;
