//! The sending of a mail, within a time limit.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use quoin_store::Secret;
use rustls_pki_types::{CertificateDer, ServerName};

use super::action::{Senders, mailbox};
use super::dkim::DkimSigner;
use super::line::{LineLogin, LineTls, MailLine, MailTls};
use super::ready::ReadyMail;
use super::talk::{MailSaid, MissedAddress};
use super::verp::ReturnAddress;
use crate::config::{MailSection, MailTokenSection, Protection};
use crate::net::client_tls;
use crate::oauth::{OAuthLogin, ShownLogin, TokenDesk};

/// What the page of a mail may take beside its sending.
const PAGE: Duration = Duration::from_secs(60);
/// Answers of a server that say something about our account, not about the mail.
const ACCOUNT: &[u16] = &[530, 534, 535, 538];

/// Whether an answer is about our account, so that it says nothing of a mail or a recipient.
pub(super) fn is_about_us(code: Option<u16>) -> bool {
    code.is_some_and(|code| ACCOUNT.contains(&code))
}

/// Why mail cannot be set up. A mistake in the configuration.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The server.
    #[error("mail.server: {0}")]
    Server(String),
    /// The sender.
    #[error("mail.from: {0}")]
    From(String),
    /// TLS.
    #[error("mail: TLS cannot be set up: {0}")]
    Tls(String),
    /// A key that signs.
    #[error("mail.dkim {name}: {why}")]
    Dkim {
        /// Where its public half stands in the DNS.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The client that fetches tokens.
    #[error("mail.oauth: {0}")]
    Token(String),
    /// Where mail comes back to.
    #[error("mail.bounce_address: {0}")]
    Return(String),
}

/// What came of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailOutcome {
    /// The server took it.
    Taken {
        /// Its code.
        code: u16,
        /// What it said.
        reply: String,
    },
    /// It may be taken later.
    Later {
        /// The server's code, if it said one.
        code: Option<u16>,
        /// What happened.
        cause: String,
    },
    /// It will never be taken.
    Never {
        /// The server's code, if it said one.
        code: Option<u16>,
        /// What happened.
        cause: String,
    },
}

/// What came of a mail, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSent {
    /// What came of it for all of them.
    pub outcome: MailOutcome,
    /// Who has it.
    pub reached: Vec<Address>,
    /// Who has not.
    pub missed: Vec<MissedAddress>,
}

/// Sends mail through the operator's server.
#[derive(Clone)]
pub struct Mailer {
    line: Arc<MailLine>,
    senders: Senders,
    server: String,
    limit: Duration,
    signers: Vec<DkimSigner>,
    returns: Option<ReturnAddress>,
}

impl MailSent {
    /// One that reached nobody.
    pub fn to_nobody(outcome: MailOutcome) -> MailSent {
        MailSent { outcome, reached: Vec::new(), missed: Vec::new() }
    }

    /// The same without what the server was shown.
    fn told(mut self, shown: &ShownLogin) -> MailSent {
        let hide = |text: &mut String| *text = shown.hidden(text, usize::MAX);
        match &mut self.outcome {
            MailOutcome::Taken { reply: text, .. }
            | MailOutcome::Later { cause: text, .. }
            | MailOutcome::Never { cause: text, .. } => hide(text),
        }
        for missed in &mut self.missed {
            hide(&mut missed.said);
            hide(&mut missed.cause);
        }
        self
    }

    fn of(said: MailSaid) -> MailSent {
        let MailSaid { taken, reached, missed } = said;
        let outcome = match (taken, missed.iter().find(|missed| !missed.is_final)) {
            (Some(taken), None) => MailOutcome::Taken {
                code: u16::from(taken.code()),
                reply: taken.message().collect::<Vec<_>>().join(" "),
            },
            (Some(_), Some(waits)) => {
                let cause = format!(
                    "the mail server took the mail for {}, and not yet for {}: {}",
                    listed(&reached),
                    waits.address,
                    waits.cause
                );
                MailOutcome::Later { code: waits.code, cause }
            }
            (None, Some(waits)) => {
                let cause = format!("the mail server: {}", waits.cause);
                MailOutcome::Later { code: waits.code, cause }
            }
            (None, None) => {
                let (code, why) = match missed.first() {
                    Some(refused) => (refused.code, refused.cause.as_str()),
                    None => (None, "there is nobody to take the mail"),
                };
                MailOutcome::Never { code, cause: format!("the mail server: {why}") }
            }
        };
        MailSent { outcome, reached, missed }
    }
}

/// Addresses with commas between them.
fn listed(addresses: &[Address]) -> String {
    addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Mailer {
    /// Sets mail up, if a server is set.
    ///
    /// # Errors
    /// [`MailerError`].
    pub fn open(
        config: &MailSection,
        roots: &[CertificateDer<'static>],
        tokens: TokenDesk,
    ) -> Result<Option<Mailer>, MailerError> {
        let server = config.parsed_server().map_err(MailerError::Server)?;
        let (Some(server), Some(senders)) = (server, senders(config)?) else { return Ok(None) };
        let tls = || mail_tls(&server.host, roots);
        let protection = match server.protection {
            Protection::Wrapped => LineTls::Wrapped(tls()?),
            Protection::StartTls => LineTls::StartTls(tls()?),
            Protection::Plain => LineTls::Plain,
        };
        let limit = Duration::from_secs(config.timeout_seconds);
        let login = match (&config.username, &config.password, &config.oauth) {
            (Some(name), Some(password), _) => {
                let password = password.expose().to_owned();
                Some(LineLogin::Password(Credentials::new(name.clone(), password)))
            }
            (Some(name), None, Some(oauth)) => {
                let login = token_login(oauth).map_err(MailerError::Token)?;
                Some(LineLogin::Token(name.clone(), Box::new(login), tokens))
            }
            _ => None,
        };
        let shown = match (&config.username, &config.password) {
            (Some(name), Some(password)) => Some(ShownLogin::password(name, password.expose())),
            _ => None,
        };
        let line = MailLine {
            place: (server.host.clone(), server.port),
            tls: protection,
            hello: ClientId::Domain(senders.from.email.domain().to_owned()),
            shown: Mutex::new(shown.into_iter().collect()),
            login,
            kept: Mutex::default(),
        };
        let server = format!("{}:{}", server.host, server.port);
        let signers = config.dkim.iter().map(DkimSigner::open).collect::<Result<_, _>>()?;
        let returns = config.bounce_address.as_deref().map(ReturnAddress::parse).transpose();
        let returns = returns.map_err(MailerError::Return)?;
        Ok(Some(Mailer { line: Arc::new(line), senders, server, limit, signers, returns }))
    }

    /// Whom mail may come from.
    pub fn senders(&self) -> &Senders {
        &self.senders
    }

    /// The server, for reports.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// How long a mail may take, with a minute for its page.
    pub fn patience(&self) -> Duration {
        self.limit + PAGE
    }

    /// The right-hand side of message ids.
    pub fn domain(&self) -> &str {
        self.senders.from.email.domain()
    }

    /// Where mail comes back to that could not be delivered, where a place is set.
    pub fn returns(&self) -> Option<&ReturnAddress> {
        self.returns.as_ref()
    }

    /// Signs a mail and addresses its envelope, so that what comes back names it. It costs as much
    /// as the mail is long.
    ///
    /// # Errors
    /// [`MailOutcome::Later`] where a key fails, [`MailOutcome::Never`] without a sender.
    pub fn ready(
        &self,
        message: &Message,
        message_id: &str,
        now: Timestamp,
    ) -> Result<ReadyMail, MailOutcome> {
        let never = |cause: String| MailOutcome::Never { code: None, cause };
        let from = message.envelope().from().ok_or_else(|| never("no sender".to_owned()))?;
        let returns = self.returns.as_ref().and_then(|returns| returns.of(message_id));
        let sender = returns.unwrap_or_else(|| from.clone());
        self.addressed(message, (Some(sender), from.domain()), now)
    }

    /// The same for an answer that a program gives: nothing ever comes back of it (RFC 3834,
    /// section 3.3).
    ///
    /// # Errors
    /// As [`Mailer::ready`].
    pub fn ready_answer(
        &self,
        message: &Message,
        now: Timestamp,
    ) -> Result<ReadyMail, MailOutcome> {
        let domain = message.envelope().from().map_or("", Address::domain);
        self.addressed(message, (None, domain), now)
    }

    fn addressed(
        &self,
        message: &Message,
        (sender, domain): (Option<Address>, &str),
        now: Timestamp,
    ) -> Result<ReadyMail, MailOutcome> {
        let to = message.envelope().to().to_vec();
        let mut bytes = message.formatted();
        let mut signatures = String::new();
        for signer in self.signers.iter().filter(|signer| signer.is_of(domain)) {
            let header = signer.header(&bytes, now).map_err(|error| MailOutcome::Later {
                code: None,
                cause: format!("the mail cannot be signed (DKIM): {error}"),
            })?;
            signatures.push_str(&header);
        }
        bytes.splice(0..0, signatures.into_bytes());
        Ok(ReadyMail { sender, to, needed: Vec::new(), bytes, plain: None })
    }

    /// Sends one mail.
    pub async fn send(&self, mail: ReadyMail) -> MailSent {
        let sending = self.line.send(&mail);
        let fault = match tokio::time::timeout(self.limit, sending).await {
            Ok(Ok(said)) => return MailSent::of(said).told(&self.line.shown()),
            Ok(Err(fault)) => fault,
            Err(_) => {
                let cause = format!("the mail server did not finish within {:?}", self.limit);
                return MailSent::to_nobody(MailOutcome::Later { code: None, cause });
            }
        };
        let (is_never, code) = fault.judged();
        let cause = fault.told(&self.line.shown());
        MailSent::to_nobody(match is_never {
            true => MailOutcome::Never { code, cause },
            false => MailOutcome::Later { code, cause },
        })
    }
}

/// The client of a section.
///
/// # Errors
/// What is wrong with it, by the names of the interface.
pub fn token_login(section: &MailTokenSection) -> Result<OAuthLogin, String> {
    let MailTokenSection { token_url, client_id, scope, audience, .. } = section;
    let init = serde_json::json!({
        "tokenUrl": token_url, "clientId": client_id, "scope": scope, "audience": audience,
        "clientAuthentication": section.client_authentication,
    });
    let [client, refresh] = OAuthLogin::SEALED;
    let given = [(client, &section.client_secret), (refresh, &section.refresh_token)];
    let sealed = given.into_iter().filter_map(|(name, secret)| {
        Some((name.to_owned(), Secret::new(secret.as_ref()?.expose())))
    });
    let read = OAuthLogin::parse(&init, &sealed.collect()).map_err(|error| error.to_string())?;
    read.ok_or_else(|| "token_url is missing".to_owned())
}

/// Whom mail may come from, where mail is set up.
pub fn senders(config: &MailSection) -> Result<Option<Senders>, MailerError> {
    if config.server.is_none() {
        return Ok(None);
    }
    let from: Mailbox = mailbox(config.from.as_deref().unwrap_or_default())
        .map_err(|error| MailerError::From(error.to_string()))?;
    Ok(Some(Senders { from, domains: config.from_domains.clone() }))
}

fn mail_tls(host: &str, roots: &[CertificateDer<'static>]) -> Result<MailTls, MailerError> {
    let wrong = |error: String| MailerError::Tls(error);
    let config = Arc::new(client_tls(roots).map_err(|error| wrong(error.to_string()))?);
    let name = ServerName::try_from(host.to_owned()).map_err(|error| wrong(error.to_string()))?;
    Ok(MailTls { config, name })
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mailer({})", self.server)
    }
}

#[cfg(test)]
mod tests;
