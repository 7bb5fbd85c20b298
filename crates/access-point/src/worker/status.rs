//! Message Level Statuses as corner 3: what is owed about a document that arrived, given in the
//! commit in which it is decided; and the limits of what is owed or awaited, watched.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::mls::{
    self, HandOver, Issue, OwedStatus, StatusDecision, StatusQuestion, StatusReason,
};
use quoin_delivery::service_level::{DueStatus, Level, PAYLOAD_LIMIT, StatusAlarm, first_look};
use quoin_delivery::{Direction, Family, Notice, Status, Topic, ids};
use quoin_formats::ubl::write;
use quoin_formats::ubl::write::MessageLevelStatus;
use quoin_model::{ElectronicAddress, Flag, ValidationStep};
use quoin_peppol::identifiers::ParticipantId;
use quoin_rules::{Report, Verdict};
use quoin_store::{
    Claim, Handed, IssueRecord, LevelNotice, NewStatus, StatusGiven, StatusRecord, StatusStep,
    TransactionRecord,
};

use super::Worker;
use crate::step::StepFault;

/// When a document that nobody has looked at yet is looked at again for its status.
const NOT_YET: SignedDuration = SignedDuration::from_secs(5);
/// When limits are looked at again while the clock is not believed.
const DOUBTED: SignedDuration = SignedDuration::from_mins(5);

/// What a document was found to have, as a status tells it.
#[derive(Debug, Clone)]
pub(super) struct Inspected {
    /// What is wrong with it.
    pub issues: Vec<Issue>,
    /// Whether a rule set judged it.
    pub is_judged: bool,
}

/// What a report says, as a status tells it. What only our own routing would ask for is no issue;
/// that nobody judged the document is a warning.
pub(super) fn inspected(report: &Report) -> Inspected {
    let is_judged = report.verdict() != Verdict::NotJudged;
    let mut issues = issues(report);
    if !is_judged {
        let text = "The receiving access point has no rules for this kind of document: it was \
                    handed over without being judged.";
        issues.push(Issue::of_rule(StatusReason::Warning, crate::plan::NOT_JUDGED, None, text));
    }
    Inspected { issues, is_judged }
}

fn issues(report: &Report) -> Vec<Issue> {
    let findings = report.findings.iter().filter(|finding| finding.step != ValidationStep::Routing);
    let issue = |finding: &quoin_model::Finding| {
        let reason = match (finding.flag, finding.step) {
            (Flag::Fatal, ValidationStep::Rules) => StatusReason::Rule,
            (Flag::Fatal, _) => StatusReason::Syntax,
            (Flag::Warning, _) => StatusReason::Warning,
            (Flag::Information, _) => return None,
        };
        let place = finding.location.as_ref().map(|location| location.xpath.as_str());
        Some(Issue::of_rule(reason, &finding.rule, place, &finding.message))
    };
    findings.filter_map(issue).collect()
}

/// How far a document is, from what hooks and downloads tell.
fn hand_over(handed: Handed) -> HandOver {
    let failed = |why: &str| HandOver::Failed(why.to_owned());
    match handed {
        Handed { is_downloaded: true, .. } | Handed { taken: 1.., .. } => HandOver::Taken,
        Handed { is_expired: true, .. } => {
            failed("The receiver did not fetch the document in the time for which it is kept.")
        }
        Handed { pending: 1.., .. } => HandOver::Ready,
        Handed { mailed: 1.., .. } => HandOver::Left,
        Handed { stopped: 1.., .. } => {
            failed("The receiver's system did not take the document; delivery was given up.")
        }
        _ => HandOver::Ready,
    }
}

impl Worker {
    /// The status that is owed about a document that was just looked at, if that is decided by what
    /// was found; and when it has to be looked at, unless something happens to the document before.
    pub(super) fn found(
        &self,
        record: &TransactionRecord,
        status: Option<&StatusRecord>,
        found: Inspected,
        now: Timestamp,
    ) -> Result<(Option<StatusGiven>, Option<Timestamp>), StepFault> {
        let open = status.filter(|status| status.is_open() && self.provider.gives_statuses);
        let Some(open) = open else { return Ok((None, None)) };
        let new = &open.new;
        let watched = first_look(Level::Sent, (new.sent_on, new.payload_bytes), now);
        let came = (record.created_on, HandOver::Ready);
        match mls::decide(&self.question(new, found, came), now) {
            StatusDecision::Give(given) => {
                Ok((Some(self.message(record, new, &given, now)?), watched))
            }
            StatusDecision::Wait(None) | StatusDecision::Settled => Ok((None, None)),
            StatusDecision::Wait(until) => Ok((None, until.into_iter().chain(watched).min())),
        }
    }

    /// What there is to decide on: when the document came, and how far it is.
    fn question(
        &self,
        new: &NewStatus,
        found: Inspected,
        (arrived_on, hand_over): (Timestamp, HandOver),
    ) -> StatusQuestion {
        StatusQuestion {
            wants_positive: new.wants_positive,
            sent_on: new.sent_on,
            arrived_on,
            issues: found.issues,
            is_judged: found.is_judged,
            hand_over,
            patience: self.provider.patience,
        }
    }

    /// Sees what is owed about a document, and what is overdue.
    pub(super) async fn status(
        &self,
        claim: Claim,
        document: TransactionRecord,
        status: StatusRecord,
    ) -> Result<(), StepFault> {
        let now = self.clock.now();
        let mut step = StatusStep {
            claim,
            document,
            given: None,
            closes: false,
            raised: None,
            notices: Vec::new(),
            next: None,
            now,
        };
        if status.direction == Direction::Incoming && status.is_open() {
            self.owe(&mut step, &status).await?;
        }
        match self.watch.believed() {
            Some(_) => watch(&mut step, &status),
            // Nothing is overdue by a clock that is not believed.
            None if status.settled_on.is_none() && status.closed_on.is_none() => {
                let later = now.saturating_add(DOUBTED).ok();
                step.next = [step.next, later].into_iter().flatten().min();
            }
            None => {}
        }
        Ok(self.store.finish_status(step).await?)
    }

    /// Decides about a document that has no status yet.
    async fn owe(&self, step: &mut StatusStep, status: &StatusRecord) -> Result<(), StepFault> {
        let record = &step.document;
        // One that its party deleted before it was looked at counts as taken: nobody will look.
        if !record.transaction.status.is_final() && record.deleted_on.is_none() {
            step.next = step.now.saturating_add(NOT_YET).ok();
            return Ok(());
        }
        if !self.provider.gives_statuses || record.transaction.status == Status::Rejected {
            step.closes = true;
            return Ok(());
        }
        let handed = hand_over(self.store.handed(record).await?);
        let found = self.warnings(record).await?;
        let came = (record.created_on, handed);
        match mls::decide(&self.question(&status.new, found, came), step.now) {
            StatusDecision::Give(given) => {
                step.given = Some(self.message(record, &status.new, &given, step.now)?);
            }
            StatusDecision::Wait(until) => step.next = until,
            StatusDecision::Settled => step.closes = true,
        }
        Ok(())
    }

    /// The warnings of a document, from its report. What is fatal was told when it was found.
    async fn warnings(&self, record: &TransactionRecord) -> Result<Inspected, StepFault> {
        let unknown = || Inspected { issues: Vec::new(), is_judged: true };
        let Some(blob) = record.report else { return Ok(unknown()) };
        let bytes = self.store.blob(&record.transaction.organisation, blob).await?;
        let report = bytes.and_then(|bytes| serde_json::from_slice::<Report>(&bytes).ok());
        let mut found = report.map_or_else(unknown, |report| inspected(&report));
        found.issues.retain(|issue| !issue.reason.rejects());
        Ok(found)
    }

    /// A status as the message that carries it.
    fn message(
        &self,
        record: &TransactionRecord,
        about: &NewStatus,
        given: &OwedStatus,
        now: Timestamp,
    ) -> Result<StatusGiven, StepFault> {
        let own = &record.transaction;
        let id = ids::status_document_id(&own.organisation, &own.document_id);
        let to: Option<ParticipantId> =
            about.reply_to.as_deref().and_then(|reply_to| reply_to.parse().ok());
        let to = to.ok_or_else(|| StepFault::Missing(own.id.to_string()))?;
        let end = |id: &ParticipantId| ElectronicAddress {
            scheme: id.icd().to_owned(),
            value: id.value().to_owned(),
        };
        let place = |issue: &Issue| issue.place.clone();
        let text = write::message_level_status(&MessageLevelStatus {
            id: id.to_string(),
            issued: now.to_zoned(TimeZone::UTC).datetime(),
            sender: end(&self.provider.id),
            receiver: end(&to),
            code: given.code.as_str(),
            description: given.code.meaning().to_owned(),
            envelope: about.envelope.clone(),
            issues: given
                .issues
                .iter()
                .map(|issue| write::StatusIssue {
                    place: place(issue).unwrap_or_else(|| mls::WHOLE_DOCUMENT.to_owned()),
                    text: issue.text.clone(),
                    reason: issue.reason.as_str(),
                })
                .collect(),
        });
        let owner = (&own.organisation, own.party.as_str());
        let family = Family::MessageLevelStatus;
        Ok(StatusGiven {
            code: given.code,
            description: given.code.meaning().to_owned(),
            issues: given
                .issues
                .iter()
                .map(|issue| IssueRecord {
                    place: place(issue),
                    reason: Some(issue.reason.as_str().to_owned()),
                    text: Some(issue.text.clone()),
                })
                .collect(),
            message: self.provider.outgoing(owner, id, family, text, now)?,
        })
    }
}

/// Watches the limit of what is due, and raises what is to be raised.
fn watch(step: &mut StatusStep, status: &StatusRecord) {
    let level = Level::of(status.direction);
    let is_due = status.code.is_some() || step.given.is_some() || status.new.wants_positive;
    let counts = status.new.payload_bytes < PAYLOAD_LIMIT;
    let is_over = status.settled_on.is_some() || status.closed_on.is_some() || step.closes;
    if !is_due || !counts || is_over {
        return;
    }
    let due = DueStatus {
        level,
        sent_on: status.new.sent_on,
        is_warned: status.warned_on.is_some(),
        is_breached: status.breached_on.is_some(),
    };
    if let Some(alarm) = due.alarm(step.now) {
        step.raised = Some(match alarm {
            StatusAlarm::Near => LevelNotice::Warning,
            StatusAlarm::Over => LevelNotice::Breach,
        });
        step.notices.push(notice(status, due, alarm));
    }
    step.next = [step.next, due.next(step.now)].into_iter().flatten().min();
}

fn notice(status: &StatusRecord, due: DueStatus, alarm: StatusAlarm) -> Notice {
    let provider = &status.new.provider;
    let minutes = due.level.limit().as_mins();
    let what = match due.level {
        Level::Sent => format!("The Message Level Status for {provider} has not left"),
        Level::Received => format!("The Message Level Status of {provider} has not arrived"),
    };
    let (topic, message) = match alarm {
        StatusAlarm::Near => {
            let message = format!("{what} yet; it is due {minutes} minutes after the document.");
            (Topic::SERVICE_LEVEL_WARNING, message)
        }
        StatusAlarm::Over => {
            let message = format!("{what} within {minutes} minutes after the document.");
            (Topic::SERVICE_LEVEL_BREACHED, message)
        }
    };
    let facts = [
        ("level", due.level.as_str().to_owned()),
        ("provider", provider.clone()),
        ("sentOn", due.sent_on.to_string()),
        ("dueOn", due.limit().to_string()),
        ("instanceIdentifier", status.new.envelope.clone()),
    ];
    let details: BTreeMap<String, String> =
        facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
    Notice::new(topic, message, details)
}
