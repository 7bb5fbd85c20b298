//! Our SMP and the SML: a service that registers participants over mutual TLS, and an SML that is
//! as strict, as slow and as faulty as the real one can be.

use std::time::{Duration, Instant};

use jiff::SignedDuration;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::registers::sml::{SmlClient, client, with_identity};
use quoin_lab::lab::locator::Mishap;
use quoin_lab::lab::network::{Customer, LabAccessPoint, SENDER, Surroundings};
use quoin_peppol::sml::soap::{
    Entries, FaultKind, ParticipantPage, Publisher, SmlAnswer, SmlFault, SmlOperation, SmlRequest,
};
use quoin_server::start::{Running, start};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Folder, until};
use crate::world::As;

/// A service with its SMP at the SML, and a second SMP of another provider.
pub(crate) struct Play {
    pub(crate) clock: Clock,
    pub(crate) around: Surroundings,
    pub(crate) service: Running,
    pub(crate) boss: As,
    pub(crate) mine: SmlClient,
    pub(crate) theirs: SmlClient,
    _folder: Folder,
}

fn smp(config: &Config) -> Publisher {
    Publisher {
        id: config.sml.smp_id.clone().unwrap(),
        logical_address: config.smp.public_url.clone().unwrap(),
        physical_address: "1.1.1.1".to_owned(),
    }
}

impl Play {
    pub(crate) async fn set() -> Play {
        Play::that_retries_after(vec![0.1, 0.1, 0.1, 0.2, 0.5]).await
    }

    pub(crate) async fn that_retries_after(seconds: Vec<f64>) -> Play {
        let folder = Folder::new();
        let clock = Clock::default();
        let around = Surroundings::start(folder.path(), clock.clone()).await.unwrap();
        let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let other = LabAccessPoint::new(&around, "two", "POP000002").unwrap();
        let customer = Customer::new("sender", &[SENDER]).unwrap();
        let config = |corner: &LabAccessPoint| {
            let mut config = corner.config(&around, &customer);
            config.sml = around.sml_section(corner);
            config.sml.timeout_seconds = 1;
            config.retry.hook_seconds = seconds.clone();
            config
        };
        let (mut own, theirs) = (config(&corner), config(&other));
        let client = |config: &Config| {
            client(config, around.call_settings().unwrap(), &Clock::default()).unwrap().unwrap()
        };
        let (mine, other_client) = (client(&own), client(&theirs));
        for (who, config) in [(&mine, &own), (&other_client, &theirs)] {
            let made = who.call(&SmlRequest::CreatePublisher(smp(config))).await.unwrap();
            assert_eq!(made, SmlAnswer::Done);
        }
        own.directory = around.directory_section();
        let service = start(own, clock.clone()).await.unwrap();
        let url = service.api.as_ref().unwrap().url();
        let boss = As::fetch(&url, &customer.client, &customer.secret).await;
        let alice = json!({ "name": "alice" });
        assert_eq!(boss.json(Method::PUT, "/api/v1/user", alice).await.0, 200);
        // Our own participant is registered at every start; a mishap is not to befall it.
        until("the provider and the declared party are registered", async || {
            let there = |id: &str| around.locator.publisher_of(id).is_some();
            (there("0242:000001") && there(SENDER)).then_some(())
        })
        .await;
        Play { clock, around, service, boss, mine, theirs: other_client, _folder: folder }
    }

    pub(crate) async fn enrol(&self, id: &str, key: Option<&str>) -> (u16, Value) {
        let body = json!({
            "services": { "peppol": {
                "capabilities": { "invoices": "on" },
                "verification": { "notes": "Contract" },
                "migration": { "key": key },
            } },
            "partyAuthorizations": [{ "userId": "alice", "permissions": {} }],
        });
        self.boss.json(Method::PUT, &format!("/api/v1-beta/{id}/enroll"), body).await
    }

    /// The registration at the SML, once it is in one of these states.
    pub(crate) async fn registration(&self, id: &str, states: &[&str]) -> Value {
        let path = format!("/api/v1/peppol/config/party/{id}");
        let mut seen = Value::Null;
        until(&format!("{id} is {states:?}"), async || {
            let (_, config) = self.boss.get(&path).await;
            if seen != config["registrations"] {
                println!("{id}: {:#}", config["registrations"]);
                seen = config["registrations"].clone();
            }
            let all = config["registrations"].as_array()?.clone();
            all.into_iter().find(|r| {
                r["register"] == "sml" && states.contains(&r["state"].as_str().unwrap_or_default())
            })
        })
        .await
    }

    pub(crate) async fn is_found(&self, id: &str) -> bool {
        let path = format!("/api/v1/queryRecipientParty?identifier={id}");
        let (status, answer) = self.boss.get(&path).await;
        assert_eq!(status, 200, "{answer}");
        answer["isRegistered"] == true
    }

    pub(crate) fn entries(&self, who: &SmlClient, ids: &[&str]) -> Entries {
        let participants = ids.iter().map(|id| id.parse().unwrap()).collect();
        Entries { publisher: who.publisher().to_owned(), participants }
    }

    pub(crate) async fn give_to_the_other(&self, id: &str) {
        let request = SmlRequest::Create(self.entries(&self.theirs, &[id]));
        assert_eq!(self.theirs.call(&request).await.unwrap(), SmlAnswer::Done);
    }

    pub(crate) fn asked(&self, operation: SmlOperation) -> usize {
        self.around.locator.log().iter().filter(|asked| **asked == operation).count()
    }

    pub(crate) async fn end(self) {
        self.service.stop().await;
    }
}

fn fault(kind: FaultKind, text: &str) -> Mishap {
    Mishap::Fault(SmlFault { kind, text: text.to_owned() })
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_shows_its_state_and_who_can_fix_it() {
    // What is tried again stays visible until the clock moves.
    let play = Play::that_retries_after(vec![600.0]).await;
    for (number, mishap, state, by, said) in [
        (
            1,
            fault(FaultKind::InternalError, "[ERR-105] trace 7"),
            "retrying",
            "register",
            "trace 7",
        ),
        (2, Mishap::Status(503), "retrying", "register", "503"),
        (3, Mishap::Silence(Duration::from_secs(3)), "retrying", "register", "no answer within"),
        (
            4,
            fault(FaultKind::NotFound, "[ERR-100] gone"),
            "blocked",
            "operator",
            "quoin sml create",
        ),
        (5, fault(FaultKind::Unauthorized, "[ERR-101] no"), "blocked", "operator", "certificate"),
        (6, Mishap::Status(403), "blocked", "operator", "sml.url"),
        (7, fault(FaultKind::BadRequest, "[ERR-120] odd"), "failed", "customer", "[ERR-120] odd"),
    ] {
        let id = format!("0106:0000000{number}");
        play.around.locator.plan(Some(SmlOperation::Create), mishap);
        assert_eq!(play.enrol(&id, None).await.0, 200);
        let shown = play.registration(&id, &[state]).await;
        assert_eq!(shown["mendedBy"], by, "{shown}");
        assert!(shown["message"].as_str().unwrap().contains(said), "{shown}");
        assert_eq!(shown["nextOn"].is_string(), state != "failed", "{shown}");
        if state == "retrying" {
            play.clock.advance(SignedDuration::from_secs(700));
            let done = play.registration(&id, &["done"]).await;
            assert_eq!((&done["mendedBy"], &done["message"]), (&Value::Null, &json!("")));
        }
    }
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_lost_is_recognised_for_every_operation() {
    let play = Play::set().await;
    let id = "0106:00000001";
    play.around.locator.publish_after(Duration::from_secs(3600));
    play.around.locator.plan(Some(SmlOperation::Create), Mishap::LostAnswer);
    play.enrol(id, None).await;
    let done = play.registration(id, &["done", "failed"]).await;
    assert_eq!(done["state"], "done", "DNS does not have it yet, the list of the SML has: {done}");
    assert!(done["attempts"].as_u64() > Some(1), "{done}");

    let moving = "0106:00000002";
    play.give_to_the_other(moving).await;
    let key = "aB3$xY7#mQ9!";
    let prepare = SmlRequest::PrepareToMigrate(quoin_peppol::sml::soap::Move {
        publisher: play.theirs.publisher().to_owned(),
        participant: moving.parse().unwrap(),
        key: key.to_owned(),
    });
    assert_eq!(play.theirs.call(&prepare).await.unwrap(), SmlAnswer::Done);
    play.around.locator.plan(Some(SmlOperation::Migrate), Mishap::LostAnswer);
    assert_eq!(play.enrol(moving, Some(key)).await.0, 200);
    let done = play.registration(moving, &["done", "failed"]).await;
    assert_eq!(done["state"], "done", "{done}");
    assert_eq!(play.around.locator.publisher_of(moving).unwrap(), play.mine.publisher());

    play.around.locator.plan(Some(SmlOperation::PrepareToMigrate), Mishap::LostAnswer);
    assert_eq!(play.boss.get(&format!("/api/v1/peppol/{moving}/prepareToMigrate")).await.0, 200);
    until("it may leave", || async {
        let shown = play.registration(moving, &["done"]).await;
        (shown["wish"] == "leaving").then_some(())
    })
    .await;

    play.around.locator.plan(Some(SmlOperation::Delete), Mishap::LostAnswer);
    let path = format!("/api/v1-beta/{id}/enroll");
    assert_eq!(play.boss.send(play.boss.request(Method::DELETE, &path)).await.0, 204);
    let gone = play.registration(id, &["done", "failed"]).await;
    assert_eq!((&gone["state"], &gone["wish"]), (&json!("done"), &json!("absent")), "{gone}");
    assert_eq!(play.around.locator.publisher_of(id), None);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_provider_has_is_not_published_here_and_comes_with_its_key() {
    let play = Play::set().await;
    let id = "0106:00000001";
    play.give_to_the_other(id).await;
    assert_eq!(play.enrol(id, None).await.0, 200);
    let refused = play.registration(id, &["failed"]).await;
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("another SMP (https://127.0.0.1:"), "it says which: {message}");
    let (_, config) = play.boss.get(&format!("/api/v1/peppol/config/party/{id}")).await;
    assert_eq!(
        config["isRegistered"], false,
        "the SMP does not say what the SML does not: {config}"
    );
    assert!(play.service.parts.store.services_of(id).await.unwrap().is_empty());
    let wrong = "zZ9$zZ9#zZ9!";
    assert_eq!(play.enrol(id, Some(wrong)).await.0, 200);
    let refused = play.registration(id, &["failed"]).await;
    assert!(refused["message"].as_str().unwrap().contains("prepared with this key"), "{refused}");
    assert!(!refused.to_string().contains(wrong), "a key is not repeated");
    assert_eq!(play.around.locator.publisher_of(id).unwrap(), play.theirs.publisher());
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dns_follows_some_time_later() {
    let play = Play::set().await;
    let id = "0106:00000001";
    play.around.locator.publish_after(Duration::from_millis(1500));
    let begun = Instant::now();
    assert_eq!(play.enrol(id, None).await.0, 200);
    play.registration(id, &["done"]).await;
    assert!(begun.elapsed() > Duration::from_millis(1400) || !play.is_found(id).await);
    until("DNS has it", || async { play.is_found(id).await.then_some(()) }).await;
    assert!(begun.elapsed() >= Duration::from_millis(1400), "{:?}", begun.elapsed());
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_is_no_longer_published_here_and_not_deleted_there() {
    let play = Play::set().await;
    let id = "0106:00000001";
    play.enrol(id, None).await;
    play.registration(id, &["done"]).await;
    let (_, key) = play.boss.get(&format!("/api/v1/peppol/{id}/prepareToMigrate")).await;
    until("it may leave", || async {
        (play.registration(id, &["done"]).await["wish"] == "leaving").then_some(())
    })
    .await;
    let migrate = SmlRequest::Migrate(quoin_peppol::sml::soap::Move {
        publisher: play.theirs.publisher().to_owned(),
        participant: id.parse().unwrap(),
        key: key["migrationKey"].as_str().unwrap().to_owned(),
    });
    assert_eq!(play.theirs.call(&migrate).await.unwrap(), SmlAnswer::Done);
    play.service.parts.clock.advance(jiff::SignedDuration::from_mins(16));
    until("it has left", || async {
        let shown = play.registration(id, &["done"]).await;
        (shown["wish"] == "absent").then_some(())
    })
    .await;
    assert!(play.service.parts.store.services_of(id).await.unwrap().is_empty());
    let (_, config) = play.boss.get(&format!("/api/v1/peppol/config/party/{id}")).await;
    assert_eq!(config["isRegistered"], false);
    assert_eq!((play.asked(SmlOperation::Delete), play.asked(SmlOperation::DeleteList)), (0, 0));
    assert_eq!(play.around.locator.publisher_of(id).unwrap(), play.theirs.publisher());
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_go_in_lists_and_one_that_is_refused_spoils_none() {
    let play = Play::set().await;
    let ids: Vec<String> = (1..=120).map(|n| format!("0106:{n:08}")).collect();
    for id in [&ids[4], &ids[77]] {
        play.give_to_the_other(id).await;
    }
    let before = play.asked(SmlOperation::Create);
    // While nothing is answered, the others gather.
    for _ in 0..8 {
        let silence = Mishap::Silence(Duration::from_millis(900));
        play.around.locator.plan(Some(SmlOperation::Create), silence);
    }
    play.around.locator.plan(Some(SmlOperation::CreateList), Mishap::LostAnswer);
    let enrolled = futures::future::join_all(ids.iter().map(|id| play.enrol(id, None))).await;
    assert!(enrolled.iter().all(|(status, _)| *status == 200));
    for (at, id) in ids.iter().enumerate() {
        let expected = if at == 4 || at == 77 { "failed" } else { "done" };
        let shown = play.registration(id, &["done", "failed"]).await;
        assert_eq!(shown["state"], expected, "{shown}");
    }
    // 118 of ours, the declared one, two of the other SMP, and our provider itself.
    assert_eq!(play.around.locator.participants(), 122);
    assert!(play.asked(SmlOperation::CreateList) > 0);
    let single = play.asked(SmlOperation::Create) - before;
    assert!(single < 60, "{single} calls for single participants");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_smp_is_known_by_its_certificate() {
    let play = Play::set().await;
    let id = play.mine.publisher().to_owned();
    let read = |publisher: &str| {
        let (id, empty) = (publisher.to_owned(), "https://any.example".to_owned());
        SmlRequest::ReadPublisher(Publisher {
            id,
            logical_address: empty,
            physical_address: String::new(),
        })
    };
    let SmlAnswer::Publisher(known) = play.mine.call(&read(&id)).await.unwrap() else { panic!() };
    let own = play.service.parts.config.smp.public_url.clone().unwrap();
    assert_eq!((known.id.as_str(), known.logical_address.as_str()), (id.as_str(), own.as_str()));
    for (request, kind) in [
        (read(&id), FaultKind::Unauthorized),
        (SmlRequest::DeletePublisher(id.clone()), FaultKind::Unauthorized),
        (read("POP000009-SMP"), FaultKind::NotFound),
        (SmlRequest::CreatePublisher(known.clone()), FaultKind::BadRequest),
    ] {
        let SmlAnswer::Fault(fault) = play.theirs.call(&request).await.unwrap() else { panic!() };
        assert_eq!(fault.kind, kind, "{request:?}: {fault:?}");
    }
    let config = &play.service.parts.config;
    let files = (&config.access_point.certificate_file, &config.access_point.key_file);
    let (Some(certificate), Some(key)) = files else { panic!() };
    let settings = play.around.call_settings().unwrap();
    let http = with_identity(settings.clone(), certificate, key).unwrap();
    let wait = Duration::from_secs(5);
    let stranger = SmlClient::new(http, &play.around.sml_url, &id, wait);
    assert!(stranger.call(&read(&id)).await.is_err(), "an access point is no SMP");
    let http = quoin_access_point::net::HttpClient::new(&settings).unwrap();
    let nobody = SmlClient::new(http, &play.around.sml_url, &id, wait);
    assert!(nobody.call(&read(&id)).await.is_err(), "no certificate, no connection");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_smp_that_moves_or_ends_takes_its_participants_along() {
    let play = Play::set().await;
    let ids = ["0106:00000001", "0106:00000002", "0106:00000003"];
    let list = SmlRequest::CreateList(play.entries(&play.theirs, &ids));
    assert_eq!(play.theirs.call(&list).await.unwrap(), SmlAnswer::Done);
    play.around.locator.page_size(2);
    let mut seen = Vec::new();
    let mut page = None;
    loop {
        let publisher = play.theirs.publisher().to_owned();
        let answer = play.theirs.call(&SmlRequest::List { publisher, page }).await.unwrap();
        let SmlAnswer::Page(ParticipantPage { participants, next, .. }) = answer else {
            panic!("{answer:?}")
        };
        assert!(participants.len() <= 2);
        seen.extend(participants.iter().map(ToString::to_string));
        page = next;
        if page.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids);
    let moved = Publisher {
        id: play.theirs.publisher().to_owned(),
        logical_address: play.service.parts.config.smp.public_url.clone().unwrap(),
        physical_address: "1.1.1.1".to_owned(),
    };
    let update = SmlRequest::UpdatePublisher(moved);
    assert_eq!(play.theirs.call(&update).await.unwrap(), SmlAnswer::Done);
    assert!(!play.is_found(ids[0]).await, "its name leads to our SMP now, which has it not");
    let delete = SmlRequest::DeletePublisher(play.theirs.publisher().to_owned());
    assert_eq!(play.theirs.call(&delete).await.unwrap(), SmlAnswer::Done);
    // Our provider and the declared party are still there, and nobody else.
    assert_eq!(play.around.locator.participants(), 2);
    play.end().await;
}
