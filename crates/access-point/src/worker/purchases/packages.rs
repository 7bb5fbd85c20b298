//! Packages of invoices, which the system makes in its time where many are to come. One is under
//! way for a question; it is on record with its key before it is waited for.
//!
//! What is in a package is recorded document by document, each once by its number, and only then is
//! the time that it reaches on record: a service that ends between begins with the same package.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use bytes::Bytes;
use data_encoding::BASE64;
use jiff::Timestamp;
use quoin_ksef::api::{ExportPackage, ExportStatus, InvoiceExportRequest, KsefProblem, SAID};
use quoin_ksef::export::{
    ExportError, ExportVerdict, ExportedInvoice, export_verdict, half_of, is_too_large,
    opened_package, reached_by,
};
use quoin_ksef::package::{ArchiveError, SessionKey};
use quoin_ksef::steps::Trouble;
use quoin_model::text::cut;
use quoin_store::{Purchase, PurchasePackage, PurchasePlace};
use serde::{Deserialize, Serialize};

use super::LookEnd;
use super::questions::{TOO_FAR, purchase, question};
use crate::budget::Purpose;
use crate::ksef::KsefSessionCalls;
use crate::step::StepFault;
use crate::worker::Worker;
use crate::worker::clearing::EXPORT_REASON;

/// As many packages as are allowed are under way.
const AS_MANY_AS_ALLOWED: u32 = 21_182;

/// What became of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackageEnd {
    /// The system makes it.
    UnderWay,
    /// It was taken, or there is none.
    Gone,
}

/// What is remembered of a package while the system makes it.
#[derive(Debug, Serialize, Deserialize)]
struct PackageMemory {
    /// Key and vector, 48 bytes in base64.
    key: String,
    /// What was asked for.
    from: Timestamp,
    until: Option<Timestamp>,
}

impl PackageMemory {
    fn session_key(&self) -> Option<SessionKey> {
        let bytes = BASE64.decode(self.key.as_bytes()).ok()?;
        Some(SessionKey::from_random(bytes.try_into().ok()?))
    }
}

impl Worker {
    /// Asks the system for a package of a period; [`PackageEnd::Gone`] where it makes none.
    pub(super) async fn begin_package(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        (from, until): (Timestamp, Option<Timestamp>),
    ) -> Result<PackageEnd, LookEnd> {
        let mut random = [0; 48];
        if SystemRandom::new().fill(&mut random).is_err() {
            return Err(StepFault::Job("no randomness for a package".to_owned()).into());
        }
        let key = SessionKey::from_random(random);
        let encryption = calls.wrapped_key(&key).await.map_err(LookEnd::There)?;
        let filters = question(place, from, until);
        let request = InvoiceExportRequest {
            encryption,
            only_metadata: false,
            filters,
            compression_type: None,
        };
        let started = match calls.export(&request).await {
            Ok(started) => started,
            Err(Trouble::Refused(_, problem)) if problem.has(TOO_FAR) => {
                return Ok(PackageEnd::Gone);
            }
            Err(Trouble::Refused(_, problem)) if problem.has(AS_MANY_AS_ALLOWED) => {
                return Err(LookEnd::There(Trouble::Limited(Some(60))));
            }
            Err(Trouble::Refused(status, problem)) => {
                tracing::warn!(status, problem = problem.line(), "KSeF makes no package for us");
                return Ok(PackageEnd::Gone);
            }
            Err(trouble) => return Err(LookEnd::There(trouble)),
        };
        let memory = PackageMemory { key: BASE64.encode(&random), from, until };
        let memory = serde_json::to_vec(&memory).unwrap_or_default();
        let package = PurchasePackage { reference: started.reference_number, memory };
        self.store.note_package(place, Some(package), self.clock.now()).await?;
        Ok(PackageEnd::UnderWay)
    }

    /// Takes a package that is under way, once the system made it.
    pub(super) async fn take_package(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        package: PurchasePackage,
    ) -> Result<PackageEnd, LookEnd> {
        let memory: Option<PackageMemory> = serde_json::from_slice(&package.memory).ok();
        let opened = memory.and_then(|memory| Some((memory.session_key()?, memory)));
        let Some((key, memory)) = opened else { return self.given_up(place, None).await };
        let status = match calls.export_status(&package.reference).await {
            Ok(status) => status,
            // Nobody knows it any more.
            Err(Trouble::Refused(status, problem)) => {
                let line = problem.line();
                tracing::warn!(status, line, reference = package.reference, "a package is gone");
                return self.given_up(place, None).await;
            }
            Err(trouble) => return Err(LookEnd::There(trouble)),
        };
        match export_verdict(&status.status) {
            ExportVerdict::Wait => Ok(PackageEnd::UnderWay),
            ExportVerdict::Nothing => self.given_up(place, None).await,
            // It was there for days, and nobody came: another one.
            ExportVerdict::Anew if status.status.code == 210 => self.given_up(place, None).await,
            ExportVerdict::Anew => {
                let problem = KsefProblem {
                    reason: Some(format!("{EXPORT_REASON}{}", status.status.code)),
                    detail: status.status.line(),
                    ..KsefProblem::default()
                };
                let trouble = Trouble::Refused(status.status.code, problem);
                self.given_up(place, Some(trouble)).await
            }
            ExportVerdict::Take => self.taken(calls, place, (status, key, memory)).await,
        }
    }

    /// The package is forgotten; the next question asks anew.
    async fn given_up(
        &self,
        place: &PurchasePlace,
        trouble: Option<Trouble>,
    ) -> Result<PackageEnd, LookEnd> {
        self.store.note_package(place, None, self.clock.now()).await?;
        trouble.map_or(Ok(PackageEnd::Gone), |trouble| Err(LookEnd::There(trouble)))
    }

    async fn taken(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        (status, key, memory): (ExportStatus, SessionKey, PackageMemory),
    ) -> Result<PackageEnd, LookEnd> {
        let Some(told) = status.package else { return Err(LookEnd::There(Trouble::Unreadable)) };
        let Some(_place) = calls.client.package_place().await else {
            return Ok(PackageEnd::UnderWay);
        };
        let opened = match is_too_large(&told) {
            true => Err(ExportError::Archive(ArchiveError::TooLarge)),
            false => {
                let mut parts = Vec::with_capacity(told.parts.len());
                for part in &told.parts {
                    // A link that is good no more comes anew with the next status.
                    parts.push(calls.export_part(part).await.map_err(LookEnd::There)?);
                }
                self.opened(place, told.clone(), parts, key).await?
            }
        };
        let invoices = match opened {
            Ok(invoices) => invoices,
            Err(ExportError::Archive(ArchiveError::TooLarge)) => {
                let now = self.clock.now();
                let end = memory.until.or(told.permanent_storage_hwm_date);
                let middle = half_of(memory.from, end.map_or(now, |end| end.min(now)));
                tracing::info!(size = told.size, ?middle, "a package of KSeF is too large");
                let Some(middle) = middle else { return self.not_whole(place, "too large").await };
                let half = (memory.from, Some(middle));
                return match self.begin_package(calls, place, half).await? {
                    PackageEnd::UnderWay => Ok(PackageEnd::UnderWay),
                    PackageEnd::Gone => self.given_up(place, None).await,
                };
            }
            Err(error) => return self.not_whole(place, &error.to_string()).await,
        };
        // One that reaches nothing new would be asked for for ever.
        let reached = reached_by(&told, memory.until, self.clock.now()).filter(|reached| {
            !told.is_truncated || reached.as_microsecond() > memory.from.as_microsecond()
        });
        let Some(reached) = reached else {
            return self.not_whole(place, "it does not say how far it reaches").await;
        };
        let mut taken: Vec<Purchase> = Vec::with_capacity(invoices.len());
        for ExportedInvoice { metadata, xml } in invoices {
            let Some(named) = purchase(&metadata) else {
                return self.not_whole(place, "an invoice without a digest").await;
            };
            self.record_purchase(place, &named, xml.into()).await?;
            taken.push(named);
        }
        let count = taken.len();
        self.store.package_taken(place, taken, reached, self.clock.now()).await?;
        let party = self.name_of(&place.organisation, &place.party).await;
        tracing::info!(count, party, "a package of purchases of KSeF was taken");
        Ok(PackageEnd::Gone)
    }

    async fn opened(
        &self,
        place: &PurchasePlace,
        told: ExportPackage,
        parts: Vec<Bytes>,
        key: SessionKey,
    ) -> Result<Result<Vec<ExportedInvoice>, ExportError>, LookEnd> {
        let work = move || opened_package(&told, &parts, &key);
        let who = place.organisation.as_str();
        Ok(self.budgets.pool.run(Purpose::Validate, who, work).await?)
    }

    /// Nothing of a package that is not whole is used.
    async fn not_whole(&self, place: &PurchasePlace, why: &str) -> Result<PackageEnd, LookEnd> {
        let party = self.name_of(&place.organisation, &place.party).await;
        // It may repeat a name of the package, however long that is.
        let why = &*cut(why, SAID);
        tracing::error!(why, party, "a package of KSeF cannot be used");
        let problem = KsefProblem {
            reason: Some("own.package".to_owned()),
            detail: why.to_owned(),
            ..KsefProblem::default()
        };
        self.given_up(place, Some(Trouble::Refused(200, problem))).await
    }
}
