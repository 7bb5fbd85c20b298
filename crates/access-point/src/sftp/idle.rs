//! Connections that are kept for the next document to the same place, so that many documents in a
//! row need one login.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::SFTP_LIMIT;
use super::action::SftpAction;
use super::connection::{LIFETIME, SftpConnection};
use super::login::SftpLogin;

/// How long a connection is kept without a document.
const KEPT: Duration = Duration::from_secs(20);
/// How many are kept in all.
const IN_ALL: usize = 64;
/// How many are kept to one place: as many as documents go to one host at a time.
const TO_ONE: usize = 8;
/// How many documents one connection carries before it is made anew.
const DOCUMENTS: u32 = 10_000;

/// What connections are told apart by: the account, and everything that was asked before it was
/// let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConnectionKey {
    user: String,
    host: String,
    port: u16,
    host_keys: Vec<String>,
    login: [u8; 32],
}

impl ConnectionKey {
    pub(super) fn of(action: &SftpAction, login: &SftpLogin) -> ConnectionKey {
        ConnectionKey {
            user: action.user.clone(),
            host: action.host.to_string(),
            port: action.port,
            host_keys: action.host_keys.clone(),
            login: login.mark,
        }
    }
}

struct KeptConnection {
    key: ConnectionKey,
    since: Instant,
    connection: SftpConnection,
}

/// The connections that are kept.
#[derive(Default)]
pub(super) struct KeptConnections(Mutex<Vec<KeptConnection>>);

impl KeptConnections {
    /// One to the same place, if there is one that is still open.
    pub(super) fn take(&self, key: &ConnectionKey) -> Option<SftpConnection> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.since.elapsed() < KEPT && !kept.connection.is_closed());
        let place = kept.iter().rposition(|kept| kept.key == *key)?;
        Some(kept.swap_remove(place).connection)
    }

    /// Keeps one for the next document; the connection where it is not kept.
    pub(super) fn keep(
        &self,
        key: ConnectionKey,
        mut connection: SftpConnection,
    ) -> Option<SftpConnection> {
        connection.documents += 1;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.since.elapsed() < KEPT && !kept.connection.is_closed());
        let to_one = kept.iter().filter(|kept| kept.key == key).count();
        // What begins on it has to find its time.
        let is_old = connection.since.elapsed() + KEPT + SFTP_LIMIT >= LIFETIME;
        if is_old || connection.documents >= DOCUMENTS || kept.len() >= IN_ALL || to_one >= TO_ONE {
            return Some(connection);
        }
        kept.push(KeptConnection { key, since: Instant::now(), connection });
        None
    }
}
