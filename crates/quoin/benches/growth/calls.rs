//! Every call that reads: lists with their filters, feeds, records, health, metrics.

use std::time::{Duration, Instant};

use quoin_access_point::net::HttpCall;
use reqwest::header::AUTHORIZATION;
use serde_json::Value;

use super::Scene;
use super::caller::Caller;
use super::table::Table;

/// How often each is asked.
const TIMES: usize = 20;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// What the slowest may take at a million documents, in milliseconds.
const GOAL: f64 = 20.0;
/// How many of the slowest are shown.
const SHOWN: usize = 12;

/// A call and how long it took, in order.
pub(super) struct Asked {
    name: String,
    times: Vec<Duration>,
    status: u16,
}

/// One call; its status and its body.
pub(super) async fn ask(caller: &Caller, url: &str) -> (u16, bytes::Bytes) {
    let call = HttpCall {
        headers: vec![(AUTHORIZATION, caller.token.clone())],
        ..HttpCall::get(url, PATIENCE, 1 << 26)
    };
    let answer = caller.http.call(call).await.expect("an answer");
    (answer.status, answer.body)
}

/// A time so many days ago, as the interface takes it.
fn ago(days: i64) -> String {
    let now = jiff::Timestamp::now();
    now.saturating_sub(jiff::SignedDuration::from_hours(24 * days)).expect("a time").to_string()
}

/// Lists of documents of a party, each filter by itself and some together.
pub(super) fn lists(base: &str, party: &str) -> Vec<(String, String)> {
    let period = format!("from={}&to={}", ago(220), ago(200));
    let filters = [
        String::new(),
        "limit=500".to_owned(),
        "status=Failed".to_owned(),
        "status=Rejected".to_owned(),
        "status=Pending".to_owned(),
        "status=Delivered&limit=500".to_owned(),
        format!("from={}", ago(0)),
        format!("from={}", ago(1)),
        format!("from={}", ago(200)),
        format!("to={}", ago(390)),
        format!("to={}", ago(500)),
        period.clone(),
        format!("{period}&status=Failed"),
        format!("{period}&counterparty=0106:20000000"),
        "number=N-1000".to_owned(),
        "number=none".to_owned(),
        "number=N-1000&status=Failed".to_owned(),
        "counterparty=0106:20000000".to_owned(),
        "counterparty=0106:99999999".to_owned(),
        "counterparty=0106:11111111".to_owned(),
        "counterparty=0106:20000000&status=Failed".to_owned(),
    ];
    let fresh =
        ["notDownloaded=true", "notDownloaded=true&limit=500", "notDownloaded=true&status=Failed"];
    let kinds = [
        "salesInvoice?",
        "purchaseInvoice?",
        "salesOrder?",
        "purchaseOrder?",
        "generic?direction=outgoing&",
        "generic?direction=incoming&",
        "generic?direction=incoming&family=Order&",
        "generic?direction=outgoing&family=Invoice&",
    ];
    let mut all = Vec::new();
    for kind in kinds {
        let incoming = kind.starts_with("purchase") || kind.contains("incoming");
        let more = fresh.iter().filter(|_| incoming).map(|text| (*text).to_owned());
        for filter in filters.iter().cloned().chain(more) {
            let path = format!("{kind}{filter}");
            all.push((path.clone(), format!("{base}/api/v1/{party}/{path}")));
        }
    }
    all
}

/// Everything else that reads and grows with something.
fn others(base: &str, party: &str, known: &[(String, String)]) -> Vec<(String, String)> {
    let mut paths: Vec<String> = [
        "events",
        "events?limit=500",
        "events?topic=InvoiceSent",
        "events?topic=OrderReceived",
        "events?after=2000",
        "usage",
        "serviceLevels",
        "me",
        "me/party",
        "hook",
        "user",
        "client",
        "channels",
        "jobs",
        "reports",
        "peppol/config",
        "peppol/config/party",
        "hook/lab/deliveries",
        "hook/lab/deliveries?limit=500",
        "service/trust",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.push(format!("events?partyId={party}"));
    paths.push(format!("events?partyId={party}&topic=InvoiceReceived&after=2000"));
    for of in [
        "endpoint",
        "destination",
        "hook",
        "taxReporting",
        "taxReport",
        "taxReport?limit=500",
        "taxReport?state=accepted",
        "taxReport?state=failed",
        "taxReport?unreported=true",
    ] {
        paths.push(format!("{party}/{of}"));
    }
    paths.push(format!("{party}/taxReport?dueBefore={}", ago(1)));
    for (kind, id) in known {
        for of in ["", "/status", "/dossier", "/response"] {
            paths.push(format!("{party}/{kind}/{id}{of}"));
        }
    }
    let mut all: Vec<(String, String)> =
        paths.into_iter().map(|path| (path.clone(), format!("{base}/api/v1/{path}"))).collect();
    for path in ["health", "health/live", "health/ready", "meta", "docs"] {
        all.push((path.to_owned(), format!("{base}/{path}")));
    }
    all
}

async fn page(caller: &Caller, url: &str) -> Value {
    let (status, body) = ask(caller, url).await;
    assert_eq!(status, 200, "{url}");
    serde_json::from_slice(&body).expect("json")
}

/// Asks each call several times.
pub(super) async fn all(caller: &Caller, scene: &Scene) -> Vec<Asked> {
    let (base, party) = (&caller.base, &scene.big.participants[0]);
    let mut known = Vec::new();
    let mut calls = lists(base, party);
    for kind in ["salesInvoice", "purchaseInvoice"] {
        // One of those that were sent a moment ago: of those that were made, bodies are not whole.
        let lately = jiff::Timestamp::now().saturating_sub(jiff::SignedDuration::from_mins(3));
        let lately = lately.expect("a time");
        let newest = format!("{base}/api/v1/{party}/{kind}?from={lately}");
        let lately = page(caller, &newest).await;
        let real = lately["items"].as_array().and_then(|items| {
            items
                .iter()
                .find(|item| item["number"].as_str().is_some_and(|it| it.starts_with("GROWTH")))
        });
        let id = real.and_then(|item| item["id"].as_str());
        assert!(id.is_some(), "nothing at {newest}");
        known.extend(id.map(|id| (kind.to_owned(), id.to_owned())));
        let first = page(caller, &format!("{base}/api/v1/{party}/{kind}")).await;
        if let Some(token) = first["continuationToken"].as_str() {
            let token = url::form_urlencoded::byte_serialize(token.as_bytes()).collect::<String>();
            let path = format!("{kind}?continuationToken={token}");
            calls.push((format!("{kind} next page"), format!("{base}/api/v1/{party}/{path}")));
        }
    }
    calls.extend(others(base, party, &known));
    calls.push(("metrics".to_owned(), scene.monitoring.clone()));
    let mut found = Vec::new();
    for (name, url) in calls {
        ask(caller, &url).await;
        let mut times = Vec::with_capacity(TIMES);
        let mut answered = 0;
        for _ in 0..TIMES {
            let begun = Instant::now();
            answered = ask(caller, &url).await.0;
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        found.push(Asked { name, times, status: answered });
    }
    found
}

impl Asked {
    fn at(&self, part: f64) -> Duration {
        let at = (self.times.len() as f64 * part) as usize;
        self.times.get(at.min(self.times.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// Prints the slowest, and what was not answered as expected.
pub(super) fn told(asked: &[Asked], table: Option<&mut Table>) {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let mut by_median: Vec<&Asked> = asked.iter().collect();
    by_median.sort_by_key(|one| std::cmp::Reverse(one.at(0.5)));
    println!("{} calls, the slowest: median, p99", asked.len());
    for one in by_median.iter().take(SHOWN) {
        println!("  {:<70}{:>8.1}{:>8.1} ms", one.name, ms(one.at(0.5)), ms(one.at(0.99)));
    }
    for one in asked.iter().filter(|one| one.status != 200) {
        println!("  {} was answered {}", one.name, one.status);
    }
    let Some(table) = table else { return };
    if let Some(slowest) = by_median.first() {
        table.time(
            &format!("slowest call ({}), median", slowest.name),
            slowest.at(0.5),
            Some(GOAL),
        );
    }
    let mut all: Vec<Duration> = asked.iter().flat_map(|one| one.times.iter().copied()).collect();
    all.sort_unstable();
    let p99 = all.get((all.len() as f64 * 0.99) as usize).copied().unwrap_or_default();
    table.time("all calls, p99", p99, Some(GOAL));
}
