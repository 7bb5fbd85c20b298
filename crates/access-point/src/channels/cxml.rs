//! Procurement networks over cXML: network 1, whose hook names the credentials, and network 2,
//! whose hook names the relationships of accounts.

use futures::future::{BoxFuture, FutureExt};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use quoin_delivery::hook::ActionKind;
use quoin_formats::Syntax;
use quoin_formats::convert::{ConversionTarget, embedded_files};
use quoin_store::{Hook, Secret, TransactionRecord};

use super::manual::{ChannelManual, MODE, NOTHING_RECEIVED, may, needed, secret};
use super::posted::{PartnerLetter, reachable, usable};
use super::{Allowed, AskedWay, Channel, ChannelEnds, HookInit, OutboundDelivery, OutboundRun};
use crate::cxml::{
    CxmlAction, CxmlMessage, CxmlPosting, CxmlStatus, CxmlTarget, TradingAccounts, check_message,
    verdict,
};
use crate::net::{self, HttpAnswer};
use crate::partner::{
    PartnerError, PartnerFault, PartnerFaultKind, PartnerMode, PartnerReport, PartnerTaken,
};
use crate::plan::CarriedForm;
use crate::rules::RuleLibrary;
use crate::step::StepFault;

/// Networks that speak cXML carry it.
const FORM: CarriedForm =
    CarriedForm { target: ConversionTarget::CXML, syntax: Syntax::Cxml, files_beside: true };

/// What is to be known of network 1.
const MANUAL: ChannelManual = ChannelManual {
    example: "cxml://network.example.org/cxml?from=NetworkID:AN01&to=NetworkID:AN02",
    needs: &[
        needed("host/path", "action", "where messages are posted"),
        needed("from", "action", "your credential, DOMAIN:IDENTITY"),
        needed("to", "action", "that of the buyer"),
        may("sender", "action", "who hands the message over, where that is another one"),
        may("buyer", "action", "the buyer as a participant, for what comes in"),
        MODE,
        may("testEndpoint", "action", "where messages of the test environment are posted"),
        may("testFrom", "action", "from in the test environment, where it is another one"),
        may("testTo", "action", "to in the test environment, where it is another one"),
        may("testSender", "action", "sender in the test environment, where it is another one"),
        secret(needed("secret", "#", "the shared secret, or one for each environment")),
    ],
    formats: "cXML 1.2: invoices and orders, converted from any format that is read.",
    received: NOTHING_RECEIVED,
    doubles: "A message without an answer is sent again with the same payloadID and bytes.",
    guide: "docs/guides/cxml.md",
};

/// What is to be known of network 2.
const ACCOUNTS_MANUAL: ChannelManual = ChannelManual {
    example: "tradingnetwork://network.example.org/cxml",
    needs: &[
        needed("host/path", "action", "where messages are posted"),
        needed("relationships", "init", "a row for each pair: supplier, buyer, their accounts"),
        MODE,
        may("testEndpoint", "action", "where messages of the test environment are posted"),
        secret(needed("secret", "#", "the shared secret, or one for each environment")),
    ],
    formats: "cXML 1.2: invoices and orders, converted from any format that is read.",
    received: NOTHING_RECEIVED,
    doubles: "A message without an answer is sent again with the same payloadID and bytes.",
    guide: "docs/guides/cxml.md",
};

/// Procurement network 1.
pub(super) struct CxmlChannel;

/// Procurement network 2.
pub(super) struct TradingNetworkChannel;

impl Channel for CxmlChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Cxml
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn carries(&self) -> Option<CarriedForm> {
        Some(FORM)
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        let action = CxmlAction::parse(action).map_err(|error| of_hook(&error))?;
        reachable(&action.place, allowed)
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        usable(text)
    }

    fn lacks_secret(&self, _action: &str) -> Option<String> {
        Some(of_hook(&PartnerError::NoSecret))
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (CxmlAction::parse(before), CxmlAction::parse(after));
        matches!(read, (Ok(before), Ok(after)) if after.place.has_servers_of(&before.place))
    }

    fn takes(&self, hook: &Hook, ends: ChannelEnds<'_>, document: &[u8]) -> Result<(), String> {
        takes(hook, ends, document)
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_cxml(delivery).boxed()
    }
}

impl Channel for TradingNetworkChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::TradingNetwork
    }

    fn manual(&self) -> &'static ChannelManual {
        &ACCOUNTS_MANUAL
    }

    fn carries(&self) -> Option<CarriedForm> {
        Some(FORM)
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        let place = TradingAccounts::place(action).map_err(|error| of_hook(&error))?;
        reachable(&place, allowed)
    }

    fn check_init(
        &self,
        _action: &str,
        init: &HookInit<'_>,
        _allowed: &Allowed,
    ) -> Result<(), String> {
        TradingAccounts::parse(init.shown).map(drop).map_err(|error| of_hook(&error))
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        usable(text)
    }

    fn lacks_secret(&self, _action: &str) -> Option<String> {
        Some(of_hook(&PartnerError::NoSecret))
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (TradingAccounts::place(before), TradingAccounts::place(after));
        matches!(read, (Ok(before), Ok(after)) if after.has_servers_of(&before))
    }

    fn reaches(&self, hook: &Hook, way: &AskedWay<'_>) -> Result<(), String> {
        let Ok(accounts) = TradingAccounts::parse(&hook.init) else { return Ok(()) };
        let ends = |sender| accounts.ends(sender, way.receiver, PartnerMode::Production);
        let mut missing = None;
        for sender in way.senders {
            match ends(sender) {
                Ok(_) => return Ok(()),
                Err(fault) => missing = Some(fault.cause),
            }
        }
        missing.map_or(Ok(()), Err)
    }

    fn takes(&self, hook: &Hook, ends: ChannelEnds<'_>, document: &[u8]) -> Result<(), String> {
        takes(hook, ends, document)
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_cxml(delivery).boxed()
    }
}

/// Whether a message of cXML goes by a hook as it is.
fn takes(hook: &Hook, (sender, receiver): ChannelEnds<'_>, document: &[u8]) -> Result<(), String> {
    match CxmlTarget::of(Some(hook), sender, receiver) {
        Ok(target) => check_message(document, &target.each),
        Err(fault) => Err(fault.cause),
    }
}

fn of_hook(error: &PartnerError) -> String {
    format!("the hook of the network: {error}")
}

impl OutboundRun<'_> {
    async fn by_cxml(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, upload, .. } = delivery;
        let started_on = self.context.clock.now();
        let hook = self.hook_of(channel).await?;
        let target = match CxmlTarget::of(hook.as_ref(), &plan.sender, &plan.receiver) {
            Ok(target) => target,
            Err(fault) => {
                self.posted(Err(fault), PartnerReport::default(), channel, started_on);
                return Ok(());
            }
        };
        self.goes_to(&target.url, plan, channel);
        let payload_id = payload_id(&self.record);
        let mut report = report_of(&target, &payload_id);
        let (wanted, timestamp) = (target.clone(), self.record.created_on);
        // A document that was converted has a header that we wrote.
        let is_own = self.form.is_none();
        let make = move |_: &RuleLibrary| {
            let parsed = quoin_formats::read(&upload);
            let files = parsed.root().map(embedded_files).unwrap_or_default();
            let posting = CxmlPosting {
                payload_id: &payload_id,
                timestamp,
                ends: &wanted.ends,
                secret: &wanted.secret,
                mode: wanted.mode,
                files: &files,
                named: if is_own { &wanted.each } else { &[] },
            };
            (CxmlMessage::of(&document, &posting), files.len())
        };
        let (message, files) = self.context.apart(&self.record, make).await?;
        let message = match message {
            Ok(message) => message,
            Err(why) => {
                let fault = PartnerFault::new(PartnerFaultKind::Refused, why);
                self.posted(Err(fault), report, channel, started_on);
                return Ok(());
            }
        };
        let Some(_place) = self.place_at(&net::host(&target.url)).await else { return Ok(()) };
        report.bytes = message.body.len();
        report.sha256.clone_from(&message.sha256);
        report.files = files;
        let may_be_there = self.may_be_there().await?;
        let headers = HeaderValue::from_str(&message.content_type).ok();
        let headers = headers.into_iter().map(|value| (CONTENT_TYPE, value)).collect();
        let answer =
            self.post(PartnerLetter { url: &target.url, headers, body: message.body }).await?;
        let done = match answer {
            Err(error) => Err(PartnerFault::unanswered(&error)),
            Ok(answer) => self.heard(answer, &target, may_be_there, &mut report).await?,
        };
        self.posted(done, report, channel, started_on);
        Ok(())
    }

    /// Reads an answer, away from the threads that serve connections.
    async fn heard(
        &self,
        answer: HttpAnswer,
        target: &CxmlTarget,
        may_be_there: bool,
        report: &mut PartnerReport,
    ) -> Result<Result<PartnerTaken, PartnerFault>, StepFault> {
        let wait = answer.retry_after(self.context.clock.now());
        let (http, repeated) = (answer.status, answer.repeated);
        report.heard(&answer);
        let (body, secret) = (answer.body, target.secret.clone());
        let read = move |_: &RuleLibrary| {
            let shown = PartnerReport::body_shown(&body, &secret);
            let status = CxmlStatus::read(&body);
            let done = verdict(http, status.as_ref(), &secret, may_be_there || repeated);
            (done, shown, status.map(|status| status.code))
        };
        let (done, shown, code) = self.context.apart(&self.record, read).await?;
        report.answer = shown;
        report.code = code;
        Ok(done.map_err(|fault| PartnerFault { retry_after: wait, ..fault }))
    }
}

/// The payload id of a document: the same on every attempt. It begins with the instance identifier,
/// by which the door finds the document that a status is about.
fn payload_id(record: &TransactionRecord) -> String {
    let instance = record.instance_id.as_deref().unwrap_or_default();
    let message = record.message_id.as_deref().unwrap_or_default();
    let domain = message.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    format!("{instance}@{domain}")
}

fn report_of(target: &CxmlTarget, payload_id: &str) -> PartnerReport {
    PartnerReport {
        endpoint: target.url.clone(),
        mode: target.mode.as_str(),
        from: target.ends.from.to_string(),
        to: target.ends.to.to_string(),
        message_id: payload_id.to_owned(),
        format: FORM.target.as_str(),
        ..PartnerReport::default()
    }
}
