//! Mail: a hook that is told of an event by mail, and a document that is delivered by mail.

mod dispatch;
mod outcome;
mod page;
mod typed;

use std::collections::BTreeMap;
use std::time::Instant;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use lettre::Address;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DeliveryOutcome, DocumentId, Event, Later, MailFate, MailWord};
use quoin_store::{Hook, HookCall, Secret, TransactionRecord};
use serde::Serialize;
use serde_json::Value;

use crate::mail::{MailAction, MailOutcome, Mailer};
use crate::mailbox::{MailFromAction, MailFromError, checked_password};
use crate::oauth::OAuthLogin;
use crate::rules::RuleLibrary;
use crate::step::StepFault;

use dispatch::{MailReport, MailTries, Matter, MissedRecipient, dispatch};
use outcome::{never, outcome, tried};

use super::manual::{AS_IT_IS, ChannelManual, may, needed, secret};
use typed::{fits, fits_delivered};

use super::{
    Allowed, AskedWay, CallOutcome, Channel, ChannelAttempt, ChannelContext, HookInit,
    OutboundDelivery, OutboundRun,
};

/// A document that went by mail, or did not.
struct Mailed {
    outcome: DeliveryOutcome,
    endpoint: String,
    report: MailReport,
}

/// What is to go by mail.
struct DocumentMail<'a> {
    party: &'a str,
    facts: BTreeMap<String, String>,
    document: &'a Bytes,
    /// What it was uploaded as.
    own: Option<&'a str>,
    tries: MailTries<'a>,
}

/// What is to be known of it.
const MANUAL: ChannelManual = ChannelManual {
    example: "mailto:books@example.org?page=true",
    needs: &[
        needed("server", "operator", "the mail server of the service, section [mail]"),
        may(
            "address",
            "action",
            "addresses with commas between; without one, the address that the document names",
        ),
        may("page", "action", "whether the page of the document is the body of the mail"),
        may("tokenUrl", "init", "of a mailbox (mailfrom://): where its token is fetched"),
        may("clientId", "init", "of a mailbox: the client of OAuth 2.0"),
        secret(may("clientSecret", "init", "of a mailbox: what that client shows")),
        secret(may("refreshToken", "init", "of a mailbox: what somebody allowed that client")),
    ],
    formats: AS_IT_IS,
    received: "A mail for each event, with the document where includeAttachment is true.",
    doubles: "A mail that was taken in an attempt without an answer; it has the same Message-ID.",
    guide: "docs/guides/mail.md",
};

/// Delivery by mail, and calls of mail hooks.
pub struct MailChannel;

impl Channel for MailChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Mail
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn inbound(&self) -> Option<ActionKind> {
        Some(ActionKind::MailFrom)
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        if MailFromAction::is_one(action) {
            let action = MailFromAction::parse(action).map_err(|error| error.of_hook())?;
            let judged = allowed.guard.check_host(&action.host);
            return judged.map_err(|refusal| format!("the mailbox hook: {refusal}"));
        }
        let read = MailAction::parse(action, allowed.senders.as_ref());
        let judged = read.and_then(|action| action.check_target());
        judged.map_err(|error| format!("the mail hook: {error}"))
    }

    fn secret(&self, action: &str, text: &str) -> Result<Option<Secret>, String> {
        match MailFromAction::is_one(action) {
            true => checked_password(text).map(Some).map_err(|error| error.of_hook()),
            false => Ok(None),
        }
    }

    fn lacks_secret(&self, action: &str) -> Option<String> {
        MailFromAction::is_one(action).then(|| MailFromError::NoPassword.of_hook())
    }

    fn needs_no_secret(&self, action: &str, init: &Value) -> Option<String> {
        let by_token = MailFromAction::is_one(action) && init.get("tokenUrl").is_some();
        by_token.then(|| MailFromError::Both.of_hook())
    }

    fn leads_to(&self, hook: &Hook, tried: &str, named: Option<&str>) -> Option<bool> {
        let (to, kept) = MailAction::named(&hook.action)?;
        let to = to.or(named.map(str::to_owned)).or_else(|| kept.clone());
        let is_at = |own: Option<String>| own.is_some_and(|own| tried == mail_place(&own));
        if is_at(to) {
            return Some(true);
        }
        // Whom else it was refused for before, nobody knows.
        if is_at(kept) { None } else { Some(false) }
    }

    fn sealed_fields(&self) -> &'static [&'static str] {
        &OAuthLogin::SEALED
    }

    fn check_init(
        &self,
        action: &str,
        init: &HookInit<'_>,
        allowed: &Allowed,
    ) -> Result<(), String> {
        let login = OAuthLogin::parse(init.shown, init.sealed)
            .map_err(|error| MailFromError::Token(error).of_hook())?;
        let Some(login) = login else { return Ok(()) };
        if !MailFromAction::is_one(action) {
            let why = "a token is of a mailbox (mailfrom://); mail goes out by the server of the \
                service, section [mail]";
            return Err(format!("the mail hook: init: tokenUrl: {why}"));
        }
        let checked = allowed.guard.check(&login.request.url);
        checked.map(drop).map_err(|why| format!("the mailbox hook: init: tokenUrl: {why}"))
    }

    fn keeps_sealed(&self, before: (&str, &Value), after: (&str, &Value)) -> bool {
        self.keeps_secret(before.0, after.0) && before.1.get("tokenUrl") == after.1.get("tokenUrl")
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (MailFromAction::parse(before), MailFromAction::parse(after));
        matches!(read, (Ok(before), Ok(after)) if after.has_account_of(&before))
    }

    fn reaches(&self, hook: &Hook, way: &AskedWay<'_>) -> Result<(), String> {
        match MailAction::target_of(&hook.action) {
            Some(target) if way.document_type.is_some() => fits(Some(&target), way.document_type),
            _ => Ok(()),
        }
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_mail(delivery).boxed()
    }

    fn call<'a>(
        &'a self,
        context: ChannelContext<'a>,
        call: &'a HookCall,
    ) -> Option<BoxFuture<'a, Result<CallOutcome, StepFault>>> {
        Some(async move { context.mail_call(call).await }.boxed())
    }
}

/// Everything that was seen during an attempt.
#[derive(Serialize)]
struct MailAttemptReport<'a> {
    mail: &'a MailReport,
}

impl OutboundRun<'_> {
    async fn by_mail(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, .. } = delivery;
        let started_on = self.context.clock.now();
        let payload = plan.payload.clone();
        let open = move |_: &RuleLibrary| payload.content(&document);
        let document = self.context.apart(&self.record, open).await?;
        let hook = self.hook_of(channel).await?;
        let own = self.now_at.source_document_type.clone();
        let own = own.as_deref();
        let target = hook.as_ref().and_then(|hook| MailAction::target_of(&hook.action));
        if let Err(cause) = fits_delivered(target.as_deref(), own)
            && self.passes_on("mail-refused", &cause)
        {
            return Ok(());
        }
        let facts = self.facts_of(plan);
        let reached = self.reached_before().await?;
        // The mail server is one destination for all, and has places as any other.
        let server = self.context.mailer.map(Mailer::server).unwrap_or_default();
        let Some(_place) = self.place_at(server).await else { return Ok(()) };
        let patience = self.context.mailer.map(Mailer::patience).unwrap_or_default();
        let turns = self.now_at.attempts.saturating_sub(self.now_at.way.attempts_before);
        let tries = MailTries {
            is_last: turns + 1 >= self.context.policy.delivery.attempts(),
            reached: &reached,
        };
        let of = &self.record.transaction;
        let party = self.context.store.party_name(&of.organisation, &of.party).await?;
        let mail = DocumentMail { party: &party, facts, document: &document, own, tries };
        let mailed = self.context.mail_document(&self.record, hook.as_ref(), mail);
        let Mailed { outcome, endpoint, report } = self.kept_while(patience, mailed).await?;
        self.goes_to(&endpoint, plan, channel);
        let is_delivered = matches!(outcome, DeliveryOutcome::Delivered(_));
        let made =
            ChannelAttempt::of(outcome, started_on).seen(&MailAttemptReport { mail: &report });
        // Of one that went to nobody there is no address.
        let endpoint = Some(endpoint).filter(|_| !report.to.is_empty());
        self.attempted(ChannelAttempt { endpoint, ..made });
        for missed in report.missed.into_iter().filter(|_| is_delivered) {
            let MissedRecipient { recipient, said } = missed;
            let (fate, status) = (MailFate::NotTaken, String::new());
            self.decide(&Event::Returned(MailWord { recipient, fate, status, said }));
        }
        Ok(())
    }

    /// Who has the mail of earlier attempts, while the server asked to come again for others.
    async fn reached_before(&self) -> Result<Vec<Address>, StepFault> {
        if self.now_at.attempts <= self.now_at.way.attempts_before {
            return Ok(Vec::new());
        }
        let attempts = self.context.store.attempts_of(&self.record.transaction.id).await?;
        let lists = attempts.iter().filter_map(|made| made.report.pointer("/mail/reached"));
        let names = lists.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        Ok(names.filter_map(|name| name.parse().ok()).collect())
    }
}

impl<'h> ChannelContext<'h> {
    /// One try of a call of a mail hook.
    async fn mail_call(&self, call: &HookCall) -> Result<CallOutcome, StepFault> {
        let started_on = self.clock.now();
        let started = Instant::now();
        let earlier: Vec<Address> =
            call.reached.iter().filter_map(|address| address.parse().ok()).collect();
        let tries = MailTries {
            is_last: call.tries + 1 >= self.policy.hooks.attempts(),
            reached: &earlier,
        };
        let (sent, report) = match self.mail_action(&call.hook) {
            Ok((mailer, action)) => {
                let document = match self.told_document(call, &action).await? {
                    Ok(document) => document,
                    Err(cause) => return Ok(tried(started_on, started, never(cause), &[])),
                };
                let wanted = action.include_attachment && action.page == Some(true);
                let shown = document.clone().filter(|_| wanted);
                let page = self.page(&call.hook.organisation, shown, action.language).await;
                let matter = Matter { page, ..told(call, &action, mailer, document.as_deref()) };
                dispatch(mailer, &action, (&matter, tries), started_on).await
            }
            Err(cause) => (MailOutcome::Later { code: None, cause }, MailReport::default()),
        };
        tracing::debug!(call = call.id, ?report, "a mail hook was called");
        let reached = earlier.iter().map(ToString::to_string).chain(report.reached).collect();
        Ok(CallOutcome { reached, ..tried(started_on, started, sent, &report.missed) })
    }

    /// The document that an event tells of, where the mail needs it.
    async fn told_document(
        &self,
        call: &HookCall,
        action: &MailAction,
    ) -> Result<Result<Option<Bytes>, String>, StepFault> {
        let needed = action.include_attachment || action.to.is_empty();
        let Some(transaction) = call.event.transaction.as_ref().filter(|_| needed) else {
            return Ok(Ok(None));
        };
        let Some(record) = self.store.transaction(transaction).await? else { return Ok(Ok(None)) };
        if let Err(cause) =
            fits(action.target.as_deref(), record.transaction.source_document_type.as_deref())
        {
            return Ok(Err(cause));
        }
        match self.told_bytes(&record).await? {
            None => Ok(Err("the document was deleted".to_owned())),
            found => Ok(Ok(found)),
        }
    }

    /// The mail server and what the hook asks of it, both as they are now.
    fn mail_action(&self, hook: &Hook) -> Result<(&'h Mailer, MailAction), String> {
        let mailer = self.mailer.ok_or("this service has no mail server")?;
        let action = MailAction::parse(&hook.action, Some(mailer.senders()));
        Ok((mailer, action.map_err(|error| error.to_string())?))
    }

    /// One attempt to deliver a document by mail.
    async fn mail_document(
        &self,
        record: &TransactionRecord,
        hook: Option<&Hook>,
        DocumentMail { party, facts, document, own, tries }: DocumentMail<'_>,
    ) -> Mailed {
        let later = |code: &str, message: String| Mailed {
            outcome: DeliveryOutcome::Later(Later {
                code: code.to_owned(),
                message: format!("{message}."),
                ..Later::default()
            }),
            endpoint: mail_place(""),
            report: MailReport { reply: message, ..MailReport::default() },
        };
        let Some(hook) = hook else {
            return later("mail-hook", "the mail hook of the channel is off or gone".to_owned());
        };
        let (mailer, action) = match self.mail_action(hook) {
            Ok(ready) => ready,
            Err(cause) => return later("mail-hook", cause),
        };
        let transaction = &record.transaction;
        let message_id = record.message_id.clone().unwrap_or_default();
        let number = facts.get("id").cloned().unwrap_or_default();
        let shown = action.page.unwrap_or(!action.exclude_primary).then(|| document.clone());
        let page = self.page(&transaction.organisation, shown, action.language).await;
        let matter = Matter {
            message_id: message_id.clone(),
            subject: format!("{} {number} of {party}", kind_of(record)),
            text: "A business document is attached to this mail.",
            facts,
            document: Some(document),
            along: true,
            delivers: true,
            page,
        };
        let (sent, report) = match fits_delivered(action.target.as_deref(), own) {
            Ok(()) => dispatch(mailer, &action, (&matter, tries), self.clock.now()).await,
            Err(cause) => (never(cause), MailReport::default()),
        };
        let endpoint = mail_place(&report.to.join(","));
        let remark =
            report.without_page.as_ref().map(|why| format!("It went without a page: {why}."));
        Mailed { outcome: outcome(sent, &endpoint, message_id, remark), endpoint, report }
    }
}

/// Addresses, as the endpoint of an attempt.
fn mail_place(addresses: &str) -> String {
    format!("mailto:{addresses}")
}

fn kind_of(record: &TransactionRecord) -> &'static str {
    record.transaction.family.row().name
}

fn told<'a>(
    call: &'a HookCall,
    action: &MailAction,
    mailer: &Mailer,
    document: Option<&'a [u8]>,
) -> Matter<'a> {
    let event = &call.event;
    let mut facts = event.details.clone();
    for (name, value) in [
        ("topic", Some(event.topic.as_str())),
        ("partyId", event.about_party()),
        ("documentId", event.about_document().map(DocumentId::as_str)),
    ] {
        facts.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    }
    let number = event.details.get("id").map(String::as_str).unwrap_or_default();
    Matter {
        message_id: format!("{}@{}", call.id, mailer.domain()),
        subject: format!("{} {number} {}", event.topic, event.party_id),
        text: &event.message,
        facts,
        document,
        along: action.include_attachment,
        delivers: false,
        page: Ok(None),
    }
}
