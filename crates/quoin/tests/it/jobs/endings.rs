//! What a preview learns from the network, and how parties and jobs end.

use quoin_peppol::sml::soap::SmlOperation;
use serde_json::{Value, json};

use super::{Play, common, id, items, post, reached};
use quoin_lab::lab::network::SENDER;

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_asks_the_network_knows_who_is_elsewhere() {
    let play = Play::set().await;
    play.elsewhere(&[&id(3)]).await;
    let (service, boss) = play.start().await;
    let parties: Vec<String> = (1..=4).map(id).collect();
    let lines: Vec<Value> = parties
        .iter()
        .map(|id| json!({ "id": id, "migration": { "key": "aB3$xY7#mQ9!" } }))
        .collect();
    let enrol = json!({ "kind": "enrol", "parties": parties, "common": common() });
    let job = reached(&boss, &post(&boss, enrol.clone()).await, "planned").await;
    assert_eq!(job["counts"], json!({ "planned": 4 }), "nobody outside was asked");
    let asking = |mut body: Value| {
        body["askNetwork"] = json!(true);
        body
    };
    let job = reached(&boss, &post(&boss, asking(enrol)).await, "planned").await;
    assert_eq!(job["counts"], json!({ "planned": 3, "refused": 1 }), "{job}");
    let refused = items(&boss, &job, "refused").await;
    assert_eq!((&refused[0]["id"], &refused[0]["code"]), (&json!(id(3)), &json!("sml")));
    let said = refused[0]["message"].as_str().unwrap();
    // The other SMP was asked as well, and nobody listens there.
    assert!(said.contains("migrateIn") && said.contains("could not be asked"), "{said}");

    // A name that leads nowhere, one that leads elsewhere, and one that leads here.
    let body = json!({ "kind": "migrateIn", "parties": lines, "common": common() });
    let job = reached(&boss, &post(&boss, asking(body)).await, "planned").await;
    assert_eq!(job["counts"], json!({ "planned": 1, "refused": 3 }), "{job}");
    assert_eq!(items(&boss, &job, "planned").await[0]["id"], json!(id(3)));
    let off = json!({ "orders": "off" });
    let here = json!({ "kind": "capabilities", "capabilities": off, "parties": [SENDER] });
    let job = reached(&boss, &post(&boss, asking(here)).await, "planned").await;
    assert_eq!(job["counts"], json!({ "planned": 1 }), "{job}");
    assert_eq!(job["reasons"], json!([]), "its name leads here");
    assert!(play.around.locator.log().len() < 10, "the SML itself was not asked");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_withdrawn_and_the_end_of_each_job_is_an_event() {
    let play = Play::set().await;
    let (service, boss) = play.start().await;
    let parties: Vec<String> = (1..=120).map(id).collect();
    let enrol = json!({ "kind": "enrol", "parties": parties, "common": common(), "start": true });
    let enrolled = reached(&boss, &post(&boss, enrol).await, "finished").await;
    assert_eq!(enrolled["counts"], json!({ "done": 120 }), "{enrolled}");
    let before = play.around.locator.participants();

    let body = json!({ "kind": "withdraw", "parties": parties, "start": true });
    let withdrawn = reached(&boss, &post(&boss, body).await, "finished").await;
    assert_eq!(withdrawn["counts"], json!({ "done": 120 }), "{withdrawn}");
    assert_eq!(play.around.locator.participants(), before - 120, "the SML let go of them");
    let log = play.around.locator.log();
    let deleted = log.iter().filter(|asked| matches!(asked, SmlOperation::DeleteList));
    assert!((1..20).contains(&deleted.count()), "a hundred in a call");
    let path = format!("/api/v1/peppol/config/party/{}", id(7));
    assert_eq!(boss.get(&path).await.1["isRegistered"], false);
    let services = service.parts.store.services_of(&id(7)).await.unwrap();
    assert_eq!(services[..], []);

    let (_, feed) = boss.get("/api/v1/events?topic=JobEnded").await;
    let told: Vec<&Value> = feed["items"].as_array().unwrap().iter().collect();
    assert_eq!(told.len(), 2, "{feed}");
    for (event, job) in told.into_iter().zip([&enrolled, &withdrawn]) {
        assert_eq!(event["details"]["jobId"], job["id"], "{event}");
        // It is about the organisation: it has no party, and no document.
        assert!(event.get("partyId").is_none() && event.get("documentId").is_none(), "{event}");
        assert_eq!(
            (&event["details"]["state"], &event["details"]["done"]),
            (&json!("finished"), &json!("120"))
        );
        assert!(event["message"].as_str().unwrap().contains("120 done"), "{event}");
    }
    service.stop().await;
}
