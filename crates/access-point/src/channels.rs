//! The ways in which a document leaves: a folder each, and the table of them. What is known of a
//! channel beforehand is its row in [`quoin_delivery::channel`].

mod collaboration;
mod context;
mod cxml;
mod dico;
mod handed;
mod https;
pub mod mail;
mod manual;
mod peppol;
mod posted;
mod queue;
mod run;
mod sftp;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bytes::Bytes;
use futures::future::BoxFuture;
use quoin_delivery::hook::ActionKind;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Hook, HookCall, Secret};
use serde_json::Value;

use crate::lookup::{LookupFailure, ResolvedReceiver};
use crate::mail::Senders;
use crate::net::Guard;
use crate::plan::{CarriedForm, Plan};
use crate::step::StepFault;

pub use crate::step::CallOutcome;
pub use context::ChannelContext;
pub use manual::{ChannelManual, ChannelNeed};
pub(crate) use peppol::{SentAs, may_have_arrived, unroutable};
pub use queue::DestinationQueue;
pub use run::OutboundRun;
pub(crate) use run::{ChannelAttempt, Proven};

/// A way in which a document leaves.
pub trait Channel: Send + Sync {
    /// The kind of hook that is this channel.
    fn kind(&self) -> ActionKind;

    /// What is to be known of it before it is used.
    fn manual(&self) -> &'static ChannelManual;

    /// The kind of hook by which documents come in the same way; its actions are read by the same.
    fn inbound(&self) -> Option<ActionKind> {
        None
    }

    /// The form in which it carries documents; as they were uploaded where it is none.
    fn carries(&self) -> Option<CarriedForm> {
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
    fn secret(&self, _action: &str, _text: &str) -> Result<Option<Secret>, String> {
        Ok(None)
    }

    /// What is said of an action without a secret, where there is no doing without one.
    fn lacks_secret(&self, _action: &str) -> Option<String> {
        None
    }

    /// What is said of a secret behind `#` where the `init` has another way to log in, so that
    /// there is no use for one; none where there is none.
    fn needs_no_secret(&self, _action: &str, _init: &Value) -> Option<String> {
        None
    }

    /// Whether the secret that was given for an action is one for another action, too, so that it
    /// need not be given again.
    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        before == after
    }

    /// Whether a hook reaches the receiver of a document, as far as that can be told before it is
    /// sent: one that does not is passed over for the next channel.
    ///
    /// # Errors
    /// Why it does not, as the beginning of a sentence.
    fn reaches(&self, _hook: &Hook, _way: &AskedWay<'_>) -> Result<(), String> {
        Ok(())
    }

    /// Whether a document that has the form of the channel goes by a hook as it is, where only the
    /// document tells.
    ///
    /// # Errors
    /// Why it does not, as the beginning of a sentence.
    fn takes(&self, _hook: &Hook, _ends: ChannelEnds<'_>, _document: &[u8]) -> Result<(), String> {
        Ok(())
    }

    /// Where a hook sends documents to, and what it shows there, by name and never by value.
    ///
    /// # Errors
    /// Why nothing could be sent by it as it is.
    fn place(&self, hook: &Hook) -> Result<ChannelPlace, String> {
        let destination = hook.action.split('?').next().unwrap_or_default().to_owned();
        Ok(ChannelPlace { destination, credentials: Vec::new() })
    }

    /// Whether a hook leads to the address that an attempt was made at; none where its action does
    /// not tell who is there, so that nothing but its id does. `named` is the mail address that the
    /// document names for its recipient.
    fn leads_to(&self, _hook: &Hook, _tried: &str, _named: Option<&str>) -> Option<bool> {
        None
    }

    /// Whether what stands behind `#` signs, so that the one before signs along for a day.
    fn signs(&self) -> bool {
        false
    }

    /// The fields of `init` that are secrets: they are kept sealed, and stars are shown.
    fn sealed_fields(&self) -> &'static [&'static str] {
        &[]
    }

    /// The fields of `init` that are shown, where a hook may have others of its owner's: those are
    /// sealed as well, since what is meant by them nobody knows.
    fn shown_fields(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Whether a hook can work with what its `init` says.
    ///
    /// # Errors
    /// What is wrong with it, without repeating what is sealed.
    fn check_init(
        &self,
        _action: &str,
        _init: &HookInit<'_>,
        _allowed: &Allowed,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Whether what was sealed for one hook is for another one, too, so that it need not be given
    /// again: never where it would be shown to somebody else.
    fn keeps_sealed(&self, before: (&str, &Value), after: (&str, &Value)) -> bool {
        self.keeps_secret(before.0, after.0)
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

/// From whom to whom a document is to go.
#[derive(Debug, Clone, Copy)]
pub struct AskedWay<'a> {
    /// Who sends, under any of these; none where it is not known.
    pub senders: &'a [ParticipantId],
    /// Who receives.
    pub receiver: &'a ParticipantId,
    /// What a platform is told to do with it, where the upload says so.
    pub instruction: Option<&'a str>,
    /// What it was uploaded as, where that is known.
    pub document_type: Option<&'a str>,
}

/// Who sends to whom.
pub type ChannelEnds<'a> = (&'a ParticipantId, &'a ParticipantId);

/// Where a hook sends documents to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelPlace {
    /// The destination, without parameters.
    pub destination: String,
    /// What is shown there.
    pub credentials: Vec<String>,
}

/// The configuration of a hook besides its action.
#[derive(Debug, Clone, Copy)]
pub struct HookInit<'a> {
    /// As it is shown: stars in place of what is sealed.
    pub shown: &'a Value,
    /// What is sealed, by name.
    pub sealed: &'a BTreeMap<String, Secret>,
    /// Whether documents are sent through it.
    pub is_channel: bool,
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
    /// The document as it was uploaded, with what does not travel within it.
    pub upload: Bytes,
    /// What the look-up of its receiver came to, where one was made already.
    pub found: Option<Result<ResolvedReceiver, LookupFailure>>,
}

/// Every channel, each with a row in [`quoin_delivery::channel::CHANNELS`].
pub static CHANNELS: &[&dyn Channel] = &[
    &peppol::Peppol,
    &mail::MailChannel,
    &sftp::SftpChannel,
    &https::HttpsChannel,
    &cxml::CxmlChannel,
    &cxml::TradingNetworkChannel,
    &dico::DicoChannel,
    &collaboration::CollaborationChannel,
];

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

/// The protocol of the channel that hooks of a kind are, as its row names it.
pub(crate) fn protocol(kind: ActionKind) -> &'static str {
    quoin_delivery::channel::row(kind).map_or("", |row| row.protocol)
}
