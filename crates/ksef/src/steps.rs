//! The seven steps of a batch, and what follows from each answer of the system. Total functions
//! over
//! values: the store keeps where a batch is, the worker makes the call, this says what comes next.
//!
//! ```text
//! Upload ─► Status ─► RetrieveInvoices ─► RetrieveUpo ─► Print ─► Dispatch ─► Finalize
//!   ▲          │
//!   └──────────┘ a session that the system gave up
//! ```
//! A step that was done and not recorded is done again and changes nothing: a session without
//! parts
//! is given up by the system itself; parts can be put twice; a session that is closed says so
//! (21180); and an invoice that is registered already is a duplicate of itself (440), which counts
//! as registered when the digest is ours.

#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};

use crate::api::{InvoiceStatus, KsefProblem, StatusInfo};
use crate::explain::CodePlace;
use crate::outcome::KsefOutcome;

/// One of the seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Package, open, put the parts, close.
    Upload,
    /// Ask until the session is processed.
    Status,
    /// Read what became of each invoice, page by page.
    RetrieveInvoices,
    /// Read the receipt of each that was registered.
    RetrieveUpo,
    /// Make the page of each with its codes.
    Print,
    /// Publish what became of each.
    Dispatch,
    /// Forget the key of the session, end the signing in.
    Finalize,
}

impl Step {
    /// In order.
    pub const ALL: [Step; 7] = [
        Step::Upload,
        Step::Status,
        Step::RetrieveInvoices,
        Step::RetrieveUpo,
        Step::Print,
        Step::Dispatch,
        Step::Finalize,
    ];

    /// The word that is stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            Step::Upload => "upload",
            Step::Status => "status",
            Step::RetrieveInvoices => "retrieve-invoices",
            Step::RetrieveUpo => "retrieve-upo",
            Step::Print => "print",
            Step::Dispatch => "dispatch",
            Step::Finalize => "finalize",
        }
    }

    /// The step of a word.
    pub fn named(word: &str) -> Option<Step> {
        Step::ALL.into_iter().find(|step| step.word() == word)
    }

    /// The one after it; `None` after the last.
    pub fn next(self) -> Option<Step> {
        Step::ALL.into_iter().find(|step| *step > self)
    }
}

/// What the status of a session asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionVerdict {
    /// Ask again later.
    Wait,
    /// Its invoices can be read.
    Read,
    /// The system gave it up or failed: a new session with the same invoices.
    Anew,
    /// Too many invoices for one session: two sessions.
    Split,
    /// The system could not unwrap the key: its public key is asked for anew, then a new session.
    AnewWithKey,
    /// What was uploaded is damaged: ours to fix.
    OurDefect,
}

/// Whether a code says that what was handed over is damaged or wrongly made, which is neither the
/// sender's doing nor the authority's: whoever runs this service has to look at it.
pub fn is_our_defect(place: CodePlace, code: u32) -> bool {
    match place {
        CodePlace::Session => matches!(code, 405 | 430 | 435),
        CodePlace::Invoice => code == 435,
        CodePlace::Call => {
            matches!(code, 9_101..=9_103 | 21_001 | 21_157 | 21_217 | 21_401..=21_403 | 21_405)
        }
        CodePlace::Auth | CodePlace::Export | CodePlace::Http | CodePlace::Own => false,
    }
}

/// What a status of a batch session asks for.
pub fn session_verdict(status: &StatusInfo) -> SessionVerdict {
    match status.code {
        100 | 150 | 170 => SessionVerdict::Wait,
        // 445: none is right; each says why.
        200 | 445 => SessionVerdict::Read,
        415 => SessionVerdict::AnewWithKey,
        420 => SessionVerdict::Split,
        code if is_our_defect(CodePlace::Session, code.into()) => SessionVerdict::OurDefect,
        // 440, 500, and what is new to us.
        code if code < 400 => SessionVerdict::Wait,
        _ => SessionVerdict::Anew,
    }
}

/// What the status of an invoice says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceVerdict {
    /// Ask again later.
    Wait,
    /// It has a number.
    Registered,
    /// Something with the same seller, kind and number is registered: ours, when the digest of its
    /// receipt is the one of this invoice.
    Duplicate {
        /// The session of the other one.
        session: Option<String>,
        /// Its number.
        ksef_number: Option<String>,
    },
    /// The system failed: a new session.
    Anew,
    /// It is refused as it is.
    Refused,
}

/// What a status of an invoice says.
pub fn invoice_verdict(status: &InvoiceStatus) -> InvoiceVerdict {
    match status.code {
        200 => InvoiceVerdict::Registered,
        code if code < 400 => InvoiceVerdict::Wait,
        440 => InvoiceVerdict::Duplicate {
            session: status.extension("originalSessionReferenceNumber").map(str::to_owned),
            ksef_number: status.extension("originalKsefNumber").map(str::to_owned),
        },
        // Its session failed, or the system did.
        405 | 500..=599 => InvoiceVerdict::Anew,
        _ => InvoiceVerdict::Refused,
    }
}

/// Why a call had no good answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// No connection, no answer in time.
    NoAnswer,
    /// A status of 500 and more.
    Server(u16),
    /// 429, with the seconds of `Retry-After`.
    Limited(Option<u64>),
    /// 401.
    Unauthorized,
    /// 403, 400, 410 and every other refusal, which the system says why of.
    Refused(u16, KsefProblem),
    /// A status of 4xx that is not the system's own word: a gateway before it, or 408 and 425,
    /// which say that it was too slow or too early.
    Gateway(u16),
    /// An answer that cannot be read.
    Unreadable,
}

/// What a trouble asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AfterTrouble {
    /// The same step again at a time, with the outcome that is published for it once.
    Again {
        /// When.
        at: Timestamp,
        /// [`KsefOutcome::Offline`] or [`KsefOutcome::Unavailable`].
        outcome: KsefOutcome,
    },
    /// Sign in anew, and the same step again at once.
    SignIn,
    /// Ask for the public key anew, and the same step again at once.
    NewKey,
    /// A new session, at a time.
    Anew(Timestamp),
    /// It was done before: go on.
    GoOn,
    /// Nobody but people can help: nothing was handed over, and it is refused as it is.
    GiveUp,
}

/// Waits between attempts of one step, in seconds; the last is repeated.
const WAITS: [i64; 8] = [5, 15, 60, 180, 600, 1_800, 3_600, 7_200];
/// The longest `Retry-After` that is believed, in seconds.
const LONGEST_WAIT: u64 = 24 * 3_600;
/// So many attempts to hand over fail before a document goes out without the system.
pub const OFFLINE_AFTER: u32 = 2;
/// Signing in anew, or asking for the key anew, is done so often for one step.
const RENEWALS: u32 = 2;
/// How long a token that is not taken is waited for then at least, in seconds.
const NOT_TAKEN: i64 = 600;
/// So many sessions are begun anew for one batch.
pub const SESSIONS: u32 = 8;
/// A receipt that is not there is asked for so often, which is half a day.
pub const RECEIPT_ATTEMPTS: u32 = 12;

/// How it went until now: each of these is counted by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tried {
    /// How often in a row the step failed.
    pub failed: u32,
    /// How often in a row nobody answered.
    pub unanswered: u32,
    /// How often in a row it was signed in anew, or asked for the key anew.
    pub renewals: u32,
    /// How many sessions of the batch came to nothing.
    pub sessions: u32,
}

/// The wait after so many attempts, in seconds.
fn wait_after(attempts: u32) -> i64 {
    let index = usize::try_from(attempts).unwrap_or(usize::MAX).min(WAITS.len() - 1);
    WAITS.get(index).copied().unwrap_or(7_200)
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    now.saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(now)
}

/// When a step that failed so often in a row is tried again.
pub fn again_later(failed: u32, now: Timestamp) -> Timestamp {
    later(now, wait_after(failed))
}

/// When a session is begun anew after so many that came to nothing; none where that is enough.
pub fn anew_at(sessions: u32, now: Timestamp) -> Option<Timestamp> {
    (sessions < SESSIONS).then(|| later(now, wait_after(sessions)))
}

/// What a trouble at a step asks for, after what was tried before it.
pub fn after_trouble(step: Step, trouble: &Trouble, tried: Tried, now: Timestamp) -> AfterTrouble {
    let again = |seconds: i64, outcome| AfterTrouble::Again { at: later(now, seconds), outcome };
    let wait = wait_after(tried.failed);
    let waits = again(wait, KsefOutcome::Unavailable);
    match trouble {
        // Before everything was handed over, a system that does not answer again and again counts
        // as not there: the document goes out without it. Afterwards its answer is waited for.
        Trouble::NoAnswer | Trouble::Server(_)
            if step == Step::Upload && tried.unanswered >= OFFLINE_AFTER =>
        {
            again(wait, KsefOutcome::Offline)
        }
        Trouble::NoAnswer | Trouble::Server(_) | Trouble::Unreadable | Trouble::Gateway(_) => waits,
        Trouble::Limited(seconds) => {
            let told = seconds.map(|seconds| seconds.clamp(1, LONGEST_WAIT));
            let told = told.and_then(|seconds| i64::try_from(seconds).ok());
            again(told.unwrap_or(wait).max(1), KsefOutcome::Unavailable)
        }
        Trouble::Unauthorized if tried.renewals < RENEWALS => AfterTrouble::SignIn,
        // No document is at fault. Whoever can mend it has time, as with a certificate.
        Trouble::Unauthorized => again(wait.max(NOT_TAKEN), KsefOutcome::Unavailable),
        Trouble::Refused(_, problem) => refused(step, problem, tried, now).unwrap_or(waits),
    }
}

/// Waits before a document goes again that the system could not process, in seconds; the last is
/// repeated. Five sessions in an hour, of 60 that there are for everything.
const AGAIN: [i64; 6] = [60, 300, 900, 1_800, 3_600, 7_200];
/// A document that the system could not process goes so often again.
pub const AGAIN_TIMES: u32 = 8;

/// When a document goes again that the system could not process, after so many times.
pub fn again_at(times: u32, now: Timestamp) -> Timestamp {
    let index = usize::try_from(times).unwrap_or(usize::MAX).min(AGAIN.len() - 1);
    later(now, AGAIN.get(index).copied().unwrap_or(7_200))
}

/// What a refusal asks for; none where it is waited for.
fn refused(
    step: Step,
    problem: &KsefProblem,
    tried: Tried,
    now: Timestamp,
) -> Option<AfterTrouble> {
    let has = |codes: &[u32]| codes.iter().any(|code| problem.has(*code));
    let anew = |otherwise| Some(anew_at(tried.sessions, now).map_or(otherwise, AfterTrouble::Anew));
    match step {
        Step::Upload if has(&[UNKNOWN_KEY]) => {
            (tried.renewals < RENEWALS).then_some(AfterTrouble::NewKey)
        }
        Step::Upload if has(&[SESSION_CLOSED]) => Some(AfterTrouble::GoOn),
        Step::Upload if has(&[NO_SESSION, NOT_UPLOADED, TOO_LATE]) => anew(AfterTrouble::GiveUp),
        Step::Upload => Some(AfterTrouble::GiveUp),
        // What was handed over may be registered: a refusal says nothing about that. Only a session
        // that there is not is begun anew.
        Step::Status | Step::RetrieveInvoices if has(&[NO_SESSION]) => {
            anew_at(tried.sessions, now).map(AfterTrouble::Anew)
        }
        _ => None,
    }
}

/// What a refusal of the receipt of an invoice asks for, which has a number: it is registered
/// whatever becomes of its receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptRefusal {
    /// It is not there yet: ask again.
    NotYet,
    /// There is none for us.
    None,
}

/// What a refusal of a receipt asks for, after so many attempts that failed before it.
pub fn receipt_refusal(problem: &KsefProblem, failed: u32) -> ReceiptRefusal {
    match problem.has(NO_UPO) && failed < RECEIPT_ATTEMPTS {
        true => ReceiptRefusal::NotYet,
        false => ReceiptRefusal::None,
    }
}

/// The session has as many invoices as it may have.
pub const SESSION_FULL: u32 = 21_155;
/// The public key is unknown or withdrawn.
pub const UNKNOWN_KEY: u32 = 21_470;
/// There is no such session.
pub const NO_SESSION: u32 = 21_173;
/// The status of the session does not allow it: it was closed before.
pub const SESSION_CLOSED: u32 = 21_180;
/// A part was not uploaded.
pub const NOT_UPLOADED: u32 = 21_205;
/// The time for uploading has passed.
pub const TOO_LATE: u32 = 21_208;
/// There is no such receipt, or not yet.
pub const NO_UPO: u32 = 21_178;

/// After so many questions a session has been in process for about an hour ([`poll_wait`]).
pub const POLLS_IN_VAIN: u32 = 63;

/// How long to wait before a session is asked for again, after so many times.
pub fn poll_wait(polls: u32) -> SignedDuration {
    SignedDuration::from_secs(match polls {
        0..=4 => 3,
        5..=14 => 10,
        15..=40 => 30,
        _ => 120,
    })
}
