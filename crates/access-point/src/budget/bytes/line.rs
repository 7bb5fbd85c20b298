//! The line of those who wait for bytes: served in order of arrival, but for small ones, which have
//! a part of their own, those whose own share keeps them waiting, and those that want little beside
//! whoever is first and has not waited long.
//! Whom a counterpart waits for comes before the worker, but for one step that has waited long;
//! whoever has much already comes before all that have not begun.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::{ByteBudgetState, Holding, SharedByteBudget, WantedBytes};
use crate::budget::places::Full;

/// The part of the budget up to which one passes those who wait for more.
const LITTLE: usize = 16;
/// For how long whoever is first lets others pass.
const PASSED: Duration = Duration::from_secs(5);

/// For how long one lets those pass whom a counterpart waits for.
const FIRST: Duration = Duration::from_secs(10);

/// How somebody waits.
#[derive(Debug, Clone, Copy)]
pub struct LinePlace {
    /// How many may wait already.
    pub line: usize,
    /// For how long.
    pub patience: Duration,
    /// Whether a counterpart waits for it meanwhile: it comes before those for whom nobody does,
    /// unless they have waited for long.
    pub first: bool,
}

impl LinePlace {
    /// How a step of the worker waits, for which no counterpart does; those beyond the line step
    /// aside at once, so that they keep no lane.
    pub const STEP: LinePlace =
        LinePlace { line: 8, patience: Duration::from_secs(20), first: false };

    /// How a step waits that holds memory already, which a counterpart may wait for: not for long.
    pub const MORE: LinePlace =
        LinePlace { line: 64, patience: Duration::from_secs(2), first: false };
}

/// Somebody who waits.
#[derive(Debug)]
pub(super) struct WaitingHolder {
    /// A holding of nothing beside the one that waits.
    place: Holding,
    /// How much that one has already.
    has: usize,
    more: usize,
    since: Instant,
    first: bool,
    to: oneshot::Sender<Holding>,
}

impl WaitingHolder {
    pub(super) fn is_gone(&self) -> bool {
        self.to.is_closed()
    }

    fn wants(&self) -> WantedBytes<'_> {
        WantedBytes { has: self.has, ..self.place.wants(self.more) }
    }
}

impl WantedBytes<'_> {
    /// Whether it has much already, which others wait for: it stands behind none but its like.
    fn is_begun(&self) -> bool {
        self.large && self.has > 0
    }
}

/// What is waited for.
pub(super) struct AwaitedHolding(oneshot::Receiver<Holding>);

impl AwaitedHolding {
    /// What was granted within a time.
    pub(super) async fn within(mut self, patience: Duration) -> Option<Holding> {
        if let Ok(granted) = tokio::time::timeout(patience, &mut self.0).await {
            return granted.ok();
        }
        self.0.close();
        // It may have come at the last moment.
        self.0.try_recv().ok()
    }
}

impl ByteBudgetState {
    /// Whether a large one waits.
    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.iter().any(|one| !one.is_gone())
    }

    /// Where somebody comes into the line.
    fn place_of(&self, is_begun: bool, first: bool) -> usize {
        if is_begun {
            return self.waiting.iter().take_while(|one| one.wants().is_begun()).count();
        }
        // Of those for whom nobody waits, one at most that has waited for long.
        let mut long = 0;
        let stays = |one: &&WaitingHolder| {
            let has_right = !first || one.first || one.wants().is_begun();
            long += usize::from(!has_right);
            has_right || (long == 1 && one.since.elapsed() > FIRST)
        };
        self.waiting.iter().take_while(stays).count()
    }

    /// Whether nobody who waits is before one that wants so much.
    fn may_pass(&self, wants: &WantedBytes<'_>, total: usize) -> bool {
        if wants.is_small() || wants.is_begun() {
            return true;
        }
        let more = wants.more;
        let first = self.waiting.iter().find(|one| !one.is_gone());
        let is_little = more <= total / LITTLE;
        first.is_none_or(|first| is_little && first.since.elapsed() < PASSED)
    }
}

impl SharedByteBudget {
    /// Takes more for a holding, or lines up for it.
    pub(super) fn take_or_line_up(
        self: Arc<Self>,
        of: &mut Holding,
        more: usize,
        LinePlace { line, first, .. }: LinePlace,
    ) -> Result<Option<AwaitedHolding>, Full> {
        // Looked at and lined up under one lock: what is given back in between finds who waits.
        let mut state = self.lock();
        state.waiting.retain(|one| !one.is_gone());
        let full = match self.fits(&state, &of.wants(more)) {
            Ok(()) if state.may_pass(&of.wants(more), self.total) => {
                of.take(&mut state, more);
                return Ok(None);
            }
            Ok(()) => Full { budget: self.name, share: false },
            Err(full) => full,
        };
        if state.waiting.len() >= line {
            return Err(full);
        }
        let (to, wait) = oneshot::channel();
        let (who, stranger, share) = (of.who.clone(), of.stranger, of.share);
        let place = Holding { of: self.clone(), who, stranger, share, bytes: 0, large: of.large };
        let (has, since) = (of.bytes, Instant::now());
        let at = state.place_of(of.wants(more).is_begun(), first);
        state.waiting.insert(at, WaitingHolder { place, has, more, since, first, to });
        // Those before may wait for their own share only.
        let dead = self.serve(&mut state);
        drop(state);
        drop(dead);
        Ok(Some(AwaitedHolding(wait)))
    }

    /// Grants those who wait what there is by now; answers what nobody took any more.
    pub(super) fn serve(&self, state: &mut ByteBudgetState) -> Vec<Holding> {
        let mut dead = Vec::new();
        let mut at = 0;
        let mut is_kept = false;
        while let Some(one) = state.waiting.get(at) {
            if one.is_gone() {
                state.waiting.remove(at);
                continue;
            }
            let wants = one.wants();
            let passes = state.may_pass(&wants, self.total);
            let fits = match is_kept && !passes {
                true => Err(Full { budget: self.name, share: false }),
                false => self.fits(state, &wants),
            };
            if let Err(full) = fits {
                // Whom only its own share keeps waiting is in nobody's way.
                is_kept |= !full.share;
                at += 1;
                continue;
            }
            let Some(WaitingHolder { mut place, more, to, .. }) = state.waiting.remove(at) else {
                break;
            };
            place.take(state, more);
            if let Err(place) = to.send(place) {
                dead.push(place);
            }
        }
        dead
    }
}
