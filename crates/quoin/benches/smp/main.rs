//! The SMP with many participants: how long filling and starting take, and how many signed answers
//! a second it gives over TLS, those that are kept and those that are signed first, against two
//! floors of the same run, a door that serves the same bytes from memory and RSA alone on all
//! cores, and against nginx with the same bytes in a file, where it is installed. What making and
//! signing an answer costs is the processor time of one that is signed first less that of a kept
//! one, so that the load and HTTP are not in it.
//!
//! Writes `target/bench/smp.json`. `QUOIN_BENCH_PARTICIPANTS` sets how many participants there are
//! (default 20000; the network's largest SMPs have two millions).

mod floors;
#[path = "../gauge/processor.rs"]
mod processor;
#[path = "../gauge/setting.rs"]
mod setting;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, ConfigSecret, ServiceRole};
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_delivery::OrganisationId;
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_peppol::codelists::capability;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::smp::service_metadata_path;
use quoin_server::start::start;
use quoin_store::{OpenOptions, Organisation, PublishedService, Store, StoreKey};
use serde_json::json;

use processor::processor_time;
use setting::setting;

/// Participants of one commit.
const BATCH: usize = 2_000;
/// Calls in flight.
const CALLERS: usize = 32;
/// Participants that are asked for again and again.
const HOT: usize = 1_000;
/// Calls of a measurement of kept answers.
const KEPT_CALLS: usize = 20_000;
/// Calls of a measurement of answers that are signed first.
const FRESH_CALLS: usize = 3_000;
/// How long a call may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The key of the bench's store.
const KEY: [u8; 32] = [7; 32];

fn main() {
    let count = setting("QUOIN_BENCH_PARTICIPANTS", 20_000).max(HOT * 2);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-bench-smp-{}", std::process::id()));
    let lines = runtime.block_on(run(&folder, count));
    let _ = std::fs::remove_dir_all(&folder);
    println!("{count} participants, five document types each");
    for line in &lines {
        let ratio = line.ratio.map(|(of, ratio)| format!("  {ratio:.2} of {of}"));
        let Line { name, value, unit, .. } = line;
        println!("{name:<44}{value:>12.1} {unit}{}", ratio.unwrap_or_default());
    }
    write(&lines);
}

struct Line {
    name: &'static str,
    value: f64,
    unit: &'static str,
    ratio: Option<(&'static str, f64)>,
}

fn line(name: &'static str, value: f64, unit: &'static str) -> Line {
    Line { name, value, unit, ratio: None }
}

async fn run(folder: &Path, count: usize) -> Vec<Line> {
    let clock = Clock::default();
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let corner = LabAccessPoint::new(&around, "one", "POP000001").expect("a corner");
    let customer = Customer::new("tenant", &["0106:90000000"]).expect("a customer");
    let mut config = corner.config(&around, &customer);
    config.roles = vec![ServiceRole::Smp];
    config.secrets.master_key = Some(ConfigSecret::new(data_encoding::HEXLOWER.encode(&KEY)));

    let (filled, bytes) = fill(&config, count).await;
    let before = resident_mb();
    let begun = Instant::now();
    let service = start(config.clone(), clock).await.expect("a service");
    let started = begun.elapsed();
    let http = around.client().expect("a client");
    let base = service.smp.as_ref().expect("the door of the SMP").url();
    let first = timed(&http, &[path(count / 2)], &base, 1, 1).await;
    let mut lines = vec![
        line("filling", count as f64 / filled.as_secs_f64(), "participants/s"),
        line("database", bytes as f64 / count as f64, "bytes a participant"),
        line("start", started.as_secs_f64() * 1000.0, "ms"),
        line("first answer after the start", first.p99 * 1000.0, "ms"),
    ];
    let hot: Vec<String> = (0..HOT).map(path).collect();
    timed(&http, &hot, &base, HOT * 2, CALLERS).await;
    let kept = timed(&http, &hot, &base, KEPT_CALLS, CALLERS).await;
    let fresh_paths: Vec<String> = (0..FRESH_CALLS.min(count - HOT))
        .map(|n| path(HOT + n * ((count - HOT) / FRESH_CALLS.min(count - HOT))))
        .collect();
    let fresh = timed(&http, &fresh_paths, &base, fresh_paths.len(), CALLERS).await;
    let unknown = vec!["/iso6523-actorid-upis::0106:99999999".to_owned()];
    let missing = timed(&http, &unknown, &base, KEPT_CALLS / 4, CALLERS).await;
    let after = resident_mb();
    let body = one(&http, &format!("{base}{}", hot[0])).await;
    let floor = floors::from_memory(&around, &http, &hot, body.clone()).await;
    let nginx = floors::nginx(&around, &http, &hot, folder, &body).await;
    let signatures = floors::signatures(&config);
    service.stop().await;
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let (made, rsa) = (fresh.each - kept.each, cores / signatures);
    lines.extend([
        Line {
            ratio: Some(("the HTTP floor", kept.rate / floor.rate)),
            ..line("kept answers", kept.rate, "answers/s")
        },
        line("kept answers, p50", kept.p50 * 1000.0, "ms"),
        line("kept answers, p99", kept.p99 * 1000.0, "ms"),
        Line {
            ratio: Some(("RSA alone", fresh.rate / signatures)),
            ..line("answers signed first", fresh.rate, "answers/s")
        },
        line("answers signed first, p99", fresh.p99 * 1000.0, "ms"),
        line("kept answers, processor time with the load", kept.each * 1000.0, "ms"),
        Line {
            ratio: Some(("its RSA", made / rsa)),
            ..line("making and signing one, processor time", made * 1000.0, "ms")
        },
        line("not registered", missing.rate, "answers/s"),
        line("floor: the same bytes from memory over TLS", floor.rate, "answers/s"),
        line("floor: p99", floor.p99 * 1000.0, "ms"),
        line("floor: RSA-2048 signatures on all cores", signatures, "signatures/s"),
        line("resident memory before the start", before, "MB"),
        line("resident memory at the end", after, "MB"),
    ]);
    match nginx {
        Some(nginx) => lines.extend(beside(&nginx, &kept)),
        None => println!("nginx is not installed: not compared"),
    }
    lines
}

async fn one(http: &HttpClient, url: &str) -> bytes::Bytes {
    http.call(HttpCall::get(url, PATIENCE, 1 << 20)).await.expect("an answer").body
}

fn beside(nginx: &Timed, kept: &Timed) -> [Line; 2] {
    let rate = line("peer: nginx, the same bytes from a file", nginx.rate, "answers/s");
    let ratio = Some(("kept answers to it", kept.rate / nginx.rate));
    [Line { ratio, ..rate }, line("peer: nginx, p99", nginx.p99 * 1000.0, "ms")]
}

fn participant(number: usize) -> ParticipantId {
    ParticipantId::new("0106", &format!("{number:08}")).expect("a participant")
}

/// The path of service metadata of a participant.
fn path(number: usize) -> String {
    let row = capability("invoices").expect("a capability").rows().nth(2).expect("BIS Billing").0;
    let id: DocumentTypeId = row.id().expect("a type");
    service_metadata_path(&participant(number), &id)
}

/// Registers participants; answers how long it took and the size of the database.
async fn fill(config: &Config, count: usize) -> (Duration, u64) {
    let options = OpenOptions::new(config.data_dir.clone(), StoreKey(KEY));
    let store = Store::open(options).await.expect("a store");
    let owner: OrganisationId = "tenant".parse().expect("an id");
    let now = jiff::Timestamp::now();
    let organisation = Organisation { id: owner.clone(), name: "Tenant".into(), created_on: now };
    store.put_organisation(organisation).await.expect("an organisation");
    let kinds: Vec<(String, String)> = capability("invoices")
        .expect("a capability")
        .rows()
        .map(|(row, process)| {
            let id = row.id().expect("a type").to_string();
            (id, format!("cenbii-procid-ubl::{process}"))
        })
        .collect();
    let begun = Instant::now();
    for start in (0..count).step_by(BATCH) {
        let mut services = Vec::with_capacity(BATCH * kinds.len());
        for number in start..(start + BATCH).min(count) {
            let key = participant(number).folded();
            services.extend(kinds.iter().map(|(document_type, process)| PublishedService {
                participant: key.clone(),
                document_type: document_type.clone(),
                process: process.clone(),
                organisation: owner.clone(),
                explicit: true,
                endpoints: None,
                created_on: now,
            }));
        }
        store.put_services(services).await.expect("services");
    }
    let took = begun.elapsed();
    drop(store);
    let size =
        |name: &str| std::fs::metadata(config.data_dir.join(name)).map_or(0, |found| found.len());
    // What is not yet copied from the log counts too.
    (took, size("quoin.db") + size("quoin.db-wal"))
}

struct Timed {
    rate: f64,
    p50: f64,
    p99: f64,
    /// Seconds of processor time of a call, the load included.
    each: f64,
}

/// Makes calls in turn over these paths, so many at a time.
async fn timed(
    http: &HttpClient,
    paths: &[String],
    base: &str,
    calls: usize,
    callers: usize,
) -> Timed {
    let urls: Arc<Vec<String>> =
        Arc::new(paths.iter().map(|path| format!("{base}{path}")).collect());
    let next = Arc::new(AtomicUsize::new(0));
    let (begun, before) = (Instant::now(), processor_time());
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..callers {
        let (http, urls, next) = (http.clone(), urls.clone(), next.clone());
        tasks.spawn(async move {
            let mut times = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= calls {
                    return times;
                }
                let url = &urls[number % urls.len()];
                let begun = Instant::now();
                let call = HttpCall::get(url, PATIENCE, 1 << 20);
                let answer = http.call(call).await.expect("an answer");
                assert!(matches!(answer.status, 200 | 404), "{url}: {}", answer.status);
                times.push(begun.elapsed().as_secs_f64());
            }
        });
    }
    let mut times: Vec<f64> = tasks.join_all().await.into_iter().flatten().collect();
    let took = begun.elapsed().as_secs_f64();
    let each = (processor_time() - before) / calls as f64;
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() as f64 * part) as usize).min(times.len() - 1)];
    Timed { rate: calls as f64 / took, p50: at(0.5), p99: at(0.99), each }
}

/// Resident memory of this process: the service, its load and its surroundings together.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kb.unwrap_or_default() / 1024.0
}

fn write(lines: &[Line]) {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            let (peer, ratio) = line.ratio.unzip();
            let Line { name, value, unit, .. } = line;
            json!({"name": name, "value": value, "unit": unit, "peer": peer, "ratio": ratio})
        })
        .collect();
    processor::write("smp", &rows);
}
