//! The honest side: invoices at an even rate, and whether each of them arrived.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quoin_lab::lab::network::Customer;
use tokio::task::JoinSet;

use super::caller::Caller;
use super::{PARTIES, Scene};

/// What was uploaded.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) ids: HashSet<String>,
    pub(super) refused: Vec<String>,
    times: Vec<Duration>,
}

impl Sent {
    /// The time within which this part of the uploads was answered.
    pub(super) fn at(&self, part: f64) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let index = (times.len() as f64 * part) as usize;
        times.get(index.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// Why uploads were refused, and how often.
    pub(super) fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut all = BTreeMap::new();
        for why in &self.refused {
            *all.entry(why.as_str()).or_default() += 1;
        }
        all
    }
}

pub(super) async fn caller(scene: &Scene, customer: &Customer) -> Caller {
    caller_at(&scene.api, scene, customer).await
}

/// A client of a service, as soon as that answers.
pub(super) async fn caller_at(base: &str, scene: &Scene, customer: &Customer) -> Caller {
    super::caller::caller(&scene.around.client().expect("a client"), base, customer).await
}

/// Uploads invoices at a rate for a time.
pub(super) async fn send(scene: &Arc<Scene>, caller: Caller, rate: u64, seconds: Duration) -> Sent {
    let begun = tokio::time::Instant::now();
    let mut uploads = JoinSet::new();
    let mut sent = Sent::default();
    let count = rate * seconds.as_secs();
    for number in 0..count {
        tokio::time::sleep_until(begun + Duration::from_micros(number * 1_000_000 / rate)).await;
        let at = number as usize % PARTIES;
        let sender = scene.honest.participants[at].clone();
        let receiver = &scene.receiver.participants[at];
        let name = format!("HONEST-{number}");
        let kind = quoin_formats::samples::SampleKind::Invoice;
        let invoice = quoin_formats::samples::document(kind, &sender, receiver, &name, 4);
        let caller = caller.clone();
        uploads.spawn(async move {
            let began = Instant::now();
            let id = uuid::Uuid::new_v4().to_string();
            let answer = caller.upload(&sender, &id, invoice, Duration::from_secs(30)).await;
            (id, answer, began.elapsed())
        });
        while let Some(done) = uploads.try_join_next() {
            sent.note(done.expect("an upload"));
        }
    }
    while let Some(done) = uploads.join_next().await {
        sent.note(done.expect("an upload"));
    }
    sent
}

impl Sent {
    fn note(&mut self, (id, answer, took): (String, Result<u16, String>, Duration)) {
        self.times.push(took);
        match answer {
            Ok(200) => {
                self.ids.insert(id);
            }
            Ok(status) => self.refused.push(format!("status {status}")),
            Err(why) => self.refused.push(why),
        }
    }
}

/// How many of the documents were told as delivered, waiting for the last of them.
pub(super) async fn arrived(scene: &Scene, sent: &Sent, patience: Duration) -> usize {
    let begun = Instant::now();
    loop {
        let told = scene.around.sink.told();
        let delivered: HashSet<&str> = told
            .iter()
            .filter(|told| told.text("topic") == "InvoiceSent")
            .map(|told| told.text("documentId"))
            .collect();
        let arrived = sent.ids.iter().filter(|id| delivered.contains(id.as_str())).count();
        if arrived == sent.ids.len() || begun.elapsed() > patience {
            return arrived;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
