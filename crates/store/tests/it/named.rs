//! An id that a caller gives names one document of its organisation, whichever way that goes.

use quoin_delivery::Direction;
use quoin_delivery::repeats::RepeatedIdentifier;
use quoin_store::{NewIncoming, RecordOutcome, Submitted};

use crate::world::*;

#[tokio::test]
async fn an_id_names_one_document_whichever_way_it_goes() {
    let world = world().await;
    let store = &world.store;
    let sent = world.upload(1).await.transaction.id;
    let handed = || incoming(1, "<Invoice n='1'/>");
    let RecordOutcome::Known { existing, by, .. } = store.hand_in(handed()).await.unwrap() else {
        panic!("it is taken")
    };
    assert_eq!((&existing, by), (&sent, RepeatedIdentifier::Document));
    let none = store.transaction_of(&acme(), Direction::Incoming, &document(1)).await.unwrap();
    assert_eq!(none, None, "nothing of it is stored");
    // A repeat of what was sent is one, with the same bytes and with others.
    for (content, same) in [("<Invoice n='1'/>", true), ("<Invoice/>", false)] {
        let again = store.submit(outgoing(1, content)).await.unwrap();
        let (existing, same_content) = (sent.clone(), same);
        assert_eq!(again, Submitted::Duplicate { existing, same_content });
    }
    // And the other way round, also of what was deleted: its record is there.
    let RecordOutcome::Accepted(received) =
        store.hand_in(incoming(2, "<Invoice n='2'/>")).await.unwrap()
    else {
        panic!("it is new")
    };
    for deleted in [false, true] {
        if deleted {
            store.delete_incoming(&acme(), &document(2), at(9)).await.unwrap();
        }
        let other = store.submit(outgoing(2, "<Invoice n='2'/>")).await.unwrap();
        let (existing, same_content) = (received.clone(), false);
        assert_eq!(other, Submitted::Duplicate { existing, same_content }, "{deleted}");
    }
    let again = NewIncoming { message_id: "other".into(), instance_id: "other".into(), ..handed() };
    assert!(matches!(store.hand_in(again).await.unwrap(), RecordOutcome::Known { .. }));
}
