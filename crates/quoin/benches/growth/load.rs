//! Documents that are uploaded: all at once to see what they cost, or at an even rate to see how
//! long an upload takes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quoin_access_point::net::HttpCall;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{Customer, Surroundings};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::Scene;
use super::caller::Caller;
use super::calls;
use super::processor::processor_time_in;

/// Uploads in flight.
const UPLOADS: usize = 16;
/// Uploads a second, where their time is looked at.
const RATE: u64 = 20;
/// How long an upload may take, and how long documents may be on their way.
const PATIENCE: Duration = Duration::from_secs(300);

/// Numbers of invoices, each another one.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// From whom to whom, and who uploads.
#[derive(Clone)]
pub(super) struct Way {
    caller: Caller,
    from: String,
    to: String,
}

impl Way {
    pub(super) fn new(caller: &Caller, from: &Customer, to: &Customer) -> Way {
        let first = |of: &Customer| of.participants[0].clone();
        Way { caller: caller.clone(), from: first(from), to: first(to) }
    }

    async fn upload(self) -> Duration {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("GROWTH-{number}");
        let invoice = document(SampleKind::Invoice, &self.from, &self.to, &name, 16);
        let id = uuid::Uuid::new_v4().to_string();
        let begun = Instant::now();
        let status = self.caller.upload(&self.from, &id, invoice, PATIENCE).await;
        assert_eq!(status, Ok(200));
        begun.elapsed()
    }
}

/// Sends so many, and waits until both sides have told of each.
pub(super) async fn send(around: &Surroundings, way: &Way, count: usize) {
    let before = around.sink.count();
    let places = Arc::new(Semaphore::new(UPLOADS));
    let mut uploads = JoinSet::new();
    for _ in 0..count {
        let place = places.clone().acquire_owned().await.expect("open");
        let way = way.clone();
        uploads.spawn(async move {
            way.upload().await;
            drop(place);
        });
    }
    uploads.join_all().await;
    let begun = Instant::now();
    while around.sink.count() < before + 2 * count {
        assert!(begun.elapsed() < PATIENCE, "{} of {count}", around.sink.count() - before);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// One to a receiver that is not registered, and one that is no valid invoice.
pub(super) async fn failing(caller: &Caller, from: &Customer) {
    let sender = &from.participants[0];
    let invoice = |to: &str, number: &str| document(SampleKind::Invoice, sender, to, number, 16);
    let unknown = bytes::Bytes::from(invoice("0106:99999999", "GROWTH-UNKNOWN"));
    let wrong = invoice("0106:20000000", "GROWTH-WRONG");
    let wrong = wrong.replace(">EUR<", ">XXQ<");
    for bytes in [unknown, bytes::Bytes::from(wrong)] {
        let id = uuid::Uuid::new_v4().to_string();
        assert_eq!(caller.upload(sender, &id, bytes, PATIENCE).await, Ok(200));
    }
}

/// Waits until nothing is due or in hand, as monitoring tells.
pub(super) async fn settled(caller: &Caller, monitoring: &str) {
    let begun = Instant::now();
    loop {
        let page = read(caller, monitoring).await;
        let busy = page.lines().any(|line| {
            let is_now = line.contains("state=\"due\"") || line.contains("state=\"claimed\"");
            line.starts_with("quoin_tasks{") && is_now && !line.ends_with(" 0")
        });
        if !busy {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{page}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn read(caller: &Caller, url: &str) -> String {
    let call = HttpCall::get(url, PATIENCE, 1 << 24);
    let answer = caller.http.call(call).await.expect("an answer");
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// What a document costs the service.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    /// Milliseconds.
    pub(super) processor: f64,
    pub(super) statements: f64,
    pub(super) steps: f64,
}

impl Cost {
    /// The lesser of each.
    pub(super) fn least(self, other: Cost) -> Cost {
        Cost {
            processor: self.processor.min(other.processor),
            statements: self.statements.min(other.statements),
            steps: self.steps.min(other.steps),
        }
    }
}

/// Sends so many and answers what one of them cost the service that is measured.
pub(super) async fn cost(scene: &Scene, way: &Way, count: usize, monitor: &Caller) -> Cost {
    settled(monitor, &scene.monitoring).await;
    let stat = format!("/proc/{}/stat", scene.one.pid());
    let look = async || {
        let page = read(monitor, &scene.monitoring).await;
        let work = |what: &str| {
            let name = format!("quoin_store_work_total{{what=\"{what}\"}} ");
            let value = page.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok());
            value.unwrap_or(f64::NAN)
        };
        [processor_time_in(Path::new(&stat)) * 1000.0, work("statements"), work("steps")]
    };
    let before = look().await;
    send(&scene.around, way, count).await;
    let after = look().await;
    let each = |at: usize| (after[at] - before[at]) / count as f64;
    Cost { processor: each(0), statements: each(1), steps: each(2) }
}

/// How long uploads took, in order.
pub(super) struct Times(Vec<Duration>);

impl Times {
    pub(super) fn p99(&self) -> Duration {
        let at = (self.0.len() as f64 * 0.99) as usize;
        self.0.get(at.min(self.0.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// Milliseconds.
    pub(super) fn most(&self) -> f64 {
        self.0.last().copied().unwrap_or_default().as_secs_f64() * 1000.0
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

/// Goes on for so long.
pub(super) fn for_seconds(seconds: u64) -> impl FnMut(Duration) -> bool {
    move |elapsed| elapsed < Duration::from_secs(seconds)
}

/// Uploads at an even rate as long as `goes_on` says, which is asked now and then.
pub(super) async fn paced(way: &Way, mut goes_on: impl FnMut(Duration) -> bool) -> Times {
    let begun = tokio::time::Instant::now();
    let mut uploads = JoinSet::new();
    for number in 0_u64.. {
        tokio::time::sleep_until(begun + Duration::from_micros(number * 1_000_000 / RATE)).await;
        if number % (RATE / 4) == 0 && !tokio::task::block_in_place(|| goes_on(begun.elapsed())) {
            break;
        }
        uploads.spawn(way.clone().upload());
    }
    let mut times = uploads.join_all().await;
    times.sort_unstable();
    Times(times)
}

/// Uploads beside so many callers that ask for lists without a pause.
pub(super) async fn hammered(way: &Way, of: &Customer, callers: usize, lasting: Duration) -> Times {
    let over = Arc::new(AtomicBool::new(false));
    let asked = Arc::new(AtomicUsize::new(0));
    let urls = Arc::new(calls::lists(&way.caller.base, &of.participants[0]));
    let mut hammering = JoinSet::new();
    for first in 0..callers {
        let (over, asked, urls) = (over.clone(), asked.clone(), urls.clone());
        let caller = way.caller.clone();
        hammering.spawn(async move {
            for (_, url) in urls.iter().cycle().skip(first * 3) {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                calls::ask(&caller, url).await;
                asked.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let times = paced(way, for_seconds(lasting.as_secs())).await;
    over.store(true, Ordering::Relaxed);
    hammering.join_all().await;
    let rate = asked.load(Ordering::Relaxed) as f64 / lasting.as_secs_f64();
    println!("six callers asked for {rate:.0} lists a second");
    times
}
