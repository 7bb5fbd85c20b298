//! Envelopes that callers make themselves: what bears their identifiers, and whose a status is.

use quoin_delivery::{OrganisationId, TaskKind};
use quoin_store::{Attempt, NewOutgoing, Organisation, Submitted, TransactionRecord};

use crate::world::{World, acme, at, attempt, completion, document, outgoing, straight, world};

const INSTANCE: &str = "0f1e2d3c-4b5a-4697-8879-6a5b4c3d2e1f";

fn other() -> OrganisationId {
    "other".parse().unwrap()
}

async fn two() -> World {
    let world = world().await;
    let organisation = Organisation { id: other(), name: "Other".into(), created_on: at(0) };
    world.store.put_organisation(organisation).await.unwrap();
    world
}

fn enveloped(organisation: OrganisationId, number: u32, content: &str) -> NewOutgoing {
    NewOutgoing {
        organisation,
        is_own_envelope: true,
        instance_id: INSTANCE.to_owned(),
        ..outgoing(number, content)
    }
}

/// Sends a document in an envelope of its sender's own to a provider.
async fn sent(
    world: &World,
    organisation: OrganisationId,
    number: u32,
    provider: &str,
) -> TransactionRecord {
    let new = enveloped(organisation, number, "<Invoice/>");
    let submitted = world.store.submit(new).await.unwrap();
    let Submitted::Accepted { transaction, .. } = submitted else { panic!("{submitted:?}") };
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let record = world.load(&claim).await;
    let mut done = completion(&claim, &record, &straight(), i64::from(number));
    let report = serde_json::json!({ "send": { "accessPoint": provider } });
    done.attempt = Some(Attempt { report, ..attempt("<Receipt/>") });
    world.store.commit(done).await.unwrap();
    world.store.transaction(&transaction).await.unwrap().unwrap()
}

#[tokio::test]
async fn an_identifier_of_another_organisation_is_neither_seen_nor_taken() {
    let world = two().await;
    let first = world.store.submit(enveloped(other(), 1, "<a/>")).await.unwrap();
    assert!(matches!(first, Submitted::Accepted { .. }));
    assert!(world.store.is_envelope_free(&acme(), INSTANCE).await.unwrap());
    assert!(!world.store.is_envelope_free(&other(), INSTANCE).await.unwrap());
    let own = world.store.submit(enveloped(acme(), 2, "<a/>")).await.unwrap();
    let Submitted::Accepted { transaction, .. } = own else { panic!("{own:?}") };
    for (number, content, same_content) in [(3, "<a/>", true), (4, "<b/>", false)] {
        let again = world.store.submit(enveloped(acme(), number, content)).await.unwrap();
        let existing = transaction.clone();
        assert_eq!(again, Submitted::EnvelopeTaken { existing, same_content });
        let id = document(number);
        let way = quoin_delivery::Direction::Outgoing;
        let stored = world.store.transaction_of(&acme(), way, &id).await.unwrap();
        assert!(stored.is_none(), "nothing was stored");
    }
}

#[tokio::test]
async fn a_status_is_of_whoever_sent_to_the_provider_that_gives_it() {
    let world = two().await;
    let ours = sent(&world, acme(), 1, "POP000002").await;
    let theirs = sent(&world, other(), 2, "POP000003").await;
    let store = &world.store;
    for (provider, wanted) in [("POP000002", &ours), ("POP000003", &theirs)] {
        let found = store.sent_to_provider(INSTANCE, provider).await.unwrap().unwrap();
        assert_eq!(found.transaction.id, wanted.transaction.id, "{provider}");
    }
    for (owner, wanted) in [(acme(), &ours), (other(), &theirs)] {
        let found = store.sent_in_envelope(&owner, INSTANCE).await.unwrap().unwrap();
        assert_eq!(found.transaction.id, wanted.transaction.id, "{owner}");
    }
    assert!(store.sent_in_envelope(&acme(), "another").await.unwrap().is_none());
    assert!(store.sent_to_provider("another", "POP000002").await.unwrap().is_none());
    // Who uses an identifier after somebody else takes nothing from him.
    let thief: OrganisationId = "thief".parse().unwrap();
    let organisation = Organisation { id: thief.clone(), name: String::new(), created_on: at(0) };
    store.put_organisation(organisation).await.unwrap();
    sent(&world, thief, 3, "POP000002").await;
    let found = store.sent_to_provider(INSTANCE, "POP000002").await.unwrap().unwrap();
    assert_eq!(found.transaction.id, ours.transaction.id);
}
