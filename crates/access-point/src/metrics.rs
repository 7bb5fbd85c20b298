//! What the service counts about itself, for an operator's monitoring.
//!
//! ```text
//! a room: metrics.as4_sent.add(Sent::Delivered)  ──►  GET /metrics: quoin_as4_sent_total{…} 1
//! ```
//! Counters live in memory and begin at 0 with the process, as the text format of Prometheus has
//! it. The values of a label are an enum of this module, or the coordinates of rule sets, which
//! their publishers and the operator name: no label ever holds what is of a customer, a party or a
//! document, so that the page tells no tenant about another and its size is bounded.

mod cells;
mod door;
#[cfg(test)]
mod tests;
mod text;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use quoin_delivery::channel::PROTOCOLS;
use quoin_rules::{Report, Verdict};

pub use cells::{Counter, CountsByName, Histogram, Label, NamedCounts};
pub use door::Scrape;
use text::MetricFamily;

/// Lines of the log that could not be written: the log belongs to the process, not to a service in
/// it.
pub static LOST_LOG_LINES: AtomicU64 = AtomicU64::new(0);

/// Declares the values of a label and their words.
macro_rules! label {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl Label for $name {
            const ALL: &'static [(Self, &'static str)] = &[$(($name::$value, $word)),+];

            fn at(self) -> usize {
                self as usize
            }
        }
    };
}

label! {
    /// What was said of a document.
    DocumentVerdict {
        /// No rule that stops it is broken.
        Accepted = "accepted",
        /// No rule set that is here judges such a document.
        NotJudged = "not_judged",
        /// It is wrong.
        Refused = "refused",
    }
}

label! {
    /// What an attempt to send a document came to.
    Sent {
        /// The other side took it; over AS4 its receipt verified.
        Delivered = "delivered",
        /// It failed for now and is tried again, as far as the schedule goes.
        Later = "later",
        /// It is refused for good.
        Never = "never",
    }
}

label! {
    /// What a step of a document on its way out came to, whatever its channel.
    Outgoing {
        /// The receiver's side has it.
        Delivered = "delivered",
        /// It is wrong, and was not sent.
        Rejected = "rejected",
        /// It is given up: nobody is found, refused, or not reached in time.
        Failed = "failed",
        /// It failed for now and is tried again.
        Retried = "retried",
    }
}

label! {
    /// What an AS4 message that came to us came to.
    Received {
        /// It is stored and has its receipt.
        Accepted = "accepted",
        /// It was stored before and has its receipt again.
        Repeated = "repeated",
        /// A test of the connection.
        Ping = "ping",
        /// It is answered with an error that tells what is wrong with it.
        Refused = "refused",
        /// We could not take it for now; the sender tries again.
        Failed = "failed",
    }
}

label! {
    /// What a call of a hook came to.
    Called {
        /// The event was taken.
        Delivered = "delivered",
        /// It is called again later.
        Retried = "retried",
        /// It is given up.
        Stopped = "stopped",
    }
}

label! {
    /// What a mail came to that was found in a mailbox.
    Mailed {
        /// It brought a document, which is recorded.
        Taken = "taken",
        /// It brought nothing that can be sent, or is from somebody who may not send.
        Refused = "refused",
        /// It says that a mail of ours was not delivered.
        Bounced = "bounced",
        /// It says that a mail of ours is late.
        Delayed = "delayed",
        /// It came where mail comes back to, and is about none of ours.
        Unmatched = "unmatched",
    }
}

label! {
    /// What a comparison of what is published with what should be came to.
    Compared {
        /// Whatever was missing is published now.
        Done = "done",
        /// The store did not answer.
        Failed = "failed",
    }
}

/// The counters of one service.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Documents that were judged: sent, received, or validated through the interface.
    pub documents: Counter<DocumentVerdict>,
    /// How long judging a document took.
    pub validation: Histogram,
    /// Rules on which the built-in engine and the official files did not agree, by rule set.
    pub differences: NamedCounts,
    /// Documents on their way out: ends, and attempts that failed for now.
    pub outgoing: Counter<Outgoing>,
    /// Attempts to deliver, by the protocol of their channel.
    pub channel_attempts: CountsByName<Sent>,
    /// Attempts to send by AS4.
    pub as4_sent: Counter<Sent>,
    /// Messages at the AS4 door.
    pub as4_received: Counter<Received>,
    /// Calls of hooks, mail and batches included.
    pub hook_calls: Counter<Called>,
    /// Mails that were found in mailboxes, those included that came back.
    pub mails: Counter<Mailed>,
    /// Comparisons of what is published with what should be.
    pub comparisons: Counter<Compared>,
    /// Alarms that were raised, by code.
    pub alarms: NamedCounts,
}

impl Metrics {
    /// Counts a report, and the time it took to make it.
    pub fn judged(&self, report: &Report, took: Option<Duration>) {
        self.documents.add(match report.verdict() {
            Verdict::Valid | Verdict::Unroutable => DocumentVerdict::Accepted,
            Verdict::NotJudged => DocumentVerdict::NotJudged,
            Verdict::NotValid => DocumentVerdict::Refused,
        });
        took.into_iter().for_each(|took| self.validation.observe(took));
        for found in &report.differences {
            self.differences.add(&found.rule_set);
        }
    }

    fn by_channel(&self) -> Vec<(Vec<(&'static str, String)>, f64)> {
        let values = self.channel_attempts.values(PROTOCOLS).into_iter();
        let line = |(channel, outcome, count): (&str, String, u64)| {
            (vec![("channel", channel.to_owned()), ("outcome", outcome)], count as f64)
        };
        values.map(line).collect()
    }

    /// The table of what is counted: name, meaning, label, values.
    fn families(&self) -> Vec<MetricFamily> {
        vec![
            MetricFamily::counter(
                "quoin_documents_judged_total",
                "Documents that were validated, by verdict.",
                "verdict",
                self.documents.values(),
            ),
            MetricFamily::histogram(
                "quoin_validation_seconds",
                "Time to validate a document that was sent or received.",
                &self.validation,
            ),
            MetricFamily::counter(
                "quoin_engine_differences_total",
                "Rules on which built-in and official rules did not agree, by rule set.",
                "rule_set",
                self.differences.values(),
            ),
            MetricFamily::counter(
                "quoin_documents_outgoing_total",
                "Documents on their way out: how they ended, and attempts that failed for now.",
                "outcome",
                self.outgoing.values(),
            ),
            MetricFamily::counters(
                "quoin_channel_attempts_total",
                "Attempts to deliver a document, by channel and outcome.",
                self.by_channel(),
            ),
            MetricFamily::counter(
                "quoin_as4_sent_total",
                "Attempts to send a document by AS4, by outcome.",
                "outcome",
                self.as4_sent.values(),
            ),
            MetricFamily::counter(
                "quoin_as4_received_total",
                "Messages that came to the AS4 door, by outcome.",
                "outcome",
                self.as4_received.values(),
            ),
            MetricFamily::counter(
                "quoin_hook_calls_total",
                "Calls of hooks, by outcome.",
                "outcome",
                self.hook_calls.values(),
            ),
            MetricFamily::counter(
                "quoin_mails_read_total",
                "Mails that were found in mailboxes, by what they came to.",
                "outcome",
                self.mails.values(),
            ),
            MetricFamily::counter(
                "quoin_publication_comparisons_total",
                "Comparisons of what is published with what should be, by outcome.",
                "outcome",
                self.comparisons.values(),
            ),
            MetricFamily::counter(
                "quoin_alarms_total",
                "Alarms that were raised, by code.",
                "code",
                self.alarms.values(),
            ),
        ]
    }
}
