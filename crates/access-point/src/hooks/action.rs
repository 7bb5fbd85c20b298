//! The `action` of a hook: an https address, optionally followed by `#` and the secret that signs
//! the calls (interface specification 2.4); a mail address; a batch; or the network. Fragments are
//! never sent, so the secret stays here.

use quoin_delivery::hook::{ActionKind, BatchError, BatchPlan};
use quoin_store::Secret;

use crate::channels::{self, Allowed};
use crate::net::{AddressRefusal, Guard};

/// The longest secret, in bytes.
const LONGEST_SECRET: usize = 512;
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
    #[error(
        "the action starts with {0:?}; expected an https address, mailto:, batch://zip or peppol"
    )]
    Kind(String),
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
    #[error("the secret behind # must be 1 to {LONGEST_SECRET} printable ASCII characters")]
    Secret,
    /// Only calls are signed.
    #[error("only calls of an https address are signed; leave out # and the secret")]
    NotSigned,
}

impl HookAction {
    /// Reads an action. Names are judged when they are called, addresses by number at once.
    ///
    /// # Errors
    /// [`ActionError`].
    pub fn parse(text: &str, allowed: &Allowed) -> Result<HookAction, ActionError> {
        let unknown = || {
            let kind = text.split(':').next().unwrap_or_default();
            ActionError::Kind(kind.chars().take(40).collect())
        };
        let kind =
            ActionKind::of(text.split('#').next().unwrap_or_default()).ok_or_else(unknown)?;
        if text.len() > LONGEST_ACTION {
            return Err(unknown());
        }
        match kind {
            ActionKind::Web => return web(text, &allowed.guard),
            _ if text.contains('#') => return Err(ActionError::NotSigned),
            ActionKind::Batch => drop(BatchPlan::parse(text)?),
            kind => {
                let channel = channels::of(kind).ok_or_else(unknown)?;
                channel.check(text, allowed).map_err(ActionError::Channel)?;
            }
        }
        Ok(HookAction { kind, url: text.to_owned(), secret: None })
    }
}

fn web(text: &str, guard: &Guard) -> Result<HookAction, ActionError> {
    let (url, secret) = match text.split_once('#') {
        Some((url, secret)) => (url, Some(secret)),
        None => (text, None),
    };
    guard.check(url)?;
    let secret = secret.map(checked_secret).transpose()?;
    Ok(HookAction { kind: ActionKind::Web, url: url.to_owned(), secret })
}

/// A secret that can sign.
///
/// # Errors
/// [`ActionError::Secret`].
pub fn checked_secret(secret: &str) -> Result<Secret, ActionError> {
    let fits = (1..=LONGEST_SECRET).contains(&secret.len());
    if fits && secret.bytes().all(|b| b.is_ascii_graphic()) {
        return Ok(Secret::new(secret));
    }
    Err(ActionError::Secret)
}

#[cfg(test)]
mod tests;
