//! Two organisations of one service have more to send than can be sent at once: the one that weighs
//! more has more steps meanwhile, and the other one has its part.

use futures::future::join_all;
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};

use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

const HEAVY: &str = "0106:33333333";
/// Documents of each.
const DOCUMENTS: usize = 200;

#[tokio::test(flavor = "multi_thread")]
async fn a_backlog_is_sent_by_weight() {
    let stage = Stage::set().await;
    let heavy = Customer::new("heavy", &[HEAVY]).unwrap();
    stage.register(HEAVY, &stage.one.smp_url);
    let mut of_heavy = stage.one.config(&stage.around, &heavy).organisation;
    of_heavy[0].weight = 20;
    let play = stage.play_with(|one, _| one.organisation.append(&mut of_heavy)).await;
    let callers = [play.sender().await, Caller::of(&play.stage, &play.one, &heavy).await];
    let uploads = (0..2 * DOCUMENTS).map(|number| {
        let (caller, party) = (&callers[number % 2], [SENDER, HEAVY][number % 2]);
        let invoice = quoin_formats::samples::invoice(party, RECEIVER, &format!("W-{number}"));
        async move {
            let id = uuid::Uuid::new_v4().to_string();
            let answer = caller.send(party, &id, invoice).await;
            assert_eq!(answer.status, 200, "{:?}", answer.json);
        }
    });
    join_all(uploads).await;
    let all = 2 * DOCUMENTS;
    // Whose was sent, in the order in which it was.
    let order = until("all is sent", async || {
        let told = play.stage.around.sink.told();
        let sent = told.iter().filter(|told| told.text("topic") == "InvoiceSent");
        let mut sent: Vec<(String, bool)> = sent
            .map(|told| (told.text("createdOn").to_owned(), told.text("partyId") == HEAVY))
            .collect();
        sent.sort();
        (sent.len() == all).then_some(sent)
    });
    let order = order.await;
    let places = |is_heavy: bool| -> usize {
        let of = order.iter().enumerate().filter(|(_, (_, heavy))| *heavy == is_heavy);
        of.map(|(place, _)| place).sum()
    };
    assert_eq!(order.iter().filter(|(_, heavy)| *heavy).count(), DOCUMENTS);
    assert!(places(true) < places(false), "{} and {}", places(true), places(false));
    // The lighter one was not left to the end.
    let last = order.iter().rposition(|(_, heavy)| *heavy).unwrap_or_default();
    let meanwhile = order[..last].iter().filter(|(_, heavy)| !*heavy).count();
    assert!(meanwhile > 0, "the lighter one waited for all of the other");
}
