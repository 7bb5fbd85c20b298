//! HTTPS: a document that is posted to a server, a document that arrived and is handed on to one,
//! and events that a webhook is told of.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use jiff::SignedDuration;
use quoin_delivery::calls::HookAnswer;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DeliveryOutcome, Later, Never, Proof};
use quoin_store::{Hook, HookCall, HookTry, Secret, TransactionRecord};
use serde::Serialize;
use serde_json::Value;

use crate::budget::in_place;
use crate::https::{
    DocumentForm, HTTPS_LIMIT, HandedDocument, HttpsAction, HttpsFault, HttpsLogin, HttpsMessage,
    HttpsReport, HttpsTarget, OPEN, SEALED, WrappedDocument, check_names, checked_secret, wrap,
};
use crate::net;
use crate::step::StepFault;

use super::handed::{DELETED, DocumentFile, facts_of, kind_of, named};
use super::manual::{AS_IT_IS, ChannelManual, may, needed, secret};
use super::{
    Allowed, CallOutcome, Channel, ChannelAttempt, ChannelContext, ChannelPlace, HookInit,
    OutboundDelivery, OutboundRun, protocol,
};

/// What is to be known of it.
const MANUAL: ChannelManual = ChannelManual {
    example: "https://erp.example.org/documents",
    needs: &[
        needed("address", "action", "the address that documents are posted to"),
        secret(may("secret", "#", "signs the calls")),
        may("method", "init", "POST or PUT"),
        may("document", "init", "raw, multipart or json"),
        may("filename", "init", "the name of the file"),
        may("user", "init", "basic authentication, with password"),
        secret(may("password", "init", "beside user")),
        secret(may("bearerToken", "init", "a token that the server gave you")),
        may("tokenUrl", "init", "where a token is fetched, with clientId and clientSecret"),
        may("clientId", "init", "the client of OAuth 2.0"),
        secret(may("clientSecret", "init", "what that client shows")),
        may("clientAuthentication", "init", "basic or body"),
        may("scope", "init", "of the token"),
        may("audience", "init", "of the token"),
        may("clientCertificate", "init", "mutual TLS: the certificate with its chain, in PEM"),
        secret(may("clientKey", "init", "the private key of that certificate, in PEM")),
        may("serverAuthorities", "init", "authorities to believe besides the public ones"),
    ],
    formats: AS_IT_IS,
    received: "The document where init.document says how, else the event.",
    doubles: "A call without an answer is made again with the same Idempotency-Key and bytes.",
    guide: "docs/guides/https.md",
};

/// Delivery to a server, and calls of webhooks.
pub(super) struct HttpsChannel;

impl Channel for HttpsChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Web
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        allowed.guard.check(action).map(drop).map_err(|refusal| refusal.to_string())
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        checked_secret(text).map(Some).map_err(|error| error.to_string())
    }

    fn place(&self, hook: &Hook) -> Result<ChannelPlace, String> {
        let target = HttpsTarget::of(Some(hook)).map_err(|fault| fault.cause)?;
        let signs =
            (!hook.secrets.is_empty()).then(|| "signature (HMAC) under the secret".to_owned());
        let credentials = target.login.shown(&target.action).into_iter().chain(signs).collect();
        Ok(ChannelPlace { destination: target.action.endpoint(), credentials })
    }

    fn leads_to(&self, hook: &Hook, tried: &str, _named: Option<&str>) -> Option<bool> {
        self.place(hook).ok().map(|place| place.destination == tried)
    }

    fn signs(&self) -> bool {
        true
    }

    fn sealed_fields(&self) -> &'static [&'static str] {
        SEALED
    }

    fn shown_fields(&self) -> Option<&'static [&'static str]> {
        Some(OPEN)
    }

    fn check_init(
        &self,
        action: &str,
        init: &HookInit<'_>,
        allowed: &Allowed,
    ) -> Result<(), String> {
        check_names(init.shown).map_err(|error| error.of_hook())?;
        let read = HttpsAction::parse(action, init.shown, init.is_channel);
        let read = read.map_err(|error| error.of_hook())?;
        if let Some(token) = &read.token {
            let checked = allowed.guard.check(&token.url);
            checked.map_err(|refusal| format!("the HTTPS hook: init: tokenUrl: {refusal}"))?;
        }
        HttpsLogin::parse(&read, init.sealed).map(drop).map_err(|error| error.of_hook())
    }

    /// Hosts have many tenants: another path may be somebody else.
    fn keeps_sealed(&self, before: (&str, &Value), after: (&str, &Value)) -> bool {
        before.0 == after.0 && before.1.get("tokenUrl") == after.1.get("tokenUrl")
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_https(delivery).boxed()
    }

    fn call<'a>(
        &'a self,
        context: ChannelContext<'a>,
        call: &'a HookCall,
    ) -> Option<BoxFuture<'a, Result<CallOutcome, StepFault>>> {
        Some(async move { context.https_call(call).await }.boxed())
    }
}

/// Everything that was seen during an attempt.
#[derive(Serialize)]
struct HttpsAttemptReport<'a> {
    https: &'a HttpsReport,
}

impl OutboundRun<'_> {
    async fn by_https(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, .. } = delivery;
        let started_on = self.context.clock.now();
        let hook = self.hook_of(channel).await?;
        let target = match HttpsTarget::of(hook.as_ref()) {
            Ok(target) => target,
            Err(fault) => {
                self.attempted(ChannelAttempt::of(outcome(Err(fault), None, ""), started_on));
                return Ok(());
            }
        };
        let host = net::host(target.action.url.as_str());
        let endpoint = target.action.endpoint();
        self.goes_to(&endpoint, plan, channel);
        let mut details = self.facts_of(plan);
        let commands = self.now_at.family.commands();
        let topic = commands.map(|row| row.send.as_str().to_owned()).unwrap_or_default();
        details.insert("topic".to_owned(), topic);
        let of = &self.record.transaction;
        let handed = HandedDocument {
            party_id: self.context.store.party_name(&of.organisation, &of.party).await?,
            document_type_id: plan.document_type.to_string(),
            ..known(&self.record, &details)
        };
        let (form, facts) =
            (target.action.document.unwrap_or_default(), facts_of(&self.record, &details));
        let names = target.action.filename.clone();
        let make = move |content: Bytes, file: DocumentFile| {
            let file_name = names.name(&named(facts, &file));
            let (format, content_type) = (file.format, file.media_type.to_owned());
            wrap(form, HandedDocument { file_name, format, content_type, ..handed }, &content)
        };
        let wrapped = self.with_content(plan, document, make).await?;
        let Some(_place) = self.place_at(&host).await else { return Ok(()) };
        if self.is_left_alone(&endpoint) {
            return Ok(());
        }
        let id = self.record.transaction.id.to_string();
        let message = HttpsMessage { wrapped: &wrapped, form, id: &id };
        let now = self.context.clock.now();
        let call = self.context.https.send(&target, message, now);
        let (done, report) = self.kept_while(HTTPS_LIMIT, call).await?;
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let outcome = outcome(done, Some(report.url.clone()), &message_id);
        let elapsed_ms = Some(report.elapsed_ms);
        let made =
            ChannelAttempt::of(outcome, started_on).seen(&HttpsAttemptReport { https: &report });
        self.attempted(ChannelAttempt { endpoint: Some(endpoint), elapsed_ms, ..made });
        Ok(())
    }
}

impl ChannelContext<'_> {
    /// One try of a call: the document that arrived where the hook asks for it, else the event.
    async fn https_call(&self, call: &HookCall) -> Result<CallOutcome, StepFault> {
        let now = self.clock.now();
        let brings = call.event.topic.brings_a_document() && call.event.transaction.is_some();
        let target = HttpsTarget::of(Some(&call.hook)).ok().filter(|_| brings);
        let Some((target, form)) = target.and_then(|target| {
            let form = target.action.document?;
            Some((target, form))
        }) else {
            return Ok(self.https.tell(call, now).await);
        };
        let Some((record, content)) = self.arrived_document(call).await? else {
            let (answer, error) = (HookAnswer::Refused { cause: DELETED.to_owned() }, DELETED);
            return Ok(tried(now, answer, (HttpsReport::default(), Some(error.to_owned()))));
        };
        let wrapped = in_place(|| arrived(call, &target.action, form, (&record, &content)));
        let message = HttpsMessage { wrapped: &wrapped, form, id: &call.id };
        let (done, report) = self.https.send(&target, message, now).await;
        tracing::debug!(call = call.id, ?report, "a document was handed on over HTTPS");
        let error = done.as_ref().err().map(|fault| fault.cause.clone());
        let answer = match (report.status, done) {
            (Some(status), done) => {
                let retry_after = done.err().and_then(|fault| fault.retry_after);
                HookAnswer::Http { status, retry_after }
            }
            (None, Err(fault)) if fault.kind.is_final() => {
                HookAnswer::Refused { cause: fault.cause }
            }
            (None, Err(fault)) => HookAnswer::None { cause: fault.cause },
            (None, Ok(_)) => HookAnswer::None { cause: "there is no answer".to_owned() },
        };
        Ok(tried(now, answer, (report, error)))
    }
}

/// The body of the call for a document that arrived.
fn arrived(
    call: &HookCall,
    action: &HttpsAction,
    form: DocumentForm,
    (record, content): (&TransactionRecord, &Bytes),
) -> WrappedDocument {
    let mut details = call.event.details.clone();
    details.insert("topic".to_owned(), call.event.topic.to_string());
    let file = kind_of(content);
    let file_name = action.filename.name(&named(facts_of(record, &details), &file));
    let handed = HandedDocument {
        party_id: call.event.party_id.clone(),
        details: call.event.details.clone(),
        content_type: file.media_type.to_owned(),
        format: file.format,
        file_name,
        ..known(record, &details)
    };
    wrap(form, handed, content)
}

/// What is known of a document without a look into it, but its party.
fn known(record: &TransactionRecord, details: &BTreeMap<String, String>) -> HandedDocument {
    let detail = |name: &str| details.get(name).cloned().unwrap_or_default();
    let transaction = &record.transaction;
    HandedDocument {
        document_id: transaction.document_id.to_string(),
        topic: detail("topic"),
        family: transaction.family.row().name.to_owned(),
        number: detail("id"),
        sender: detail("sender"),
        recipient: detail("recipient"),
        document_type_id: transaction.source_document_type.clone().unwrap_or_default(),
        created_on: Some(record.created_on),
        ..HandedDocument::default()
    }
}

fn tried(
    started_on: jiff::Timestamp,
    answer: HookAnswer,
    (report, error): (HttpsReport, Option<String>),
) -> CallOutcome {
    let duration = SignedDuration::from_millis(report.elapsed_ms.into());
    let (status, response) = (report.status, report.answer);
    let error = error.filter(|_| status.is_none());
    CallOutcome::of(answer, HookTry { started_on, duration, status, response, error })
}

fn outcome(
    done: Result<String, HttpsFault>,
    endpoint: Option<String>,
    message_id: &str,
) -> DeliveryOutcome {
    let fault = match done {
        Ok(name) => {
            return DeliveryOutcome::Delivered(Proof {
                endpoint: endpoint.unwrap_or_default(),
                protocol: protocol(ActionKind::Web).to_owned(),
                message_id: message_id.to_owned(),
                returned_message_id: name,
                remark: None,
            });
        }
        Err(fault) => fault,
    };
    let (code, message) = (fault.kind.code().to_owned(), format!("{fault}."));
    let http_status = fault.status;
    match fault.kind.is_final() {
        true => {
            let ebms_code = None;
            DeliveryOutcome::Never(Never { code, message, endpoint, http_status, ebms_code })
        }
        false => DeliveryOutcome::Later(Later {
            code,
            message,
            endpoint,
            http_status,
            retry_after: fault.retry_after,
            ..Later::default()
        }),
    }
}
