//! From upload to delivered, end to end: two whole services in one process on loopback, with real
//! TLS, DNS, SMP look-ups and full durability on both sides.
//!
//! Prints, with and without a Message Level Status for each document: documents per second, the
//! processor time of a document (both services and the load together) beside that of its RSA
//! operations alone, measured in the same run, and the time from upload to the sender's webhook,
//! with everything uploaded at once and at 80 % of the rate found. Writes `target/bench/e2e.json`.
//! `QUOIN_BENCH_DOCUMENTS` sets how many documents are sent (default 4000), `QUOIN_BENCH_SECONDS`
//! how long they come at 80 % (default 10), `QUOIN_BENCH_SLOWEST` of how many of the slowest the
//! timeline is printed.

#[path = "gauge/login.rs"]
mod login;
#[path = "gauge/processor.rs"]
mod processor;
#[path = "gauge/setting.rs"]
mod setting;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::RequestedStatuses;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_server::start::{Running, start};
use quoin_store::TaskState;
use quoin_xmldsig::keys::{Decrypter, PrivateKey, PublicKey, Signer};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use login::token;
use processor::processor_time;
use setting::setting;

/// Parties on each side: hooks of one party are called one after the other.
const PARTIES: usize = 16;
/// Uploads in flight.
const UPLOADS: usize = 64;
/// How long the whole run may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// What was found in one run.
struct Found {
    /// Documents a second, everything settled.
    rate: f64,
    /// Seconds of processor time of a document.
    each: f64,
    /// From upload to the event that it was delivered, everything uploaded at once.
    at_once: Vec<Duration>,
    /// The same at 80 % of the rate.
    paced: Vec<Duration>,
    resident: f64,
    /// What a document costs both stores: statements, prepared again, steps, commits.
    counted: [f64; 4],
}

fn main() {
    let count: usize = setting("QUOIN_BENCH_DOCUMENTS", 4000);
    let seconds: usize = setting("QUOIN_BENCH_SECONDS", 10);
    println!("{count} documents, 20 kB, {PARTIES} parties on each side, {UPLOADS} in flight");
    let rsa = rsa_seconds();
    let mut rows = Vec::new();
    for (name, statuses, messages) in
        [("e2e", RequestedStatuses::Unsaid, 1.0), ("e2e-mls", RequestedStatuses::Always, 2.0)]
    {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let folder = std::env::temp_dir().join(format!("quoin-bench-{}", std::process::id()));
        let found = runtime.block_on(run(&folder, (count, seconds), statuses));
        drop(runtime);
        let _ = std::fs::remove_dir_all(&folder);
        rows.extend(told(name, &found, rsa * messages));
    }
    processor::write("e2e", &rows);
}

/// Prints what was found; answers it as rows.
fn told(name: &str, found: &Found, rsa: f64) -> Vec<Value> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as f64;
    let floor = cores / rsa;
    let [p50, p99] = [0.5, 0.99].map(|part| at(&found.at_once, part));
    let [p50_paced, p99_paced] = [0.5, 0.99].map(|part| at(&found.paced, part));
    let [statements, again, steps, commits] = found.counted;
    let rows: [(&str, f64, &str, Option<f64>); 11] = [
        ("rate", found.rate, "documents/s", Some(found.rate / floor)),
        ("processor", found.each * 1000.0, "ms", Some(found.each / rsa)),
        ("p50", p50, "ms", None),
        ("p99", p99, "ms", None),
        ("p50-at-80", p50_paced, "ms", None),
        ("p99-at-80", p99_paced, "ms", None),
        ("memory", found.resident, "MB", None),
        ("statements", statements, "a document", None),
        ("prepared", again, "again", None),
        ("steps", steps, "a document", None),
        ("commits", commits, "a document", None),
    ];
    rows.iter()
        .map(|(what, value, unit, ratio)| {
            let beside = ratio.map_or(String::new(), |ratio| format!("{ratio:>8.2} of RSA alone"));
            println!("{name:<9}{what:<12}{value:>10.1} {unit:<12}{beside}");
            let peer = ratio.map(|_| "rsa-floor");
            let name = format!("{name}-{what}");
            json!({"name": name, "value": value, "unit": unit, "peer": peer, "ratio": ratio})
        })
        .collect()
}

fn at(sorted: &[Duration], part: f64) -> f64 {
    let index = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).map_or(0.0, Duration::as_secs_f64) * 1000.0
}

async fn run(folder: &Path, (count, seconds): (usize, usize), ask: RequestedStatuses) -> Found {
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
    let mut config = one.config(&around, &sender);
    config.provider.ask_for_statuses = ask;
    let service_two = start(two.config(&around, &receiver), clock.clone()).await.expect("two");
    let service_one = start(config, clock).await.expect("one");
    for participant in &receivers {
        around.register(participant, &two.smp_url).expect("registered");
    }
    for (service, smp) in [(&service_one, &one.smp_url), (&service_two, &two.smp_url)] {
        let provider = service.parts.provider.as_ref().expect("a provider");
        for identifier in &provider.identifiers {
            around.register(&identifier.to_string(), smp).expect("registered");
        }
    }
    let http = around.client().expect("a client");
    let token = token(&http, &one.api_url, &sender).await;
    let api = Arc::new(Uploader { http, base: one.api_url.clone(), token, senders, receivers });
    let services = [&service_one, &service_two];
    // A few first, so that connections, certificates and look-ups are warm.
    let warm = PARTIES * 2;
    // Sent and received; with a status each of that was given and arrived.
    let events = if ask == RequestedStatuses::Always { 4 } else { 2 };
    send(&api, 0..warm, None).await;
    settled(&around, warm * events, services).await;
    let work = || services.map(|service| service.parts.store.work_done());
    let (begun, before, stores) = (Instant::now(), processor_time(), work());
    let uploaded = send(&api, warm..warm + count, None).await;
    settled(&around, (warm + count) * events, services).await;
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    let each = (processor_time() - before) / count as f64;
    let resident = resident_mb();
    let mut counted = [0.0; 4];
    for (now, then) in work().iter().zip(&stores) {
        let done = now.since(then);
        let all = [done.statements, done.prepared_again, done.steps, done.commits];
        for (sum, one) in counted.iter_mut().zip(all) {
            *sum += one as f64 / count as f64;
        }
    }
    let at_once = latencies(&around, &uploaded);
    slowest(&around, &service_one, &uploaded).await;
    let pace = rate * 0.8;
    let (first, more) = (warm + count, (pace * seconds as f64) as usize);
    let uploaded = send(&api, first..first + more, Some(pace)).await;
    settled(&around, (first + more) * events, services).await;
    let paced = latencies(&around, &uploaded);
    service_one.stop().await;
    service_two.stop().await;
    Found { rate, each, at_once, paced, resident, counted }
}

struct Uploader {
    http: HttpClient,
    base: String,
    token: HeaderValue,
    senders: Vec<String>,
    receivers: Vec<String>,
}

/// Uploads documents, many at a time, or so many a second; answers when each upload began, by
/// document id.
async fn send(
    api: &Arc<Uploader>,
    numbers: std::ops::Range<usize>,
    pace: Option<f64>,
) -> HashMap<String, jiff::Timestamp> {
    let (senders, receivers) = (&api.senders, &api.receivers);
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = tokio::task::JoinSet::new();
    let (begun, first) = (tokio::time::Instant::now(), numbers.start);
    for number in numbers {
        if let Some(pace) = pace {
            let due = Duration::from_secs_f64((number - first) as f64 / pace);
            tokio::time::sleep_until(begun + due).await;
        }
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

/// Waits until so many events were told, and until nobody has anything in hand any more.
async fn settled(around: &Surroundings, events: usize, services: [&Running; 2]) {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < PATIENCE, "only {} events", around.sink.count());
        tokio::time::sleep(Duration::from_millis(20)).await;
        if around.sink.count() < events {
            continue;
        }
        let mut in_hand = 0;
        for service in services {
            let queue = service.parts.store.queue(jiff::Timestamp::now()).await.expect("a queue");
            let is_now = |state| matches!(state, TaskState::Due | TaskState::Claimed);
            in_hand += queue.iter().filter(|one| is_now(one.state)).count();
        }
        if in_hand == 0 {
            return;
        }
        // The question looks at every task: it is no part of what is measured.
        tokio::time::sleep(Duration::from_millis(250)).await;
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
    let told = around.sink.told();
    let ids: std::collections::HashSet<&str> =
        told.iter().map(|told| told.delivery.as_str()).collect();
    let (all, ids) = (told.len(), ids.len());
    assert_eq!(found.len(), uploads.len(), "each is delivered once: {all} calls of {ids}");
    found.sort_unstable();
    found
}

/// Prints what was told beside arrivals and deliveries, and what became of the slowest documents,
/// where `QUOIN_BENCH_SLOWEST` says of how many.
async fn slowest(
    around: &Surroundings,
    service: &Running,
    uploads: &HashMap<String, jiff::Timestamp>,
) {
    let count = setting("QUOIN_BENCH_SLOWEST", 0);
    if count == 0 {
        return;
    }
    let mut topics: std::collections::BTreeMap<String, usize> = Default::default();
    let mut sent = Vec::new();
    for told in around.sink.told() {
        *topics.entry(told.text("topic").to_owned()).or_default() += 1;
        let document = told.text("documentId").to_owned();
        if told.text("topic") == "InvoiceSent" && uploads.contains_key(&document) {
            sent.push((told.text("createdOn").to_owned(), document));
        }
    }
    println!("{topics:?}");
    sent.sort();
    let store = &service.parts.store;
    for (on, document) in sent.iter().rev().take(count) {
        println!("{document}: uploaded {}, sent {on}", uploads[document]);
        let id = document.parse().expect("an id");
        let owner = "sender".parse().expect("an organisation");
        let found = store.transaction_of(&owner, quoin_delivery::Direction::Outgoing, &id).await;
        let record = found.expect("a store").expect("a document");
        let id = record.transaction.id;
        for line in store.timeline_of(&id).await.expect("a timeline") {
            println!("  {} {} {:?}: {}", line.created_on, line.name, line.code, line.description);
        }
        for attempt in store.attempts_of(&id).await.expect("attempts") {
            println!("  {} to {}: {}", attempt.started_on, attempt.ended_on, attempt.report);
        }
    }
}

/// Seconds that the RSA operations of one message and its receipt take on one core: two signatures,
/// one decryption, one encryption and two verifications.
fn rsa_seconds() -> f64 {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).expect("a key");
    let key = PrivateKey::from_pkcs8(&pair.serialize_der()).expect("a key");
    let public = PublicKey::from_spki(&rcgen::PublicKeyData::subject_public_key_info(&pair));
    let public = public.expect("a key");
    let rounds = 400;
    let before = processor_time();
    for _ in 0..rounds {
        for _ in 0..2 {
            let signature = key.sign_rsa_sha256(b"floor").expect("signed");
            public.verify_rsa_sha256(b"floor", &signature).expect("verified");
        }
        let sealed = public.encrypt_oaep(&[1; 16]).expect("sealed");
        key.decrypt_oaep(&sealed).expect("opened");
    }
    (processor_time() - before) / f64::from(rounds)
}

/// Resident memory of this process, both services and the load together.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}
