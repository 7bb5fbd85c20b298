//! The feed of events: numbered without gaps, pulled with a cursor, followed as it grows.

use std::time::Duration;

use quoin_access_point::budget::FOLLOWERS;
use quoin_delivery::AlarmKind;
use quoin_store::{Alarm, EventSubject, Permission};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, world};

const PARTY: &str = "0106:12345678";

async fn ping(acme: &As) -> String {
    let (_, ping) = acme.get(&format!("/api/v1/{PARTY}/hook/ping")).await;
    ping["id"].as_str().unwrap().to_owned()
}

fn numbers(page: &Value) -> Vec<u64> {
    let items = page["items"].as_array().unwrap();
    items.iter().map(|event| event["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn the_feed_is_read_page_by_page_without_gaps() {
    let world = world().await;
    let (acme, other) = (world.acme().await, world.client("other-erp", "other-secret").await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(ping(&acme).await);
        other.get("/api/v1/0208:0123456749/hook/ping").await;
    }
    let (status, first) = acme.get("/api/v1/events?limit=2").await;
    assert_eq!((status, numbers(&first)), (200, vec![1, 2]), "{first}");
    assert_eq!((&first["next"], &first["hasMore"]), (&json!(2), &json!(true)));
    assert_eq!(first["items"][0]["documentId"], ids[0].as_str());
    let (_, second) = acme.get("/api/v1/events?after=2").await;
    assert_eq!((numbers(&second), &second["hasMore"]), (vec![3], &json!(false)));
    let (_, end) = acme.get("/api/v1/events?after=3").await;
    assert_eq!((numbers(&end), &end["next"]), (vec![], &json!(3)), "the cursor stays");
    let (_, theirs) = other.get("/api/v1/events").await;
    assert_eq!(numbers(&theirs), [1, 2, 3], "each organisation counts for itself");
}

#[tokio::test]
async fn the_feed_can_be_narrowed() {
    let world = world().await;
    let acme = world.acme().await;
    ping(&acme).await;
    for (query, expected) in [
        ("topic=Ping", vec![1]),
        ("topic=InvoiceSent", vec![]),
        ("topic=*ing", vec![1]),
        ("partyId=0106:12345678", vec![1]),
        ("partyId=9944:NL123456782B01", vec![1]),
    ] {
        let (status, page) = acme.get(&format!("/api/v1/events?{query}")).await;
        assert_eq!((status, numbers(&page)), (200, expected), "{query}");
        assert_eq!(page["next"], 1, "what was passed over is not looked at again");
    }
    for (query, status) in [
        ("topic=Invoise", 400),
        ("after=x", 400),
        ("colour=red", 400),
        ("partyId=0208:0123456749", 403),
    ] {
        assert_eq!(acme.get(&format!("/api/v1/events?{query}")).await.0, status, "{query}");
    }
}

#[tokio::test]
async fn a_client_that_is_held_to_parties_sees_their_events_only() {
    let world = world().await;
    let acme = world.acme().await;
    ping(&acme).await;
    let mut permission = Permission {
        account: "acme-erp".into(),
        party: PARTY.into(),
        can_send: true,
        can_receive: true,
        can_remove: true,
        can_manage_hook: false,
        can_change_status: true,
    };
    let owner = "acme".parse().unwrap();
    world.store.put_permission(&owner, permission.clone()).await.unwrap();
    assert!(numbers(&acme.get("/api/v1/events").await.1).is_empty());
    permission.can_manage_hook = true;
    world.store.put_permission(&owner, permission).await.unwrap();
    assert_eq!(numbers(&acme.get("/api/v1/events").await.1), [1]);
    let boss = world.client("acme-boss", "boss-secret").await;
    assert_eq!(numbers(&boss.get("/api/v1/events").await.1), [1]);
}

/// What is about the whole organisation is not for who is held from one of its parties.
#[tokio::test]
async fn events_of_the_organisation_are_for_who_acts_for_every_party() {
    let world = world().await;
    let (acme, boss) = (world.acme().await, world.client("acme-boss", "boss-secret").await);
    let owner: quoin_delivery::OrganisationId = "acme".parse().unwrap();
    let kind = AlarmKind { code: "lasts", lasts: true, meaning: "It lasts." };
    let (message, details) = ("Look at it.".to_owned(), Default::default());
    let alarm = Alarm { kind, subject: "x".to_owned(), message, details };
    let about = EventSubject {
        organisation: owner.clone(),
        party: String::new(),
        transaction: None,
        document_id: quoin_delivery::DocumentId::from_uuid(uuid::Uuid::new_v4()),
        origin: None,
        depth: 0,
    };
    assert!(world.store.raise_alarm(alarm, Some(about), world.clock.now()).await.unwrap());
    ping(&acme).await;
    for (may, seen) in [(true, vec![1, 2]), (false, vec![])] {
        let all = Permission::all("acme-erp", PARTY);
        let link = Permission { can_manage_hook: may, ..all };
        world.store.put_permission(&owner, link).await.unwrap();
        assert_eq!(numbers(&acme.get("/api/v1/events").await.1), seen, "{may}");
        assert_eq!(numbers(&boss.get("/api/v1/events").await.1), [1, 2]);
    }
}

#[tokio::test]
async fn the_feed_is_followed_and_taken_up_again() {
    let world = world().await;
    let acme = world.acme().await;
    ping(&acme).await;
    let request = acme.request(Method::GET, "/api/v1/events/stream");
    let mut stream = request.header("last-event-id", "1").send().await.unwrap();
    assert_eq!(stream.status().as_u16(), 200);
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let id = ping(&acme).await;
    let mut text = String::new();
    while !text.contains("\n\n") {
        let chunk = tokio::time::timeout(Duration::from_secs(20), stream.chunk()).await.unwrap();
        text.push_str(std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap());
    }
    assert!(text.contains("id: 2\n") && text.contains("event: Ping\n"), "{text}");
    assert!(text.contains(&id) && !text.contains("id: 1\n"), "{text}");
    let nobody = crate::world::plain_client().get(format!("{}/api/v1/events/stream", world.base));
    assert_eq!(nobody.send().await.unwrap().status().as_u16(), 401);
}

#[tokio::test]
async fn an_organisation_has_so_many_followers_at_a_time() {
    let world = world().await;
    let acme = world.acme().await;
    ping(&acme).await;
    let follow = || acme.request(Method::GET, "/api/v1/events/stream").send();
    let mut streams = Vec::new();
    for _ in 0..FOLLOWERS.share {
        let stream = follow().await.unwrap();
        assert_eq!(stream.status().as_u16(), 200);
        streams.push(stream);
    }
    let refused = follow().await.unwrap();
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["retry-after"]),
        (503, &"60".parse().unwrap())
    );
    let other = world.client("other-erp", "other-secret").await;
    let theirs = other.request(Method::GET, "/api/v1/events/stream").send().await.unwrap();
    assert_eq!(theirs.status().as_u16(), 200, "others have places of their own");
    streams.clear();
    crate::stage::until("there is room again", async || {
        (follow().await.unwrap().status().as_u16() == 200).then_some(())
    })
    .await;
}

/// What a follower hears until the connection ends.
async fn heard(mut stream: reqwest::Response) -> String {
    let mut text = String::new();
    loop {
        let chunk = tokio::time::timeout(Duration::from_secs(20), stream.chunk()).await;
        match chunk.expect("the connection ends").unwrap() {
            Some(chunk) => text.push_str(std::str::from_utf8(&chunk).unwrap()),
            None => return text,
        }
    }
}

#[tokio::test]
async fn a_follower_hears_what_it_may_hear_now_and_no_longer_than_its_account_lives() {
    let world = world().await;
    let (acme, alice) = (world.acme().await, world.user("alice").await);
    let owner = "acme".parse().unwrap();
    world.store.put_permission(&owner, Permission::all("alice", PARTY)).await.unwrap();
    let first = ping(&acme).await;
    let request = alice.request(Method::GET, "/api/v1/events/stream");
    let mut stream = request.send().await.unwrap();
    let mut text = String::new();
    while !text.contains(&first) {
        let chunk = tokio::time::timeout(Duration::from_secs(20), stream.chunk()).await.unwrap();
        text.push_str(std::str::from_utf8(&chunk.unwrap().unwrap()).unwrap());
    }
    world.store.remove_permission(&owner, "alice", PARTY).await.unwrap();
    let second = ping(&acme).await;
    let off = quoin_store::UserChange { active: Some(false), ..Default::default() };
    world.store.put_user(&owner, "alice", off, world.clock.now()).await.unwrap();
    let text = heard(stream).await;
    assert!(!text.contains(&second), "{text}");
}

#[tokio::test]
async fn a_connection_lasts_as_long_as_a_token() {
    let world = world().await;
    let acme = world.acme().await;
    let id = ping(&acme).await;
    let stream = acme.request(Method::GET, "/api/v1/events/stream").send().await.unwrap();
    world.clock.advance(jiff::SignedDuration::from_secs(3_601));
    let text = heard(stream).await;
    assert!(text.contains(&id) || text.is_empty(), "{text}");
}
