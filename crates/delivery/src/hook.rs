//! What a hook is: what its action asks for, what it hears and what it publishes (conventions A9).
//! What becomes of its calls is in [`crate::calls`].

use serde::{Deserialize, Serialize};

use crate::topics::{Topic, TopicPattern};

mod batch;

pub use batch::{BATCH_BYTES, BatchError, BatchPlan, LONGEST_PERIOD};

/// How often one event may lead to another one through the output of hooks.
pub const DEPTH: u32 = 8;

/// What the action of a hook is; a row of [`KINDS`] each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// An https address: events are told to it, and documents are posted to it.
    Web,
    /// A mail address.
    Mail,
    /// A folder on an SFTP server.
    Sftp,
    /// A folder on an SFTP server that is looked at for documents to send.
    SftpFrom,
    /// A mailbox from which documents to send are taken.
    MailFrom,
    /// A procurement network that takes messages of cXML.
    Cxml,
    /// A procurement network of accounts, where each supplier has a relationship with each buyer.
    TradingNetwork,
    /// The DICO network of building and installation in the Netherlands.
    Dico,
    /// A platform on which companies work together.
    Collaboration,
    /// Events are collected and their documents zipped.
    Batch,
    /// The network itself.
    Peppol,
    /// The national system of Poland, which registers the invoices of its party before they leave.
    Ksef,
}

/// One row of [`KINDS`].
#[derive(Debug, Clone, Copy)]
pub struct KindRow {
    /// The kind.
    pub kind: ActionKind,
    /// How the action begins.
    pub prefix: &'static str,
    /// Whether the action is nothing but that.
    pub alone: bool,
    /// What an event is to it, where it listens to its topic.
    pub hearing: SubscriptionMatch,
    /// Whether what becomes of its calls is told as `HookSent…`. Of that it is told nothing.
    pub reports: bool,
    /// Whether it takes documents only: those that are sent through it, and those that arrived
    /// where it is called.
    pub only_documents: bool,
    /// Whether it is a place of a party that is looked at for documents to send. Its topics say
    /// which kinds are taken, and it is told of nothing.
    pub is_polled: bool,
    /// Whether it is an authority that registers the invoices of its party before they leave.
    pub clears: bool,
}

/// Every kind of hook by the beginning of its action. Which of them carry documents is said by
/// [`CHANNELS`](crate::channel::CHANNELS).
pub const KINDS: &[KindRow] = &[
    KindRow { prefix: "https://", ..row(ActionKind::Web, SubscriptionMatch::Call) },
    KindRow { prefix: "mailto:", reports: true, ..row(ActionKind::Mail, SubscriptionMatch::Call) },
    KindRow {
        prefix: "sftp://",
        reports: true,
        only_documents: true,
        ..row(ActionKind::Sftp, SubscriptionMatch::Call)
    },
    KindRow {
        prefix: "sftpfrom://",
        is_polled: true,
        ..row(ActionKind::SftpFrom, SubscriptionMatch::Nothing)
    },
    KindRow {
        prefix: "mailfrom://",
        is_polled: true,
        ..row(ActionKind::MailFrom, SubscriptionMatch::Nothing)
    },
    channel(ActionKind::Cxml, "cxml://"),
    channel(ActionKind::TradingNetwork, "tradingnetwork://"),
    channel(ActionKind::Dico, "dico://"),
    channel(ActionKind::Collaboration, "collaboration://"),
    KindRow { prefix: "batch://zip", ..row(ActionKind::Batch, SubscriptionMatch::Collect) },
    KindRow {
        prefix: "peppol",
        alone: true,
        ..row(ActionKind::Peppol, SubscriptionMatch::Nothing)
    },
    KindRow {
        prefix: "ksef",
        alone: true,
        clears: true,
        ..row(ActionKind::Ksef, SubscriptionMatch::Nothing)
    },
];

/// A kind that is a channel and nothing else: it is handed documents that are sent, and told
/// nothing.
const fn channel(kind: ActionKind, prefix: &'static str) -> KindRow {
    KindRow { prefix, reports: true, only_documents: true, ..row(kind, SubscriptionMatch::Nothing) }
}

const fn row(kind: ActionKind, hearing: SubscriptionMatch) -> KindRow {
    KindRow {
        kind,
        prefix: "",
        alone: false,
        hearing,
        reports: false,
        only_documents: false,
        is_polled: false,
        clears: false,
    }
}

/// What an event is to a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionMatch {
    /// A call is owed.
    Call,
    /// It goes into the hook's batch.
    Collect,
    /// Nothing.
    Nothing,
}

impl ActionKind {
    /// The kind of an action. An address over plain HTTP is a webhook, where the guard allows it.
    pub fn of(action: &str) -> Option<ActionKind> {
        if action.starts_with("http://") {
            return Some(ActionKind::Web);
        }
        let whole = |row: &&KindRow| !row.alone || action == row.prefix;
        KINDS.iter().filter(|row| action.starts_with(row.prefix)).find(whole).map(|row| row.kind)
    }

    fn row(self) -> Option<&'static KindRow> {
        KINDS.iter().find(|row| row.kind == self)
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
