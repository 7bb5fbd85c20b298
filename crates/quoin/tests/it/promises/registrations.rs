//! What is registered follows from what is held (items 18 and 19): declared parties, second
//! identifiers, migrations that are taken back, jobs without an SML.

use quoin_access_point::net::Dns;
use quoin_access_point::registers::sml::{SmlClient, SmlDesk};
use quoin_access_point::registers::{RegisterDesk, RegisterRequest};
use quoin_delivery::jobs::SmpLocation;
use quoin_delivery::registration::{DesiredState, RegistrationTry};
use quoin_lab::lab::locator::Mishap;
use quoin_lab::lab::network::SENDER;
use quoin_peppol::sml::soap::{
    Entries, FaultKind, Move, SMP_SERVICE, SmlAnswer, SmlFault, SmlOperation, SmlRequest,
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::sml::Play;
use crate::stage::{Stage, until};
use crate::world::As;

const FIRST: &str = "0106:00000001";
const SECOND: &str = "0088:7300010000001";

async fn config_of(play: &Play, id: &str) -> Value {
    play.boss.get(&format!("/api/v1/peppol/config/party/{id}")).await.1
}

#[tokio::test(flavor = "multi_thread")]
async fn item_18_a_declared_party_is_in_the_sml_and_says_so() {
    let play = Play::set().await;
    let done = play.registration(SENDER, &["done"]).await;
    assert_eq!(done["wish"], "present");
    assert_eq!(play.around.locator.publisher_of(SENDER).unwrap(), play.mine.publisher());
    let config = config_of(&play, SENDER).await;
    let expected = json!([{
        "id": SENDER, "isVerified": true, "isRegistered": true, "state": "registered",
    }]);
    assert_eq!((&config["isRegistered"], &config["participants"]), (&json!(true), &expected));
    assert!(play.is_found(SENDER).await);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn item_18_a_second_identifier_is_registered_with_the_change_that_brings_it() {
    let play = Play::set().await;
    assert_eq!(play.enrol(FIRST, None).await.0, 200);
    play.registration(FIRST, &["done"]).await;
    let path = format!("/api/v1/peppol/config/party/{FIRST}");
    // Nobody verified it: nothing is published of it, and nothing of the change is recorded.
    let bare = json!({ "identifiers": [FIRST, SECOND], "verification": {
        "notes": "Contract", "identifiers": [FIRST] } });
    let (status, refused) = play.boss.json(Method::PUT, &path, bare).await;
    assert_eq!((status, &refused["code"]), (400, &json!("API400.Verification")), "{refused}");
    assert!(refused["detail"].as_str().unwrap().contains("services.peppol.verification"));
    assert_eq!(config_of(&play, FIRST).await["identifiers"], json!([FIRST]));
    let covered = json!({ "identifiers": [FIRST, SECOND], "verification": { "notes": "Deed" } });
    assert_eq!(play.boss.json(Method::PUT, &path, covered).await.0, 200);
    until("the SML has the second one", async || {
        play.around.locator.publisher_of(SECOND).map(|_| ())
    })
    .await;
    // Taking it off frees it everywhere.
    let off = format!("{path}/identifier/{SECOND}");
    let request = play.boss.request(Method::DELETE, &off);
    assert_eq!(play.boss.send(request).await.0, 204);
    until("the SML has it no more", async || {
        play.around.locator.publisher_of(SECOND).is_none().then_some(())
    })
    .await;
    assert_eq!(config_of(&play, FIRST).await["identifiers"], json!([FIRST]));
    play.end().await;
}

/// A participant that may leave, and the key.
async fn leaving(play: &Play) -> String {
    assert_eq!(play.enrol(FIRST, None).await.0, 200);
    play.registration(FIRST, &["done"]).await;
    let (status, key) = play.boss.get(&format!("/api/v1/peppol/{FIRST}/prepareToMigrate")).await;
    assert_eq!(status, 200, "{key}");
    until("it may leave", || async {
        (play.registration(FIRST, &["done"]).await["wish"] == "leaving").then_some(())
    })
    .await;
    key["migrationKey"].as_str().unwrap().to_owned()
}

/// Takes the preparation back: nobody moves the participant with its key then.
async fn taken_back(play: &Play, key: String) {
    let path = format!("/api/v1/peppol/{FIRST}/prepareToMigrate");
    assert_eq!(play.boss.send(play.boss.request(Method::DELETE, &path)).await.0, 204);
    until("it stays", || async {
        let shown = play.registration(FIRST, &["done", "failed"]).await;
        (shown["wish"] == "present" && shown["state"] == "done").then_some(())
    })
    .await;
    let migrate = SmlRequest::Migrate(Move {
        publisher: play.theirs.publisher().to_owned(),
        participant: FIRST.parse().unwrap(),
        key,
    });
    assert!(matches!(play.theirs.call(&migrate).await.unwrap(), SmlAnswer::Fault(_)));
    assert_eq!(play.around.locator.publisher_of(FIRST).unwrap(), play.mine.publisher());
}

#[tokio::test(flavor = "multi_thread")]
async fn item_19_a_prepared_migration_is_taken_back() {
    let play = Play::set().await;
    let key = leaving(&play).await;
    taken_back(&play, key).await;
    assert_eq!(config_of(&play, FIRST).await.get("migration"), None);
    assert!(play.is_found(FIRST).await);
    play.end().await;
}

/// No SML knows a key for what another SMP has.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_registered_elsewhere_cannot_be_let_go() {
    let play = Play::set().await;
    play.give_to_the_other(FIRST).await;
    assert_eq!(play.enrol(FIRST, None).await.0, 200);
    play.registration(FIRST, &["failed"]).await;
    let path = format!("/api/v1/peppol/{FIRST}/prepareToMigrate");
    let (status, refused) = play.boss.get(&path).await;
    assert_eq!((status, &refused["code"]), (409, &json!("API409.Registration")), "{refused}");
    assert!(refused["detail"].as_str().unwrap().contains("is failed"), "{refused}");
    let shown = play.registration(FIRST, &["failed"]).await;
    assert_eq!(shown["wish"], "present", "nothing is asked of the SML");
    play.end().await;
}

/// What the SML did not prepare is no key, takes nothing away, and is asked for again.
#[tokio::test(flavor = "multi_thread")]
async fn a_preparation_that_the_sml_refuses_leaves_the_participant_registered() {
    let play = Play::that_retries_after(vec![600.0]).await;
    assert_eq!(play.enrol(FIRST, None).await.0, 200);
    play.registration(FIRST, &["done"]).await;
    let path = format!("/api/v1/peppol/{FIRST}/prepareToMigrate");
    for (kind, text, state) in [
        (FaultKind::BadRequest, "[ERR-120] odd", "failed"),
        (FaultKind::Unauthorized, "[ERR-101] no", "blocked"),
        (FaultKind::InternalError, "[ERR-105] trace 7", "retrying"),
    ] {
        let refuse = || {
            let fault = SmlFault { kind, text: text.to_owned() };
            let operation = Some(SmlOperation::PrepareToMigrate);
            play.around.locator.plan(operation, Mishap::Fault(fault));
        };
        refuse();
        let (status, first) = play.boss.get(&path).await;
        assert_eq!(status, 200, "{first}");
        let told = play.registration(FIRST, &[state]).await;
        assert!(told["message"].as_str().unwrap().contains(text), "{told}");
        let config = config_of(&play, FIRST).await;
        assert_eq!(config["isRegistered"], true, "{config}");
        assert_eq!(config["participants"][0]["state"], "registered", "{config}");
        assert_eq!((&config["message"], config.get("migration")), (&Value::Null, None), "{config}");

        // The SML is asked at once, and refuses once more.
        refuse();
        let asked = play.asked(SmlOperation::PrepareToMigrate);
        let (status, refused) = play.boss.get(&path).await;
        assert_eq!((status, &refused["code"]), (409, &json!("API409.Registration")), "{refused}");
        assert!(refused["detail"].as_str().unwrap().contains(text), "{refused}");
        assert!(!refused.to_string().contains(first["migrationKey"].as_str().unwrap()));
        until("the SML is asked anew", async || {
            (play.asked(SmlOperation::PrepareToMigrate) > asked).then_some(())
        })
        .await;
        play.registration(FIRST, &[state]).await;
        until("it is taken", async || {
            let (status, again) = play.boss.get(&path).await;
            (status == 200).then(|| assert_eq!(again, first))
        })
        .await;
        assert_eq!(play.boss.send(play.boss.request(Method::DELETE, &path)).await.0, 204);
        until("it stays", || async {
            let shown = play.registration(FIRST, &["done"]).await;
            (shown["wish"] == "present").then_some(())
        })
        .await;
    }
    play.end().await;
}

/// An SML that does not let us use the key that it has: it gets another one, and keeps nobody.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_worthless_though_the_sml_refuses_to_take_it_back() {
    let play = Play::set().await;
    let key = leaving(&play).await;
    for _ in 0..2 {
        let fault = SmlFault { kind: FaultKind::BadRequest, text: "[ERR-111] x".to_owned() };
        play.around.locator.plan(Some(SmlOperation::Migrate), Mishap::Fault(fault));
    }
    taken_back(&play, key).await;
    // The key that nobody was told does not keep it there for ever.
    let path = format!("/api/v1-beta/{FIRST}/enroll");
    assert_eq!(play.boss.send(play.boss.request(Method::DELETE, &path)).await.0, 204);
    until("it is gone", || async {
        let shown = play.registration(FIRST, &["done", "failed"]).await;
        (shown["wish"] == "absent" && shown["state"] == "done").then_some(())
    })
    .await;
    assert_eq!(play.around.locator.publisher_of(FIRST), None);
    play.end().await;
}

/// The SML keeps a participant whose migration is prepared (ERR-114); it is taken back first.
#[tokio::test(flavor = "multi_thread")]
async fn item_19_a_participant_that_may_leave_can_be_withdrawn() {
    let play = Play::set().await;
    leaving(&play).await;
    let path = format!("/api/v1-beta/{FIRST}/enroll");
    assert_eq!(play.boss.send(play.boss.request(Method::DELETE, &path)).await.0, 204);
    until("it is gone", || async {
        let shown = play.registration(FIRST, &["done", "failed"]).await;
        (shown["wish"] == "absent").then_some(())
    })
    .await;
    assert_eq!(play.around.locator.publisher_of(FIRST), None);
    assert!(play.asked(SmlOperation::Migrate) > 0);
    play.end().await;
}

/// Whoever moved is not refused from what the name server said before.
#[tokio::test(flavor = "multi_thread")]
async fn a_no_does_not_follow_from_where_a_name_led_before() {
    let play = Play::set().await;
    let lookup = &play.service.parts.lookup;
    assert_eq!(play.enrol(FIRST, None).await.0, 200);
    play.registration(FIRST, &["done"]).await;
    let first = FIRST.parse().unwrap();
    let own = lookup.registrations(&first).await.unwrap().smp;
    let nobody = format!("{own}/nobody");
    play.around.register(FIRST, &nobody).unwrap();
    lookup.forget(&first);
    assert!(!lookup.registrations(&first).await.unwrap_err().is_temporary());
    play.around.register(FIRST, &own).unwrap();
    assert_eq!(lookup.registrations(&first).await.unwrap().smp, own, "it was asked once more");

    // What is registered here is looked up where it is, as soon as it is.
    let (id, second) = ("0106:00000002", "0106:00000002".parse().unwrap());
    play.around.register(id, &nobody).unwrap();
    let at = |found: SmpLocation| match found {
        SmpLocation::Elsewhere(smp) => smp,
        other => panic!("{other:?}"),
    };
    assert!(at(lookup.whereabouts(&second, None).await).starts_with(&nobody));
    assert_eq!(play.enrol(id, None).await.0, 200);
    play.registration(id, &["done"]).await;
    assert_eq!(at(lookup.whereabouts(&second, None).await), own);
    play.end().await;
}

/// A crash after the call and before its end is recorded: the second try counts as the first one.
#[tokio::test(flavor = "multi_thread")]
async fn a_try_that_a_crash_kept_from_being_recorded_is_recognised() {
    let play = Play::set().await;
    let config = &play.service.parts.config;
    let dns = Dns::new(&config.network.dns_servers).unwrap();
    let settings = play.around.call_settings().unwrap();
    let desk = SmlDesk::of(config, settings, dns, &play.clock).unwrap().unwrap();
    let (created, moved) = ("0106:00000001", "0106:00000002");
    // The SML has it as ours, and DNS still leads to another SMP.
    let create = SmlRequest::Create(play.entries(&play.mine, &[created]));
    assert_eq!(play.mine.call(&create).await.unwrap(), SmlAnswer::Done);
    play.around.register(created, "https://other.example").unwrap();
    let order = |participant, migration_key| RegisterRequest {
        participant,
        wish: DesiredState::Present,
        migration_key,
        is_taken_back: false,
        is_first: true,
    };
    let participant = created.parse().unwrap();
    assert_eq!(desk.carry_out(order(&participant, None)).await, RegistrationTry::Done);

    play.give_to_the_other(moved).await;
    let key = "aB3$xY7#mQ9!";
    let by = |who: &SmlClient| Move {
        publisher: who.publisher().to_owned(),
        participant: moved.parse().unwrap(),
        key: key.to_owned(),
    };
    for (who, request) in [
        (&play.theirs, SmlRequest::PrepareToMigrate(by(&play.theirs))),
        (&play.mine, SmlRequest::Migrate(by(&play.mine))),
    ] {
        assert_eq!(who.call(&request).await.unwrap(), SmlAnswer::Done);
    }
    let prepared = play.asked(SmlOperation::PrepareToMigrate);
    let participant = moved.parse().unwrap();
    assert_eq!(desk.carry_out(order(&participant, Some(key))).await, RegistrationTry::Done);
    // It has just come, and is not made to leave with a key that nobody has.
    assert_eq!(play.asked(SmlOperation::PrepareToMigrate), prepared);
    play.end().await;
}

/// Without an SML nothing is waited for: the job says so and goes on.
#[tokio::test(flavor = "multi_thread")]
async fn item_19_a_job_without_an_sml_comes_to_its_end() {
    let stage = Stage::set().await;
    let service = stage.start(stage.config_one()).await;
    let url = service.api.as_ref().unwrap().url();
    let boss = As::fetch(&url, &stage.sender.client, &stage.sender.secret).await;
    let alice = json!({ "name": "alice" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", alice).await.0, 200);
    let parties: Vec<String> = (1..=120).map(|number| format!("0106:{number:08}")).collect();
    let job = json!({
        "kind": "enrol", "start": true, "parties": parties,
        "common": {
            "capabilities": { "invoices": "on" },
            "partyAuthorizations": [{ "userId": "alice" }],
        },
    });
    let (status, job) = boss.json(Method::POST, "/api/v1/jobs", job).await;
    assert_eq!(status, 202, "{job}");
    let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
    let done = until("the job is finished", async || {
        let job = boss.get(&path).await.1;
        (job["state"] == "finished").then_some(job)
    })
    .await;
    let reason = &done["reasons"][0];
    assert_eq!((&reason["code"], &reason["items"]), (&json!("sml-blocked"), &json!(120)), "{done}");
    service.stop().await;
}

/// PE-14: a tool that manages an SMP cannot name a user, so the configuration does.
#[tokio::test]
async fn pe_14_a_client_that_names_no_user_registers_with_its_own() {
    let world = crate::world::declaring_world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let id = "0106:00000001";
    let group = format!(
        "<smp:ServiceGroup xmlns:smp=\"{}\" xmlns:ids=\"{}\"><ids:ParticipantIdentifier \
         scheme=\"iso6523-actorid-upis\">{id}</ids:ParticipantIdentifier>\
         <smp:ServiceMetadataReferenceCollection/></smp:ServiceGroup>",
        quoin_peppol::smp::NAMESPACE,
        quoin_peppol::identifiers::IDENTIFIERS_NAMESPACE
    );
    let put = async || {
        let request = boss.request(reqwest::Method::PUT, &format!("/smp/{id}"));
        boss.send(request.header("content-type", "text/xml").body(group.clone())).await
    };
    let (status, refused) = put().await;
    assert_eq!((status, &refused["code"]), (404, &"API404.User".into()), "nobody has the name");
    let user = serde_json::json!({ "name": "boss@acme.example" });
    assert_eq!(boss.json(reqwest::Method::PUT, "/api/v1/user", user).await.0, 200);
    for _ in 0..2 {
        let (status, answer) = put().await;
        assert_eq!(status, 200, "{answer}");
    }
    let owner = "acme".parse().unwrap();
    assert!(world.store.has_linked_user(&owner, id).await.unwrap());
}

/// PE-15: what clients of the software behind the real SML say, and its schema lets them leave out.
#[tokio::test(flavor = "multi_thread")]
async fn pe_15_the_labs_sml_takes_what_reference_clients_say() {
    let play = Play::set().await;
    let ask = async |request: &SmlRequest| play.mine.call(request).await.unwrap();
    let publisher = play.mine.publisher().to_owned();
    let entries = |publisher: &str| Entries {
        publisher: publisher.to_owned(),
        participants: vec![FIRST.parse().unwrap()],
    };
    assert_eq!(ask(&SmlRequest::IsAlive).await, SmlAnswer::Done);
    let record = SmlRequest::CreateAs(entries(&publisher), SMP_SERVICE.to_owned());
    assert_eq!(ask(&record).await, SmlAnswer::Done);
    assert_eq!(play.around.locator.publisher_of(FIRST).unwrap(), publisher);
    let other = SmlRequest::CreateAs(entries(&publisher), "Meta:OTHER".to_owned());
    assert!(matches!(ask(&other).await, SmlAnswer::Fault(_)));
    // Another certificate takes nothing away by leaving out whose it is.
    let taken = SmlRequest::DeleteList(entries(&publisher));
    assert!(matches!(play.theirs.call(&taken).await.unwrap(), SmlAnswer::Fault(_)));
    assert_eq!(ask(&taken).await, SmlAnswer::Done);
    assert_eq!(play.around.locator.publisher_of(FIRST), None);
    play.end().await;
}
