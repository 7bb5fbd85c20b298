//! Terms are told while something can still be done: invoices that have to be registered, and
//! certificates that end.

use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::AvailabilityMessage;

use super::*;

/// An event of a topic with a code, if it was told.
async fn event(play: &Play, topic: &str, code: &str) -> Option<Value> {
    let path = format!("/api/v1/events?topic={topic}&limit=500");
    let told = play.sender().await.get(&path).await.json;
    let items = told["items"].as_array().cloned().unwrap_or_default();
    items.into_iter().find(|one| one["details"]["code"] == code)
}

async fn alarm(play: &Play, code: &str) -> Option<String> {
    let all = play.one.parts.store.open_alarms(100).await.unwrap();
    all.into_iter().find(|one| one.code == code).map(|one| one.message)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_legal_term_is_told_before_it_is_over() {
    // Every invoice of today is late, and goes out without the system.
    let (play, lab) = play(quick(), 24 * 60).await;
    put_hook(&play, &lab).await;
    let id = send(&play, "TERM/1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    cleared(&play, &id, ClearanceState::Offline).await;
    lab.announce(Availability::Failure, Vec::new());
    assert_eq!(alarm(&play, "clearance-due").await, None);
    let record = play.record(&id).await.transaction;
    let store = &play.one.parts.store;
    let due = store.clearance_of(&record.id).await.unwrap().unwrap().due_on.unwrap();
    let noon = due.duration_since(play.stage.clock.now()) - SignedDuration::from_hours(11);
    play.stage.clock.advance(noon);
    let told = until("the term", async || event(&play, "InvoiceClearedRetry", "ksef-term").await);
    let told = told.await;
    assert!(told["message"].as_str().unwrap().contains("Faktury wystawione poza KSeF"), "{told}");
    assert_eq!(told["details"]["count"], "1");
    until("the alarm", async || alarm(&play, "clearance-due").await).await;
    // It is over once the invoice is registered.
    lab.announce(Availability::Available, Vec::new());
    play.stage.clock.advance(SignedDuration::from_hours(2));
    cleared(&play, &id, ClearanceState::Registered).await;
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let ended = async || alarm(&play, "clearance-due").await.is_none().then_some(());
    until("the end of the alarm", ended).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_told_before_it_ends() {
    let (play, lab) = play(quick(), 0).await;
    put_hook_for(&play, &lab, 10).await;
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let told = async || event(&play, "CertificateExpiring", "ksef-certificate").await;
    let told = until("the certificate", told).await;
    assert!(told["message"].as_str().unwrap().contains("wkrótce straci ważność"), "{told}");
    until("the alarm", async || alarm(&play, "clearance-certificate").await).await;
    // A new one ends it.
    put_hook_for(&play, &lab, 700).await;
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let ended = async || alarm(&play, "clearance-certificate").await.is_none().then_some(());
    until("the end of the alarm", ended).await;
}

/// A message about the failure that began in a story, or about its end.
fn failure(kind: &str, start: Timestamp, end: Option<Timestamp>) -> AvailabilityMessage {
    AvailabilityMessage {
        id: kind.to_owned(),
        event_id: 7,
        category: "FAILURE".to_owned(),
        kind: kind.to_owned(),
        title: String::new(),
        text: String::new(),
        start,
        end,
        version: 1,
        published: start,
    }
}

/// What was issued in an announced failure has no term while that lasts: after days it is an alarm.
/// Its end is the begin of the term, and what stands in the way from then on is told.
#[tokio::test(flavor = "multi_thread")]
async fn the_term_of_a_failure_begins_with_its_end() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let begun = play.stage.clock.now();
    lab.announce(Availability::Failure, vec![failure("FAILURE_START", begun, None)]);
    let id = send(&play, "EMERGENCY/1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    cleared(&play, &id, ClearanceState::Offline).await;
    let record = play.record(&id).await.transaction;
    let (store, clock) = (&play.one.parts.store, &play.stage.clock);
    let due = async || store.clearance_of(&record.id).await.unwrap().unwrap().due_on;
    assert_eq!(due().await, None);
    clock.advance(SignedDuration::from_hours(71));
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(alarm(&play, "clearance-waits").await, None);
    clock.advance(SignedDuration::from_hours(2));
    until("the alarm", async || alarm(&play, "clearance-waits").await).await;
    assert_eq!(play.times(&id, "InvoiceClearedRetry"), 0);
    // It is there again, and something is in the way.
    let call = "POST sessions/batch".to_owned();
    lab.plan(KsefFault::Gateway { call, status: 404, times: 2 });
    let ended = clock.now();
    let told =
        vec![failure("FAILURE_START", begun, None), failure("FAILURE_END", begun, Some(ended))];
    lab.announce(Availability::Available, told);
    clock.advance(SignedDuration::from_hours(3));
    let planned = until("the term", async || due().await).await;
    let day = quoin_ksef::offline::add_working_days(quoin_ksef::offline::warsaw(ended).date(), 7);
    assert_eq!(Some(planned), quoin_ksef::offline::Term::Day(day).end());
    let told = play.told(&id, &["InvoiceClearedRetry"]).await;
    assert_eq!(told.payload["details"]["code"], "ksef-unavailable");
    let done = async || {
        clock.advance(SignedDuration::from_secs(5));
        (lab.registered().len() == 1).then_some(())
    };
    until("the registration", done).await;
    cleared(&play, &id, ClearanceState::Registered).await;
    let over = async || {
        clock.advance(SignedDuration::from_mins(16));
        alarm(&play, "clearance-waits").await.is_none().then_some(())
    };
    until("the end of the alarm", over).await;
}

/// Documents whose hook is gone wait and are told once; after an hour it is an alarm, and with a
/// hook they go on.
#[tokio::test(flavor = "multi_thread")]
async fn documents_without_a_hook_are_told() {
    let (play, lab) = play_as(quick(), |section, _| section.collect_seconds = 3_600).await;
    put_hook(&play, &lab).await;
    let id = send(&play, "HOOK/1").await;
    let record = play.record(&id).await.transaction;
    let store = &play.one.parts.store;
    let waits = async || store.clearance_of(&record.id).await.unwrap();
    until("the clearance", waits).await;
    let (sender, headers) = (play.sender().await, [("content-type", "application/json")]);
    let off = json!({
        "id": "clearing", "action": "ksef", "topics": ["ClearInvoiceBatched"], "isActive": false,
    });
    let path = format!("/api/v1/{PARTY}/hook");
    let saved = sender.call(Method::PUT, &path, &headers, Some(off.to_string())).await.unwrap();
    assert_eq!(saved.status, 200, "{}", saved.json);
    play.stage.clock.advance(SignedDuration::from_mins(61));
    let told = play.told(&id, &["InvoiceClearedRetry"]).await;
    assert_eq!(told.payload["details"]["code"], "ksef-certificate");
    assert!(told.text("message").contains("has no hook ksef"), "{}", told.text("message"));
    let raised = async || {
        play.stage.clock.advance(SignedDuration::from_mins(11));
        alarm(&play, "clearance-waits").await
    };
    until("the alarm", raised).await;
    assert_eq!(play.times(&id, "InvoiceClearedRetry"), 1);
    put_hook(&play, &lab).await;
    play.stage.clock.advance(SignedDuration::from_mins(11));
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(lab.registered().len(), 1);
}
