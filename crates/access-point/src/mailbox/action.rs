//! The `action` of a hook that takes documents out of a mailbox (conventions A9):
//! `mailfrom://user@host:port/folder?from=…`. The password stands behind `#` and is kept apart from
//! it.

use percent_encoding::percent_decode_str;
use quoin_model::Language;
use url::Host;

use super::sender::AllowedSender;
use crate::oauth::OAuthError;

/// How the action of such a hook begins.
const FROM: &str = "mailfrom://";
/// How the operator's own mailbox is written.
const OWN: &str = "imaps://";
/// The port of IMAP over TLS (RFC 8314, section 3.2).
const PORT: u16 = 993;
/// The folder where none is named.
const INBOX: &str = "INBOX";
/// Characters of a user name, of a folder, and of a password.
const USER: usize = 250;
const FOLDER: usize = 250;
pub(super) const PASSWORD: usize = 500;
/// Senders that one hook may name.
const SENDERS: usize = 100;

/// A mailbox from which documents are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailFromAction {
    /// The server.
    pub host: Host,
    /// Its port.
    pub port: u16,
    /// The account.
    pub user: String,
    /// The folder in it.
    pub folder: String,
    /// Who may send.
    pub senders: Vec<AllowedSender>,
    /// The server whose word on who sent a mail is believed, and without whose word no mail is
    /// taken; none where the name in the mail is believed.
    pub authenticated: Option<String>,
    /// Whether a mail that is refused is answered.
    pub answer: bool,
    /// The language of the answers.
    pub language: Language,
}

/// Why an action is no mailbox. A refusal; it never repeats the password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailFromError {
    /// Another form.
    #[error(
        "the address of the mailbox must be mailfrom://user@host:port/folder?from=…, parts \
         percent-encoded (an @ in the user is %40)"
    )]
    Shape,
    /// The user.
    #[error("the user must have 1 to {USER} characters, percent-encoded")]
    User,
    /// A password in front of the host is seen by everybody.
    #[error("the password stands behind #, not in front of the host")]
    PasswordInFront,
    /// The folder.
    #[error("the folder must have 1 to {FOLDER} characters, none of them a control character")]
    Folder,
    /// A parameter that there is not.
    #[error("there is no parameter {0:?}; there are from, authenticated, answer and language")]
    Parameter(String),
    /// A value that makes no sense.
    #[error("{name} is {found:?}, expected {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Nobody may send.
    #[error("name in from= who may send: mail addresses and domains, with commas between them")]
    NoSenders,
    /// No password.
    #[error(
        "the password stands behind #, and there is none; a token is fetched with tokenUrl in init"
    )]
    NoPassword,
    /// The client that fetches tokens.
    #[error("init: {0}")]
    Token(OAuthError),
    /// A password and a token.
    #[error("a password behind # and a token (tokenUrl) are two ways to log in; give one of them")]
    Both,
    /// The password.
    #[error("the password behind # must have 1 to {PASSWORD} characters on one line")]
    Password,
}

impl MailFromError {
    /// The same as a sentence about the hook.
    pub fn of_hook(&self) -> String {
        format!("the mailbox hook: {self}")
    }
}

impl MailFromAction {
    /// Whether an action is of this form.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(FROM)
    }

    /// Reads an action without its password.
    ///
    /// # Errors
    /// [`MailFromError`].
    pub fn parse(text: &str) -> Result<MailFromAction, MailFromError> {
        let (mut action, parameters) = place(text.strip_prefix(FROM).ok_or(MailFromError::Shape)?)?;
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            action.set(&decoded(name), &decoded(value))?;
        }
        if action.senders.is_empty() {
            return Err(MailFromError::NoSenders);
        }
        Ok(action)
    }

    /// Reads the address of the operator's own mailbox, `imaps://user@host:port/folder`: it has
    /// no parameters, and anybody's mail is read in it.
    ///
    /// # Errors
    /// [`MailFromError`].
    pub fn own(text: &str) -> Result<MailFromAction, MailFromError> {
        match place(text.strip_prefix(OWN).ok_or(MailFromError::Shape)?)? {
            (action, "") => Ok(action),
            (_, parameters) => Err(MailFromError::Parameter(cut(parameters))),
        }
    }

    /// Whether another one logs in to the same account of the same server, so that a password that
    /// is not given again stays.
    pub fn has_account_of(&self, other: &MailFromAction) -> bool {
        (&self.host, self.port, &self.user) == (&other.host, other.port, &other.user)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), MailFromError> {
        match name {
            "from" => self.senders = senders(value)?,
            "authenticated" => self.authenticated = Some(server(value)?),
            "answer" => {
                self.answer = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong("answer", value, "true or false")),
                }
            }
            "language" => {
                let known = Language::ALL.map(Language::code).join(", ");
                let read = Language::of(value);
                self.language = read.ok_or_else(|| wrong("language", value, &known))?;
            }
            other => return Err(MailFromError::Parameter(cut(other))),
        }
        Ok(())
    }
}

/// Where the mailbox is, and what stands behind it.
fn place(rest: &str) -> Result<(MailFromAction, &str), MailFromError> {
    let (rest, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, folder) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, host) = authority.rsplit_once('@').ok_or(MailFromError::Shape)?;
    if user.contains(':') {
        return Err(MailFromError::PasswordInFront);
    }
    let user = text(user, USER).ok_or(MailFromError::User)?;
    let (host, port) = host_and_port(host).ok_or(MailFromError::Shape)?;
    let folder = match folder {
        "" => INBOX.to_owned(),
        folder => text(folder, FOLDER).ok_or(MailFromError::Folder)?,
    };
    let action = MailFromAction {
        host,
        port,
        user,
        folder,
        senders: Vec::new(),
        authenticated: None,
        answer: true,
        language: Language::En,
    };
    Ok((action, parameters))
}

fn host_and_port(text: &str) -> Option<(Host, u16)> {
    let behind = text.rfind(']').map_or(0, |at| at + 1);
    let (host, port) = match text.get(behind..)?.rfind(':') {
        Some(at) => (text.get(..behind + at)?, text.get(behind + at + 1..)?.parse().ok()?),
        None => (text, PORT),
    };
    let host = Host::parse(host).ok()?;
    (port > 0 && !host.to_string().is_empty()).then_some((host, port))
}

fn text(encoded: &str, most: usize) -> Option<String> {
    let text = percent_decode_str(encoded).decode_utf8().ok()?.into_owned();
    let fits = (1..=most).contains(&text.chars().count());
    (fits && !text.chars().any(char::is_control)).then_some(text)
}

fn senders(value: &str) -> Result<Vec<AllowedSender>, MailFromError> {
    let parts = value.split(',').map(str::trim).filter(|part| !part.is_empty());
    let read = parts.map(|part| {
        AllowedSender::parse(part).ok_or_else(|| {
            wrong("from", part, "mail addresses and domains, with commas between them")
        })
    });
    let senders: Vec<AllowedSender> = read.collect::<Result<_, _>>()?;
    match senders.len() {
        0..=SENDERS => Ok(senders),
        _ => Err(wrong("from", value, &format!("at most {SENDERS} senders"))),
    }
}

/// The name by which a server writes what it found (RFC 8601, section 2.5).
fn server(value: &str) -> Result<String, MailFromError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    match !value.is_empty() && value.len() <= 250 && value.chars().all(plain) {
        true => Ok(value.to_ascii_lowercase()),
        false => Err(wrong("authenticated", value, "the name of your mail server")),
    }
}

fn wrong(name: &'static str, found: &str, expected: &str) -> MailFromError {
    MailFromError::Value { name, found: cut(found), expected: expected.to_owned() }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read() {
        let action = MailFromAction::parse(
            "mailfrom://bills%40example.org@imap.example.org:1993/Bills/In%20Box\
             ?from=A@Example.net,example.com&authenticated=MX.example.org&answer=false&language=nl",
        )
        .unwrap();
        assert_eq!(action.user, "bills@example.org");
        assert_eq!(action.host.to_string(), "imap.example.org");
        assert_eq!((action.port, action.folder.as_str()), (1993, "Bills/In Box"));
        assert_eq!(action.senders.len(), 2);
        assert_eq!(action.authenticated.as_deref(), Some("mx.example.org"));
        assert!(!action.answer && action.language == Language::Nl);
        let short = MailFromAction::parse("mailfrom://me@[::1]?from=a.example").unwrap();
        assert_eq!((short.port, short.folder.as_str()), (993, "INBOX"));
        assert!(short.answer && short.authenticated.is_none());
        assert!(!short.has_account_of(&action));
        let own = MailFromAction::own("imaps://bounces%40example.org@imap.example.org/INBOX");
        assert_eq!(own.unwrap().user, "bounces@example.org");
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (text, word) in [
            ("mailfrom://example.org?from=a.example", "mailfrom://user@host"),
            ("mailfrom://u@?from=a.example", "mailfrom://user@host"),
            ("mailfrom://u@h.example:0?from=a.example", "mailfrom://user@host"),
            ("mailfrom://u@h.example:x?from=a.example", "mailfrom://user@host"),
            ("mailfrom://u:p@h.example?from=a.example", "behind #"),
            ("mailfrom://@h.example?from=a.example", "the user"),
            ("mailfrom://u@h.example/a%0d?from=a.example", "the folder"),
            ("mailfrom://u@h.example", "who may send"),
            ("mailfrom://u@h.example?from=,", "who may send"),
            ("mailfrom://u@h.example?from=a@b@c", "from is"),
            ("mailfrom://u@h.example?from=a.example&answer=1", "true or false"),
            ("mailfrom://u@h.example?from=a.example&language=xx", "en, nl"),
            ("mailfrom://u@h.example?from=a.example&authenticated=a%20b", "mail server"),
            ("mailfrom://u@h.example?from=a.example&filename=x", "\"filename\""),
        ] {
            let error = MailFromAction::parse(text).unwrap_err().of_hook();
            assert!(error.contains(word), "{text}: {error}");
        }
        let many = (0..101).map(|one| format!("a{one}.example,")).collect::<String>();
        let many = MailFromAction::parse(&format!("mailfrom://u@h.example?from={many}"));
        assert!(many.unwrap_err().to_string().contains("at most 100"));
        assert!(MailFromAction::own("imaps://u@h.example/?from=a.example").is_err());
        assert!(MailFromAction::own("imap://u@h.example/").is_err());
    }
}
