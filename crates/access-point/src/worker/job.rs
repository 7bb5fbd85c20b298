//! Bulk jobs: one step at a time. Here it is worked out what is to be done for each party of a
//! step; the store does it, or tries it and takes it back, in one commit with how far the job is.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::stream::{self, StreamExt};
use quoin_delivery::jobs::{JobKind, SmpLocation, foresee};
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sml::SmpBase;
use quoin_store::{Claim, Job, JobChange, JobLine, JobStep, JobTry, JobWork};

use super::Worker;
use crate::config::{EndUserVerification, OWN_ENDPOINT};
use crate::endpoints::Endpoints;
use crate::enrolment::{
    ChangeRequester, EnrolmentError, JobSettings, new_key, of_line, recorded_code,
};
use crate::identity::Rollover;
use crate::step::StepFault;

/// Parties that are looked up for a preview at a time.
const LOOKS: usize = 16;
/// Time for the look-ups of one step, well within the lease of its task.
const LOOK_TIME: Duration = Duration::from_secs(120);

/// What bulk jobs need besides the store.
pub struct Bulk {
    /// The endpoints that can be published.
    pub endpoints: Endpoints,
    /// Our access point, with the keys it has.
    pub own: Rollover<Arc<OwnIdentity>>,
    /// How it is known that a party was verified.
    pub verification: EndUserVerification,
    /// The address of our SMP, where there is one.
    pub smp: Option<SmpBase>,
}

/// What is kept of a step that failed on our own side; its cause is in the log.
const FAILED: &str = "the request could not be completed and may be repeated";
/// The code of a job that asks for something impossible.
const BAD_JOB: &str = "API400.Job";

/// Why nothing can be done for a party.
enum No {
    /// A refusal: a code and a sentence.
    Refused(String, String),
    /// A fault of ours is no verdict on the party: the whole step is done again.
    Fault,
}

impl From<EnrolmentError> for No {
    fn from(error: EnrolmentError) -> No {
        if error.is_fault() {
            tracing::error!(cause = %error, "a request failed");
            return No::Fault;
        }
        No::Refused(error.code().to_owned(), error.to_string())
    }
}

impl Worker {
    /// Takes the next step of a job, if it takes one.
    pub(super) async fn job(&self, claim: Claim, work: Option<JobWork>) -> Result<(), StepFault> {
        let now = self.clock.now();
        let Some(work) = work else { return Ok(self.store.rest_job(claim, now).await?) };
        match &work.step {
            JobStep::Plan(lines) => {
                let mut tries = self.tries(&work.job, lines).await?;
                if JobSettings::of(&work.job.settings).is_ok_and(|kept| kept.ask_network) {
                    self.ask_network(work.job.kind, &mut tries).await;
                }
                self.store.plan_job(claim, work, tries, recorded_code, now).await?;
            }
            JobStep::Run(lines) => {
                let tries = self.tries(&work.job, lines).await?;
                self.store.run_job(claim, work.job, tries, recorded_code, now).await?;
            }
            JobStep::Settle => self.store.settle_job(claim, work.job, now).await?,
        }
        Ok(())
    }

    async fn tries(&self, job: &Job, lines: &[JobLine]) -> Result<Vec<JobTry>, StepFault> {
        let settings = JobSettings::of(&job.settings);
        if let Err(cause) = &settings {
            tracing::error!(%cause, "a request failed");
        }
        let mut tries = Vec::with_capacity(lines.len());
        for line in lines {
            let change = match &settings {
                Ok(settings) => self.change(job, settings, line).await,
                Err(_) => Err(No::Fault),
            };
            let change = match change {
                Ok(change) => Ok(change),
                Err(No::Refused(code, sentence)) => Err((code, sentence)),
                Err(No::Fault) => return Err(StepFault::Job(FAILED.to_owned())),
            };
            let JobLine { position, participant, line } = line.clone();
            tries.push(JobTry { position, participant, line, change, foreseen: None });
        }
        Ok(tries)
    }

    /// Asks DNS, and the SMPs of others, about the parties for which something can be done.
    async fn ask_network(&self, kind: JobKind, tries: &mut [JobTry]) {
        let end = tokio::time::Instant::now() + LOOK_TIME;
        let mut asked: Vec<(usize, ParticipantId)> = Vec::new();
        for (at, one) in tries.iter().enumerate() {
            // A party that is named by something else than an identifier is nobody's in the SML.
            if let (Ok(_), Ok(id)) = (&one.change, one.participant.parse()) {
                asked.push((at, id));
            }
        }
        let looks = asked.into_iter().map(|(at, id)| self.look(at, id, end).boxed());
        let found: Vec<(usize, SmpLocation)> =
            stream::iter(looks).buffer_unordered(LOOKS).collect().await;
        for (at, whereabouts) in found {
            if let Some(one) = tries.get_mut(at) {
                one.foreseen = foresee(kind, &whereabouts);
            }
        }
    }

    async fn look(
        &self,
        at: usize,
        id: ParticipantId,
        end: tokio::time::Instant,
    ) -> (usize, SmpLocation) {
        let look = self.lookup.whereabouts(&id, self.bulk.smp.as_ref());
        let late = || SmpLocation::Unknown("too many did not answer in time".to_owned());
        (at, tokio::time::timeout_at(end, look).await.unwrap_or_else(|_| late()))
    }

    async fn change(
        &self,
        job: &Job,
        settings: &JobSettings,
        line: &JobLine,
    ) -> Result<JobChange, No> {
        match job.kind {
            JobKind::Enrol | JobKind::MigrateIn => {
                let asker = ChangeRequester {
                    store: &self.store,
                    organisation: &job.organisation,
                    account: &job.created_by,
                    now: self.clock.now(),
                };
                let enrolled = of_line(&asker, job.kind, settings, line, self.bulk.verification);
                Ok(JobChange::Enrol(Box::new(enrolled.await?)))
            }
            JobKind::Withdraw => Ok(JobChange::Withdraw),
            JobKind::MigrateOut => Ok(JobChange::Leave(new_key()?)),
            JobKind::Capabilities => Ok(JobChange::Capabilities(settings.capabilities.clone())),
            JobKind::Endpoint | JobKind::Certificate => {
                let name = settings.endpoint.as_deref().unwrap_or(OWN_ENDPOINT);
                let Bulk { endpoints, own, .. } = &self.bulk;
                let now = self.clock.now();
                let fits = endpoints.check(job.kind, name, Some(own.at(now)), now);
                fits.map_err(|why| No::Refused(BAD_JOB.to_owned(), why))?;
                Ok(JobChange::Endpoint((name != OWN_ENDPOINT).then(|| name.to_owned())))
            }
        }
    }
}
