//! Who waits for a place at a destination. One that answers promptly has more places than one of
//! which that is not known, and these have places of their own, so that those that are silent
//! keep nobody from those that answer. Of one organisation only a few do so at a time, whatever
//! its backlog there, so that a document of another one finds room among those that wait, and has a
//! place after a call or two: they go in turn, by weight.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::context::turn_of;
use crate::budget::{Budgets, HeldPlace, Places, Sizes, Whom};

/// Documents that wait for a place at one destination at a time, of all organisations: one that is
/// alone has half of them.
const TOGETHER: u64 = 16;
const ALONE: u64 = TOGETHER / 2;
/// Of them, those that wait for longer: somebody who sends little has its place then, also where
/// calls take their time.
const FIRST: u64 = 2;
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
#[derive(Debug, Default)]
pub struct DestinationQueue {
    busy: Mutex<HashMap<String, BusyDestination>>,
    prompt: Mutex<HashSet<String>>,
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
        if before >= part(weight, others) {
            return None;
        }
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

    /// The places of a destination.
    fn places<'b>(&self, budgets: &'b Budgets, host: &str) -> &'b Places {
        let prompt = self.prompt.lock().unwrap_or_else(PoisonError::into_inner);
        if prompt.contains(host) { &budgets.calls } else { &budgets.first_calls }
    }

    /// Waits with a document for a place at a destination, in turn and for a moment; none where too
    /// many of its organisation wait there already, or where the time is over.
    pub(crate) async fn enter(
        &self,
        budgets: &Budgets,
        host: &str,
        (organisation, weight): (&str, u32),
        document: &str,
    ) -> Option<HeldPlace> {
        let waiting = self.line_up(host, organisation, weight)?;
        let patience = if waiting.before < FIRST { LONG_TURN } else { TURN };
        let turn = turn_of(organisation, weight, document);
        let place = async {
            let _next = waiting.next.enter(&turn, patience).await.ok()?;
            self.places(budgets, host).enter(host, patience).await.ok()
        };
        tokio::time::timeout(patience, place).await.ok().flatten()
    }

    /// A place at a destination, if one is free right now.
    pub(crate) fn enter_now(&self, budgets: &Budgets, host: &str) -> Option<HeldPlace> {
        self.places(budgets, host).try_enter(host).ok()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
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
        let mut whose = Vec::new();
        for _ in 0..5 {
            held.pop();
            let (who, place) = order.recv().await.unwrap();
            assert!(place.is_some());
            held.extend(place);
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
