//! Bulk jobs over the interface: a list is previewed and enrolled, moved to another provider and
//! changed, while the service ends and starts again.

mod endings;

use std::time::Duration;

use jiff::SignedDuration;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, PublishedEndpoint};
use quoin_access_point::net::HttpCall;
use quoin_access_point::registers::sml::client;
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_peppol::sml::soap::{Entries, SmlAnswer, SmlRequest};
use quoin_peppol::sml::{SmpBase, UriPolicy};
use quoin_peppol::smp::service_metadata_url;
use quoin_server::start::{Running, start};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Folder, until};
use crate::world::{As, world};

/// Two providers, each with a service at the lab's SML.
struct Play {
    around: Surroundings,
    clock: Clock,
    corner: LabAccessPoint,
    config: Config,
    customer: Customer,
    _folder: Folder,
}

impl Play {
    async fn set() -> Play {
        let folder = Folder::new();
        let clock = Clock::default();
        let around = Surroundings::start(folder.path(), clock.clone()).await.unwrap();
        let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let customer = Customer::new("sender", &[SENDER]).unwrap();
        let config = own_config(&around, &corner, &customer);
        around.enlist(&config, &[SENDER.to_owned()]).await.unwrap();
        Play { around, clock, corner, config, customer, _folder: folder }
    }

    async fn start(&self) -> (Running, As) {
        started(&self.clock, &self.config, &self.customer).await
    }

    /// Gives participants to a provider that is not here.
    async fn elsewhere(&self, ids: &[&str]) {
        let corner = LabAccessPoint::new(&self.around, "three", "POP000003").unwrap();
        let config = own_config(&self.around, &corner, &self.customer);
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        self.around.enlist(&config, &ids).await.unwrap();
    }
}

fn own_config(around: &Surroundings, corner: &LabAccessPoint, customer: &Customer) -> Config {
    let mut config = corner.config(around, customer);
    config.sml = around.sml_section(corner);
    config.directory = around.directory_section();
    config.retry.hook_seconds = vec![0.1, 0.1, 0.2, 0.5];
    config
}

async fn started(clock: &Clock, config: &Config, customer: &Customer) -> (Running, As) {
    let running = start(config.clone(), clock.clone()).await.unwrap();
    let url = running.api.as_ref().unwrap().url();
    let boss = As::fetch(&url, &customer.client, &customer.secret).await;
    let alice = json!({ "name": "alice" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", alice).await.0, 200);
    (running, boss)
}

fn id(number: u32) -> String {
    format!("0106:{number:08}")
}

fn common() -> Value {
    json!({
        "capabilities": { "invoices": "on" },
        "verification": { "notes": "Contract C21345" },
        "partyAuthorizations": [{ "userId": "alice" }],
    })
}

async fn post(boss: &As, body: Value) -> Value {
    let (status, job) = boss.json(Method::POST, "/api/v1/jobs", body).await;
    assert_eq!(status, 202, "{job}");
    job
}

async fn command(boss: &As, job: &Value, command: &str) -> (u16, Value) {
    let path = format!("/api/v1/jobs/{}/{command}", job["id"].as_str().unwrap());
    boss.json(Method::POST, &path, Value::Null).await
}

/// The job, once it is in this state.
async fn reached(boss: &As, job: &Value, state: &str) -> Value {
    let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
    until(&format!("the job is {state}"), || async {
        let (status, job) = boss.get(&path).await;
        (status == 200 && job["state"] == state).then_some(job)
    })
    .await
}

async fn items(boss: &As, job: &Value, state: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut token = String::new();
    loop {
        let id = job["id"].as_str().unwrap();
        let path = format!("/api/v1/jobs/{id}/items?state={state}&limit=50{token}");
        let (status, page) = boss.get(&path).await;
        assert_eq!(status, 200, "{page}");
        all.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["continuationToken"].as_str() {
            Some(next) => token = format!("&continuationToken={next}"),
            None => return all,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_previewed_and_enrolled_though_the_service_ends_in_between() {
    let play = Play::set().await;
    play.elsewhere(&[&id(3)]).await;
    let (service, boss) = play.start().await;
    let mut parties: Vec<Value> = (1..=260).map(|n| json!({ "id": id(n) })).collect();
    parties[8] = json!({ "id": id(9), "partyAuthorizations": [] });
    parties[9] = json!({ "id": id(10), "capabilities": { "invent": "on" } });
    parties[10] = json!("NL:KVK:00000011");
    let body = json!({ "kind": "enrol", "parties": parties, "common": common() });
    let job = post(&boss, body).await;
    let preview = reached(&boss, &job, "planned").await;
    assert_eq!(preview["counts"], json!({ "planned": 258, "refused": 2 }), "{preview}");
    let codes: Vec<&Value> =
        preview["reasons"].as_array().unwrap().iter().map(|r| &r["code"]).collect();
    assert_eq!(codes, ["API400.Config", "API409.LinkedUser"], "{preview}");
    assert_eq!(
        boss.get("/api/v1/peppol/config/party").await.1["items"].as_array().unwrap().len(),
        1
    );
    // The first participant, the one elsewhere, and the provider itself.
    assert!(play.around.locator.participants() <= 3, "nothing of the list was asked of the SML");

    assert_eq!(command(&boss, &job, "start").await.0, 200);
    until("it is under way", || async {
        let (_, config) = boss.get("/api/v1/peppol/config/party").await;
        (config["items"].as_array()?.len() > 1).then_some(())
    })
    .await;
    service.stop().await;
    let (service, boss) = play.start().await;
    let ended = reached(&boss, &job, "finished").await;
    assert_eq!(ended["counts"], json!({ "done": 257, "failed": 1, "refused": 2 }), "{ended}");
    assert_eq!(ended["percent"], 100);
    let failed = items(&boss, &job, "failed").await;
    assert_eq!((&failed[0]["id"], &failed[0]["code"]), (&json!(id(3)), &json!("sml")));
    assert!(failed[0]["message"].as_str().unwrap().contains("another SMP"), "{failed:?}");
    assert_eq!(items(&boss, &job, "done").await.len(), 257);
    assert_eq!(play.around.locator.participants(), 260);
    let lists = play.around.locator.log().len();
    assert!(lists < 150, "{lists} calls for 260 participants");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_parties_move_to_another_provider_with_their_keys() {
    let play = Play::set().await;
    let (one, boss) = play.start().await;
    let parties: Vec<String> = (1..=30).map(id).collect();
    let body = json!({
        "kind": "enrol", "parties": parties, "common": common(), "start": true,
    });
    let job = post(&boss, body).await;
    reached(&boss, &job, "finished").await;

    let out = post(&boss, json!({ "kind": "migrateOut", "parties": parties, "start": true })).await;
    reached(&boss, &out, "finished").await;
    let leaving = items(&boss, &out, "done").await;
    assert_eq!(leaving.len(), 30);

    let other = Customer::new("receiver", &[RECEIVER]).unwrap();
    let corner = LabAccessPoint::new(&play.around, "two", "POP000002").unwrap();
    let config = own_config(&play.around, &corner, &other);
    play.around.enlist(&config, &[RECEIVER.to_owned()]).await.unwrap();
    let (two, theirs) = started(&play.clock, &config, &other).await;
    let mut lines: Vec<Value> = leaving
        .iter()
        .map(|item| json!({ "id": item["id"], "migration": { "key": item["migrationKey"] } }))
        .collect();
    lines[0]["migration"]["key"] = json!("zZ9$zZ9#zZ9!");
    lines[1].as_object_mut().unwrap().remove("migration");
    let body = json!({ "kind": "migrateIn", "parties": lines, "common": common(), "start": true });
    let into = post(&theirs, body).await;
    let ended = reached(&theirs, &into, "finished").await;
    assert_eq!(ended["counts"], json!({ "done": 28, "failed": 1, "refused": 1 }), "{ended}");
    let smp = corner.smp_id.clone();
    assert_eq!(play.around.locator.publisher_of(&id(30)), Some(smp));

    play.clock.advance(SignedDuration::from_mins(16));
    let gone = |number: u32| {
        let path = format!("/api/v1/peppol/config/party/{}", id(number));
        let boss = &boss;
        async move { boss.get(&path).await.1["isRegistered"] == false }
    };
    until("the old provider publishes it no more", || async { gone(30).await.then_some(()) }).await;
    assert!(!gone(1).await, "who did not move is still published");
    one.stop().await;
    two.stop().await;
}

/// The service metadata that the SMP answers for the first service of a party.
async fn published(play: &Play, service: &Running, number: u32) -> String {
    let services = service.parts.store.services_of(&id(number)).await.unwrap();
    let document = services[0].document_type.parse().unwrap();
    let public_url = play.config.smp.public_url.as_deref().unwrap();
    let policy = UriPolicy { tolerate_http: false, any_port: true };
    let base = SmpBase::new(public_url, policy).unwrap();
    let url = service_metadata_url(&base, &id(number).parse().unwrap(), &document);
    let http = play.around.client().unwrap();
    let answer = http.call(HttpCall::get(&url, Duration::from_secs(10), 1 << 20)).await.unwrap();
    String::from_utf8(answer.body.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn parties_get_another_certificate_another_address_and_other_capabilities() {
    let mut play = Play::set().await;
    let next =
        play.around.pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current).unwrap();
    let stranger = play.around.pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current);
    next.write(&play.corner.folder, "next").unwrap();
    stranger.unwrap().write(&play.corner.folder, "stranger").unwrap();
    let file = |name: &str| Some(play.corner.folder.join(name));
    let with = |certificate: &str| PublishedEndpoint {
        address: None,
        certificate_file: file(certificate),
    };
    let away = PublishedEndpoint {
        address: Some("https://ap2.example.org/as4".to_owned()),
        certificate_file: None,
    };
    let endpoints = &mut play.config.endpoints;
    endpoints.insert("next".to_owned(), with("next.pem"));
    endpoints.insert("stranger".to_owned(), with("stranger.pem"));
    endpoints.insert("away".to_owned(), away);
    play.config.access_point.old_keys = vec![quoin_access_point::config::KeyPlace {
        certificate_file: file("next.pem"),
        key_file: file("next.key"),
        ..quoin_access_point::config::KeyPlace::default()
    }];
    let (service, boss) = play.start().await;
    let parties: Vec<String> = (1..=5).map(id).collect();
    let enrol = json!({ "kind": "enrol", "parties": parties, "common": common(), "start": true });
    reached(&boss, &post(&boss, enrol).await, "finished").await;

    let metadata = async || published(&play, &service, 2).await;
    let base64 = |pem: &str| -> String { pem.lines().filter(|l| !l.starts_with('-')).collect() };
    let next = base64(&next.certificate_pem);
    assert!(!metadata().await.contains(&next));
    for (kind, endpoint, counts) in [
        ("certificate", "nowhere", json!({ "refused": 6 })),
        ("certificate", "stranger", json!({ "refused": 6 })),
        ("certificate", "away", json!({ "refused": 6 })),
        ("endpoint", "next", json!({ "refused": 6 })),
        ("certificate", "next", json!({ "done": 6 })),
        ("certificate", "next", json!({ "unchanged": 6 })),
    ] {
        let body = json!({ "kind": kind, "endpoint": endpoint, "start": true });
        let ended = reached(&boss, &post(&boss, body).await, "finished").await;
        assert_eq!(ended["counts"], counts, "{kind} {endpoint}: {ended}");
    }
    assert!(metadata().await.contains(&next), "the new certificate is published");
    let away = json!({ "kind": "endpoint", "endpoint": "away", "start": true });
    reached(&boss, &post(&boss, away).await, "finished").await;
    let moved = metadata().await;
    assert!(moved.contains("https://ap2.example.org/as4") && !moved.contains(&next), "{moved}");
    let home = json!({ "kind": "endpoint", "endpoint": "own", "start": true });
    reached(&boss, &post(&boss, home).await, "finished").await;
    assert!(metadata().await.contains(play.config.access_point.public_url.as_deref().unwrap()));

    let orders = json!({
        "kind": "capabilities", "capabilities": { "orders": "on" }, "parties": parties,
        "start": true,
    });
    let ended = reached(&boss, &post(&boss, orders).await, "finished").await;
    assert_eq!(ended["counts"], json!({ "done": 5 }));
    let services = service.parts.store.services_of(&id(2)).await.unwrap();
    assert!(services.iter().any(|service| service.document_type.contains("Order-2")));
    service.stop().await;
}

#[tokio::test]
async fn jobs_are_refused_with_a_reason_and_seen_by_their_organisation_only() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let line = json!(["0106:12345678"]);
    for (body, says) in [
        (json!({ "kind": "invent" }), "migrateOut"),
        (json!({ "kind": "enrol" }), "needs parties"),
        (json!({ "id": "my-job", "kind": "enrol", "parties": line }), "id: "),
        (json!({ "kind": "enrol", "parties": [] }), "1 to 200000"),
        (json!({ "kind": "enrol", "parties": ["x"] }), "line 0"),
        (json!({ "kind": "enrol", "parties": [{ "name": "x" }] }), "member id"),
        (json!({ "kind": "enrol", "parties": ["0106:12345678", 5] }), "line 1 (from 0)"),
        (json!({ "kind": "enrol", "parties": line, "common": { "id": "x" } }), "neither id"),
        (json!({ "kind": "capabilities" }), "needs capabilities"),
        (
            json!({ "kind": "withdraw", "parties": line, "capabilities": { "orders": "on" } }),
            "capabilities belong",
        ),
        (json!({ "kind": "capabilities", "capabilities": { "x": "on" } }), "no capability"),
        (json!({ "kind": "capabilities", "capabilities": { "orders": "x" } }), "on, off"),
        (json!({ "kind": "withdraw" }), "needs parties"),
        (json!({ "kind": "withdraw", "parties": [{ "id": SENDER, "x": 1 }] }), "identifier only"),
        (json!({ "kind": "withdraw", "parties": line, "common": { "x": 1 } }), "common belongs"),
        (json!({ "kind": "endpoint" }), "needs endpoint"),
        (json!({ "kind": "migrateOut", "endpoint": "x" }), "endpoint belongs"),
        (json!({ "kind": "migrateOut", "common": { "x": 1 } }), "common belongs"),
        (json!({ "kind": "migrateOut", "parties": [{ "id": SENDER, "x": 1 }] }), "identifier only"),
    ] {
        let (status, answer) = boss.json(Method::POST, "/api/v1/jobs", body).await;
        assert_eq!((status, &answer["code"]), (400, &json!("API400.Job")), "{answer}");
        assert!(answer["detail"].as_str().unwrap().contains(says), "{says}: {answer}");
    }
    let id = uuid::Uuid::now_v7().to_string();
    let body = json!({ "id": id, "kind": "migrateOut" });
    let job = post(&boss, body.clone()).await;
    assert_eq!(post(&boss, body).await["id"], job["id"]);
    let other = json!({ "id": id, "kind": "migrateOut", "parties": line });
    let (status, answer) = boss.json(Method::POST, "/api/v1/jobs", other).await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Job")));
    assert_eq!(command(&boss, &job, "explode").await.0, 400);
    assert_eq!(command(&boss, &job, "cancel").await.1["state"], "cancelled");
    let (status, answer) = command(&boss, &job, "start").await;
    assert_eq!((status, &answer["code"]), (409, &json!("API409.Job")), "{answer}");
    assert_eq!(boss.get("/api/v1/jobs").await.1["items"].as_array().unwrap().len(), 1);

    let stranger = world.manager("other").await;
    for path in [format!("/api/v1/jobs/{id}"), format!("/api/v1/jobs/{id}/items")] {
        let (status, answer) = stranger.get(&path).await;
        assert_eq!((status, &answer["code"]), (404, &json!("API404.Job")));
        let nothing = stranger.get(&path.replace(&id, "nothing")).await.1;
        let alike = |answer: &Value, id: &str| answer["detail"].as_str().unwrap().replace(id, "X");
        assert_eq!(alike(&answer, &id), alike(&nothing, "nothing"));
    }
    assert_eq!(stranger.get("/api/v1/jobs").await.1["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_pauses_and_goes_on_while_the_sml_is_silent() {
    let play = Play::set().await;
    let (service, boss) = play.start().await;
    let entries = |config: &Config| {
        let sml = client(config, play.around.call_settings().unwrap(), &play.clock);
        let sml = sml.unwrap().unwrap();
        let publisher = sml.publisher().to_owned();
        (sml, Entries { publisher, participants: vec![id(900).parse().unwrap()] })
    };
    let (sml, entries) = entries(&play.config);
    assert_eq!(sml.call(&SmlRequest::Create(entries)).await.unwrap(), SmlAnswer::Done);
    for _ in 0..6 {
        let mishap = quoin_lab::lab::locator::Mishap::Status(503);
        play.around.locator.plan(None, mishap);
    }
    let parties: Vec<String> = (1..=120).map(id).collect();
    let body = json!({ "kind": "enrol", "parties": parties, "common": common(), "start": true });
    let job = post(&boss, body).await;
    let (status, paused) = command(&boss, &job, "pause").await;
    assert_eq!((status, &paused["state"]), (200, &json!("paused")), "{paused}");
    let stopped = boss.get(&format!("/api/v1/jobs/{}", job["id"].as_str().unwrap())).await.1;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let later = boss.get(&format!("/api/v1/jobs/{}", job["id"].as_str().unwrap())).await.1;
    assert_eq!((&stopped["total"], &stopped["state"]), (&later["total"], &later["state"]));
    assert_eq!(command(&boss, &job, "resume").await.0, 200);
    let ended = reached(&boss, &job, "finished").await;
    assert_eq!(ended["counts"], json!({ "done": 120 }), "{ended}");
    service.stop().await;
}
