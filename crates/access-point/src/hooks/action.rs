//! The `action` of a hook: an https address, optionally followed by `#` and the secret that signs
//! the calls (interface specification 2.4), and documents where it is a channel; a mail address; a
//! folder on an SFTP server, followed by
//! `#` and what logs in there; a batch; or the network. Fragments are never sent, so the secret
//! stays here.

use std::borrow::Cow;

use quoin_delivery::hook::{ActionKind, BatchError, BatchPlan, kinds, listed};
use quoin_store::Secret;

use crate::channels::{self, Allowed};
use crate::https::{UnusableSecret, checked_secret};
use crate::net::AddressRefusal;

/// The longest action, in bytes.
const LONGEST_ACTION: usize = 4_000;

/// A destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAction {
    /// What it is.
    pub kind: ActionKind,
    /// The action, without the secret.
    pub url: String,
    /// The secret, if there is one.
    pub secret: Option<Secret>,
}

/// Why a text is no destination. A refusal; it never repeats the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// Another kind of hook.
    #[error("the action starts with {0:?}; expected {begins}", begins = beginnings())]
    Kind(String),
    /// It is longer than an action may be.
    #[error("the action has {0} bytes before #; expected at most {LONGEST_ACTION}")]
    TooLong(usize),
    /// The address is not one that is called.
    #[error("the address of the action cannot be called: {0}")]
    Address(#[from] AddressRefusal),
    /// The channel cannot use it.
    #[error("{0}")]
    Channel(String),
    /// The batch hook does not work.
    #[error("the batch hook: {0}")]
    Batch(#[from] BatchError),
    /// The secret is too long or not printable.
    #[error(transparent)]
    Secret(#[from] UnusableSecret),
    /// Only calls are signed.
    #[error("an action of this kind has no secret; leave out # and the secret")]
    NotSigned,
}

/// How actions begin, as a refusal lists them.
fn beginnings() -> String {
    listed(kinds(), "or", |row| row.told.to_owned())
}

impl HookAction {
    /// Reads an action. Names are judged when they are called, addresses by number at once.
    ///
    /// # Errors
    /// [`ActionError`].
    pub fn parse(text: &str, allowed: &Allowed) -> Result<HookAction, ActionError> {
        let text = &*with_usual_scheme(text);
        let unknown = || {
            let kind = text.split(':').next().unwrap_or_default();
            ActionError::Kind(kind.chars().take(40).collect())
        };
        let (url, secret) = match text.split_once('#') {
            Some((url, secret)) => (url, Some(secret)),
            None => (text, None),
        };
        let kind = ActionKind::of(url).ok_or_else(unknown)?;
        if url.len() > LONGEST_ACTION {
            return Err(ActionError::TooLong(url.len()));
        }
        let secret = match kind {
            ActionKind::Web => {
                allowed.guard.check(url)?;
                secret.map(checked_secret).transpose()?
            }
            ActionKind::Batch => {
                BatchPlan::parse(url)?;
                unsigned(secret)?
            }
            // What it needs stands in its `init`.
            ActionKind::Ksef if !allowed.ksef => {
                let detail = "this service is not connected to KSeF; its operator sets [ksef] url \
                              and codes_url";
                return Err(ActionError::Channel(detail.to_owned()));
            }
            ActionKind::Ksef => unsigned(secret)?,
            kind => {
                let channel = channels::reader_of(kind).ok_or_else(unknown)?;
                channel.check(url, allowed).map_err(ActionError::Channel)?;
                let read = secret.map(|secret| channel.secret(url, secret));
                match read.transpose().map_err(ActionError::Channel)?.flatten() {
                    Some(secret) => Some(secret),
                    None => unsigned(secret)?,
                }
            }
        };
        Ok(HookAction { kind, url: url.to_owned(), secret })
    }
}

/// The action with its scheme in lower case: schemes have no case (RFC 3986 section 3.1).
fn with_usual_scheme(text: &str) -> Cow<'_, str> {
    match text.split_once(':') {
        Some((scheme, rest)) if scheme.bytes().all(|b| b.is_ascii_alphabetic()) => {
            Cow::Owned(format!("{}:{rest}", scheme.to_ascii_lowercase()))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Of what has no secret, none may be given.
fn unsigned(secret: Option<&str>) -> Result<Option<Secret>, ActionError> {
    match secret {
        Some(_) => Err(ActionError::NotSigned),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests;
