//! The last steps: what became of each document is told, and the batch is done.

use quoin_ksef::explain::{CodePlace, explain};
use quoin_ksef::outcome::KsefOutcome;
use quoin_ksef::steps::{AGAIN_TIMES, Step, again_at, is_our_defect};
use quoin_model::Language;
use quoin_store::{ClearanceAgain, ClearanceRecord, ClearanceResult, ClearanceState};

use super::{ClearingRun, DISPATCH, Walked, explained, explained_own};
use crate::ksef::{RowEnd, SessionRow};
use crate::step::StepFault;

/// What the system calls an invoice whose seller, kind and number it has already.
const DUPLICATE: u16 = 440;

impl ClearingRun<'_> {
    /// `Dispatch`: what became of each is told, and what was not taken goes again.
    pub(super) async fn dispatch(
        &mut self,
        results: &mut Vec<ClearanceResult>,
        again: &mut Vec<ClearanceAgain>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + DISPATCH).min(self.memory.rows.len());
        let rows: Vec<SessionRow> =
            self.memory.rows.get(self.memory.done..end).unwrap_or_default().to_vec();
        self.memory.done = end;
        for row in &rows {
            let Some(record) = self.record(row) else { continue };
            results.extend(self.told(&record, row).await?);
        }
        if end < self.memory.rows.len() {
            return Ok(Walked::Next(Step::Dispatch, self.now()));
        }
        let rows = self.memory.rows.iter().filter(|row| row.end == RowEnd::Again);
        let records = rows.filter(|row| self.goes_again(row)).filter_map(|row| self.record(row));
        let documents: Vec<_> = records.map(|record| record.transaction).collect();
        if !documents.is_empty() {
            let memory = self.memory.of_again().bytes();
            let (offline, at) = (self.batch.offline, again_at(self.memory.times, self.now()));
            again.push(ClearanceAgain { offline, at, memory: Some(memory), documents });
        }
        Ok(Walked::Next(Step::Finalize, self.now()))
    }

    /// Whether what the system could not process goes again: what was issued without it has to be
    /// registered, however long that takes, and of a duplicate it has to be known whether it is.
    fn goes_again(&self, row: &SessionRow) -> bool {
        self.batch.offline || row.code == DUPLICATE || self.memory.times < AGAIN_TIMES
    }

    /// What is told of a document.
    async fn told(
        &self,
        record: &ClearanceRecord,
        row: &SessionRow,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        let registered = match self.batch.offline {
            true => KsefOutcome::RegisteredLater,
            false => KsefOutcome::Registered,
        };
        let number = row.ksef_number.clone().unwrap_or_default();
        let (outcome, code, message) = match row.end {
            RowEnd::Registered | RowEnd::Numbered | RowEnd::Duplicate => {
                let text = explain(CodePlace::Own, "registered", Language::En);
                (registered, "", text.unwrap_or_default().replacen("{}", &number, 1))
            }
            RowEnd::Doubtful => {
                let found = format!("{number}: {}", row.line);
                (registered, "ksef-fault", explained_own("upo", &found))
            }
            RowEnd::Other => {
                let found = format!("KSeF {}: {}", row.code, row.line);
                (KsefOutcome::Failed, "ksef-duplicate", explained_own("duplicate", &found))
            }
            RowEnd::Refused => {
                let text = explained(CodePlace::Invoice, &row.code.to_string(), &row.line);
                // An online session says so of one document at its call.
                let places = [CodePlace::Invoice, CodePlace::Call];
                let is_ours = places.iter().any(|place| is_our_defect(*place, row.code.into()));
                let code = if is_ours { "ksef-defect" } else { "ksef-document" };
                (KsefOutcome::Failed, code, text)
            }
            RowEnd::Again => {
                let text = explained(CodePlace::Invoice, &row.code.to_string(), &row.line);
                match self.goes_again(row) {
                    // Told often enough.
                    true if self.memory.times >= AGAIN_TIMES => return Ok(None),
                    true => (KsefOutcome::Unavailable, "ksef-unavailable", text),
                    false => {
                        let found = format!("KSeF {}: {}", row.code, row.line);
                        (KsefOutcome::Failed, "ksef-refused", explained_own("too-often", &found))
                    }
                }
            }
        };
        let state = match outcome {
            KsefOutcome::Failed => ClearanceState::Failed,
            KsefOutcome::Unavailable => record.state,
            _ => ClearanceState::Registered,
        };
        let mut news = self.news(outcome, code, message);
        if state == ClearanceState::Registered {
            news.details.insert("ksefNumber".to_owned(), number.clone());
        }
        let result = self.result(record, state, news).await?;
        let known = (state == ClearanceState::Registered).then_some(number);
        Ok(result.map(|result| ClearanceResult { authority_number: known, ..result }))
    }

    /// `Finalize`: the key is forgotten with the memory, the signing in is kept for the next batch
    /// of the hour and ended where nothing else is under way.
    pub(super) async fn finalize(&mut self) -> Walked {
        self.client.sign_out(&self.account).await;
        Walked::Done
    }
}
