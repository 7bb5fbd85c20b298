//! The published table of how often each group of calls may be made, and counting by it: sliding
//! windows of a second, a minute and an hour for each context.
//!
//! Source: documentation of KSeF, "limity" (API 2.6).

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

/// A group of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallGroup {
    /// Opening and closing a batch session.
    BatchSession,
    /// Opening and closing an online session.
    OnlineSession,
    /// Sending an invoice online.
    InvoiceSend,
    /// The status of one invoice.
    InvoiceStatus,
    /// The list of sessions.
    SessionList,
    /// The invoices of a session.
    SessionInvoiceList,
    /// Everything else of a session: status, receipts.
    SessionMisc,
    /// An invoice by its number.
    InvoiceDownload,
    /// Asking for metadata.
    InvoiceMetadata,
    /// Asking for a package of invoices.
    InvoiceExport,
    /// How a package of invoices stands.
    InvoiceExportStatus,
    /// Challenge, signing in, public keys: per address.
    Public,
    /// Everything else.
    Other,
}

impl CallGroup {
    /// The word by which calls are counted: that of the answer of `GET /rate-limits`.
    pub fn word(self) -> &'static str {
        match self {
            CallGroup::BatchSession => "batchSession",
            CallGroup::OnlineSession => "onlineSession",
            CallGroup::InvoiceSend => "invoiceSend",
            CallGroup::InvoiceStatus => "invoiceStatus",
            CallGroup::SessionList => "sessionList",
            CallGroup::SessionInvoiceList => "sessionInvoiceList",
            CallGroup::SessionMisc => "sessionMisc",
            CallGroup::InvoiceDownload => "invoiceDownload",
            CallGroup::InvoiceMetadata => "invoiceMetadata",
            CallGroup::InvoiceExport => "invoiceExport",
            CallGroup::InvoiceExportStatus => "invoiceExportStatus",
            CallGroup::Public => "public",
            CallGroup::Other => "other",
        }
    }
}

/// Calls in a second, a minute, an hour at most; 0 where there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimit {
    /// In a second.
    pub second: u32,
    /// In a minute.
    pub minute: u32,
    /// In an hour.
    pub hour: u32,
}

/// The published table.
pub const LIMITS: &[(CallGroup, CallLimit)] = &[
    (CallGroup::BatchSession, limit(10, 20, 60)),
    (CallGroup::OnlineSession, limit(10, 30, 120)),
    (CallGroup::InvoiceSend, limit(10, 30, 180)),
    (CallGroup::InvoiceStatus, limit(30, 120, 1_200)),
    (CallGroup::SessionList, limit(5, 10, 60)),
    (CallGroup::SessionInvoiceList, limit(10, 20, 200)),
    (CallGroup::SessionMisc, limit(10, 120, 1_200)),
    (CallGroup::InvoiceDownload, limit(8, 16, 64)),
    (CallGroup::InvoiceMetadata, limit(8, 16, 20)),
    (CallGroup::InvoiceExport, limit(8, 16, 20)),
    (CallGroup::InvoiceExportStatus, limit(10, 60, 600)),
    (CallGroup::Public, limit(60, 0, 0)),
    (CallGroup::Other, limit(10, 30, 120)),
];

const fn limit(second: u32, minute: u32, hour: u32) -> CallLimit {
    CallLimit { second, minute, hour }
}

/// The limit of a group.
pub fn limit_of(group: CallGroup) -> CallLimit {
    let row = LIMITS.iter().find(|(one, _)| *one == group);
    row.map_or(limit(10, 30, 120), |(_, limit)| *limit)
}

/// The calls of one group in the last hour.
#[derive(Debug, Clone, Default)]
pub struct CallWindow {
    calls: VecDeque<Timestamp>,
}

impl CallWindow {
    /// As it was when the process before ended: the calls that it made, in any order.
    pub fn of(mut calls: Vec<Timestamp>) -> CallWindow {
        calls.sort();
        CallWindow { calls: calls.into() }
    }

    /// A call that was counted at a time was answered at another one: the system counted it
    /// between the two, so it counts from the later one.
    pub fn answered(&mut self, counted: Timestamp, at: Timestamp) {
        let Some(place) = self.calls.iter().rposition(|call| *call == counted) else { return };
        self.calls.remove(place);
        let behind = self.calls.iter().rposition(|call| *call <= at).map_or(0, |last| last + 1);
        self.calls.insert(behind, at);
    }

    /// The calls that are counted: those of the last hour before the last call.
    pub fn count(&self) -> usize {
        self.calls.len()
    }

    /// How many calls there is room for within a minute from now, however they are spread over it:
    /// what the minute and the hour leave.
    pub fn room(&self, limit: CallLimit, now: Timestamp) -> u32 {
        let left =
            [(limit.minute, 60), (limit.hour, 3_600)].into_iter().filter(|(all, _)| *all > 0);
        let left = left.map(|(all, span)| {
            let is_within = |call: &&Timestamp| now.as_second() - call.as_second() <= span;
            let made = self.calls.iter().filter(is_within).count();
            all.saturating_sub(u32::try_from(made).unwrap_or(u32::MAX))
        });
        left.min().unwrap_or(u32::MAX)
    }

    /// Counts a call at a time, or says how long to wait for it in whole seconds.
    ///
    /// # Errors
    /// The seconds after which the call is within the limit.
    pub fn take(&mut self, limit: CallLimit, now: Timestamp) -> Result<(), u64> {
        let longest = if limit.hour > 0 {
            3_600
        } else if limit.minute > 0 {
            60
        } else {
            1
        };
        let left = |call: Timestamp, span: i64| {
            call.saturating_add(SignedDuration::from_secs(span)).unwrap_or(call)
        };
        while self.calls.front().is_some_and(|first| left(*first, longest) <= now) {
            self.calls.pop_front();
        }
        let mut free = now;
        for (count, span) in [(limit.second, 1), (limit.minute, 60), (limit.hour, 3_600)] {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            // The call that has to leave the window before there is a place in it.
            if count > 0
                && self.calls.len() >= count
                && let Some(blocking) = self.calls.get(self.calls.len() - count)
            {
                free = free.max(left(*blocking, span));
            }
        }
        if free <= now {
            self.calls.push_back(now);
            return Ok(());
        }
        let millis = free.as_millisecond() - now.as_millisecond();
        Err(u64::try_from(millis).unwrap_or(0).div_ceil(1_000).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_a_row() {
        let mut words = std::collections::BTreeSet::new();
        for (group, limit) in LIMITS {
            assert_eq!(limit_of(*group), *limit);
            assert!(limit.second > 0);
            assert!(words.insert(group.word()), "{group:?}");
        }
    }

    /// The table is the one that the system answers with, group by group.
    #[test]
    fn the_table_is_that_of_the_description() {
        let Some(text) = quoin_testing::shared_text("ksef-data/openapi/open-api-2.6.0.json") else {
            return;
        };
        let description: serde_json::Value = serde_json::from_str(&text).unwrap();
        let answer = &description["paths"]["/rate-limits"]["get"]["responses"]["200"]["content"]["application/json"]
            ["example"];
        let told = answer.as_object().unwrap();
        for (name, told) in told {
            let (_, limit) = LIMITS.iter().find(|(group, _)| group.word() == name).unwrap();
            let own = [limit.second, limit.minute, limit.hour];
            let said = ["perSecond", "perMinute", "perHour"];
            for (own, said) in own.into_iter().zip(said) {
                assert_eq!(Some(u64::from(own)), told[said].as_u64(), "{name} {said}");
            }
        }
        // The calls before anybody signed in are none of them.
        assert_eq!(told.len() + 1, LIMITS.len());
    }

    /// A call counts from its answer on, and what is counted stays in order.
    #[test]
    fn a_call_counts_from_its_answer_on() {
        let start: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let at = |seconds: i64| start + SignedDuration::from_secs(seconds);
        let limit = limit(10, 2, 10);
        let mut window = CallWindow::default();
        window.take(limit, at(0)).unwrap();
        window.take(limit, at(1)).unwrap();
        // The first one is answered after the second.
        window.answered(at(1), at(2));
        window.answered(at(0), at(20));
        window.answered(at(99), at(100));
        assert_eq!(window.count(), 2);
        assert_eq!(window.take(limit, at(61)), Err(1));
        assert_eq!(window.take(limit, at(62)), Ok(()));
        assert_eq!(window.take(limit, at(79)), Err(1));
        assert_eq!(window.take(limit, at(80)), Ok(()));
    }

    /// What was counted before counts on, whatever its order.
    #[test]
    fn a_window_goes_on_from_what_was_counted() {
        let now: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let before = |minutes: i64| now - SignedDuration::from_mins(minutes);
        let calls = vec![before(5), before(61), before(30)];
        let mut window = CallWindow::of(calls);
        let limit = limit(10, 10, 3);
        assert_eq!(window.take(limit, now), Ok(()));
        assert_eq!(window.take(limit, now), Err(30 * 60));
    }

    #[test]
    fn what_a_minute_and_an_hour_leave_is_room() {
        let now: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let before = |seconds: i64| now - SignedDuration::from_secs(seconds);
        let window = CallWindow::of(vec![before(1), before(30), before(600), before(4_000)]);
        assert_eq!(window.room(limit(1, 30, 180), now), 28);
        assert_eq!(window.room(limit(1, 30, 10), now), 7);
        assert_eq!(window.room(limit(1, 2, 10), now), 0);
        assert_eq!(window.room(limit(1, 0, 0), now), u32::MAX);
    }

    #[test]
    fn no_window_is_ever_overfull() {
        let start: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let limit = limit(2, 4, 7);
        let mut window = CallWindow::default();
        let mut taken: Vec<Timestamp> = Vec::new();
        let mut now = start;
        while taken.len() < 30 {
            match window.take(limit, now) {
                Ok(()) => taken.push(now),
                Err(seconds) => now += SignedDuration::from_secs(seconds as i64),
            }
        }
        for (count, span) in [(2, 1), (4, 60), (7, 3_600)] {
            for (at, call) in taken.iter().enumerate() {
                let within = taken[..=at].iter();
                let within = within.filter(|one| call.as_second() - one.as_second() < span);
                assert!(within.count() <= count, "{count} in {span} s");
            }
        }
        // And no longer than is needed: seven an hour.
        assert!(now.as_second() - start.as_second() <= 5 * 3_600);
    }
}
