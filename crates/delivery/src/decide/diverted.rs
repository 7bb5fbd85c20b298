//! A document takes another channel than before: its own failed, or is there no more.

use std::collections::BTreeMap;

use super::{Decision, DecisionContext, put};
use crate::channel;
use crate::decision::TaskKind;
use crate::topics::Topic;
use crate::transaction::NextChannel;

impl DecisionContext<'_> {
    /// The channel is done for, and this one comes after it.
    pub(super) fn diverted(
        &self,
        next: &NextChannel,
        code: &str,
        message: &str,
        mut details: BTreeMap<String, String>,
    ) -> Decision {
        put(&mut details, "channel", &next.id);
        let line = format!("{message} The document takes the channel {} instead.", next.id);
        let mut draft = self
            .next(self.tx.status)
            .line("Fallback", &line)
            .notice(self.fallback(), message, details.clone())
            .outputs(code, message, &details);
        draft.decision.channel = Some(next.hook.clone());
        draft.decision.attempts_before = self.tx.attempts;
        draft.task(TaskKind::Route, self.now)
    }

    /// It has another channel by now than the one that it was to take.
    pub(super) fn rerouted(&self, channel: &str) -> Decision {
        let line = format!(
            "The channel that the document was to take is off or gone: it takes the channel \
             {channel} instead."
        );
        self.next(self.tx.status).line("Fallback", &line).task(TaskKind::Route, self.now)
    }

    /// What the network publishes when it could not deliver; no other channel does.
    pub(super) fn fallback(&self) -> Option<Topic> {
        let network = self.tx.way.kind.is_none_or(channel::is_network);
        self.tx.family.commands().filter(|_| network).map(|commands| commands.fallback)
    }
}
