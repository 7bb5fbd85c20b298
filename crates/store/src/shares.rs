//! How organisations that have a backlog share the places of first steps: by their weights. All of
//! them together have [`SIDE_BY_SIDE`] places of each direction, and whoever has no backlog finds
//! room beside these, so that nobody who sends little waits for those who send much.
//!
//! Who has a backlog is known in memory: whoever had to wait, until it is seen that nothing of it
//! waits any more. After a start nobody is known, and each makes itself known with its next step.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use quoin_delivery::OrganisationId;

use crate::claim::LaneKind;

/// First steps of all organisations with a backlog that may be taken or are in hand at a time, of
/// each direction; one that is alone has them all.
pub const SIDE_BY_SIDE: i64 = 96;

/// What an organisation may weigh; one that says nothing weighs 1.
pub const WEIGHTS: std::ops::RangeInclusive<u32> = 1..=100;

/// The weights, and whose steps wait.
#[derive(Debug, Default)]
pub(crate) struct TurnShares(Mutex<SharesState>);

#[derive(Debug, Default)]
struct SharesState {
    weights: BTreeMap<OrganisationId, u32>,
    /// Lanes with a backlog, with how many places each had when it was last full.
    waiting: HashMap<String, i64>,
    /// What those lanes weigh together, by direction.
    together: BTreeMap<&'static str, u64>,
}

/// The places of one that weighs so much beside others that weigh so much together: its part, and
/// one at least, so that nobody starves.
fn part(weight: u32, others: u64) -> i64 {
    let all = u64::from(weight).saturating_add(others).max(1);
    let places = SIDE_BY_SIDE.unsigned_abs().saturating_mul(u64::from(weight)) / all;
    i64::try_from(places).unwrap_or(SIDE_BY_SIDE).clamp(1, SIDE_BY_SIDE)
}

/// The direction of a lane, and whose it is.
fn split(lane: &str) -> Option<(&'static str, &str)> {
    [LaneKind::OUT, LaneKind::IN]
        .into_iter()
        .find_map(|direction| Some((direction, lane.strip_prefix(direction)?)))
}

impl SharesState {
    fn weight(&self, organisation: &str) -> u32 {
        let id = organisation.parse::<OrganisationId>().ok();
        id.and_then(|id| self.weights.get(&id).copied()).unwrap_or(1)
    }

    fn places(&self, lane: &str) -> i64 {
        let Some((direction, organisation)) = split(lane) else { return SIDE_BY_SIDE };
        let weight = self.weight(organisation);
        let own = if self.waiting.contains_key(lane) { u64::from(weight) } else { 0 };
        let together = self.together.get(direction).copied().unwrap_or_default();
        part(weight, together.saturating_sub(own))
    }

    fn begins(&mut self, lane: &str) {
        if self.waiting.contains_key(lane) {
            return;
        }
        self.waiting.insert(lane.to_owned(), 0);
        if let Some((direction, organisation)) = split(lane) {
            let weight = u64::from(self.weight(organisation));
            *self.together.entry(direction).or_default() += weight;
        }
    }

    fn ends(&mut self, lane: &str) {
        if self.waiting.remove(lane).is_none() {
            return;
        }
        if let Some((direction, organisation)) = split(lane) {
            let weight = u64::from(self.weight(organisation));
            let together = self.together.entry(direction).or_default();
            *together = together.saturating_sub(weight);
        }
    }
}

impl TurnShares {
    fn with<T>(&self, look: impl FnOnce(&mut SharesState) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many places a lane has now.
    pub(crate) fn places(&self, lane: &str) -> i64 {
        self.with(|state| state.places(lane))
    }

    /// Sets the weights, each brought within its borders.
    pub(crate) fn weigh(&self, weights: BTreeMap<OrganisationId, u32>) {
        let (least, most) = (*WEIGHTS.start(), *WEIGHTS.end());
        let weights = weights.into_iter().map(|(id, weight)| (id, weight.clamp(least, most)));
        let weights = weights.collect();
        self.with(|state| {
            let waiting: Vec<String> = state.waiting.keys().cloned().collect();
            waiting.iter().for_each(|lane| state.ends(lane));
            state.weights = weights;
            waiting.iter().for_each(|lane| state.begins(lane));
        });
    }

    /// What an organisation weighs.
    pub(crate) fn weight_of(&self, organisation: &OrganisationId) -> u32 {
        self.with(|state| state.weights.get(organisation).copied().unwrap_or(1))
    }

    /// One of a lane waits, or has just waited.
    pub(crate) fn waits(&self, lane: &str) {
        self.with(|state| state.begins(lane));
    }

    /// Whether a lane has more places than when it was last full, so that more than one may follow
    /// one that is done.
    pub(crate) fn has_grown(&self, lane: &str, places: i64) -> bool {
        self.with(|state| state.waiting.get(lane).is_some_and(|before| *before < places))
    }

    /// A lane has as many under way as it has places.
    pub(crate) fn is_full(&self, lane: &str, places: i64) {
        self.with(|state| {
            if let Some(before) = state.waiting.get_mut(lane) {
                *before = places;
            }
        });
    }

    /// Whether a lane is known to have a backlog.
    pub(crate) fn is_waiting(&self, lane: &str) -> bool {
        self.with(|state| state.waiting.contains_key(lane))
    }

    /// Nothing of a lane waits any more.
    pub(crate) fn waits_no_more(&self, lane: &str) {
        self.with(|state| state.ends(lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shared_by_weight_and_nobody_starves() {
        for (weight, others, places) in [
            (1, 0, 96),
            (100, 0, 96),
            (1, 1, 48),
            (3, 1, 72),
            (1, 3, 24),
            (1, 100, 1),
            (100, 1, 95),
            (1, 1_000_000, 1),
            (100, 100, 48),
        ] {
            assert_eq!(part(weight, others), places, "{weight} beside {others}");
        }
        // All of them together have no more places than one that is alone, but for those who would
        // have none.
        for many in 1..=96_u32 {
            let all = part(1, u64::from(many) - 1) * i64::from(many);
            assert!(all <= SIDE_BY_SIDE, "{many} have {all}");
        }
    }

    #[test]
    fn only_who_waits_in_the_same_direction_counts() {
        let shares = TurnShares::default();
        let heavy = "heavy".parse().unwrap();
        shares.with(|state| state.weights = BTreeMap::from([(heavy, 3)]));
        assert_eq!(shares.places("of light"), 96);
        shares.waits("of heavy");
        shares.waits("for busy");
        assert_eq!(shares.places("of light"), 24);
        assert_eq!(shares.places("of heavy"), 96, "nobody else waits");
        shares.waits("of light");
        assert_eq!(shares.places("of heavy"), 72);
        assert_eq!(shares.places("for light"), 48);
        assert!(shares.has_grown("of heavy", 72));
        shares.is_full("of heavy", 72);
        assert!(!shares.has_grown("of heavy", 72));
        shares.waits("of heavy");
        assert!(!shares.has_grown("of heavy", 72), "it is remembered");
        shares.waits_no_more("of light");
        assert_eq!(shares.places("of heavy"), 96);
        assert!(shares.has_grown("of heavy", 96));
    }
}
