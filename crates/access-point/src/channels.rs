//! The ways in which a document leaves: a folder each, and the table of them. What is known of a
//! channel beforehand, its names and its words, is its row in [`quoin_delivery::channel`].

mod context;
pub mod mail;
mod peppol;
mod run;
mod sftp;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use futures::future::BoxFuture;
use quoin_delivery::calls::HookAnswer;
use quoin_delivery::hook::ActionKind;
use quoin_store::{HookCall, HookTry, Secret};

use crate::lookup::{LookupFailure, ResolvedReceiver};
use crate::mail::Senders;
use crate::net::Guard;
use crate::plan::Plan;
use crate::step::StepFault;

pub use context::ChannelContext;
pub use run::OutboundRun;
pub(crate) use run::{ChannelAttempt, Proven};

/// A way in which a document leaves.
pub trait Channel: Send + Sync {
    /// The kind of hook that is this channel.
    fn kind(&self) -> ActionKind;

    /// The kind of hook by which documents come in the same way; its actions are read by the same.
    fn inbound(&self) -> Option<ActionKind> {
        None
    }

    /// Whether the action of a hook can be used.
    ///
    /// # Errors
    /// What is wrong with it, for whoever wrote it.
    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String>;

    /// What stands behind `#` of an action, where the channel has a use for it.
    ///
    /// # Errors
    /// What is wrong with it, without repeating it.
    fn secret(&self, _text: &str) -> Result<Option<Secret>, String> {
        Ok(None)
    }

    /// What is said of an action without a secret, where there is no doing without one.
    fn lacks_secret(&self) -> Option<String> {
        None
    }

    /// Whether the secret that was given for an action is one for another action, too, so that it
    /// need not be given again.
    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        before == after
    }

    /// One attempt to deliver a document, or the reason why none is made now: what came of it is
    /// noted in `go`.
    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>>;

    /// One try of the call of a hook that is told of an event. None where a call is one over HTTP.
    fn call<'a>(
        &'a self,
        _context: ChannelContext<'a>,
        _call: &'a HookCall,
    ) -> Option<BoxFuture<'a, Result<CallOutcome, StepFault>>> {
        None
    }
}

/// What the action of a hook may name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Addresses that may be called.
    pub guard: Guard,
    /// Whom mail may come from; none where this service sends no mail.
    pub senders: Option<Senders>,
    /// Whether this service is connected to the Polish national system.
    pub ksef: bool,
}

/// What there is to deliver.
pub struct OutboundDelivery<'a> {
    /// Where it goes, and what it is.
    pub plan: &'a Plan,
    /// The channel that was chosen for it.
    pub channel: &'a quoin_delivery::ChannelOption,
    /// The document as it travels.
    pub document: Bytes,
    /// What the look-up of its receiver came to, where one was made already.
    pub found: Option<Result<ResolvedReceiver, LookupFailure>>,
}

/// What came of a call of a hook: for the decision, and for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallOutcome {
    /// What the room `delivery` decides from.
    pub answer: HookAnswer,
    /// What the delivery log keeps.
    pub tried: HookTry,
}

/// Every channel, each with a row in [`quoin_delivery::channel::CHANNELS`].
pub static CHANNELS: &[&dyn Channel] = &[&peppol::Peppol, &mail::MailChannel, &sftp::SftpChannel];

/// The channel that hooks of a kind are; none where they carry no documents.
pub fn of(kind: ActionKind) -> Option<&'static dyn Channel> {
    CHANNELS.iter().copied().find(|channel| channel.kind() == kind)
}

/// Who reads the actions of hooks of a kind: the channel that they are, or the one by which
/// documents come in there.
pub fn reader_of(kind: ActionKind) -> Option<&'static dyn Channel> {
    let inbound = || CHANNELS.iter().copied().find(|channel| channel.inbound() == Some(kind));
    of(kind).or_else(inbound)
}
