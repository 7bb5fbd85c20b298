//! What a decision is made of: a status, timeline lines, tasks and notices, as plain values that
//! the store records in one commit.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::ids::DocumentId;
use crate::topics::Topic;
use crate::transaction::{DeliveryRoute, Status, Transaction};

/// What follows an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The status from now on.
    pub status: Status,
    /// Delivery attempts on record from now on.
    pub attempts: u32,
    /// The document type it is sent as, where the event settled it.
    pub target_document_type: Option<String>,
    /// The channel it takes from now on, where the event settled it.
    pub channel: Option<String>,
    /// Attempts of earlier channels, where a channel was settled.
    pub attempts_before: u32,
    /// New lines of the timeline, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Tasks that follow.
    pub tasks: Vec<NewTask>,
    /// What hooks are to be told.
    pub notices: Vec<Notice>,
    /// Set where the event makes no sense now; all else is then as it was.
    pub ignored: Option<Ignored>,
}

/// Why an event was ignored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{event} does not apply to {direction} document in status {status}: {reason}")]
pub struct Ignored {
    /// The event's name.
    pub event: &'static str,
    /// Which way the document goes.
    pub direction: &'static str,
    /// The status it is in.
    pub status: Status,
    /// Why they do not go together.
    pub reason: &'static str,
}

/// A line of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineEntry {
    /// A status word, or `Retry` for an attempt that failed for now.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// The code of what went wrong, where something did.
    pub code: Option<String>,
    /// When.
    pub created_on: Timestamp,
}

/// What kind of step a task asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskKind {
    /// Detect the format and validate.
    Prepare,
    /// The same of a document that arrived.
    Arrive,
    /// Look the receiver up; done anew before each attempt, as access points move.
    Route,
    /// Make one attempt to deliver.
    Deliver,
    /// Call a hook.
    Notify,
    /// Close a batch of a hook, or forget one.
    Batch,
    /// Bring a register outside (SML, Directory) up to date.
    Register,
    /// See whether a Message Level Status is owed about a document, or overdue.
    Status,
    /// See what is to be done about a statistics report.
    Report,
    /// Take the next step of a bulk job.
    Job,
    /// Take the next step of a batch at a national system.
    Clear,
    /// Write a report to a tax authority, or see what became of it.
    Tax,
    /// Stop a piece of what a hook is owed that is off.
    Stop,
    /// Give a hook a piece of what the one before it was owed.
    TakeOver,
    /// Tell hooks a piece of what more of them hear than one commit tells.
    Tell,
    /// Publish a piece of the parties of an organisation whose configuration changed.
    Publish,
    /// Have a piece of the tax reports go again that were given up with the files of a period.
    Regather,
}

impl TaskKind {
    /// Every kind.
    pub const ALL: &[TaskKind] = &[
        TaskKind::Prepare,
        TaskKind::Arrive,
        TaskKind::Route,
        TaskKind::Deliver,
        TaskKind::Notify,
        TaskKind::Batch,
        TaskKind::Register,
        TaskKind::Status,
        TaskKind::Report,
        TaskKind::Job,
        TaskKind::Clear,
        TaskKind::Tax,
        TaskKind::Stop,
        TaskKind::TakeOver,
        TaskKind::Tell,
        TaskKind::Publish,
        TaskKind::Regather,
    ];

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            TaskKind::Prepare => "prepare",
            TaskKind::Arrive => "arrive",
            TaskKind::Route => "route",
            TaskKind::Deliver => "deliver",
            TaskKind::Notify => "notify",
            TaskKind::Batch => "batch",
            TaskKind::Register => "register",
            TaskKind::Status => "status",
            TaskKind::Report => "report",
            TaskKind::Job => "job",
            TaskKind::Clear => "clear",
            TaskKind::Tax => "tax",
            TaskKind::Stop => "stop",
            TaskKind::TakeOver => "take-over",
            TaskKind::Tell => "tell",
            TaskKind::Publish => "publish",
            TaskKind::Regather => "regather",
        }
    }

    /// The kind of this word, if there is one.
    pub fn named(word: &str) -> Option<TaskKind> {
        TaskKind::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// A task to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// Which step.
    pub kind: TaskKind,
    /// Not before this time.
    pub run_at: Timestamp,
    /// Tasks of one lane run one after the other in the order of recording; none: freely.
    pub lane: Option<String>,
}

/// An event to be recorded and told to hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its topic.
    pub topic: Topic,
    /// One sentence for people.
    pub message: String,
    /// Facts by name.
    pub details: BTreeMap<String, String>,
    /// Whether a hook publishes it with its outcome: such a command is on record also where nobody
    /// listens to it.
    pub is_output: bool,
}

impl Notice {
    /// What happened, or what is asked for.
    pub fn new(topic: Topic, message: String, details: BTreeMap<String, String>) -> Notice {
        Notice { topic, message, details, is_output: false }
    }

    /// The same as what a hook publishes with its outcome (interface specification 2.4, `output`).
    #[must_use]
    pub fn output(self) -> Notice {
        Notice { is_output: true, ..self }
    }
}

/// The detail that names the document an event is about, where that is another than its own: an
/// answer that arrived is told under the document that it answers.
pub const SUBJECT: &str = "documentId";
/// The detail that names the answer.
pub const RESPONSE: &str = "responseDocumentId";
/// The detail that names the document which an answer that is sent is about, and the order which a
/// change or a cancellation that arrived is about.
pub const ANSWERED: &str = "answeredDocumentId";
/// The detail that names the state in the answer.
pub const STATUS_CODE: &str = "statusCode";

impl Decision {
    /// The decision about an answer that arrived: its events are told under the document that it
    /// answers, and name both.
    pub fn answering(
        mut self,
        subject: &DocumentId,
        response: &DocumentId,
        status: Option<&str>,
    ) -> Decision {
        for notice in &mut self.notices {
            let details = &mut notice.details;
            details.insert(SUBJECT.to_owned(), subject.to_string());
            details.insert(RESPONSE.to_owned(), response.to_string());
            let status = status.map(|status| (STATUS_CODE.to_owned(), status.to_owned()));
            details.extend(status);
        }
        self
    }

    /// The decision about an answer that is sent: its events name the document that it answers.
    pub fn answering_sent(mut self, answered: &DocumentId, response: &DocumentId) -> Decision {
        for notice in &mut self.notices {
            notice.details.insert(ANSWERED.to_owned(), answered.to_string());
            notice.details.insert(RESPONSE.to_owned(), response.to_string());
        }
        self
    }

    /// The decision about a change or a cancellation of an order that arrived, or about the answer
    /// to one of them, or about a cancellation that is sent: its events name the order, whatever
    /// document they are told under.
    pub fn following(mut self, order: &DocumentId) -> Decision {
        for notice in &mut self.notices {
            notice.details.insert(ANSWERED.to_owned(), order.to_string());
        }
        self
    }

    /// Joins the decision of the next step to this one, for a worker that went straight on and
    /// commits both at once: the later status, both timelines and notices, and only the later
    /// tasks, since this one's were just carried out. An ignored step adds nothing.
    pub fn followed_by(mut self, next: Decision) -> Decision {
        if next.ignored.is_some() {
            return self;
        }
        self.status = next.status;
        self.attempts = next.attempts;
        self.target_document_type = next.target_document_type.or(self.target_document_type);
        if next.channel.is_some() {
            self.channel = next.channel;
            self.attempts_before = next.attempts_before;
        }
        self.timeline.extend(next.timeline);
        self.tasks = next.tasks;
        self.notices.extend(next.notices);
        self.ignored = None;
        self
    }
}

impl Transaction {
    /// The transaction as it stands once the decision is committed: for a worker that goes straight
    /// on to the next step and commits both steps at once (see [`Decision::followed_by`]).
    pub fn after(&self, decision: &Decision) -> Transaction {
        let mut next = self.clone();
        if decision.ignored.is_none() {
            next.status = decision.status;
            next.attempts = decision.attempts;
            if let Some(target) = &decision.target_document_type {
                next.target_document_type = Some(target.clone());
            }
            if let Some(channel) = &decision.channel {
                next.way = DeliveryRoute { channel: Some(channel.clone()), ..next.way };
                next.way.attempts_before = decision.attempts_before;
            }
        }
        next
    }
}
