//! The DICO network.

use futures::future::{BoxFuture, FutureExt};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use quoin_delivery::hook::ActionKind;
use quoin_formats::Syntax;
use quoin_formats::convert::ConversionTarget;
use quoin_store::Secret;

use super::manual::{ChannelManual, MODE, NOTHING_RECEIVED, may, needed, secret};
use super::posted::{PartnerLetter, digest_of, reachable, usable};
use super::{Allowed, Channel, OutboundDelivery, OutboundRun};
use crate::dico::{DicoAction, DicoTarget, assumed};
use crate::net;
use crate::partner::{PartnerError, PartnerFault, PartnerFaultKind, PartnerReport};
use crate::plan::CarriedForm;
use crate::step::StepFault;

/// The network carries its own messages, files within.
const FORM: CarriedForm =
    CarriedForm { target: ConversionTarget::DICO, syntax: Syntax::Dico, files_beside: false };

/// What is to be known of it.
const MANUAL: ChannelManual = ChannelManual {
    example: "dico://network.example.org/dico?applicationId=my-erp",
    needs: &[
        needed("host/path", "action", "where messages are posted"),
        needed("applicationId", "action", "the application that sends"),
        may("header", "action", "the header that carries the key"),
        MODE,
        may("testEndpoint", "action", "where messages of the test environment are posted"),
        secret(needed("key", "#", "the key of the application, or one for each environment")),
    ],
    formats: "DICO: SALES005 and the order messages, converted from any format that is read.",
    received: NOTHING_RECEIVED,
    doubles: "A message without an answer is sent again with the same id and bytes.",
    guide: "docs/guides/dico.md",
};

/// Delivery to the DICO network.
pub(super) struct DicoChannel;

impl Channel for DicoChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Dico
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn carries(&self) -> Option<CarriedForm> {
        Some(FORM)
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        let action = DicoAction::parse(action).map_err(|error| of_hook(&error))?;
        reachable(&action.place, allowed)
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        usable(text)
    }

    fn lacks_secret(&self, _action: &str) -> Option<String> {
        Some(of_hook(&PartnerError::NoSecret))
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (DicoAction::parse(before), DicoAction::parse(after));
        matches!(read, (Ok(before), Ok(after)) if after.place.has_servers_of(&before.place))
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_dico(delivery).boxed()
    }
}

fn of_hook(error: &PartnerError) -> String {
    format!("the DICO hook: {error}")
}

impl OutboundRun<'_> {
    async fn by_dico(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, .. } = delivery;
        let started_on = self.context.clock.now();
        let hook = self.hook_of(channel).await?;
        let target = match DicoTarget::of(hook.as_ref()) {
            Ok(target) => target,
            Err(fault) => {
                self.posted(Err(fault), PartnerReport::default(), channel, started_on);
                return Ok(());
            }
        };
        let url = target.action.place.url().to_owned();
        let Some(_place) = self.place_at(&net::host(&url)).await else { return Ok(()) };
        self.goes_to(&url, plan, channel);
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let mut report = PartnerReport {
            endpoint: url.clone(),
            mode: target.action.place.mode.as_str(),
            from: plan.sender.to_string(),
            to: plan.receiver.to_string(),
            message_id: message_id.clone(),
            format: FORM.target.as_str(),
            bytes: document.len(),
            sha256: digest_of(&document),
            ..PartnerReport::default()
        };
        let done = match headers(&target, &message_id) {
            None => {
                let cause = "the key behind # of the DICO hook cannot stand in a header";
                Err(PartnerFault::new(PartnerFaultKind::Hook, cause))
            }
            Some(headers) => {
                let address =
                    assumed::address(&url, &target.action.application, target.action.mode());
                let letter = PartnerLetter { url: &address, headers, body: document };
                self.receipted(letter, &assumed::RECEIPT, &target.secret, &mut report).await?
            }
        };
        self.posted(done, report, channel, started_on);
        Ok(())
    }
}

/// The headers of a message; none where the key cannot be in one.
fn headers(target: &DicoTarget, message_id: &str) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let name = HeaderName::from_bytes(target.action.header.as_bytes()).ok()?;
    let key = assumed::credential(&target.action.header, &target.secret);
    let mut key = HeaderValue::from_str(&key).ok()?;
    key.set_sensitive(true);
    Some(vec![
        (CONTENT_TYPE, HeaderValue::from_static(assumed::CONTENT_TYPE)),
        (HeaderName::from_static(assumed::MESSAGE_ID), HeaderValue::from_str(message_id).ok()?),
        (name, key),
    ])
}
