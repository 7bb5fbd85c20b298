//! One session with a client (RFC 5321), with STARTTLS (RFC 3207) and AUTH PLAIN (RFC 4954).

use std::io;

use data_encoding::BASE64;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::{Mailbox, Manners, ReceivedMail};
use quoin_access_point::config::Protection;

/// Bytes of a mail at most.
const LARGEST: usize = 64 << 20;

/// How a session ended.
#[derive(PartialEq)]
enum SessionEnd {
    Quit,
    StartTls,
}

/// Serves a client until it goes.
pub(super) async fn serve(
    mailbox: &Mailbox,
    manners: &Manners,
    mut stream: TcpStream,
) -> io::Result<()> {
    let session = |encrypted| Session { mailbox, manners, encrypted, login: None };
    let Some((protection, tls)) = &manners.tls else {
        greet(&mut stream).await?;
        session(false).run(&mut stream).await?;
        return Ok(());
    };
    let acceptor = TlsAcceptor::from(tls.clone());
    if *protection == Protection::Wrapped {
        let mut stream = acceptor.accept(stream).await?;
        greet(&mut stream).await?;
        session(true).run(&mut stream).await?;
        return Ok(());
    }
    greet(&mut stream).await?;
    if session(false).run(&mut stream).await? == SessionEnd::StartTls {
        // What was known before is forgotten, and nothing that was sent ahead is read.
        let mut stream = acceptor.accept(stream).await?;
        session(true).run(&mut stream).await?;
    }
    Ok(())
}

async fn greet(stream: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
    stream.write_all(b"220 lab.test ready\r\n").await
}

struct Session<'m> {
    mailbox: &'m Mailbox,
    manners: &'m Manners,
    encrypted: bool,
    login: Option<String>,
}

impl Session<'_> {
    async fn run(
        &mut self,
        stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    ) -> io::Result<SessionEnd> {
        let mut lines = BufReader::new(stream);
        let mut envelope = self.envelope();
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).await? == 0 {
                return Ok(SessionEnd::Quit);
            }
            let answer = match verb(&line).as_str() {
                "EHLO" => self.hello(),
                "HELO" | "NOOP" => "250 fine".to_owned(),
                "STARTTLS" if self.offers_tls() => {
                    lines.write_all(b"220 go ahead\r\n").await?;
                    lines.flush().await?;
                    return Ok(SessionEnd::StartTls);
                }
                "AUTH" if self.manners.login.is_some() => self.auth(&line, &mut lines).await?,
                "MAIL" if self.manners.login.is_some() && self.login.is_none() => {
                    "530 5.7.0 log in first".to_owned()
                }
                "MAIL" => {
                    envelope = ReceivedMail { from: address(&line), ..self.envelope() };
                    "250 fine".to_owned()
                }
                "RCPT" => self.mailbox.recipient(&mut envelope, address(&line)),
                "DATA" => {
                    lines.write_all(b"354 go on\r\n").await?;
                    lines.flush().await?;
                    envelope.text = data(&mut lines).await?;
                    self.mailbox.take(envelope.clone())
                }
                "RSET" => {
                    envelope = self.envelope();
                    "250 fine".to_owned()
                }
                "QUIT" => {
                    lines.write_all(b"221 bye\r\n").await?;
                    lines.flush().await?;
                    return Ok(SessionEnd::Quit);
                }
                _ => "502 not known here".to_owned(),
            };
            lines.write_all(format!("{answer}\r\n").as_bytes()).await?;
            lines.flush().await?;
        }
    }

    fn envelope(&self) -> ReceivedMail {
        ReceivedMail {
            from: String::new(),
            to: Vec::new(),
            text: String::new(),
            encrypted: self.encrypted,
            login: self.login.clone(),
        }
    }

    fn offers_tls(&self) -> bool {
        !self.encrypted && self.manners.tls.is_some()
    }

    fn hello(&self) -> String {
        let tls = if self.offers_tls() { "250-STARTTLS\r\n" } else { "" };
        let login = if self.manners.login.is_some() { "250-AUTH PLAIN\r\n" } else { "" };
        format!("250-lab.test\r\n{tls}{login}250 8BITMIME")
    }

    /// `AUTH PLAIN`, with the initial response or without it.
    async fn auth<S>(&mut self, line: &str, lines: &mut BufReader<S>) -> io::Result<String>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut words = line.split_whitespace().skip(1);
        if words.next().is_none_or(|word| !word.eq_ignore_ascii_case("PLAIN")) {
            return Ok("504 5.5.4 only PLAIN".to_owned());
        }
        let given = match words.next() {
            Some(given) => given.to_owned(),
            None => {
                lines.write_all(b"334 \r\n").await?;
                lines.flush().await?;
                let mut given = String::new();
                lines.read_line(&mut given).await?;
                given
            }
        };
        let plain = BASE64.decode(given.trim().as_bytes()).unwrap_or_default();
        let plain = String::from_utf8(plain).unwrap_or_default();
        let mut parts = plain.split('\0').skip(1);
        let given = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let known = self.manners.login.as_ref().map(|(name, word)| (name.as_str(), word.as_str()));
        if known != Some(given) {
            return Ok("535 5.7.8 name or password is wrong".to_owned());
        }
        self.login = Some(given.0.to_owned());
        Ok("235 2.7.0 welcome".to_owned())
    }
}

fn verb(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase()
}

/// What stands between the angle brackets.
fn address(line: &str) -> String {
    let inner = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map(|(address, _)| address.to_owned()).unwrap_or_default()
}

/// The lines up to the single dot, without the dots that were added on the way.
async fn data(lines: &mut (impl AsyncBufReadExt + Unpin)) -> io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).await? == 0 {
            // A mail that broke off is none.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" || text.len() > LARGEST {
            return Ok(text);
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
