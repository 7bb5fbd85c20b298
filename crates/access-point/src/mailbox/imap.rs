//! The few commands of IMAP that a mailbox needs (RFC 9051, and servers of RFC 3501), over any
//! stream. A server may say what it likes: the length of lines and literals and the number of
//! answers are bounded before they are read, and none is waited for longer than its time.

mod answer;
mod listing;
mod names;

use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use quoin_store::Secret;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

pub(super) use answer::ImapAnswer;
use answer::{Condition, literal_length};
pub(super) use names::quoted_mailbox;

use crate::oauth::{OAuthLogin, ShownLogin, TokenMechanism, told_in};

/// Bytes of one line.
const LINE: usize = 64 << 10;
/// Answers to one command.
const ANSWERS: usize = 2_000;
/// Bytes of the lines of all answers to one command.
const ANSWER_BYTES: usize = 256 << 10;
/// Time in which a command is done that brings no mail, whatever is said meanwhile.
const COMMAND_TIME: Duration = Duration::from_secs(120);
/// Bytes of the literals of an answer that is no mail.
const LITERALS: usize = 64 << 10;

/// Why a command was not done.
#[derive(Debug, thiserror::Error)]
pub(super) enum ImapError {
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(#[from] std::io::Error),
    /// No answer in time.
    #[error("it did not answer within {0:?}")]
    Silent(Duration),
    /// It said goodbye.
    #[error("it ended the session: {0}")]
    Ended(String),
    /// It said more than is read.
    #[error("it said more than is read: {0}")]
    TooLong(&'static str),
    /// It said something that is no IMAP.
    #[error("it said what is no IMAP: {0:?}")]
    Odd(String),
    /// It said no.
    #[error("it said no: {0}")]
    No(String),
    /// It takes no tokens.
    #[error("it takes no tokens: it offers neither OAUTHBEARER nor XOAUTH2, but {0:?}")]
    NoTokens(String),
}

/// A session.
pub(super) struct ImapSession<S> {
    stream: BufReader<S>,
    patience: Duration,
    commands: u32,
    capabilities: Vec<String>,
    /// What the server was shown: nothing of it is told.
    shown: ShownLogin,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> ImapSession<S> {
    /// Waits for the greeting, and asks what the server can do.
    pub(super) async fn begin(stream: S, patience: Duration) -> Result<ImapSession<S>, ImapError> {
        let stream = BufReader::new(stream);
        let (capabilities, shown) = (Vec::new(), ShownLogin::default());
        let mut session = ImapSession { stream, patience, commands: 0, capabilities, shown };
        let greeting = session.answer(&mut LITERALS.clone()).await?;
        match greeting.untagged().and_then(Condition::of) {
            Some((Condition::Ok | Condition::PreAuth, _)) => {}
            Some((Condition::Bye, said)) => {
                return Err(ImapError::Ended(session.shown.hidden(said, 200)));
            }
            _ => return Err(ImapError::Odd(greeting.told(&session.shown))),
        }
        session.ask_capabilities().await?;
        Ok(session)
    }

    async fn ask_capabilities(&mut self) -> Result<(), ImapError> {
        let answers = self.command("CAPABILITY").await?;
        let told = answers
            .iter()
            .filter_map(ImapAnswer::untagged)
            .find_map(|text| text.strip_prefix("CAPABILITY ").map(str::to_ascii_uppercase));
        let told = told.unwrap_or_default();
        self.capabilities = told.split_ascii_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    /// Whether the server says that it can do something.
    pub(super) fn can(&self, name: &str) -> bool {
        self.capabilities.iter().any(|own| own == name)
    }

    /// Logs in (RFC 4616 where the server takes it).
    pub(super) async fn log_in(&mut self, user: &str, password: &str) -> Result<(), ImapError> {
        self.shown = ShownLogin::password(user, password);
        if self.can("AUTH=PLAIN") {
            let plain = BASE64.encode(format!("\0{user}\0{password}").as_bytes());
            let tag = self.send("AUTHENTICATE PLAIN").await?;
            self.continued(&tag).await?;
            self.write(&format!("{plain}\r\n")).await?;
            self.until_done(&tag, LITERALS).await?;
        } else {
            let (user, password) = (quoted(user)?, quoted(password)?);
            self.command(&format!("LOGIN {user} {password}")).await?;
        }
        // A server may offer more to those that it knows.
        self.ask_capabilities().await
    }

    /// Logs in with a token (RFC 7628, and XOAUTH2). A server that refuses it may say why before.
    pub(super) async fn log_in_by_token(
        &mut self,
        user: &str,
        (login, token): (&OAuthLogin, &Secret),
        place: (&str, u16),
    ) -> Result<(), ImapError> {
        self.shown = ShownLogin::token(user, place, (login, token));
        let offered = self.capabilities.iter().filter_map(|name| name.strip_prefix("AUTH="));
        let Some(way) = TokenMechanism::offered(offered.clone()) else {
            let offered = offered.collect::<Vec<_>>().join(", ");
            return Err(ImapError::NoTokens(self.shown.hidden(&offered, 200)));
        };
        let tag = self.send(&format!("AUTHENTICATE {}", way.name())).await?;
        self.continued(&tag).await?;
        self.write(&format!("{}\r\n", way.first(user, place, token.reveal()))).await?;
        let mut why = None;
        for _ in 0..ANSWERS {
            let answer = self.answer(&mut LITERALS.clone()).await?;
            if let Some(challenge) = answer.text.strip_prefix('+').filter(|_| why.is_none()) {
                let told = told_in(challenge).unwrap_or_default();
                why = Some(self.shown.hidden(&told, 500));
                self.write(&format!("{}\r\n", way.after_refusal())).await?;
                continue;
            }
            match (answer.done(&tag, &self.shown), why) {
                (None, said) => why = said,
                (Some(Err(ImapError::No(said))), Some(why)) if !why.is_empty() => {
                    return Err(ImapError::No(format!("{said}; {why}")));
                }
                (Some(done), _) => {
                    done?;
                    return self.ask_capabilities().await;
                }
            }
        }
        Err(ImapError::TooLong("answers"))
    }

    /// One command; what was said to it.
    pub(super) async fn command(&mut self, text: &str) -> Result<Vec<ImapAnswer>, ImapError> {
        let tag = self.send(text).await?;
        let limit = COMMAND_TIME.max(self.patience);
        let done = tokio::time::timeout(limit, self.until_done(&tag, LITERALS)).await;
        done.map_err(|_| ImapError::Silent(limit))?
    }

    /// A mail by its UID, as written; it is not marked as seen. None where it is gone; one that is
    /// there and not given out is a no.
    pub(super) async fn fetch(
        &mut self,
        uid: u32,
        most: usize,
    ) -> Result<Option<Bytes>, ImapError> {
        let tag = self.send(&format!("UID FETCH {uid} (UID BODY.PEEK[])")).await?;
        let answers = self.until_done(&tag, most).await?;
        if answers.iter().any(|answer| answer.withholds(uid)) {
            return Err(ImapError::No("it has the mail and gives nothing of it (NIL)".to_owned()));
        }
        Ok(answers.into_iter().find_map(|answer| answer.body_of(uid)))
    }

    /// Says goodbye, and does not wait long.
    pub(super) async fn close(mut self) {
        let bye = self.command("LOGOUT");
        let _ = tokio::time::timeout(Duration::from_secs(1), bye).await;
    }

    async fn send(&mut self, text: &str) -> Result<String, ImapError> {
        self.commands += 1;
        let tag = format!("q{}", self.commands);
        self.write(&format!("{tag} {text}\r\n")).await?;
        Ok(tag)
    }

    async fn write(&mut self, text: &str) -> Result<(), ImapError> {
        let writing = async {
            self.stream.get_mut().write_all(text.as_bytes()).await?;
            self.stream.get_mut().flush().await
        };
        let written = tokio::time::timeout(self.patience, writing).await;
        Ok(written.map_err(|_| ImapError::Silent(self.patience))??)
    }

    /// Waits for the server to ask for more.
    async fn continued(&mut self, tag: &str) -> Result<(), ImapError> {
        for _ in 0..ANSWERS {
            let answer = self.answer(&mut LITERALS.clone()).await?;
            if answer.text.starts_with('+') {
                return Ok(());
            }
            if let Some(done) = answer.done(tag, &self.shown) {
                done?;
                return Err(ImapError::Odd(answer.told(&self.shown)));
            }
        }
        Err(ImapError::TooLong("answers"))
    }

    async fn until_done(
        &mut self,
        tag: &str,
        mut literals: usize,
    ) -> Result<Vec<ImapAnswer>, ImapError> {
        let (mut answers, mut bytes) = (Vec::new(), ANSWER_BYTES);
        while answers.len() < ANSWERS {
            let answer = self.answer(&mut literals).await?;
            let left = bytes.checked_sub(answer.text.len());
            bytes = left.ok_or(ImapError::TooLong("the answers to a command"))?;
            match answer.done(tag, &self.shown) {
                Some(done) => {
                    done?;
                    answers.push(answer);
                    return Ok(answers);
                }
                None if answer.text.starts_with("* ") => answers.push(answer),
                None => return Err(ImapError::Odd(answer.told(&self.shown))),
            }
        }
        Err(ImapError::TooLong("answers"))
    }

    /// One answer: its lines, and the literals between them.
    async fn answer(&mut self, room: &mut usize) -> Result<ImapAnswer, ImapError> {
        let mut answer = ImapAnswer::default();
        loop {
            let line = self.line(LINE.saturating_sub(answer.text.len())).await?;
            answer.text.push_str(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
            let Some(length) = literal_length(&answer.text) else { return Ok(answer) };
            *room = room.checked_sub(length).ok_or(ImapError::TooLong("a literal"))?;
            answer.literals.push(self.literal(length).await?);
            answer.text.push(' ');
        }
    }

    async fn line(&mut self, most: usize) -> Result<Vec<u8>, ImapError> {
        let mut line = Vec::new();
        let mut limited = (&mut self.stream).take(most as u64);
        let reading = limited.read_until(b'\n', &mut line);
        let read = tokio::time::timeout(self.patience, reading).await;
        read.map_err(|_| ImapError::Silent(self.patience))??;
        match line.ends_with(b"\n") {
            true => Ok(line),
            false if line.len() >= most => Err(ImapError::TooLong("a line")),
            false => Err(ImapError::Broken(std::io::ErrorKind::UnexpectedEof.into())),
        }
    }

    /// So many bytes; what has come so far counts as a sign of life.
    async fn literal(&mut self, length: usize) -> Result<Bytes, ImapError> {
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let next = (length - bytes.len()).min(LINE);
            let mut limited = (&mut self.stream).take(next as u64);
            let reading = limited.read_buf(&mut bytes);
            let read = tokio::time::timeout(self.patience, reading).await;
            if read.map_err(|_| ImapError::Silent(self.patience))?? == 0 {
                return Err(ImapError::Broken(std::io::ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(bytes.into())
    }
}

/// A quoted string; only ASCII can stand in one.
fn quoted(text: &str) -> Result<String, ImapError> {
    if !text.is_ascii() || text.chars().any(char::is_control) {
        return Err(ImapError::No("it takes user and password in ASCII only".to_owned()));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

#[cfg(test)]
mod tests;
