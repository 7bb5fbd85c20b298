//! Passwords of users: hashed with argon2id, a few at a time, since each takes 19 MiB and a good
//! part of a core by intention. The memory is taken for one hash and given back after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use hyper::header::RETRY_AFTER;
use tokio::sync::OnceCell;

use super::{Problem, codes, sentences};
use quoin_access_point::budget::{Budgets, Full, Places};

/// Characters of a password, at least and at most.
pub const LENGTH: std::ops::RangeInclusive<usize> = 8..=256;

/// After how many seconds one that found no turn may come again.
pub(super) const AGAIN_SECONDS: i64 = 5;

/// How long a password waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Memory in KiB, passes and lanes, as the OWASP cheat sheet has it for argon2id.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);

/// A password was not hashed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Too many were being hashed. A refusal: nothing is wrong with it, and it may come again.
    #[error("a password was not hashed in time: {0}")]
    Full(#[from] Full),
    /// It could not be. A fault.
    #[error("a password could not be hashed: {0}")]
    Fault(String),
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Problem {
        match error {
            PasswordError::Full(_) => {
                Problem::new(&codes::UNAVAILABLE, sentences::BUSY_PASSWORDS.with([]))
                    .header(RETRY_AFTER, &AGAIN_SECONDS.to_string())
            }
            fault => Problem::fault(fault),
        }
    }
}

/// Hashes and checks passwords; clones share the room.
#[derive(Debug, Clone)]
pub struct Passwords {
    room: Places,
    /// Checks so far.
    checks: Arc<AtomicU64>,
    /// The hash of a password that nobody has.
    nobody: Arc<OnceCell<String>>,
}

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords::new(&Budgets::default())
    }
}

impl Passwords {
    /// Passwords of a service.
    pub fn new(budgets: &Budgets) -> Passwords {
        let room = budgets.passwords.clone();
        Passwords { room, checks: Arc::default(), nobody: Arc::default() }
    }

    /// Passwords for which there is no room, nor will be.
    #[cfg(test)]
    pub(super) fn full() -> Passwords {
        use quoin_access_point::budget::{Sizes, Whom};
        let none = Sizes { total: 0, share: 0, waiting: 0, waiting_of_one: 0 };
        let room = Places::new("passwords", Whom::Caller, none);
        Passwords { room, ..Passwords::default() }
    }

    /// The hash of a password with a fresh salt, as a PHC string.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        let password = password.to_owned();
        self.apart(move || hash(&password)).await?
    }

    /// Whether a password has this hash. Without a hash it takes as long, and the answer is no.
    ///
    /// # Errors
    /// [`PasswordError`].
    pub async fn fits(&self, password: &str, hash: Option<&str>) -> Result<bool, PasswordError> {
        let known = hash.is_some();
        let hash = match hash {
            Some(hash) => hash.to_owned(),
            None => {
                let made = self.nobody.get_or_try_init(|| self.hash("nobody has this one"));
                made.await?.clone()
            }
        };
        let password = password.to_owned();
        self.checks.fetch_add(1, Ordering::Relaxed);
        let fits = self.apart(move || fits(&password, &hash)).await?;
        Ok(fits && known)
    }

    /// How many passwords were checked so far, whether or not there was somebody to have one.
    pub fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// On a thread where it keeps nobody waiting.
    async fn apart<T, F>(&self, work: F) -> Result<T, PasswordError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let _room = self.room.enter("", PATIENCE).await?;
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| PasswordError::Fault(error.to_string()))
    }
}

fn argon2() -> Result<Argon2<'static>, PasswordError> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None);
    let params = params.map_err(|error| PasswordError::Fault(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Result<String, PasswordError> {
    let mut salt = [0; 16];
    aws_lc_rs::rand::fill(&mut salt)
        .map_err(|_| PasswordError::Fault("no random bytes".to_owned()))?;
    let fault = |error: argon2::password_hash::Error| PasswordError::Fault(error.to_string());
    let salt = SaltString::encode_b64(&salt).map_err(fault)?;
    Ok(argon2()?.hash_password(password.as_bytes(), &salt).map_err(fault)?.to_string())
}

/// The parameters are those of the hash, so that older hashes stay good when they are raised.
fn fits(password: &str, hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
}

#[cfg(test)]
mod tests;
