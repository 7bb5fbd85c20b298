//! Tests of `calls`: what each answer of a destination leads to.

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn decide_try(attempt: u32, answer: &HookAnswer, failing_since: Option<Timestamp>) -> HookDecision {
    let tried = CallAttempt { attempt, failing_since, answer };
    decide_hook(&tried, &RetryPolicy::default(), NOW, 0.5)
}

fn after(attempt: u32, status: u16, retry_after: Option<i64>) -> HookDecision {
    let retry_after = retry_after.map(SignedDuration::from_secs);
    decide_try(attempt, &HookAnswer::Http { status, retry_after }, None)
}

fn in_seconds(seconds: i64) -> HookDecision {
    HookDecision::Retry { at: Timestamp::from_second(seconds).unwrap(), aside: false }
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
    let decide = |n| decide_try(n, &answer, None);
    assert_eq!(decide(2), in_seconds(30));
    let HookDecision::Stopped { reason, disable_hook: false } = decide(10) else { panic!() };
    assert!(reason.contains("10 tries") && reason.contains("connection refused"), "{reason}");
}

#[test]
fn order_holds_for_minutes_and_patience_for_days() {
    let answer = HookAnswer::Http { status: 500, retry_after: None };
    let since = |hours: i64| Some(NOW - SignedDuration::from_hours(hours));
    let minutes = Some(NOW - SignedDuration::from_mins(9));
    assert!(matches!(decide_try(2, &answer, minutes), HookDecision::Retry { aside: false, .. }));
    assert!(matches!(decide_try(2, &answer, since(1)), HookDecision::Retry { aside: true, .. }));
    assert!(matches!(decide_try(1, &answer, since(119)), HookDecision::Retry { aside: true, .. }));
    let stopped = decide_try(1, &answer, since(120));
    let HookDecision::Stopped { reason, disable_hook: true } = stopped else { panic!() };
    assert!(reason.contains("5 days") && reason.contains("500"), "{reason}");
    let success = HookAnswer::Http { status: 204, retry_after: None };
    assert_eq!(decide_try(3, &success, since(500)), HookDecision::Delivered);
}

fn topics_after(kind: ActionKind, answer: HookAnswer, output: &[Output]) -> Vec<Topic> {
    topics_after_telling(Topic::INVOICE_RECEIVED, kind, answer, output)
}

fn topics_after_telling(
    topic: Topic,
    kind: ActionKind,
    answer: HookAnswer,
    output: &[Output],
) -> Vec<Topic> {
    let details = BTreeMap::from([("sender".to_owned(), "0106:1".to_owned())]);
    let told = HookContext {
        kind,
        hook: "h",
        destination: "https://h.example/in",
        output,
        topic,
        details: &details,
    };
    let tried = CallAttempt { attempt: 1, failing_since: None, answer: &answer };
    let decision = decide_hook(&tried, &RetryPolicy::default(), NOW, 0.5);
    let notices = aftermath(&told, &tried, &decision);
    for notice in &notices {
        assert_eq!(notice.details["sender"], "0106:1");
        assert_eq!(notice.details["hook"], "h");
        assert_eq!(notice.details["hookTopic"], topic.as_str());
    }
    notices.into_iter().map(|notice| notice.topic).collect()
}

#[test]
fn a_hook_publishes_its_output_once_it_is_done() {
    let output = [
        Output { when: "201".to_owned(), topic: Topic::INVOICE_CLEARED },
        Output { when: "410".to_owned(), topic: Topic::INVOICE_CLEARED_ERROR },
    ];
    let http = |status| HookAnswer::Http { status, retry_after: None };
    assert_eq!(topics_after(ActionKind::Web, http(201), &output), [Topic::INVOICE_CLEARED]);
    assert_eq!(topics_after(ActionKind::Web, http(200), &output), []);
    assert_eq!(topics_after(ActionKind::Web, http(500), &output), [], "it is tried again");
    let gone = [Topic::INVOICE_CLEARED_ERROR, Topic::HOOK_DISABLED];
    assert_eq!(topics_after(ActionKind::Web, http(410), &output), gone);
}

#[test]
fn c_24_a_ping_publishes_nothing() {
    let output = [Output { when: "*".to_owned(), topic: Topic::INVOICE_CLEARED }];
    let http = |status| HookAnswer::Http { status, retry_after: None };
    assert_eq!(topics_after_telling(Topic::PING, ActionKind::Web, http(200), &output), []);
    let gone = topics_after_telling(Topic::PING, ActionKind::Web, http(410), &output);
    assert_eq!(gone, [Topic::HOOK_DISABLED], "but that the hook is gone is told");
    assert_eq!(topics_after(ActionKind::Web, http(200), &output), [Topic::INVOICE_CLEARED]);
}

#[test]
fn only_mail_hooks_are_told_of() {
    let refused = || HookAnswer::Refused { cause: "550".to_owned() };
    let none = || HookAnswer::None { cause: "no connection".to_owned() };
    let sent = HookAnswer::Http { status: 200, retry_after: None };
    assert_eq!(topics_after(ActionKind::Mail, sent, &[]), [Topic::HOOK_SENT]);
    assert_eq!(topics_after(ActionKind::Mail, none(), &[]), [Topic::HOOK_SENT_RETRY]);
    assert_eq!(topics_after(ActionKind::Mail, refused(), &[]), [Topic::HOOK_SENT_ERROR]);
    assert_eq!(topics_after(ActionKind::Web, refused(), &[]), []);
}

#[test]
fn c_30_a_try_that_failed_says_why() {
    let details = BTreeMap::new();
    let topic = Topic::INVOICE_RECEIVED;
    let told = HookContext {
        kind: ActionKind::Mail,
        hook: "h",
        destination: "https://h.example/in",
        output: &[],
        topic,
        details: &details,
    };
    let answer = HookAnswer::None { cause: "no connection".to_owned() };
    let tried = CallAttempt { attempt: 1, failing_since: None, answer: &answer };
    let decision = decide_hook(&tried, &RetryPolicy::default(), NOW, 0.5);
    let notice = aftermath(&told, &tried, &decision).remove(0);
    assert_eq!(notice.topic, Topic::HOOK_SENT_RETRY);
    assert!(notice.message.starts_with("No connection. Next try: "), "{}", notice.message);
}

/// Its endpoint is that of the hook: where the document went to says nothing of it.
#[test]
fn that_a_hook_is_off_names_the_hook() {
    let details = BTreeMap::from([("endpoint".to_owned(), "https://ap.example/as4".to_owned())]);
    let told = HookContext {
        kind: ActionKind::Web,
        hook: "h",
        destination: "https://h.example/in",
        output: &[],
        topic: Topic::INVOICE_SENT,
        details: &details,
    };
    let answer = HookAnswer::Http { status: 410, retry_after: None };
    let tried = CallAttempt { attempt: 1, failing_since: None, answer: &answer };
    let decision = decide_hook(&tried, &RetryPolicy::default(), NOW, 0.5);
    let notice = aftermath(&told, &tried, &decision).remove(0);
    assert_eq!(notice.topic, Topic::HOOK_DISABLED);
    assert_eq!(notice.details["endpoint"], "https://h.example/in");
    assert!(notice.message.starts_with("The destination answered 410"), "{}", notice.message);
}
