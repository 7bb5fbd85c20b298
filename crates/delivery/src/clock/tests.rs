//! Tests of `clock`: what is believed of a clock that jumps, and when what was planned is due.

use proptest::prelude::*;

use super::*;

const START: i64 = 1_795_000_000;

fn seconds(seconds: i64) -> SignedDuration {
    SignedDuration::from_secs(seconds)
}

/// Both clocks, so many seconds after the start; the wall clock is off by so many.
fn look(up: i64, off: i64) -> ClockReading {
    ClockReading { wall: Timestamp::from_second(START + up + off).unwrap(), up: seconds(up) }
}

fn watch() -> Watch {
    Watch::new(look(0, 0))
}

const DAYS: i64 = 86_400;

#[test]
fn bo_6_a_jump_for_some_seconds_is_doubted_until_it_is_over() {
    let mut watch = watch();
    assert_eq!(watch.look(look(10, 0)), None);
    let there = watch.look(look(11, 100 * DAYS));
    assert!(matches!(there, Some(News::Jumped { .. })) && !watch.is_believed());
    assert_eq!(watch.look(look(22, 100 * DAYS)), None);
    assert!(!watch.is_believed());
    let back = watch.look(look(23, 0));
    assert!(matches!(back, Some(News::Settled { .. })) && watch.is_believed());
}

#[test]
fn bo_6_a_clock_that_was_set_for_good_is_believed_in_the_end() {
    let mut watch = watch();
    watch.look(look(60, 3 * DAYS));
    for up in (120..60 + 6 * 3_600).step_by(300) {
        assert_eq!(watch.look(look(up, 3 * DAYS)), None);
        assert!(!watch.is_believed(), "{up}");
    }
    let settled = watch.look(look(60 + 6 * 3_600, 3 * DAYS));
    assert!(matches!(settled, Some(News::Settled { .. })));
    // Back from there is a jump.
    assert!(matches!(watch.look(look(70 + 6 * 3_600, 0)), Some(News::Jumped { .. })));
}

#[test]
fn bo_6_clocks_that_jump_together_are_a_jump() {
    // A machine that was stopped and goes on, and tools that fake both clocks.
    let mut watch = watch();
    watch.look(look(60, 0));
    assert!(matches!(watch.look(look(100 * DAYS, 0)), Some(News::Jumped { .. })));
    assert_eq!(watch.look(look(100 * DAYS + 1, 0)), None);
    assert!(!watch.is_believed(), "that they agree says nothing");
    assert!(matches!(watch.look(look(90, 0)), Some(News::Settled { .. })));
}

#[test]
fn how_far_the_clock_went_back_is_told_with_what_it_may_have_planned() {
    let fell = |from: ClockReading, by| FellBack { from: from.wall, by: seconds(by) };
    let mut watch = watch();
    watch.look(look(10, 0));
    watch.look(look(20, 7_200));
    watch.look(look(600, 7_200));
    assert_eq!(watch.take_falls(), [], "ahead is not back");
    watch.look(look(610, 0));
    assert_eq!(watch.take_falls(), [fell(look(20, 7_200), 7_200)]);
    assert_eq!(watch.take_falls(), []);
    // Twice ahead, and back in two steps: what the first step moved is moved again.
    watch.look(look(700, 3_600));
    watch.look(look(710, 9_000));
    watch.look(look(720, 1_800));
    watch.look(look(730, 0));
    let first = look(700, 3_600);
    let moved = ClockReading { wall: first.wall - seconds(7_200), ..first };
    assert_eq!(watch.take_falls(), [fell(first, 7_200), fell(moved, 1_800)]);
    // Behind where it was believed: everything was planned by what it showed before.
    watch.look(look(740, -3_600));
    assert_eq!(watch.take_falls(), [fell(look(740, -3_600), 3_600)]);
}

#[test]
fn a_clock_that_was_believed_ahead_goes_back_all_the_same() {
    let mut watch = watch();
    for up in (60..=60 + 6 * 3_600).step_by(300) {
        watch.look(look(up, 7_200));
    }
    assert!(watch.is_believed() && watch.take_falls().is_empty());
    watch.look(look(22_000, 0));
    let found = [FellBack { from: look(22_000, 0).wall, by: seconds(7_200) }];
    assert_eq!(watch.take_falls(), found);
}

#[test]
fn what_a_laboratory_lets_pass_is_no_jump() {
    let mut watch = watch();
    watch.pass(seconds(100 * DAYS));
    assert_eq!(watch.look(look(100 * DAYS + 1, 0)), None);
    assert!(watch.is_believed());
}

#[test]
fn bo_6_a_start_is_held_against_the_newest_time_on_record() {
    let at = |off: i64| Timestamp::from_second(START + off).unwrap();
    for (newest, believed) in [
        (0, true),
        (-3_600, true),
        (-23 * 3_600, true),
        (60, true),
        (-2 * DAYS, false),
        (-100 * DAYS, false),
        (3_600, false),
        (100 * DAYS, false),
    ] {
        let mut watch = watch();
        watch.begin(at(newest), look(0, 0));
        assert_eq!(watch.is_believed(), believed, "{newest}");
    }
}

#[test]
fn waits_of_every_kind_are_shorter_than_their_limit() {
    let policy = RetryPolicy::default();
    for kind in TaskKind::ALL {
        let longest = longest_wait(*kind, &policy, seconds(300));
        assert!(longest >= seconds(3_600) && longest < seconds(60 * DAYS), "{kind:?} {longest:?}");
    }
    for schedule in [&policy.delivery, &policy.hooks] {
        let kind = if schedule == &policy.hooks { TaskKind::Notify } else { TaskKind::Deliver };
        let now = look(0, 0).wall;
        for attempt in 1..schedule.attempts() {
            let next = schedule.next(attempt, now, 1.0, Some(seconds(13 * 3_600))).unwrap();
            assert!(!is_due(next, now, longest_wait(kind, &policy, seconds(0))));
        }
    }
}

proptest! {
    /// As long as both clocks go on together, give or take what is tolerated, it is believed.
    #[test]
    fn a_clock_that_goes_on_is_believed(
        steps in prop::collection::vec((1..500_i64, -120..120_i64), 1..200),
    ) {
        let (mut watch, mut up) = (watch(), 0);
        for (step, off) in steps {
            up += step;
            prop_assert_eq!(watch.look(look(up, off)), None);
            prop_assert!(watch.is_believed());
        }
    }

    /// Wherever it goes, a clock that is further off than what is tolerated is not believed at the
    /// look that finds it so.
    #[test]
    fn a_jump_is_seen_at_once(up in 1..600_i64, far in 301..400 * DAYS, forward: bool) {
        let mut watch = watch();
        let found = watch.look(look(up, if forward { far } else { -far }));
        let jumped = matches!(found, Some(News::Jumped { .. }));
        prop_assert!(jumped);
        prop_assert!(!watch.is_believed());
    }

    /// Nothing but the time that was expected, or six even hours, makes it believed again.
    #[test]
    fn doubt_ends_by_return_or_by_patience(
        looks in prop::collection::vec((1..590_i64, -200 * DAYS..200 * DAYS), 1..60),
    ) {
        let (mut watch, mut up) = (watch(), 0);
        let mut even = None;
        for (step, off) in looks {
            up += step;
            let before = watch.clone();
            let found = watch.look(look(up, off));
            let fits = before.believed.agrees(look(up, off));
            if watch.is_believed() {
                let patient = even.is_some_and(|since: i64| up - since >= DOUBT.as_secs());
                prop_assert!(fits || patient);
            }
            match found {
                Some(News::Jumped { .. }) => even = Some(up),
                Some(News::Settled { .. }) => even = None,
                None => {}
            }
        }
    }

    /// What is planned within its limit is due when its time has come, and never before; what lies
    /// beyond its limit is due now.
    #[test]
    fn what_is_due_is_due(ahead in -400 * DAYS..400 * DAYS, longest in 0..60 * DAYS) {
        let now = look(0, 0).wall;
        let due = look(ahead, 0).wall;
        let beyond = ahead > longest + TOLERANCE.as_secs();
        prop_assert_eq!(is_due(due, now, seconds(longest)), ahead <= 0 || beyond);
        prop_assert_eq!(still_counts(due, now, seconds(longest)), ahead > 0 && !beyond);
    }
}
