//! Memory with large documents: two whole services as processes of their own, corner 2 and corner
//! 3, and twenty documents of 20 MB that are uploaded at the same time.
//!
//! ```text
//! idle ── 20 invoices with an attachment ── a minute ── 20 invoices of many lines ── a minute
//! ```
//! Prints what is resident in each service before, at the highest, and when a minute has passed
//! after the last document was delivered, and the processor time that it took. Writes
//! `target/bench/memory.json`. `QUOIN_BENCH_DOCUMENTS` sets how many documents there are,
//! `QUOIN_BENCH_MEGABYTES` how large each is, `QUOIN_BENCH_SECONDS` how long the minute lasts.

#[path = "siege/caller.rs"]
mod caller;
#[path = "../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "gauge/processor.rs"]
#[allow(dead_code, reason = "shared with other benches")]
mod processor;
#[path = "gauge/setting.rs"]
mod setting;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use caller::{Caller, caller};
use process::Service;
use quoin_access_point::clock::Clock;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_lab::lab::sink::ReceivedCall;
use serde_json::{Value, json};
use setting::setting;
use tokio::task::JoinSet;

const SENDER: &str = "0106:10000001";
const RECEIVER: &str = "0106:20000001";
/// How long one upload and the delivery of all may take.
const PATIENCE: Duration = Duration::from_secs(900);
/// When an upload that was told to come again does so.
const AGAIN: Duration = Duration::from_secs(1);
/// How often the highest is looked at.
const PACE: Duration = Duration::from_millis(200);

/// Both services on their network.
struct Scene {
    around: Surroundings,
    services: [(&'static str, Service); 2],
    caller: Caller,
}

/// What is measured.
struct Sizes {
    count: usize,
    bytes: usize,
    pause: Duration,
}

fn main() {
    let sizes = Sizes {
        count: setting("QUOIN_BENCH_DOCUMENTS", 20),
        bytes: setting("QUOIN_BENCH_MEGABYTES", 20) * 1_000_000,
        pause: Duration::from_secs(setting("QUOIN_BENCH_SECONDS", 60) as u64),
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-memory-{}", std::process::id()));
    let rows = runtime.block_on(measured(&folder, &sizes));
    runtime.shutdown_background();
    let _ = std::fs::remove_dir_all(&folder);
    processor::write("memory", &rows);
}

async fn measured(folder: &Path, sizes: &Sizes) -> Vec<Value> {
    let scene = Arc::new(set(folder).await);
    let mut rows = Vec::new();
    tokio::time::sleep(Duration::from_secs(5)).await;
    for (name, service) in &scene.services {
        told(&mut rows, &format!("{name}-idle"), resident(service, "VmRSS:"), "MB");
    }
    for kind in ["attached", "lines"] {
        run(&scene, sizes, kind, &mut rows).await;
    }
    for (_, service) in &scene.services {
        service.stays_up();
    }
    rows
}

/// Sends all documents of a kind, and tells what both services took.
async fn run(scene: &Arc<Scene>, sizes: &Sizes, kind: &'static str, rows: &mut Vec<Value>) {
    for (_, service) in &scene.services {
        // The highest so far is forgotten (proc(5), clear_refs).
        let _ = std::fs::write(format!("/proc/{}/clear_refs", service.pid()), "5");
    }
    let before = scene.services.each_ref().map(|(_, service)| spent(service));
    let (begun, arrived) = (Instant::now(), received(scene));
    let mut uploads = JoinSet::new();
    for number in 0..sizes.count {
        let document = invoice(kind, number, sizes.bytes);
        uploads.spawn(upload(scene.clone(), document));
    }
    let all = uploads.join_all().await;
    let uploaded = begun.elapsed();
    let refused: usize = all.iter().map(|(_, refused)| refused).sum();
    let ids: HashSet<String> = all.into_iter().map(|(id, _)| id).collect();
    delivered(scene, &ids, arrived).await;
    let seconds = begun.elapsed().as_secs_f64();
    let name = |what: &str| format!("{kind}-{what}");
    told(rows, &name("uploaded"), uploaded.as_secs_f64(), "s");
    told(rows, &name("told-to-come-again"), refused as f64, "times");
    told(rows, &name("delivered"), seconds, "s");
    for ((side, service), before) in scene.services.iter().zip(before) {
        told(rows, &name(&format!("{side}-most")), resident(service, "VmHWM:"), "MB");
        told(rows, &name(&format!("{side}-processor")), spent(service) - before, "s");
    }
    tokio::time::sleep(sizes.pause).await;
    for (side, service) in &scene.services {
        told(rows, &name(&format!("{side}-after")), resident(service, "VmRSS:"), "MB");
    }
}

fn told(rows: &mut Vec<Value>, name: &str, value: f64, unit: &str) {
    println!("{name:<32}{value:>10.1} {unit}");
    rows.push(json!({"name": name, "value": value, "unit": unit}));
}

/// A line of what the kernel says of a process, in MB.
fn resident(service: &Service, line: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.pid()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|text| text.strip_prefix(line)).unwrap_or_default();
    let kilobytes = line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or_default();
    kilobytes * 1024.0 / 1e6
}

fn spent(service: &Service) -> f64 {
    processor::processor_time_in(&PathBuf::from(format!("/proc/{}/stat", service.pid())))
}

/// An invoice of so many bytes: most of them an attachment that cannot be compressed, or lines.
fn invoice(kind: &str, number: usize, bytes: usize) -> String {
    let name = format!("MEMORY-{kind}-{number}");
    if kind == "lines" {
        let [few, many] =
            [1, 101].map(|n| document(SampleKind::Invoice, SENDER, RECEIVER, &name, n).len());
        let lines = (bytes - few) * 100 / (many - few);
        // The amounts of later lines are longer.
        return document(SampleKind::Invoice, SENDER, RECEIVER, &name, lines * 97 / 100);
    }
    let mut noise = number as u64 * 2 + 1;
    let file: Vec<u8> = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (noise >> 56) as u8
    })
    .take(bytes / 4 * 3)
    .collect();
    let attachment = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>scan</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"scan.pdf\">{}\
         </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>",
        data_encoding::BASE64.encode(&file)
    );
    let before = "<cac:AccountingSupplierParty>";
    let small = document(SampleKind::Invoice, SENDER, RECEIVER, &name, 2);
    small.replacen(before, &format!("{attachment}{before}"), 1)
}

/// Uploads a document; who is told to come again does. Answers its id, and how often it was told.
async fn upload(scene: Arc<Scene>, document: String) -> (String, usize) {
    let (begun, id) = (Instant::now(), uuid::Uuid::new_v4().to_string());
    let document = bytes::Bytes::from(document);
    let mut refused = 0;
    loop {
        let answer = scene.caller.upload(SENDER, &id, document.clone(), PATIENCE).await;
        // One that was taken before this answer was lost is a repeat.
        match answer {
            Ok(200 | 409) => return (id, refused),
            Ok(503) if begun.elapsed() < PATIENCE => refused += 1,
            other => panic!("an upload came to {other:?}"),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// How many documents were told as received so far.
fn received(scene: &Scene) -> usize {
    let told = scene.around.sink.told();
    told.iter().filter(|told| told.text("topic") == "InvoiceReceived").count()
}

/// Waits until each document was told as sent by one side, and as many as received by the other.
async fn delivered(scene: &Scene, ids: &HashSet<String>, before: usize) {
    let begun = Instant::now();
    loop {
        let told = scene.around.sink.told();
        let of = |topic: &'static str| {
            let own = |told: &&ReceivedCall| ids.contains(told.text("documentId"));
            told.iter().filter(move |told| told.text("topic") == topic).filter(own)
        };
        if let Some(failed) = of("InvoiceSentError").next() {
            panic!("a document failed: {}", failed.payload);
        }
        let (sent, came) = (of("InvoiceSent").count(), received(scene) - before);
        if sent == ids.len() && came == ids.len() {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{sent} were sent and {came} received");
        tokio::time::sleep(PACE).await;
    }
}

async fn set(folder: &Path) -> Scene {
    let around = Surroundings::start(folder, Clock::default()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let customer = |name, id| Customer::new(name, &[id]).expect("customer");
    let (sender, receiver) = (customer("sender", SENDER), customer("receiver", RECEIVER));
    for (participant, smp) in [(SENDER, &one.smp_url), (RECEIVER, &two.smp_url)] {
        around.register(participant, smp).expect("registered");
    }
    let service = |name, point: &LabAccessPoint, customer| {
        let mut config = point.config(&around, customer);
        config.log.filter = "warn".to_owned();
        let service = Service::new(name, config, point.api_url.clone(), folder);
        service.start();
        service
    };
    let services =
        [("sender", service("one", &one, &sender)), ("receiver", service("two", &two, &receiver))];
    let http = around.client().expect("a client");
    let caller = caller(&http, &one.api_url, &sender).await;
    caller::caller(&http, &two.api_url, &receiver).await;
    Scene { around, services, caller }
}
