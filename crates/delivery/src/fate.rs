//! What an answer of the receiver's access point means for the document, or that there was none.
//!
//! Only a receipt that verified is a delivery. The receiver's word that it had the message before
//! counts as one only where an earlier attempt of ours may have brought it: one that ended without
//! an answer, or with one that leaves open whether it was taken. That does a 5xx, which a gateway
//! gives for an access point that it did not hear to the end (RFC 9110 15.6), and a signal that is
//! neither a receipt nor an error. 408, 425 and 429 leave nothing open: the message was not read
//! to its end, or not looked at. An ebMS error says more than the HTTP status around it, except
//! that a 5xx without NOT_SERVICED is the other side's own fault, and passes. Sources: interface
//! specification 3.3; Peppol AS4 profile 4; RFC 9110 15.5.9, RFC 6585 4, RFC 8470 5.2.

/// What a signal says, where one came and could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalMeaning {
    /// A receipt that verified.
    Receipt,
    /// An error that says that the message was taken before.
    HadBefore,
    /// An error that says that the recipient, document type or process is not served.
    NotServiced,
    /// Errors after which the same message may succeed later.
    Passing,
    /// Any other error.
    Refused,
    /// No signal, or one that proves nothing.
    None,
}

/// What came back of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// The HTTP status.
    pub status: u16,
    /// What the signal in the body says.
    pub signal: SignalMeaning,
}

/// What follows for the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The receiver has it, and proved so.
    Delivered,
    /// The receiver says that it has it; there is no receipt in hand.
    HeldWithoutReceipt,
    /// It is tried again.
    Again,
    /// It will not be taken.
    Refused,
}

/// Decides what an answer means. `unanswered` says whether an earlier attempt with the same
/// identifiers may have reached the receiver although no answer to it did.
pub fn fate(heard: Heard, unanswered: bool) -> Fate {
    let broken = (500..600).contains(&heard.status);
    match heard.signal {
        SignalMeaning::Receipt => Fate::Delivered,
        SignalMeaning::HadBefore if unanswered => Fate::HeldWithoutReceipt,
        SignalMeaning::NotServiced => Fate::Refused,
        SignalMeaning::Passing => Fate::Again,
        SignalMeaning::HadBefore | SignalMeaning::Refused if broken => Fate::Again,
        SignalMeaning::HadBefore | SignalMeaning::Refused => Fate::Refused,
        SignalMeaning::None => match heard.status {
            status if NOT_TAKEN.contains(&status) => Fate::Again,
            // A redirect is not followed: the SMP says where messages go.
            300..500 => Fate::Refused,
            _ => Fate::Again,
        },
    }
}

/// Codes of attempts that ended without an answer, or with one that leaves open whether the message
/// was taken.
pub const UNANSWERED: [&str; 4] = ["AP-TIMEOUT", "NO-ANSWER", "AP-STATUS", "NO-RECEIPT"];
/// Statuses that pass and say that the message was not taken.
const NOT_TAKEN: [u16; 3] = [408, 425, 429];

/// Whether the receiver may have taken the message of an attempt that ended with this code and,
/// where an answer came, this HTTP status.
pub fn may_have_arrived(code: &str, status: Option<u16>) -> bool {
    UNANSWERED.contains(&code) && !status.is_some_and(|status| NOT_TAKEN.contains(&status))
}

/// Whether a refusal is believed at once. One that follows a kept answer of the SMP may come from
/// an access point that the receiver has left, or be about a key that it has renewed: the SMP is
/// asked once more (Peppol SMP 1.4.0, section 2.1).
pub fn is_final(fate: Fate, looked_up_before: bool) -> bool {
    fate == Fate::Refused && !looked_up_before
}

#[cfg(test)]
mod tests;
