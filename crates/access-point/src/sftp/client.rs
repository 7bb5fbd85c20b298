//! One attempt, from the connection to the renamed file, within its time; and what was seen of it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;
use serde::Serialize;

use super::action::SftpAction;
use super::connection::SftpConnection;
use super::fault::{SftpFault, SftpFaultKind};
use super::idle::{ConnectionKey, KeptConnections};
use super::login::SftpLogin;
use super::upload::{WrittenFile, told, under_way, upload};
use super::{SFTP_BYTES, SFTP_LIMIT};
use crate::net::Guard;

/// What was seen of an attempt; kept with it as JSON. It holds no secret.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SftpReport {
    /// The server.
    pub server: String,
    /// The account.
    pub user: String,
    /// What it logged in with: `password` or `privateKey`.
    pub login: &'static str,
    /// The kind of the key that the server showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_key_algorithm: Option<String>,
    /// The fingerprint of that key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_key: Option<String>,
    /// The file.
    pub path: String,
    /// How many bytes it has.
    pub bytes: usize,
    /// The SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
    /// Whether the server said that its disk has the file.
    pub synced: bool,
    /// Whether the connection was one that had carried a document before.
    pub reused: bool,
    /// How long the attempt took, in milliseconds.
    pub elapsed_ms: u32,
    /// What went wrong; empty where nothing did.
    pub fault: String,
}

/// Writes files on SFTP servers. Cheap to clone, and clones share their connections.
#[derive(Clone)]
pub struct SftpClient {
    guard: Guard,
    patience: Duration,
    kept: Arc<KeptConnections>,
}

impl SftpClient {
    /// A client that connects where the guard allows it, and waits so long for one answer.
    pub fn new(guard: Guard, patience: Duration) -> SftpClient {
        SftpClient { guard, patience, kept: Arc::default() }
    }

    /// Writes a document into the folder of a hook.
    pub async fn put(
        &self,
        action: &SftpAction,
        login: &SftpLogin,
        (name, bytes): (&str, &[u8]),
    ) -> (Result<(), SftpFault>, SftpReport) {
        let mut report = SftpReport {
            path: action.path(name),
            bytes: bytes.len(),
            sha256: HEXLOWER.encode(digest(&SHA256, bytes).as_ref()),
            ..SftpReport::of(action, login)
        };
        let began = Instant::now();
        let done = match bytes.len() <= SFTP_BYTES {
            true => within(self.write(action, login, (name, bytes), &mut report)).await,
            false => Err(SftpFault::new(
                SftpFaultKind::Refused,
                format!(
                    "the document has {} bytes, more than the {SFTP_BYTES} that are written",
                    bytes.len()
                ),
            )),
        };
        let done = done.map_err(|fault| login.hidden_in(fault));
        report.ended(began, &done);
        (done, report)
    }

    /// Logs in and looks whether the folder is there. Nothing is written.
    pub async fn look(
        &self,
        action: &SftpAction,
        login: &SftpLogin,
    ) -> (Result<(), SftpFault>, SftpReport) {
        let mut report =
            SftpReport { path: action.folder.clone(), ..SftpReport::of(action, login) };
        let began = Instant::now();
        let looked = async {
            let mut connection = self.connect(action, login).await?;
            report.saw(&connection);
            let found = connection.session.size(&action.folder).await;
            connection.close().await;
            found.map(drop).map_err(|error| told(error, "opening", &action.folder))
        };
        let done = within(looked).await.map_err(|fault| login.hidden_in(fault));
        report.ended(began, &done);
        (done, report)
    }

    async fn write(
        &self,
        action: &SftpAction,
        login: &SftpLogin,
        (name, bytes): (&str, &[u8]),
        report: &mut SftpReport,
    ) -> Result<(), SftpFault> {
        let key = ConnectionKey::of(action, login);
        let paths = (action.path(&under_way(name)), report.path.clone());
        let paths = (paths.0.as_str(), paths.1.as_str());
        if let Some(mut connection) = self.kept.take(&key) {
            report.saw(&connection);
            report.reused = true;
            match upload(&mut connection.session, paths, bytes).await {
                // A server may have ended what nobody used; that is no attempt that failed.
                Err(fault) if fault.kind == SftpFaultKind::Unavailable => connection.close().await,
                done => return self.done(key, connection, done, report).await,
            }
        }
        report.reused = false;
        let mut connection = self.connect(action, login).await?;
        report.saw(&connection);
        let done = upload(&mut connection.session, paths, bytes).await;
        self.done(key, connection, done, report).await
    }

    /// A connection with a login.
    pub(super) async fn connect(
        &self,
        action: &SftpAction,
        login: &SftpLogin,
    ) -> Result<SftpConnection, SftpFault> {
        SftpConnection::open((&self.guard, self.patience), action, login).await
    }

    /// Keeps a connection that works for the next document.
    async fn done(
        &self,
        key: ConnectionKey,
        connection: SftpConnection,
        done: Result<WrittenFile, SftpFault>,
        report: &mut SftpReport,
    ) -> Result<(), SftpFault> {
        let ended = match &done {
            Ok(_) => self.kept.keep(key, connection),
            Err(_) => Some(connection),
        };
        if let Some(connection) = ended {
            connection.close().await;
        }
        report.synced = done?.synced;
        Ok(())
    }
}

impl fmt::Debug for SftpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SftpClient")
    }
}

async fn within<T>(work: impl Future<Output = Result<T, SftpFault>>) -> Result<T, SftpFault> {
    let slow = || {
        let cause = format!("the SFTP server did not finish within {SFTP_LIMIT:?}");
        SftpFault::new(SftpFaultKind::Unavailable, cause)
    };
    tokio::time::timeout(SFTP_LIMIT, work).await.map_err(|_| slow())?
}

impl SftpReport {
    fn of(action: &SftpAction, login: &SftpLogin) -> SftpReport {
        SftpReport {
            server: format!("{}:{}", action.host, action.port),
            user: action.user.clone(),
            login: login.kind(),
            ..SftpReport::default()
        }
    }

    fn saw(&mut self, connection: &SftpConnection) {
        self.host_key_algorithm = Some(connection.key.algorithm.clone());
        self.host_key = Some(connection.key.fingerprint.clone());
    }

    fn ended(&mut self, began: Instant, done: &Result<(), SftpFault>) {
        self.elapsed_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        if let Err(fault) = done {
            self.fault.clone_from(&fault.cause);
        }
    }
}
