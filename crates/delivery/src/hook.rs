//! What a hook is: what its action asks for, what it hears and what it publishes (conventions A9).
//! What becomes of its calls is in [`crate::calls`].

use serde::{Deserialize, Serialize};

use crate::channel::CHANNELS;
use crate::topics::{Topic, TopicPattern};

mod batch;

pub use crate::channel::{ActionKind, KindRow, SubscriptionMatch};
pub use batch::{BATCH_BYTES, BatchError, BatchPlan, LONGEST_PERIOD};

/// How often one event may lead to another one through the output of hooks.
pub const DEPTH: u32 = 8;
/// Events about a document beyond which hooks publish no more: those of several hooks lead to each
/// other, and each to several.
pub const PUBLISHED: u64 = 100;

/// The kinds that are no channels.
const OTHERS: &[KindRow] = &[
    KindRow {
        is_polled: true,
        ..KindRow::new(ActionKind::SftpFrom, "sftpfrom://", SubscriptionMatch::Nothing)
    },
    KindRow {
        is_polled: true,
        ..KindRow::new(ActionKind::MailFrom, "mailfrom://", SubscriptionMatch::Nothing)
    },
    KindRow::new(ActionKind::Batch, "batch://zip", SubscriptionMatch::Collect),
    KindRow {
        alone: true,
        clears: true,
        ..KindRow::new(ActionKind::Ksef, "ksef", SubscriptionMatch::Nothing)
    },
];

/// Every kind of hook: those that carry documents, which are [`CHANNELS`], and the others.
pub fn kinds() -> impl Iterator<Item = &'static KindRow> {
    CHANNELS.iter().map(|channel| &channel.hook).chain(OTHERS)
}

/// How actions of some kinds begin, as a sentence lists them: in the order of [`ActionKind`], with
/// a word before the last one.
pub fn listed<'k>(
    kinds: impl Iterator<Item = &'k KindRow>,
    word: &str,
    say: fn(&KindRow) -> String,
) -> String {
    let mut kinds: Vec<&KindRow> = kinds.collect();
    kinds.sort_by_key(|row| row.kind);
    let said: Vec<String> = kinds.into_iter().map(say).collect();
    match said.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} {word} {last}", before.join(", "))
        }
        _ => said.concat(),
    }
}

impl ActionKind {
    /// The kind of an action. An address over plain HTTP is a webhook, where the guard allows it.
    pub fn of(action: &str) -> Option<ActionKind> {
        if action.starts_with("http://") {
            return Some(ActionKind::Web);
        }
        let whole = |row: &&KindRow| !row.alone || action == row.prefix;
        kinds().filter(|row| action.starts_with(row.prefix)).find(whole).map(|row| row.kind)
    }

    fn row(self) -> Option<&'static KindRow> {
        kinds().find(|row| row.kind == self)
    }

    /// Whether it is called with each event that it is told, so that calls can be made again.
    pub fn is_called(self) -> bool {
        self.row().is_some_and(|row| row.hearing == SubscriptionMatch::Call)
    }

    /// Whether it is a place that is looked at for documents to send.
    pub fn is_polled(self) -> bool {
        self.row().is_some_and(|row| row.is_polled)
    }

    /// Whether it is an authority that registers the invoices of its party before they leave.
    pub fn clears(self) -> bool {
        self.row().is_some_and(|row| row.clears)
    }

    /// Whether what becomes of its calls is told as `HookSent…`.
    pub fn reports(self) -> bool {
        self.row().is_some_and(|row| row.reports)
    }

    /// Whether a hook of this kind has a use for a topic: as a channel, or as what it is told.
    pub fn can_use(self, topic: Topic) -> bool {
        match self.row() {
            Some(row) if row.only_documents => {
                let is_told = row.hearing == SubscriptionMatch::Call;
                topic.verb() == Some("Send") || is_told && topic.brings_a_document()
            }
            Some(row) if row.is_polled => {
                crate::topics::COMMANDS.iter().any(|commands| commands.send == topic)
            }
            // It registers what is sent, and is asked for what others sent to its party.
            Some(row) if row.clears => {
                [Topic::CLEAR_INVOICE_BATCHED, Topic::RECEIVE_INVOICE].contains(&topic)
            }
            Some(row) if row.hearing == SubscriptionMatch::Collect => topic.batched().is_some(),
            _ => true,
        }
    }

    /// What an event is to a hook of this kind that listens with these patterns. A question whether
    /// hooks are reached goes to all that can answer. Nobody is told of a document that is on its
    /// way: channels are handed it; and of a mail no mail is sent.
    pub fn hears(self, topics: &[TopicPattern], topic: Topic) -> SubscriptionMatch {
        if topic == Topic::PING {
            return if self.is_called() {
                SubscriptionMatch::Call
            } else {
                SubscriptionMatch::Nothing
            };
        }
        let Some(row) = self.row() else { return SubscriptionMatch::Nothing };
        if !topics.iter().any(|pattern| pattern.matches(topic)) {
            return SubscriptionMatch::Nothing;
        }
        let on_its_way = topic.verb() == Some("Send");
        if on_its_way || (row.only_documents && !topic.brings_a_document()) {
            return SubscriptionMatch::Nothing;
        }
        let of_calls = matches!(topic, Topic::HOOK_SENT | Topic::HOOK_SENT_RETRY)
            || topic == Topic::HOOK_SENT_ERROR;
        match row.hearing {
            SubscriptionMatch::Call if row.reports && of_calls => SubscriptionMatch::Nothing,
            SubscriptionMatch::Collect if topic.batched().is_none() => SubscriptionMatch::Nothing,
            hearing => hearing,
        }
    }
}

/// A topic that is published when a hook's own processing ends with a status code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The status code as text: `200`, a class such as `5xx`, or `*`.
    pub when: String,
    /// The topic.
    pub topic: Topic,
}

/// The topics that a hook publishes when it ends with this status code, in their order.
pub fn published<'a>(output: &'a [Output], code: &'a str) -> impl Iterator<Item = Topic> + 'a {
    output.iter().filter(move |row| covers(&row.when, code)).map(|row| row.topic)
}

fn covers(when: &str, code: &str) -> bool {
    let class = when.strip_suffix("xx").filter(|class| class.len() == 1);
    when == "*" || when == code || class.is_some_and(|class| code.starts_with(class))
}

#[cfg(test)]
mod tests;
