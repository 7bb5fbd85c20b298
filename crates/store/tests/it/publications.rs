//! What the SMP publishes: one owner for each participant, records beside capabilities, redirects,
//! the log, and the count of changes that answers outside the store are kept by.

use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_store::{
    AccountRole, Expected, MetadataRecord, PartyChange, Permission, PublicationNote, Publish,
    Refusal, ServiceEndpoint, UserChange, Verification,
};

use crate::world::*;

const PARTICIPANT: &str = "0106:00000001";
const TYPE: &str = "busdox-docid-qns::urn:x::Order##c::2.1";

fn change(capabilities: &[(&str, CapabilitySetting)], now: i64) -> PartyChange {
    PartyChange {
        organisation: acme(),
        id: PARTICIPANT.to_owned(),
        identifiers: vec![PARTICIPANT.to_owned()],
        name: None,
        country: "NL".to_owned(),
        capabilities: capabilities.iter().map(|(name, on)| ((*name).to_owned(), *on)).collect(),
        card: None,
        verification: Some(Verification {
            verified_by: "J. Jansen".to_owned(),
            verified_on: at(0),
            identifiers: Vec::new(),
            notes: "Contract".to_owned(),
            recorded_by: "boss".to_owned(),
            recorded_on: at(0),
        }),
        links: vec![Permission::all("alice", "")],
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Here,
        expected: Expected::Any,
        account: Some("boss".to_owned()),
        now: at(now),
    }
}

fn note(action: &'static str, subject: &str, now: i64) -> PublicationNote {
    PublicationNote::new((&acme(), PARTICIPANT), "boss", (action, subject), at(now))
}

fn record(processes: &[&str]) -> MetadataRecord {
    MetadataRecord::Services(
        processes.iter().map(|process| ((*process).to_owned(), None)).collect(),
    )
}

/// A published party whose capabilities are all off.
async fn published() -> World {
    let world = world().await;
    let role = UserChange { role: Some(AccountRole::ApUser), ..UserChange::default() };
    world.store.put_user(&acme(), "alice", role, at(0)).await.unwrap();
    let off = [("invoices", CapabilitySetting::Off)];
    world.store.put_group(change(&off, 1), note("put group", "", 1)).await.unwrap();
    world
}

impl World {
    async fn pairs(&self) -> Vec<(String, String)> {
        let found = self.store.publication(PARTICIPANT).await.unwrap().unwrap();
        let pair =
            |service: quoin_store::PublishedService| (service.document_type, service.process);
        found.services.into_iter().map(pair).collect()
    }
}

#[tokio::test]
async fn an_empty_group_is_published_and_nothing_is_wished_of_the_sml() {
    let world = published().await;
    let found = world.store.publication(PARTICIPANT).await.unwrap().unwrap();
    assert_eq!((found.services, found.redirects), (vec![], vec![]));
    assert_eq!((found.group.organisation, found.group.changed_on), (acme(), at(1)));
    assert_eq!(world.store.registrations_of(&acme(), PARTICIPANT).await.unwrap(), []);
}

#[tokio::test]
async fn records_stay_whatever_the_capabilities_are() {
    let world = published().await;
    world.store.put_record(note("put metadata", TYPE, 2), record(&["p::1", "p::2"])).await.unwrap();
    let on = [("invoices", CapabilitySetting::On)];
    world.store.change_party(change(&on, 3)).await.unwrap();
    assert_eq!(world.pairs().await.len(), 2 + 5);
    world.store.change_party(change(&[("invoices", CapabilitySetting::Off)], 4)).await.unwrap();
    let both = ["p::1", "p::2"].map(|process| (TYPE.to_owned(), process.to_owned()));
    assert_eq!(world.pairs().await, both);
    world.store.put_record(note("put metadata", TYPE, 5), record(&["p::3"])).await.unwrap();
    assert_eq!(world.pairs().await, [(TYPE.to_owned(), "p::3".to_owned())], "in its place");
}

#[tokio::test]
async fn what_a_capability_stands_for_is_held() {
    let world = published().await;
    world.store.change_party(change(&[("invoices", CapabilitySetting::On)], 2)).await.unwrap();
    let (document_type, process) = world.pairs().await[0].clone();
    let remove = async |subject: &str, now: i64| {
        world.store.remove_record(note("delete metadata", subject, now)).await
    };
    let held = refusal(remove(&document_type, 3).await);
    assert!(matches!(held, Refusal::Held { what: "document type", .. }), "{held:?}");
    let endpoint = ServiceEndpoint {
        transport_profile: "t".to_owned(),
        address: Some("https://other.test".to_owned()),
        certificate: Some("c".to_owned()),
        activation: None,
        expiration: Some(at(99)),
        description: String::new(),
        technical_contact: String::new(),
        technical_information: None,
    };
    let elsewhere = MetadataRecord::Services(vec![(process, Some(vec![endpoint.clone()]))]);
    world.store.put_record(note("put metadata", &document_type, 4), elsewhere).await.unwrap();
    let found = world.store.publication(PARTICIPANT).await.unwrap().unwrap();
    assert_eq!(found.services[0].endpoints, Some(vec![endpoint]));
    assert!(!found.services[0].is_here(at(5)) && found.services[1].is_here(at(5)));
    remove(&document_type, 5).await.unwrap();
    let found = world.store.publication(PARTICIPANT).await.unwrap().unwrap();
    assert_eq!(found.services.len(), 5, "what the capability stands for is back");
    assert!(found.services[0].is_here(at(5)));
    let missing = refusal(remove("busdox-docid-qns::a::b##c::1", 6).await);
    assert!(matches!(missing, Refusal::NotFound { .. }), "{missing:?}");
}

#[tokio::test]
async fn a_redirect_takes_the_place_of_services_and_the_other_way_round() {
    let world = published().await;
    world.store.put_record(note("put metadata", TYPE, 2), record(&["p::1"])).await.unwrap();
    let to =
        MetadataRecord::Redirect { href: "https://o.test".into(), certificate_uid: "CN=A".into() };
    world.store.put_record(note("put redirect", TYPE, 3), to).await.unwrap();
    let found = world.store.publication(PARTICIPANT).await.unwrap().unwrap();
    assert_eq!((found.services.len(), found.redirects.len()), (0, 1));
    assert_eq!(*world.store.redirected_types(PARTICIPANT).await.unwrap(), [TYPE.to_owned()]);
    world.store.put_record(note("put metadata", TYPE, 4), record(&["p::1"])).await.unwrap();
    let found = world.store.publication(PARTICIPANT).await.unwrap().unwrap();
    assert_eq!((found.services.len(), found.redirects.len()), (1, 0));
    assert!(world.store.redirected_types(PARTICIPANT).await.unwrap().is_empty());
    let log = world.store.publication_changes(&acme(), PARTICIPANT, 10).await.unwrap();
    let actions: Vec<&str> = log.iter().map(|line| line.action.as_str()).collect();
    assert_eq!(actions, ["put metadata", "put redirect", "put metadata", "put group"]);
    let other = "other".parse().unwrap();
    assert_eq!(world.store.publication_changes(&other, PARTICIPANT, 10).await.unwrap(), []);
}

#[tokio::test]
async fn another_organisation_has_no_say() {
    let world = published().await;
    let other = quoin_store::Organisation {
        id: "other".parse().unwrap(),
        name: "Other".to_owned(),
        created_on: at(0),
    };
    world.store.put_organisation(other.clone()).await.unwrap();
    let foreign =
        |action| PublicationNote::new((&other.id, PARTICIPANT), "x", (action, TYPE), at(3));
    for refused in [
        refusal(world.store.put_record(foreign("put metadata"), record(&["p::1"])).await),
        refusal(world.store.remove_record(foreign("delete metadata")).await),
        refusal(world.store.remove_group(foreign("delete group"), true).await),
        refusal(world.store.push_card(foreign("push card")).await),
    ] {
        assert!(matches!(refused, Refusal::NotFound { .. }), "{refused:?}");
    }
    assert_eq!(world.store.remove_services(&other.id, PARTICIPANT).await.unwrap(), 0);
    assert!(world.store.publication(PARTICIPANT).await.unwrap().is_some());
    assert_eq!(world.store.service_groups_after(&other.id, "", 9).await.unwrap(), []);
    let own = world.store.service_groups_after(&acme(), "", 9).await.unwrap();
    assert_eq!(own.len(), 1);
    assert_eq!(world.store.service_groups_after(&acme(), PARTICIPANT, 9).await.unwrap(), []);
}

#[tokio::test]
async fn every_change_of_what_is_published_is_counted_and_nothing_else() {
    let world = published().await;
    let count = || world.store.generation(PARTICIPANT);
    let mut before = count();
    let mut moved = |what: &str| {
        let now = count();
        assert!(now > before, "{what}");
        before = now;
    };
    world.store.put_record(note("put metadata", TYPE, 2), record(&["p::1"])).await.unwrap();
    moved("a record");
    world.store.remove_record(note("delete metadata", TYPE, 3)).await.unwrap();
    moved("a removal");
    world.store.change_party(change(&[("orders", CapabilitySetting::On)], 4)).await.unwrap();
    moved("a capability");
    let card = quoin_store::CardRecord {
        names: vec!["A".to_owned()],
        country: "NL".to_owned(),
        address: Vec::new(),
        email: None,
        shown: [true; 3],
        published: true,
        submitted: None,
    };
    let carded = PartyChange { card: Some(Some(card)), ..change(&[], 5) };
    world.store.change_party(carded).await.unwrap();
    moved("a card");
    let contact = quoin_store::OrganisationChange {
        organisation: acme(),
        capabilities: States::new(),
        contact: Some(Some("it@example.org".to_owned())),
        expected: Expected::Any,
        now: at(6),
    };
    world.store.change_organisation(contact).await.unwrap();
    moved("the contact of all cards");
    let still = count();
    let refused = world.store.remove_record(note("delete metadata", "x", 7)).await;
    assert!(refused.is_err());
    world.upload(1).await;
    assert_eq!(count(), still, "a refusal and a document change nothing of it");
    world.store.remove_group(note("delete group", "", 8), true).await.unwrap();
    moved("the end");
}

#[tokio::test]
async fn the_publisher_remembers_since_when_it_is_as_it_is() {
    let world = world().await;
    let since = async |fingerprint: u8, now: i64| {
        world.store.publisher_since([fingerprint; 32], at(now)).await.unwrap()
    };
    assert_eq!(since(1, 10).await, at(10));
    assert_eq!(since(1, 20).await, at(10));
    assert_eq!(since(2, 30).await, at(30), "another certificate or address");
    assert_eq!(since(2, 40).await, at(30));
}
