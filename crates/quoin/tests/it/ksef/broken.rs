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

/// A receipt that is not there yet is waited for: its invoice is registered, and so is every other
/// one of the batch.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_that_comes_later_fails_no_invoice() {
    let (play, lab) = play_as(quick(), |section, _| section.collect_seconds = 2).await;
    put_hook(&play, &lab).await;
    // The link is good no more, and the receipt is not made yet.
    lab.plan(KsefFault::Refuse { call: "GET download".to_owned(), status: 403, times: 9 });
    lab.plan(KsefFault::RefuseWith {
        call: "GET sessions/*/upo".to_owned(),
        code: 21_178,
        times: 2,
    });
    let ids = [send(&play, "UPO/1").await, send(&play, "UPO/2").await];
    for id in &ids {
        let done = async || {
            play.stage.clock.advance(jiff::SignedDuration::from_secs(20));
            (play.times(id, "InvoiceSent") > 0).then_some(())
        };
        until("the delivery", done).await;
        cleared(&play, id, ClearanceState::Registered).await;
        assert_eq!(evidence(&play, id, EvidenceKind::Upo).await.len(), 1);
        assert_eq!(play.times(id, "InvoiceClearedError"), 0);
    }
    assert_eq!(lab.registered().len(), 2);
}

/// A duplicate whose receipt cannot be had waits by itself: the others of its package are
/// registered and leave.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_without_a_receipt_keeps_no_other_one_waiting() {
    let (play, lab) = play_as(quick(), |section, _| section.collect_seconds = 2).await;
    put_hook(&play, &lab).await;
    let first = send(&play, "OWN/1").await;
    assert_eq!(play.ending(&first).await.text("topic"), "InvoiceSent");
    let number = cleared(&play, &first, ClearanceState::Registered).await;
    let call = "GET sessions/*/upo".to_owned();
    lab.plan(KsefFault::Gateway { call, status: 404, times: 6 });
    let ids = [send(&play, "OWN/2").await, send(&play, "OWN/1").await, send(&play, "OWN/3").await];
    let [two, again, three] = &ids;
    for id in [two, three] {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
        cleared(&play, id, ClearanceState::Registered).await;
        let path = format!("/api/v1/{PARTY}/salesInvoice/{id}/status");
        let lines = play.sender().await.get(&path).await.json;
        assert!(!lines.to_string().contains("ksef-unavailable"), "{lines}");
    }
    assert_eq!(play.times(again, "InvoiceSent"), 0);
    let done = async || {
        play.stage.clock.advance(jiff::SignedDuration::from_secs(20));
        (play.times(again, "InvoiceSent") > 0).then_some(())
    };
    until("the delivery", done).await;
    assert_eq!(cleared(&play, again, ClearanceState::Registered).await, number);
    assert_eq!(lab.registered().len(), 3);
}

/// One whose receipt is refused for good is registered without it, and no other one suffers.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_that_is_refused_is_of_one_invoice() {
    let (play, lab) = play_as(quick(), |section, _| section.collect_seconds = 2).await;
    put_hook(&play, &lab).await;
    lab.plan(KsefFault::Refuse { call: "GET download".to_owned(), status: 403, times: 1 });
    lab.plan(KsefFault::RefuseWith {
        call: "GET sessions/*/upo".to_owned(),
        code: 21_405,
        times: 1,
    });
    let ids = [send(&play, "UPO/3").await, send(&play, "UPO/4").await];
    let mut receipts = 0;
    for id in &ids {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
        assert!(!cleared(&play, id, ClearanceState::Registered).await.is_empty());
        receipts += evidence(&play, id, EvidenceKind::Upo).await.len();
    }
    assert_eq!(receipts, 1);
}

/// What something before the system answers, and what it refuses of a session that it has, keeps
/// no invoice and fails none.
#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_fails_no_invoice() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let own = |call: &str| call.to_owned();
    lab.plan(KsefFault::Gateway { call: own("POST sessions/batch"), status: 403, times: 1 });
    lab.plan(KsefFault::Gateway { call: own("GET sessions/*"), status: 404, times: 2 });
    lab.plan(KsefFault::RefuseWith {
        call: own("GET sessions/*/invoices"),
        code: 21_405,
        times: 1,
    });
    let id = send(&play, "GATE/1").await;
    let done = async || {
        play.stage.clock.advance(jiff::SignedDuration::from_secs(20));
        (play.times(&id, "InvoiceSent") > 0).then_some(())
    };
    until("the delivery", done).await;
    cleared(&play, &id, ClearanceState::Registered).await;
    assert_eq!((lab.registered().len(), play.times(&id, "InvoiceClearedError")), (1, 0));
}

/// A token that is not taken, after other troubles of the same step, is signed in for anew; and
/// where that helps nothing, the invoices wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_taken_fails_no_invoice() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    lab.plan(KsefFault::Refuse { call: "GET sessions".to_owned(), status: 503, times: 2 });
    lab.plan(KsefFault::Refuse { call: "GET sessions".to_owned(), status: 401, times: 4 });
    let id = send(&play, "TOKEN/1").await;
    let done = async || {
        play.stage.clock.advance(jiff::SignedDuration::from_mins(2));
        (play.times(&id, "InvoiceSent") > 0).then_some(())
    };
    until("the delivery", done).await;
    cleared(&play, &id, ClearanceState::Registered).await;
    assert_eq!((lab.registered().len(), play.times(&id, "InvoiceClearedError")), (1, 0));
}

/// What KSeF cannot process goes again with waits that grow, not in a session every few seconds; in
/// the end it is told as failed, and other invoices are registered meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_processed_takes_few_sessions() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    for _ in 0..20 {
        lab.plan(KsefFault::Invoice { number: "FV/550".to_owned(), code: 550 });
    }
    let sessions = |lab: &KsefLab| {
        let all = lab.exchanges();
        all.iter().filter(|one| one.method == "POST" && one.path == "/sessions/batch").count()
    };
    let id = send(&play, "FV/550").await;
    let told = play.told(&id, &["InvoiceClearedRetry"]).await;
    assert_eq!(told.payload["details"]["code"], "ksef-unavailable");
    let begun = play.stage.clock.now();
    while play.stage.clock.now().duration_since(begun) < jiff::SignedDuration::from_mins(58) {
        play.stage.clock.advance(jiff::SignedDuration::from_mins(1));
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    }
    let in_an_hour = sessions(&lab);
    // A machine that is slow gets to fewer.
    assert!((2..=5).contains(&in_an_hour), "{in_an_hour}");
    let other = send(&play, "FV/551").await;
    assert_eq!(play.ending(&other).await.text("topic"), "InvoiceSent");
    // The last one fails it. The service gets to do what is due between two moments, or the words
    // of a session would be old whenever they come.
    for _ in 0..1_200 {
        if play.times(&id, "InvoiceClearedError") > 0 {
            break;
        }
        play.stage.clock.advance(jiff::SignedDuration::from_mins(5));
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    assert_eq!(play.times(&id, "InvoiceClearedError"), 1, "{} sessions", sessions(&lab));
    assert!(sessions(&lab) <= 11, "{}", sessions(&lab));
    assert_eq!(lab.registered().len(), 1);
}
