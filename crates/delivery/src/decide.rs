//! The one place that says what follows what: a total function from a transaction and an event to
//! the next status, the timeline's entries, the tasks that follow and the notices for hooks
//! (interface specification 3.3; ARCHITECTURE, What must stay true, 4). A pair that makes no sense
//! is ignored with a reason, never an error: after a crash a step may be reported twice.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::channel::{self, DONE, EXHAUSTED, NOT_FOUND, REFUSED, RESTING, UNREACHABLE};
use crate::clock::whole;
use crate::decision::{Decision, Ignored, NewTask, Notice, TaskKind, TimelineEntry};
use crate::event::{DeliveryOutcome, Event, FindingLine, Later, Never, Pause, Proof, Route};
use crate::hook::published;
use crate::ids::jitter;
use crate::retry::RetryPolicy;
use crate::topics::Topic;
use crate::transaction::{Direction, Status, Transaction};

pub use clearance::IssuedInvoice;
pub use details::{DETAIL_LIMIT, FINDINGS_IN_EVENT};
use details::{cut, findings_text, put_end};
pub(crate) use details::{put, put_code};

/// Decides what follows an event. Total: every pair of transaction and event has an answer, and a
/// transaction in a final status never leaves it. What is said of a mail afterwards is told, and
/// changes no status (`docs/adr/0018`).
pub fn decide(tx: &Transaction, event: &Event, policy: &RetryPolicy, now: Timestamp) -> Decision {
    let step = DecisionContext { tx, policy, now };
    if let Event::Returned(word) = event {
        return step.returned(event, word);
    }
    if let (Direction::Outgoing, Event::Cleared(news)) = (tx.direction, event) {
        return step.cleared(event, news);
    }
    if tx.status.is_final() {
        return step.ignore(event, "the status is final");
    }
    match (tx.direction, event) {
        (_, Event::Uploaded | Event::Received { .. }) => step.opened(event),
        (_, Event::Validated { .. } | Event::Rejected { .. }) if tx.status != Status::Pending => {
            step.ignore(event, "it was checked before")
        }
        (_, Event::Rejected { summary, findings }) => step.rejected(summary, findings),
        (Direction::Incoming, Event::Validated { summary }) => step.ready(summary),
        (Direction::Incoming, _) => step.ignore(event, "an arrived document is not sent on"),
        (Direction::Outgoing, Event::Validated { summary }) => step
            .next(Status::Validated)
            .line(Status::Validated.as_str(), summary)
            .task(TaskKind::Route, now),
        // What it becomes, and so what is checked, may depend on whom nobody can ask yet.
        (
            Direction::Outgoing,
            Event::Attempted { attempt, outcome: outcome @ DeliveryOutcome::Later(_) },
        ) if tx.status == Status::Pending => step.attempted(event, *attempt, outcome),
        (Direction::Outgoing, _) if tx.status == Status::Pending => {
            step.ignore(event, "it was not checked yet")
        }
        (Direction::Outgoing, Event::Clearing { authority }) => step.clearing(authority),
        (Direction::Outgoing, Event::Cleared(news)) => step.cleared(event, news),
        (Direction::Outgoing, Event::Unroutable { code, message, cause }) => {
            step.unroutable(code, message, cause)
        }
        (Direction::Outgoing, Event::Rerouted { channel }) => step.rerouted(channel),
        (Direction::Outgoing, Event::Routed(route)) => step.routed(route),
        (Direction::Outgoing, Event::Postponed { endpoint, until, why }) => {
            step.rested(event, endpoint, (*until, *why))
        }
        (Direction::Outgoing, Event::Attempted { attempt, outcome }) => {
            step.attempted(event, *attempt, outcome)
        }
        (Direction::Outgoing, Event::Returned(word)) => step.returned(event, word),
    }
}

struct DecisionContext<'a> {
    tx: &'a Transaction,
    policy: &'a RetryPolicy,
    now: Timestamp,
}

/// A decision in the making.
struct DecisionDraft<'a> {
    step: &'a DecisionContext<'a>,
    decision: Decision,
}

impl<'a> DecisionContext<'a> {
    fn next(&'a self, status: Status) -> DecisionDraft<'a> {
        let decision = Decision {
            status,
            attempts: self.tx.attempts,
            target_document_type: None,
            channel: self.tx.way.channel.clone(),
            attempts_before: self.tx.way.attempts_before,
            timeline: Vec::new(),
            tasks: Vec::new(),
            notices: Vec::new(),
            ignored: None,
        };
        DecisionDraft { step: self, decision }
    }

    fn ignore(&self, event: &Event, reason: &'static str) -> Decision {
        let mut decision = self.next(self.tx.status).decision;
        decision.channel = None;
        decision.ignored = Some(Ignored {
            event: event.name(),
            direction: self.tx.direction.as_str(),
            status: self.tx.status,
            reason,
        });
        decision
    }

    fn opened(&self, event: &Event) -> Decision {
        if self.tx.status != Status::Pending || self.tx.version != 0 {
            return self.ignore(event, "it is stored already");
        }
        let (task, description) = match (self.tx.direction, event) {
            (Direction::Outgoing, Event::Uploaded) => {
                (TaskKind::Prepare, "The document is stored.".to_owned())
            }
            (Direction::Incoming, Event::Received { access_point }) => {
                (TaskKind::Arrive, format!("The document that came by {access_point} is stored."))
            }
            _ => return self.ignore(event, "it belongs to the other direction"),
        };
        self.next(Status::Pending).line(Status::Pending.as_str(), &description).task(task, self.now)
    }

    fn rejected(&self, summary: &str, findings: &[FindingLine]) -> Decision {
        let topics = self.tx.family.row();
        let topic = match self.tx.direction {
            Direction::Outgoing => topics.error,
            // A family without an error of its own is told as any other document.
            Direction::Incoming => topics.received_error.or(Some(Topic::DOCUMENT_RECEIVED_ERROR)),
        };
        let mut details = self.details();
        put_code(&mut details, "invalid-document");
        put(&mut details, "findingCount", &findings.len().to_string());
        put(&mut details, "findings", &findings_text(findings));
        self.next(Status::Rejected)
            .line(Status::Rejected.as_str(), summary)
            .coded("invalid-document")
            .notice(topic, summary, details)
            .decision
    }

    fn ready(&self, summary: &str) -> Decision {
        let message = "The document arrived and is ready for download.";
        self.next(Status::Delivered)
            .line(Status::Validated.as_str(), summary)
            .line(Status::Delivered.as_str(), message)
            .notice(Some(self.tx.family.row().received), message, self.details())
            .notice(self.tx.family.commands().and_then(|c| c.receive), message, self.details())
            .decision
    }

    fn unroutable(&self, code: &str, message: &str, cause: &str) -> Decision {
        let mut details = self.details();
        put_code(&mut details, code);
        put(&mut details, "cause", cause);
        self.failed(NOT_FOUND, message, details)
    }

    /// The channel is done for. Where another one comes after it, the document takes that; what a
    /// Peppol hook publishes then, it publishes also where nobody takes over.
    fn failed(&self, code: &str, message: &str, mut details: BTreeMap<String, String>) -> Decision {
        let way = &self.tx.way;
        let next = if code == NOT_FOUND { &way.unreachable } else { &way.failed };
        if let Some(next) = next {
            return self.diverted(next, code, message, details);
        }
        put_end(&mut details);
        self.next(Status::Failed)
            .line(Status::Failed.as_str(), message)
            .coded(details.get("code").map(String::as_str).unwrap_or_default())
            .notice(self.fallback(), message, details.clone())
            .outputs(code, message, &details)
            .notice(self.tx.family.row().error, message, details)
            .decision
    }

    fn routed(&self, route: &Route) -> Decision {
        let mut draft = self.next(Status::Routed);
        draft.decision.target_document_type = Some(route.document_type.clone());
        if self.tx.status == Status::Validated {
            let words = channel::of_protocol(&route.protocol).routed;
            let line = format!("{words} {}.", route.endpoint);
            draft = draft.line(Status::Routed.as_str(), &line).notice(
                self.tx.family.commands().map(|commands| commands.send),
                &line,
                self.details(),
            );
        }
        draft.task(TaskKind::Deliver, self.now)
    }

    /// The document waits for the receiver's access point, which costs it no attempt.
    fn rested(&self, event: &Event, endpoint: &str, (until, why): (Timestamp, Pause)) -> Decision {
        if self.tx.status != Status::Routed {
            return self.ignore(event, "it has no route yet");
        }
        let until = whole(until);
        let (said, code) = match why {
            Pause::Resting => {
                ("did not take documents lately and is left alone for a while", RESTING)
            }
            Pause::Refused => {
                ("refused the connection and is tried again in a moment", UNREACHABLE)
            }
        };
        let channel = self.tx.way.kind.and_then(channel::row).filter(|row| !row.network);
        let (who, code) = match channel {
            Some(row) => ("destination", format!("{}-resting", row.protocol.to_ascii_lowercase())),
            None => ("access point", code.to_owned()),
        };
        let line = format!("The {who} {endpoint} {said}; this costs no attempt. Next: {until}.");
        self.next(Status::Routed).line("Postponed", &line).coded(&code).task(TaskKind::Route, until)
    }

    fn attempted(&self, event: &Event, attempt: u32, outcome: &DeliveryOutcome) -> Decision {
        if self.tx.attempts.checked_add(1) != Some(attempt) {
            return self.ignore(event, "it is not the next attempt");
        }
        let mut decision = match outcome {
            DeliveryOutcome::Delivered(_) if self.tx.status != Status::Routed => {
                return self.ignore(event, "it has no route yet");
            }
            DeliveryOutcome::Delivered(proof) => self.delivered(attempt, proof),
            DeliveryOutcome::Never(never) => self.refused(attempt, never),
            DeliveryOutcome::Later(later) => self.postponed(attempt, later),
        };
        decision.attempts = attempt;
        if decision.channel != self.tx.way.channel {
            decision.attempts_before = attempt;
        }
        decision
    }

    fn delivered(&self, attempt: u32, proof: &Proof) -> Decision {
        let mut details = self.details();
        put(&mut details, "attempt", &attempt.to_string());
        put(&mut details, "endpoint", &proof.endpoint);
        put(&mut details, "protocol", &proof.protocol);
        put(&mut details, "messageId", &proof.message_id);
        put(&mut details, "returnedMessageId", &proof.returned_message_id);
        let row = channel::of_protocol(&proof.protocol);
        let unproven = row.unproven.filter(|_| proof.returned_message_id.is_empty());
        let (message, code) = unproven.unwrap_or((row.delivered, ""));
        put_code(&mut details, code);
        let message = match &proof.remark {
            Some(remark) => format!("{message} {remark}"),
            None => message.to_owned(),
        };
        self.next(Status::Delivered)
            .line(Status::Delivered.as_str(), &message)
            .coded(code)
            .outputs(DONE, &message, &details)
            .notice(Some(self.tx.family.row().sent), &message, details)
            .decision
    }

    fn refused(&self, attempt: u32, never: &Never) -> Decision {
        let answer = (never.http_status, never.ebms_code.as_deref());
        let details = self.attempt_details(attempt, &never.code, never.endpoint.as_deref(), answer);
        self.failed(REFUSED, &never.message, details)
    }

    fn postponed(&self, attempt: u32, later: &Later) -> Decision {
        let answer = (later.http_status, later.ebms_code.as_deref());
        let mut details =
            self.attempt_details(attempt, &later.code, later.endpoint.as_deref(), answer);
        let schedule = &self.policy.delivery;
        let jitter = jitter(self.tx.id.as_str(), attempt);
        let turn = attempt.saturating_sub(self.tx.way.attempts_before);
        let Some(at) = schedule.next(turn, self.now, jitter, later.retry_after) else {
            let message = format!("Given up after {turn} attempts; the last: {}", later.message);
            return self.failed(EXHAUSTED, &message, details);
        };
        put(&mut details, "nextAttempt", &at.to_string());
        let of = schedule.attempts();
        let line = format!("Attempt {turn} of {of} failed: {} Next: {at}.", later.message);
        self.next(self.tx.status)
            .line("Retry", &line)
            .coded(&later.code)
            .notice(self.tx.family.row().retry, &later.message, details)
            .task(TaskKind::Route, at)
    }

    /// The facts of the transaction itself, under the names of conventions A6.
    fn details(&self) -> BTreeMap<String, String> {
        let facts = [
            ("sender", &self.tx.sender),
            ("recipient", &self.tx.receiver),
            ("id", &self.tx.number),
            ("sourceDocumentTypeId", &self.tx.source_document_type),
            ("targetDocumentTypeId", &self.tx.target_document_type),
        ];
        let mut details = BTreeMap::new();
        for (name, fact) in facts {
            put(&mut details, name, fact.as_deref().unwrap_or_default());
        }
        details
    }

    fn attempt_details(
        &self,
        attempt: u32,
        code: &str,
        endpoint: Option<&str>,
        (http, ebms): (Option<u16>, Option<&str>),
    ) -> BTreeMap<String, String> {
        let mut details = self.details();
        put(&mut details, "attempt", &attempt.to_string());
        put_code(&mut details, code);
        put(&mut details, "endpoint", endpoint.unwrap_or_default());
        put(&mut details, "httpStatus", &http.map(|s| s.to_string()).unwrap_or_default());
        put(&mut details, "ebmsErrorCode", ebms.unwrap_or_default());
        details
    }
}

impl DecisionDraft<'_> {
    fn line(mut self, name: &str, description: &str) -> Self {
        let created_on = self.step.now;
        let description = cut(description);
        self.decision.timeline.push(TimelineEntry {
            name: name.to_owned(),
            description,
            code: None,
            created_on,
        });
        self
    }

    /// Gives the last line of the timeline a code.
    fn coded(mut self, code: &str) -> Self {
        if let Some(line) = self.decision.timeline.last_mut() {
            line.code = Some(cut(code)).filter(|code| !code.is_empty());
        }
        self
    }

    fn notice(
        mut self,
        topic: Option<Topic>,
        message: &str,
        details: BTreeMap<String, String>,
    ) -> Self {
        if let Some(topic) = topic {
            self.decision.notices.push(Notice::new(topic, cut(message), details));
        }
        self
    }

    /// What the hook of the channel publishes when it is done with this status code.
    fn outputs(mut self, code: &str, message: &str, details: &BTreeMap<String, String>) -> Self {
        for topic in published(&self.step.tx.way.output, code) {
            self = self.output(topic, message, details.clone());
        }
        self
    }

    /// What a hook publishes with its outcome.
    fn output(mut self, topic: Topic, message: &str, details: BTreeMap<String, String>) -> Self {
        self.decision.notices.push(Notice::new(topic, cut(message), details).output());
        self
    }

    fn task(mut self, kind: TaskKind, run_at: Timestamp) -> Decision {
        self.decision.tasks.push(NewTask { kind, run_at, lane: None });
        self.decision
    }
}

mod clearance;
mod details;
mod diverted;
mod returned;

#[cfg(test)]
mod tests;
