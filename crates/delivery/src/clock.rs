//! What to believe of a clock that may jump: a bad answer of a time server, a machine that was
//! stopped and goes on, an operator who sets it.
//!
//! The wall clock is held against the monotonic one. As long as they agree it is believed. When
//! they part, nothing is deleted and nothing declared missed until the wall clock is back where the
//! monotonic one expects it, or has gone on evenly for [`DOUBT`]. What was planned while the clock
//! was ahead is planned earlier by as much as it was when it goes back ([`FellBack`]); what lies
//! further ahead than it can have been planned is due ([`is_due`]).

use jiff::{SignedDuration, Timestamp};

use crate::decision::TaskKind;
use crate::hook::LONGEST_PERIOD;
use crate::retry::{JITTER, RETRY_AFTER_LIMIT, RetryPolicy, Schedule};

/// How far the clocks may be apart: time servers slew, and a process may not run for a while.
pub const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);
/// How long a clock that jumped is watched before it is believed.
pub const DOUBT: SignedDuration = SignedDuration::from_hours(6);
/// How long there may be between the newest time on record and a start.
pub const GAP: SignedDuration = SignedDuration::from_hours(24);
/// After how much monotonic time the point of comparison moves on.
const ANCHOR: SignedDuration = SignedDuration::from_hours(1);
/// The longest that a process does not look at the clock while it runs.
const STALL: SignedDuration = SignedDuration::from_mins(10);
/// How long what is kept for a month waits to be forgotten.
const MONTH: SignedDuration = SignedDuration::from_hours(32 * 24);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Whether what was planned for `due`, at most `longest` ahead, is to be done at `now`.
pub fn is_due(due: Timestamp, now: Timestamp, longest: SignedDuration) -> bool {
    due <= now || due.duration_since(now) > longest.saturating_add(TOLERANCE)
}

/// Whether what counts until `until`, and was given for at most `life`, counts at `now`: what was
/// given by a clock that was ahead does not.
pub fn still_counts(until: Timestamp, now: Timestamp, life: SignedDuration) -> bool {
    now < until && until.duration_since(now) <= life.saturating_add(TOLERANCE)
}

/// The longest that a task of a kind is planned ahead. `confirmation` is how long a hand-over is
/// waited for before a status is given.
pub fn longest_wait(
    kind: TaskKind,
    policy: &RetryPolicy,
    confirmation: SignedDuration,
) -> SignedDuration {
    match kind {
        TaskKind::Prepare | TaskKind::Route | TaskKind::Deliver => longest(&policy.delivery),
        TaskKind::Notify => longest(&policy.hooks),
        // A batch that is over is kept for a month.
        TaskKind::Batch => LONGEST_PERIOD.saturating_add(MONTH),
        TaskKind::Status => DAY.saturating_mul(2).saturating_add(confirmation),
        // The next month, and the days until its deadline.
        TaskKind::Report => MONTH.saturating_add(DAY.saturating_mul(16)),
        // The longest that a national system asks to stay away.
        TaskKind::Clear => DAY.saturating_mul(2),
        // A report is looked at once a month at least, however long its term is.
        TaskKind::Tax => MONTH,
        TaskKind::Register
        | TaskKind::Arrive
        | TaskKind::Job
        | TaskKind::Stop
        | TaskKind::TakeOver
        | TaskKind::Tell
        | TaskKind::Publish
        | TaskKind::Regather => longest(&policy.delivery).max(longest(&policy.hooks)).max(DAY),
    }
}

/// The longest wait of a schedule, be it asked for by the far side; never less than an hour, which
/// is more than any lease.
fn longest(schedule: &Schedule) -> SignedDuration {
    let wait = schedule.waits.iter().max().copied().unwrap_or_default();
    let jittered = SignedDuration::from_secs_f64(wait.as_secs_f64() * (1.0 + JITTER));
    jittered.max(RETRY_AFTER_LIMIT).max(SignedDuration::from_hours(1))
}

/// A time in whole microseconds, as the store keeps it: what is told of something is the same when
/// it is made and when it is read.
pub fn whole(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

/// Both clocks at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockReading {
    /// The wall clock.
    pub wall: Timestamp,
    /// The monotonic clock: how long the process has run.
    pub up: SignedDuration,
}

impl ClockReading {
    /// What the wall clock should show when the monotonic one shows `up`.
    fn expects(&self, up: SignedDuration) -> Timestamp {
        let passed = up.saturating_sub(self.up);
        self.wall.saturating_add(passed).unwrap_or(Timestamp::MAX)
    }

    fn agrees(&self, look: ClockReading) -> bool {
        look.wall.duration_since(self.expects(look.up)).abs() <= TOLERANCE
    }
}

/// What a look at the clock found that is worth telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// It is not where it should be.
    Jumped {
        /// Where it should be.
        expected: Timestamp,
        /// Where it is.
        found: Timestamp,
    },
    /// It is believed again.
    Settled {
        /// Where it is.
        at: Timestamp,
    },
}

/// The wall clock went back: it was ahead, or is behind now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FellBack {
    /// What was planned for later than this may have been planned by the clock as it was before.
    pub from: Timestamp,
    /// By how much.
    pub by: SignedDuration,
}

/// Watches the clock of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The last moment at which the wall clock was believed.
    believed: ClockReading,
    /// The last look of all.
    last: ClockReading,
    /// Since when it goes on evenly after a jump; none as long as it is believed.
    doubted: Option<Doubt>,
    /// How far it was from where it should be at the last look.
    off: SignedDuration,
    /// What it showed when it got ahead, as long as it is.
    ahead_from: Option<Timestamp>,
    /// How it went back since this was asked last.
    fallen: Vec<FellBack>,
}

/// A jump that is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Doubt {
    since: ClockReading,
    /// Both clocks jumped, so that they still agree: only the monotonic one coming back ends it
    /// before its time.
    together: bool,
}

impl Watch {
    /// A watch that believes the clock it finds.
    pub fn new(first: ClockReading) -> Watch {
        Watch {
            believed: first,
            last: first,
            doubted: None,
            off: SignedDuration::ZERO,
            ahead_from: None,
            fallen: Vec::new(),
        }
    }

    /// Holds the clock against the newest time on record, at the start.
    pub fn begin(&mut self, newest: Timestamp, look: ClockReading) -> Option<News> {
        let gap = look.wall.duration_since(newest);
        if (SignedDuration::ZERO.saturating_sub(TOLERANCE)..=GAP).contains(&gap) {
            return self.look(look);
        }
        self.last = look;
        // What is on record is what it should be after, and no moment to come back to: how long
        // the service was off is not known.
        self.believed = ClockReading { wall: newest, up: look.up };
        self.doubted = Some(Doubt { since: look, together: false });
        (self.off, self.ahead_from) = (gap, (gap > TOLERANCE).then_some(look.wall));
        Some(News::Jumped { expected: newest, found: look.wall })
    }

    /// A laboratory let time pass on both clocks: it is no standstill of the process.
    pub fn pass(&mut self, by: SignedDuration) {
        self.last.up = self.last.up.saturating_add(by);
    }

    /// Takes a look; answers what is new.
    pub fn look(&mut self, look: ClockReading) -> Option<News> {
        let stalled = look.up.saturating_sub(self.last.up) > STALL;
        self.last = look;
        self.follow(look);
        let jumped = News::Jumped { expected: self.believed.expects(look.up), found: look.wall };
        let agrees = self.believed.agrees(look);
        let Some(Doubt { since, together }) = self.doubted else {
            if stalled || !agrees {
                self.doubted = Some(Doubt { since: look, together: agrees });
                return Some(jumped);
            }
            if look.up.saturating_sub(self.believed.up) > ANCHOR {
                self.believe(look);
            }
            return None;
        };
        let is_back = !stalled && agrees && (!together || look.up < since.up);
        let is_even = !stalled && since.agrees(look);
        let long = look.up.saturating_sub(since.up) >= DOUBT;
        if is_back || (is_even && long) {
            self.believe(look);
            return Some(News::Settled { at: look.wall });
        }
        if !is_even {
            self.doubted = Some(Doubt { since: look, together: agrees });
            return Some(jumped);
        }
        None
    }

    fn believe(&mut self, look: ClockReading) {
        (self.believed, self.doubted) = (look, None);
        (self.off, self.ahead_from) = (SignedDuration::ZERO, None);
    }

    /// Notes where the wall clock went since the last look, by the monotonic one.
    fn follow(&mut self, look: ClockReading) {
        let off = look.wall.duration_since(self.believed.expects(look.up));
        let moved = off.saturating_sub(std::mem::replace(&mut self.off, off));
        if moved > TOLERANCE {
            self.ahead_from = self.ahead_from.or(Some(look.wall)).min(Some(look.wall));
        }
        let by = SignedDuration::ZERO.saturating_sub(moved);
        if by > TOLERANCE {
            let from = self.ahead_from.take().unwrap_or(look.wall);
            self.fallen.push(FellBack { from, by });
            if off > TOLERANCE {
                self.ahead_from = from.saturating_sub(by).ok();
            }
        }
    }

    /// How the wall clock went back since this was asked last.
    pub fn take_falls(&mut self) -> Vec<FellBack> {
        std::mem::take(&mut self.fallen)
    }

    /// Whether the clock is believed: something may be deleted or declared missed.
    pub fn is_believed(&self) -> bool {
        self.doubted.is_none()
    }
}

#[cfg(test)]
mod tests;
