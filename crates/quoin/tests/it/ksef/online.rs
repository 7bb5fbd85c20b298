//! Few invoices go one by one in an online session, and more than the system takes go in two.

use super::*;

fn calls(lab: &KsefLab, begin: &str) -> usize {
    let exchanges = lab.exchanges();
    exchanges.iter().filter(|one| format!("{} {}", one.method, one.path).starts_with(begin)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_invoices_go_online_and_lose_no_answer() {
    let (play, lab) = play_as(quick(), |section, _| {
        section.online_up_to = 5;
        section.collect_seconds = 2;
    })
    .await;
    put_hook(&play, &lab).await;
    // The answer to the first one is lost: it is sent again, and is a duplicate of itself.
    lab.plan(KsefFault::Lose { call: "POST sessions/online/".to_owned(), times: 1 });
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(send(&play, &format!("ON/{number}")).await);
    }
    for id in &ids {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
        let number = cleared(&play, id, ClearanceState::Registered).await;
        let form = evidence(&play, id, EvidenceKind::Form).await.remove(0);
        let upo = evidence(&play, id, EvidenceKind::Upo).await.remove(0);
        check_upo(&upo, &sha256(&form), &number).unwrap();
    }
    assert_eq!(lab.registered().len(), 3);
    assert_eq!(calls(&lab, "POST /sessions/batch"), 0);
    assert!(calls(&lab, "POST /sessions/online") > 3);
    assert!(lab.registered().iter().all(|one| !one.offline));
}

/// More than the system takes in a second go within its limits, each once, and nobody is told of a
/// limit; what does not fit in the minute any more goes as a batch.
#[tokio::test(flavor = "multi_thread")]
async fn more_than_a_second_takes_go_online() {
    let settings = KsefLabSettings { limits: true, ..quick() };
    let (play, lab) = play_as(settings, |section, _| {
        section.online_up_to = 20;
        section.collect_seconds = 6;
    })
    .await;
    put_hook(&play, &lab).await;
    // Twenty more do not fit in the minute.
    for (round, count) in [(0, 14), (1, 20)] {
        let mut ids = Vec::new();
        for number in 0..count {
            ids.push(send(&play, &format!("ON/{round}/{number}")).await);
        }
        for id in &ids {
            assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
            cleared(&play, id, ClearanceState::Registered).await;
            assert_eq!(play.times(id, "InvoiceClearedRetry"), 0);
        }
        assert_eq!(calls(&lab, "POST /sessions/batch") > 0, round > 0, "{round}");
    }
    assert_eq!(lab.registered().len(), 34);
    let sent = lab.exchanges();
    let sent = sent.iter().filter(|one| one.path.ends_with("/invoices") && one.method == "POST");
    assert_eq!(sent.count(), 14);
}

/// An invoice that an online session refuses is told by itself: the others are registered, and the
/// session is closed. Trouble in between begins nothing from the start.
#[tokio::test(flavor = "multi_thread")]
async fn an_online_session_refuses_one_invoice() {
    let (play, lab) = play_as(quick(), |section, _| {
        section.online_up_to = 5;
        section.collect_seconds = 2;
    })
    .await;
    put_hook(&play, &lab).await;
    let call = || "POST sessions/online/*/invoices".to_owned();
    lab.plan(KsefFault::RefuseWith { call: call(), code: 21_402, times: 1 });
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(send(&play, &format!("ONE/{number}")).await);
    }
    let (mut sent, mut refused) = (0, 0);
    for id in &ids {
        let told = play.told(id, &["InvoiceSent", "InvoiceClearedError"]).await;
        match told.text("topic") {
            "InvoiceSent" => sent += 1,
            _ => {
                refused += 1;
                assert!(told.text("message").contains("21402"), "{}", told.text("message"));
                assert_eq!(told.payload["details"]["code"], "ksef-defect");
                assert_eq!(told.payload["details"]["whoCanFix"], "us");
            }
        }
    }
    assert_eq!((sent, refused, lab.registered().len()), (2, 1, 2));
    assert_eq!(calls(&lab, "POST /sessions/online/"), 4, "three invoices, and the end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_too_large_is_split() {
    let settings = KsefLabSettings { invoices: 2, ..quick() };
    let (play, lab) = play_as(settings, |section, _| section.collect_seconds = 3).await;
    put_hook(&play, &lab).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(send(&play, &format!("SPLIT/{number}")).await);
    }
    for id in &ids {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
    }
    let mut numbers: Vec<String> =
        lab.registered().iter().map(|one| one.number().to_owned()).collect();
    numbers.sort();
    let expected: Vec<String> = (0..5).map(|number| format!("SPLIT/{number}")).collect();
    assert_eq!(numbers, expected);
}
