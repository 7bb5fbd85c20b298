//! Statistics reports: made, sent, and watched until their deadline.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::reporting::{ReportProgress, Todo};
use quoin_delivery::{AlarmKind, DocumentId, Notice, Status, Topic};
use quoin_store::{Claim, ReportKey, ReportRecord, ReportStep};
use uuid::Uuid;

use super::Worker;
use crate::reports::{self, ReportError};
use crate::step::StepFault;

/// How often a report on its way is looked at.
const LOOK: SignedDuration = SignedDuration::from_mins(10);

impl Worker {
    /// Does what is to be done about a report now.
    pub(super) async fn report(&self, claim: Claim, record: ReportRecord) -> Result<(), StepFault> {
        // Nothing is made, and nothing missed, by a clock that is not believed.
        let Some(now) = self.watch.believed() else {
            let later = self.clock.now().saturating_add(LOOK).unwrap_or(Timestamp::MAX);
            return Ok(self.store.put_back(claim, later).await?);
        };
        let ReportRecord { key, progress, .. } = record;
        let mut after = progress;
        let mut step = ReportStep {
            claim: Some(claim),
            key,
            made: None,
            warned: false,
            missed: false,
            notices: Vec::new(),
            next: None,
            now,
        };
        if let Some((status, _)) = progress.made {
            self.alarm(key, status, progress.is_taken, None).await;
        }
        match progress.todo(now) {
            Todo::Make => match reports::document(&self.store, &self.provider, key, now).await {
                Ok(made) => {
                    step.made = Some(made);
                    after.made = Some((Status::Pending, now));
                }
                // Switched off since it was planned; whoever switches it on again has it taken up.
                Err(ReportError::Off) => return Ok(self.store.commit_report(step).await?),
                Err(ReportError::Store(error)) => return Err(error.into()),
                Err(ReportError::Id(error)) => return Err(error.into()),
            },
            Todo::Warn => {
                (step.warned, after.is_warned) = (true, true);
                self.tell(&mut step, Topic::SERVICE_LEVEL_WARNING, "nobody has taken it yet");
            }
            Todo::Miss => {
                (step.missed, after.is_missed) = (true, true);
                self.tell(&mut step, Topic::SERVICE_LEVEL_BREACHED, "nobody took it in time");
            }
            Todo::Wait(_) | Todo::Close => {}
        }
        step.next = next(&after, now);
        Ok(self.store.commit_report(step).await?)
    }

    /// Raises the alarm about a report that did not get through, or ends it: with one that is taken
    /// and with the deadline, after which nobody takes one. `why` is known where the document has
    /// just ended.
    pub(super) async fn alarm(
        &self,
        key: ReportKey,
        status: Status,
        is_taken: bool,
        why: Option<&str>,
    ) {
        let kind = AlarmKind::REPORT_FAILED;
        let is_over = self.watch.believed().is_some_and(|now| now >= key.month.deadline());
        if is_over || is_taken || status == Status::Delivered {
            return self.alarms.end(kind, &key.subject()).await;
        }
        if !matches!(status, Status::Rejected | Status::Failed) {
            return;
        }
        let ReportKey { month, kind: report } = key;
        let why = why.map(|why| format!(": {}", why.trim_end_matches('.'))).unwrap_or_default();
        let message = format!(
            "The report {} about {month} did not get through ({status}){why}. It is due before {}.",
            report.as_str(),
            month.deadline(),
            status = status.as_str(),
        );
        let details = [("report", report.as_str()), ("month", &month.to_string())];
        self.alarms.raise(kind, &key.subject(), message, &details).await;
    }

    /// Ends the alarms about reports whose deadline is over, which nobody looks at any more.
    pub(super) async fn end_late_reports(&self) -> Result<(), quoin_store::Error> {
        let Some(now) = self.watch.believed() else { return Ok(()) };
        let kind = AlarmKind::REPORT_FAILED;
        for alarm in self.store.open_alarms_of(kind).await? {
            let key = ReportKey::of_subject(&alarm.subject);
            if key.is_some_and(|key| now >= key.month.deadline()) {
                self.alarms.end(kind, &alarm.subject).await;
            }
        }
        Ok(())
    }

    fn tell(&self, step: &mut ReportStep, topic: Topic, what: &str) {
        let ReportKey { month, kind } = step.key;
        let deadline = month.deadline();
        let message =
            format!("The report {} about {month} is due before {deadline}: {what}.", kind.as_str());
        let facts = [
            ("level", "report".to_owned()),
            ("report", kind.as_str().to_owned()),
            ("month", month.to_string()),
            ("dueOn", deadline.to_string()),
        ];
        let details: BTreeMap<String, String> =
            facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
        let subject = self.provider.subject(DocumentId::from_uuid(Uuid::now_v7()));
        step.notices.push((subject, Notice::new(topic, message, details)));
    }
}

/// When to look again. A document on its way is looked at more often than its report.
fn next(progress: &ReportProgress, now: Timestamp) -> Option<Timestamp> {
    let soon = now.saturating_add(LOOK).unwrap_or(Timestamp::MAX);
    match progress.todo(now) {
        Todo::Close => None,
        Todo::Wait(until) if progress.made.is_some() => Some(until.min(soon)),
        Todo::Wait(until) => Some(until),
        Todo::Make | Todo::Warn | Todo::Miss => Some(now),
    }
}
