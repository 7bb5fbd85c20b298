//! The SML as a register: our participants' names lead to our SMP. An answer may be lost after the
//! SML did what was asked; a repeat then hears that it is so already, and what tells whether that
//! is our own doing is the SML's list of our participants.

mod moving;
mod setup;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt};
use quoin_delivery::registration::{DesiredState, RegistrationTry};
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::lookup::base;
use quoin_peppol::sml::soap::{
    Entries, FaultMeaning, LIST_LIMIT, Move, ParticipantPage, SmlAnswer, SmlFault, SmlRequest,
};
use quoin_peppol::sml::{SmpBase, UriPolicy, dns_name};
use tokio::sync::Mutex;

use super::{RegisterDesk, RegisterRequest};
use crate::clock::Clock;
use crate::config::Config;
use crate::net::{Dns, HttpSettings, NaptrAnswer};

pub use super::sml_client::{SmlClient, SmlTrouble};
pub use setup::{SmlSetupError, client, with_identity};

/// Pages of the list of our participants that are read at most, for one question.
const PAGES: usize = 20_000;
/// Time for one reading of the list, and for a list of orders with all its repetitions: well within
/// the lease of a task.
const PATIENCE: Duration = Duration::from_secs(120);
/// Time for one look into DNS.
const LOOK: Duration = Duration::from_secs(5);

/// The desk of the SML.
pub struct SmlDesk {
    client: SmlClient,
    dns: Dns,
    zone: String,
    base: SmpBase,
    policy: UriPolicy,
    /// One reading of the list at a time.
    reading: Mutex<()>,
}

/// Where the name of a participant leads.
enum Leads {
    /// To our SMP.
    Here,
    /// To this one.
    Elsewhere(String),
    /// Nowhere, or nobody could tell.
    Unknown,
}

impl SmlDesk {
    /// The desk that a configuration describes; `None` where it names no SML. `settings` are those
    /// of calls in the network.
    ///
    /// # Errors
    /// [`SmlSetupError`].
    pub fn of(
        config: &Config,
        settings: HttpSettings,
        dns: Dns,
        clock: &Clock,
    ) -> Result<Option<SmlDesk>, SmlSetupError> {
        let Some(client) = client(config, settings, clock)? else { return Ok(None) };
        let policy = UriPolicy { tolerate_http: false, any_port: config.network.allow_any_port };
        let base = config.smp.public_url.as_deref();
        let base = SmpBase::new(base.ok_or(SmlSetupError::Missing("smp.public_url"))?, policy)?;
        Ok(Some(SmlDesk::new(client, dns, config.sml_zone(), base, policy)))
    }

    /// A desk for the SMP at `base`, whose participants are found in `zone`.
    pub fn new(
        client: SmlClient,
        dns: Dns,
        zone: String,
        base: SmpBase,
        policy: UriPolicy,
    ) -> SmlDesk {
        SmlDesk { client, dns, zone, base, policy, reading: Mutex::new(()) }
    }

    fn entries(&self, orders: &[RegisterRequest<'_>]) -> Entries {
        Entries {
            publisher: self.client.publisher().to_owned(),
            participants: orders.iter().map(|order| order.participant.clone()).collect(),
        }
    }

    /// What an order asks of the SML.
    fn request(&self, order: RegisterRequest<'_>) -> SmlRequest {
        let moved = |key: &str| Move {
            publisher: self.client.publisher().to_owned(),
            participant: order.participant.clone(),
            key: key.to_owned(),
        };
        match (order.wish, order.migration_key) {
            (DesiredState::Absent, _) => SmlRequest::Delete(self.entries(&[order])),
            (DesiredState::Leaving, key) => {
                SmlRequest::PrepareToMigrate(moved(key.unwrap_or_default()))
            }
            (DesiredState::Present, Some(key)) => SmlRequest::Migrate(moved(key)),
            (DesiredState::Present, None) => SmlRequest::Create(self.entries(&[order])),
        }
    }

    async fn one(&self, order: RegisterRequest<'_>) -> RegistrationTry {
        match self.client.call(&self.request(order)).await {
            Ok(SmlAnswer::Fault(fault)) => match self.of_everything(&fault) {
                Some(tried) => tried,
                None => match self.moving(order, &fault).await {
                    Some(tried) => tried,
                    None => self.refused(order, &fault).await,
                },
            },
            Ok(_) => RegistrationTry::Done,
            Err(trouble) => without_answer(&trouble),
        }
    }

    /// What a fault means that has nothing to do with the participant.
    fn of_everything(&self, fault: &SmlFault) -> Option<RegistrationTry> {
        let id = self.client.publisher();
        let said = &fault.text;
        match fault.meaning() {
            FaultMeaning::UnknownPublisher => Some(RegistrationTry::Blocked(format!(
                "the SML does not know our SMP {id:?}: register it with `quoin sml create`. It \
                 said: {said}"
            ))),
            FaultMeaning::ForeignCertificate => Some(RegistrationTry::Blocked(format!(
                "the SML does not take our certificate for the SMP {id:?}: it must be the one that \
                 the SMP was registered with, or its announced successor. It said: {said}"
            ))),
            FaultMeaning::Broken => {
                Some(RegistrationTry::Later(format!("the SML failed. It said: {said}")))
            }
            FaultMeaning::MaybeRegistered
            | FaultMeaning::NotRegistered
            | FaultMeaning::Migrating
            | FaultMeaning::Rejected => None,
        }
    }

    /// What the SML says no to may be so already, by an earlier try whose answer was lost.
    async fn refused(&self, order: RegisterRequest<'_>, fault: &SmlFault) -> RegistrationTry {
        let said = &fault.text;
        if order.wish == DesiredState::Absent && fault.meaning() == FaultMeaning::NotRegistered {
            return RegistrationTry::Done;
        }
        let leads = self.leads(order.participant).await;
        let moves = order.migration_key.is_some();
        // DNS may be behind what an earlier try did, of which nothing is on record.
        let ours = match self.ours([order.participant.folded()].into()).await {
            Ok(found) => !found.is_empty(),
            Err(trouble) => {
                return RegistrationTry::Later(format!("{trouble}. Before, it said: {said}"));
            }
        };
        match (order.wish, ours, leads) {
            (DesiredState::Present, true, _) | (DesiredState::Absent, false, _) => {
                RegistrationTry::Done
            }
            (_, false, Leads::Elsewhere(other)) if !moves => foreign(order, &other, said),
            (_, false, _) if fault.meaning() == FaultMeaning::MaybeRegistered && !moves => {
                foreign(order, "another provider", said)
            }
            _ => RegistrationTry::Never(format!("the SML refuses it. It said: {said}")),
        }
    }

    /// Several creations or several deletions, in one call each hundred.
    async fn several(&self, orders: &[RegisterRequest<'_>]) -> Vec<RegistrationTry> {
        let started = Instant::now();
        let mut results = vec![None; orders.len()];
        let all: Vec<(usize, RegisterRequest<'_>)> = orders.iter().copied().enumerate().collect();
        let mut waiting: Vec<Vec<(usize, RegisterRequest<'_>)>> =
            all.chunks(LIST_LIMIT).map(<[_]>::to_vec).rev().collect();
        let mut set = |at: usize, tried: RegistrationTry| {
            if let Some(result) = results.get_mut(at) {
                *result = Some(tried);
            }
        };
        while let Some(part) = waiting.pop() {
            if started.elapsed() > PATIENCE {
                break;
            }
            let chosen: Vec<RegisterRequest<'_>> = part.iter().map(|(_, order)| *order).collect();
            match self.together(&chosen).await {
                Together::All(tried) => part.iter().for_each(|(at, _)| set(*at, tried.clone())),
                Together::Some(done) => {
                    let mut rest = Vec::new();
                    for ((at, order), done) in part.into_iter().zip(done) {
                        match done {
                            true => set(at, RegistrationTry::Done),
                            // What is not so by now was not done by an earlier try either.
                            false => rest.push((at, RegisterRequest { is_first: true, ..order })),
                        }
                    }
                    let half = rest.len().div_ceil(2).max(1);
                    waiting.extend(rest.chunks(half).map(<[_]>::to_vec));
                }
            }
        }
        let late =
            || RegistrationTry::Later("the SML was too slow for all of it; it goes on".to_owned());
        results.into_iter().map(|result| result.unwrap_or_else(late)).collect()
    }

    /// One list. Lists are taken whole or not at all, so one that is refused says nothing of its
    /// members, unless it has one only.
    async fn together(&self, orders: &[RegisterRequest<'_>]) -> Together {
        if let [order] = orders {
            return Together::All(self.one(*order).await);
        }
        let removes = orders.first().is_some_and(|order| order.wish == DesiredState::Absent);
        let entries = self.entries(orders);
        let request =
            if removes { SmlRequest::DeleteList(entries) } else { SmlRequest::CreateList(entries) };
        let fault = match self.client.call(&request).await {
            Ok(SmlAnswer::Fault(fault)) => fault,
            Ok(_) => return Together::All(RegistrationTry::Done),
            Err(trouble) => return Together::All(without_answer(&trouble)),
        };
        if let Some(tried) = self.of_everything(&fault) {
            return Together::All(tried);
        }
        if orders.iter().all(|order| order.is_first) {
            return Together::Some(vec![false; orders.len()]);
        }
        let wanted: BTreeSet<String> =
            orders.iter().map(|order| order.participant.folded()).collect();
        match self.ours(wanted).await {
            Ok(ours) => Together::Some(
                orders
                    .iter()
                    .map(|order| ours.contains(&order.participant.folded()) != removes)
                    .collect(),
            ),
            Err(trouble) => Together::All(without_answer(&trouble)),
        }
    }

    /// Which of these participants the SML has as ours.
    async fn ours(&self, wanted: BTreeSet<String>) -> Result<BTreeSet<String>, SmlTrouble> {
        let _one_at_a_time = self.reading.lock().await;
        let started = Instant::now();
        let mut found = BTreeSet::new();
        let mut page = None;
        for _ in 0..PAGES {
            let publisher = self.client.publisher().to_owned();
            let ParticipantPage { participants, next, .. } =
                match self.client.call(&SmlRequest::List { publisher, page }).await? {
                    SmlAnswer::Page(page) => page,
                    SmlAnswer::Fault(fault) => return Err(SmlTrouble::Unfinished(fault.text)),
                    other => return Err(SmlTrouble::Unfinished(format!("{other:?}"))),
                };
            let listed = participants.iter().map(ParticipantId::folded);
            found.extend(listed.filter(|participant| wanted.contains(participant)));
            if found.len() == wanted.len() || next.is_none() {
                return Ok(found);
            }
            if started.elapsed() > PATIENCE {
                break;
            }
            page = next;
        }
        Err(SmlTrouble::Unfinished("it takes too long".to_owned()))
    }

    /// Where DNS leads at the moment, which may be some minutes behind the SML.
    async fn leads(&self, participant: &ParticipantId) -> Leads {
        let name = dns_name(participant, &self.zone);
        self.dns.forget(&name);
        let NaptrAnswer::Records(records) = self.dns.naptr(&name, LOOK).await else {
            return Leads::Unknown;
        };
        match base(&records, &name, self.policy) {
            Ok(found) if found == self.base => Leads::Here,
            Ok(other) => Leads::Elsewhere(other.to_string()),
            Err(_) => Leads::Unknown,
        }
    }

    async fn left(&self, participant: &ParticipantId) -> Option<bool> {
        match self.leads(participant).await {
            Leads::Here => Some(false),
            Leads::Unknown => None,
            Leads::Elsewhere(_) => {
                let ours = self.ours([participant.folded()].into()).await.ok()?;
                Some(ours.is_empty())
            }
        }
    }
}

/// How a list ended.
enum Together {
    /// The same for all of them.
    All(RegistrationTry),
    /// It was refused; for each, whether it is so already.
    Some(Vec<bool>),
}

fn without_answer(trouble: &SmlTrouble) -> RegistrationTry {
    if trouble.is_closed_to_us() {
        return RegistrationTry::Blocked(format!(
            "{trouble}: its address (sml.url) and the certificate of our SMP must be those that the \
             SML knows"
        ));
    }
    RegistrationTry::Later(trouble.to_string())
}

fn foreign(order: RegisterRequest<'_>, other: &str, said: &str) -> RegistrationTry {
    let participant = order.participant;
    if order.wish == DesiredState::Absent {
        return RegistrationTry::Done;
    }
    RegistrationTry::Never(format!(
        "{participant} is registered by another SMP ({other}); have its provider prepare the \
         migration and give its key. The SML said: {said}"
    ))
}

impl RegisterDesk for SmlDesk {
    fn carry_out<'a>(&'a self, order: RegisterRequest<'a>) -> BoxFuture<'a, RegistrationTry> {
        self.one(order).boxed()
    }

    fn carry_out_all<'a>(
        &'a self,
        orders: &'a [RegisterRequest<'a>],
    ) -> BoxFuture<'a, Vec<RegistrationTry>> {
        async move {
            let lists = |order: &RegisterRequest<'_>| order.migration_key.is_none();
            let same =
                |order: &RegisterRequest<'_>| orders.first().is_some_and(|o| o.wish == order.wish);
            if orders.iter().all(|order| lists(order) && same(order)) {
                return self.several(orders).await;
            }
            futures::future::join_all(orders.iter().map(|order| self.one(*order))).await
        }
        .boxed()
    }

    fn has_left<'a>(&'a self, participant: &'a ParticipantId) -> BoxFuture<'a, Option<bool>> {
        self.left(participant).boxed()
    }
}
