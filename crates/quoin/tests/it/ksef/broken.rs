//! Answers that are lost, sessions that come to nothing, duplicates: each invoice is registered
//! once.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_lost_register_nothing_twice() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    for call in ["POST sessions/batch", "PUT upload", "GET sessions", "GET download"] {
        lab.plan(KsefFault::Lose { call: call.to_owned(), times: 1 });
    }
    let id = send(&play, "FV/1").await;
    // The service waits between attempts of a step.
    let done = async || {
        play.stage.clock.advance(jiff::SignedDuration::from_secs(20));
        (play.times(&id, "InvoiceSent") > 0).then_some(())
    };
    until("the delivery", done).await;
    cleared(&play, &id, ClearanceState::Registered).await;
    assert_eq!(lab.registered().len(), 1);
    assert_eq!(play.times(&id, "InvoiceSent"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_invoice_again_is_its_own_duplicate() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    // The system has the first session, and says that it failed: the second finds a duplicate.
    let first = send(&play, "FV/1").await;
    assert_eq!(play.ending(&first).await.text("topic"), "InvoiceSent");
    let number = cleared(&play, &first, ClearanceState::Registered).await;
    // Another document with this number is not the same one.
    let id = Uuid::new_v4().to_string();
    let other = invoice(&play, "FV/1").replace("Krzesło", "Stół");
    play.sender().await.send(PARTY, &id, other).await;
    let told = play.told(&id, &["InvoiceClearedError"]).await;
    assert_eq!(told.payload["details"]["code"], "ksef-duplicate");
    // The same bytes under another document id are registered already.
    let again = send(&play, "FV/1").await;
    assert_eq!(play.ending(&again).await.text("topic"), "InvoiceSent");
    assert_eq!(cleared(&play, &again, ClearanceState::Registered).await, number);
    assert_eq!(lab.registered().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_came_to_nothing_is_begun_anew() {
    for code in [415, 440, 500] {
        let (play, lab) = play(quick(), 0).await;
        put_hook(&play, &lab).await;
        lab.plan(KsefFault::Session(code));
        if code == 415 {
            lab.rotate_key().unwrap();
        }
        let id = send(&play, "FV/1").await;
        let done = async || {
            play.stage.clock.advance(jiff::SignedDuration::from_secs(5));
            (play.times(&id, "InvoiceSent") > 0).then_some(())
        };
        until("the delivery", done).await;
        assert_eq!(lab.registered().len(), 1, "{code}");
    }
}
