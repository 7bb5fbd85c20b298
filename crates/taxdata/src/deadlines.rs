//! By when a report has to be there, a row for each regime and role, and when that is told before.
//!
//! Sources: Council Directive (EU) 2025/516, article 1 (articles 262 to 264 of Directive
//! 2006/112/EC from 1 July 2030: at the time of issue, and five days for the buyer); the pilot has
//! no duty, and is measured by the same terms. What is known of Slovakia, the Emirates and Oman is
//! on their pages; each row says whether it is assumed.

use jiff::{SignedDuration, Timestamp};

use crate::assumed::TOLD_BEFORE;
use crate::regime::{Regime, ReporterRole};

/// By when a report of a regime and role has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeadlineRow {
    /// The regime.
    pub regime: Regime,
    /// Who reports.
    pub role: ReporterRole,
    /// How long after the exchange of the invoice.
    pub within: SignedDuration,
    /// No text that we could read says so.
    pub assumed: bool,
}

const fn row(regime: Regime, role: ReporterRole, hours: i64, assumed: bool) -> DeadlineRow {
    DeadlineRow { regime, role, within: SignedDuration::from_hours(hours), assumed }
}

const DAY: i64 = 24;

/// The deadlines.
pub const DEADLINES: &[DeadlineRow] = &[
    row(Regime::Vida10, ReporterRole::Corner2, DAY, true),
    row(Regime::Vida10, ReporterRole::Corner3, 5 * DAY, true),
    row(Regime::Vida11, ReporterRole::Corner2, DAY, true),
    row(Regime::Vida11, ReporterRole::Corner3, 5 * DAY, true),
    row(Regime::Slovakia, ReporterRole::Corner2, DAY, true),
    row(Regime::Slovakia, ReporterRole::Corner3, 5 * DAY, true),
    row(Regime::Emirates, ReporterRole::Corner2, DAY, true),
    row(Regime::Emirates, ReporterRole::Corner3, DAY, true),
    row(Regime::Oman, ReporterRole::Corner2, DAY, true),
    row(Regime::Oman, ReporterRole::Corner3, DAY, true),
];

/// When a report has to be there, and from when on that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportDeadline {
    /// The last moment.
    pub due: Timestamp,
    /// When it is told before: a day, or half of a term that is no longer than two.
    pub told: Timestamp,
}

/// The deadline of a report of an invoice that was exchanged at a moment.
pub fn deadline(regime: Regime, role: ReporterRole, exchanged: Timestamp) -> ReportDeadline {
    let row = DEADLINES.iter().find(|row| (row.regime, row.role) == (regime, role));
    let within = row.map_or(SignedDuration::from_hours(DAY), |row| row.within);
    let due = exchanged.saturating_add(within).unwrap_or(Timestamp::MAX);
    let before = TOLD_BEFORE.min(within / 2);
    let told = due.saturating_sub(before).unwrap_or(exchanged);
    ReportDeadline { due, told }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_regime_and_role_has_one() {
        for regime in Regime::ALL {
            for role in [ReporterRole::Corner2, ReporterRole::Corner3] {
                let rows = DEADLINES.iter().filter(|row| (row.regime, row.role) == (regime, role));
                assert_eq!(rows.count(), 1, "{regime} {role:?}");
            }
        }
    }

    #[test]
    fn it_is_told_before_it_passes() {
        let exchanged: Timestamp = "2026-11-26T12:00:00Z".parse().unwrap();
        let own = deadline(Regime::Vida11, ReporterRole::Corner3, exchanged);
        assert_eq!(own.due.to_string(), "2026-12-01T12:00:00Z");
        assert_eq!(own.told.to_string(), "2026-11-30T12:00:00Z");
        let own = deadline(Regime::Oman, ReporterRole::Corner2, exchanged);
        assert_eq!(own.told.to_string(), "2026-11-27T00:00:00Z");
        let last = deadline(Regime::Oman, ReporterRole::Corner2, Timestamp::MAX);
        assert_eq!(last.due, Timestamp::MAX);
    }
}
