//! Documents that are issued without the system: each gets its page with both codes and leaves; it
//! goes to the system in a batch of its own once that is there again.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::TransactionId;
use quoin_ksef::offline::{OfflineMode, mode_named, next_midnight, term};
use quoin_ksef::outcome::KsefOutcome;
use quoin_store::{Claim, ClearanceAgain, ClearanceResult, ClearanceState, EvidenceKind};

use super::results::PART;
use super::{CHUNK, ClearingRun, Walked, explained_own};
use crate::ksef::offline_links;
use crate::step::StepFault;

/// When a system that was not there is tried again.
const TRIED_AGAIN: SignedDuration = SignedDuration::from_mins(5);

impl ClearingRun<'_> {
    /// A part of the documents; the rest follows.
    pub(super) async fn issue_offline(
        &mut self,
        claim: &Claim,
        results: &mut Vec<ClearanceResult>,
        again: &mut Vec<ClearanceAgain>,
    ) -> Result<Walked, StepFault> {
        let mode = mode_named(self.memory.offline.as_deref().unwrap_or_default());
        let documents = self.batch.documents.clone();
        let part = documents.iter().skip(self.memory.done).take(CHUNK);
        let mut left: Vec<TransactionId> = Vec::new();
        for record in part {
            self.memory.done += 1;
            if self.memory.done.is_multiple_of(PART) {
                self.goes_on(claim).await?;
            }
            let settings = self.client.settings().clone();
            let seller = (record.seller.as_str(), record.issued);
            let xml = self.form(record).await?;
            let links = offline_links(&settings, &self.account, seller, &xml);
            let page = match links {
                Ok(links) => self.page(xml, links).await?,
                Err(why) => {
                    tracing::error!(why, "the codes of a document could not be signed");
                    None
                }
            };
            let due = term(mode, record.issued, &[]).end();
            let mut news =
                self.news(KsefOutcome::Offline, "ksef-unavailable", explained_own("offline", ""));
            news.details.insert("clearanceMode".to_owned(), mode.word().to_owned());
            if let Some(due) = due {
                news.details.insert("clearanceDueOn".to_owned(), due.to_string());
            }
            let Some(mut result) = self.result(record, ClearanceState::Offline, news).await? else {
                continue;
            };
            result.mode = Some((mode.word().to_owned(), due));
            result.evidence.extend(page.map(|page| (EvidenceKind::CodedPage, page)));
            results.push(result);
            left.push(record.transaction.clone());
        }
        if mode != OfflineMode::TotalFailure && !left.is_empty() {
            let at = self.back_again(mode);
            again.push(ClearanceAgain { offline: true, at, memory: None, documents: left });
        }
        Ok(match self.memory.done >= documents.len() {
            true => Walked::Done,
            false => Walked::Offline,
        })
    }

    /// When the documents go: after midnight where only the day was over.
    fn back_again(&self, mode: OfflineMode) -> Timestamp {
        let now = self.now();
        match mode {
            OfflineMode::Offline24 if self.memory.offline.is_some() => next_midnight(now),
            _ => now.saturating_add(TRIED_AGAIN).unwrap_or(now),
        }
    }
}
