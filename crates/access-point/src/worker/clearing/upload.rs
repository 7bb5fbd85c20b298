//! The first two steps: a batch is packed, handed over and closed; and its session is asked for
//! until it is processed.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use bytes::Bytes;
use quoin_ksef::api::Availability;
use quoin_ksef::offline::{OfflineMode, is_past_cut_off};
use quoin_ksef::outcome::KsefOutcome;
use quoin_ksef::package::{
    BatchPackage, PART_BYTES, PackageError, PackageInvoice, SessionKey, batch_request, pack,
};
use quoin_ksef::steps::{SESSION_CLOSED, SessionVerdict, Step, Trouble, anew_at, session_verdict};
use quoin_store::{Claim, ClearanceAgain, ClearanceRecord, ClearanceResult, ClearanceState};

use super::{ClearingRun, SESSION_REASON, Walked, explained_own};
use crate::budget::Purpose;
use crate::step::StepFault;

/// Bytes of the documents of a package at most, though the system takes 5 GB: a package lies in
/// memory.
const PACKAGE_BYTES: usize = 64 << 20;

impl ClearingRun<'_> {
    /// Upload: package, open, put the parts, close. The key and the session are remembered before
    /// anything depends on them.
    pub(super) async fn upload(
        &mut self,
        claim: &Claim,
        results: &mut Vec<ClearanceResult>,
        again: &mut Vec<ClearanceAgain>,
    ) -> Result<Walked, StepFault> {
        if let Some(mode) = self.without_system().await {
            if self.batch.offline {
                self.memory.is_away = true;
                return Ok(Walked::Away);
            }
            self.memory.offline = Some(mode.word().to_owned());
            return Ok(Walked::Offline);
        }
        if std::mem::take(&mut self.memory.is_away) {
            // That it was not there is over.
            self.batch.failed = 0;
        }
        self.terms(results).await?;
        if self.memory.key().is_none() {
            self.set_lost_apart(results).await?;
            let mut random = [0; 48];
            if SystemRandom::new().fill(&mut random).is_err() {
                return Err(StepFault::Job("no randomness for a session key".to_owned()));
            }
            self.memory.set_key(&random);
            self.memory.online = self.goes_online().await?;
            // Remembered first, so that a repeat uploads the same bytes.
            return Ok(Walked::Prepared);
        }
        let Some(key) = self.memory.key() else { return Ok(Walked::Done) };
        if self.memory.online {
            return self.upload_online(claim, &key).await;
        }
        let (files, fit) = self.files().await?;
        if fit < self.batch.documents.len() && self.memory.session.is_none() {
            // What does not lie in memory at once goes in a batch of its own.
            self.set_apart(fit, again);
            return Ok(Walked::Next(Step::Upload, self.now()));
        }
        let package = match self.package(files, key.clone()).await? {
            Ok(package) => package,
            Err(error) => return Err(StepFault::Job(format!("a package for KSeF: {error}"))),
        };
        Ok(match self.handed_over(claim, package, &key).await? {
            Ok(true) => Walked::Next(Step::Status, self.next_poll()),
            // The session is remembered; what it takes comes next.
            Ok(false) => Walked::Next(Step::Upload, self.now()),
            Err(trouble) => Walked::Trouble(trouble),
        })
    }

    /// Documents whose bytes are not there any more, which is told of each: the others go without
    /// them.
    async fn set_lost_apart(
        &mut self,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<(), StepFault> {
        let lost = self.worker.store.clearances_without_form(&self.batch.id).await?;
        let is_lost = |record: &ClearanceRecord| lost.contains(&record.transaction);
        for record in self.batch.documents.iter().filter(|record| is_lost(record)) {
            let text = explained_own("lost", "");
            let news = self.news(KsefOutcome::Failed, "ksef-fault", text);
            results.extend(self.result(record, ClearanceState::Failed, news).await?);
        }
        self.batch.documents.retain(|record| !is_lost(record));
        Ok(())
    }

    /// Why the documents are issued without the system, where they are.
    async fn without_system(&self) -> Option<OfflineMode> {
        if self.memory.session.is_some() {
            return None;
        }
        match self.client.availability().await {
            Availability::Maintenance => return Some(OfflineMode::Unavailability),
            Availability::Failure => return Some(OfflineMode::Emergency),
            Availability::TotalFailure => return Some(OfflineMode::TotalFailure),
            Availability::Available | Availability::Unknown => {}
        }
        let (now, margin) = (self.now(), self.client.settings().cut_off);
        let is_late = |issued| is_past_cut_off(issued, now, margin);
        let late = self.batch.documents.iter().any(|record| is_late(record.issued));
        (late && !self.batch.offline).then_some(OfflineMode::Offline24)
    }

    /// The documents of the batch as far as they fit in a package, and how many those are; one is
    /// always taken.
    async fn files(&self) -> Result<(Vec<(String, Bytes)>, usize), StepFault> {
        let mut files: Vec<(String, Bytes)> = Vec::with_capacity(self.batch.documents.len());
        let mut size = 0;
        let is_open = self.memory.session.is_some();
        for record in &self.batch.documents {
            let bytes = self.form(record).await?;
            size += bytes.len();
            if size > PACKAGE_BYTES && !files.is_empty() && !is_open {
                break;
            }
            files.push((format!("{}.xml", record.transaction), bytes));
        }
        let fit = files.len();
        Ok((files, fit))
    }

    /// All documents but the first ones go in a batch of their own, at once.
    fn set_apart(&self, first: usize, again: &mut Vec<ClearanceAgain>) {
        let rest = self.batch.documents.iter().skip(first);
        let documents = rest.map(|record| record.transaction.clone()).collect();
        let (offline, at) = (self.batch.offline, self.now());
        let memory = Some(self.memory.counts().bytes());
        again.push(ClearanceAgain { offline, at, memory, documents });
    }

    async fn package(
        &self,
        files: Vec<(String, Bytes)>,
        key: SessionKey,
    ) -> Result<Result<BatchPackage, PackageError>, StepFault> {
        let work = move || {
            let invoices: Vec<PackageInvoice<'_>> =
                files.iter().map(|(name, xml)| PackageInvoice { name, xml }).collect();
            pack(&invoices, &key, PART_BYTES)
        };
        let who = self.batch.organisation.as_str();
        let pool = &self.worker.budgets.pool;
        Ok(pool.run(Purpose::Validate, who, work).await?)
    }

    /// Whether everything is handed over and closed; `false` where the session was only opened.
    async fn handed_over(
        &mut self,
        claim: &Claim,
        package: BatchPackage,
        key: &SessionKey,
    ) -> Result<Result<bool, Trouble>, StepFault> {
        let Some(session) = self.memory.session.clone() else {
            return Ok(self.opened(&package, key).await.map(|()| false));
        };
        let uploads = self.memory.uploads.clone();
        for (upload, part) in uploads.iter().zip(package.parts) {
            if let Err(trouble) = self.calls().put(upload, part.into()).await {
                // Its address is good no more, or the session was closed before.
                if !matches!(trouble, Trouble::Refused(..) | Trouble::Unauthorized) {
                    return Ok(Err(trouble));
                }
                break;
            }
            self.goes_on(claim).await?;
        }
        Ok(match self.calls().close(&session).await {
            Ok(()) => Ok(true),
            Err(Trouble::Refused(_, problem)) if problem.has(SESSION_CLOSED) => Ok(true),
            Err(trouble) => Err(trouble),
        })
    }

    async fn opened(&mut self, package: &BatchPackage, key: &SessionKey) -> Result<(), Trouble> {
        let wrapped = self.calls().wrapped_key(key).await?;
        let request = batch_request(package, wrapped, self.batch.offline);
        let opened = self.calls().open(&request).await?;
        self.memory.session = Some(opened.reference_number);
        self.memory.uploads = opened.part_upload_requests;
        Ok(())
    }

    /// Status: asked until it is processed.
    pub(super) async fn status(&mut self, again: &mut Vec<ClearanceAgain>) -> Walked {
        let Some(session) = self.memory.session.clone() else {
            return Walked::Next(Step::Upload, self.now());
        };
        let status = match self.calls().status(&session).await {
            Ok(status) => status.status,
            Err(trouble) => return Walked::Trouble(trouble),
        };
        let now = self.now();
        let anew = anew_at(self.memory.sessions, now);
        match session_verdict(&status) {
            SessionVerdict::Wait => Walked::Next(Step::Status, self.next_poll()),
            SessionVerdict::Read => Walked::Next(Step::RetrieveInvoices, now),
            // The system takes fewer than we believed: half of them go in a batch of their own.
            SessionVerdict::Split if self.batch.documents.len() > 1 => {
                let half = self.batch.documents.len() / 2;
                tracing::info!(session, half, "a session of KSeF was too large");
                self.set_apart(half, again);
                self.memory.begin_smaller();
                Walked::Next(Step::Upload, now)
            }
            SessionVerdict::Anew | SessionVerdict::AnewWithKey | SessionVerdict::Split
                if anew.is_some() =>
            {
                tracing::info!(session, code = status.code, "a session of KSeF came to nothing");
                self.memory.begin_anew();
                Walked::Next(Step::Upload, anew.unwrap_or(now))
            }
            _ => {
                let (code, line) = (status.code, status.line());
                tracing::error!(session, code, line, "KSeF did not take a package");
                let problem = quoin_ksef::api::KsefProblem {
                    detail: line,
                    reason: Some(format!("{SESSION_REASON}{code}")),
                    ..Default::default()
                };
                Walked::Refused(Trouble::Refused(status.code, problem))
            }
        }
    }
}
