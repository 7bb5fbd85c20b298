//! For how long invoices are gathered into one file, and by when the portal has to have it.
//!
//! Source: the general tax code of France, article 290 and its decree: transactions are told by the
//! regime under which a company declares its VAT. See [`crate::assumed::FLUX_10_TERMS`].

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::assumed::{FLUX_10_PATIENCE, FLUX_10_TERMS};

/// How long a period is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePeriod {
    /// To the 10th, to the 20th, to the end of the month: monthly returns of VAT.
    TenDays,
    /// A calendar month: quarterly returns, or the simplified regime.
    Month,
    /// Two calendar months, from an odd one on: companies that owe no VAT.
    TwoMonths,
}

impl FilePeriod {
    /// Every period.
    pub const ALL: [FilePeriod; 3] =
        [FilePeriod::TenDays, FilePeriod::Month, FilePeriod::TwoMonths];

    /// Its name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            FilePeriod::TenDays => "ten-days",
            FilePeriod::Month => "month",
            FilePeriod::TwoMonths => "two-months",
        }
    }

    /// The period of a name.
    pub fn named(name: &str) -> Option<FilePeriod> {
        FilePeriod::ALL.into_iter().find(|period| period.as_str() == name)
    }

    /// The period in which a moment is, by days of UTC.
    pub fn at(self, moment: Timestamp) -> FileTerms {
        let day = moment.to_zoned(TimeZone::UTC).date();
        let (first, last) = match self {
            FilePeriod::TenDays => match day.day() {
                ..=10 => (day.first_of_month(), on(day, 10)),
                11..=20 => (on(day, 11), on(day, 20)),
                _ => (on(day, 21), day.last_of_month()),
            },
            FilePeriod::Month => (day.first_of_month(), day.last_of_month()),
            FilePeriod::TwoMonths => {
                let is_first = day.month() % 2 == 1;
                let back = if is_first { 0.months() } else { 1.month() };
                let first = day.first_of_month().saturating_sub(back);
                (first, first.saturating_add(1.month()).last_of_month())
            }
        };
        let ended = start(last.saturating_add(1.day()));
        let term = FLUX_10_TERMS.iter().find(|row| row.0 == self.as_str()).map_or(10, |row| row.1);
        FileTerms {
            first,
            last,
            written: ended.saturating_add(FLUX_10_PATIENCE).unwrap_or(Timestamp::MAX),
            due: ended
                .saturating_add(SignedDuration::from_hours(24 * term))
                .unwrap_or(Timestamp::MAX),
        }
    }
}

/// A period, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileTerms {
    /// Its first day.
    pub first: Date,
    /// Its last day.
    pub last: Date,
    /// When its file is written: shortly after its end, so that what ended with it is in it.
    pub written: Timestamp,
    /// By when the portal has to have the file.
    pub due: Timestamp,
}

fn on(day: Date, of_month: i8) -> Date {
    Date::new(day.year(), day.month(), of_month).unwrap_or(day)
}

fn start(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |day| day.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(period: FilePeriod, moment: &str) -> (String, String, String, String) {
        let terms = period.at(moment.parse().unwrap());
        let text = |day: Date| day.to_string();
        (text(terms.first), text(terms.last), terms.written.to_string(), terms.due.to_string())
    }

    #[test]
    fn a_moment_is_in_one_period() {
        let rows = [
            (FilePeriod::TenDays, "2026-11-01T00:00:00Z", "2026-11-01", "2026-11-10"),
            (FilePeriod::TenDays, "2026-11-10T23:59:59Z", "2026-11-01", "2026-11-10"),
            (FilePeriod::TenDays, "2026-11-11T00:00:00Z", "2026-11-11", "2026-11-20"),
            (FilePeriod::TenDays, "2028-02-29T12:00:00Z", "2028-02-21", "2028-02-29"),
            (FilePeriod::Month, "2026-11-30T23:59:59Z", "2026-11-01", "2026-11-30"),
            (FilePeriod::TwoMonths, "2026-12-31T12:00:00Z", "2026-11-01", "2026-12-31"),
            (FilePeriod::TwoMonths, "2027-01-01T00:00:00Z", "2027-01-01", "2027-02-28"),
        ];
        for (period, moment, first, last) in rows {
            let found = told(period, moment);
            assert_eq!((found.0.as_str(), found.1.as_str()), (first, last), "{moment}");
        }
    }

    #[test]
    fn a_file_is_written_after_its_period_and_due_later() {
        let (_, _, written, due) = told(FilePeriod::TenDays, "2026-11-05T12:00:00Z");
        assert_eq!(
            (written.as_str(), due.as_str()),
            ("2026-11-11T00:10:00Z", "2026-11-21T00:00:00Z")
        );
        let (_, _, written, due) = told(FilePeriod::TwoMonths, "2026-11-05T12:00:00Z");
        assert_eq!(
            (written.as_str(), due.as_str()),
            ("2027-01-01T00:10:00Z", "2027-01-31T00:00:00Z")
        );
        for period in FilePeriod::ALL {
            assert_eq!(FilePeriod::named(period.as_str()), Some(period));
        }
        assert_eq!(FilePeriod::named("week"), None);
    }
}
