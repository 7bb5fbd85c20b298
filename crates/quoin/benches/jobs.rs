//! Bulk jobs: parties enrolled with an SML behind mutual TLS, then changed, in one process on
//! loopback.
//!
//! Prints parties per second for the preview, the enrolment and a change of capabilities, against
//! enrolments one by one over the interface in the same run, and how long other writers wait while
//! a job runs. Writes `target/bench/jobs.json`. `QUOIN_BENCH_PARTIES` sets the number of parties
//! (default 100,000).

#[path = "gauge/login.rs"]
mod login;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::{Customer, LabAccessPoint, SENDER, Surroundings};
use quoin_server::start::{Running, start};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};

use login::token;

/// Enrolments that are made one by one.
const SINGLES: u32 = 200;
/// How long one job may take.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// How often it is asked how far a job is.
const LOOK: Duration = Duration::from_millis(250);

struct Api {
    http: HttpClient,
    base: String,
    token: HeaderValue,
}

impl Api {
    async fn call(&self, method: Method, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.base);
        let json = HeaderValue::from_static("application/json");
        let call = HttpCall {
            method,
            headers: vec![(AUTHORIZATION, self.token.clone()), (CONTENT_TYPE, json)],
            body: Some(Bytes::from(body.to_string())),
            ..HttpCall::get(&url, Duration::from_secs(60), 1 << 20)
        };
        let answer = self.http.call(call).await.expect("an answer");
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(answer.status < 300, "{path}: {} {text}", answer.status);
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// The job, once it is in a state, and how long that took.
    async fn reached(&self, job: &Value, state: &str) -> (Value, Duration) {
        let begun = Instant::now();
        let path = format!("/api/v1/jobs/{}", job["id"].as_str().expect("an id"));
        loop {
            let job = self.call(Method::GET, &path, &Value::Null).await;
            if job["state"] == state {
                return (job, begun.elapsed());
            }
            assert!(begun.elapsed() < PATIENCE, "{job}");
            tokio::time::sleep(LOOK).await;
        }
    }
}

fn main() {
    let count = std::env::var("QUOIN_BENCH_PARTIES").ok().and_then(|n| n.parse().ok());
    let count: u32 = count.unwrap_or(100_000);
    let folder = std::env::temp_dir().join(format!("quoin-bench-jobs-{}", std::process::id()));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rows = runtime.block_on(run(&folder, count));
    let _ = std::fs::remove_dir_all(&folder);
    println!("{count} parties");
    for row in &rows {
        let (name, unit) = (row["name"].as_str().unwrap_or(""), row["unit"].as_str().unwrap_or(""));
        println!("{name:<44}{:>12.1} {unit}", row["value"].as_f64().unwrap_or_default());
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    std::fs::create_dir_all(&target).expect("a folder");
    let text = serde_json::to_string_pretty(&rows).expect("json");
    std::fs::write(target.join("jobs.json"), text).expect("written");
}

async fn run(folder: &Path, count: u32) -> Vec<Value> {
    let clock = Clock::default();
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let corner = LabAccessPoint::new(&around, "one", "POP000001").expect("a corner");
    let customer = Customer::new("sender", &[SENDER]).expect("a customer");
    let mut config = corner.config(&around, &customer);
    config.sml = around.sml_section(&corner);
    config.directory = around.directory_section();
    around.enlist(&config, &customer.participants).await.expect("enlisted");
    let service = start(config, clock).await.expect("a service");
    let http = around.client().expect("a client");
    let token = token(&http, &corner.api_url, &customer).await;
    let api = Api { http, base: corner.api_url.clone(), token };
    api.call(Method::PUT, "/api/v1/user", &json!({ "name": "alice" })).await;
    let rows = measured(&api, &service, count).await;
    // Beside them there are the first participant and the provider itself.
    assert_eq!(around.locator.participants() as u32, count + SINGLES + 2);
    service.stop().await;
    rows
}

async fn measured(api: &Api, service: &Running, count: u32) -> Vec<Value> {
    let single = singles(api).await;
    let waits = Waits::begin(service);
    let parties: Vec<String> = (0..count).map(|n| format!("0106:{n:08}")).collect();
    let begun = Instant::now();
    let body = json!({ "kind": "enrol", "parties": parties, "common": common() });
    let job = api.call(Method::POST, "/api/v1/jobs", &body).await;
    let recorded = begun.elapsed();
    let (planned, plan) = api.reached(&job, "planned").await;
    assert_eq!(planned["counts"]["planned"], count, "{planned}");
    let path = format!("/api/v1/jobs/{}/start", job["id"].as_str().expect("an id"));
    api.call(Method::POST, &path, &Value::Null).await;
    let (finished, run) = api.reached(&job, "finished").await;
    assert_eq!(finished["counts"]["done"], count, "{finished}");
    let change = json!({
        "kind": "capabilities", "capabilities": { "orders": "on" }, "start": true,
    });
    let job = api.call(Method::POST, "/api/v1/jobs", &change).await;
    let (_, change) = api.reached(&job, "finished").await;
    let (median, p99, longest) = waits.end().await;
    let rate = |time: Duration| f64::from(count) / time.as_secs_f64();
    let row = |name: &str, value: f64, unit: &str, ratio: Option<f64>| {
        let peer = ratio.map(|_| "one by one");
        json!({ "name": name, "value": value, "unit": unit, "peer": peer, "ratio": ratio })
    };
    vec![
        row("enrolled one by one, recorded only", single, "parties/s", None),
        row("list recorded", recorded.as_secs_f64(), "s", None),
        row("preview", rate(plan), "parties/s", Some(rate(plan) / single)),
        row("enrolled, SML included", rate(run), "parties/s", Some(rate(run) / single)),
        row("enrolled, whole job", run.as_secs_f64(), "s", None),
        row(
            "capabilities, preview included",
            rate(change),
            "parties/s",
            Some(rate(change) / single),
        ),
        row("other writers wait, median", median, "ms", None),
        row("other writers wait, p99", p99, "ms", None),
        row("other writers wait, longest", longest, "ms", None),
    ]
}

fn common() -> Value {
    json!({
        "capabilities": { "invoices": "on" },
        "verification": { "notes": "Contract" },
        "partyAuthorizations": [{ "userId": "alice" }],
    })
}

/// Enrolments over the interface, one after the other: parties per second.
async fn singles(api: &Api) -> f64 {
    let body = json!({
        "services": { "peppol": {
            "capabilities": { "invoices": "on" }, "verification": { "notes": "Contract" },
        } },
        "partyAuthorizations": [{ "userId": "alice" }],
    });
    let begun = Instant::now();
    for number in 0..SINGLES {
        let path = format!("/api/v1-beta/0106:{}/enroll", 90_000_000 + number);
        api.call(Method::PUT, &path, &body).await;
    }
    f64::from(SINGLES) / begun.elapsed().as_secs_f64()
}

/// How long a writer waits that has nothing to do with the job.
struct Waits {
    ended: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<Vec<Duration>>,
}

impl Waits {
    fn begin(service: &Running) -> Waits {
        let (store, ended) = (service.parts.store.clone(), Arc::new(AtomicBool::new(false)));
        let seen = ended.clone();
        let task = tokio::spawn(async move {
            let mut waits = Vec::new();
            while !seen.load(Ordering::Relaxed) {
                let begun = Instant::now();
                store.check().await.expect("the store is well");
                waits.push(begun.elapsed());
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            waits
        });
        Waits { ended, task }
    }

    /// Median, 99th percentile and longest, in milliseconds.
    async fn end(self) -> (f64, f64, f64) {
        self.ended.store(true, Ordering::Relaxed);
        let mut waits = self.task.await.expect("the waits");
        waits.sort_unstable();
        let at = |part: f64| {
            let index = ((waits.len() as f64 * part) as usize).min(waits.len() - 1);
            waits[index].as_secs_f64() * 1000.0
        };
        (at(0.5), at(0.99), at(1.0))
    }
}
