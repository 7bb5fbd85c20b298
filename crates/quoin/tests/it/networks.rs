//! Other networks in the running service: documents that leave to them in their form, against
//! counterparts of the lab, and everything that can go wrong between.

mod accounts;
mod as_it_is;
mod collaboration;
mod cxml;
mod dico;
mod inbound;
mod kill;
mod reached;

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::partner::PartnerNetworks;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::caller::{Answered, Caller};
use crate::stage::{Play, Stage, until};

/// Services with the other networks beside them. The sender tries again and again, and waits two
/// seconds for an answer.
async fn play() -> Play {
    let stage = Stage::set().await;
    let differ = |one: &mut quoin_access_point::config::Config, _: &mut _| {
        one.retry.delivery_seconds = vec![0.2; 150];
        one.limits.hook_timeout_seconds = 2;
    };
    stage.play_with(differ).await
}

fn partner(play: &Play) -> &PartnerNetworks {
    &play.stage.around.partner
}

/// The action of a hook of procurement network 1, with its secret.
fn cxml(play: &Play, more: &str) -> String {
    let around = &play.stage.around;
    format!(
        "cxml://{}/cxml?from=NetworkID:AN-S&to=NetworkID:AN-B{more}#{}",
        around.partner_host, around.partner_secret
    )
}

/// Asks for the hook `net`.
async fn ask(caller: &Caller, action: &str, init: Value) -> Answered {
    let hook = json!({ "id": "net", "action": action, "topics": ["Send*"], "init": init });
    let headers = [("content-type", "application/json")];
    caller.call(Method::PUT, "/api/v1/hook", &headers, Some(hook.to_string())).await.unwrap()
}

/// Registers the hook `net`; the answer.
async fn put(caller: &Caller, action: &str) -> Value {
    let answer = ask(caller, action, json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

/// Uploads a document for the hook.
async fn send(play: &Play, document: &str) -> String {
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=net");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.to_owned());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

fn invoice(number: &str) -> String {
    samples::invoice(SENDER, RECEIVER, number)
}

/// The same document with the GLN of its first party and of its second, by which DICO knows them.
pub fn with_numbers(document: &str) -> String {
    const NAME: &str = "<cac:PartyName>";
    let party = |text: &str, gln: &str, from: usize| {
        let id = format!(
            "<cac:PartyIdentification><cbc:ID schemeID=\"0088\">{gln}</cbc:ID>\
             </cac:PartyIdentification>"
        );
        let at = text[from..].find(NAME).unwrap() + from;
        (format!("{}{id}{}", &text[..at], &text[at..]), at + id.len() + NAME.len())
    };
    let (document, after) = party(document, "8712345000004", 0);
    party(&document, "8712345000011", after).0
}

/// The code and the report of the first attempt, as soon as it was made.
async fn first_attempt(play: &Play, id: &str) -> (String, Value) {
    let attempt = until("an attempt", async || play.attempts(id).await.into_iter().next()).await;
    (attempt.code.unwrap_or_default(), attempt.report["partner"].clone())
}

/// Everything that the service tells and keeps of a document: events, attempts, dossier.
async fn everything_told(play: &Play, id: &str) -> String {
    let sender = play.sender().await;
    let dossier = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier")).await;
    assert_eq!(dossier.status, 200, "{}", dossier.json);
    let entries = quoin_access_point::dossier::unzip(&dossier.body).unwrap();
    let files: String = entries.values().map(|file| String::from_utf8_lossy(file)).collect();
    let events = sender.get("/api/v1/events?limit=500").await.json;
    let hooks = sender.get("/api/v1/hook").await.json;
    let attempts = format!("{:?}", play.attempts(id).await);
    format!("{files}{events}{hooks}{attempts}")
}
