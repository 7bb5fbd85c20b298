//! What a small call costs beside its work: processor time of the service, which is a process of
//! its own, for calls one after the other on one kept connection with real TLS.
//!
//! Prints, for each kind of call, processor time, what its work costs alone where that is another
//! room's (validation, from bytes to report, measured in the same run), and what is left. What must
//! hold is 0.15 ms. Writes `target/bench/calls.json`. `QUOIN_BENCH_CALLS` sets how many calls are
//! made of each kind (3000).

#[path = "siege/caller.rs"]
#[allow(dead_code, reason = "shared with the siege")]
mod caller;
#[path = "../tests/it/stage/forger.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod forger;
#[path = "../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "gauge/processor.rs"]
mod processor;
#[path = "gauge/receiver.rs"]
mod receiver;
#[path = "gauge/setting.rs"]
mod setting;

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use jiff::civil::Date;
use quoin_access_point::net::HttpCall;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};

use caller::Caller;
use forger::Forger;
use processor::{processor_time, processor_time_in};
use receiver::Stage;
use setting::setting;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Documents that lists show.
const DOCUMENTS: usize = 20;
/// What must hold, in milliseconds.
const GOAL: f64 = 0.15;
/// A day on which the latest releases are in force.
const DAY: Date = jiff::civil::date(2026, 6, 1);

/// A kind of call.
struct Kind {
    name: &'static str,
    path: String,
    body: Option<Bytes>,
    /// What its work costs alone, in milliseconds.
    work: f64,
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run(setting("QUOIN_BENCH_CALLS", 3_000)));
    runtime.shutdown_background();
}

async fn run(calls: usize) {
    let (service, stage, caller) = receiver::started("calls").await;
    let id = received(&stage, &caller).await;
    let stat = PathBuf::from(format!("/proc/{}/stat", service.pid()));
    println!("{:<28}{:>14}{:>14}{:>14}", "ms of processor time", "a call", "its work", "beside");
    let mut rows = Vec::new();
    for kind in kinds(&id) {
        // Connection, caches and plans are there.
        for _ in 0..50 {
            ask(&caller, &kind).await;
        }
        let before = processor_time_in(&stat);
        for _ in 0..calls {
            ask(&caller, &kind).await;
        }
        let each = (processor_time_in(&stat) - before) * 1000.0 / calls as f64;
        let beside = each - kind.work;
        let name = kind.name;
        println!("{name:<28}{each:>14.3}{:>14.3}{beside:>14.3}", kind.work);
        rows.push(json!({"name": format!("calls: {name}"), "value": beside, "unit": "ms",
            "peer": "goal", "ratio": beside / GOAL}));
    }
    receiver::end(&service);
    processor::write("calls", &rows);
}

/// Documents that arrived: the id of one.
async fn received(stage: &Stage, caller: &Caller) -> String {
    let forger = Forger::new(stage);
    for at in 0..DOCUMENTS {
        let sent = forger.seal(&forger.draft(&format!("CALLS-{at}")));
        assert_eq!(forger.post(&sent.http).await.status, 200);
    }
    let list = Kind { name: "list", path: list(), body: None, work: 0.0 };
    loop {
        let found: Value = serde_json::from_slice(&ask(caller, &list).await).expect("json");
        let items = found.as_array().or_else(|| found["items"].as_array()).expect("a list");
        if items.len() == DOCUMENTS
            && let Some(id) = items.first().and_then(|item| item["id"].as_str())
        {
            return id.to_owned();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn list() -> String {
    format!("/api/v1/{RECEIVER}/purchaseInvoice")
}

fn kinds(id: &str) -> [Kind; 6] {
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "CALL");
    let asked = |name, path: String| Kind { name, path, body: None, work: 0.0 };
    [
        asked("live", "/health/live".to_owned()),
        asked("me", "/api/v1/me".to_owned()),
        asked("status", format!("{}/{id}/status", list())),
        asked("list of 20", list()),
        asked("look-up", format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")),
        Kind {
            name: "validate",
            path: "/api/v1/generic/validate".to_owned(),
            work: validation(&invoice),
            body: Some(Bytes::from(invoice)),
        },
    ]
}

/// Milliseconds of processor time to validate a document, from bytes to report.
fn validation(document: &str) -> f64 {
    const TIMES: u32 = 2_000;
    let before = processor_time();
    for _ in 0..TIMES {
        let report = quoin_rules::validate(&quoin_formats::read(document.as_bytes()), DAY);
        assert!(report.is_valid(), "the sample is right");
    }
    (processor_time() - before) * 1000.0 / f64::from(TIMES)
}

async fn ask(caller: &Caller, kind: &Kind) -> Bytes {
    let url = format!("{}{}", caller.base, kind.path);
    let xml = HeaderValue::from_static("application/xml");
    let mut headers = vec![(AUTHORIZATION, caller.token.clone())];
    headers.extend(kind.body.is_some().then_some((CONTENT_TYPE, xml)));
    let method = if kind.body.is_some() { Method::POST } else { Method::GET };
    let body = kind.body.clone();
    let call = HttpCall { method, headers, body, ..HttpCall::get(&url, PATIENCE, 1 << 20) };
    let answer = caller.http.call(call).await.expect("an answer");
    assert_eq!(answer.status, 200, "{}: {:?}", kind.name, answer.body);
    answer.body
}
