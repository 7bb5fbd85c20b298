//! A siege: everything that the findings knew how to do at once, beside honest documents, for as
//! long as asked. Two whole services as processes of their own, on loopback; it ends by itself.
//!
//! ```text
//! honest sender ── 50 invoices/s ──► one (under siege) ──► two ── webhook
//! attackers ── idle, slow, bombs, forged AS4, silent issuer, silent receiver, huge ──► one
//! ```
//! `cargo xtask siege [SECONDS]` runs it; it fails where an honest upload was refused, an honest
//! document was lost, memory is over 600 MB or stays after a minute of peace, or the 99th
//! percentile of honest uploads is over 500 ms (in an optimised build: of another one it is told).
//! `QUOIN_SIEGE_RATE` sets the honest documents a second.

mod attack;
mod caller;
mod honest;
#[path = "../../tests/it/kill/process.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "shared with the tests")]
mod process;
#[path = "../gauge/silent.rs"]
mod silent;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use process::Service;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};

/// How long it lasts unless told otherwise.
const SECONDS: u64 = 120;
/// Honest documents a second.
const RATE: u64 = 50;
/// Parties on each honest side.
const PARTIES: usize = 8;
/// The participant whose access point never answers.
const SILENT: &str = "0106:30000001";
/// How long honest documents may take to arrive after the last one.
const ARRIVE: Duration = Duration::from_secs(90);
/// What must hold, the time in an optimised build only.
const P99: Duration = Duration::from_millis(500);
const MEMORY: u64 = 600;
/// What peace leaves of the memory, above what there was before, in MiB, and how soon.
const LEFT_BEHIND: u64 = 100;
const PEACE: Duration = Duration::from_secs(60);

/// What both sides of the siege share.
struct Scene {
    around: Surroundings,
    one: Service,
    two: Service,
    api: String,
    as4: String,
    honest: Customer,
    receiver: Customer,
    hog: Customer,
    ended: AtomicBool,
}

impl Scene {
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

fn main() {
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
    let seconds = number(std::env::args().find(|text| text.parse::<u64>().is_ok()));
    let seconds = Duration::from_secs(seconds.unwrap_or(SECONDS));
    let rate = number(std::env::var("QUOIN_SIEGE_RATE").ok()).unwrap_or(RATE);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-siege-{}", std::process::id()));
    let held = runtime.block_on(siege(&folder, seconds, rate));
    runtime.shutdown_background();
    let _ = std::fs::remove_dir_all(&folder);
    std::process::exit(i32::from(!held));
}

async fn siege(folder: &std::path::Path, seconds: Duration, rate: u64) -> bool {
    let scene = Arc::new(set(folder).await);
    scene.one.start();
    scene.two.start();
    let caller = honest::caller(&scene, &scene.honest).await;
    honest::caller_at(&scene.two.api_url, &scene, &scene.receiver).await;
    let idle = scene.one.resident();
    let memory = tokio::spawn(watch(scene.clone()));
    let attackers = attack::begin(&scene).await;
    let sent = honest::send(&scene, caller, rate, seconds).await;
    scene.ended.store(true, Ordering::Relaxed);
    for attacker in attackers {
        attacker.abort();
    }
    let most = memory.await.unwrap_or(u64::MAX);
    let arrived = honest::arrived(&scene, &sent, ARRIVE).await;
    let after = in_peace(&scene, idle + LEFT_BEHIND).await;
    let ended = tokio::task::block_in_place(|| scene.one.terminate(Duration::from_secs(30)));
    report(&sent, arrived, (idle, most, after), ended)
}

fn report(
    sent: &honest::Sent,
    arrived: usize,
    (idle, most, after): (u64, u64, u64),
    ended: Option<Duration>,
) -> bool {
    let p99 = sent.at(0.99);
    println!("{:<44}{:>10}", "honest documents uploaded", sent.ids.len());
    println!("{:<44}{:>10}", "honest uploads refused or unanswered", sent.refused.len());
    println!("{:<44}{:>10}", "honest documents arrived", arrived);
    println!("{:<44}{:>10.1} ms", "honest upload, median", millis(sent.at(0.5)));
    println!("{:<44}{:>10.1} ms", "honest upload, p99", millis(p99));
    println!("{:<44}{:>10} MiB", "memory before", idle);
    println!("{:<44}{:>10} MiB", "memory at most", most);
    println!("{:<44}{:>10} MiB", "memory after", after);
    println!("{:<44}{:>10.1} s", "SIGTERM to the end", ended.unwrap_or_default().as_secs_f64());
    for (why, count) in sent.reasons() {
        println!("refused {count} times: {why}");
    }
    let checks = [
        ("an honest upload was refused", sent.refused.is_empty()),
        ("an honest document was lost", arrived >= sent.ids.len()),
        ("p99 of honest uploads is over 500 ms", cfg!(debug_assertions) || p99 <= P99),
        ("memory is over 600 MiB", most <= MEMORY),
        ("memory stays after the siege", after <= idle + LEFT_BEHIND),
        ("it did not end when it was told to", ended.is_some()),
    ];
    let broken: Vec<_> = checks.iter().filter(|(_, holds)| !holds).map(|(what, _)| what).collect();
    for what in &broken {
        println!("NOT HELD: {what}");
    }
    broken.is_empty()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The memory that is resident once it is as little as wanted, or [`PEACE`] is over.
async fn in_peace(scene: &Scene, wanted: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let now = scene.one.resident();
        if now <= wanted || begun.elapsed() > PEACE {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The most memory that was resident.
async fn watch(scene: Arc<Scene>) -> u64 {
    let (mut most, begun, mut told) = (0, Instant::now(), 0);
    while !scene.is_over() {
        let now = scene.one.resident();
        most = most.max(now);
        let minute = begun.elapsed().as_secs() / 30;
        if minute > told {
            told = minute;
            println!("{:>5} s: {now} MiB", begun.elapsed().as_secs());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    most
}

async fn set(folder: &std::path::Path) -> Scene {
    let around = Surroundings::start(folder, Clock::default()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let customer = |name: &str, first: usize, count: usize| {
        let ids: Vec<String> = (first..first + count).map(|id| format!("0106:{id}")).collect();
        Customer::new(name, &ids.iter().map(String::as_str).collect::<Vec<_>>()).expect("customer")
    };
    let honest = customer("honest", 10_000_001, PARTIES);
    let receiver = customer("receiver", 20_000_001, PARTIES);
    let hog = customer("hog", 40_000_001, 1);
    let mut config = one.config(&around, &honest);
    config.organisation.extend(one.config(&around, &hog).organisation);
    config.log.filter = "error".to_owned();
    let silent = silent::silent_socket().await;
    let issuer = format!(
        "[[api.issuers]]\nissuer = '{}'\naudience = 'quoin'\njwks_url = 'https://{silent}/keys'\n\
         organisation = '{}'\n[[organisation]]\nid = '{}'\nname = 'Hog'\n",
        attack::ISSUER,
        hog.organisation,
        hog.organisation
    );
    config.api.issuers = Config::parse(&issuer).expect("an issuer").api.issuers;
    let mut other = two.config(&around, &receiver);
    other.organisation.extend(two.config(&around, &customer("silent", 30_000_001, 1)).organisation);
    other.smp.endpoint_exceptions.insert(SILENT.to_owned(), format!("https://{silent}/as4"));
    other.log.filter = "error".to_owned();
    let all = honest.participants.iter().chain(&hog.participants);
    let registered = all.map(|id| (id.clone(), &one.smp_url));
    let others = receiver.participants.iter().cloned().chain([SILENT.to_owned()]);
    for (participant, smp) in registered.chain(others.map(|id| (id, &two.smp_url))) {
        around.register(&participant, smp).expect("registered");
    }
    let (api, as4) = (one.api_url.clone(), one.as4_url.clone());
    let one = Service::new("one", config, api.clone(), folder);
    let two = Service::new("two", other, two.api_url.clone(), folder);
    Scene { around, one, two, api, as4, honest, receiver, hog, ended: AtomicBool::new(false) }
}
