//! The interface as its callers meet it. The names begin with the item or the finding that asked
//! for the story.

mod codings;
mod formats;
mod headers;
mod hooks;
mod lookups;
mod nulls;
mod parties;
mod safe;
mod strict;
mod told;
mod uploads;

use bytes::Bytes;
use quoin_delivery::{DocumentId, Family};
use quoin_store::{NewIncoming, RecordOutcome, TransactionFacts};
use uuid::Uuid;

use crate::world::World;

/// An invoice that came for a party of `acme`; answers its id.
async fn arrive(world: &World, party: &str, document: &str) -> String {
    let id = DocumentId::from_uuid(Uuid::now_v7());
    let received = world.store.receive(NewIncoming {
        organisation: "acme".parse().unwrap(),
        party: party.into(),
        document_id: id.clone(),
        family: Family::Invoice,
        facts: TransactionFacts::default(),
        envelope_sender: "0208:0123456749".into(),
        message_id: format!("{id}@peer.example"),
        instance_id: format!("instance-{id}"),
        access_point: "POP000002".into(),
        content: Bytes::from(document.to_owned()),
        now: world.clock.now(),
    });
    assert!(matches!(received.await.unwrap(), RecordOutcome::Accepted(_)));
    id.as_str().to_owned()
}
