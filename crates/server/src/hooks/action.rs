//! The `action` of a hook: an https address, optionally followed by `#` and the secret that signs
//! the calls (interface specification 2.4). Fragments are never sent, so the secret stays here.

use quoin_store::Secret;

use crate::net::{Guard, Refusal};

/// The longest secret, in bytes.
const LONGEST_SECRET: usize = 512;

/// A destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The address, without the secret.
    pub url: String,
    /// The secret, if there is one.
    pub secret: Option<Secret>,
}

/// Why a text is no destination. A refusal; it never repeats the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// Another kind of hook.
    #[error("the action starts with {0:?}; an https address is expected")]
    Kind(String),
    /// The address is not one that is called.
    #[error("the address of the action cannot be called: {0}")]
    Address(#[from] Refusal),
    /// The secret is too long or not printable.
    #[error("the secret behind # must be 1 to {LONGEST_SECRET} printable ASCII characters")]
    Secret,
}

impl Action {
    /// Reads an action. Names are judged when they are called, addresses by number at once.
    ///
    /// # Errors
    /// [`ActionError`].
    pub fn parse(text: &str, guard: &Guard) -> Result<Action, ActionError> {
        let (url, secret) = match text.split_once('#') {
            Some((url, secret)) => (url, Some(secret)),
            None => (text, None),
        };
        if !url.starts_with("https://") && !url.starts_with("http://") {
            let kind = url.split(':').next().unwrap_or_default();
            return Err(ActionError::Kind(kind.chars().take(40).collect()));
        }
        guard.check(url)?;
        let printable = |secret: &str| secret.bytes().all(|b| b.is_ascii_graphic());
        let fits = |secret: &str| (1..=LONGEST_SECRET).contains(&secret.len());
        if secret.is_some_and(|secret| !fits(secret) || !printable(secret)) {
            return Err(ActionError::Secret);
        }
        Ok(Action { url: url.to_owned(), secret: secret.map(Secret::new) })
    }
}

#[cfg(test)]
mod tests;
