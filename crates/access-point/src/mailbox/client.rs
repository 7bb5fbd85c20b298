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
use crate::oauth::{OAuthLogin, TokenDesk};

/// A session over TLS.
pub(super) type MailboxSession = ImapSession<TlsStream<TcpStream>>;

/// Connects to mail servers. Cheap to clone.
#[derive(Clone)]
pub struct MailboxClient {
    guard: Guard,
    tls: Arc<ClientConfig>,
    patience: Duration,
    tokens: TokenDesk,
}

/// A mailbox and what opens it.
#[derive(Clone)]
pub struct MailboxTarget {
    /// Where it is.
    pub action: MailFromAction,
    /// What opens it.
    login: MailboxLogin,
    /// Whose it is.
    owner: String,
}

/// What opens a mailbox.
#[derive(Clone)]
enum MailboxLogin {
    Password(Secret),
    Token(OAuthLogin),
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
        let by_token = OAuthLogin::parse(&hook.init, &hook.sealed);
        let login = match by_token.map_err(|error| fault(MailFromError::Token(error)))? {
            Some(login) => MailboxLogin::Token(login),
            None => {
                let password = hook.secrets.first();
                let password = password.ok_or_else(|| fault(MailFromError::NoPassword))?;
                MailboxLogin::Password(password.clone())
            }
        };
        Ok(MailboxTarget { action, login, owner: hook.organisation.to_string() })
    }

    /// The mailbox of the operator.
    ///
    /// # Errors
    /// [`MailFromError`].
    pub fn own(address: &str, password: &str) -> Result<MailboxTarget, MailFromError> {
        let action = MailFromAction::own(address)?;
        let login = MailboxLogin::Password(checked_password(password)?);
        Ok(MailboxTarget { action, login, owner: String::new() })
    }

    /// The same with a token.
    ///
    /// # Errors
    /// [`MailFromError`].
    pub fn own_by_token(address: &str, login: OAuthLogin) -> Result<MailboxTarget, MailFromError> {
        let (action, login) = (MailFromAction::own(address)?, MailboxLogin::Token(login));
        Ok(MailboxTarget { action, login, owner: String::new() })
    }

    /// Why a server did not let us in.
    fn not_let_in(&self, error: &ImapError) -> MailboxFault {
        let (server, user) = (self.server(), &self.action.user);
        let login = |cause: String| MailboxFault::new(MailboxFaultKind::Login, cause);
        match error {
            // It has trouble, or too many sessions: the login is right, as far as anybody knows.
            ImapError::No(said) if is_for_now(said) => MailboxFault::unavailable(format!(
                "the mail server {server} does not let {user:?} in for now: {said}"
            )),
            ImapError::No(said) => {
                login(format!("the mail server {server} did not let {user:?} in: {said}"))
            }
            ImapError::NoTokens(_) => login(format!("the mail server {server}: {error}")),
            error => told(error, &server, "logged in"),
        }
    }

    /// Server and port, for people.
    pub(super) fn server(&self) -> String {
        format!("{}:{}", self.action.host, self.action.port)
    }
}

/// Codes of an answer that say that a login is refused for now (RFC 9051, section 7.1; RFC 5530).
const FOR_NOW: &[&str] = &["[UNAVAILABLE]", "[LIMIT]", "[INUSE]", "[SERVERBUG]"];

fn is_for_now(said: &str) -> bool {
    let said = said.to_ascii_uppercase();
    FOR_NOW.iter().any(|code| said.starts_with(code))
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
    /// known ones, waits so long for one answer, and has tokens fetched at a desk.
    ///
    /// # Errors
    /// [`RootsError`].
    pub fn new(
        guard: Guard,
        roots: &[CertificateDer<'static>],
        patience: Duration,
        tokens: TokenDesk,
    ) -> Result<MailboxClient, RootsError> {
        Ok(MailboxClient { guard, tls: Arc::new(client_tls(roots)?), patience, tokens })
    }

    /// Connects and logs in. A token that is refused is fetched once more.
    pub(super) async fn open(
        &self,
        target: &MailboxTarget,
    ) -> Result<MailboxSession, MailboxFault> {
        let login = match &target.login {
            MailboxLogin::Password(password) => {
                let mut session = self.begin(target).await?;
                let done = session.log_in(&target.action.user, password.reveal()).await;
                return done.map(|()| session).map_err(|error| target.not_let_in(&error));
            }
            MailboxLogin::Token(login) => login,
        };
        let first = self.token(target, login, None).await?;
        match self.by_token(target, login, &first).await {
            Err(fault) if fault.kind == MailboxFaultKind::Login => {}
            opened => return opened,
        }
        let second = self.token(target, login, Some(&first)).await?;
        self.by_token(target, login, &second).await
    }

    async fn token(
        &self,
        target: &MailboxTarget,
        login: &OAuthLogin,
        refused: Option<&Secret>,
    ) -> Result<Secret, MailboxFault> {
        let token = self.tokens.token(&target.owner, login, refused).await;
        token.map_err(|fault| {
            let kind = match fault.is_temporary {
                true => MailboxFaultKind::Unavailable,
                false => MailboxFaultKind::Login,
            };
            MailboxFault::new(kind, format!("the mailbox of {}: {fault}", target.action.user))
        })
    }

    async fn by_token(
        &self,
        target: &MailboxTarget,
        login: &OAuthLogin,
        token: &Secret,
    ) -> Result<MailboxSession, MailboxFault> {
        let mut session = self.begin(target).await?;
        let host = target.action.host.to_string();
        let place = (host.as_str(), target.action.port);
        let done = session.log_in_by_token(&target.action.user, (login, token), place).await;
        done.map(|()| session).map_err(|error| target.not_let_in(&error))
    }

    /// A session over TLS before its login.
    async fn begin(&self, target: &MailboxTarget) -> Result<MailboxSession, MailboxFault> {
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
        let begun = ImapSession::begin(stream, self.patience).await;
        begun.map_err(|error| told(&error, &server, "was greeted"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_is_refused_for_now_is_no_wrong_login() {
        let target = MailboxTarget::own("imaps://a@mail.example/INBOX", "secret").unwrap();
        for (said, kind) in [
            ("[UNAVAILABLE] The directory is down", MailboxFaultKind::Unavailable),
            ("[limit] Too many sessions", MailboxFaultKind::Unavailable),
            ("[AUTHENTICATIONFAILED] No", MailboxFaultKind::Login),
            ("Login failed [UNAVAILABLE]", MailboxFaultKind::Login),
        ] {
            let fault = target.not_let_in(&ImapError::No(said.to_owned()));
            assert_eq!(fault.kind, kind, "{fault}");
            assert!(fault.cause.contains(said), "{fault}");
        }
    }
}
