//! Documents through the channels beside the network, from upload to delivered: one service on
//! loopback, with full durability. Who uploads, the web and mail server and OpenSSH's server are
//! processes of their own, so that what is counted is the service's.
//!
//! Prints documents per second, connections at the counterpart, and the processor time of a
//! document: what the threads of the store took, what a judgement and the call alone cost in the
//! same run, and the rest. Writes `target/bench/channels.json`. `QUOIN_BENCH_DOCUMENTS` sets how
//! many documents are sent over each (default 2,000), `QUOIN_BENCH_CHANNEL` names one of them.

mod folder;
mod outside;

#[path = "../gauge/login.rs"]
mod login;
#[path = "../gauge/processor.rs"]
mod processor;

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::{self, StreamExt};
use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_access_point::sftp::{SftpAction, SftpClient, SftpLogin};
use quoin_delivery::{Direction, DocumentId, OrganisationId, Status};
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};
use quoin_server::start::{Running, start};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};

use folder::SshFolder;
use outside::{Outside, id_of, invoice};

use login::token;
use processor::{processor_time, processor_time_in};

/// How long it may take until all are delivered.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Calls that are made alone, to see what one costs.
const ALONE: usize = 300;
/// Calls under way at a time then: as many as a destination gets.
const AT_A_TIME: usize = 8;
/// Documents that are sent before anything is counted.
const WARM: usize = 100;

/// What was counted of a channel.
struct Counted {
    channel: &'static str,
    of_documents: Measured,
    /// Milliseconds of processor time of a call alone.
    call: f64,
    connections: usize,
}

/// What was measured of documents.
struct Measured {
    /// Of all of them.
    seconds: f64,
    /// Milliseconds of processor time of one.
    processor: f64,
    /// The same of the threads of the store.
    store: f64,
    /// Statements and commits of one.
    statements: f64,
    commits: f64,
}

fn main() {
    if outside::play() {
        return;
    }
    let count = std::env::var("QUOIN_BENCH_DOCUMENTS").ok().and_then(|n| n.parse().ok());
    let count: usize = count.unwrap_or(2_000);
    let only = std::env::var("QUOIN_BENCH_CHANNEL").ok();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-channels-{}", std::process::id()));
    let all = runtime.block_on(run(&folder, count, only.as_deref()));
    let _ = std::fs::remove_dir_all(&folder);
    let judged = judgement();
    println!("{count} invoices of 20 kB over each channel, one party, one destination");
    let mut rows = Vec::new();
    for Counted { channel, of_documents, call, connections } in all {
        let Measured { seconds, processor, store, statements, commits } = of_documents;
        let rate = count as f64 / seconds;
        println!("{channel}");
        println!("{:<52}{rate:>10.0} documents/s", "  upload to delivered");
        println!("{:<52}{connections:>10}", "  connections at the counterpart");
        println!("{:<52}{statements:>10.1}", "  statements of a document");
        println!("{:<52}{commits:>10.2}", "  commits of a document, shared ones counted once");
        for (what, each) in [
            ("  processor time of a document", processor),
            ("    its judgement, measured alone", judged),
            ("    its call, measured alone", call),
            ("    the threads of the store", store),
            ("    everything else", processor - judged - call - store),
        ] {
            println!("{what:<52}{each:>10.2} ms");
        }
        rows.push(json!({"name": channel, "value": rate, "unit": "documents/s", "peer": null,
            "ratio": null}));
        rows.push(json!({"name": format!("{channel}-processor"), "value": processor, "unit": "ms",
            "peer": "judgement", "ratio": processor / judged}));
    }
    processor::write("channels", &rows);
}

async fn run(folder: &Path, count: usize, only: Option<&str>) -> Vec<Counted> {
    let clock = Clock::default();
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let customer = Customer::new("sender", &[SENDER]).expect("customer");
    let mut config = one.config(&around, &customer);
    // Nobody is told of events: what that costs is another bench.
    config.organisation.iter_mut().for_each(|seed| seed.hooks.clear());
    let leaf = around.pki.server(&["127.0.0.1"]).expect("a certificate");
    leaf.write(folder, "outside").expect("written");
    let mut outside = Outside::start(&folder.join("outside").display().to_string());
    config.mail.server = Some(format!("smtp://127.0.0.1:{}", outside.mail_port));
    let service = start(config, clock).await.expect("a service");
    let http = around.client().expect("a client");
    let shown = token(&http, &one.api_url, &customer).await;
    let token = shown.to_str().expect("text").trim_start_matches("Bearer ").to_owned();
    let stage = BenchStage { http, token, api: &one.api_url, service: &service };
    let mut all = Vec::new();
    let wanted = |channel: &str| only.is_none_or(|only| only == channel);
    for (at, (channel, hook)) in posted(&outside).into_iter().enumerate() {
        if !wanted(channel) {
            continue;
        }
        stage.put_hook(hook).await;
        let before = outside.connections();
        stage.send(&mut outside, 2 * at, WARM).await;
        let of_documents = stage.measured(&mut outside, 2 * at + 1, count).await;
        let connections = outside.connections() - before;
        let url = format!("https://127.0.0.1:{}/in", outside.port);
        // What a mail costs alone is nearly all of what is made of it.
        let call = if channel == "mail" { 0.0 } else { alone_https(&stage.http, &url).await };
        all.push(Counted { channel, of_documents, call, connections });
    }
    let ssh = wanted("sftp").then(|| SshFolder::start(folder)).flatten();
    if let Some(ssh) = ssh {
        stage.put_hook(json!({ "action": format!("{}#{}", ssh.action(), ssh.key()) })).await;
        stage.send(&mut outside, 100, WARM).await;
        let measured = stage.measured(&mut outside, 101, count).await;
        assert_eq!(ssh.files(), count + WARM, "each is there once");
        let connections = ssh.connections();
        let guard = stage.http.guard().clone();
        let call = alone_sftp(guard, &ssh).await;
        all.push(Counted { channel: "sftp", of_documents: measured, call, connections });
    }
    service.stop().await;
    all
}

/// The channels to the web server and to the mail server outside, with what their hooks have.
fn posted(outside: &Outside) -> [(&'static str, Value); 6] {
    let place = format!("127.0.0.1:{}", outside.port);
    let pair = json!({
        "supplier": SENDER, "supplierAccount": "AN01", "buyer": RECEIVER, "buyerAccount": "AN02",
    });
    [
        ("https", json!({ "action": format!("https://{place}/in") })),
        ("cxml", json!({ "action": format!("cxml://{place}/cxml?from=AN-S&to=AN-B#secret") })),
        (
            "tradingnetwork",
            json!({ "action": format!("tradingnetwork://{place}/cxml#secret"),
                    "init": { "relationships": [pair] } }),
        ),
        ("dico", json!({ "action": format!("dico://{place}/dico?applicationId=bench#secret") })),
        (
            "collaboration",
            json!({ "action": format!("collaboration://{place}/in?from=-0003:XC1#secret") }),
        ),
        ("mail", json!({ "action": "mailto:bench@example.org?page=false" })),
    ]
}

/// The service, and who speaks to it.
struct BenchStage<'a> {
    http: HttpClient,
    token: String,
    api: &'a str,
    service: &'a Running,
}

impl BenchStage<'_> {
    async fn put_hook(&self, mut hook: Value) {
        hook["id"] = json!("channel");
        hook["topics"] = json!(["Send*"]);
        let shown = HeaderValue::from_str(&format!("Bearer {}", self.token)).expect("a header");
        let url = format!("{}/api/v1/hook", self.api);
        let call = HttpCall {
            method: Method::PUT,
            headers: vec![
                (AUTHORIZATION, shown),
                (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            ],
            body: Some(Bytes::from(hook.to_string())),
            ..HttpCall::get(&url, PATIENCE, 1 << 20)
        };
        let answer = self.http.call(call).await.expect("an answer");
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    }

    /// Uploads documents and waits until each is delivered.
    async fn send(&self, outside: &mut Outside, run: usize, count: usize) {
        tokio::task::block_in_place(|| outside.upload(self.api, &self.token, run, count));
        let owner: OrganisationId = "sender".parse().expect("an organisation");
        let store = &self.service.parts.store;
        let begun = Instant::now();
        for number in (0..count).rev() {
            let id: DocumentId = id_of(run, number).parse().expect("an id");
            loop {
                let found = store.transaction_of(&owner, Direction::Outgoing, &id).await;
                let found = found.expect("a store").expect("a document").transaction;
                if found.status == Status::Delivered {
                    break;
                }
                assert!(!found.status.is_final(), "{id}: {:?}", found.status);
                assert!(begun.elapsed() < PATIENCE, "{number} documents are not delivered");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// The same, counted.
    async fn measured(&self, outside: &mut Outside, run: usize, count: usize) -> Measured {
        let (all, store) = (processor(""), processor("store"));
        let work = self.service.parts.store.work_done();
        let begun = Instant::now();
        self.send(outside, run, count).await;
        let seconds = begun.elapsed().as_secs_f64();
        let done = self.service.parts.store.work_done().since(&work);
        let each = |before: f64, after: f64| (after - before) * 1_000.0 / count as f64;
        Measured {
            seconds,
            processor: each(all, processor("")),
            store: each(store, processor("store")),
            statements: done.statements as f64 / count as f64,
            commits: done.commits as f64 / count as f64,
        }
    }
}

/// What posting a document costs, in milliseconds of processor time.
async fn alone_https(http: &HttpClient, url: &str) -> f64 {
    alone(|number| async move {
        let call = HttpCall {
            method: Method::POST,
            body: Some(Bytes::from(invoice(number))),
            ..HttpCall::get(url, PATIENCE, 1 << 20)
        };
        assert_eq!(http.call(call).await.expect("an answer").status, 200);
    })
    .await
}

/// What writing a document on the server costs, in milliseconds of processor time.
async fn alone_sftp(guard: quoin_access_point::net::Guard, ssh: &SshFolder) -> f64 {
    let sftp = SftpClient::new(guard, Duration::from_secs(60));
    let action = SftpAction::parse(&ssh.action()).expect("an action");
    let login = SftpLogin::parse(&ssh.key()).expect("a key");
    let (sftp, action, login) = (&sftp, &action, &login);
    alone(|number| async move {
        let (name, bytes) = (format!("alone-{number}.xml"), invoice(number).into_bytes());
        sftp.put(action, login, (&name, &bytes)).await.0.expect("written");
    })
    .await
}

async fn alone<F: Future<Output = ()>>(call: impl Fn(usize) -> F) -> f64 {
    stream::iter(0..AT_A_TIME).map(&call).buffer_unordered(AT_A_TIME).collect::<()>().await;
    let before = processor("");
    let numbers = AT_A_TIME..AT_A_TIME + ALONE;
    stream::iter(numbers).map(&call).buffer_unordered(AT_A_TIME).collect::<()>().await;
    (processor("") - before) * 1_000.0 / ALONE as f64
}

/// What judging an invoice costs, in milliseconds of processor time.
fn judgement() -> f64 {
    let invoice = invoice(1);
    let on = "2026-11-20".parse().expect("a day");
    let judge = || quoin_rules::validate(&quoin_formats::read(invoice.as_bytes()), on).verdict();
    assert_eq!(judge(), quoin_rules::Verdict::Valid);
    let before = processor("");
    for _ in 0..ALONE {
        std::hint::black_box(judge());
    }
    (processor("") - before) * 1_000.0 / ALONE as f64
}

/// Seconds of processor time of this process so far: of the threads whose name begins so, all of
/// them and those that ended where it is empty.
fn processor(name: &str) -> f64 {
    if name.is_empty() {
        return processor_time();
    }
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let named = threads.filter(|thread| {
        let called = std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
        called.starts_with(name)
    });
    named.map(|thread| processor_time_in(&thread.path().join("stat"))).sum()
}
