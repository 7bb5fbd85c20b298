//! Who waits for a place at a destination. One that answers promptly has more places than one of
//! which that is not known, and these have places of their own, so that those that are silent
//! keep nobody from those that answer. Of one organisation only a few do so at a time, whatever
//! its backlog there, so that a document of another one finds room among those that wait, and has a
//! place after a call or two: they go in turn, by weight. However many destinations one
//! organisation has that are silent, it has a share of the places of all of them together, and of
//! those who wait.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::context::turn_of;
use crate::budget::{Budgets, HeldPlace, Places, Sizes, Whom};
use crate::budget::{CALLS, CALLS_OF_ONE, FIRST_CALLS, FIRST_CALLS_OF_ONE};

/// Documents that wait for a place at one destination at a time, of all organisations: one that is
/// alone has half of them.
const TOGETHER: u64 = 16;
const ALONE: u64 = TOGETHER / 2;
/// Of them, those that wait for longer: somebody who sends little has its place then, also where
/// calls take their time.
const FIRST: u64 = 2;
/// Documents of one organisation that wait at a time, at whichever destinations: those beyond step
/// aside at once, and leave the hands of the worker to others.
const OF_ONE: u64 = 32;
/// How long a document waits for a place before it steps aside: many calls of a destination that
/// answers, and little of one that does not.
const TURN: Duration = Duration::from_millis(500);
/// The same of the first ones.
const LONG_TURN: Duration = Duration::from_secs(5);

/// How many milliseconds a destination may take to answer promptly.
const PROMPT_MS: u64 = 5_000;
/// Destinations that are known to answer.
const KNOWN: usize = 10_000;

/// Who waits at a destination, by organisation: how many, and its weight.
type WaitingThere = HashMap<String, (u64, u32)>;

/// Places of which each has so many, however many there are in all; nobody waits for one.
const fn of_each(share: usize) -> Sizes {
    Sizes { total: usize::MAX, share, waiting: 0, waiting_of_one: 0 }
}

/// Places of one destination that one organisation may have, of all that there are.
const fn of_one_there(all: Sizes) -> Sizes {
    let share = all.of_one_there();
    Sizes { total: usize::MAX, share, waiting: 1_024, waiting_of_one: 64 }
}

/// A place at a destination, in the share of an organisation.
#[derive(Debug)]
pub(crate) struct CallPlace {
    _there: HeldPlace,
    _of_one_there: HeldPlace,
    _of_one: (HeldPlace, Option<HeldPlace>),
}

/// Who is the next one at a destination: one of all organisations, in turn.
const NEXT: Sizes = Sizes { total: 1, share: 1, waiting: 1_024, waiting_of_one: 64 };

/// A destination that somebody waits for.
#[derive(Debug)]
struct BusyDestination {
    waiting: WaitingThere,
    next: Places,
}

impl Default for BusyDestination {
    fn default() -> BusyDestination {
        let next = Places::new("calls", Whom::Tenant, NEXT);
        BusyDestination { waiting: HashMap::new(), next }
    }
}

/// Destinations that somebody waits for, and those that answered promptly when last called.
#[derive(Debug)]
pub struct DestinationQueue {
    busy: Mutex<HashMap<String, BusyDestination>>,
    /// How many of each organisation wait, wherever.
    waiting: Mutex<HashMap<String, u64>>,
    /// What each organisation holds of the places of all destinations.
    calls: Places,
    first_calls: Places,
    /// What each organisation holds of the places of each destination.
    calls_there: Places,
    first_calls_there: Places,
    prompt: Mutex<HashSet<String>>,
}

impl Default for DestinationQueue {
    fn default() -> DestinationQueue {
        DestinationQueue {
            busy: Mutex::default(),
            waiting: Mutex::default(),
            calls: Places::new("calls", Whom::Tenant, of_each(CALLS_OF_ONE)),
            first_calls: Places::new("first_calls", Whom::Tenant, of_each(FIRST_CALLS_OF_ONE)),
            calls_there: Places::new("calls", Whom::Tenant, of_one_there(CALLS)),
            first_calls_there: Places::new("first_calls", Whom::Tenant, of_one_there(FIRST_CALLS)),
            prompt: Mutex::default(),
        }
    }
}

/// A document that waits, until this is dropped.
struct Waiting<'q> {
    queue: &'q DestinationQueue,
    host: String,
    organisation: String,
    /// How many of its organisation waited before it.
    before: u64,
    next: Places,
}

/// How many of one may wait that weighs so much beside others that weigh so much together.
fn part(weight: u32, others: u64) -> u64 {
    let all = u64::from(weight).saturating_add(others).max(1);
    (TOGETHER * u64::from(weight) / all).clamp(1, if others == 0 { ALONE } else { TOGETHER })
}

impl DestinationQueue {
    fn line_up(&self, host: &str, organisation: &str, weight: u32) -> Option<Waiting<'_>> {
        let mut all = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let BusyDestination { waiting: there, next } = all.entry(host.to_owned()).or_default();
        let others = there.iter().filter(|(who, _)| *who != organisation);
        let others = others.map(|(_, (_, weight))| u64::from(*weight)).sum();
        let before = there.get(organisation).map_or(0, |(count, _)| *count);
        let mut everywhere = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let own = everywhere.get(organisation).copied().unwrap_or_default();
        if before >= part(weight, others) || own >= OF_ONE {
            if there.is_empty() {
                all.remove(host);
            }
            return None;
        }
        everywhere.insert(organisation.to_owned(), own + 1);
        there.insert(organisation.to_owned(), (before + 1, weight));
        let (host, organisation) = (host.to_owned(), organisation.to_owned());
        Some(Waiting { queue: self, host, organisation, before, next: next.clone() })
    }

    /// A call of a destination has ended: after how many milliseconds its answer was there, if one
    /// came.
    pub(crate) fn heard(&self, host: &str, answered_ms: Option<u64>) {
        let mut prompt = self.prompt.lock().unwrap_or_else(PoisonError::into_inner);
        if answered_ms.is_none_or(|took| took > PROMPT_MS) {
            prompt.remove(host);
        } else if !prompt.contains(host) {
            if prompt.len() >= KNOWN {
                prompt.clear();
            }
            prompt.insert(host.to_owned());
        }
    }

    fn is_prompt(&self, host: &str) -> bool {
        self.prompt.lock().unwrap_or_else(PoisonError::into_inner).contains(host)
    }

    /// The places of a destination.
    fn places<'b>(&self, budgets: &'b Budgets, host: &str) -> &'b Places {
        if self.is_prompt(host) { &budgets.calls } else { &budgets.first_calls }
    }

    /// The places of one organisation at a destination, and by whom they are held.
    fn places_of_one(&self, host: &str, organisation: &str) -> (&Places, String) {
        let places = if self.is_prompt(host) { &self.calls_there } else { &self.first_calls_there };
        (places, format!("{host}\n{organisation}"))
    }

    /// A place in the share of an organisation, if one is free right now.
    fn share(&self, host: &str, organisation: &str) -> Option<(HeldPlace, Option<HeldPlace>)> {
        let of_all = self.calls.try_enter(organisation).ok()?;
        Some(match self.is_prompt(host) {
            true => (of_all, None),
            false => (of_all, Some(self.first_calls.try_enter(organisation).ok()?)),
        })
    }

    /// Waits with a document for a place at a destination, in turn and for a moment; none where too
    /// many of its organisation wait there already, or where the time is over.
    pub(crate) async fn enter(
        &self,
        budgets: &Budgets,
        host: &str,
        (organisation, weight): (&str, u32),
        document: &str,
    ) -> Option<CallPlace> {
        let of_one = self.share(host, organisation)?;
        let waiting = self.line_up(host, organisation, weight)?;
        let patience = if waiting.before < FIRST { LONG_TURN } else { TURN };
        let turn = turn_of(organisation, weight, document);
        let place = async {
            let (own, who) = self.places_of_one(host, organisation);
            // Before its turn: whoever has all that it may have there keeps nobody from being next.
            let own = own.enter(&who, patience).await.ok()?;
            let _next = waiting.next.enter(&turn, patience).await.ok()?;
            Some((self.places(budgets, host).enter(host, patience).await.ok()?, own))
        };
        let (there, own) = tokio::time::timeout(patience, place).await.ok().flatten()?;
        Some(CallPlace { _there: there, _of_one_there: own, _of_one: of_one })
    }

    /// A place at a destination for a document of an organisation, if one is free right now.
    pub(crate) fn enter_now(
        &self,
        budgets: &Budgets,
        host: &str,
        organisation: &str,
    ) -> Option<CallPlace> {
        let of_one = self.share(host, organisation)?;
        let (own, who) = self.places_of_one(host, organisation);
        let own = own.try_enter(&who).ok()?;
        let there = self.places(budgets, host).try_enter(host).ok()?;
        Some(CallPlace { _there: there, _of_one_there: own, _of_one: of_one })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut everywhere = self.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = everywhere.get_mut(&self.organisation) {
            *count = count.saturating_sub(1);
        }
        everywhere.retain(|_, count| *count > 0);
        drop(everywhere);
        let mut all = self.queue.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(there) = all.get_mut(&self.host).map(|busy| &mut busy.waiting) else { return };
        if let Some((count, _)) = there.get_mut(&self.organisation) {
            *count = count.saturating_sub(1);
        }
        there.retain(|_, (count, _)| *count > 0);
        if there.is_empty() {
            all.remove(&self.host);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_of_each_wait_at_a_destination() {
        let queue = DestinationQueue::default();
        let mut waiting: Vec<_> = (0..ALONE).map(|_| queue.line_up("a", "many", 1)).collect();
        assert!(waiting.iter().all(Option::is_some));
        assert!(queue.line_up("a", "many", 1).is_none());
        let other = queue.line_up("a", "few", 1);
        assert_eq!(other.as_ref().map(|one| one.before), Some(0), "another has its own");
        assert!(queue.line_up("b", "many", 1).is_some(), "and so has another destination");
        waiting.pop();
        assert!(queue.line_up("a", "many", 1).is_some());
        drop((waiting, other));
        assert!(queue.busy.lock().unwrap().is_empty(), "nothing is kept of who waits no more");
    }

    /// However many silent destinations one organisation names, others wait and call elsewhere.
    #[tokio::test]
    async fn one_with_many_silent_destinations_has_its_share() {
        let (queue, budgets) = (DestinationQueue::default(), Budgets::default());
        let host = |number: usize| format!("silent {number}");
        let hosts = 0..budgets.first_calls.sizes().total;
        let enter = |number: usize| queue.enter_now(&budgets, &host(number), "many");
        let held: Vec<_> = hosts.filter_map(enter).collect();
        assert_eq!(held.len(), 48);
        let waited = std::time::Instant::now();
        assert!(queue.enter(&budgets, "silent 250", ("many", 1), "document").await.is_none());
        assert!(waited.elapsed() < TURN, "it steps aside at once");
        assert!(queue.enter(&budgets, "silent 250", ("few", 1), "document").await.is_some());
        let waiting: Vec<_> =
            (0..250).filter_map(|number| queue.line_up(&host(number), "many", 1)).collect();
        assert_eq!(waiting.len() as u64, OF_ONE);
        assert!(queue.line_up("silent 0", "few", 1).is_some());
        drop((held, waiting));
        assert!(queue.busy.lock().unwrap().is_empty() && queue.waiting.lock().unwrap().is_empty());
        assert_eq!((queue.calls.used(), queue.first_calls.used()), (0, 0));
    }

    /// However many calls of one hang at a destination, another one has a place there.
    #[tokio::test]
    async fn one_leaves_places_of_a_destination_to_others() {
        let budgets = Budgets::default();
        for (answered, own, left) in [(None, 3, 1), (Some(PROMPT_MS), 28, 4)] {
            let queue = DestinationQueue::default();
            queue.heard("host", answered);
            let enter = |who: &str| queue.enter_now(&budgets, "host", who);
            let hanging: Vec<_> = std::iter::from_fn(|| enter("many")).collect();
            assert_eq!(hanging.len(), own, "{answered:?}");
            let waits = queue.enter(&budgets, "host", ("many", 1), "document");
            tokio::pin!(waits);
            let few = tokio::select! {
                biased;
                _ = &mut waits => panic!("it waits for a place of its own"),
                few = queue.enter(&budgets, "host", ("few", 1), "document") => few,
            };
            let others: Vec<_> =
                few.into_iter().chain(std::iter::from_fn(|| enter("few"))).collect();
            assert_eq!(others.len(), left, "{answered:?}");
            drop(hanging);
            assert!(waits.await.is_some());
            drop(others);
            assert_eq!((queue.calls_there.used(), queue.first_calls_there.used()), (0, 0));
        }
    }

    /// Somebody has taken all places and waits for more: another one is next.
    #[tokio::test]
    async fn who_has_few_is_next() {
        let budgets = Budgets::default();
        let mut held = Vec::new();
        while let Ok(place) = budgets.first_calls.try_enter("host") {
            held.push(place);
        }
        let queue = std::sync::Arc::new(DestinationQueue::default());
        let waits = queue.clone();
        let (told, mut order) = tokio::sync::mpsc::unbounded_channel();
        for (number, organisation) in ["many", "many", "many", "many", "few"].iter().enumerate() {
            let (queue, budgets, told) = (queue.clone(), budgets.clone(), told.clone());
            let organisation = organisation.to_string();
            tokio::spawn(async move {
                let place = queue.enter(&budgets, "host", (&organisation, 1), "document").await;
                told.send((organisation, place)).unwrap();
            });
            while queue_length(&waits) <= number as u64 {
                tokio::task::yield_now().await;
            }
        }
        let (mut whose, mut granted) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            if granted.pop().is_none() {
                held.pop();
            }
            let (who, place) = order.recv().await.unwrap();
            assert!(place.is_some());
            granted.extend(place);
            whose.push(who);
        }
        let few = whose.iter().position(|who| who == "few");
        assert!(few.is_some_and(|place| place <= 2), "{whose:?}");
    }

    #[test]
    fn who_answers_promptly_has_more_places_and_other_ones() {
        let (queue, budgets) = (DestinationQueue::default(), Budgets::default());
        let free = |host: &str| {
            let places = queue.places(&budgets, host);
            let held: Vec<_> = std::iter::from_fn(|| places.try_enter(host).ok()).collect();
            held.len()
        };
        assert_eq!(free("host"), 4);
        for (answered, places) in [(Some(PROMPT_MS), 32), (None, 4)] {
            queue.heard("host", answered);
            assert_eq!(free("host"), places, "{answered:?}");
        }
        queue.heard("host", Some(PROMPT_MS));
        queue.heard("host", Some(PROMPT_MS + 1));
        assert_eq!(free("host"), 4, "it takes its time");
        // However many are silent: one that answers has its places.
        queue.heard("host", Some(PROMPT_MS));
        let silent = |number: usize| queue.places(&budgets, &format!("silent {number}")).clone();
        let mut held = Vec::new();
        for number in 0..96 {
            held.extend(silent(number).try_enter(&format!("silent {number}")));
        }
        assert_eq!(held.len(), 96);
        assert!(silent(99).try_enter("silent 99").is_err());
        assert_eq!(free("host"), 32);
    }

    fn queue_length(queue: &DestinationQueue) -> u64 {
        let all = queue.busy.lock().unwrap();
        all.values().flat_map(|busy| busy.waiting.values()).map(|(count, _)| count).sum()
    }

    #[test]
    fn who_waits_has_its_part_by_weight() {
        for (weight, others, places) in
            [(1, 0, 8), (100, 0, 8), (1, 1, 8), (3, 1, 12), (1, 3, 4), (1, 100, 1), (100, 1, 15)]
        {
            assert_eq!(part(weight, others), places, "{weight} beside {others}");
        }
    }
}
