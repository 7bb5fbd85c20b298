//! Connections to the mail server: each carries one mail after the other, and is kept for a moment
//! when it has none. Whether one that was kept is still there is asked before a mail goes by it, so
//! that none is sent twice for that.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;

use super::transport::ReadyMail;

/// Connections that are kept.
const KEPT: usize = 8;
/// How long one is kept without a mail: less than servers wait.
const IDLE: Duration = Duration::from_secs(20);
/// Mails by one connection; servers have a number of their own, most of them a larger one.
const MAILS: usize = 100;

/// How a connection is protected.
pub(super) enum LineTls {
    /// From the first byte.
    Wrapped(TlsParameters),
    /// After STARTTLS, without which nothing is sent.
    StartTls(TlsParameters),
    /// Not at all.
    Plain,
}

/// How the mail server is reached.
pub(super) struct MailLine {
    /// Its name, and its port.
    pub(super) place: (String, u16),
    /// The protection.
    pub(super) tls: LineTls,
    /// What we call ourselves.
    pub(super) hello: ClientId,
    /// Time for one answer.
    pub(super) limit: Duration,
    /// Name and password, where it asks for them.
    pub(super) login: Option<Credentials>,
    /// Connections without a mail.
    pub(super) kept: Mutex<Vec<KeptLine>>,
}

/// A connection without a mail.
pub(super) struct KeptLine {
    connection: AsyncSmtpConnection,
    mails: usize,
    since: Instant,
}

impl MailLine {
    /// Sends a mail by a connection that was kept, or by a new one.
    pub(super) async fn send(&self, mail: &ReadyMail) -> Result<Response, Error> {
        let (mut connection, mails) = match self.take().await {
            Some(kept) => (kept.connection, kept.mails),
            None => (self.open().await?, 0),
        };
        let said = connection.send(&mail.envelope, &mail.bytes).await?;
        if mails + 1 < MAILS && !connection.has_broken() {
            self.keep(KeptLine { connection, mails: mails + 1, since: Instant::now() });
        } else {
            let _ = connection.quit().await;
        }
        Ok(said)
    }

    /// A connection that was kept and is still there.
    async fn take(&self) -> Option<KeptLine> {
        loop {
            let newest = self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut kept = newest?;
            if kept.since.elapsed() < IDLE && kept.connection.test_connected().await {
                return Some(kept);
            }
        }
    }

    fn keep(&self, line: KeptLine) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|line| line.since.elapsed() < IDLE);
        if kept.len() < KEPT {
            kept.push(line);
        }
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Error> {
        let (host, port) = &self.place;
        let at_once = match &self.tls {
            LineTls::Wrapped(tls) => Some(tls.clone()),
            _ => None,
        };
        let (limit, hello) = (Some(self.limit), &self.hello);
        let place = (host.as_str(), *port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(place, limit, hello, at_once, None).await?;
        if let LineTls::StartTls(tls) = &self.tls {
            connection.starttls(tls.clone(), hello).await?;
        }
        if let Some(login) = &self.login {
            connection.auth(DEFAULT_MECHANISMS, login).await?;
        }
        Ok(connection)
    }
}
