//! A party that becomes part of another one: whatever is in hand or under way goes with it.

use bytes::Bytes;
use quoin_delivery::TaskKind;
use quoin_store::{
    Expected, FeedFilter, FeedParties, Hook, HookScope, NewClearance, NewIncoming, NewOutgoing,
    PartyChange, PartyRecord, Publish, SideEffects, Submitted, Work,
};

use crate::hooks::{hook, pass};
use crate::world::*;

const NEW: &str = "0088:8712345678937";

/// Makes a party part of the new one, which takes over its identifier.
async fn absorb(world: &World, gone: &str) {
    let change = PartyChange {
        organisation: acme(),
        id: NEW.to_owned(),
        identifiers: vec![NEW.to_owned(), gone.to_owned()],
        name: None,
        country: "NL".to_owned(),
        capabilities: Default::default(),
        card: None,
        verification: None,
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Unchanged,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(20),
    };
    world.store.change_party(change).await.unwrap();
    assert_eq!(world.store.party(&acme(), gone).await.unwrap(), None);
}

/// A store in which a party is that others may become a part of.
async fn with_party(id: &str) -> World {
    let world = world().await;
    for id in [id, NEW] {
        let party = PartyRecord {
            id: id.to_owned(),
            organisation: acme(),
            identifiers: vec![id.to_owned()],
            name: "Acme".to_owned(),
            country: "NL".to_owned(),
            created_on: at(0),
        };
        world.store.put_party(party).await.unwrap();
    }
    world
}

/// What a step tells whose document was another's when it was loaded is told to who has it now.
#[tokio::test]
async fn a_step_in_hand_tells_the_party_whose_the_document_is() {
    let world = with_party(RECEIVER).await;
    let record = world.arrive(1).await;
    let claim = world.claim_one(TaskKind::Arrive, 10).await;
    let loaded = world.load(&claim).await;
    absorb(&world, RECEIVER).await;
    world.store.commit(completion(&claim, &loaded, &[valid()], 21)).await.unwrap();
    let filter = FeedFilter {
        organisation: acme(),
        parties: FeedParties::Only([NEW.to_owned()].into()),
        topic: None,
    };
    let page = world.store.feed(filter, 0, 10).await.unwrap();
    let told: Vec<_> = page.items.iter().map(|event| event.transaction.clone()).collect();
    assert_eq!(told, [Some(record.transaction.id)]);
}

/// What waits for an authority goes there as a document of the new party.
#[tokio::test]
async fn a_batch_at_an_authority_goes_with_its_party() {
    let world = with_party(SENDER).await;
    world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let done = completion(&claim, &world.load(&claim).await, &[valid()], 1);
    let clearance = NewClearance {
        hook: "ksef".parse().unwrap(),
        form: Bytes::from_static(b"<Faktura/>"),
        number: "F/1".to_owned(),
        seller: "5265877635".to_owned(),
        issued: "2026-05-28".parse().unwrap(),
        sets_off: at(30),
    };
    let beside = SideEffects { clearance: Some(clearance), ..SideEffects::default() };
    world.store.commit_with(done, beside).await.unwrap();
    absorb(&world, SENDER).await;
    let claim = world.claim_one(TaskKind::Clear, 30).await;
    let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else { panic!() };
    assert_eq!((batch.party.as_str(), batch.documents.len()), (NEW, 1));
}

/// A hook of the environment collects for both, each with an open batch: what it had of the one is
/// an archive of the other, and what comes later goes into one batch.
#[tokio::test]
async fn what_is_collected_goes_with_its_party() {
    let world = with_party(RECEIVER).await;
    let mut zip = hook("zip", HookScope::Environment, &["*Received"]);
    zip.action = "batch://zip?period=00:00:30&maxBatchSize=10".to_owned();
    world.store.put_hook(zip).await.unwrap();
    pass(&world, 1).await;
    let new = NewIncoming { party: NEW.to_owned(), ..incoming(2, "<Invoice n='2'/>") };
    world.store.receive(new).await.unwrap();
    let claim = world.claim_one(TaskKind::Arrive, 1_000).await;
    let loaded = world.load(&claim).await;
    world.store.commit(completion(&claim, &loaded, &[valid()], 1_000)).await.unwrap();
    absorb(&world, RECEIVER).await;
    let mut found = Vec::new();
    for claim in world.claim(TaskKind::Batch, 1_100, 10).await {
        let Work::Batch(id) = world.store.load(&claim).await.unwrap() else { panic!() };
        let (batch, events) = world.store.seal_batch(&id).await.unwrap().unwrap();
        found.push((batch.party, events.len()));
    }
    assert_eq!(found, [(NEW.to_owned(), 1), (NEW.to_owned(), 1)]);
}

/// Both parties have hooks of the same ids: each goes on, under an id of its own, and what was
/// given to one by name goes there.
#[tokio::test]
async fn hooks_of_one_id_are_told_apart() {
    let world = with_party(SENDER).await;
    let of = |party: &str| HookScope::Party(party.to_owned());
    for (party, name) in [(SENDER, "erp"), (NEW, "erp"), (NEW, "erp-2"), (SENDER, "mine")] {
        let mut hook = hook(name, of(party), &["*"]);
        hook.name = format!("{name} of {party}");
        world.store.put_hook(hook).await.unwrap();
    }
    for party in [SENDER, NEW] {
        let peppol = Hook { action: "peppol".to_owned(), ..hook("peppol", of(party), &["Send*"]) };
        world.store.put_hook(peppol).await.unwrap();
    }
    let by_name = NewOutgoing { channel: Some("erp".to_owned()), ..outgoing(1, "<Invoice/>") };
    let Submitted::Accepted { transaction, .. } = world.store.submit(by_name).await.unwrap() else {
        panic!("a document")
    };
    absorb(&world, SENDER).await;
    let hooks = world.store.hooks_of(&acme()).await.unwrap();
    assert!(hooks.iter().all(|hook| hook.scope == of(NEW)), "{hooks:?}");
    let mut found: Vec<(&str, &str)> =
        hooks.iter().map(|hook| (hook.id.as_str(), hook.name.as_str())).collect();
    found.sort_unstable();
    let [kept, second] = [format!("erp of {NEW}"), format!("erp-2 of {NEW}")];
    let [third, mine] = [format!("erp of {SENDER}"), format!("mine of {SENDER}")];
    assert_eq!(
        found,
        [
            ("erp", &*kept),
            ("erp-2", &*second),
            ("erp-3", &*third),
            ("mine", &*mine),
            ("peppol", "test"),
        ]
    );
    let moved = hooks.iter().find(|hook| hook.id.as_str() == "erp-3").unwrap();
    assert_eq!(moved.secrets.len(), 2, "with its secrets");
    let record = world.store.transaction(&transaction).await.unwrap().unwrap();
    assert_eq!(
        (record.transaction.party.as_str(), record.channel.as_deref()),
        (NEW, Some("erp-3"))
    );
}

/// A document whose party became part of another one after it was looked up is that one's, with
/// all that follows from it.
#[tokio::test]
async fn what_is_recorded_after_it_belongs_to_who_has_the_identifier() {
    let world = with_party(RECEIVER).await;
    world.store.put_hook(hook("erp", HookScope::Party(NEW.to_owned()), &["*"])).await.unwrap();
    absorb(&world, RECEIVER).await;
    let record = world.arrive(1).await;
    assert_eq!(record.transaction.party, NEW);
    let claim = world.claim_one(TaskKind::Arrive, 10).await;
    world.store.commit(completion(&claim, &record, &[valid()], 21)).await.unwrap();
    let calls = world.claim(TaskKind::Notify, 30, 10).await;
    assert_eq!(calls.len(), 1, "the hook of the new party hears of it");
}
