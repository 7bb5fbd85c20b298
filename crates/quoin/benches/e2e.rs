//! From upload to delivered, end to end: two whole services in one process on loopback, with real
//! TLS, DNS, SMP look-ups and full durability on both sides.
//!
//! Prints documents per second and the time from upload to the sender's webhook, against the floor
//! that RSA alone sets on this machine, measured in the same run. Writes `target/bench/e2e.json`.
//! `QUOIN_BENCH_DOCUMENTS` sets how many documents are sent (default 4000).

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_server::start::start;
use quoin_xmldsig::keys::{Decrypter, PrivateKey, PublicKey, Signer};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// Parties on each side: hooks of one party are called one after the other.
const PARTIES: usize = 16;
/// Uploads in flight.
const UPLOADS: usize = 64;
/// How long the whole run may take.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() {
    let count = std::env::var("QUOIN_BENCH_DOCUMENTS").ok().and_then(|n| n.parse().ok());
    let count: usize = count.unwrap_or(4000);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-bench-{}", std::process::id()));
    let (rate, mut latencies) = runtime.block_on(run(&folder, count));
    let _ = std::fs::remove_dir_all(&folder);
    latencies.sort_unstable();
    let at = |part: f64| {
        let index = ((latencies.len() as f64 * part) as usize).min(latencies.len() - 1);
        latencies[index].as_secs_f64() * 1000.0
    };
    let floor = rsa_floor();
    println!("{count} documents, 20 kB, {PARTIES} parties on each side, {UPLOADS} in flight");
    println!("{:<42}{:>10.0} documents/s", "end to end, upload to both webhooks", rate);
    println!("{:<42}{:>10.0} documents/s", "floor: RSA of both corners on all cores", floor);
    println!("{:<42}{:>10.2}", "ratio to the floor", rate / floor);
    println!("{:<42}{:>10.1} ms", "upload to InvoiceSent, median", at(0.5));
    println!("{:<42}{:>10.1} ms", "upload to InvoiceSent, p99", at(0.99));
    println!("{:<42}{:>10.0} MB", "resident memory at the end", resident_mb());
    write(&[
        json!({"name": "e2e", "value": rate, "unit": "documents/s", "peer": "rsa-floor", "ratio": rate / floor}),
        json!({"name": "e2e-p50", "value": at(0.5), "unit": "ms", "peer": null, "ratio": null}),
        json!({"name": "e2e-p99", "value": at(0.99), "unit": "ms", "peer": null, "ratio": null}),
        json!({"name": "e2e-memory", "value": resident_mb(), "unit": "MB", "peer": null, "ratio": null}),
    ]);
}

async fn run(folder: &Path, count: usize) -> (f64, Vec<Duration>) {
    let clock = Clock::default();
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let participants = |first: usize| -> Vec<String> {
        (0..PARTIES).map(|n| format!("0106:{}", first + n)).collect()
    };
    let (senders, receivers) = (participants(10_000_000), participants(20_000_000));
    let customer = |name, ids: &[String]| {
        Customer::new(name, &ids.iter().map(String::as_str).collect::<Vec<_>>()).expect("customer")
    };
    let (sender, receiver) = (customer("sender", &senders), customer("receiver", &receivers));
    let service_two = start(two.config(&around, &receiver), clock.clone()).await.expect("two");
    let service_one = start(one.config(&around, &sender), clock).await.expect("one");
    for participant in &receivers {
        around.register(participant, &two.smp_url).expect("registered");
    }
    let http = around.client().expect("a client");
    let token = token(&http, &one.api_url, &sender).await;
    let api = Arc::new(Uploader { http, base: one.api_url.clone(), token });
    // A few first, so that connections, certificates and look-ups are warm.
    send(&api, &senders, &receivers, 0..PARTIES * 2).await;
    wait(&around, PARTIES * 4).await;
    let begun = Instant::now();
    let uploaded = send(&api, &senders, &receivers, PARTIES * 2..PARTIES * 2 + count).await;
    wait(&around, (PARTIES * 2 + count) * 2).await;
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    let latencies = latencies(&around, &uploaded);
    service_one.stop().await;
    service_two.stop().await;
    (rate, latencies)
}

struct Uploader {
    http: HttpClient,
    base: String,
    token: HeaderValue,
}

/// Uploads documents, many at a time; answers when each upload began, by document id.
async fn send(
    api: &Arc<Uploader>,
    senders: &[String],
    receivers: &[String],
    numbers: std::ops::Range<usize>,
) -> HashMap<String, jiff::Timestamp> {
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = tokio::task::JoinSet::new();
    for number in numbers {
        let place = places.clone().acquire_owned().await.expect("open");
        let (sender, receiver) = (senders[number % PARTIES].clone(), &receivers[number % PARTIES]);
        let kind = quoin_formats::samples::SampleKind::Invoice;
        let name = format!("BENCH-{number}");
        let invoice = quoin_formats::samples::document(kind, &sender, receiver, &name, 16);
        let api = api.clone();
        uploads.spawn(async move {
            let began = jiff::Timestamp::now();
            let document = uuid::Uuid::new_v4().to_string();
            let url = format!("{}/api/v1/{sender}/salesInvoice/send", api.base);
            let id = HeaderName::from_static("x-service-documentid");
            let call = HttpCall {
                method: Method::POST,
                headers: vec![
                    (AUTHORIZATION, api.token.clone()),
                    (CONTENT_TYPE, HeaderValue::from_static("application/xml")),
                    (id, HeaderValue::from_str(&document).expect("a header")),
                ],
                body: Some(Bytes::from(invoice)),
                ..HttpCall::get(&url, Duration::from_secs(60), 1 << 20)
            };
            let answer = api.http.call(call).await.expect("an answer");
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            drop(place);
            (document, began)
        });
    }
    uploads.join_all().await.into_iter().collect()
}

async fn token(http: &HttpClient, base: &str, customer: &Customer) -> HeaderValue {
    let form = format!(
        "grant_type=client_credentials&scope=ap&client_id={}&client_secret={}",
        customer.client, customer.secret
    );
    let url = format!("{base}/connect/token");
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    let call = HttpCall {
        method: Method::POST,
        headers: vec![(CONTENT_TYPE, kind)],
        body: Some(Bytes::from(form)),
        ..HttpCall::get(&url, Duration::from_secs(10), 1 << 20)
    };
    let answer = http.call(call).await.expect("an answer");
    let json: Value = serde_json::from_slice(&answer.body).expect("json");
    let token = json["access_token"].as_str().expect("a token");
    HeaderValue::from_str(&format!("Bearer {token}")).expect("a header")
}

/// Waits until so many events were told.
async fn wait(around: &Surroundings, events: usize) {
    let begun = Instant::now();
    while around.sink.count() < events {
        assert!(begun.elapsed() < PATIENCE, "only {} events", around.sink.count());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// From the beginning of an upload to the event that it was delivered.
fn latencies(around: &Surroundings, uploads: &HashMap<String, jiff::Timestamp>) -> Vec<Duration> {
    let mut found = Vec::new();
    for told in around.sink.told().iter().filter(|told| told.text("topic") == "InvoiceSent") {
        assert!(told.signed);
        let Some(began) = uploads.get(told.text("documentId")) else { continue };
        let sent: jiff::Timestamp = told.text("createdOn").parse().expect("a time");
        found.push(Duration::try_from(sent.duration_since(*began)).unwrap_or_default());
    }
    assert_eq!(found.len(), uploads.len(), "each document is delivered once");
    found
}

/// Documents per second if nothing but the RSA operations of both corners were done: two
/// signatures, one decryption, one encryption and two verifications, on all cores.
fn rsa_floor() -> f64 {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).expect("a key");
    let key = PrivateKey::from_pkcs8(&pair.serialize_der()).expect("a key");
    let public = PublicKey::from_spki(&rcgen::PublicKeyData::subject_public_key_info(&pair));
    let public = public.expect("a key");
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let rounds = 400;
    let begun = Instant::now();
    for _ in 0..rounds {
        for _ in 0..2 {
            let signature = key.sign_rsa_sha256(b"floor").expect("signed");
            public.verify_rsa_sha256(b"floor", &signature).expect("verified");
        }
        let sealed = public.encrypt_oaep(&[1; 16]).expect("sealed");
        key.decrypt_oaep(&sealed).expect("opened");
    }
    f64::from(rounds) / begun.elapsed().as_secs_f64() * cores as f64
}

/// Resident memory of this process, both services and the load together.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}

fn write(rows: &[Value]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    let text = serde_json::to_string_pretty(rows).expect("json");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("e2e.json"), text).expect("written");
}
