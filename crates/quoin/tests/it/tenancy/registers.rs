//! The registers outside: what an enrolment asks of the SML and the Directory is carried out by the
//! worker, seen by the network, and visible with the party, also where no SML is set up.

use std::time::Duration;

use quoin_access_point::clock::Clock;
use quoin_access_point::registers::sml::{SmlClient, with_identity};
use quoin_lab::lab::network::{LabNetwork, SENDER};
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_peppol::sml::soap::SmlRequest;
use quoin_server::start::Running;
use reqwest::Method;
use serde_json::{Value, json};

use crate::sml::Play;
use crate::stage::{Folder, Stage, until};
use crate::world::As;

const NEW: &str = "0106:00000001";
const ENROL: &str = "/api/v1-beta/0106:00000001/enroll";

fn body(key: Option<&Value>) -> Value {
    let mut body = json!({
        "services": { "peppol": {
            "capabilities": { "invoices": "on" },
            "businessCard": { "names": "Müller & Söhne, M&S", "geoInfo": "Main Street 1, Utrecht, NL" },
            "verification": { "notes": "Contract" },
        } },
        "partyAuthorizations": [{ "userId": "alice", "permissions": {} }],
    });
    if let Some(key) = key {
        body["services"]["peppol"]["migration"] = json!({ "key": key });
    }
    body
}

fn url(service: &Running) -> String {
    service.api.as_ref().unwrap().url()
}

async fn enrol(boss: &As, key: Option<&Value>) -> Value {
    let alice = json!({ "name": "alice" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", alice).await.0, 200);
    let (status, answer) = boss.json(Method::PUT, ENROL, body(key)).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

/// The registration at a register, once it is in this state.
async fn registration(boss: &As, register: &str, state: &str) -> Value {
    let path = format!("/api/v1/peppol/config/party/{NEW}");
    until(&format!("{register} is {state}"), || async {
        let (_, config) = boss.get(&path).await;
        let all = config["registrations"].as_array()?.clone();
        all.into_iter().find(|r| r["register"] == register && r["state"] == state)
    })
    .await
}

async fn is_found(caller: &As, found: bool) {
    let path = format!("/api/v1/queryRecipientParty?identifier={NEW}");
    until(&format!("registered: {found}"), || async {
        let (status, answer) = caller.get(&path).await;
        (status == 200 && answer["isRegistered"] == found).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_enrolment_reaches_sml_and_directory_moves_and_ends() {
    let folder = Folder::new();
    let network = LabNetwork::start(folder.path(), Clock::default()).await.unwrap();
    let (sender, receiver) = (&network.sender, &network.receiver);
    let one = As::fetch(&url(&network.one), &sender.client, &sender.secret).await;
    let two = As::fetch(&url(&network.two), &receiver.client, &receiver.secret).await;
    is_found(&two, false).await;

    enrol(&one, None).await;
    registration(&one, "sml", "done").await;
    registration(&one, "directory", "done").await;
    is_found(&two, true).await;
    let card = until("indexed", || async { network.around.directory.card(NEW) }).await;
    let card = String::from_utf8(card.to_vec()).unwrap();
    for part in [
        "http://www.peppol.eu/schema/pd/businesscard/20180621/",
        "<ParticipantIdentifier scheme=\"iso6523-actorid-upis\">0106:00000001<",
        "<Name>Müller &amp; Söhne</Name>",
        "<Name>M&amp;S</Name>",
        "<CountryCode>NL</CountryCode>",
        "<GeographicalInformation>Main Street 1, Utrecht</GeographicalInformation>",
    ] {
        assert!(card.contains(part), "{part} {card}");
    }

    enrol(&two, None).await;
    let refused = registration(&two, "sml", "failed").await;
    assert!(refused["message"].as_str().unwrap().contains("another SMP"), "{refused}");
    let (_, key) = one.get(&format!("/api/v1/peppol/{NEW}/prepareToMigrate")).await;
    let leaving = registration(&one, "sml", "done").await;
    assert_eq!(leaving["wish"], "leaving");
    enrol(&two, Some(&key["migrationKey"])).await;
    registration(&two, "sml", "done").await;
    let sender_side = one.get(&format!("/api/v1/queryRecipientParty?identifier={NEW}")).await.1;
    assert_eq!(sender_side["isRegistered"], true, "{sender_side}");

    assert_eq!(two.send(two.request(Method::DELETE, ENROL)).await.0, 204);
    is_found(&one, false).await;
    network.stop().await;
}

/// It waits for the operator, and not for the SML.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_the_sml_does_not_take_is_told_as_ours() {
    let play = Play::set().await;
    let leaf = play.around.pki.leaf(LeafRole::Smp, "POP000001", LeafValidity::Expired).unwrap();
    let folder = Folder::new();
    let (certificate, key) = leaf.write(folder.path(), "smp").unwrap();
    let http = with_identity(play.around.call_settings().unwrap(), &certificate, &key).unwrap();
    let url = play.service.parts.config.sml.url.clone().unwrap();
    let id = play.mine.publisher();
    let client = SmlClient::new(http, &url, id, Duration::from_secs(5));
    let list = SmlRequest::List { publisher: id.to_owned(), page: None };
    let trouble = client.call(&list).await.unwrap_err();
    assert!(trouble.is_closed_to_us(), "{trouble}");
    assert!(trouble.to_string().contains("the certificate that we show (CertificateExpired)"));
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_sml_the_state_says_what_is_missing() {
    let stage = Stage::set().await;
    let service = stage.start(stage.config_one()).await;
    let boss = As::fetch(&url(&service), &stage.sender.client, &stage.sender.secret).await;
    let made = enrol(&boss, None).await;
    assert_eq!(made["services"]["peppol"]["isRegistered"], true);
    let sml = registration(&boss, "sml", "blocked").await;
    assert!(sml["message"].as_str().unwrap().starts_with("no SML is set up"), "{sml}");
    assert_eq!(sml["nextOn"], Value::Null, "nothing is tried until there is an SML: {sml}");
    let directory = registration(&boss, "directory", "blocked").await;
    assert!(directory["message"].as_str().unwrap().contains("Directory"), "{directory}");
    let (_, declared) = boss.get(&format!("/api/v1/peppol/config/party/{SENDER}")).await;
    assert_eq!(declared["registrations"][0]["state"], "blocked", "{declared}");
    assert_eq!(declared["participants"][0]["state"], "published", "{declared}");
    service.stop().await;
}
