//! What can happen to a transaction: the reports of the doors and of the worker's steps, as values.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use quoin_ksef::outcome::KsefOutcome;

use crate::hook::Output;

/// Something that happened to a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The sender's upload is stored (outgoing).
    Uploaded,
    /// A message of the network is stored, before its receipt is signed (incoming).
    Received {
        /// Who sent it: the common name of corner 2's certificate, for the timeline.
        access_point: String,
    },
    /// The document keeps the rules of its format.
    Validated {
        /// Format, rule sets and count of warnings, one line for the timeline.
        summary: String,
    },
    /// The document is wrong.
    Rejected {
        /// One line for people: what is wrong with it.
        summary: String,
        /// The findings, worst first; the first twenty go into the event.
        findings: Vec<FindingLine>,
    },
    /// There is no way to the receiver, and waiting will not help: not registered, document type
    /// not accepted, no usable certificate. A look-up that got no answer is an attempt that ended
    /// [`Outcome::Later`] instead.
    Unroutable {
        /// Our error code.
        code: String,
        /// What is wrong and who can fix it.
        message: String,
        /// What the look-up saw, for operators.
        cause: String,
    },
    /// An authority has to register it before it leaves: it waits for that.
    Clearing {
        /// The authority.
        authority: &'static str,
    },
    /// The authority has answered, or is not there.
    Cleared(ClearanceNews),
    /// The channel that it was to take is off or gone, and no attempt was made over it: it takes
    /// the one that is noted by now.
    Rerouted {
        /// The id of that one.
        channel: String,
    },
    /// The receiver's access point is known.
    Routed(Route),
    /// No attempt was made that counts.
    Postponed {
        /// The address of the receiver's access point.
        endpoint: String,
        /// Until when.
        until: Timestamp,
        /// Why.
        why: Pause,
    },
    /// An attempt to deliver was made.
    Attempted {
        /// Which attempt, from 1; one more than the attempts on record.
        attempt: u32,
        /// How it ended.
        outcome: DeliveryOutcome,
    },
    /// A mail server says what became of the mail that brought the document.
    Returned(MailWord),
}

impl Event {
    /// The event's name, for logs and reasons.
    pub fn name(&self) -> &'static str {
        match self {
            Event::Uploaded => "Uploaded",
            Event::Received { .. } => "Received",
            Event::Validated { .. } => "Validated",
            Event::Rejected { .. } => "Rejected",
            Event::Unroutable { .. } => "Unroutable",
            Event::Clearing { .. } => "Clearing",
            Event::Cleared(_) => "Cleared",
            Event::Rerouted { .. } => "Rerouted",
            Event::Routed(_) => "Routed",
            Event::Postponed { .. } => "Postponed",
            Event::Attempted { .. } => "Attempted",
            Event::Returned(_) => "Returned",
        }
    }
}

/// What became of a mail for one of its recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailFate {
    /// It is late, and still tried.
    Late,
    /// It came back.
    CameBack,
    /// The server took it for others, and not for this one.
    NotTaken,
}

/// What a mail server says of a mail that it took, for one of its recipients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailWord {
    /// The recipient.
    pub recipient: String,
    /// What became of it.
    pub fate: MailFate,
    /// The status code (RFC 3463), where one is told.
    pub status: String,
    /// What was said, where something was.
    pub said: String,
}

/// What became of a document at an authority.
#[derive(Debug, Clone, PartialEq)]
pub struct ClearanceNews {
    /// One of the five outcomes.
    pub outcome: KsefOutcome,
    /// The code of what went wrong, where something did.
    pub code: String,
    /// One line for people.
    pub message: String,
    /// Facts by name: the number it got, the mode, the term.
    pub details: BTreeMap<String, String>,
    /// The rows of the hook: which topics it publishes by outcome.
    pub output: Vec<Output>,
}

/// Why a document waits without an attempt that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The receiver's access point failed for others, and is left alone for a while.
    Resting,
    /// It refused the connection, as it does while it restarts.
    Refused,
}

/// A finding in the document, short enough for an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingLine {
    /// The rule, such as `BR-CO-15`.
    pub rule: String,
    /// Where in the document: an XPath, or empty.
    pub path: String,
    /// What is wrong.
    pub text: String,
}

impl From<&quoin_model::Finding> for FindingLine {
    fn from(finding: &quoin_model::Finding) -> FindingLine {
        FindingLine {
            rule: finding.rule.clone().into_owned(),
            path: finding.location.as_ref().map(|place| place.xpath.clone()).unwrap_or_default(),
            text: finding.message.clone(),
        }
    }
}

/// Where a document goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The address of the receiver's access point.
    pub endpoint: String,
    /// The protocol as the interface names it: `As4`.
    pub protocol: String,
    /// The document type it is sent as, in the form `scheme::value`.
    pub document_type: String,
    /// The process it is sent in, in the form `scheme::value`.
    pub process: String,
}

/// How an attempt to deliver ended.
#[derive(Debug, Clone, PartialEq)]
pub enum DeliveryOutcome {
    /// The receiver's access point took it and proved so.
    Delivered(Proof),
    /// A fault on the way or at the far side that may pass: 5xx, time-out, no connection, no name.
    Later(Later),
    /// A final no: 4xx, an EBMS error that says the message is at fault, a receipt that does not
    /// verify.
    Never(Never),
}

impl DeliveryOutcome {
    /// The code of what kept it from being delivered.
    pub fn code(&self) -> Option<&str> {
        match self {
            DeliveryOutcome::Delivered(_) => None,
            DeliveryOutcome::Later(later) => Some(&later.code),
            DeliveryOutcome::Never(never) => Some(&never.code),
        }
    }
}

/// What proves a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The address that took it.
    pub endpoint: String,
    /// The protocol as the interface names it: `As4`.
    pub protocol: String,
    /// Our AS4 message id.
    pub message_id: String,
    /// The message id of the signed receipt. It is empty where there is none: an earlier attempt
    /// ended without an answer, and the receiver says that it has the document.
    pub returned_message_id: String,
    /// What the timeline says besides: a mail that went without its page.
    pub remark: Option<String>,
}

/// Why an attempt failed for now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Later {
    /// Our error code.
    pub code: String,
    /// What happened, for people.
    pub message: String,
    /// The address that was tried, once known.
    pub endpoint: Option<String>,
    /// The HTTP status, if an answer came.
    pub http_status: Option<u16>,
    /// The EBMS error code, if the answer carried one.
    pub ebms_code: Option<String>,
    /// How long the far side asks us to stay away (`Retry-After`).
    pub retry_after: Option<SignedDuration>,
}

/// Why an attempt failed for good.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Never {
    /// Our error code.
    pub code: String,
    /// What happened and who can fix it.
    pub message: String,
    /// The address that was tried, once known.
    pub endpoint: Option<String>,
    /// The HTTP status, if an answer came.
    pub http_status: Option<u16>,
    /// The EBMS error code, if the answer carried one.
    pub ebms_code: Option<String>,
}
