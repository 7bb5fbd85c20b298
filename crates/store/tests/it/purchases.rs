//! Purchase invoices at a national system: what is asked for by several questions is fetched once.

use jiff::Timestamp;
use quoin_store::{Purchase, PurchasePlace};

use crate::world::*;

const HOUR: i64 = 3_600;

fn place(subject: &str) -> PurchasePlace {
    PurchasePlace {
        organisation: acme(),
        party: RECEIVER.to_owned(),
        taxpayer: "5265877635".to_owned(),
        subject: subject.to_owned(),
    }
}

fn purchase(stored_on: Timestamp) -> Purchase {
    Purchase {
        number: "5265877635-20260528-A".to_owned(),
        digest: [7; 32],
        seller: "1111111111".to_owned(),
        stored_on,
    }
}

/// A time in the future is brought back to now, and one of the past stays.
#[tokio::test]
async fn a_time_in_the_future_is_brought_back() {
    let world = world().await;
    let (store, place) = (&world.store, place("Subject2"));
    store.note_purchases(&place, Vec::new(), at(1_000 * HOUR), at(HOUR)).await.unwrap();
    store.bring_purchases_back(&place, at(2 * HOUR)).await.unwrap();
    assert_eq!(store.purchases_reached(&place).await.unwrap(), Some(at(2 * HOUR)));
    store.bring_purchases_back(&place, at(3 * HOUR)).await.unwrap();
    assert_eq!(store.purchases_reached(&place).await.unwrap(), Some(at(2 * HOUR)));
}

/// A question that lags behind names again what another one of the taxpayer had fetched long ago.
#[tokio::test]
async fn what_was_fetched_is_known_to_a_question_that_lags_behind() {
    let world = world().await;
    let store = &world.store;
    let (ahead, behind) = (place("Subject2"), place("Subject3"));
    let invoice = purchase(at(HOUR));
    let note = async |place: &PurchasePlace, named: Vec<Purchase>, reached: i64| {
        store.note_purchases(place, named, at(reached), at(reached)).await.unwrap();
    };
    note(&behind, Vec::new(), HOUR / 2).await;
    note(&ahead, vec![invoice.clone()], HOUR).await;
    store.purchase_taken(&ahead, &invoice.number).await.unwrap();
    note(&ahead, Vec::new(), 10 * HOUR).await;
    note(&behind, vec![invoice.clone()], HOUR).await;
    assert_eq!(store.purchases_to_fetch(&behind, 10).await.unwrap(), []);
    // Once both are past it, it is forgotten: it is not named again.
    note(&behind, Vec::new(), 10 * HOUR).await;
    note(&behind, vec![invoice.clone()], HOUR).await;
    assert_eq!(store.purchases_to_fetch(&behind, 10).await.unwrap(), [invoice]);
}

/// What cannot be had stands behind all others, however old it is, and comes again in its turn.
#[tokio::test]
async fn what_could_not_be_had_keeps_none_of_the_others_waiting() {
    let world = world().await;
    let (store, place) = (&world.store, place("Subject2"));
    let named = |hour: i64| Purchase { number: format!("n{hour}"), ..purchase(at(hour * HOUR)) };
    let note = async |hours: &[i64]| {
        let named = hours.iter().map(|hour| named(*hour)).collect();
        store.note_purchases(&place, named, at(HOUR), at(HOUR)).await.unwrap();
    };
    let to_fetch = async || {
        let all = store.purchases_to_fetch(&place, 2).await.unwrap();
        all.into_iter().map(|one| one.number).collect::<Vec<_>>()
    };
    note(&[1, 2, 3]).await;
    assert_eq!(to_fetch().await, ["n1", "n2"]);
    store.purchases_left(&place, to_fetch().await).await.unwrap();
    assert_eq!(to_fetch().await, ["n3", "n1"]);
    // What is named again keeps its place, and what is new comes first.
    note(&[1, 4]).await;
    assert_eq!(to_fetch().await, ["n3", "n4"]);
    for number in ["n3", "n4"] {
        store.purchase_taken(&place, number).await.unwrap();
    }
    assert_eq!(to_fetch().await, ["n1", "n2"]);
    store.purchases_left(&place, vec!["n1".to_owned()]).await.unwrap();
    assert_eq!(to_fetch().await, ["n2", "n1"]);
}
