//! Tests of `decide`: each row of the interface's table of sent invoices, and random lives.

use jiff::SignedDuration;

use super::*;
use crate::hook::{ActionKind, Output};
use crate::topics::Family;
use crate::transaction::{DeliveryRoute, NextChannel};

mod lives;
mod returned;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn transaction(direction: Direction, status: Status, attempts: u32) -> Transaction {
    Transaction {
        id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".parse().unwrap(),
        organisation: "acme".parse().unwrap(),
        party: "0106:12345678".to_owned(),
        document_id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7".parse().unwrap(),
        direction,
        family: Family::Invoice,
        status,
        attempts,
        version: 1,
        sender: Some("0106:12345678".to_owned()),
        receiver: Some("0106:87654321".to_owned()),
        number: Some("2026-17".to_owned()),
        source_document_type: Some("busdox-docid-qns::x".to_owned()),
        target_document_type: None,
        way: DeliveryRoute::default(),
    }
}

fn sent(status: Status, attempts: u32) -> Transaction {
    transaction(Direction::Outgoing, status, attempts)
}

fn after(tx: &Transaction, event: Event) -> Decision {
    decide(tx, &event, &RetryPolicy::default(), NOW)
}

fn attempted(attempt: u32, outcome: DeliveryOutcome) -> Event {
    Event::Attempted { attempt, outcome }
}

fn delivered() -> DeliveryOutcome {
    DeliveryOutcome::Delivered(Proof {
        endpoint: "https://ap.example.test/as4".to_owned(),
        protocol: "As4".to_owned(),
        message_id: "m@a".to_owned(),
        returned_message_id: "r@b".to_owned(),
        remark: None,
    })
}

fn later(http_status: u16) -> DeliveryOutcome {
    DeliveryOutcome::Later(Later {
        code: "ap-unavailable".to_owned(),
        message: "The access point answered 503.".to_owned(),
        http_status: Some(http_status),
        ..Later::default()
    })
}

fn never() -> DeliveryOutcome {
    DeliveryOutcome::Never(Never {
        code: "ap-refused".to_owned(),
        message: "The access point refused the message.".to_owned(),
        http_status: Some(400),
        ebms_code: Some("EBMS:0004".to_owned()),
        ..Never::default()
    })
}

fn route() -> Event {
    Event::Routed(Route {
        endpoint: "https://ap.example.test/as4".to_owned(),
        protocol: "As4".to_owned(),
        document_type: "busdox-docid-qns::y".to_owned(),
        process: "cenbii-procid-ubl::z".to_owned(),
    })
}

/// What is told; commands are asked for by name.
fn topics(decision: &Decision) -> Vec<Topic> {
    let told = decision.notices.iter().map(|notice| notice.topic);
    told.filter(|topic| !topic.is_command()).collect()
}

fn commands(decision: &Decision) -> Vec<Topic> {
    let told = decision.notices.iter().map(|notice| notice.topic);
    told.filter(|topic| topic.is_command()).collect()
}

fn details_of(decision: &Decision, topic: Topic) -> &BTreeMap<String, String> {
    &decision.notices.iter().find(|notice| notice.topic == topic).unwrap().details
}

fn kinds(decision: &Decision) -> Vec<TaskKind> {
    decision.tasks.iter().map(|task| task.kind).collect()
}

#[test]
fn an_upload_opens_with_a_task() {
    let new = Transaction { version: 0, ..sent(Status::Pending, 0) };
    let decision = after(&new, Event::Uploaded);
    assert_eq!((decision.status, kinds(&decision)), (Status::Pending, vec![TaskKind::Prepare]));
    assert_eq!(decision.timeline.len(), 1);
    assert!(after(&sent(Status::Pending, 0), Event::Uploaded).ignored.is_some());
    assert!(after(&new, Event::Received { access_point: "x".to_owned() }).ignored.is_some());
}

#[test]
fn an_invalid_document_ends_with_its_findings_and_no_retry() {
    let finding = FindingLine {
        rule: "BR-CO-15".to_owned(),
        path: "/Invoice[1]".to_owned(),
        text: "The total is not the sum.".to_owned(),
    };
    let findings = vec![finding; 25];
    let event = Event::Rejected { summary: "25 rules are broken.".to_owned(), findings };
    let decision = after(&sent(Status::Pending, 0), event);
    assert_eq!(decision.status, Status::Rejected);
    assert_eq!(topics(&decision), [Topic::INVOICE_SENT_ERROR]);
    assert!(decision.tasks.is_empty());
    let details = &decision.notices[0].details;
    assert_eq!(details["findingCount"], "25");
    assert_eq!(details["findings"].lines().count(), FINDINGS_IN_EVENT);
    assert!(details["findings"].starts_with("BR-CO-15 /Invoice[1]: The total"));
}

#[test]
fn no_route_ends_without_retry() {
    let text = str::to_owned;
    let event = Event::Unroutable { code: text("c"), message: text("m"), cause: text("no NAPTR") };
    let decision = after(&sent(Status::Validated, 0), event);
    assert_eq!(decision.status, Status::Failed);
    assert_eq!(topics(&decision), [Topic::INVOICE_SENT_ERROR]);
    assert_eq!(details_of(&decision, Topic::INVOICE_SENT_ERROR)["cause"], "no NAPTR");
    assert_eq!(commands(&decision), [Topic::SEND_INVOICE_FALLBACK]);
    assert!(decision.tasks.is_empty());
}

#[test]
fn the_straight_way_is_one_commit() {
    let policy = RetryPolicy::default();
    let tx = sent(Status::Pending, 0);
    let valid = Event::Validated { summary: "Peppol BIS Billing 3".to_owned() };
    let first = decide(&tx, &valid, &policy, NOW);
    assert_eq!(kinds(&first), [TaskKind::Route]);
    let tx = tx.after(&first);
    let second = decide(&tx, &route(), &policy, NOW);
    assert_eq!(kinds(&second), [TaskKind::Deliver]);
    let tx = tx.after(&second);
    let third = decide(&tx, &attempted(1, delivered()), &policy, NOW);
    let all = first.followed_by(second).followed_by(third);
    assert_eq!((all.status, all.attempts), (Status::Delivered, 1));
    assert_eq!(all.target_document_type.as_deref(), Some("busdox-docid-qns::y"));
    assert!(all.tasks.is_empty());
    let names: Vec<&str> = all.timeline.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["Validated", "Routed", "Delivered"]);
    assert_eq!(topics(&all), [Topic::INVOICE_SENT]);
    assert_eq!(commands(&all), [Topic::SEND_INVOICE]);
    let details = details_of(&all, Topic::INVOICE_SENT);
    for (name, value) in [
        ("sender", "0106:12345678"),
        ("recipient", "0106:87654321"),
        ("id", "2026-17"),
        ("sourceDocumentTypeId", "busdox-docid-qns::x"),
        ("targetDocumentTypeId", "busdox-docid-qns::y"),
        ("attempt", "1"),
        ("protocol", "As4"),
        ("messageId", "m@a"),
        ("returnedMessageId", "r@b"),
    ] {
        assert_eq!(details[name], value, "{name}");
    }
}

#[test]
fn a_5xx_is_told_and_tried_again_up_to_the_eighth_time() {
    let mut tx = sent(Status::Routed, 0);
    let mut told = Vec::new();
    for attempt in 1..=8 {
        let decision = after(&tx, attempted(attempt, later(503)));
        assert_eq!(decision.attempts, attempt);
        told.extend(topics(&decision));
        if attempt < 8 {
            assert_eq!(
                (decision.status, kinds(&decision)),
                (Status::Routed, vec![TaskKind::Route])
            );
            assert!(decision.tasks[0].run_at > NOW + SignedDuration::from_mins(4));
            assert_eq!(decision.notices[0].details["httpStatus"], "503");
            let next = &decision.notices[0].details["nextAttempt"];
            let at: Timestamp = next.parse().unwrap();
            assert_eq!((at, at.as_nanosecond() % 1_000), (decision.tasks[0].run_at, 0), "{next}");
            assert!(decision.timeline[0].description.ends_with(&format!("Next: {next}.")));
        } else {
            assert_eq!((decision.status, decision.tasks.len()), (Status::Failed, 0));
        }
        tx = tx.after(&decision);
    }
    assert_eq!(told[..7], [Topic::INVOICE_SENT_RETRY; 7]);
    assert_eq!(told[7..], [Topic::INVOICE_SENT_ERROR]);
}

#[test]
fn a_4xx_ends_at_once() {
    let decision = after(&sent(Status::Routed, 2), attempted(3, never()));
    assert_eq!((decision.status, decision.attempts), (Status::Failed, 3));
    assert_eq!(topics(&decision), [Topic::INVOICE_SENT_ERROR]);
    assert_eq!(details_of(&decision, Topic::INVOICE_SENT_ERROR)["ebmsErrorCode"], "EBMS:0004");
}

/// What it becomes, and so what is checked, depends on the receiver: who cannot be asked is asked
/// again, as often as one who does not answer.
#[test]
fn a_document_that_is_not_checked_yet_waits_for_its_receiver() {
    let mut tx = sent(Status::Pending, 0);
    for attempt in 1..8 {
        let decision = after(&tx, attempted(attempt, later(0)));
        assert_eq!((decision.status, kinds(&decision)), (Status::Pending, vec![TaskKind::Route]));
        assert_eq!(topics(&decision), [Topic::INVOICE_SENT_RETRY]);
        tx = tx.after(&decision);
    }
    let last = after(&tx, attempted(8, later(0)));
    assert_eq!((last.status, topics(&last)), (Status::Failed, vec![Topic::INVOICE_SENT_ERROR]));
    for outcome in [delivered(), never()] {
        assert!(after(&sent(Status::Pending, 0), attempted(1, outcome)).ignored.is_some());
    }
}

#[test]
fn a_look_up_without_answer_counts_as_an_attempt() {
    let decision = after(&sent(Status::Validated, 0), attempted(1, later(0)));
    assert_eq!((decision.status, kinds(&decision)), (Status::Validated, vec![TaskKind::Route]));
    let early = after(&sent(Status::Validated, 0), attempted(1, delivered()));
    assert!(early.ignored.is_some());
}

#[test]
fn an_arrived_document_is_ready_and_told() {
    let tx = transaction(Direction::Incoming, Status::Pending, 0);
    let decision = after(&tx, Event::Validated { summary: "fine".to_owned() });
    assert_eq!(decision.status, Status::Delivered);
    assert_eq!(topics(&decision), [Topic::INVOICE_RECEIVED]);
    assert_eq!(commands(&decision), [Topic::RECEIVE_INVOICE]);
    let wrong = Event::Rejected { summary: "wrong".to_owned(), findings: Vec::new() };
    assert_eq!(topics(&after(&tx, wrong.clone())), [Topic::INVOICE_RECEIVED_ERROR]);
    // A family that has no topic for it is not silent.
    let response = Transaction { family: Family::InvoiceResponse, ..tx.clone() };
    assert_eq!(topics(&after(&response, wrong)), [Topic::DOCUMENT_RECEIVED_ERROR]);
    assert!(after(&tx, route()).ignored.is_some());
}

#[test]
fn a_repeat_is_ignored_with_a_reason() {
    let decision = after(&sent(Status::Routed, 3), attempted(3, later(500)));
    let ignored = decision.ignored.unwrap();
    assert_eq!(ignored.reason, "it is not the next attempt");
    assert_eq!(decision.attempts, 3);
    let ignored = after(&sent(Status::Delivered, 1), attempted(2, never())).ignored.unwrap();
    assert!(ignored.to_string().contains("outgoing document in status Delivered"), "{ignored}");
}

/// The key of the hook `mail` of a party.
const KEY: &str = "010b8e13-0000-8000-8000-000000000001";

fn mail() -> NextChannel {
    NextChannel { hook: KEY.to_owned(), id: "mail".to_owned() }
}

fn with_way(status: Status, attempts: u32, way: DeliveryRoute) -> Transaction {
    Transaction { way, ..sent(status, attempts) }
}

fn unroutable() -> Event {
    let text = str::to_owned;
    Event::Unroutable { code: text("not-registered"), message: text("m"), cause: text("c") }
}

#[test]
fn a_receiver_that_is_not_on_peppol_is_reached_by_the_next_channel() {
    let way = DeliveryRoute { unreachable: Some(mail()), ..DeliveryRoute::default() };
    let tx = with_way(Status::Validated, 0, way);
    let decision = after(&tx, unroutable());
    assert_eq!(decision.status, Status::Validated);
    assert_eq!(decision.channel.as_deref(), Some(KEY), "what is on record");
    assert_eq!(kinds(&decision), [TaskKind::Route]);
    assert_eq!(topics(&decision), []);
    assert_eq!(commands(&decision), [Topic::SEND_INVOICE_FALLBACK]);
    assert_eq!(decision.timeline[0].name, "Fallback");
    let line = &decision.timeline[0].description;
    assert!(line.ends_with("The document takes the channel mail instead."), "{line}");
    assert!(decision.notices.iter().all(|notice| notice.details["channel"] == "mail"));
    assert_eq!(tx.after(&decision).way.channel.as_deref(), Some(KEY));
}

#[test]
fn a_channel_that_takes_over_has_the_whole_schedule() {
    let way = DeliveryRoute { failed: Some(mail()), ..DeliveryRoute::default() };
    let tx = with_way(Status::Routed, 7, way);
    let diverted = after(&tx, attempted(8, later(503)));
    assert_eq!((diverted.status, diverted.attempts_before), (Status::Routed, 8));
    let mut tx = tx.after(&diverted);
    tx.way.failed = None;
    tx.way.kind = Some(ActionKind::Mail);
    let mut attempts = 0;
    while !tx.status.is_final() {
        let decision = after(&tx, attempted(tx.attempts + 1, later(450)));
        assert!(commands(&decision).is_empty(), "only Peppol publishes the fallback");
        tx = tx.after(&decision);
        attempts += 1;
    }
    assert_eq!((attempts, tx.status), (8, Status::Failed));
}

#[test]
fn an_invalid_document_takes_no_other_channel() {
    let next = Some(mail());
    let way = DeliveryRoute { unreachable: next.clone(), failed: next, ..DeliveryRoute::default() };
    let event = Event::Rejected { summary: "wrong".to_owned(), findings: Vec::new() };
    let decision = after(&with_way(Status::Pending, 0, way), event);
    assert_eq!((decision.status, decision.channel), (Status::Rejected, None));
}

#[test]
fn a_channel_publishes_its_output_when_it_is_done() {
    let row = |when: &str, topic| Output { when: when.to_owned(), topic };
    let output = vec![row("200", Topic::INVOICE_CLEARED), row("4xx", Topic::INVOICE_CLEARED_ERROR)];
    let way = DeliveryRoute { output, ..DeliveryRoute::default() };
    let tx = with_way(Status::Routed, 0, way);
    let done = after(&tx, attempted(1, delivered()));
    assert_eq!(topics(&done), [Topic::INVOICE_CLEARED, Topic::INVOICE_SENT]);
    let refused = after(&tx, attempted(1, never()));
    assert_eq!(topics(&refused), [Topic::INVOICE_CLEARED_ERROR, Topic::INVOICE_SENT_ERROR]);
    let retried = after(&tx, attempted(1, later(500)));
    assert_eq!(topics(&retried), [Topic::INVOICE_SENT_RETRY]);
}

#[test]
fn a_failure_tells_its_corner_and_who_can_fix_it() {
    let mut refused = never();
    if let DeliveryOutcome::Never(never) = &mut refused {
        never.code = "AP-CERTIFICATE".to_owned();
    }
    let decision = after(&sent(Status::Routed, 0), attempted(1, refused));
    for notice in &decision.notices {
        assert_eq!(notice.details["corner"], "receiver-certificate");
        assert_eq!(notice.details["whoCanFix"], "receivers-provider");
    }
    assert!(!decision.notices.is_empty());
}

mod resting;
