//! A mail that is ready to leave: signed, with its envelope, and with what a server gets of it that
//! takes less than others.

use lettre::Address;

/// A mail as it travels: signed, with its envelope.
#[derive(Debug, Clone)]
pub struct ReadyMail {
    pub(super) sender: Option<Address>,
    pub(super) to: Vec<Address>,
    /// Of these somebody has to be reached; where there are none, anybody.
    pub(super) needed: Vec<Address>,
    pub(super) bytes: Vec<u8>,
    /// The same with a header of ASCII, for a server that takes no other.
    pub(super) plain: Option<Vec<u8>>,
}

impl ReadyMail {
    /// The same for those who do not have it yet. A mail that reached none of its addressees so far
    /// does not go to others alone.
    #[must_use]
    pub fn left_for(mut self, addressees: &[Address], reached: &[Address]) -> ReadyMail {
        self.to.retain(|address| !reached.contains(address));
        let is_there = addressees.iter().any(|address| reached.contains(address));
        self.needed = if is_there { Vec::new() } else { addressees.to_vec() };
        self
    }

    /// The same, which goes as `plain` to a server that takes no letters beyond ASCII in a header.
    #[must_use]
    pub fn or_plain(mut self, plain: ReadyMail) -> ReadyMail {
        self.plain = Some(plain.bytes).filter(|bytes| bytes.is_ascii());
        self
    }

    /// Whether any server takes its header: what is in the mail is always written in ASCII.
    pub fn is_plain(&self) -> bool {
        self.bytes.is_ascii()
    }

    /// What is sent to a server; none where it takes no such header.
    pub(super) fn bytes_for(&self, speaks_utf8: bool) -> Option<&[u8]> {
        match speaks_utf8 || self.is_plain() {
            true => Some(&self.bytes),
            false => self.plain.as_deref(),
        }
    }

    /// To whom it goes.
    pub fn to(&self) -> &[Address] {
        &self.to
    }

    /// Whether nobody is left.
    pub fn is_done(&self) -> bool {
        self.to.is_empty()
    }
}
