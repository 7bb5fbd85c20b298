//! Statistics reports of the provider: which there are, which month they cover, when they are due,
//! and what is to be done about one at a time.
//!
//! Sources: Peppol reporting specifications TSR 1.0 and EUSR 1.1. A
//! month is one of UTC. A report is due within 15 calendar days after it; a late one is not
//! processed. The last valid report that came before the deadline counts, so a repeat is a
//! correction.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use quoin_peppol::identifiers::DocumentTypeId;
use serde::{Deserialize, Serialize};

use crate::transaction::Status;

/// Days after the month by which a report is due.
pub const DUE_DAYS: i8 = 15;
/// The day of the next month on which reports are made.
const MADE_ON: i8 = 2;
/// The day of the next month from which a report that was not taken is worth an alarm.
const ALARM_ON: i8 = 10;
/// How long to wait before a report that failed is made and sent anew.
const AGAIN: SignedDuration = SignedDuration::from_hours(12);

/// A calendar month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month(Date);

/// A text that is no month.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a month such as 2026-05, found {found:?}")]
pub struct NoMonth {
    /// The text, cut to 20 characters.
    pub found: String,
}

impl Month {
    /// The month of an instant.
    pub fn of(at: Timestamp) -> Month {
        Month(at.to_zoned(TimeZone::UTC).date().first_of_month())
    }

    /// Its first day.
    pub fn first(self) -> Date {
        self.0
    }

    /// Its last day.
    pub fn last(self) -> Date {
        self.0.last_of_month()
    }

    /// The month after it.
    pub fn next(self) -> Month {
        Month(self.0.saturating_add(1.month()))
    }

    /// The month before it.
    pub fn previous(self) -> Month {
        Month(self.0.saturating_sub(1.month()))
    }

    /// Its first instant.
    pub fn start(self) -> Timestamp {
        instant(self.0)
    }

    /// The first instant after it.
    pub fn end(self) -> Timestamp {
        self.next().start()
    }

    /// The first instant at which a report about it is too late.
    pub fn deadline(self) -> Timestamp {
        instant(self.next().first().saturating_add(i64::from(DUE_DAYS).days()))
    }

    fn day_after(self, day: i8) -> Timestamp {
        instant(self.next().first().saturating_add(i64::from(day - 1).days()))
    }
}

fn instant(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |zoned| zoned.timestamp())
}

impl FromStr for Month {
    type Err = NoMonth;
    fn from_str(text: &str) -> Result<Month, NoMonth> {
        let day = format!("{text}-01").parse().ok().filter(|_| text.len() == 7);
        day.map(Month).ok_or_else(|| NoMonth { found: text.chars().take(20).collect() })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

impl TryFrom<String> for Month {
    type Error = NoMonth;
    fn try_from(text: String) -> Result<Month, NoMonth> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> String {
        month.to_string()
    }
}

/// A statistics report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportKind {
    /// Transaction statistics (TSR): what was exchanged with whom.
    Transactions,
    /// End user statistics (EUSR): how many end users took part.
    EndUsers,
}

impl ReportKind {
    /// Both.
    pub const ALL: [ReportKind; 2] = [ReportKind::Transactions, ReportKind::EndUsers];

    /// The word in the store and at the interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportKind::Transactions => "TSR",
            ReportKind::EndUsers => "EUSR",
        }
    }

    /// The kind of this word, in any case.
    pub fn named(word: &str) -> Option<ReportKind> {
        ReportKind::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(word))
    }
}

/// Whether documents of this type count in the reports: all but the reports themselves.
pub fn is_counted(document_type: &DocumentTypeId) -> bool {
    !quoin_identity::is_report(document_type)
}

/// How far a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportProgress {
    /// Which month it covers.
    pub month: Month,
    /// The status of the last document that was made, and when it was made.
    pub made: Option<(Status, Timestamp)>,
    /// Whether a receipt for this month's report was ever given.
    pub is_taken: bool,
    /// Whether the alarm before the deadline was raised.
    pub is_warned: bool,
    /// Whether the missed deadline was told.
    pub is_missed: bool,
}

/// What to do about a report now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Todo {
    /// Make it from the log and send it.
    Make,
    /// Raise the alarm: the deadline nears and nobody took it.
    Warn,
    /// Tell that the deadline is over.
    Miss,
    /// Look again at this time.
    Wait(Timestamp),
    /// Nothing any more.
    Close,
}

impl ReportProgress {
    /// What to do at this time. Total; doing it leads to another answer.
    pub fn todo(&self, now: Timestamp) -> Todo {
        let ReportProgress { month, made, .. } = *self;
        let (make_on, deadline) = (month.day_after(MADE_ON), month.deadline());
        if now < make_on {
            return Todo::Wait(make_on);
        }
        if self.is_taken {
            return Todo::Close;
        }
        if now >= deadline {
            return if self.is_missed { Todo::Close } else { Todo::Miss };
        }
        let again = match made {
            None => return Todo::Make,
            Some((Status::Rejected | Status::Failed, at)) => at.saturating_add(AGAIN).ok(),
            Some(_) => None,
        };
        if again.is_some_and(|again| again <= now) {
            return Todo::Make;
        }
        let alarm = month.day_after(ALARM_ON);
        if now >= alarm && !self.is_warned {
            return Todo::Warn;
        }
        let alarm = (!self.is_warned).then_some(alarm);
        Todo::Wait([again, alarm, Some(deadline)].into_iter().flatten().min().unwrap_or(deadline))
    }
}

#[cfg(test)]
mod tests;
