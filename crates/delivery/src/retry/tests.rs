//! Tests of `retry`: the schedules are those of the interface, and jitter and Retry-After keep to
//! their bounds.

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn secs(at: Option<Timestamp>) -> i64 {
    at.unwrap().as_second()
}

#[test]
fn deliveries_are_tried_8_times_over_35_hours() {
    let schedule = Schedule::of_deliveries();
    assert_eq!(schedule.attempts(), 8);
    assert_eq!(schedule.span(), SignedDuration::from_hours(35));
    assert!(schedule.next(7, NOW, 0.5, None).is_some());
    assert_eq!(schedule.next(8, NOW, 0.5, None), None);
    assert_eq!(schedule.next(0, NOW, 0.5, None), None);
    assert_eq!(schedule.next(u32::MAX, NOW, 0.5, None), None);
}

#[test]
fn hook_calls_have_their_own_schedule() {
    let schedule = Schedule::of_hooks();
    assert_eq!(schedule.attempts(), 10);
    assert_eq!(secs(schedule.next(1, NOW, 0.5, None)), 5);
    assert_eq!(secs(schedule.next(9, NOW, 0.5, None)), 36_000);
}

#[test]
fn jitter_stays_within_a_tenth() {
    let schedule = Schedule::of_deliveries();
    assert_eq!(secs(schedule.next(3, NOW, 0.0, None)), 3_240);
    assert_eq!(secs(schedule.next(3, NOW, 0.5, None)), 3_600);
    assert_eq!(secs(schedule.next(3, NOW, 1.0, None)), 3_960);
    assert_eq!(secs(schedule.next(3, NOW, 9.0, None)), 3_960);
    assert_eq!(secs(schedule.next(3, NOW, f64::NAN, None)), 3_600);
}

#[test]
fn retry_after_lengthens_only_and_has_a_limit() {
    let schedule = Schedule::of_deliveries();
    let after = |hours| Some(SignedDuration::from_hours(hours));
    assert_eq!(secs(schedule.next(1, NOW, 0.5, after(2))), 7_200);
    assert_eq!(secs(schedule.next(1, NOW, 0.5, after(0))), 300);
    assert_eq!(secs(schedule.next(1, NOW, 0.5, after(-5))), 300);
    assert_eq!(secs(schedule.next(1, NOW, 0.5, after(9_999))), 12 * 3_600);
}

#[test]
fn the_end_of_time_does_not_panic() {
    let at = Schedule::of_deliveries().next(7, Timestamp::MAX, 1.0, None);
    assert_eq!(at, Some(Timestamp::MAX));
}

#[test]
fn the_next_attempt_is_whole_microseconds_away() {
    let schedule = Schedule::of_deliveries();
    for attempt in 1..=7 {
        for part in 0..100 {
            let jitter = f64::from(part) / 97.0;
            let at = schedule.next(attempt, NOW, jitter, None).unwrap();
            assert_eq!(at.as_nanosecond() % 1_000, 0, "{attempt} {jitter}: {at}");
        }
    }
}
