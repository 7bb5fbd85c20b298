//! Why a mailbox could not be looked into. It is looked into again.

use std::fmt;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailboxFaultKind {
    /// The hook itself: nothing can be done with it.
    Hook,
    /// The server does not let us in.
    Login,
    /// The server is not reached, is silent, breaks off, or says what nobody understands.
    Unavailable,
    /// The server said no to the folder, or to fetching or moving a mail.
    Refused,
}

impl MailboxFaultKind {
    /// The code in events.
    pub fn code(self) -> &'static str {
        match self {
            MailboxFaultKind::Hook => "mailbox-hook",
            MailboxFaultKind::Login => "mailbox-login",
            MailboxFaultKind::Unavailable => "mailbox-unavailable",
            MailboxFaultKind::Refused => "mailbox-refused",
        }
    }
}

/// Why a mailbox could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxFault {
    /// What kind of failure.
    pub kind: MailboxFaultKind,
    /// What happened, for people.
    pub cause: String,
}

impl MailboxFault {
    /// A failure of a kind.
    pub fn new(kind: MailboxFaultKind, cause: impl Into<String>) -> MailboxFault {
        MailboxFault { kind, cause: cause.into() }
    }

    /// A failure that may pass.
    pub(super) fn unavailable(cause: impl Into<String>) -> MailboxFault {
        MailboxFault::new(MailboxFaultKind::Unavailable, cause)
    }
}

impl fmt::Display for MailboxFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}
