//! A receipt is never signed for a document that is not stored (PE-3).

use quoin_delivery::EventId;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_server::start::Running;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use crate::receiving::Scene;
use crate::stage::forger::Forger;
use crate::stage::until;

/// The party of the world.
const OWN: &str = "0106:12345678";

fn invoice(number: &str) -> String {
    quoin_formats::samples::invoice(SENDER, RECEIVER, number)
}

/// The events that tell whoever runs a service of something, by code.
pub async fn alarms(service: &Running, code: &str) -> Vec<quoin_store::EventRecord> {
    let provider = service.parts.provider.as_ref().unwrap().organisation.clone();
    let events = service.parts.store.events_since(&provider, EventId(0), 1_000).await.unwrap();
    let is = |event: &quoin_store::EventRecord| {
        event.topic.as_str() == "ServiceAlarm" && event.details["code"] == code
    };
    events.into_iter().filter(is).collect()
}

/// An id that a caller gives names one document of its organisation: what is handed in under the id
/// of one that was sent is refused, and the other way round.
#[tokio::test]
async fn an_id_names_one_document_whichever_way_it_goes() {
    let world = crate::world::world().await;
    let erp = world.acme().await;
    let handed_in = async |id: &str, document: &str| {
        let request = erp.request(Method::POST, &format!("/api/v1/{OWN}/generic/receive"));
        let request = request.header("content-type", "application/xml");
        erp.send(request.header("x-service-documentid", id).body(document.to_owned())).await
    };
    let sent = async |id: &str, document: &str| {
        erp.send(erp.xml(OWN, document).header("x-service-documentid", id)).await
    };
    let own = quoin_formats::samples::invoice(OWN, RECEIVER, "O-1");
    let theirs = quoin_formats::samples::invoice(RECEIVER, OWN, "T-1");
    let [first, second] = [(), ()].map(|()| Uuid::new_v4().to_string());
    assert_eq!(sent(&first, &own).await.0, 200);
    assert_eq!(handed_in(&second, &theirs).await.0, 200);
    for document in [&own, &theirs] {
        for (status, taken) in [handed_in(&first, document).await, sent(&second, document).await] {
            assert_eq!((status, &taken["code"]), (409, &json!("API409")), "{taken}");
        }
    }
    let (_, taken) = sent(&second, &theirs).await;
    assert_eq!((&taken["id"], &taken["sameContent"]), (&json!(second), &json!(false)));
    // Each is what it was, and a repeat of it is one.
    let (status, again) = sent(&first, &own).await;
    assert_eq!((status, &again["sameContent"]), (409, &json!(true)), "{again}");
    assert_eq!(handed_in(&second, &theirs).await.0, 409);
    for (id, way) in [(&first, "salesInvoice"), (&second, "purchaseInvoice")] {
        let path = format!("/api/v1/{OWN}/{way}/{id}/status");
        assert_eq!(erp.get(&path).await.0, 200, "{path}");
    }
    let path = format!("/api/v1/{OWN}/generic/{second}");
    assert_eq!(erp.send(erp.request(Method::DELETE, &path)).await.0, 204);
    assert_eq!(erp.get(&format!("/api/v1/{OWN}/generic/{second}/status")).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_3_another_document_under_a_known_envelope_id_is_refused_and_told() {
    let scene = Scene::set().await;
    let instance = Uuid::new_v4().to_string();
    let first = scene.forger.draft_of(&invoice("F-1"), &instance);
    scene.deliver(&first).await;
    // Another document, under a message id of its own.
    let other = scene.forger.draft_of(&invoice("F-2"), &instance);
    let sent = scene.forger.seal(&other);
    scene.refuses(&sent, "EBMS:0003", "another document was received before").await;
    // The same through another access point.
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000009", LeafValidity::Current).unwrap();
    let elsewhere = Forger::as_leaf(&scene.stage, &leaf);
    let third = elsewhere.seal(&elsewhere.draft_of(&invoice("F-3"), &instance));
    let errors = elsewhere.refused(&third, &scene.two.parts.trust).await;
    assert_eq!(errors[0].code, "EBMS:0003", "{errors:?}");
    // The same document goes on getting its receipt, as some access points repeat under new ids.
    scene.deliver(&scene.forger.draft_of(&invoice("F-1"), &instance)).await;
    scene.deliver(&first).await;
    assert_eq!(scene.arrived().await.len(), 1);
    let told = until("both are told", async || {
        let told = alarms(&scene.two, "instance-reused").await;
        (told.len() == 2).then_some(told)
    })
    .await;
    assert!(told[0].message.contains("POP000001"), "{told:?}");
    assert_eq!(told[0].details["instanceIdentifier"], instance);
    assert_eq!(told[1].details["accessPoint"], "POP000009");
}
