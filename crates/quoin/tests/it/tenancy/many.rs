//! An organisation with very many parties: what its accounts ask about themselves stays a page.

use std::time::{Duration, Instant};

use futures::future::try_join_all;
use jiff::Timestamp;
use quoin_store::{PartyRecord, Permission};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World, world};

/// Parties besides the one that is declared.
const PARTIES: usize = 1_200;
/// A page is asked for in less than this, however busy the machine.
const SOON: Duration = Duration::from_secs(5);

fn id(number: usize) -> String {
    format!("0106:{:08}", 20_000_000 + number)
}

async fn fill(world: &World) {
    let party = |number: usize| PartyRecord {
        id: id(number),
        organisation: "acme".parse().unwrap(),
        identifiers: vec![id(number)],
        name: format!("Party {number}"),
        country: "NL".to_owned(),
        created_on: Timestamp::UNIX_EPOCH,
    };
    try_join_all((0..PARTIES).map(|number| world.store.put_party(party(number)))).await.unwrap();
}

/// All pages of `/me/party`, following the links.
async fn all(caller: &As) -> Vec<Value> {
    pages(caller, "/api/v1/me/party").await
}

async fn pages(caller: &As, list: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut path = list.to_owned();
    loop {
        let response = caller.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let link = response.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
        let page: Vec<Value> = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert!(page.len() <= 500);
        found.extend(page);
        let Some(link) = link else { return found };
        let (url, rel) = link.split_once(">; ").unwrap();
        assert_eq!(rel, "rel=\"next\"");
        path = url[url.find("/api/").unwrap()..].to_owned();
    }
}

#[tokio::test]
async fn what_an_account_may_act_for_comes_page_by_page() {
    let world = world().await;
    fill(&world).await;
    let owner = "acme".parse().unwrap();
    let held = Permission { can_send: false, ..Permission::all("acme-erp", &id(700)) };
    world.store.put_permission(&owner, held).await.unwrap();
    let (boss, erp) = (world.client("acme-boss", "boss-secret").await, world.acme().await);
    for caller in [&boss, &erp] {
        let begun = Instant::now();
        let (_, me) = caller.get("/api/v1/me").await;
        assert!(begun.elapsed() < SOON);
        assert_eq!(me["parties"].as_array().unwrap().len(), 100);
        assert_eq!(me["hasMoreParties"], true);
        let parties = all(caller).await;
        assert_eq!(parties.len(), PARTIES + 1);
        let ids: Vec<&str> = parties.iter().map(|party| party["id"].as_str().unwrap()).collect();
        assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]));
        let one = parties.iter().find(|party| party["id"] == id(700).as_str()).unwrap();
        let sends = &one["permissions"]["canSendDocument"];
        assert_eq!(sends == &json!(false), std::ptr::eq(caller, &erp), "{one}");
    }
    for (query, code) in [
        ("limit=0", "API400.Query"),
        ("limit=501", "API400.Query"),
        ("continuationToken=%21", "API400.Continuation"),
    ] {
        let (status, answer) = boss.get(&format!("/api/v1/me/party?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{query}");
    }
}

#[tokio::test]
async fn a_user_with_many_links_is_told_of_them_page_by_page_and_of_no_other() {
    let world = world().await;
    fill(&world).await;
    let alice = world.user("alice").await;
    let owner = "acme".parse().unwrap();
    let link =
        |number: usize| Permission { can_remove: false, ..Permission::all("alice", &id(number)) };
    let links = (0..600).map(|number| world.store.put_permission(&owner, link(number * 2)));
    try_join_all(links).await.unwrap();
    let parties = all(&alice).await;
    assert_eq!(parties.len(), 600);
    assert!(parties.iter().enumerate().all(|(n, party)| party["id"] == id(n * 2).as_str()));
    assert!(parties.iter().all(|party| party["permissions"]["canRemoveDocument"] == false));
    // Its ApManager has the same list, by the links of another one.
    let boss = world.client("acme-boss", "boss-secret").await;
    assert_eq!(pages(&boss, "/api/v1/user/alice/party").await, parties);
    let (_, page) = boss.get("/api/v1/user/alice/party?limit=7").await;
    assert_eq!(page.as_array().unwrap()[..], parties[..7]);
    let token = "/api/v1/user/alice/party?continuationToken=bWluZSAwMTA2OjIwMDAwMDAw";
    let (status, problem) = boss.get(token).await;
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Continuation")), "of another list");
    let (_, me) = alice.get("/api/v1/me").await;
    assert_eq!(
        (me["parties"].as_array().unwrap().len(), &me["hasMoreParties"]),
        (100, &json!(true))
    );
}

#[tokio::test]
async fn the_feed_of_a_user_that_is_linked_to_one_of_many_parties_has_its_events_only() {
    let world = world().await;
    fill(&world).await;
    let (alice, boss) = (world.user("alice").await, world.client("acme-boss", "boss-secret").await);
    let owner = "acme".parse().unwrap();
    world.store.put_permission(&owner, Permission::all("alice", &id(7))).await.unwrap();
    let ping = async |party: &str| {
        let (status, ping) = boss.get(&format!("/api/v1/{party}/hook/ping")).await;
        assert_eq!(status, 200);
        ping["id"].as_str().unwrap().to_owned()
    };
    let first = ping(&id(7)).await;
    for number in 8..40 {
        ping(&id(number)).await;
    }
    let last = ping(&id(7)).await;
    let (status, feed) = alice.get("/api/v1/events?limit=1").await;
    assert_eq!((status, &feed["items"][0]["documentId"]), (200, &json!(first)));
    assert_eq!((&feed["next"], &feed["hasMore"]), (&json!(1), &json!(true)), "{feed}");
    let (_, feed) = alice.get("/api/v1/events?after=1").await;
    assert_eq!(feed["items"].as_array().unwrap().len(), 1);
    assert_eq!((&feed["items"][0]["documentId"], &feed["next"]), (&json!(last), &json!(34)));
    let other = alice.get(&format!("/api/v1/events?partyId={}", id(8))).await;
    assert_eq!((other.0, &other.1["code"]), (403, &json!("API403")));
    assert_eq!(boss.get("/api/v1/events").await.1["items"].as_array().unwrap().len(), 34);
}
