//! An organisation whose configuration changes: what is published of its parties follows a piece a
//! commit, so that one with many of them keeps nobody waiting.

use quoin_delivery::TaskKind;
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_store::{
    Expected, OrganisationChange, PartyChange, Publish, StoreWork, Verification, Work,
};

use crate::world::*;

fn participant(number: usize) -> String {
    format!("0106:{number:08}")
}

fn enrolled(number: usize) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: participant(number),
        identifiers: vec![participant(number)],
        name: None,
        country: "NL".to_owned(),
        capabilities: States::new(),
        card: None,
        verification: Some(Verification {
            verified_by: "J. Jansen".to_owned(),
            verified_on: at(0),
            identifiers: Vec::new(),
            notes: "Contract".to_owned(),
            recorded_by: "boss".to_owned(),
            recorded_on: at(0),
        }),
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Declared,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(1),
    }
}

/// An organisation with so many parties that are published.
async fn with_parties(all: usize) -> World {
    let world = world().await;
    for number in 1..=all {
        world.store.change_party(enrolled(number)).await.unwrap();
    }
    world
}

async fn orders(world: &World, setting: CapabilitySetting, now: i64) {
    let change = OrganisationChange {
        organisation: acme(),
        capabilities: States::from([("orders".to_owned(), setting)]),
        contact: None,
        expected: Expected::Any,
        now: at(now),
    };
    world.store.change_organisation(change).await.unwrap();
}

/// How many of the parties receive orders.
async fn receiving(world: &World, all: usize) -> usize {
    let mut found = 0;
    for number in 1..=all {
        let services = world.store.services_of(&participant(number)).await.unwrap();
        found += usize::from(services.iter().any(|one| one.document_type.contains("Order##")));
    }
    found
}

/// Takes one piece; answers whether there was one.
async fn piece(world: &World, now: i64) -> bool {
    let Some(claim) = world.claim(TaskKind::Publish, now, 1).await.pop() else { return false };
    assert!(matches!(world.store.load(&claim).await.unwrap(), Work::Publish));
    world.store.publish_parties(claim, at(now)).await.unwrap();
    true
}

/// What the change itself costs.
async fn cost(all: usize) -> StoreWork {
    let world = with_parties(all).await;
    // Once a second a commit is noted, which is a statement: it is due with this change.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let before = world.store.work_done();
    orders(&world, CapabilitySetting::On, 10).await;
    let work = world.store.work_done().since(&before);
    while piece(&world, 20).await {}
    assert_eq!(receiving(&world, all).await, all);
    work
}

#[tokio::test]
async fn however_many_parties_inherit_a_change_keeps_others_waiting_no_longer() {
    let few = cost(120).await;
    let many = cost(350).await;
    assert_eq!(few.statements, many.statements);
}

/// One that is changed back before all have it: nobody is left with what was meant before.
#[tokio::test]
async fn a_change_overtakes_the_one_under_way() {
    let world = with_parties(250).await;
    orders(&world, CapabilitySetting::On, 10).await;
    assert_eq!(receiving(&world, 250).await, 100, "the first of them have it at once");
    assert!(piece(&world, 11).await);
    assert_eq!(receiving(&world, 250).await, 200);
    orders(&world, CapabilitySetting::Off, 12).await;
    assert_eq!(receiving(&world, 250).await, 100);
    while piece(&world, 13).await {}
    assert_eq!(receiving(&world, 250).await, 0);
}
