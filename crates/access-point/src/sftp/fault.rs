//! Why a file could not be written, and whether it is tried again.

use std::fmt;

/// What kind of failure it is; a row of the causes in the room `delivery` each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SftpFaultKind {
    /// The hook itself: it is gone, or nothing can be done with it.
    Hook,
    /// The key of the server is not one that was confirmed. Nothing was sent to it.
    HostKey,
    /// The server does not let us in.
    Login,
    /// The server is not reached, is silent, breaks off, or has no room.
    Unavailable,
    /// The server said no to the folder or the file. It would say so again.
    Refused,
}

impl SftpFaultKind {
    /// The code on timelines and in events.
    pub fn code(self) -> &'static str {
        match self {
            SftpFaultKind::Hook => "sftp-hook",
            SftpFaultKind::HostKey => "sftp-host-key",
            SftpFaultKind::Login => "sftp-login",
            SftpFaultKind::Unavailable => "sftp-unavailable",
            SftpFaultKind::Refused => "sftp-refused",
        }
    }

    /// Whether it is never tried again. What is wrong with the account or the key of the server
    /// can be put right while documents wait.
    pub fn is_final(self) -> bool {
        self == SftpFaultKind::Refused
    }
}

/// Why a file could not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftpFault {
    /// What kind of failure.
    pub kind: SftpFaultKind,
    /// What happened, for people.
    pub cause: String,
    /// Whether the server said so itself of what it was asked: the connection is good for more.
    pub answered: bool,
}

impl SftpFault {
    /// A failure of a kind.
    pub fn new(kind: SftpFaultKind, cause: impl Into<String>) -> SftpFault {
        SftpFault { kind, cause: cause.into(), answered: false }
    }
}

impl fmt::Display for SftpFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}
