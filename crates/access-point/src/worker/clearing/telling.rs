//! The last steps: what became of each document is told, and the batch is done.

use std::collections::HashSet;

use quoin_ksef::explain::{CodePlace, explain};
use quoin_ksef::outcome::KsefOutcome;
use quoin_ksef::steps::Step;
use quoin_model::Language;
use quoin_store::{ClearanceRecord, ClearanceResult, ClearanceState};

use super::results::Again;
use super::{ClearingRun, DISPATCH, Walked, explained, explained_own};
use crate::ksef::{RowEnd, SessionRow};
use crate::step::StepFault;

impl ClearingRun<'_> {
    /// `Dispatch`: what became of each is told, and what was not taken goes again.
    pub(super) async fn dispatch(
        &mut self,
        results: &mut Vec<ClearanceResult>,
        again: &mut Vec<Again>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + DISPATCH).min(self.memory.rows.len());
        let rows: Vec<SessionRow> =
            self.memory.rows.get(self.memory.done..end).unwrap_or_default().to_vec();
        self.memory.done = end;
        let mut repeated = Vec::new();
        for row in &rows {
            let Some(record) = self.record(row) else { continue };
            let own = self.told(&record, row).await?;
            if row.end == RowEnd::Again {
                repeated.push(record.transaction.clone());
            }
            results.extend(own);
        }
        if end < self.memory.rows.len() {
            return Ok(Walked::Next(Step::Dispatch, self.now()));
        }
        // What the system does not name goes again, too.
        let rows = self.memory.rows.iter();
        let named: HashSet<&str> = rows.map(|row| row.transaction.as_str()).collect();
        let is_named = |record: &ClearanceRecord| named.contains(record.transaction.as_str());
        let missing = self.batch.documents.iter().filter(|record| !is_named(record));
        repeated.extend(missing.map(|record| record.transaction.clone()));
        if !repeated.is_empty() {
            again.push((self.batch.offline, self.next_poll(), repeated));
        }
        Ok(Walked::Next(Step::Finalize, self.now()))
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
                (KsefOutcome::Failed, "ksef-document", text)
            }
            RowEnd::Again => {
                let text = explained(CodePlace::Invoice, &row.code.to_string(), &row.line);
                (KsefOutcome::Unavailable, "ksef-unavailable", text)
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
