//! The Directory asks back at our SMP, so it hears of a business card once the SML leads there.

use jiff::SignedDuration;
use quoin_lab::lab::locator::Mishap;
use quoin_peppol::sml::soap::{FaultKind, SmlFault, SmlOperation};
use reqwest::Method;
use serde_json::{Value, json};

use crate::sml::Play;
use crate::stage::until;

async fn registration(play: &Play, id: &str, register: &str) -> Option<Value> {
    let (_, config) = play.boss.get(&format!("/api/v1/peppol/config/party/{id}")).await;
    let all = config["registrations"].as_array()?.clone();
    all.into_iter().find(|one| one["register"] == register)
}

/// The SML does not take the name, since this installation lacks something: that is not the end.
#[tokio::test(flavor = "multi_thread")]
async fn it_is_told_of_nobody_whom_the_sml_does_not_lead_to() {
    let play = Play::set().await;
    let id = "0106:00000001";
    let text = "[ERR-100] gone".to_owned();
    let fault = SmlFault { kind: FaultKind::NotFound, text };
    play.around.locator.plan(Some(SmlOperation::Create), Mishap::Fault(fault));
    let body = json!({
        "services": { "peppol": {
            "capabilities": { "invoices": "on" },
            "businessCard": { "names": "New BV", "geoInfo": "Utrecht, NL" },
            "verification": { "notes": "Contract" },
        } },
        "partyAuthorizations": [{ "userId": "alice", "permissions": {} }],
    });
    let path = format!("/api/v1-beta/{id}/enroll");
    assert_eq!(play.boss.json(Method::PUT, &path, body).await.0, 200);
    play.registration(id, &["blocked"]).await;
    let waits = until("the Directory's turn came several times", async || {
        let shown = registration(&play, id, "directory").await?;
        (shown["state"] == "done" || shown["attempts"].as_u64() > Some(3)).then_some(shown)
    })
    .await;
    assert_eq!(waits["state"], "retrying", "{waits}");
    assert!(waits["message"].as_str().unwrap().contains("leads to our SMP"), "{waits}");
    assert!(play.around.directory.card(id).is_none());

    play.clock.advance(SignedDuration::from_mins(16));
    play.registration(id, &["done"]).await;
    until("the card is there", async || play.around.directory.card(id)).await;
    let told = registration(&play, id, "directory").await.unwrap();
    assert_eq!(told["state"], "done", "{told}");
    play.end().await;
}
