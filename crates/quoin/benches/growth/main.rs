//! The same after a million documents: a service with few documents beside the same with as many
//! as are asked for, which are made from documents that it sent and took itself ([`fill`]).
//!
//! ```text
//! one (measured, 50 organisations, its store is filled) ◄── AS4 ──► two (small)
//! ```
//! Printed with the goal beside each figure: processor time, statements and steps of a document
//! out and in; every list and every other reading call of the interface, health and metrics;
//! uploads quiet, while documents are planned and 100,000 of them dropped by retention, and
//! beside six callers that ask for lists without a pause; what lies on the disk, by table. Writes
//! `target/bench/growth.json` and removes its files.
//!
//! `QUOIN_BENCH_STORED` sets how many documents there are (default 1,000,000),
//! `QUOIN_BENCH_DOCUMENTS` how many are sent each way (default 500), `QUOIN_BENCH_FOLDER` where
//! the files are.

#[path = "../siege/caller.rs"]
mod caller;
mod calls;
mod disk;
mod fill;
mod load;
#[path = "../../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "../gauge/processor.rs"]
#[allow(dead_code, reason = "shared with other benches")]
mod processor;
#[path = "../gauge/setting.rs"]
mod setting;
mod table;

use std::path::Path;
use std::time::{Duration, Instant};

use caller::Caller;
use process::Service;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, ListenerSection};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};

use load::{Cost, Way};
use setting::setting;
use table::Table;

/// Documents of the small store.
const SMALL: usize = 1_000;
/// Organisations of the service that is measured; the first one has half of all documents.
const ORGANISATIONS: usize = 50;
/// Documents of each direction that the others are made like.
const MODELS: usize = 24;
/// How long a start and an end may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Both services and what is around them.
struct Scene {
    around: Surroundings,
    one: Service,
    two: Service,
    config: Config,
    big: Customer,
    peer: Customer,
    monitoring: String,
}

fn main() {
    let stored = setting("QUOIN_BENCH_STORED", 1_000_000).max(SMALL);
    let documents = setting("QUOIN_BENCH_DOCUMENTS", 500);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let place = std::env::var_os("QUOIN_BENCH_FOLDER").map(Into::into);
    let folder = place.unwrap_or_else(std::env::temp_dir);
    let folder = folder.join(format!("quoin-growth-{}", std::process::id()));
    let table = runtime.block_on(grow(&folder, stored, documents));
    runtime.shutdown_background();
    let _ = std::fs::remove_dir_all(&folder);
    processor::write("growth", &table.rows());
    std::process::exit(i32::from(!table.holds()));
}

async fn grow(folder: &Path, stored: usize, documents: usize) -> Table {
    let mut scene = set(folder).await;
    let mut table = Table::new(SMALL, stored);
    let (out, back) = scene.start().await;
    models(&scene, &out, &back).await;
    scene.stop();
    fill::fill(&scene.database(), SMALL);
    let few = measured(&scene, documents, &mut table, false).await;
    println!("filling up to {stored} documents");
    let begun = Instant::now();
    fill::fill(&scene.database(), stored);
    println!("filled within {:.0} s", begun.elapsed().as_secs_f64());
    let many = measured(&scene, documents, &mut table, true).await;
    for ((name, few), (_, many)) in few.iter().zip(&many) {
        table.ratio(&format!("processor, {name}"), "ms", (few.processor, many.processor), 1.1);
        table.ratio(&format!("statements, {name}"), "", (few.statements, many.statements), 1.1);
        table.ratio(&format!("steps, {name}"), "", (few.steps, many.steps), 1.1);
    }
    disturbed(&mut scene, &mut table, stored).await;
    disk::told(&scene.database(), stored);
    table
}

/// A start, documents both ways, every call, an end.
async fn measured(
    scene: &Scene,
    documents: usize,
    table: &mut Table,
    is_large: bool,
) -> Vec<(&'static str, Cost)> {
    let (out, back) = scene.start().await;
    let mut costs = Vec::new();
    let ways = [("out", &out, &scene.big, &scene.peer), ("in", &back, &scene.peer, &scene.big)];
    for (name, caller, from, to) in ways {
        let way = Way::new(caller, from, to);
        load::send(&scene.around, &way, 50).await;
        let mut best: Option<Cost> = None;
        for _ in 0..2 {
            let cost = load::cost(scene, &way, documents, &out).await;
            best = Some(best.map_or(cost, |best: Cost| best.least(cost)));
        }
        costs.extend(best.map(|best| (name, best)));
    }
    let calls = calls::all(&out, scene).await;
    calls::told(&calls, is_large.then_some(&mut *table));
    scene.stop();
    costs
}

/// Uploads beside what disturbs them.
async fn disturbed(scene: &mut Scene, table: &mut Table, stored: usize) {
    // Another period, by which each document is planned anew: those whose time was over while
    // nothing ran are found then, and dropped.
    scene.config.documents.failed_days += 1;
    scene.one =
        Service::new("one", scene.config.clone(), scene.one.api_url.clone(), &scene.around.folder);
    let (out, _) = scene.start().await;
    let way = Way::new(&out, &scene.big, &scene.peer);
    let quiet = load::paced(&way, load::for_seconds(60)).await;
    table.time("upload p99, quiet", quiet.p99(), None);
    let hammered = load::hammered(&way, &scene.big, 6, Duration::from_secs(30)).await;
    table.beside("upload p99, beside six callers of lists", &quiet, &hammered, 3.0);
    let database = scene.database();
    // The sweep begins two minutes after the start.
    let waits = database.clone();
    let before = load::paced(&way, move |_| disk::is_planned(&waits) && disk::over(&waits) == 0);
    let planned = tokio::time::timeout(Duration::from_secs(240), before).await;
    assert!(planned.is_ok(), "the sweep does not begin");
    let watched = database.clone();
    let planning = load::paced(&way, move |_| !disk::is_planned(&watched)).await;
    table.beside("upload p99, while all are planned", &quiet, &planning, 3.0);
    let over = disk::over(&database);
    let watched = database.clone();
    let dropping = load::paced(&way, move |_| disk::over(&watched) > 0).await;
    println!("{over} of {stored} documents were dropped");
    table.beside("upload p99, while retention drops them", &quiet, &dropping, 3.0);
    scene.stop();
}

impl Scene {
    /// Starts both; answers a client of each.
    async fn start(&self) -> (Caller, Caller) {
        self.one.start();
        self.two.start();
        let http = self.around.client().expect("a client");
        let one = caller::caller(&http, &self.one.api_url, &self.big).await;
        (one, caller::caller(&http, &self.two.api_url, &self.peer).await)
    }

    fn stop(&self) {
        for service in [&self.one, &self.two] {
            let ended = tokio::task::block_in_place(|| service.terminate(PATIENCE));
            assert!(ended.is_some(), "it ends when it is told to\n{}", service.log());
        }
    }

    fn database(&self) -> std::path::PathBuf {
        self.config.data_dir.join("quoin.db")
    }
}

/// The documents that the others are made like: sent, taken, failed and rejected.
async fn models(scene: &Scene, out: &Caller, back: &Caller) {
    load::send(&scene.around, &Way::new(out, &scene.big, &scene.peer), MODELS).await;
    load::send(&scene.around, &Way::new(back, &scene.peer, &scene.big), MODELS).await;
    load::failing(out, &scene.big).await;
    load::settled(out, &scene.monitoring).await;
}

async fn set(folder: &Path) -> Scene {
    let around = Surroundings::start(folder, Clock::default()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let customer = |name: &str, id: usize| {
        Customer::new(name, &[format!("0106:{id}").as_str()]).expect("customer")
    };
    let (big, peer) = (customer("big", 10_000_000), customer("peer", 20_000_000));
    let mut config = one.config(&around, &big);
    for number in 1..ORGANISATIONS {
        let other = customer(&format!("small{number}"), 30_000_000 + number);
        config.organisation.extend(one.config(&around, &other).organisation);
    }
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address");
    drop(free);
    config.listen.metrics = Some(ListenerSection { address, ..ListenerSection::default() });
    let mut other = two.config(&around, &peer);
    for config in [&mut config, &mut other] {
        config.log.filter = "warn".to_owned();
    }
    for (id, smp) in [(&big.participants, &one.smp_url), (&peer.participants, &two.smp_url)] {
        around.register(&id[0], smp).expect("registered");
    }
    let monitoring = format!("http://{address}/metrics");
    let first = Service::new("one", config.clone(), one.api_url, folder);
    let second = Service::new("two", other, two.api_url, folder);
    Scene { around, one: first, two: second, config, big, peer, monitoring }
}
