//! Why a document could not be posted, and whether it is tried again.

use std::fmt;

use jiff::SignedDuration;

/// What kind of failure it is; a row of the causes in the room `delivery` each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpsFaultKind {
    /// The hook itself: it is gone, or nothing can be done with it.
    Hook,
    /// No token was given.
    Login,
    /// No TLS: the certificate of the server is not believed, or ours is not.
    Tls,
    /// The server is not reached, is silent, breaks off, or answers that it cannot now.
    Unavailable,
    /// The server said no to the document. It would say so again.
    Refused,
}

impl HttpsFaultKind {
    /// The code on timelines and in events.
    pub fn code(self) -> &'static str {
        match self {
            HttpsFaultKind::Hook => "https-hook",
            HttpsFaultKind::Login => "https-login",
            HttpsFaultKind::Tls => "https-tls",
            HttpsFaultKind::Unavailable => "https-unavailable",
            HttpsFaultKind::Refused => "https-refused",
        }
    }

    /// Whether it is never tried again. What is wrong with credentials for a token or with
    /// certificates can be put right while documents wait.
    pub fn is_final(self) -> bool {
        self == HttpsFaultKind::Refused
    }
}

/// Why a document could not be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsFault {
    /// What kind of failure.
    pub kind: HttpsFaultKind,
    /// What happened, for people.
    pub cause: String,
    /// The status, if an answer came.
    pub status: Option<u16>,
    /// How long the server asks us to stay away.
    pub retry_after: Option<SignedDuration>,
}

impl HttpsFault {
    /// A failure of a kind.
    pub fn new(kind: HttpsFaultKind, cause: impl Into<String>) -> HttpsFault {
        HttpsFault { kind, cause: cause.into(), status: None, retry_after: None }
    }
}

impl fmt::Display for HttpsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}
