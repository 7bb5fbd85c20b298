//! The modes without the system: when an invoice counts as issued without it, and until when it
//! has
//! to be sent afterwards.
//!
//! | mode | who decides | to be sent |
//! |---|---|---|
//! | offline24 (article 106nda) | the issuer | on the next working day after `P_1` |
//! | unavailability (106nh) | announced work | on the next working day after its end |
//! | emergency (106nf) | an announced failure | within 7 working days after its end |
//! | total failure | announced in the media | not at all |
//!
//! A failure that is announced before a term has passed moves it to 7 working days after its end;
//! a
//! total failure ends the duty.
//!
//! Source: the act on VAT, articles 106nda, 106nf and 106nh; documentation of KSeF, "tryby
//! offline".

mod calendar;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime, time};
use jiff::{SignedDuration, Timestamp};

use crate::api::AvailabilityMessage;

pub use calendar::{add_working_days, is_working_day, warsaw, warsaw_instant};

/// How long before midnight in Warsaw an invoice of today is no longer handed to the system: a
/// session that opens after midnight makes it one that was issued without it.
pub const CUT_OFF: SignedDuration = SignedDuration::from_secs(15 * 60);
/// Working days after the end of a failure.
const EMERGENCY_DAYS: u32 = 7;

/// The mode in which an invoice was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfflineMode {
    /// The issuer's own choice, or the end of the day.
    Offline24,
    /// Announced work on the system.
    Unavailability,
    /// An announced failure.
    Emergency,
    /// A failure announced in the media.
    TotalFailure,
}

impl OfflineMode {
    /// The word that is stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            OfflineMode::Offline24 => "offline24",
            OfflineMode::Unavailability => "unavailability",
            OfflineMode::Emergency => "emergency",
            OfflineMode::TotalFailure => "total-failure",
        }
    }
}

/// The mode of a word. What was issued since the system did not answer, with nothing announced, is
/// of the issuer's own mode.
pub fn mode_named(word: &str) -> OfflineMode {
    [OfflineMode::Unavailability, OfflineMode::Emergency, OfflineMode::TotalFailure]
        .into_iter()
        .find(|mode| mode.word() == word)
        .unwrap_or(OfflineMode::Offline24)
}

/// What kind of interruption was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterruptionKind {
    /// Work.
    Maintenance,
    /// A failure.
    Failure,
    /// A failure announced in the media.
    TotalFailure,
}

/// An interruption that was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interruption {
    /// Its kind.
    pub kind: InterruptionKind,
    /// When it began.
    pub start: Timestamp,
    /// When it ended; `None` while it lasts.
    pub end: Option<Timestamp>,
}

/// The interruptions that are announced in messages, as far as they began by a time, in the order
/// in which they did. Start and end of a failure are two messages about one event; one that has no
/// end yet, or ends later, lasts.
pub fn interruptions(messages: &[AvailabilityMessage], now: Timestamp) -> Vec<Interruption> {
    let mut events: BTreeMap<i64, Interruption> = BTreeMap::new();
    for message in messages {
        let kind = match message.category.as_str() {
            "MAINTENANCE" => InterruptionKind::Maintenance,
            "FAILURE" => InterruptionKind::Failure,
            "TOTAL_FAILURE" => InterruptionKind::TotalFailure,
            _ => continue,
        };
        let fresh = Interruption { kind, start: message.start, end: None };
        let event = events.entry(message.event_id).or_insert(fresh);
        event.start = event.start.min(message.start);
        // One that is known to be total was none less at its begin.
        if kind == InterruptionKind::TotalFailure {
            event.kind = kind;
        }
        event.end = message.end.or(event.end);
    }
    let mut begun: Vec<Interruption> =
        events.into_values().filter(|one| one.start <= now).collect();
    for one in &mut begun {
        one.end = one.end.filter(|end| *end <= now);
    }
    begun.sort_by_key(|one| one.start);
    begun
}

/// Until when an invoice has to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// By the end of this day in Warsaw.
    Day(Date),
    /// Not known yet: the interruption lasts.
    AfterTheEnd,
    /// Never.
    NoDuty,
}

impl Term {
    /// The last instant of the term, where there is one.
    pub fn end(self) -> Option<Timestamp> {
        match self {
            Term::Day(day) => warsaw_instant(day.tomorrow().ok()?.to_datetime(time(0, 0, 0, 0))),
            Term::AfterTheEnd | Term::NoDuty => None,
        }
    }
}

/// The term of an invoice with the date of issue `issued` (`P_1`), issued in a mode, after the
/// interruptions that were announced until now, in the order in which they began.
pub fn term(mode: OfflineMode, issued: Date, interruptions: &[Interruption]) -> Term {
    let mut term = match mode {
        OfflineMode::Offline24 => Term::Day(add_working_days(issued, 1)),
        OfflineMode::TotalFailure => Term::NoDuty,
        OfflineMode::Unavailability | OfflineMode::Emergency => Term::AfterTheEnd,
    };
    for one in interruptions {
        let begins = warsaw(one.start).date();
        let ended = one.end.map(|end| warsaw(end).date());
        // What was over before the invoice was issued does not concern it.
        if ended.is_some_and(|ended| ended < issued) {
            continue;
        }
        let runs = match term {
            Term::Day(day) => begins <= day,
            Term::AfterTheEnd => true,
            Term::NoDuty => false,
        };
        if !runs {
            continue;
        }
        term = match (one.kind, ended) {
            (InterruptionKind::TotalFailure, _) => Term::NoDuty,
            (InterruptionKind::Failure, Some(ended)) => {
                Term::Day(add_working_days(ended, EMERGENCY_DAYS))
            }
            (InterruptionKind::Failure, None) => Term::AfterTheEnd,
            // Work moves only the term of what was issued because of it.
            (InterruptionKind::Maintenance, ended) => match (mode, term, ended) {
                (OfflineMode::Unavailability, Term::AfterTheEnd, Some(ended)) => {
                    Term::Day(add_working_days(ended, 1))
                }
                _ => term,
            },
        };
    }
    term
}

/// Whether an invoice that is dated `issued` can no longer be handed to the system online at
/// `now`:
/// less than `margin` is left of its day in Warsaw. One dated before today is one issued without
/// the system already, which the system finds out by itself.
pub fn is_past_cut_off(issued: Date, now: Timestamp, margin: SignedDuration) -> bool {
    let here = warsaw(now);
    let soon = now.checked_add(margin).map_or(here, warsaw);
    here.date() == issued && soon.date() > issued
}

/// Whether the system counts an invoice as issued without it: its date is before the day in Warsaw
/// on which it came (of a batch: on which the session was opened).
pub fn counts_as_offline(issued: Date, received: Timestamp) -> bool {
    issued < warsaw(received).date()
}

/// Whether the system refuses the date: it is after the day in Warsaw on which the invoice came.
pub fn is_in_the_future(issued: Date, received: Timestamp) -> bool {
    issued > warsaw(received).date()
}

/// Midnight at the end of a day in Warsaw, when a cut-off ends.
pub fn next_midnight(now: Timestamp) -> Timestamp {
    let tomorrow = warsaw(now).date().tomorrow().ok();
    let midnight: Option<DateTime> = tomorrow.map(|day| day.to_datetime(time(0, 0, 0, 0)));
    midnight.and_then(warsaw_instant).unwrap_or(now)
}
