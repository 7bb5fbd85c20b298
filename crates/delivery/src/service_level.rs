//! The service levels of Message Level Statuses: how long after M1 a status is to be sent, and how
//! long after it one is to have arrived, with the share of a month that has to be in time.
//!
//! Definitions (Peppol Network Policy 1.0, SLR MLS-1 and MLS-2,
//! PT-1). M1 is the `eb:Timestamp` of the AS4 message with the document. *Sent*: a status of ours
//! is due from M1 where the sender asked for every status, or where it tells of a failure; it is in
//! time if its own message, the one that got a receipt, left within 20 minutes. *Received*: the
//! same of a document that we sent, and in time if the status arrived here within 25 minutes. A
//! document counts in the month of its M1 in UTC, and only below 10 MB, envelope included.

use jiff::{SignedDuration, Timestamp};

use crate::Direction;

/// Payloads from this size on do not count, in bytes: uncompressed and unencrypted.
pub const PAYLOAD_LIMIT: u64 = 10_000_000;
/// The share of a month that has to be in time, in thousandths.
pub const TARGET: u64 = 995;
/// How long before the limit it is warned.
pub const WARNING: SignedDuration = SignedDuration::from_mins(5);

/// By how much the time in a message may differ from ours before ours is taken.
const SKEW: SignedDuration = SignedDuration::from_hours(24);

/// M1 of a message that says of itself when it was made. A clock that is days off must not move a
/// document into another month, so then the time of arrival stands in.
pub fn milestone(stamped: Timestamp, arrived: Timestamp) -> Timestamp {
    if stamped.duration_since(arrived).abs() <= SKEW { stamped } else { arrived }
}

/// A service level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A status of ours left in time (MLS-1): we are corner 3.
    Sent,
    /// A status arrived in time (MLS-2): we are corner 2.
    Received,
}

impl Level {
    /// Both levels.
    pub const ALL: [Level; 2] = [Level::Sent, Level::Received];

    /// The level that the status of a document counts for, which goes the other way.
    pub const fn of(document: Direction) -> Level {
        match document {
            Direction::Incoming => Level::Sent,
            Direction::Outgoing => Level::Received,
        }
    }

    /// The word in the store, in events and at the interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Sent => "mls-sent",
            Level::Received => "mls-received",
        }
    }

    /// How long after M1.
    pub const fn limit(self) -> SignedDuration {
        match self {
            Level::Sent => SignedDuration::from_mins(20),
            Level::Received => SignedDuration::from_mins(25),
        }
    }
}

/// A status that is due and not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueStatus {
    /// Which level it counts for.
    pub level: Level,
    /// M1.
    pub sent_on: Timestamp,
    /// Whether it was warned before.
    pub is_warned: bool,
    /// Whether the breach was told before.
    pub is_breached: bool,
}

/// What to tell about a status that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusAlarm {
    /// The limit is near.
    Near,
    /// The limit is over.
    Over,
}

impl DueStatus {
    /// When the limit is over.
    pub fn limit(&self) -> Timestamp {
        self.sent_on.saturating_add(self.level.limit()).unwrap_or(Timestamp::MAX)
    }

    fn warning(&self) -> Timestamp {
        self.limit().saturating_sub(WARNING).unwrap_or(Timestamp::MAX)
    }

    /// What to tell now. A limit that is over needs no warning any more.
    pub fn alarm(&self, now: Timestamp) -> Option<StatusAlarm> {
        if now >= self.limit() {
            return (!self.is_breached).then_some(StatusAlarm::Over);
        }
        (now >= self.warning() && !self.is_warned).then_some(StatusAlarm::Near)
    }

    /// When to look again, once what is to be told now was told.
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        [self.warning(), self.limit()].into_iter().find(|at| *at > now)
    }
}

/// When the limit of a status that has become due is looked at first: now where something is to be
/// told already, and never for a document of so many bytes that it does not count.
pub fn first_look(
    level: Level,
    (sent_on, payload_bytes): (Timestamp, u64),
    now: Timestamp,
) -> Option<Timestamp> {
    let due = DueStatus { level, sent_on, is_warned: false, is_breached: false };
    if payload_bytes >= PAYLOAD_LIMIT {
        return None;
    }
    due.alarm(now).map(|_| now).or_else(|| due.next(now))
}

/// The count of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Statuses that were due.
    pub due: u64,
    /// Those in time.
    pub in_time: u64,
    /// Those that were or are too late.
    pub late: u64,
}

impl Figures {
    /// Those whose time is still running.
    pub fn open(&self) -> u64 {
        self.due.saturating_sub(self.in_time).saturating_sub(self.late)
    }

    /// The share in time of those that are decided, in per cent; `None` without any.
    pub fn share(&self) -> Option<f64> {
        let decided = self.in_time.saturating_add(self.late);
        (decided > 0).then(|| 100.0 * self.in_time as f64 / decided as f64)
    }

    /// Whether the target is met by those that are decided.
    pub fn is_met(&self) -> bool {
        let decided = self.in_time.saturating_add(self.late);
        self.in_time.saturating_mul(1_000) >= decided.saturating_mul(TARGET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        let start: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        start + SignedDuration::from_secs(seconds)
    }

    #[test]
    fn it_is_warned_before_the_limit_and_told_after_it() {
        for (level, minutes) in [(Level::Sent, 20), (Level::Received, 25)] {
            let limit = minutes * 60;
            let mut due = DueStatus { level, sent_on: at(0), is_warned: false, is_breached: false };
            assert_eq!(
                (due.alarm(at(limit - 301)), due.next(at(0))),
                (None, Some(at(limit - 300)))
            );
            assert_eq!(due.alarm(at(limit - 300)), Some(StatusAlarm::Near));
            let look = |bytes, now| first_look(level, (at(0), bytes), at(now));
            assert_eq!(look(PAYLOAD_LIMIT - 1, 0), Some(at(limit - 300)));
            assert_eq!(look(1, limit - 300), Some(at(limit - 300)));
            assert_eq!(look(1, limit + 9), Some(at(limit + 9)), "what is over is told at once");
            assert_eq!(look(PAYLOAD_LIMIT, limit + 9), None);
            due.is_warned = true;
            assert_eq!(
                (due.alarm(at(limit - 1)), due.next(at(limit - 300))),
                (None, Some(at(limit)))
            );
            assert_eq!(
                (due.alarm(at(limit)), due.next(at(limit))),
                (Some(StatusAlarm::Over), None)
            );
            due.is_breached = true;
            assert_eq!(due.alarm(at(10 * limit)), None);
            // After an outage the breach alone is told.
            due = DueStatus { is_warned: false, is_breached: false, ..due };
            assert_eq!(due.alarm(at(limit + 1)), Some(StatusAlarm::Over));
        }
    }

    #[test]
    fn a_clock_that_is_far_off_is_not_believed() {
        let day = 24 * 3_600;
        for (stamped, expected) in [(0, 0), (-60, -60), (day, day), (-day, -day), (-day - 1, 0)] {
            assert_eq!(milestone(at(stamped), at(0)), at(expected), "{stamped}");
        }
        assert_eq!(milestone(Timestamp::MIN, at(0)), at(0));
        assert_eq!(milestone(Timestamp::MAX, at(0)), at(0));
    }

    #[test]
    fn the_share_of_a_month_is_that_of_what_is_decided() {
        let figures = Figures { due: 1_001, in_time: 995, late: 5 };
        assert_eq!((figures.open(), figures.is_met(), figures.share()), (1, true, Some(99.5)));
        let figures = Figures { due: 1_001, in_time: 994, late: 6 };
        assert!(!figures.is_met());
        let nothing = Figures { due: 3, ..Figures::default() };
        assert_eq!((nothing.open(), nothing.is_met(), nothing.share()), (3, true, None));
    }
}
