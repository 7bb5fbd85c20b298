//! Purchase invoices of parties at the Polish national system: those whose hook `ksef` takes
//! `ReceiveInvoice` are asked for by the time of storing, fetched, and recorded as documents that
//! arrived. From there on they are judged, announced and converted like any other.
//!
//! ```text
//! reached ─► question (250 at most, in the order of storing) ─► few:  named + reached, one commit
//!    ▲                        │                                         │
//!    │                        └► many: a package, made by the system    ▼
//!    │                                       │                 fetch each that is named
//!    │                                       ▼                          │
//!    └─ taken + reached, one commit ◄── parts, digests, key             ▼
//!                     │                                        digest held
//!                     └──────────► document that arrived, once by its number
//! ```
//! A question begins with the very time that the last one reached, and asks only for what the
//! system says is complete; so nothing is missed at the border, and what is named twice is known by
//! its number. Wherever the process ends, the next question begins where the last commit was, and a
//! package that is under way is asked for again.
//!
//! Some parties are asked for side by side: one with much to come, or a system that is slow for it,
//! does not keep the others waiting.

mod packages;
mod questions;
mod taking;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::Topic;
use quoin_delivery::clock::is_due;
use quoin_ksef::steps::Trouble;
use quoin_store::{Hook, PurchasePlace};
use tokio::task::{Id, JoinSet};

use super::clearing::explained_trouble;
use super::{Worker, rest};
use crate::ksef::explained_own;
use crate::ksef::{KsefAccount, KsefClient, KsefSessionCalls};
use crate::step::StepFault;
use crate::tls::Shutdown;

/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_secs(1);
/// Parties that are asked for at a time.
const AT_ONCE: usize = 4;
/// When certificates that cannot be used are opened again: their party may have got a NIP.
const UNUSABLE: SignedDuration = SignedDuration::from_hours(1);
/// When a package that is under way is asked for again: 240 times an hour, of 600 that are allowed.
const PACKAGE_WAIT: SignedDuration = SignedDuration::from_secs(15);

/// What is remembered of a hook between looks.
struct PurchaseMemory {
    changed_on: Timestamp,
    /// Its certificates, once they were opened; none where they cannot be used.
    account: Option<KsefAccount>,
    next: Timestamp,
    /// When it is asked for next as what; at once where nothing is said.
    due: HashMap<&'static str, Timestamp>,
    trouble: Option<String>,
}

impl PurchaseMemory {
    /// Of a hook that was not looked at since it changed.
    fn of(hook: &Hook) -> PurchaseMemory {
        PurchaseMemory {
            changed_on: hook.changed_on,
            account: None,
            next: Timestamp::MIN,
            due: HashMap::new(),
            trouble: None,
        }
    }
}

/// Why a look ended early.
enum LookEnd {
    /// Something over there.
    There(Trouble),
    /// Something of ours.
    Here(StepFault),
}

impl<E: Into<StepFault>> From<E> for LookEnd {
    fn from(fault: E) -> LookEnd {
        LookEnd::Here(fault.into())
    }
}

/// What a question came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AskEnd {
    /// All that is complete is named.
    Reached,
    /// A package is under way.
    UnderWay,
}

/// The looks that are under way, and whose they are.
#[derive(Default)]
struct Looks {
    tasks: JoinSet<(String, PurchaseMemory)>,
    whose: HashMap<Id, String>,
    memories: HashMap<String, PurchaseMemory>,
}

impl Looks {
    /// Takes back what is remembered of those that ended.
    fn reap(&mut self) {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            match ended {
                Ok((id, (key, memory))) => {
                    self.whose.remove(&id);
                    self.memories.insert(key, memory);
                }
                Err(error) => {
                    self.whose.remove(&error.id());
                    tracing::error!(%error, "purchases of a party could not be looked for");
                }
            }
        }
    }

    /// Those that are due and have room, the one that was due first before all others.
    fn due(&self, hooks: Vec<Hook>, now: Timestamp, longest: SignedDuration) -> Vec<Hook> {
        let under_way: HashSet<&String> = self.whose.values().collect();
        let mut due: Vec<(Timestamp, Hook)> = Vec::new();
        for hook in hooks {
            let key = hook.key.to_string();
            let known = self.memories.get(&key).filter(|own| own.changed_on == hook.changed_on);
            let next = known.map_or(Timestamp::MIN, |known| known.next);
            if !under_way.contains(&key) && is_due(next, now, longest) {
                due.push((next, hook));
            }
        }
        due.sort_by_key(|(next, _)| *next);
        due.truncate(AT_ONCE.saturating_sub(under_way.len()));
        due.into_iter().map(|(_, hook)| hook).collect()
    }
}

/// Asks again and again until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let Some(client) = worker.ksef.clone() else { return };
    let mut looks = Looks::default();
    while !shutdown.asked() {
        rest(tokio::time::sleep(TICK), &shutdown).await;
        looks.reap();
        match worker.store.clearing_hooks().await {
            Ok(hooks) => worker.begin_looks(&client, hooks, &mut looks),
            Err(error) => {
                tracing::error!(%error, "parties with purchases at KSeF could not be listed");
            }
        }
    }
    // Each commit is whole: what was begun goes on from there.
    looks.tasks.shutdown().await;
}

/// What stands in the way. What is told of sending does not hold for what is asked for.
fn explained(trouble: &Trouble) -> String {
    match trouble {
        Trouble::NoAnswer | Trouble::Unreadable => explained_own("purchases", ""),
        Trouble::Server(status) => explained_own("purchases", &format!("HTTP {status}")),
        other => explained_trouble(other),
    }
}

fn takes_purchases(hook: &Hook) -> bool {
    hook.topics.iter().any(|pattern| pattern.matches(Topic::RECEIVE_INVOICE))
}

impl Worker {
    /// Begins a look for each party that is due, as far as there are places. All that takes time is
    /// done by the looks.
    fn begin_looks(self: &Arc<Self>, client: &KsefClient, hooks: Vec<Hook>, looks: &mut Looks) {
        let hooks: Vec<Hook> = hooks.into_iter().filter(takes_purchases).collect();
        let there: HashSet<String> = hooks.iter().map(|hook| hook.key.to_string()).collect();
        looks.memories.retain(|key, _| there.contains(key));
        let longest = client.settings().purchases.max(UNUSABLE);
        for hook in looks.due(hooks, self.clock.now(), longest) {
            let key = hook.key.to_string();
            let known = looks.memories.remove(&key);
            let known = known.filter(|own| own.changed_on == hook.changed_on);
            let mut memory = known.unwrap_or_else(|| PurchaseMemory::of(&hook));
            let (worker, client, own) = (self.clone(), client.clone(), key.clone());
            let look = looks.tasks.spawn(async move {
                if worker.can_look(&hook, &mut memory).await {
                    worker.look_for_purchases(&client, &hook, &mut memory).await;
                }
                (own, memory)
            });
            looks.whose.insert(look.id(), key);
        }
    }

    /// Whether the certificates of a hook are open. Where they cannot be used, its party is told
    /// once, and they are not opened again for some time.
    async fn can_look(&self, hook: &Hook, memory: &mut PurchaseMemory) -> bool {
        if memory.account.is_some() {
            return true;
        }
        let wait = match self.account_of_hook(hook).await {
            Ok(Ok(account)) => {
                memory.account = Some(account);
                return true;
            }
            Ok(Err(told)) => {
                self.tell_trouble(hook, memory, Some(told)).await;
                UNUSABLE
            }
            Err(fault) => {
                tracing::error!(hook = hook.id.as_str(), %fault, "a hook ksef cannot be used");
                SignedDuration::from_secs(60)
            }
        };
        memory.next = self.clock.now().saturating_add(wait).unwrap_or(Timestamp::MAX);
        false
    }

    /// Tells a party what stands in the way, once.
    async fn tell_trouble(&self, hook: &Hook, memory: &mut PurchaseMemory, now: Option<String>) {
        if let Some(told) = now.as_ref().filter(|told| memory.trouble.as_ref() != Some(told)) {
            self.tell_party(hook, "ksef-purchases", told.clone()).await;
        }
        memory.trouble = now;
    }

    /// One look: questions, a package where one is under way, then what was named.
    async fn look_for_purchases(
        &self,
        client: &KsefClient,
        hook: &Hook,
        memory: &mut PurchaseMemory,
    ) {
        let (Some(party), Some(account)) = (hook.scope.party(), memory.account.clone()) else {
            return;
        };
        let begun = self.clock.now();
        let settings = client.settings();
        let mut wait = settings.purchases;
        let mut ends: Vec<LookEnd> = Vec::new();
        let calls = KsefSessionCalls { client, account: &account };
        let mut place = PurchasePlace {
            organisation: hook.organisation.clone(),
            party: party.to_owned(),
            taxpayer: account.nip.clone(),
            subject: String::new(),
        };
        for subject in settings.subjects.iter().map(|subject| subject.word()) {
            // A look for a package of one question is none for the others.
            let pause = settings.purchases;
            if memory.due.get(subject).is_some_and(|due| !is_due(*due, begun, pause)) {
                continue;
            }
            subject.clone_into(&mut place.subject);
            let pause = match self.ask_for_purchases(&calls, &place, hook.created_on).await {
                Ok(AskEnd::Reached) => settings.purchases,
                Ok(AskEnd::UnderWay) => PACKAGE_WAIT,
                Err(end) => {
                    ends.push(end);
                    memory.due.remove(subject);
                    continue;
                }
            };
            wait = wait.min(pause);
            memory.due.insert(subject, begun.saturating_add(pause).unwrap_or(Timestamp::MAX));
        }
        // What was named before is fetched whatever came of the question.
        let is_all = self.fetch_purchases(&calls, &place, &mut ends).await;
        let is_whole = is_all && ends.is_empty();
        let trouble = trouble_of(hook, ends, &mut wait);
        // A look that did not come to everything does not know that a trouble is over.
        if trouble.is_some() || is_whole {
            self.tell_trouble(hook, memory, trouble).await;
        }
        memory.next = begun.saturating_add(wait).unwrap_or(Timestamp::MAX);
    }
}

/// What of the ends of a look is told, and how long is waited at most.
fn trouble_of(hook: &Hook, ends: Vec<LookEnd>, wait: &mut SignedDuration) -> Option<String> {
    let mut trouble = None;
    for end in ends {
        match end {
            LookEnd::There(Trouble::Limited(seconds)) => {
                let told = seconds.and_then(|told| i64::try_from(told).ok()).unwrap_or(60);
                *wait = (*wait).min(SignedDuration::from_secs(told.clamp(1, 3_600)));
            }
            LookEnd::There(other) => trouble = trouble.or(Some(explained(&other))),
            LookEnd::Here(fault) => {
                tracing::error!(hook = hook.id.as_str(), %fault, "purchases of KSeF");
            }
        }
    }
    trouble
}

#[cfg(test)]
mod tests;
