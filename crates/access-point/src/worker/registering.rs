//! What a register outside is to hold: one try, and what follows from the answer. Tries that can be
//! made together are claimed together, since a register takes a hundred names as fast as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::join_all;
use quoin_delivery::TaskKind;
use quoin_delivery::ids::jitter;
use quoin_delivery::registration::{
    DesiredState, Register, RegistrationOutcome, RegistrationProgress, RegistrationTry,
    decide_leaving, decide_registration,
};
use quoin_peppol::identifiers::{IdentifierError, ParticipantId};
use quoin_store::{Claim, Registration, Secret, Work};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{TROUBLE, Worker, next_due, rest};
use crate::registers::RegisterRequest;
use crate::step::{LEASE, StepFault};
use crate::tls::Shutdown;

/// Bundles in hand at a time.
const BUNDLES: usize = 4;
/// Tries in one bundle at most.
const BUNDLE: usize = 100;

/// A try that was claimed.
struct ClaimedRegistration {
    claim: Claim,
    registration: Registration,
    participant: ParticipantId,
}

impl ClaimedRegistration {
    fn order(&self) -> RegisterRequest<'_> {
        RegisterRequest {
            participant: &self.participant,
            wish: self.registration.wish,
            migration_key: self.registration.migration_key.as_ref().map(Secret::reveal),
            is_taken_back: self.registration.is_taken_back,
            // A try whose end a crash kept from being recorded is none of the attempts.
            is_first: self.registration.attempts == 0 && self.claim.claims <= 1,
        }
    }

    /// Whether it may leave, and is only looked after until it has.
    fn is_watched(&self) -> bool {
        let Registration { wish, progress, .. } = &self.registration;
        *wish == DesiredState::Leaving && *progress == RegistrationProgress::Done
    }

    /// What tries have in common that are made together; one with a key is made alone.
    fn kind(&self) -> (Register, DesiredState, bool, Option<String>) {
        let Registration { register, wish, participant, .. } = &self.registration;
        let alone = self.registration.migration_key.is_some().then(|| participant.clone());
        (*register, *wish, self.is_watched(), alone)
    }
}

/// Carries wishes out until it is asked to end; bundles in hand are finished.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let kinds = [TaskKind::Register];
    let free = Arc::new(Semaphore::new(BUNDLES));
    let mut bundles = JoinSet::new();
    while !shutdown.asked() {
        let Ok(permit) = free.clone().acquire_owned().await else { return };
        if !worker.may_call() {
            rest(tokio::time::sleep(TROUBLE), &shutdown).await;
            continue;
        }
        let wake = worker.store.work_available(&kinds);
        let claims = match worker.store.claim(&kinds, worker.clock.now(), LEASE, BUNDLE).await {
            Ok(claims) => claims,
            Err(error) => {
                tracing::error!(%error, "no registrations could be claimed");
                rest(tokio::time::sleep(TROUBLE), &shutdown).await;
                continue;
            }
        };
        if claims.is_empty() {
            drop(permit);
            let due = next_due(&worker, &kinds);
            rest(tokio::time::timeout(due, wake), &shutdown).await;
            continue;
        }
        let worker = worker.clone();
        let in_hand: Vec<_> = claims.iter().map(|claim| worker.store.in_hand(claim)).collect();
        bundles.spawn(async move {
            worker.bundle(claims).await;
            drop((permit, in_hand));
        });
        while bundles.try_join_next().is_some() {}
    }
    while bundles.join_next().await.is_some() {}
}

impl Worker {
    /// Reads what claims are about, and makes the tries that go together in one go each.
    async fn bundle(&self, claims: Vec<Claim>) {
        let loaded = join_all(claims.iter().map(|claim| self.store.load(claim))).await;
        let mut together: BTreeMap<_, Vec<ClaimedRegistration>> = BTreeMap::new();
        for (claim, loaded) in claims.into_iter().zip(loaded) {
            let done = match loaded {
                Ok(Work::Registration(registration)) => {
                    match registration.participant.parse::<ParticipantId>() {
                        Ok(participant) => {
                            let due = ClaimedRegistration {
                                claim,
                                registration: *registration,
                                participant,
                            };
                            together.entry(due.kind()).or_default().push(due);
                            continue;
                        }
                        Err(error) => self.unreadable(claim.clone(), *registration, &error).await,
                    }
                }
                Ok(_) => self.store.drop_task(claim.clone()).await.map_err(StepFault::from),
                Err(error) => Err(error.into()),
            };
            if let Err(fault) = done {
                self.put_back(claim, fault).await;
            }
        }
        join_all(together.into_values().map(|due| self.register(due))).await;
    }

    async fn unreadable(
        &self,
        claim: Claim,
        registration: Registration,
        error: &IdentifierError,
    ) -> Result<(), StepFault> {
        let outcome =
            self.decided(&claim, &registration, &RegistrationTry::Never(error.to_string()));
        self.finish(claim, registration, outcome).await
    }

    /// Makes one try of each, and commits what follows. All are of one kind.
    async fn register(&self, due: Vec<ClaimedRegistration>) {
        let outcomes = self.outcomes(&due).await;
        let finished = due.into_iter().zip(outcomes).map(|(due, outcome)| async move {
            let claim = due.claim.clone();
            if let Err(fault) = self.finish(due.claim, due.registration, outcome).await {
                self.put_back(claim, fault).await;
            }
        });
        join_all(finished).await;
    }

    async fn finish(
        &self,
        claim: Claim,
        registration: Registration,
        outcome: RegistrationOutcome,
    ) -> Result<(), StepFault> {
        let (register, participant) = (registration.register.as_str(), &registration.participant);
        let progress = outcome.progress.as_str();
        let why = outcome.message.as_str();
        let news = registration.progress != outcome.progress || registration.message != why;
        match outcome.progress {
            RegistrationProgress::Failed | RegistrationProgress::Blocked if news => {
                tracing::warn!(register, participant, progress, why, "registration");
            }
            _ if news => tracing::info!(register, participant, progress, why, "registration"),
            _ => tracing::debug!(register, participant, progress, why, "registration, as before"),
        }
        let settled =
            matches!(outcome.progress, RegistrationProgress::Done | RegistrationProgress::Failed);
        if let (true, Register::Sml, Ok(participant)) =
            (settled, registration.register, participant.parse())
        {
            // Where its name led before is not where the next document goes.
            self.lookup.forget(&participant);
        }
        let now = self.clock.now();
        let (registration, outcome) = (&registration, &outcome);
        let record = || {
            let (registration, outcome) = (registration.clone(), outcome.clone());
            self.store.finish_registration(claim.clone(), registration, outcome, now)
        };
        self.insist(&claim, record).await
    }

    async fn outcomes(&self, due: &[ClaimedRegistration]) -> Vec<RegistrationOutcome> {
        let Some(first) = due.first() else { return Vec::new() };
        if first.is_watched() {
            return join_all(due.iter().map(|due| self.watched(due))).await;
        }
        let tried = match first.registration.register {
            Register::Sml => {
                let orders: Vec<RegisterRequest<'_>> =
                    due.iter().map(ClaimedRegistration::order).collect();
                self.registers.sml.carry_out_all(&orders).await
            }
            Register::Directory => join_all(due.iter().map(|due| self.tell_directory(due))).await,
        };
        let decided = |(due, tried): (&ClaimedRegistration, &RegistrationTry)| {
            let outcome = self.decided(&due.claim, &due.registration, tried);
            // Who may leave is looked after from now on.
            let leaves =
                due.registration.wish == DesiredState::Leaving && *tried == RegistrationTry::Done;
            if leaves { decide_leaving(false, self.clock.now()) } else { outcome }
        };
        due.iter().zip(&tried).map(decided).collect()
    }

    fn decided(
        &self,
        claim: &Claim,
        registration: &Registration,
        tried: &RegistrationTry,
    ) -> RegistrationOutcome {
        let attempt = registration.attempts + 1;
        let jitter = jitter(&claim.subject, attempt);
        decide_registration(attempt, tried, &self.policy.hooks, self.clock.now(), jitter)
    }

    async fn watched(&self, due: &ClaimedRegistration) -> RegistrationOutcome {
        let left = self.registers.sml.has_left(&due.participant).await;
        decide_leaving(left == Some(true), self.clock.now())
    }

    /// The Directory asks back at our SMP, so it is told when the SML leads there.
    async fn tell_directory(&self, due: &ClaimedRegistration) -> RegistrationTry {
        let Registration { organisation, participant, wish, .. } = &due.registration;
        let known = self.store.registrations_of(organisation, participant).await;
        let waits = known.unwrap_or_default().iter().any(|other| {
            let open = matches!(
                other.progress,
                RegistrationProgress::Pending
                    | RegistrationProgress::Retrying
                    | RegistrationProgress::Blocked
            );
            other.register == Register::Sml && other.wish == DesiredState::Present && open
        });
        if *wish == DesiredState::Present && waits {
            return RegistrationTry::Later(
                "it is told as soon as the SML leads to our SMP".to_owned(),
            );
        }
        self.registers.directory.carry_out(due.order()).await
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_try_that_was_not_recorded_was_one_all_the_same() {
        let now = Timestamp::UNIX_EPOCH;
        let due = |attempts, claims| ClaimedRegistration {
            claim: Claim {
                task: 1,
                kind: TaskKind::Register,
                subject: "sml 0106:1".to_owned(),
                lane: None,
                run_at: now,
                lease_until: now,
                claims,
                faults: 0,
                token: "t".to_owned(),
            },
            registration: Registration {
                participant: "0106:1".to_owned(),
                register: Register::Sml,
                organisation: "acme".parse().unwrap(),
                wish: DesiredState::Present,
                migration_key: None,
                is_taken_back: false,
                progress: RegistrationProgress::Pending,
                attempts,
                message: String::new(),
                next_on: None,
                version: 1,
                changed_on: now,
            },
            participant: "0106:1".parse().unwrap(),
        };
        assert!(due(0, 1).order().is_first);
        assert!(!due(0, 2).order().is_first, "a crash, or a fault of our own");
        assert!(!due(1, 1).order().is_first);
    }
}
