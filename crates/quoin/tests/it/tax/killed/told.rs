//! What the customers were told of reports by events, as it comes in.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use quoin_lab::lab::sink::HookReceiver;
use quoin_lab::lab::tax_office::OfficeFault;

use super::fault;
use crate::kill::process::Service;
use crate::tax::apart::{PATIENCE, PAUSE};

/// What was told so far.
pub struct Told<'s> {
    sink: &'s HookReceiver,
    services: [&'s Service; 2],
    read: usize,
    /// The documents whose report has ended, of corner 2 and of corner 3.
    ended: [BTreeSet<String>; 2],
    /// The calls by document and topic: a call that is repeated has the same id.
    calls: BTreeMap<(String, String), BTreeSet<String>>,
    /// When a report ended last.
    moved: Instant,
}

impl<'s> Told<'s> {
    pub fn new(sink: &'s HookReceiver, services: [&'s Service; 2]) -> Told<'s> {
        Told {
            sink,
            services,
            read: 0,
            ended: Default::default(),
            calls: BTreeMap::new(),
            moved: Instant::now(),
        }
    }

    /// Reads what is new.
    fn read(&mut self) {
        let fresh = self.sink.told_after(self.read);
        self.read += fresh.len();
        for told in fresh {
            let topic = told.text("topic").to_owned();
            if !topic.starts_with("TaxReport") {
                continue;
            }
            let is_sender = told.payload["details"]["taxRole"].as_str() == Some("C2");
            let document = told.text("documentId").to_owned();
            if topic != "TaxReportSent"
                && self.ended[usize::from(!is_sender)].insert(document.clone())
            {
                self.moved = Instant::now();
            }
            self.calls.entry((document, topic)).or_default().insert(told.delivery);
        }
    }

    /// Waits until so many reports have ended in each corner, as long as reports end.
    pub async fn wait_for(&mut self, count: usize) {
        self.moved = Instant::now();
        loop {
            self.read();
            let ended = [self.ended[0].len(), self.ended[1].len()];
            if ended.iter().all(|ended| *ended >= count) {
                return;
            }
            assert!(
                self.moved.elapsed() < PATIENCE,
                "of {count} reports {ended:?} have ended\n{}\n{}",
                self.services[0].log(),
                self.services[1].log()
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Each state was told, and once: that it was sent, and what the authority said.
    pub fn check(&mut self, sent: &BTreeMap<usize, String>) {
        self.read();
        assert_eq!(self.ended.each_ref().map(BTreeSet::len), [sent.len(); 2]);
        let twice: Vec<_> = self.calls.iter().filter(|(_, calls)| calls.len() != 1).collect();
        assert!(twice.is_empty(), "told twice: {twice:?}");
        let mut topics: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, topic) in self.calls.keys() {
            *topics.entry(topic).or_default() += 1;
        }
        let refused = |place: &&usize| matches!(fault(**place), Some(OfficeFault::Rejects(_)));
        let rejected = 2 * sent.keys().filter(refused).count();
        let all = 2 * sent.len();
        let expected = BTreeMap::from([
            ("TaxReportAccepted", all - rejected),
            ("TaxReportRejected", rejected),
            ("TaxReportSent", all),
        ]);
        assert_eq!(topics, expected);
        for (place, id) in sent {
            let topic = match refused(&place) {
                true => "TaxReportRejected",
                false => "TaxReportAccepted",
            };
            assert!(self.calls.contains_key(&(id.clone(), topic.to_owned())), "{place}: {topic}");
        }
    }
}
