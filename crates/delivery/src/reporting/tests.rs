//! Months and deadlines.

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn progress(made: Option<(Status, Timestamp)>) -> ReportProgress {
    let month = month("2026-10");
    ReportProgress { month, made, is_taken: false, is_warned: false, is_missed: false }
}

#[test]
fn a_month_is_one_of_utc() {
    assert_eq!(Month::of(at("2026-10-31T23:59:59Z")), month("2026-10"));
    assert_eq!(Month::of(at("2026-11-01T00:00:00Z")), month("2026-11"));
    // Midnight in Amsterdam is still the month before in UTC.
    assert_eq!(Month::of(at("2026-11-01T00:30:00+01:00")), month("2026-10"));
    let december = month("2026-12");
    assert_eq!((december.next(), december.previous()), (month("2027-01"), month("2026-11")));
    assert_eq!(month("2028-02").last().to_string(), "2028-02-29");
    assert_eq!(month("2026-10").end(), at("2026-11-01T00:00:00Z"));
    for wrong in ["", "2026", "2026-13", "2026-1", "2026-10-01", "26-10", "x026-10"] {
        assert!(wrong.parse::<Month>().is_err(), "{wrong}");
    }
}

#[test]
fn a_report_is_due_on_the_fifteenth_day() {
    assert_eq!(month("2026-10").deadline(), at("2026-11-16T00:00:00Z"));
    assert_eq!(month("2026-12").deadline(), at("2027-01-16T00:00:00Z"));
}

#[test]
fn each_state_has_its_step() {
    let start = at("2026-11-02T00:00:00Z");
    let failed = |on: &str| Some((Status::Failed, at(on)));
    let table = [
        (progress(None), "2026-10-15T12:00:00Z", Todo::Wait(start)),
        (progress(None), "2026-11-02T00:00:00Z", Todo::Make),
        (
            progress(Some((Status::Routed, start))),
            "2026-11-02T00:00:01Z",
            Todo::Wait(at("2026-11-10T00:00:00Z")),
        ),
        (progress(Some((Status::Routed, start))), "2026-11-10T00:00:00Z", Todo::Warn),
        (
            ReportProgress { is_warned: true, ..progress(Some((Status::Routed, start))) },
            "2026-11-10T00:00:01Z",
            Todo::Wait(at("2026-11-16T00:00:00Z")),
        ),
        (
            progress(failed("2026-11-03T10:00:00Z")),
            "2026-11-03T11:00:00Z",
            Todo::Wait(at("2026-11-03T22:00:00Z")),
        ),
        (progress(failed("2026-11-03T10:00:00Z")), "2026-11-03T22:00:00Z", Todo::Make),
        (progress(failed("2026-11-15T20:00:00Z")), "2026-11-16T00:00:00Z", Todo::Miss),
        (ReportProgress { is_missed: true, ..progress(None) }, "2026-11-16T00:00:00Z", Todo::Close),
        (
            ReportProgress { is_taken: true, ..progress(Some((Status::Failed, start))) },
            "2026-11-20T00:00:00Z",
            Todo::Close,
        ),
    ];
    for (progress, now, expected) in table {
        assert_eq!(progress.todo(at(now)), expected, "{progress:?} at {now}");
    }
}

#[test]
fn kinds_are_read_as_they_are_written() {
    for kind in ReportKind::ALL {
        assert_eq!(ReportKind::named(&kind.as_str().to_lowercase()), Some(kind));
    }
    assert_eq!(ReportKind::named("TDD"), None);
}

#[test]
fn reports_do_not_count_themselves() {
    for row in quoin_peppol::codelists::DOCUMENT_TYPES {
        let id = row.id().unwrap();
        let names = ["Statistics Report", "End User Report"];
        let is_report = names.iter().any(|name| row.name.contains(name));
        assert_eq!(is_counted(&id), !is_report, "{}", row.name);
    }
}
