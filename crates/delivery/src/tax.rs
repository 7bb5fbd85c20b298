//! Reports to tax authorities about invoices: the states of a report, what follows from what
//! happens to it, and what is told of that on the timeline of the invoice and by events.
//!
//! A report is apart from its invoice: whatever becomes of it, the invoice stays where it is.

mod asked;
mod late;
mod rejected;

use std::collections::BTreeMap;

use jiff::Timestamp;

pub use crate::causes::{
    TAX_REPORT_DATA as WRONG_DATA, TAX_REPORT_INCOMPLETE as INCOMPLETE,
    TAX_REPORT_INVALID as INVALID, TAX_REPORT_REJECTED as REJECTED, TAX_REPORT_UNSENT as UNSENT,
};
use crate::decide::{put, put_code};
use crate::decision::{Notice, SUBJECT, TimelineEntry};
use crate::ids::DocumentId;
use crate::mls::MlsCode;
use crate::topics::Topic;

pub use asked::{AskedReport, why_not};
pub use late::{contradicted, contradicts, unanswered};
pub use rejected::{RejectedPlace, TaxIssue, place_of, rejection};

/// The name of the lines that tell of reports, on the timeline of the invoice.
pub const TIMELINE: &str = "taxReport";

/// In which corner of the exchange somebody reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxRole {
    /// Corner 2 reports for its customer, who sent the invoice.
    Sender,
    /// Corner 3 reports for its customer, who received it.
    Receiver,
}

impl TaxRole {
    /// Both.
    pub const ALL: [TaxRole; 2] = [TaxRole::Sender, TaxRole::Receiver];

    /// The word: `C2` or `C3`.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaxRole::Sender => "C2",
            TaxRole::Receiver => "C3",
        }
    }

    /// The role of this word, if there is one. Case counts.
    pub fn named(word: &str) -> Option<TaxRole> {
        TaxRole::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

/// What a report is to its authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxAct {
    /// It is new.
    Submit,
    /// It takes the place of one that was rejected.
    Resubmit,
    /// What was reported does not count.
    Disregard,
    /// The invoice could not be transmitted, which some authorities want to know (the Emirates).
    Undelivered,
}

impl TaxAct {
    /// Every act.
    pub const ALL: [TaxAct; 4] =
        [TaxAct::Submit, TaxAct::Resubmit, TaxAct::Disregard, TaxAct::Undelivered];

    /// Whether it takes back or leaves out what the invoice says, so that it cannot be taken back
    /// itself.
    pub const fn is_without_invoice(self) -> bool {
        matches!(self, TaxAct::Disregard | TaxAct::Undelivered)
    }

    /// The word in the store and in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaxAct::Submit => "submit",
            TaxAct::Resubmit => "resubmit",
            TaxAct::Disregard => "disregard",
            TaxAct::Undelivered => "undelivered",
        }
    }

    /// The act of this word, if there is one. Case counts.
    pub fn named(word: &str) -> Option<TaxAct> {
        TaxAct::ALL.into_iter().find(|act| act.as_str() == word)
    }
}

/// Where a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaxState {
    /// It is to be written.
    Due,
    /// It waits for the file of its period.
    Gathered,
    /// It is written and on its way.
    Sending,
    /// The access point of the authority has it; the authority has not answered yet.
    Sent,
    /// The authority has taken it.
    Accepted,
    /// The authority did not take it.
    Rejected,
    /// It could not be written, or did not get there.
    Failed,
    /// There is nothing to report.
    NotOwed,
    /// Another report took its place.
    Replaced,
}

impl TaxState {
    /// Every state, in the order in which a report passes them.
    pub const ALL: [TaxState; 9] = [
        TaxState::Due,
        TaxState::Gathered,
        TaxState::Sending,
        TaxState::Sent,
        TaxState::Accepted,
        TaxState::Rejected,
        TaxState::Failed,
        TaxState::NotOwed,
        TaxState::Replaced,
    ];

    /// The word in the store and in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaxState::Due => "due",
            TaxState::Gathered => "gathered",
            TaxState::Sending => "sending",
            TaxState::Sent => "sent",
            TaxState::Accepted => "accepted",
            TaxState::Rejected => "rejected",
            TaxState::Failed => "failed",
            TaxState::NotOwed => "notOwed",
            TaxState::Replaced => "replaced",
        }
    }

    /// The state of this word, if there is one. Case counts.
    pub fn named(word: &str) -> Option<TaxState> {
        TaxState::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether the authority does not have the report yet, as far as anybody knows: what it has not
    /// answered counts as unreported.
    pub const fn is_unreported(self) -> bool {
        matches!(
            self,
            TaxState::Due
                | TaxState::Gathered
                | TaxState::Sending
                | TaxState::Sent
                | TaxState::Rejected
                | TaxState::Failed
        )
    }

    /// Where a report is after something happened to it; `None` where that changes nothing. Total:
    /// after a crash a step may be told twice, and an answer may come twice or late.
    pub fn after(self, event: TaxEvent) -> Option<TaxState> {
        use TaxState::{
            Accepted, Due, Failed, Gathered, NotOwed, Rejected, Replaced, Sending, Sent,
        };
        match (self, event) {
            // What was given up with its file goes again with all of it.
            (Due | Failed, TaxEvent::Gathered) => Some(Gathered),
            (Due | Gathered, TaxEvent::Written) => Some(Sending),
            (Due, TaxEvent::NothingOwed) => Some(NotOwed),
            (Due | Gathered, TaxEvent::Unwritable) => Some(Failed),
            (Sending, TaxEvent::Left) => Some(Sent),
            (Sending, TaxEvent::GivenUp) => Some(Failed),
            // An answer may overtake the receipt, or come after the way there was given up.
            (Sending | Sent | Failed, TaxEvent::Answered(MlsCode::Rejected)) => Some(Rejected),
            (Sending | Sent | Failed, TaxEvent::Answered(_)) => Some(Accepted),
            (Due | Gathered | Sent | Accepted | Rejected | Failed, TaxEvent::Overtaken) => {
                Some(Replaced)
            }
            _ => None,
        }
    }
}

/// What can happen to a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaxEvent {
    /// It waits for the file in which it is told with others.
    Gathered,
    /// It was written, and its message recorded.
    Written,
    /// The invoice is none of which a report is owed.
    NothingOwed,
    /// It cannot be written from the invoice.
    Unwritable,
    /// The access point of the authority gave a receipt for its message.
    Left,
    /// Its message did not get there.
    GivenUp,
    /// The authority, or its access point, answered.
    Answered(MlsCode),
    /// Another report takes its place.
    Overtaken,
}

/// A report as events and timelines tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxSubject {
    /// Its id.
    pub id: String,
    /// The document id of the invoice.
    pub invoice: DocumentId,
    /// In which corner it is reported.
    pub role: TaxRole,
    /// What it is to the authority.
    pub act: TaxAct,
    /// The country that gave the VAT number under which it is reported.
    pub country: Option<String>,
    /// By which text.
    pub regime: Option<String>,
    /// The participant identifier of the authority's provider.
    pub authority: Option<String>,
    /// The UUID of the report itself (TDT-003).
    pub data_uuid: Option<String>,
    /// Until when it is due.
    pub due_on: Option<Timestamp>,
    /// The id of the hook by which it goes to a platform, where it does not go over the network.
    pub channel: Option<String>,
}

/// Why a report is where it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaxReason {
    /// The code of what went wrong, where something did.
    pub code: Option<String>,
    /// One line for people.
    pub message: String,
    /// What was found, a line each.
    pub findings: Vec<String>,
}

/// What is told when a report comes into a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxNews {
    /// A line of the timeline of the invoice.
    pub line: TimelineEntry,
    /// What hooks are told; none of a state that is nobody's business yet.
    pub notice: Option<Notice>,
}

/// What is told of a report that has come into a state.
pub fn news(subject: &TaxSubject, state: TaxState, reason: &TaxReason, now: Timestamp) -> TaxNews {
    let sentence = sentence(subject, state);
    let message = match reason.message.trim() {
        "" => sentence,
        why => format!("{sentence} {why}"),
    };
    let topic = match state {
        TaxState::Sent => Some(Topic::TAX_REPORT_SENT),
        TaxState::Accepted => Some(Topic::TAX_REPORT_ACCEPTED),
        TaxState::Rejected | TaxState::Failed => Some(Topic::TAX_REPORT_REJECTED),
        _ => None,
    };
    let notice =
        topic.map(|topic| Notice::new(topic, message.clone(), details(subject, state, reason)));
    let line = TimelineEntry {
        name: TIMELINE.to_owned(),
        description: message,
        code: reason.code.clone(),
        created_on: now,
    };
    TaxNews { line, notice }
}

/// A report in words, with its country and its corner.
fn named(subject: &TaxSubject) -> String {
    let what = match subject.act {
        TaxAct::Submit => "The tax report",
        TaxAct::Resubmit => "The repeated tax report",
        TaxAct::Disregard => "The message that takes back the tax report",
        TaxAct::Undelivered => "The tax report that the invoice could not be transmitted",
    };
    let country = subject.country.as_deref().map(|of| format!(" for {of}")).unwrap_or_default();
    format!("{what}{country} ({})", subject.role.as_str())
}

fn sentence(subject: &TaxSubject, state: TaxState) -> String {
    let TaxSubject { role, authority, channel, .. } = subject;
    let what = named(subject);
    let to = authority.as_deref().unwrap_or("the authority");
    let by = channel.as_deref().map(|hook| format!(" by the hook {hook}")).unwrap_or_default();
    let role = role.as_str();
    match state {
        TaxState::Due => format!("{what} is to be written."),
        TaxState::Gathered => {
            format!("{what} waits for the file of its period, to {to}{by}.")
        }
        TaxState::Sending => format!("{what} is written and goes to {to}{by}."),
        TaxState::Sent => {
            format!("{what} is with {to}, who has not answered yet.")
        }
        TaxState::Accepted => format!("{what} was taken by {to}."),
        TaxState::Rejected => format!("{what} was rejected by {to}."),
        TaxState::Failed => format!("{what} was not made."),
        TaxState::NotOwed => format!("No tax report is owed ({role})."),
        TaxState::Replaced => format!("{what} is replaced by another one."),
    }
}

fn details(subject: &TaxSubject, state: TaxState, reason: &TaxReason) -> BTreeMap<String, String> {
    let mut details = BTreeMap::new();
    let due = subject.due_on.map(|due| due.to_string());
    let facts = [
        (SUBJECT, Some(subject.invoice.as_str())),
        ("taxReportId", Some(subject.id.as_str())),
        ("taxState", Some(state.as_str())),
        ("taxRole", Some(subject.role.as_str())),
        ("taxAct", Some(subject.act.as_str())),
        ("taxCountry", subject.country.as_deref()),
        ("taxRegime", subject.regime.as_deref()),
        ("taxAuthority", subject.authority.as_deref()),
        ("taxDataUuid", subject.data_uuid.as_deref()),
        ("dueOn", due.as_deref()),
    ];
    for (name, fact) in facts {
        put(&mut details, name, fact.unwrap_or_default());
    }
    if let Some(code) = &reason.code {
        put_code(&mut details, code);
    }
    if !reason.findings.is_empty() {
        put(&mut details, "findingCount", &reason.findings.len().to_string());
        put(&mut details, "findings", &reason.findings.join("\n"));
    }
    details
}

#[cfg(test)]
mod tests;
