//! SFTP: a document that is delivered into a folder, and a document that arrived and is handed on
//! into one.

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use jiff::SignedDuration;
use quoin_delivery::calls::HookAnswer;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DeliveryOutcome, Later, Never, Proof, Topic};
use quoin_store::{Hook, HookCall, HookTry, Secret};
use serde::Serialize;

use crate::budget::in_place;
use crate::naming::FileFacts;
use crate::sftp::{
    SFTP_LIMIT, SftpAction, SftpError, SftpFault, SftpFaultKind, SftpLogin, SftpReport, SftpTarget,
};
use crate::step::StepFault;

use super::handed::{DELETED, DocumentFile, facts_of, kind_of, named};
use super::manual::{AS_IT_IS, ChannelManual, may, needed, secret};
use super::{
    Allowed, CallOutcome, Channel, ChannelAttempt, ChannelContext, ChannelPlace, OutboundDelivery,
    OutboundRun, protocol,
};

/// What is to be known of it.
const MANUAL: ChannelManual = ChannelManual {
    example: "sftp://user@files.example.org/in?hostKey=SHA256:KEY",
    needs: &[
        needed("user@host/folder", "action", "account, server and folder"),
        needed("hostKey", "action", "the fingerprint of the server's key, once you confirmed it"),
        may("filename", "action", "the name of the files"),
        secret(needed("login", "#", "the password or the private key")),
    ],
    formats: AS_IT_IS,
    received: "The document is written into the folder.",
    doubles: "A file that was renamed in an attempt without an answer; it has the same name.",
    guide: "docs/guides/sftp.md",
};

/// Delivery into a folder.
pub(super) struct SftpChannel;

impl Channel for SftpChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Sftp
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn inbound(&self) -> Option<ActionKind> {
        Some(ActionKind::SftpFrom)
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        let action = SftpAction::parse(action).map_err(|error| error.of_hook())?;
        allowed
            .guard
            .check_host(&action.host)
            .map_err(|refusal| format!("the SFTP hook: {refusal}"))
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        SftpLogin::parse(text).map_err(|error| error.of_hook())?;
        Ok(Some(Secret::new(text)))
    }

    fn lacks_secret(&self, _action: &str) -> Option<String> {
        Some(SftpError::NoLogin.of_hook())
    }

    fn place(&self, hook: &Hook) -> Result<ChannelPlace, String> {
        let SftpTarget { action, login } =
            SftpTarget::of(Some(hook)).map_err(|fault| fault.cause)?;
        let kind = if login.kind() == "password" { "password" } else { "private key" };
        let credentials = vec![format!("{kind} of {}", action.user)];
        Ok(ChannelPlace { destination: action.endpoint(), credentials })
    }

    fn leads_to(&self, hook: &Hook, tried: &str, _named: Option<&str>) -> Option<bool> {
        self.place(hook).ok().map(|place| place.destination == tried)
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (SftpAction::parse(before), SftpAction::parse(after));
        matches!(read, (Ok(before), Ok(after)) if after.has_account_of(&before))
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_sftp(delivery).boxed()
    }

    fn call<'a>(
        &'a self,
        context: ChannelContext<'a>,
        call: &'a HookCall,
    ) -> Option<BoxFuture<'a, Result<CallOutcome, StepFault>>> {
        Some(async move { context.sftp_call(call).await }.boxed())
    }
}

/// Everything that was seen during an attempt.
#[derive(Serialize)]
struct SftpAttemptReport<'a> {
    sftp: &'a SftpReport,
}

impl OutboundRun<'_> {
    async fn by_sftp(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, .. } = delivery;
        let started_on = self.context.clock.now();
        let hook = self.hook_of(channel).await?;
        let target = match SftpTarget::of(hook.as_ref()) {
            Ok(target) => target,
            Err(fault) => {
                let outcome = outcome(Err(fault), None, (String::new(), String::new()));
                self.attempted(ChannelAttempt::of(outcome, started_on));
                return Ok(());
            }
        };
        let host = format!("{}:{}", target.action.host, target.action.port);
        let endpoint = target.action.endpoint();
        self.goes_to(&endpoint, plan, channel);
        let facts = facts_of(&self.record, &self.facts_of(plan));
        let make = move |content: Bytes, file: DocumentFile| (named(facts, &file), content);
        let (facts, content) = self.with_content(plan, document, make).await?;
        let Some(_place) = self.place_at(&host).await else { return Ok(()) };
        if self.is_left_alone(&endpoint) {
            return Ok(());
        }
        let name = target.action.filename.name(&facts);
        let sftp = self.context.sftp;
        let put = sftp.put(&target.action, &target.login, (&name, &content));
        let (done, report) = self.kept_while(SFTP_LIMIT, put).await?;
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let outcome = outcome(done, Some(endpoint.clone()), (message_id, report.path.clone()));
        let made =
            ChannelAttempt::of(outcome, started_on).seen(&SftpAttemptReport { sftp: &report });
        let elapsed_ms = Some(report.elapsed_ms);
        self.attempted(ChannelAttempt { endpoint: Some(endpoint), elapsed_ms, ..made });
        Ok(())
    }
}

impl ChannelContext<'_> {
    /// One try of a call of an SFTP hook: a document that arrived, or a look at the folder where
    /// somebody asks whether it is reached.
    async fn sftp_call(&self, call: &HookCall) -> Result<CallOutcome, StepFault> {
        let started_on = self.clock.now();
        let (done, report) = match SftpTarget::of(Some(&call.hook)) {
            Err(fault) => (Err(fault), SftpReport::default()),
            Ok(target) if call.event.topic == Topic::PING => {
                self.sftp.look(&target.action, &target.login).await
            }
            Ok(target) => match self.arrived_file(call).await? {
                Err(fault) => (Err(fault), SftpReport::default()),
                Ok((facts, content)) => {
                    let name = target.action.filename.name(&facts);
                    self.sftp.put(&target.action, &target.login, (&name, &content)).await
                }
            },
        };
        tracing::debug!(call = call.id, ?report, "an SFTP hook was called");
        let (answer, response, error) = match done {
            Ok(()) => (HookAnswer::Http { status: 200, retry_after: None }, said(&report), None),
            Err(SftpFault { kind, cause, .. }) => {
                let answer = match kind.is_final() {
                    true => HookAnswer::Refused { cause: cause.clone() },
                    false => HookAnswer::None { cause: cause.clone() },
                };
                (answer, String::new(), Some(cause))
            }
        };
        let duration = SignedDuration::from_millis(report.elapsed_ms.into());
        let tried = HookTry { started_on, duration, status: None, response, error };
        Ok(CallOutcome::of(answer, tried))
    }

    /// The document that an event tells of, and what names it.
    async fn arrived_file(
        &self,
        call: &HookCall,
    ) -> Result<Result<(FileFacts, Bytes), SftpFault>, StepFault> {
        let Some((record, content)) = self.arrived_document(call).await? else {
            return Ok(Err(SftpFault::new(SftpFaultKind::Refused, DELETED)));
        };
        let mut details = call.event.details.clone();
        details.insert("topic".to_owned(), call.event.topic.to_string());
        let facts = facts_of(&record, &details);
        Ok(Ok((in_place(|| named(facts, &kind_of(&content))), content)))
    }
}

/// What the delivery log says of a call that succeeded.
fn said(report: &SftpReport) -> String {
    match report.bytes {
        0 => format!("the folder {} is there", report.path),
        bytes => format!("{} has {bytes} bytes, SHA-256 {}", report.path, report.sha256),
    }
}

fn outcome(
    done: Result<(), SftpFault>,
    endpoint: Option<String>,
    (message_id, path): (String, String),
) -> DeliveryOutcome {
    let SftpFault { kind, cause, .. } = match done {
        Ok(()) => {
            return DeliveryOutcome::Delivered(Proof {
                endpoint: endpoint.unwrap_or_default(),
                protocol: protocol(ActionKind::Sftp).to_owned(),
                message_id,
                returned_message_id: path,
                remark: None,
            });
        }
        Err(fault) => fault,
    };
    let (code, message) = (kind.code().to_owned(), format!("{cause}."));
    match kind.is_final() {
        true => DeliveryOutcome::Never(Never { code, message, endpoint, ..Never::default() }),
        false => DeliveryOutcome::Later(Later { code, message, endpoint, ..Later::default() }),
    }
}
