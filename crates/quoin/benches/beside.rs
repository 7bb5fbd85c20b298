//! What others notice while four documents of 20 MB are validated: the time in which the interface
//! and the AS4 listener answer, before and beside. The service is a process of its own, on
//! loopback, with real TLS; AS4 messages are sealed beforehand, and each is taken once.
//!
//! Prints medians and 99th percentiles; writes `target/bench/beside.json`. What must hold is a 99th
//! percentile of 50 ms. `QUOIN_BENCH_CALLS` sets how many calls are made of each kind (400).

#[path = "siege/caller.rs"]
#[allow(dead_code, reason = "shared with the siege")]
mod caller;
#[path = "../tests/it/stage/forger.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod forger;
#[path = "../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "gauge/receiver.rs"]
mod receiver;
#[path = "gauge/setting.rs"]
mod setting;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use quoin_access_point::net::HttpCall;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::json;

use caller::Caller;
use forger::Forger;
use receiver::Stage;
use setting::setting;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two calls of a kind.
const PAUSE: Duration = Duration::from_millis(25);
/// Documents that are validated at once.
const HUGE: usize = 4;
/// Lines of a document of about 20 MB.
const LINES: usize = 16_000;
/// What must hold.
const P99: Duration = Duration::from_millis(50);

/// Times of one kind of call, sorted.
struct Times(Vec<Duration>);

impl Times {
    fn at(&self, part: f64) -> Duration {
        let index = (self.0.len() as f64 * part) as usize;
        self.0.get(index.min(self.0.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let held = runtime.block_on(run(setting("QUOIN_BENCH_CALLS", 400)));
    runtime.shutdown_background();
    std::process::exit(i32::from(!held));
}

async fn run(calls: usize) -> bool {
    let (service, stage, caller) = receiver::started("beside").await;
    let alone = probe(&stage, &caller, calls).await;
    let validated = Arc::new(AtomicUsize::new(0));
    let load: Vec<_> =
        (0..HUGE).map(|_| tokio::spawn(huge(caller.clone(), validated.clone()))).collect();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let beside = probe(&stage, &caller, calls).await;
    load.iter().for_each(tokio::task::JoinHandle::abort);
    receiver::end(&service);
    report(&alone, &beside, validated.load(Ordering::Relaxed))
}

/// The interface and the AS4 listener, at the same time.
async fn probe(stage: &Stage, caller: &Caller, calls: usize) -> [(&'static str, Times); 2] {
    let forger = Forger::new(stage);
    let sealed: Vec<_> =
        (0..calls).map(|at| forger.seal(&forger.draft(&format!("BESIDE-{at}")))).collect();
    let interface = async {
        let mut times = Vec::new();
        for _ in 0..calls {
            let begun = Instant::now();
            let url = format!("{}/api/v1/me", caller.base);
            let headers = vec![(AUTHORIZATION, caller.token.clone())];
            let call = HttpCall { headers, ..HttpCall::get(&url, PATIENCE, 1 << 20) };
            assert_eq!(caller.http.call(call).await.expect("an answer").status, 200);
            times.push(begun.elapsed());
            tokio::time::sleep(PAUSE).await;
        }
        times
    };
    let messages = async {
        let mut times = Vec::new();
        for sent in &sealed {
            let begun = Instant::now();
            let answer = forger.post(&sent.http).await;
            times.push(begun.elapsed());
            assert_eq!(answer.status, 200);
            tokio::time::sleep(PAUSE).await;
        }
        times
    };
    let (mut interface, mut messages) = tokio::join!(interface, messages);
    interface.sort_unstable();
    messages.sort_unstable();
    [("interface (GET /api/v1/me)", Times(interface)), ("AS4 message to receipt", Times(messages))]
}

/// One document of 20 MB after another; none is asked for until the one before it is judged.
async fn huge(caller: Caller, validated: Arc<AtomicUsize>) {
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let invoice = quoin_formats::samples::document(kind, SENDER, RECEIVER, "HUGE", LINES);
    let invoice = Bytes::from(invoice);
    let url = format!("{}/api/v1/generic/validate", caller.base);
    loop {
        let xml = HeaderValue::from_static("application/xml");
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(AUTHORIZATION, caller.token.clone()), (CONTENT_TYPE, xml)],
            body: Some(invoice.clone()),
            ..HttpCall::get(&url, PATIENCE, 64 << 20)
        };
        match caller.http.call(call).await {
            Ok(answer) if answer.status == 200 => validated.fetch_add(1, Ordering::Relaxed),
            Ok(answer) => panic!("{}: {:?}", answer.status, answer.body),
            Err(error) => panic!("{error}"),
        };
    }
}

fn report(
    alone: &[(&'static str, Times); 2],
    beside: &[(&'static str, Times); 2],
    validated: usize,
) -> bool {
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("{validated} documents of 20 MB were judged meanwhile, {HUGE} at a time");
    println!("{:<32}{:>14}{:>14}{:>14}{:>14}", "ms", "p50 alone", "p99 alone", "p50", "p99");
    let mut rows = Vec::new();
    for ((what, alone), (_, beside)) in alone.iter().zip(beside) {
        let [a, b, c, d] =
            [alone.at(0.5), alone.at(0.99), beside.at(0.5), beside.at(0.99)].map(millis);
        println!("{what:<32}{a:>14.1}{b:>14.1}{c:>14.1}{d:>14.1}");
        rows.push(json!({"name": format!("beside: {what}"), "value": d, "unit": "ms",
            "peer": "alone", "ratio": d / b}));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = serde_json::to_string_pretty(&rows).expect("json");
    std::fs::write(folder.join("beside.json"), text).expect("written");
    let held = validated > 0 && beside.iter().all(|(_, times)| times.at(0.99) <= P99);
    if !held {
        println!("NOT HELD: a 99th percentile of {} ms", P99.as_millis());
    }
    held
}
