//! Tests of `hook`: what each answer of a destination leads to.

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn after(attempt: u32, status: u16, retry_after: Option<i64>) -> HookDecision {
    let retry_after = retry_after.map(SignedDuration::from_secs);
    let answer = HookAnswer::Http { status, retry_after };
    decide_hook(attempt, &answer, &Schedule::of_hooks(), NOW, 0.5)
}

fn in_seconds(seconds: i64) -> HookDecision {
    HookDecision::Retry { at: Timestamp::from_second(seconds).unwrap() }
}

#[test]
fn any_2xx_is_delivered_and_nothing_else_is() {
    assert_eq!(after(1, 200, None), HookDecision::Delivered);
    assert_eq!(after(9, 299, None), HookDecision::Delivered);
    for status in [100, 199, 300, 302, 400, 401, 404, 500, 503] {
        assert_eq!(after(1, status, None), in_seconds(5), "{status}");
    }
}

#[test]
fn gone_switches_the_hook_off() {
    let stopped = after(1, 410, Some(60));
    assert!(matches!(stopped, HookDecision::Stopped { disable_hook: true, .. }), "{stopped:?}");
}

#[test]
fn only_429_and_503_may_ask_for_more_time() {
    assert_eq!(after(1, 429, Some(90)), in_seconds(90));
    assert_eq!(after(1, 503, Some(90)), in_seconds(90));
    assert_eq!(after(1, 500, Some(90)), in_seconds(5));
}

#[test]
fn no_answer_is_tried_again_until_the_schedule_ends() {
    let answer = HookAnswer::None { cause: "connection refused".to_owned() };
    let decide = |n| decide_hook(n, &answer, &Schedule::of_hooks(), NOW, 0.5);
    assert_eq!(decide(2), in_seconds(30));
    let HookDecision::Stopped { reason, disable_hook: false } = decide(10) else { panic!() };
    assert!(reason.contains("10 tries") && reason.contains("connection refused"), "{reason}");
}
