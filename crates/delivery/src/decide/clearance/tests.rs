//! The five outcomes at an authority, for a document that waits and for one that is under way.

use jiff::Timestamp;

use super::*;
use crate::decide::decide;
use crate::event::{DeliveryOutcome, Proof};
use crate::hook::Output;
use crate::retry::RetryPolicy;
use crate::topics::Family;
use crate::transaction::{DeliveryRoute, Direction, Transaction};

fn transaction(status: Status) -> Transaction {
    Transaction {
        id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".parse().unwrap(),
        organisation: "acme".parse().unwrap(),
        party: "9945:5265877635".to_owned(),
        document_id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7".parse().unwrap(),
        direction: Direction::Outgoing,
        family: Family::Invoice,
        status,
        attempts: 0,
        version: 1,
        sender: None,
        receiver: None,
        number: None,
        source_document_type: None,
        target_document_type: None,
        way: DeliveryRoute::default(),
    }
}

fn news(outcome: KsefOutcome) -> ClearanceNews {
    ClearanceNews {
        outcome,
        code: String::new(),
        message: "It is so.".to_owned(),
        details: [("ksefNumber".to_owned(), "N".to_owned())].into(),
        output: Vec::new(),
    }
}

fn told(status: Status, event: &Event) -> (Status, Vec<&'static str>, Vec<TaskKind>) {
    let policy = RetryPolicy::default();
    let decision = decide(&transaction(status), event, &policy, Timestamp::UNIX_EPOCH);
    assert_eq!(decision.ignored, None);
    let topics = decision.notices.iter().map(|notice| notice.topic.as_str()).collect();
    (decision.status, topics, decision.tasks.iter().map(|task| task.kind).collect())
}

#[test]
fn what_follows_each_outcome() {
    use KsefOutcome as O;
    let table = [
        (O::Registered, Status::Validated, vec!["SendInvoice"], vec![TaskKind::Route]),
        (O::Offline, Status::Validated, vec!["SendInvoice"], vec![TaskKind::Route]),
        (O::RegisteredLater, Status::Validated, vec!["InvoiceCleared"], vec![]),
        (O::Unavailable, Status::Validated, vec!["InvoiceClearedRetry"], vec![]),
        (O::Failed, Status::Failed, vec!["InvoiceClearedError", "InvoiceSentError"], vec![]),
    ];
    for (outcome, status, topics, tasks) in table {
        let event = Event::Cleared(news(outcome));
        assert_eq!(told(Status::Validated, &event), (status, topics, tasks));
    }
    // On its way already, as one that was issued without the authority is.
    let later = told(Status::Delivered, &Event::Cleared(news(O::RegisteredLater)));
    assert_eq!(later, (Status::Delivered, vec!["InvoiceCleared"], vec![]));
    let failed = told(Status::Delivered, &Event::Cleared(news(O::Failed)));
    assert_eq!(failed, (Status::Delivered, vec!["InvoiceClearedError"], vec![]));
    // What is final does not go on again.
    let event = Event::Cleared(news(O::Registered));
    let policy = RetryPolicy::default();
    let again = decide(&transaction(Status::Delivered), &event, &policy, Timestamp::UNIX_EPOCH);
    assert!(again.ignored.is_some() && again.tasks.is_empty());
}

#[test]
fn a_document_waits_without_a_task() {
    let event = Event::Clearing { authority: "KSeF" };
    let expected = (Status::Validated, vec!["ClearInvoiceBatched"], vec![]);
    assert_eq!(told(Status::Validated, &event), expected);
    // Its line is one that is told in every language.
    let policy = RetryPolicy::default();
    let decision = decide(&transaction(Status::Validated), &event, &policy, Timestamp::UNIX_EPOCH);
    for line in &decision.timeline {
        let told = quoin_ksef::explain::in_language(&line.description, quoin_model::Language::Nl);
        assert!(told.is_some(), "{}", line.description);
    }
    assert!(!decision.timeline.is_empty());
}

#[test]
fn the_hook_may_name_other_topics() {
    let row = |when: &str, topic| Output { when: when.to_owned(), topic };
    let output = vec![row("200", Topic::INVOICE_CLEARED), row("2xx", Topic::SEND_INVOICE)];
    let own = ClearanceNews { output, ..news(KsefOutcome::Registered) };
    let (_, topics, _) = told(Status::Validated, &Event::Cleared(own));
    assert_eq!(topics, ["InvoiceCleared", "SendInvoice"]);
}

#[test]
fn a_failed_copy_says_that_the_invoice_is_one() {
    let failed = Event::Unroutable {
        code: "not-registered".to_owned(),
        message: "Nobody of that name.".to_owned(),
        cause: String::new(),
    };
    let policy = RetryPolicy::default();
    let decide = |event: &Event| {
        decide(&transaction(Status::Validated), event, &policy, Timestamp::UNIX_EPOCH)
    };
    let known = |number: Option<&str>, mode: Option<&str>| IssuedInvoice {
        number: number.map(str::to_owned),
        mode: mode.map(str::to_owned),
        due_on: mode.map(|_| "2026-12-02T22:59:59Z".parse().unwrap()),
    };
    let told = decide(&failed).of_issued(&known(Some("N-1"), None));
    let line = &told.timeline[0].description;
    assert!(line.starts_with("The invoice is registered by KSeF under N-1: only"), "{line}");
    assert!(line.ends_with("Nobody of that name."), "{line}");
    let error = told.notices.iter().find(|one| one.topic == Topic::INVOICE_SENT_ERROR).unwrap();
    assert_eq!((error.details["ksefNumber"].as_str(), &error.message), ("N-1", line));
    let told = decide(&failed).of_issued(&known(None, Some("offline24")));
    assert!(told.timeline[0].description.contains("is still to be registered"));
    assert!(told.notices.iter().all(|one| one.details["clearanceMode"] == "offline24"));
    let waits = decide(&Event::Clearing { authority: "KSeF" });
    assert_eq!(waits.clone().of_issued(&known(Some("N-1"), None)), waits);
}

#[test]
fn who_is_told_of_the_delivery_is_told_the_number() {
    let policy = RetryPolicy::default();
    let outcome = DeliveryOutcome::Delivered(Proof {
        endpoint: "https://ap.example.test/as4".to_owned(),
        protocol: "As4".to_owned(),
        message_id: "m@a".to_owned(),
        returned_message_id: "r@b".to_owned(),
        remark: None,
    });
    let sent = Event::Attempted { attempt: 1, outcome };
    let at = |status| decide(&transaction(status), &sent, &policy, Timestamp::UNIX_EPOCH);
    let delivered = at(Status::Routed);
    assert_eq!(delivered.status, Status::Delivered);
    let due = "2026-12-02T22:59:59Z";
    let known = |number: Option<&str>, mode: Option<&str>| IssuedInvoice {
        number: number.map(str::to_owned),
        mode: mode.map(str::to_owned),
        due_on: mode.map(|_| due.parse().unwrap()),
    };
    let details = |issued: IssuedInvoice| {
        let told = delivered.clone().of_issued(&issued).notices;
        told.into_iter().find(|one| one.topic == Topic::INVOICE_SENT).unwrap().details
    };
    let online = details(known(Some("N-1"), None));
    assert_eq!(online.get("ksefNumber").map(String::as_str), Some("N-1"));
    assert!(!online.contains_key("clearanceMode") && !online.contains_key("clearanceDueOn"));
    let offline = details(known(None, Some("offline24")));
    assert_eq!((&*offline["clearanceMode"], &*offline["clearanceDueOn"]), ("offline24", due));
}

#[test]
fn an_outcome_is_on_record_though_nobody_listens_to_it() {
    let policy = RetryPolicy::default();
    let outputs = |event: &Event| {
        let told = decide(&transaction(Status::Validated), event, &policy, Timestamp::UNIX_EPOCH);
        told.notices.into_iter().map(|one| (one.topic.as_str(), one.is_output)).collect::<Vec<_>>()
    };
    let registered = outputs(&Event::Cleared(news(KsefOutcome::Registered)));
    assert_eq!(registered, [("SendInvoice", true)]);
    let waits = outputs(&Event::Clearing { authority: "KSeF" });
    assert_eq!(waits, [("ClearInvoiceBatched", false)]);
}
