//! Terms are told while something can still be done: invoices that have to be registered, and
//! certificates that end.

use jiff::SignedDuration;

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
