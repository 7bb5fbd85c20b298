//! Organisations, clients, parties, permissions and services: kept apart between organisations.

use quoin_delivery::OrganisationId;
use quoin_store::{
    AccountRole, Client, Organisation, PartyRecord, Permission, PublishedService, Refusal,
    secret_digest,
};
use quoin_store::{Fault, OpenOptions, Store, StoreKey};

use crate::world::*;

fn other() -> OrganisationId {
    "other".parse().unwrap()
}

async fn two() -> World {
    let world = world().await;
    let organisation = Organisation { id: other(), name: "Other".to_owned(), created_on: at(0) };
    world.store.put_organisation(organisation).await.unwrap();
    world
}

fn client(organisation: OrganisationId, secret: &str) -> Client {
    Client {
        client_id: "erp".to_owned(),
        organisation,
        name: "ERP".to_owned(),
        secret_sha256: secret_digest(secret),
        previous: None,
        role: AccountRole::ApUser,
        active: true,
        all_parties: true,
        declared: false,
        created_on: at(0),
        tokens_since: at(0),
    }
}

fn party(id: &str, organisation: OrganisationId, identifiers: &[&str]) -> PartyRecord {
    PartyRecord {
        id: id.to_owned(),
        organisation,
        identifiers: identifiers.iter().map(|i| (*i).to_owned()).collect(),
        name: "Acme BV".to_owned(),
        country: "NL".to_owned(),
        created_on: at(0),
    }
}

fn service(organisation: OrganisationId, document_type: &str) -> PublishedService {
    PublishedService {
        participant: "0106:12345678".to_owned(),
        document_type: document_type.to_owned(),
        process: "cenbii-procid-ubl::y".to_owned(),
        organisation,
        explicit: false,
        endpoints: None,
        created_on: at(0),
    }
}

#[tokio::test]
async fn organisations_are_listed_and_renamed() {
    let world = two().await;
    let renamed = Organisation { id: other(), name: "New".to_owned(), created_on: at(9) };
    world.store.put_organisation(renamed).await.unwrap();
    let all = world.store.organisations().await.unwrap();
    let names: Vec<&str> = all.iter().map(|o| o.name.as_str()).collect();
    assert_eq!((names, all[1].created_on), (vec!["Acme", "New"], at(0)));
}

#[tokio::test]
async fn a_client_keeps_only_the_digest_and_its_organisation() {
    let world = two().await;
    world.store.put_client(client(acme(), "s1")).await.unwrap();
    let mut changed = client(acme(), "s2");
    changed.active = false;
    world.store.put_client(changed.clone()).await.unwrap();
    assert_eq!(world.store.client("erp").await.unwrap(), Some(changed));
    let stolen = refusal(world.store.put_client(client(other(), "s3")).await);
    assert!(matches!(stolen, Refusal::Taken { what: "client", .. }));
    assert_eq!(world.store.clients_of(&other()).await.unwrap(), []);
    assert_eq!(world.store.client("nobody").await.unwrap(), None);
}

#[tokio::test]
async fn an_identifier_belongs_to_one_party() {
    let world = two().await;
    let mine = party("p1", acme(), &["0106:12345678", "9944:NL123456789B01"]);
    world.store.put_party(mine.clone()).await.unwrap();
    let found = world.store.party_of_identifier(&acme(), "9944:NL123456789B01").await.unwrap();
    assert_eq!(found, Some(mine.clone()));
    let second = party("p2", acme(), &["0190:00000001", "0106:12345678"]);
    let taken = refusal(world.store.put_party(second).await);
    assert_eq!(taken, Refusal::Taken { what: "identifier", key: "0106:12345678".to_owned() });
    assert_eq!(world.store.parties_of(&acme()).await.unwrap().len(), 1, "nothing of it was kept");
    let theirs = party("p1", other(), &["0106:12345678"]);
    world.store.put_party(theirs.clone()).await.unwrap();
    let found = world.store.party_of_identifier(&other(), "0106:12345678").await.unwrap();
    assert_eq!(found, Some(theirs), "another organisation may know the same business");
    assert!(world.store.remove_party(&other(), "p1").await.unwrap());
    world.store.put_party(party("p1", acme(), &["0106:12345678"])).await.unwrap();
    assert_eq!(
        world.store.party_of_identifier(&acme(), "9944:NL123456789B01").await.unwrap(),
        None
    );
    assert!(!world.store.remove_party(&other(), "p1").await.unwrap());
    assert!(world.store.remove_party(&acme(), "p1").await.unwrap());
    assert_eq!(world.store.party_of_identifier(&acme(), "0106:12345678").await.unwrap(), None);
}

#[tokio::test]
async fn permissions_follow_client_and_party() {
    let world = two().await;
    world.store.put_client(client(acme(), "s")).await.unwrap();
    world.store.put_party(party("p1", acme(), &["0106:12345678"])).await.unwrap();
    let mut permission = Permission { can_receive: false, ..Permission::all("erp", "p1") };
    world.store.put_permission(&acme(), permission.clone()).await.unwrap();
    permission.can_receive = true;
    world.store.put_permission(&acme(), permission.clone()).await.unwrap();
    assert_eq!(world.store.permissions_of(&acme(), "erp").await.unwrap(), [permission.clone()]);
    permission.party = "nobody".to_owned();
    assert!(world.store.put_permission(&acme(), permission).await.is_err(), "no such party");
    world.store.remove_party(&acme(), "p1").await.unwrap();
    assert_eq!(world.store.permissions_of(&acme(), "erp").await.unwrap(), []);
}

#[tokio::test]
async fn services_are_found_by_participant_organisation_and_exactly() {
    let world = two().await;
    let both = vec![service(acme(), "t1"), service(acme(), "t2")];
    world.store.put_services(both.clone()).await.unwrap();
    world.store.put_services(both.clone()).await.unwrap();
    assert_eq!(world.store.services_of("0106:12345678").await.unwrap()[..], both);
    assert_eq!(world.store.services_of_organisation(&acme()).await.unwrap(), both);
    let exactly = async |document_type: &str| {
        let process = "cenbii-procid-ubl::y";
        world.store.service("0106:12345678", document_type, process).await.unwrap()
    };
    assert_eq!(exactly("t2").await.as_ref(), Some(&both[1]));
    assert_eq!(exactly("t3").await, None);
    let taken = refusal(world.store.put_services(vec![service(other(), "t9")]).await);
    assert!(matches!(taken, Refusal::Taken { what: "participant", .. }));
    assert_eq!(world.store.remove_services(&other(), "0106:12345678").await.unwrap(), 0);
    assert_eq!(world.store.remove_services(&acme(), "0106:12345678").await.unwrap(), 2);
}

#[tokio::test]
async fn a_store_opens_again_with_what_it_knew() {
    let world = world().await;
    let record = world.upload(1).await;
    let World { store, folder } = world;
    drop(store);
    let again = Store::open(options(&folder)).await.unwrap();
    again.check().await.unwrap();
    let found = again.transaction(&record.transaction.id).await.unwrap();
    assert_eq!(found, Some(record));
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_says_so() {
    let world = world().await;
    let file = world.folder.join("file");
    std::fs::write(&file, b"x").unwrap();
    let refused = Store::open(OpenOptions::new(file.join("below"), StoreKey([0; 32]))).await;
    let Err(fault @ Fault::Files { .. }) = refused else { panic!("{refused:?}") };
    assert!(fault.to_string().contains("below"), "{fault}");
}

#[tokio::test]
async fn a_store_is_open_once_at_a_time() {
    let world = world().await;
    let refused = Store::open(options(&world.folder)).await;
    let Err(fault @ Fault::InUse { .. }) = refused else { panic!("{refused:?}") };
    assert!(fault.to_string().contains("in use by another process"), "{fault}");
    world.store.check().await.unwrap();
}
