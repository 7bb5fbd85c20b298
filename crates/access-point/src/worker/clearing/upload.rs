//! The first two steps: a batch is packed, handed over and closed; and its session is asked for
//! until it is processed.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use bytes::Bytes;
use quoin_ksef::api::{Availability, symmetric_key_certificate};
use quoin_ksef::offline::{OfflineMode, is_past_cut_off};
use quoin_ksef::package::{
    BatchPackage, PART_BYTES, PackageError, PackageInvoice, SessionKey, batch_request, pack,
};
use quoin_ksef::steps::{SESSION_CLOSED, SessionVerdict, Step, Trouble, session_verdict};
use quoin_store::Claim;

use super::{ClearingRun, PATIENCE, SESSIONS, Walked};
use crate::budget::Purpose;
use crate::step::{LEASE, StepFault};

impl ClearingRun<'_> {
    /// Upload: package, open, put the parts, close. The key and the session are remembered before
    /// anything depends on them.
    pub(super) async fn upload(&mut self, claim: &Claim) -> Result<Walked, StepFault> {
        if let Some(mode) = self.without_system().await {
            if self.batch.offline {
                return Ok(Walked::Trouble(Trouble::NoAnswer));
            }
            self.memory.offline = Some(mode.word().to_owned());
            return Ok(Walked::Offline);
        }
        if self.memory.key().is_none() {
            let mut random = [0; 48];
            if SystemRandom::new().fill(&mut random).is_err() {
                return Err(StepFault::Job("no randomness for a session key".to_owned()));
            }
            self.memory.set_key(&random);
            // Remembered first, so that a repeat uploads the same bytes.
            return Ok(Walked::Next(Step::Upload, self.now()));
        }
        let Some(key) = self.memory.key() else { return Ok(Walked::Done) };
        let package = match self.package(key.clone()).await? {
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

    async fn package(
        &self,
        key: SessionKey,
    ) -> Result<Result<BatchPackage, PackageError>, StepFault> {
        let mut files: Vec<(String, Bytes)> = Vec::with_capacity(self.batch.documents.len());
        for record in &self.batch.documents {
            let found = self.worker.store.blob(&record.organisation, record.form).await?;
            let bytes = found.ok_or_else(|| StepFault::Missing(record.transaction.to_string()))?;
            files.push((format!("{}.xml", record.transaction), bytes));
        }
        let work = move || {
            let invoices: Vec<PackageInvoice<'_>> =
                files.iter().map(|(name, xml)| PackageInvoice { name, xml }).collect();
            pack(&invoices, &key, PART_BYTES)
        };
        let who = self.batch.organisation.as_str();
        let pool = &self.worker.budgets.pool;
        Ok(pool.run(Purpose::Validate, who, PATIENCE, work).await?)
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
            let until = self.now().saturating_add(LEASE).unwrap_or_else(|_| self.now());
            self.worker.store.extend(claim, until).await?;
        }
        Ok(match self.calls().close(&session).await {
            Ok(()) => Ok(true),
            Err(Trouble::Refused(_, problem)) if problem.has(SESSION_CLOSED) => Ok(true),
            Err(trouble) => Err(trouble),
        })
    }

    async fn opened(&mut self, package: &BatchPackage, key: &SessionKey) -> Result<(), Trouble> {
        let keys = self.calls().public_keys().await?;
        let certificate =
            symmetric_key_certificate(&keys, self.now()).ok_or(Trouble::Unreadable)?;
        let wrapped = key.wrapped(certificate).map_err(|_| Trouble::Unreadable)?;
        let request = batch_request(package, wrapped, self.batch.offline);
        let opened = self.calls().open(&request).await?;
        self.memory.session = Some(opened.reference_number);
        self.memory.uploads = opened.part_upload_requests;
        Ok(())
    }

    /// Status: asked until it is processed.
    pub(super) async fn status(&mut self) -> Walked {
        let Some(session) = self.memory.session.clone() else {
            return Walked::Next(Step::Upload, self.now());
        };
        let status = match self.calls().status(&session).await {
            Ok(status) => status.status,
            Err(trouble) => return Walked::Trouble(trouble),
        };
        let now = self.now();
        match session_verdict(&status) {
            SessionVerdict::Wait => Walked::Next(Step::Status, self.next_poll()),
            SessionVerdict::Read => Walked::Next(Step::RetrieveInvoices, now),
            SessionVerdict::Anew | SessionVerdict::AnewWithKey | SessionVerdict::Split
                if self.memory.sessions < SESSIONS =>
            {
                tracing::info!(session, code = status.code, "a session of KSeF came to nothing");
                self.memory.begin_anew();
                Walked::Next(Step::Upload, self.next_poll())
            }
            _ => {
                let reason = format!("session {}: {}", status.code, status.line());
                tracing::error!(session, reason, "KSeF did not take a package");
                let problem = quoin_ksef::api::KsefProblem {
                    errors: vec![quoin_ksef::api::ProblemError {
                        code: status.code.into(),
                        description: reason,
                        details: Vec::new(),
                    }],
                    ..Default::default()
                };
                Walked::Trouble(Trouble::Refused(status.code, problem))
            }
        }
    }
}
