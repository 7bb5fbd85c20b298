//! What a kind of hook is: how its action begins, and what an event is to it.

use super::ActionKind;

/// What is known of a kind of hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindRow {
    /// The kind.
    pub kind: ActionKind,
    /// How the action begins.
    pub prefix: &'static str,
    /// How texts say that it begins: like that, or in words.
    pub told: &'static str,
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

impl KindRow {
    /// A kind by the beginning of its action and by what an event is to it, with nothing besides.
    pub(crate) const fn new(
        kind: ActionKind,
        prefix: &'static str,
        hearing: SubscriptionMatch,
    ) -> KindRow {
        KindRow {
            kind,
            prefix,
            told: prefix,
            alone: false,
            hearing,
            reports: false,
            only_documents: false,
            is_polled: false,
            clears: false,
        }
    }

    /// A kind that is a channel and nothing else: it is handed documents that are sent, and told
    /// nothing.
    pub(super) const fn of_documents(kind: ActionKind, prefix: &'static str) -> KindRow {
        let row = KindRow::new(kind, prefix, SubscriptionMatch::Nothing);
        KindRow { reports: true, only_documents: true, ..row }
    }

    /// The beginning as pages have it: as code, unless it is told in words.
    pub fn quoted(&self) -> String {
        match self.told == self.prefix {
            true => format!("`{}`", self.prefix),
            false => self.told.to_owned(),
        }
    }
}
