//! Until when documents have to be registered that were issued since the system was not there: that
//! is known once it is there again.

use jiff::Timestamp;
use jiff::civil::{Date, time};
use quoin_ksef::offline::{
    Interruption, InterruptionKind, OfflineMode, mode_named, term, warsaw, warsaw_instant,
};
use quoin_store::ClearanceResult;

use super::ClearingRun;
use crate::step::StepFault;

impl ClearingRun<'_> {
    /// The terms of a batch of the offline mode, where they are others than on record: once, when
    /// the system is there again.
    pub(super) async fn terms(
        &mut self,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(), StepFault> {
        if !self.batch.offline || std::mem::replace(&mut self.memory.is_planned, true) {
            return Ok(());
        }
        let (now, announced) = (self.now(), self.client.interruptions().await);
        for record in &self.batch.documents {
            let known = (record.mode.as_deref(), record.issued, record.due_on);
            let Some((mode, due)) = due_of(known, &announced, now) else { continue };
            let found = self.worker.store.transaction(&record.transaction).await?;
            results.extend(found.map(|found| ClearanceResult {
                transaction: found.transaction,
                decision: None,
                state: record.state,
                authority_number: None,
                mode: Some((mode.word().to_owned(), Some(due))),
                evidence: Vec::new(),
            }));
        }
        Ok(())
    }
}

/// The term of a document by its mode and its day of issue, where it is known and is another one
/// than on record. An interruption that nobody tells of any more ended now at the latest.
fn due_of(
    (mode, issued, due_on): (Option<&str>, Date, Option<Timestamp>),
    announced: &[Interruption],
    now: Timestamp,
) -> Option<(OfflineMode, Timestamp)> {
    let mode = mode_named(mode?);
    let known = term(mode, issued, announced).end();
    let due = known.or_else(|| {
        let kind = match mode {
            OfflineMode::Unavailability => InterruptionKind::Maintenance,
            OfflineMode::Emergency => InterruptionKind::Failure,
            OfflineMode::Offline24 | OfflineMode::TotalFailure => return None,
        };
        let ended = Interruption { kind, start: begin_of(issued)?, end: Some(now) };
        term(mode, issued, &[ended]).end()
    })?;
    (due_on != Some(due)).then_some((mode, due))
}

fn begin_of(day: Date) -> Option<Timestamp> {
    warsaw_instant(day.to_datetime(time(0, 0, 0, 0))).filter(|start| warsaw(*start).date() == day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(
        mode: &'static str,
        due_on: Option<Timestamp>,
    ) -> (Option<&'static str>, Date, Option<Timestamp>) {
        (Some(mode), "2026-11-26".parse().unwrap(), due_on)
    }

    /// What was issued since the system was not there has a term from its end on: the one that was
    /// announced, else the moment at which it is seen to be there.
    #[test]
    fn a_term_begins_with_the_end_of_the_interruption() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let now = at("2026-11-30T10:00:00Z");
        let day = |found: Option<(OfflineMode, Timestamp)>| {
            found.map(|(_, due)| warsaw(due).date().to_string())
        };
        // Seven working days after Monday, and one; terms end at midnight.
        let emergency = record("emergency", None);
        assert_eq!(day(due_of(emergency, &[], now)).as_deref(), Some("2026-12-10"));
        let maintenance = record("unavailability", None);
        assert_eq!(day(due_of(maintenance, &[], now)).as_deref(), Some("2026-12-02"));
        // It had ended on Friday already.
        let friday = Interruption {
            kind: InterruptionKind::Failure,
            start: at("2026-11-26T08:00:00Z"),
            end: Some(at("2026-11-27T08:00:00Z")),
        };
        let announced = due_of(emergency, &[friday], now);
        assert_eq!(day(announced).as_deref(), Some("2026-12-09"));
        // What is on record already is not recorded again.
        let known = record("emergency", announced.map(|(_, due)| due));
        assert_eq!(due_of(known, &[friday], now), None);
        // A failure that began before the term of the issuer's own mode was over moves it.
        let own = record("offline24", Some(at("2026-11-27T23:00:00Z")));
        assert_eq!(day(due_of(own, &[friday], now)).as_deref(), Some("2026-12-09"));
        assert_eq!(due_of(own, &[], now), None);
        assert_eq!(due_of(record("total-failure", None), &[], now), None);
    }
}
