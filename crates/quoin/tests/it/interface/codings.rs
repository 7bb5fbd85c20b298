//! Bodies that somebody compressed, and answers of an SMP in other dress than expected (item 28).

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_delivery::Direction;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use serde_json::json;

use crate::stage::{Play, Stage};
use crate::world::world;

const PARTY: &str = "0106:12345678";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn c_28_a_body_of_gzip_is_taken_as_what_is_in_it() {
    let world = world().await;
    let acme = world.acme().await;
    let invoice = "<Invoice>é</Invoice>";
    let packed = |coding: &str, body: Vec<u8>| {
        acme.xml(PARTY, "").header("content-encoding", coding).body(body)
    };
    for coding in ["gzip", "x-gzip", "identity, gzip"] {
        let (status, body) = acme.send(packed(coding, gzip(invoice.as_bytes()))).await;
        assert_eq!(status, 200, "{coding}: {body}");
        let id = body["id"].as_str().unwrap().parse().unwrap();
        let owner = "acme".parse().unwrap();
        let stored = world.store.transaction_of(&owner, Direction::Outgoing, &id).await.unwrap();
        let stored = world.store.document(&stored.unwrap()).await.unwrap().unwrap();
        assert_eq!(stored, invoice);
    }
    let hook = json!({ "id": "z", "action": "https://erp.example.org/", "topics": ["*"] });
    let request = acme.request(reqwest::Method::PUT, "/api/v1/hook");
    let request =
        request.header("content-encoding", "gzip").body(gzip(hook.to_string().as_bytes()));
    assert_eq!(acme.send(request).await.0, 200);
}

#[tokio::test]
async fn c_28_other_codings_and_what_grows_too_large_are_refused() {
    let world = world().await;
    let acme = world.acme().await;
    let packed = |coding: &str, body: Vec<u8>| {
        acme.xml(PARTY, "").header("content-encoding", coding).body(body)
    };
    let large = vec![b' '; usize::try_from(crate::world::REQUEST_BYTES).unwrap() + 1];
    for (coding, body, status, code) in [
        ("br", b"x".to_vec(), 415, "API415"),
        ("gzip, gzip", gzip(&gzip(b"<a/>")), 415, "API415"),
        ("gzip", b"<Invoice/>".to_vec(), 400, "API400"),
        ("gzip", gzip(&large), 500, "API500.TooLarge"),
    ] {
        let (found, body) = acme.send(packed(coding, body)).await;
        assert_eq!((found, &body["code"]), (status, &json!(code)), "{coding}: {body}");
    }
    let (_, list) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice")).await;
    assert_eq!(list["items"], json!([]), "nothing was stored");
}

/// What a server in front of an SMP does to an answer.
#[derive(Clone, Copy)]
enum Dress {
    /// Compresses it, though nobody asked.
    Gzip,
    /// Calls it something else.
    Kind(&'static str),
    /// Leads to a page of maintenance.
    Away,
    /// Shows a page.
    Page,
    /// Says nothing.
    Empty,
}

#[derive(Clone)]
struct Front {
    real: String,
    client: HttpClient,
    dresses: Arc<Mutex<VecDeque<Dress>>>,
}

impl Front {
    /// Puts a server in front of the receiver's SMP, that answers as written and then as the SMP.
    async fn open(stage: &Stage, dresses: &[Dress]) -> OpenDoor {
        let front = Front {
            real: stage.two.smp_url.clone(),
            client: stage.around.client().unwrap(),
            dresses: Arc::new(Mutex::new(dresses.iter().copied().collect())),
        };
        let leaf = stage.around.pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        let address = "127.0.0.1:0".parse().unwrap();
        let door = Door { name: "front", address, tls: Some(tls), limits: DoorLimits::default() };
        let routes = Router::new().fallback(dressed).with_state(front);
        door.open(routes, Shutdown::default()).await.unwrap()
    }
}

async fn dressed(State(front): State<Front>, OriginalUri(uri): OriginalUri) -> Response {
    let url = format!("{}{uri}", front.real);
    let real =
        front.client.call(HttpCall::get(&url, Duration::from_secs(20), 1 << 20)).await.unwrap();
    let status = StatusCode::from_u16(real.status).unwrap();
    let headers =
        |kind: &'static str| HeaderMap::from_iter([(header::CONTENT_TYPE, kind.parse().unwrap())]);
    let dress = front.dresses.lock().unwrap().pop_front();
    match dress {
        None => (status, headers("text/xml"), real.body).into_response(),
        Some(Dress::Kind(kind)) => (status, headers(kind), real.body).into_response(),
        Some(Dress::Gzip) => {
            let mut headers = headers("text/xml");
            headers.insert(header::CONTENT_ENCODING, "gzip".parse().unwrap());
            (status, headers, gzip(&real.body)).into_response()
        }
        Some(Dress::Away) => {
            (StatusCode::FOUND, [(header::LOCATION, "https://down.example/")]).into_response()
        }
        Some(Dress::Page) => (headers("text/html"), "<p>We are back in an hour.").into_response(),
        Some(Dress::Empty) => (headers("text/xml"), Bytes::new()).into_response(),
    }
}

async fn play(dresses: &[Dress]) -> (Play, OpenDoor) {
    let stage = Stage::set().await;
    let front = Front::open(&stage, dresses).await;
    let play = stage.play().await;
    play.stage.register(RECEIVER, &front.url());
    (play, front)
}

#[tokio::test(flavor = "multi_thread")]
async fn c_28_an_answer_of_an_smp_counts_whatever_its_server_made_of_it() {
    for dress in [Dress::Gzip, Dress::Kind("text/plain"), Dress::Kind("application/octet-stream")] {
        let (play, _front) = play(&[dress]).await;
        let id = play.send("DRESSED").await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_28_a_page_of_maintenance_is_asked_again_and_not_final() {
    for dress in [Dress::Away, Dress::Page, Dress::Empty] {
        let (play, _front) = play(&[dress]).await;
        let id = play.send("LATER").await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        assert_eq!(play.times(&id, "InvoiceSentRetry"), 1);
    }
    assert_ne!(SENDER, RECEIVER);
}

#[tokio::test]
async fn c_28_a_capability_that_publishes_nothing_says_so() {
    let world = world().await;
    let acme = world.client("acme-boss", "boss-secret").await;
    let (_, config) = acme.get(&format!("/api/v1/peppol/config/party/{PARTY}")).await;
    let said = config["capabilities"]["invoice_bisv2"]["description"].as_str().unwrap();
    assert_eq!(said.matches("(not published: the network takes no new").count(), 3, "{said}");
}
