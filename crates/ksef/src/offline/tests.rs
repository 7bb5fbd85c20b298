//! Tests of `offline`.

use jiff::civil::date;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn failure(start: &str, end: Option<&str>) -> Interruption {
    Interruption { kind: InterruptionKind::Failure, start: at(start), end: end.map(at) }
}

#[test]
fn the_clock_in_warsaw_changes_twice_a_year() {
    let cases = [
        ("2026-03-29T00:59:59Z", "2026-03-29T01:59:59"),
        ("2026-03-29T01:00:00Z", "2026-03-29T03:00:00"),
        ("2026-10-25T00:59:59Z", "2026-10-25T02:59:59"),
        ("2026-10-25T01:00:00Z", "2026-10-25T02:00:00"),
        ("2026-12-31T23:00:00Z", "2027-01-01T00:00:00"),
        ("2026-07-01T22:00:00Z", "2026-07-02T00:00:00"),
    ];
    for (utc, clock) in cases {
        let clock: DateTime = clock.parse().unwrap();
        assert_eq!(warsaw(at(utc)), clock, "{utc}");
    }
    // Back again; of the hour that comes twice, the first.
    let clock = date(2026, 10, 25).at(2, 30, 0, 0);
    assert_eq!(warsaw_instant(clock), Some(at("2026-10-25T00:30:00Z")));
    assert_eq!(warsaw_instant(date(2026, 1, 1).at(0, 0, 0, 0)), Some(at("2025-12-31T23:00:00Z")));
    assert_eq!(warsaw_instant(date(2026, 7, 1).at(0, 0, 0, 0)), Some(at("2026-06-30T22:00:00Z")));
}

#[test]
fn days_that_are_free_by_law() {
    let free = [
        date(2026, 1, 1),
        date(2026, 1, 6),
        date(2026, 4, 6), // Easter Monday
        date(2026, 5, 1),
        date(2026, 6, 4),  // Corpus Christi
        date(2025, 4, 21), // Easter Monday
        date(2025, 6, 19), // Corpus Christi
        date(2026, 11, 11),
        date(2025, 12, 24),
        date(2026, 12, 25),
        date(2026, 8, 15),
        date(2026, 11, 28), // a Saturday
    ];
    for day in free {
        assert!(!is_working_day(day), "{day}");
    }
    for day in [date(2024, 12, 24), date(2026, 4, 3), date(2026, 11, 26), date(2026, 1, 2)] {
        assert!(is_working_day(day), "{day}");
    }
    // From the Wednesday before Easter over Monday.
    assert_eq!(add_working_days(date(2026, 4, 1), 3), date(2026, 4, 7));
    assert_eq!(add_working_days(date(2025, 12, 23), 1), date(2025, 12, 29));
}

#[test]
fn the_next_working_day_after_the_date_of_issue() {
    let term = |issued| super::term(OfflineMode::Offline24, issued, &[]);
    assert_eq!(term(date(2025, 7, 8)), Term::Day(date(2025, 7, 9)));
    assert_eq!(term(date(2026, 11, 27)), Term::Day(date(2026, 11, 30)));
    assert_eq!(term(date(2026, 12, 23)), Term::Day(date(2026, 12, 28)));
}

#[test]
fn the_example_of_the_documentation() {
    // Due on the 9th; a failure is announced that day and ends on a Saturday.
    let issued = date(2025, 7, 8);
    let ended = failure("2025-07-09T08:00:00Z", Some("2025-07-12T10:00:00Z"));
    let told = term(OfflineMode::Offline24, issued, &[ended]);
    assert_eq!(told, Term::Day(date(2025, 7, 22)));
    // While it lasts nobody knows.
    let lasting = failure("2025-07-09T08:00:00Z", None);
    assert_eq!(term(OfflineMode::Offline24, issued, &[lasting]), Term::AfterTheEnd);
}

#[test]
fn a_failure_after_the_term_comes_too_late() {
    let issued = date(2025, 7, 8);
    // 22:00 UTC is midnight in Warsaw: the 9th is over.
    let late = failure("2025-07-09T22:00:00Z", Some("2025-07-12T10:00:00Z"));
    assert_eq!(term(OfflineMode::Offline24, issued, &[late]), Term::Day(date(2025, 7, 9)));
    let just = failure("2025-07-09T21:59:59Z", Some("2025-07-12T10:00:00Z"));
    assert_eq!(term(OfflineMode::Offline24, issued, &[just]), Term::Day(date(2025, 7, 22)));
    // One that was over before the invoice does not count.
    let before = failure("2025-07-01T08:00:00Z", Some("2025-07-07T21:00:00Z"));
    assert_eq!(term(OfflineMode::Offline24, issued, &[before]), Term::Day(date(2025, 7, 9)));
}

#[test]
fn a_new_failure_within_the_seven_days_starts_them_anew() {
    let issued = date(2025, 7, 8);
    let one = failure("2025-07-08T08:00:00Z", Some("2025-07-08T10:00:00Z"));
    let two = failure("2025-07-17T08:00:00Z", Some("2025-07-18T10:00:00Z"));
    let too_late = failure("2025-07-18T08:00:00Z", Some("2025-07-18T10:00:00Z"));
    let of = |all: &[Interruption]| term(OfflineMode::Emergency, issued, all);
    assert_eq!(of(&[]), Term::AfterTheEnd);
    assert_eq!(of(&[one]), Term::Day(date(2025, 7, 17)));
    assert_eq!(of(&[one, two]), Term::Day(date(2025, 7, 29)));
    assert_eq!(of(&[one, too_late]), Term::Day(date(2025, 7, 17)));
}

#[test]
fn announced_work_and_total_failures() {
    let issued = date(2026, 2, 6);
    let work = Interruption {
        kind: InterruptionKind::Maintenance,
        start: at("2026-02-06T15:00:00Z"),
        end: Some(at("2026-02-07T05:00:00Z")),
    };
    let of = |mode, all: &[Interruption]| term(mode, issued, all);
    // A Saturday: the Monday after it.
    assert_eq!(of(OfflineMode::Unavailability, &[work]), Term::Day(date(2026, 2, 9)));
    assert_eq!(of(OfflineMode::Offline24, &[work]), Term::Day(date(2026, 2, 9)));
    let total = Interruption {
        kind: InterruptionKind::TotalFailure,
        start: at("2026-02-07T06:00:00Z"),
        end: None,
    };
    assert_eq!(of(OfflineMode::Unavailability, &[work, total]), Term::NoDuty);
    assert_eq!(of(OfflineMode::TotalFailure, &[]), Term::NoDuty);
    assert_eq!(Term::Day(date(2026, 2, 9)).end(), Some(at("2026-02-09T23:00:00Z")));
    assert_eq!(Term::NoDuty.end(), None);
}

#[test]
fn the_end_of_the_day() {
    let today = date(2026, 11, 26);
    let past = |now: &str| is_past_cut_off(today, at(now), CUT_OFF);
    // Midnight in Warsaw is 23:00 UTC in winter.
    assert!(!past("2026-11-26T22:44:59Z"));
    assert!(past("2026-11-26T22:45:00Z"));
    assert!(past("2026-11-26T22:59:59Z"));
    // Afterwards it is dated yesterday, which needs no cut-off.
    assert!(!past("2026-11-26T23:00:00Z"));
    assert!(counts_as_offline(today, at("2026-11-26T23:00:00Z")));
    assert!(!counts_as_offline(today, at("2026-11-26T22:59:59Z")));
    assert!(is_in_the_future(today, at("2026-11-25T22:59:59Z")));
    assert!(!is_in_the_future(today, at("2026-11-25T23:00:00Z")));
    assert_eq!(next_midnight(at("2026-11-26T22:59:59Z")), at("2026-11-26T23:00:00Z"));
    assert_eq!(next_midnight(at("2026-11-26T23:00:00Z")), at("2026-11-27T23:00:00Z"));
    // In summer it is 22:00 UTC.
    assert!(is_past_cut_off(date(2026, 7, 1), at("2026-07-01T21:45:00Z"), CUT_OFF));
}

/// Two messages about one event are one interruption; what has not begun is none yet.
#[test]
fn interruptions_are_read_from_messages() {
    let at = |text: &str| -> Timestamp { text.parse().unwrap() };
    let message = |event_id, kind: (&str, &str), start: &str, end: Option<&str>| {
        crate::api::AvailabilityMessage {
            id: format!("{event_id}-{}", kind.1),
            event_id,
            category: kind.0.to_owned(),
            kind: kind.1.to_owned(),
            title: String::new(),
            text: String::new(),
            start: at(start),
            end: end.map(at),
            version: 1,
            published: at(start),
        }
    };
    let now = at("2026-11-30T10:00:00Z");
    let messages = [
        message(3, ("MAINTENANCE", "MAINTENANCE_ANNOUNCEMENT"), "2026-12-05T20:00:00Z", None),
        message(2, ("FAILURE", "FAILURE_START"), "2026-11-26T08:00:00Z", None),
        message(
            2,
            ("FAILURE", "FAILURE_END"),
            "2026-11-26T08:00:00Z",
            Some("2026-11-27T09:00:00Z"),
        ),
        message(
            1,
            ("MAINTENANCE", "MAINTENANCE_ANNOUNCEMENT"),
            "2026-11-30T08:00:00Z",
            Some("2026-11-30T12:00:00Z"),
        ),
        message(4, ("RUMOUR", "RUMOUR"), "2026-11-26T08:00:00Z", None),
    ];
    let found = interruptions(&messages, now);
    let failure = Interruption {
        kind: InterruptionKind::Failure,
        start: at("2026-11-26T08:00:00Z"),
        end: Some(at("2026-11-27T09:00:00Z")),
    };
    let work = Interruption {
        kind: InterruptionKind::Maintenance,
        start: at("2026-11-30T08:00:00Z"),
        end: None,
    };
    assert_eq!(found, [failure, work]);
    for mode in [OfflineMode::Offline24, OfflineMode::Unavailability, OfflineMode::Emergency] {
        assert_eq!(mode_named(mode.word()), mode);
    }
}
