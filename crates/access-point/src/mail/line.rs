//! Connections to the mail server: each carries one mail after the other, and is kept for a moment
//! when it has none. Whether one that was kept is still there is asked before a mail goes by it, so
//! that none is sent twice for that.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::Starttls;
use lettre::transport::smtp::extension::{ClientId, Extension};
use quoin_model::text::quoted;

use quoin_store::Secret;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::ready::ReadyMail;
use super::reply::ReplyStream;
use super::starttls::OpenStream;
use super::talk::{MailSaid, says_more, talk};
use super::transport::is_about_us;
use crate::oauth::{OAuthLogin, ShownLogin, TokenDesk, TokenFault, TokenMechanism, told_in};

/// Connections that are kept.
const KEPT: usize = 8;
/// How long one is kept without a mail: less than servers wait.
const IDLE: Duration = Duration::from_secs(20);
/// Mails by one connection; servers have a number of their own, most of them a larger one.
const MAILS: usize = 100;
/// Tokens that are hidden in what a server says: connections that are kept have shown older ones.
const TOKENS: usize = 4;
/// Characters of an answer that fits nothing: its code, and what is said.
const SAID: usize = 3 + 1 + 200;

/// How a connection is protected.
pub(super) enum LineTls {
    /// From the first byte.
    Wrapped(MailTls),
    /// After STARTTLS, without which nothing is sent.
    StartTls(MailTls),
    /// Not at all.
    Plain,
}

/// What TLS with the mail server is begun with.
pub(super) struct MailTls {
    /// Whose certificate is believed.
    pub(super) config: Arc<ClientConfig>,
    /// Whose certificate it has to be.
    pub(super) name: ServerName<'static>,
}

/// How the mail server is reached.
pub(super) struct MailLine {
    /// Its name, and its port.
    pub(super) place: (String, u16),
    /// The protection.
    pub(super) tls: LineTls,
    /// What we call ourselves.
    pub(super) hello: ClientId,
    /// What lets us in, where it asks for that.
    pub(super) login: Option<LineLogin>,
    /// What the server was shown last, by this connection or another: nothing of it is told.
    pub(super) shown: Mutex<Vec<ShownLogin>>,
    /// Connections without a mail.
    pub(super) kept: Mutex<Vec<KeptLine>>,
}

/// What lets us in.
pub(super) enum LineLogin {
    /// Name and password.
    Password(Credentials),
    /// A name, and the client that fetches its tokens at a desk.
    Token(String, Box<OAuthLogin>, TokenDesk),
}

/// Why a mail did not leave.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineFault {
    /// The server, or the way to it.
    #[error("the mail server: {}", words(.0))]
    Smtp(#[from] Error),
    /// The same before any mail: its greeting, its protection, its login. It is about us, and about
    /// no mail.
    #[error("the mail server, before any mail: {}", words(.0))]
    Opening(Error),
    /// What it answers does not fit what it was asked.
    #[error("the mail server answered {asked} with {said:?}, expected {expected}")]
    Unfitting {
        /// The command.
        asked: &'static str,
        /// The code that says yes to it.
        expected: &'static str,
        /// Code and text.
        said: String,
    },
    /// It said something that answers nothing.
    #[error("the mail server said more than its answer to {0}")]
    SaidMore(&'static str),
    /// It has no way to take such a mail.
    #[error("the mail server: {0}")]
    Unfit(&'static str),
    /// There is no way to the server.
    #[error("the mail server is not reached: {0}")]
    Away(std::io::Error),
    /// There is no protection.
    #[error("the mail server, before any mail: TLS: {0}")]
    NoTls(std::io::Error),
    /// There is no token.
    #[error("the login at the mail server: {0}")]
    NoToken(#[from] TokenFault),
    /// The server does not take the token, or none at all.
    #[error("the mail server did not let {0:?} in: {1}")]
    Login(String, String),
}

/// What an error says, in one line and in the words of the field.
pub(super) fn words(error: &Error) -> String {
    if error.is_response() {
        return "it ended the connection, or what it answered is no SMTP: expected lines of a code \
                of three digits and a text (RFC 5321, section 4.2)"
            .to_owned();
    }
    in_one_line(&error.to_string())
}

/// A text without its line ends.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl LineFault {
    /// Whether the mail will never be taken, and the server's code, if it said one.
    pub(super) fn judged(&self) -> (bool, Option<u16>) {
        let code = |error: &Error| error.status().map(u16::from);
        match self {
            // How the server greets us, whether it protects the connection and lets us in is the
            // operator's to mend, whatever its code: only what it says from MAIL FROM on is about
            // the mail (RFC 5321, section 3.1).
            LineFault::Opening(error) => (false, code(error)),
            LineFault::Away(_)
            | LineFault::NoTls(_)
            | LineFault::NoToken(_)
            | LineFault::Login(..)
            | LineFault::Unfitting { .. }
            | LineFault::SaidMore(_) => (false, None),
            LineFault::Unfit(_) => (true, None),
            LineFault::Smtp(error) => {
                let is_final = error.is_permanent() && !is_about_us(code(error));
                (is_final || error.is_client(), code(error))
            }
        }
    }

    /// What happened, for people.
    pub(super) fn told(self, shown: &ShownLogin) -> String {
        match self {
            // An answer that fits nothing is cut, once nothing is in it that a cut could leave of
            // what is hidden.
            LineFault::Unfitting { asked, expected, said } => {
                let said = shown.hidden(&said, SAID);
                LineFault::Unfitting { asked, expected, said }.to_string()
            }
            other => shown.hidden(&other.to_string(), usize::MAX),
        }
    }

    fn of_opening(self) -> LineFault {
        match self {
            LineFault::Smtp(error) => LineFault::Opening(error),
            other => other,
        }
    }
}

/// A connection without a mail.
pub(super) struct KeptLine {
    connection: AsyncSmtpConnection,
    mails: usize,
    since: Instant,
}

impl MailTls {
    async fn begin(&self, stream: TcpStream) -> Result<TlsStream<TcpStream>, LineFault> {
        let connector = TlsConnector::from(Arc::clone(&self.config));
        connector.connect(self.name.clone(), stream).await.map_err(LineFault::NoTls)
    }
}

impl MailLine {
    /// Sends a mail by a connection that was kept, or by a new one.
    pub(super) async fn send(&self, mail: &ReadyMail) -> Result<MailSaid, LineFault> {
        let (mut connection, mails) = match self.take().await {
            Some(kept) => (kept.connection, kept.mails),
            None => (self.open().await.map_err(LineFault::of_opening)?, 0),
        };
        let said = match talk(&mut connection, mail).await {
            Ok(said) => said,
            Err(fault) => {
                connection.abort().await;
                return Err(fault);
            }
        };
        if mails + 1 < MAILS && !connection.has_broken() && !says_more(&mut connection) {
            self.keep(KeptLine { connection, mails: mails + 1, since: Instant::now() });
        } else {
            let _ = connection.quit().await;
        }
        Ok(said)
    }

    /// What the server was shown.
    pub(super) fn shown(&self) -> ShownLogin {
        let all = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().fold(ShownLogin::default(), |all, one| all.and(one))
    }

    /// Another token is about to be shown.
    fn shows(&self, shown: &ShownLogin) {
        let mut all = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(shown) {
            all.push(shown.clone());
        }
        let older = all.len().saturating_sub(TOKENS);
        all.drain(..older);
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

    /// A new connection. A token that is refused is fetched once more.
    async fn open(&self) -> Result<AsyncSmtpConnection, LineFault> {
        let mut connection = self.connect().await?;
        match &self.login {
            None => Ok(connection),
            Some(LineLogin::Password(login)) => {
                connection.auth(DEFAULT_MECHANISMS, login).await?;
                Ok(connection)
            }
            Some(LineLogin::Token(user, login, desk)) => {
                let first = desk.token("", login, None).await?;
                match self.by_token(&mut connection, (user, login), &first).await {
                    Err(LineFault::Login(..)) => {}
                    done => return done.map(|()| connection),
                }
                let second = desk.token("", login, Some(&first)).await?;
                let mut connection = self.connect().await?;
                self.by_token(&mut connection, (user, login), &second).await?;
                Ok(connection)
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, LineFault> {
        let (host, port) = &self.place;
        let stream = TcpStream::connect((host.as_str(), *port)).await.map_err(LineFault::Away)?;
        // The end of a mail is written by itself, and else waits until what was written before it
        // is acknowledged, which takes servers 40 ms.
        stream.set_nodelay(true).map_err(LineFault::Away)?;
        let peer = stream.peer_addr().map_err(LineFault::Away)?;
        let hello = &self.hello;
        Ok(match &self.tls {
            LineTls::Plain => {
                let stream = Box::new(ReplyStream::new(stream, peer));
                AsyncSmtpConnection::connect_with_transport(stream, hello).await?
            }
            LineTls::Wrapped(tls) => {
                let stream = Box::new(ReplyStream::new(tls.begin(stream).await?, peer));
                AsyncSmtpConnection::connect_with_transport(stream, hello).await?
            }
            LineTls::StartTls(tls) => {
                let (stream, peer) = self.start_tls(stream, peer, tls).await?;
                let stream = Box::new(ReplyStream::greeted(stream, peer));
                AsyncSmtpConnection::connect_with_transport(stream, hello).await?
            }
        })
    }

    /// Asks for TLS. What was said before it is forgotten (RFC 3207, section 4.2).
    async fn start_tls(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        tls: &MailTls,
    ) -> Result<(TlsStream<TcpStream>, SocketAddr), LineFault> {
        let open = OpenStream::new(stream, peer);
        let boxed = Box::new(open.clone());
        let mut plain = AsyncSmtpConnection::connect_with_transport(boxed, &self.hello).await?;
        if !plain.server_info().supports_feature(Extension::StartTls) {
            let why = "STARTTLS is not supported on this server";
            return Err(LineFault::NoTls(std::io::Error::other(why)));
        }
        plain.command(Starttls).await?;
        let (stream, peer) = open.into_tcp().map_err(LineFault::NoTls)?;
        Ok((tls.begin(stream).await?, peer))
    }

    /// Shows a token (RFC 7628). A server that refuses it may say why before it says no.
    async fn by_token(
        &self,
        connection: &mut AsyncSmtpConnection,
        (user, login): (&str, &OAuthLogin),
        token: &Secret,
    ) -> Result<(), LineFault> {
        let (host, port) = &self.place;
        let shown = ShownLogin::token(user, (host, *port), (login, token));
        self.shows(&shown);
        let refused = |why: String| LineFault::Login(user.to_owned(), shown.hidden(&why, 500));
        // What is offered is asked for again: the names of the ways are not kept with it.
        let offer = connection.command(format!("EHLO {}\r\n", self.hello)).await?;
        let lines: Vec<String> = offer.message().map(str::to_ascii_uppercase).collect();
        let names = lines.iter().filter_map(|line| line.strip_prefix("AUTH "));
        let names = names.flat_map(|names| names.split_ascii_whitespace());
        let Some(way) = TokenMechanism::offered(names.clone()) else {
            let offered = names.collect::<Vec<_>>().join(", ");
            let why = format!(
                "it offers neither OAUTHBEARER nor XOAUTH2, but {offered}",
                offered = quoted(&offered, 200)
            );
            return Err(refused(why));
        };
        let first = way.first(user, (host, *port), token.reveal());
        let said = connection.command(format!("AUTH {} {first}\r\n", way.name())).await;
        let why = match said {
            Ok(said) if said.has_code(235) => return Ok(()),
            Ok(said) => {
                let challenge: String = said.message().collect();
                let why = told_in(&challenge).unwrap_or_default();
                let end = connection.command(format!("{}\r\n", way.after_refusal())).await;
                match end {
                    Ok(_) => why,
                    Err(error) => format!("{}; {why}", words(&error)),
                }
            }
            Err(error) if error.status().is_some() => words(&error),
            Err(error) => return Err(error.into()),
        };
        Err(refused(why))
    }
}
