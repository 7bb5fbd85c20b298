//! A call that is owed to a hook: one try, and what follows from the answer.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::calls::{
    CallAttempt, HookAnswer, HookContext, HookDecision, aftermath, decide_hook, recovers,
};
use quoin_delivery::hook::ActionKind;
use quoin_delivery::ids::jitter;
use quoin_store::{CallEnd, Claim, HookCall, HookTry};

use super::Worker;
use super::bounces::BounceBox;
use super::gate::{Gate, LATER};
use crate::channels::{self, CallOutcome};
use crate::https::HttpsClient;
use crate::mail::Mailer;
use crate::mailbox::{AnswerLimits, MailboxClient};
use crate::metrics::Called;
use crate::sftp::SftpClient;
use crate::step::StepFault;

/// How hooks are called.
pub struct HookCaller {
    /// Calls webhooks, and posts documents.
    pub https: HttpsClient,
    /// Sends mail, where a server is set.
    pub mailer: Option<Mailer>,
    /// Writes files on SFTP servers.
    pub sftp: SftpClient,
    /// Reads mailboxes out of which documents are taken.
    pub mailboxes: MailboxClient,
    /// How many mails were answered lately.
    pub answers: AnswerLimits,
    /// Where mail comes back to, where there is such a mailbox.
    pub bounces: Option<BounceBox>,
    /// How long there is between two looks into folders with documents to send.
    pub folder_pause: Duration,
    /// Bytes of a document that is taken out of a folder or a mail, as of an upload.
    pub document_bytes: usize,
    /// Whose turn it is.
    pub gate: Gate,
    /// Base address of the interface, under which batches are fetched.
    pub public_url: String,
}

impl Worker {
    /// Makes one try and commits it.
    pub(super) async fn notify(&self, claim: Claim, call: HookCall) -> Result<(), StepFault> {
        let Some(_pass) = self.hooks.gate.pass(&call).await else {
            let later = self.clock.now().saturating_add(LATER).unwrap_or(Timestamp::MAX);
            return Ok(self.store.reschedule(claim, later).await?);
        };
        // It may have waited for long.
        if !self.until_recordable().await {
            return Ok(self.store.put_back(claim, self.clock.now()).await?);
        }
        let kind = ActionKind::of(&call.hook.action).unwrap_or(ActionKind::Web);
        let made = channels::of(kind).and_then(|by| by.call(self.context(), &call));
        let CallOutcome { answer, tried, reached } = match made {
            Some(made) => made.await?,
            None => uncallable(self.clock.now()),
        };
        let now = self.clock.now();
        let attempt = call.tries + 1;
        // By a clock that is not believed no hook has failed for days.
        let failing_since = call.hook.failing_since.filter(|_| self.watch.believed().is_some());
        let this = CallAttempt { attempt, failing_since, answer: &answer };
        let decision = decide_hook(&this, &self.policy, now, jitter(&call.id, attempt));
        self.metrics.hook_calls.add(called(&decision));
        let place = channels::of(kind).and_then(|by| by.place(&call.hook).ok());
        let action = || call.hook.action.split(['?', '#']).next().unwrap_or_default().to_owned();
        let destination = place.map_or_else(action, |place| place.destination);
        let told = HookContext {
            kind,
            hook: call.hook.id.as_str(),
            destination: &destination,
            output: &call.hook.output,
            topic: call.event.topic,
            details: &call.event.details,
        };
        let notices = aftermath(&told, &this, &decision);
        let recovered = recovers(&this, &decision, &self.policy, now);
        if let HookDecision::Stopped { disable_hook: true, reason } = &decision {
            let (hook, organisation) = (call.hook.id.as_str(), call.event.organisation.as_str());
            tracing::warn!(hook, organisation, destination, reason, "the hook is switched off");
        }
        let end = CallEnd { tried, decision, notices, recovered, reached };
        let record = || self.store.finish_call(claim.clone(), end.clone(), now);
        self.insist(&claim, record).await
    }
}

/// A call of a hook that is of a kind without calls: its action was changed since.
fn uncallable(started_on: Timestamp) -> CallOutcome {
    let cause = "there is nothing to call in the action of the hook".to_owned();
    let (status, response, error) = (None, String::new(), Some(cause.clone()));
    let duration = SignedDuration::ZERO;
    let tried = HookTry { started_on, duration, status, response, error };
    CallOutcome::of(HookAnswer::Refused { cause }, tried)
}

fn called(decision: &HookDecision) -> Called {
    match decision {
        HookDecision::Delivered => Called::Delivered,
        HookDecision::Retry { .. } => Called::Retried,
        HookDecision::Stopped { .. } => Called::Stopped,
    }
}
