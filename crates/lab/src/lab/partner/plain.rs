//! Networks that take a document alone: that of DICO, and the collaboration platform. What they ask
//! for is what the channels assume; the acts have them behave otherwise.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::{PartnerAct, PartnerNetworks, PartnerPost, broken};

/// The network of DICO: the application and the environment stand in the address, the key in a
/// header.
pub(super) async fn dico(
    State(networks): State<PartnerNetworks>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let told = |name: &str| query.get(name).cloned().unwrap_or_default();
    let gln = |element: &str| {
        let parsed = quoin_formats::read(&body);
        let found = parsed.root().and_then(|root| {
            let party = root.elements().find(|child| child.local() == element)?;
            party.elements().find(|child| child.local() == "GLN")
        });
        found.map(|found| found.text().trim().to_owned()).unwrap_or_default()
    };
    let root = quoin_formats::read(&body);
    let namespace = root.root().map(|root| root.namespace().to_owned()).unwrap_or_default();
    let mut post = post_of("dico", &headers, &body, (gln("Supplier"), gln("Buyer")));
    post.mode = told("mode");
    let problem = match () {
        () if !namespace.starts_with("http://www.ketenstandaard.nl/") => {
            "this is no message of DICO"
        }
        () if told("applicationId") != "quoin-lab" => "the application is unknown",
        () => "",
    };
    answered(&networks, post, &["authorization", "x-api-key"], problem).await
}

/// The collaboration platform: sender, receiver and what is to be done stand in headers.
pub(super) async fn collaboration(
    State(networks): State<PartnerNetworks>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (from, to) = (header(&headers, "x-sender-id"), header(&headers, "x-receiver-id"));
    let problem = match from.is_empty() || to.is_empty() {
        true => "sender or receiver is missing",
        false => "",
    };
    let mut post = post_of("collaboration", &headers, &body, (from, to));
    post.mode = header(&headers, "x-send-instruction");
    answered(&networks, post, &["authorization"], problem).await
}

fn header(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

fn post_of(
    network: &'static str,
    headers: &HeaderMap,
    body: &Bytes,
    ends: (String, String),
) -> PartnerPost {
    PartnerPost {
        network,
        id: header(headers, "x-message-id"),
        ends,
        mode: String::new(),
        files: 0,
        problem: String::new(),
        taken: false,
        headers: headers.clone(),
        body: body.clone(),
    }
}

/// Judges a document, remembers it, and answers.
async fn answered(
    networks: &PartnerNetworks,
    mut post: PartnerPost,
    keys: &[&str],
    problem: &str,
) -> Response {
    let act = networks.act().await;
    let secret = networks.secret();
    let given = keys.iter().map(|name| header(&post.headers, name));
    let is_known = given.map(|key| key.trim_start_matches("Bearer ").to_owned());
    let is_known = is_known.filter(|key| *key == secret).count() == 1;
    let (status, reason) = match (&act, is_known) {
        (PartnerAct::Http(status), _) => (*status, String::new()),
        (PartnerAct::Status(status, why), _) => (*status, (*why).to_owned()),
        (PartnerAct::Echo, _) => (400, format!("no: {secret}")),
        (_, false) => (401, "who are you".to_owned()),
        (_, true) if !problem.is_empty() => (400, problem.to_owned()),
        (_, true) if post.id.is_empty() => (400, "the id is missing".to_owned()),
        _ => (200, String::new()),
    };
    reason.clone_into(&mut post.problem);
    let rejects = matches!(act, PartnerAct::Rejects(_));
    post.taken = (200..300).contains(&status) && !rejects;
    let id = format!("answer-{}", post.id);
    networks.remember(post, &act).await;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    match act {
        PartnerAct::Lost => broken(),
        PartnerAct::Garbage => "<html>welcome</html>".into_response(),
        PartnerAct::Rejects(why) => {
            Json(json!({ "id": id, "status": "rejected", "reason": why })).into_response()
        }
        _ if status.is_success() => {
            (status, Json(json!({ "id": id, "status": "accepted" }))).into_response()
        }
        _ => (status, Json(json!({ "reason": reason }))).into_response(),
    }
}
