//! The connection to a mail server: to an address that the guard has judged, over TLS from the
//! first byte, and only then the login.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quoin_store::{Hook, Secret};
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use super::action::{MailFromAction, MailFromError, PASSWORD};
use super::fault::{MailboxFault, MailboxFaultKind};
use super::imap::{ImapError, ImapSession};
use crate::net::{AddressRefusal, Guard, RootsError, client_tls};

/// A session over TLS.
pub(super) type MailboxSession = ImapSession<TlsStream<TcpStream>>;

/// Connects to mail servers. Cheap to clone.
#[derive(Clone)]
pub struct MailboxClient {
    guard: Guard,
    tls: Arc<ClientConfig>,
    patience: Duration,
}

/// A mailbox and what opens it.
#[derive(Clone)]
pub struct MailboxTarget {
    /// Where it is.
    pub action: MailFromAction,
    /// The password.
    password: Secret,
}

impl MailboxTarget {
    /// What a hook names, as it is now.
    ///
    /// # Errors
    /// [`MailboxFaultKind::Hook`].
    pub fn of(hook: &Hook) -> Result<MailboxTarget, MailboxFault> {
        let fault =
            |error: MailFromError| MailboxFault::new(MailboxFaultKind::Hook, error.of_hook());
        let action = MailFromAction::parse(&hook.action).map_err(fault)?;
        let password = hook.secrets.first().ok_or_else(|| fault(MailFromError::NoPassword))?;
        Ok(MailboxTarget { action, password: password.clone() })
    }

    /// The mailbox of the operator.
    ///
    /// # Errors
    /// [`MailFromError`].
    pub fn own(address: &str, password: &str) -> Result<MailboxTarget, MailFromError> {
        let action = MailFromAction::own(address)?;
        Ok(MailboxTarget { action, password: checked_password(password)? })
    }

    /// Server and port, for people.
    pub(super) fn server(&self) -> String {
        format!("{}:{}", self.action.host, self.action.port)
    }
}

/// A password that can be said to a server.
///
/// # Errors
/// [`MailFromError::Password`].
pub fn checked_password(text: &str) -> Result<Secret, MailFromError> {
    let fits = (1..=PASSWORD).contains(&text.chars().count());
    match fits && !text.chars().any(char::is_control) {
        true => Ok(Secret::new(text)),
        false => Err(MailFromError::Password),
    }
}

impl MailboxClient {
    /// A client that connects where the guard allows it, believes these authorities besides the
    /// known ones, and waits so long for one answer.
    ///
    /// # Errors
    /// [`RootsError`].
    pub fn new(
        guard: Guard,
        roots: &[CertificateDer<'static>],
        patience: Duration,
    ) -> Result<MailboxClient, RootsError> {
        Ok(MailboxClient { guard, tls: Arc::new(client_tls(roots)?), patience })
    }

    /// Connects and logs in.
    pub(super) async fn open(
        &self,
        target: &MailboxTarget,
    ) -> Result<MailboxSession, MailboxFault> {
        let stream = self.connect(target).await?;
        let server = target.server();
        let name = match &target.action.host {
            Host::Domain(name) => ServerName::try_from(name.clone())
                .map_err(|_| MailboxFault::new(MailboxFaultKind::Hook, "the host is no name"))?,
            Host::Ipv4(ip) => ServerName::IpAddress((*ip).into()),
            Host::Ipv6(ip) => ServerName::IpAddress((*ip).into()),
        };
        let shaking = TlsConnector::from(self.tls.clone()).connect(name, stream);
        let shaken = tokio::time::timeout(self.patience, shaking).await;
        let shaken = shaken.map_err(|_| {
            let cause = format!("the mail server {server} began no TLS within {:?}", self.patience);
            MailboxFault::unavailable(cause)
        })?;
        let stream = shaken.map_err(|error| {
            let cause =
                format!("TLS with the mail server {server} failed, nothing was sent: {error}");
            MailboxFault::unavailable(cause)
        })?;
        let told = |error: ImapError| told(&error, &server, "was greeted");
        let mut session = ImapSession::begin(stream, self.patience).await.map_err(told)?;
        let (user, password) = (&target.action.user, target.password.reveal());
        let fault = match session.log_in(user, password).await {
            Ok(()) => return Ok(session),
            Err(ImapError::No(said)) => {
                let cause = format!("the mail server {server} did not let {user:?} in: {said}");
                MailboxFault::new(MailboxFaultKind::Login, cause)
            }
            Err(error) => self::told(&error, &server, "logged in"),
        };
        // A server may say again what it was told.
        Err(MailboxFault { cause: fault.cause.replace(password, "***"), ..fault })
    }

    async fn connect(&self, target: &MailboxTarget) -> Result<TcpStream, MailboxFault> {
        let action = &target.action;
        let addresses = self.guard.addresses(&action.host, action.port).await;
        let addresses = addresses.map_err(|refusal| {
            let kind = match refusal {
                AddressRefusal::Private { .. } => MailboxFaultKind::Hook,
                _ => MailboxFaultKind::Unavailable,
            };
            MailboxFault::new(kind, refusal.to_string())
        })?;
        let mut cause = "it has no address".to_owned();
        for address in addresses {
            match tokio::time::timeout(self.patience, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => cause = error.to_string(),
                Err(_) => cause = format!("no connection within {:?}", self.patience),
            }
        }
        let cause = format!("the mail server {} is not reached: {cause}", target.server());
        Err(MailboxFault::unavailable(cause))
    }
}

/// What went wrong with a server, for people.
pub(super) fn told(error: &ImapError, server: &str, doing: &str) -> MailboxFault {
    let kind = match error {
        ImapError::No(_) => MailboxFaultKind::Refused,
        _ => MailboxFaultKind::Unavailable,
    };
    MailboxFault::new(kind, format!("the mail server {server}, {doing}: {error}"))
}

impl fmt::Debug for MailboxClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailboxClient")
    }
}

impl fmt::Debug for MailboxTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MailboxTarget({} ***)", self.server())
    }
}
