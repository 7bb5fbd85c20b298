//! Invoices through the Polish national system, from upload to registered: a whole service and the
//! system of the lab in one process on loopback, which keeps the published limits. The system has
//! threads of its own.
//!
//! Prints invoices per second and the processor time of an invoice, of the service and of the
//! system, against the floor of making FA(3) of it alone, measured in the same run; the most
//! calls of each group in an hour beside the published limit; and that no call was refused for
//! the limits. Writes `target/bench/ksef.json`. `QUOIN_BENCH_DOCUMENTS` sets how many invoices
//! are sent (default 10,000).

#[path = "gauge/login.rs"]
mod login;
#[path = "gauge/processor.rs"]
mod processor;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::KsefSection;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_delivery::{Direction, DocumentId, OrganisationId, TransactionId};
use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_ksef::certificate::KsefUse;
use quoin_ksef::offline::warsaw;
use quoin_lab::ksef::{KsefLab, KsefLabSettings, sample_invoice};
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, Surroundings};
use quoin_server::start::{Running, start};
use quoin_store::ClearanceState;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::json;
use tokio::sync::Semaphore;

use login::token;
use processor::processor_time;

/// The seller, and its NIP.
const PARTY: &str = "9945:5265877635";
const NIP: &str = "5265877635";
/// How the threads of the system are called.
const SYSTEM: &str = "ksef-system";
/// Uploads in flight.
const UPLOADS: usize = 32;
/// How long it may take until all are registered.
const PATIENCE: Duration = Duration::from_secs(3_600);

fn main() {
    let count = std::env::var("QUOIN_BENCH_DOCUMENTS").ok().and_then(|n| n.parse().ok());
    let count: usize = count.unwrap_or(10_000);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-ksef-{}", std::process::id()));
    let clock = Clock::default();
    // So that what it costs can be told apart: its threads have a name, and do not end.
    let system = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name(SYSTEM)
        .thread_keep_alive(PATIENCE)
        .enable_all()
        .build()
        .expect("a runtime");
    let lab =
        system.block_on(KsefLab::open(0, clock.clone(), KsefLabSettings::default())).expect("KSeF");
    let measured = runtime.block_on(run(&folder, count, clock, &lab));
    let _ = std::fs::remove_dir_all(&folder);
    let MeasuredRun { uploaded, registered, processor, system_processor, refused, calls } =
        measured;
    let of_each = |seconds: f64| seconds / count as f64 * 1000.0;
    let (each, of_system) = (of_each(processor), of_each(system_processor));
    let floor = conversion_floor();
    let rate = count as f64 / registered;
    println!("{count} invoices, batch sessions, limits of the published table kept");
    println!("{:<52}{uploaded:>10.1} s", "upload of all");
    println!("{:<52}{registered:>10.1} s", "upload to all registered, with receipt and page");
    println!("{:<52}{rate:>10.1} invoices/s", "throughput");
    println!("{:<52}{each:>10.2} ms", "processor time of an invoice, of the service");
    println!("{:<52}{of_system:>10.2} ms", "processor time of an invoice, of the system");
    println!("{:<52}{floor:>10.2} ms", "floor: FA(3) of it, made and judged");
    println!("{:<52}{:>10.2}", "ratio to the floor", each / floor);
    for (name, found, limit) in calls {
        println!("{:<52}{found:>10} of {limit}", format!("calls in an hour: {name}"));
        assert!(found <= limit as usize, "{name}");
    }
    println!("{:<52}{refused:>10}", "calls refused for the limits");
    assert_eq!(refused, 0, "the limits were exceeded");
    processor::write(
        "ksef",
        &[
            json!({"name": "ksef", "value": rate, "unit": "invoices/s", "peer": null, "ratio": null}),
            json!({"name": "ksef-processor", "value": each, "unit": "ms", "peer": "fa3",
            "ratio": each / floor}),
        ],
    );
}

/// What a run came to; times in seconds.
struct MeasuredRun {
    uploaded: f64,
    registered: f64,
    /// Of the service.
    processor: f64,
    /// Of the system of the lab.
    system_processor: f64,
    refused: usize,
    /// Calls of each group that has a limit by the hour, and the limit.
    calls: Vec<(&'static str, usize, u32)>,
}

async fn run(folder: &Path, count: usize, clock: Clock, lab: &KsefLab) -> MeasuredRun {
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let customer = Customer::new("sender", &[PARTY]).expect("customer");
    let mut config = one.config(&around, &customer);
    config.ksef = KsefSection {
        url: Some(lab.base()),
        codes_url: Some(lab.codes()),
        lighthouse_url: Some(lab.lighthouse()),
        cut_off_minutes: 0,
        ..KsefSection::default()
    };
    let service = start(config, clock.clone()).await.expect("a service");
    let http = around.client().expect("a client");
    let token = token(&http, &one.api_url, &customer).await;
    let api = Arc::new(Uploader { http, base: one.api_url.clone(), token });
    put_hook(&api, lab).await;
    let (begun, before, system_before) = (Instant::now(), processor_time(), system_time());
    let day = warsaw(clock.now()).date().to_string();
    let ids = send(&api, count, &day).await;
    let uploaded = begun.elapsed().as_secs_f64();
    registered(&service, &customer, ids).await;
    let took = begun.elapsed().as_secs_f64();
    let system_processor = system_time() - system_before;
    let processor = processor_time() - before - system_processor;
    assert_eq!(lab.registered().len(), count, "each is registered once");
    let refused = lab.exchanges().iter().filter(|one| one.status == 429).count();
    service.stop().await;
    let calls = lab.most_calls();
    MeasuredRun { uploaded, registered: took, processor, system_processor, refused, calls }
}

struct Uploader {
    http: HttpClient,
    base: String,
    token: HeaderValue,
}

impl Uploader {
    async fn call(&self, method: Method, path: &str, id: Option<&str>, body: String) {
        let url = format!("{}{path}", self.base);
        let kind = if id.is_some() { "application/xml" } else { "application/json" };
        let mut headers = vec![
            (AUTHORIZATION, self.token.clone()),
            (CONTENT_TYPE, HeaderValue::from_static(kind)),
        ];
        let name = HeaderName::from_static("x-service-documentid");
        headers.extend(id.map(|id| (name, HeaderValue::from_str(id).expect("a header"))));
        let call = HttpCall {
            method,
            headers,
            body: Some(Bytes::from(body)),
            ..HttpCall::get(&url, Duration::from_secs(120), 1 << 20)
        };
        let answer = self.http.call(call).await.expect("an answer");
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    }
}

async fn put_hook(api: &Uploader, lab: &KsefLab) {
    let issue = |use_| lab.authority().issue(NIP, use_).expect("a certificate");
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let body = json!({"id": "clearing", "action": "ksef", "topics": ["ClearInvoiceBatched"],
    "init": {
        "onlineCertificate": online.inline(),
        "onlineCertificatePassword": online.password,
        "offlineCertificate": offline.inline(),
        "offlineCertificatePassword": offline.password,
    }});
    api.call(Method::PUT, &format!("/api/v1/{PARTY}/hook"), None, body.to_string()).await;
}

async fn send(api: &Arc<Uploader>, count: usize, day: &str) -> Vec<String> {
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = tokio::task::JoinSet::new();
    for number in 0..count {
        let place = places.clone().acquire_owned().await.expect("open");
        let invoice = sample_invoice((PARTY, RECEIVER), &format!("BENCH/{number}"), day);
        let api = api.clone();
        uploads.spawn(async move {
            let id = uuid::Uuid::new_v4().to_string();
            let path = format!("/api/v1/{PARTY}/salesInvoice/send");
            api.call(Method::POST, &path, Some(&id), invoice).await;
            drop(place);
            id
        });
    }
    uploads.join_all().await
}

/// Waits until every invoice is registered.
async fn registered(service: &Running, customer: &Customer, ids: Vec<String>) {
    let owner: OrganisationId = customer.organisation.parse().expect("an organisation");
    let store = &service.parts.store;
    let mut open: Vec<TransactionId> = Vec::new();
    for id in ids {
        let id: DocumentId = id.parse().expect("an id");
        let found = store.transaction_of(&owner, Direction::Outgoing, &id).await.expect("a store");
        open.push(found.expect("a document").transaction.id);
    }
    let begun = Instant::now();
    while let Some(id) = open.last() {
        let state = store.clearance_of(id).await.expect("a store").map(|found| found.state);
        match state {
            Some(ClearanceState::Registered) => drop(open.pop()),
            Some(ClearanceState::Failed) => panic!("{id} failed"),
            _ => {
                assert!(begun.elapsed() < PATIENCE, "{} are not registered", open.len());
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

/// Seconds of processor time of the threads of the system.
fn system_time() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let times = threads.flatten().map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        if stat.contains(&format!("({SYSTEM})")) { ticks(&stat) } else { 0.0 }
    });
    times.sum()
}

/// The seconds of processor time that a `stat` says.
fn ticks(stat: &str) -> f64 {
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks =
        after.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Milliseconds of processor time that FA(3) of the sample costs alone: read, converted, judged.
fn conversion_floor() -> f64 {
    let day = "2026-11-20";
    let invoice = sample_invoice((PARTY, RECEIVER), "FLOOR/1", day);
    let on = day.parse().expect("a day");
    let rounds = 200;
    let before = processor_time();
    for _ in 0..rounds {
        let read = quoin_formats::read(invoice.as_bytes());
        let root = read.root().expect("an element");
        let made = convert_at(root, ConversionTarget::KSEF).expect("FA(3)");
        let report = quoin_rules::validate(&quoin_formats::read(made.document.as_bytes()), on);
        assert_eq!(report.verdict(), quoin_rules::Verdict::Valid);
    }
    (processor_time() - before) / f64::from(rounds) * 1000.0
}
