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
