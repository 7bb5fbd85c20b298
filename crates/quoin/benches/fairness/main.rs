//! Whether somebody's backlog delays others: how long documents of one organisation take from
//! upload to `InvoiceSent` at an even rate, alone and beside another organisation that
//!
//! - has 5,000 documents for an access point that takes connections and never answers,
//! - uploads 5,000 documents at once, to an access point that takes them,
//! - has as many for an access point that takes its time, which is where the others send to.
//!
//! Two whole services as processes of their own, on loopback. Writes
//! `target/bench/fairness.json`. `QUOIN_BENCH_DOCUMENTS` sets the length of the backlog (default
//! 5,000), `QUOIN_BENCH_SECONDS` how long the others are watched (default 60), `QUOIN_BENCH_RATE`
//! their documents a second beside the silent access point (default 10).

#[path = "../siege/caller.rs"]
mod caller;
#[path = "../../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "../gauge/processor.rs"]
#[allow(dead_code, reason = "shared with other benches")]
mod processor;
#[path = "../gauge/setting.rs"]
mod setting;
#[path = "../gauge/silent.rs"]
mod silent;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use caller::Caller;
use jiff::Timestamp;
use process::Service;
use quoin_access_point::clock::Clock;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use serde_json::json;
use setting::setting;
use silent::silent_socket;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Parties of the receiving side that answer, and the one whose access point never does.
const RECEIVER: &str = "0106:20000001";
const SILENT: &str = "0106:30000001";
/// The one whose access point takes its time, and how long it waits with each piece of an answer.
const SLOW: &str = "0106:20000002";
const DELAY: Duration = Duration::from_millis(300);
/// Uploads in flight of the one with a backlog.
const UPLOADS: usize = 32;
/// How much more the others may wait, at the 99th percentile.
const GOAL: f64 = 1.2;
const PATIENCE: Duration = Duration::from_secs(600);

struct Scene {
    around: Surroundings,
    one: Service,
    _two: Service,
    steady: Customer,
    hog: Customer,
}

fn main() {
    let backlog = setting("QUOIN_BENCH_DOCUMENTS", 5_000);
    let seconds = setting("QUOIN_BENCH_SECONDS", 60);
    let rate = setting("QUOIN_BENCH_RATE", 10);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-fairness-{}", std::process::id()));
    let rows = runtime.block_on(run(&folder, backlog, seconds, rate));
    runtime.shutdown_background();
    let _ = std::fs::remove_dir_all(&folder);
    let held = rows.iter().all(|row| row["ratio"].as_f64().is_none_or(|ratio| ratio <= GOAL));
    processor::write("fairness", &rows);
    std::process::exit(i32::from(!held));
}

async fn run(folder: &Path, backlog: u64, seconds: u64, rate: u64) -> Vec<serde_json::Value> {
    let scene = set(folder).await;
    let http = scene.around.client().expect("a client");
    let steady = caller::caller(&http, &scene.one.api_url, &scene.steady).await;
    let hog = caller::caller(&http, &scene.one.api_url, &scene.hog).await;
    let mut rows = Vec::new();
    for receiver in [RECEIVER, SLOW] {
        watched(&scene, (&steady, receiver), rate, Until::seconds(5)).await;
    }
    let scenes = [
        ("beside a silent access point", rate, RECEIVER, SILENT, true),
        ("beside a burst", 1, RECEIVER, RECEIVER, false),
        ("beside a backlog at a slow access point", 1, SLOW, SLOW, true),
    ];
    for (name, rate, to, busy, queued) in scenes {
        let steady = (&steady, to);
        let alone = watched(&scene, steady, rate, Until::seconds(seconds)).await;
        let uploads = upload(&hog, &scene.hog, busy, backlog);
        let beside = if queued {
            // All of it is there, and found that its destination has no place for it.
            let ids = uploads.await;
            println!("{} documents wait for {busy}", ids.len() - scene.sent(&ids));
            tokio::time::sleep(Duration::from_secs(5)).await;
            watched(&scene, steady, rate, Until::seconds(seconds)).await
        } else {
            let watching = watched(&scene, steady, rate, Until::seconds(seconds));
            let (ids, beside) = tokio::join!(uploads, watching);
            println!("{} of the burst are sent meanwhile", scene.sent(&ids));
            beside
        };
        rows.push(told(name, &alone, &beside));
    }
    rows
}

/// Prints both; the ratio is that of the 99th percentiles.
fn told(name: &str, alone: &[Duration], beside: &[Duration]) -> serde_json::Value {
    let at = |times: &[Duration], part: f64| {
        let at = ((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1));
        times.get(at).map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    let (before, value) = (at(alone, 0.99), at(beside, 0.99));
    let ratio = value / before;
    println!("{name}: upload to InvoiceSent of the others");
    for (what, times) in [("alone", alone), ("beside it", beside)] {
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|part| at(times, part));
        println!(
            "  {what:<10}{:>6} documents: median {p50:.1}, p99 {p99:.1}, longest {most:.1} ms",
            times.len()
        );
    }
    let held = if ratio <= GOAL { "" } else { ": NOT HELD" };
    println!("  p99 {ratio:.2} times, goal {GOAL}{held}");
    json!({"name": name, "value": value, "unit": "ms", "peer": before, "ratio": ratio})
}

/// How long somebody is watched.
struct Until(Duration);

impl Until {
    fn seconds(seconds: u64) -> Until {
        Until(Duration::from_secs(seconds))
    }
}

/// Uploads at an even rate, and waits until all is sent; answers how long each took, in order.
async fn watched(
    scene: &Scene,
    (caller, receiver): (&Caller, &'static str),
    rate: u64,
    until: Until,
) -> Vec<Duration> {
    let begun = tokio::time::Instant::now();
    let mut uploads = JoinSet::new();
    for number in 0..until.0.as_secs() * rate {
        tokio::time::sleep_until(begun + Duration::from_micros(number * 1_000_000 / rate)).await;
        uploads.spawn(one(caller.clone(), scene.steady.participants[0].clone(), receiver));
    }
    let mut answered = Vec::new();
    let mut began = HashMap::new();
    for (id, start, took) in uploads.join_all().await {
        answered.push(took);
        began.insert(id, start);
    }
    answered.sort_unstable();
    let median = answered.get(answered.len() / 2).copied().unwrap_or_default();
    println!("    uploads are answered within {:.1} ms (median)", median.as_secs_f64() * 1000.0);
    let waited = Instant::now();
    while scene.sent(&began.keys().cloned().collect()) < began.len() {
        assert!(waited.elapsed() < PATIENCE, "not all is sent\n{}", scene.one.log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let mut times = Vec::with_capacity(began.len());
    for told in scene.around.sink.told().iter().filter(|told| told.text("topic") == "InvoiceSent") {
        let Some(began) = began.get(told.text("documentId")) else { continue };
        let sent: Timestamp = told.text("createdOn").parse().expect("a time");
        times.push(Duration::try_from(sent.duration_since(*began)).unwrap_or_default());
    }
    times.sort_unstable();
    times
}

/// Uploads a backlog; answers the ids of the documents.
async fn upload(
    caller: &Caller,
    of: &Customer,
    receiver: &'static str,
    count: u64,
) -> HashSet<String> {
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = JoinSet::new();
    for _ in 0..count {
        let place = places.clone().acquire_owned().await.expect("open");
        let upload = one(caller.clone(), of.participants[0].clone(), receiver);
        uploads.spawn(async move {
            let (id, ..) = upload.await;
            drop(place);
            id
        });
    }
    uploads.join_all().await.into_iter().collect()
}

/// One document; answers its id, when its upload began and how long that took.
async fn one(
    caller: Caller,
    sender: String,
    receiver: &'static str,
) -> (String, Timestamp, Duration) {
    let id = uuid::Uuid::new_v4().to_string();
    let invoice = document(SampleKind::Invoice, &sender, receiver, &format!("FAIR-{id}"), 4);
    let (began, start) = (Timestamp::now(), Instant::now());
    assert_eq!(caller.upload(&sender, &id, invoice, PATIENCE).await, Ok(200));
    (id, began, start.elapsed())
}

impl Scene {
    /// How many of these were told as sent.
    fn sent(&self, ids: &HashSet<String>) -> usize {
        let told = self.around.sink.told();
        let sent = told.iter().filter(|told| told.text("topic") == "InvoiceSent");
        sent.filter(|told| ids.contains(told.text("documentId"))).count()
    }
}

/// A door in front of an access point, whose answers come late.
async fn slow_door(url: &str) -> std::net::SocketAddr {
    let behind = url.trim_start_matches("https://").trim_end_matches("/as4").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            let behind = behind.clone();
            tokio::spawn(async move {
                let Ok(door) = TcpStream::connect(&behind).await else { return };
                let (mut asks, mut told) = caller.into_split();
                let (mut answers, mut asked) = door.into_split();
                let there = tokio::io::copy(&mut asks, &mut asked);
                let back = async {
                    let mut piece = vec![0; 64 << 10];
                    while let Ok(size @ 1..) = answers.read(&mut piece).await {
                        tokio::time::sleep(DELAY).await;
                        if told.write_all(&piece[..size]).await.is_err() {
                            break;
                        }
                    }
                };
                tokio::select! {
                    _ = there => {}
                    () = back => {}
                }
            });
        }
    });
    address
}

async fn set(folder: &Path) -> Scene {
    let around = Surroundings::start(folder, Clock::default()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let customer = |name: &str, id: &str| Customer::new(name, &[id]).expect("customer");
    let (steady, hog) = (customer("steady", "0106:10000001"), customer("hog", "0106:10000002"));
    let mut config = one.config(&around, &steady);
    config.organisation.extend(one.config(&around, &hog).organisation);
    let mut other = two.config(&around, &customer("receiver", RECEIVER));
    other.organisation.extend(two.config(&around, &customer("silent", SILENT)).organisation);
    let silent = silent_socket().await;
    other.organisation.extend(two.config(&around, &customer("slow", SLOW)).organisation);
    let slow = slow_door(&two.as4_url).await;
    other.smp.endpoint_exceptions.insert(SLOW.to_owned(), format!("https://{slow}/as4"));
    other.smp.endpoint_exceptions.insert(SILENT.to_owned(), format!("https://{silent}/as4"));
    for config in [&mut config, &mut other] {
        config.log.filter = "error".to_owned();
    }
    for participant in [RECEIVER, SILENT, SLOW] {
        around.register(participant, &two.smp_url).expect("registered");
    }
    let first = Service::new("one", config, one.api_url.clone(), folder);
    let second = Service::new("two", other, two.api_url.clone(), folder);
    first.start();
    second.start();
    let receiver = Scene { around, one: first, _two: second, steady, hog };
    // The other side answers look-ups as soon as its interface does anything.
    let http = receiver.around.client().expect("a client");
    let begun = Instant::now();
    let url = format!("{}/health/live", two.api_url);
    let call = || quoin_access_point::net::HttpCall::get(&url, Duration::from_secs(5), 1 << 16);
    while http.call(call()).await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not start");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    receiver
}
