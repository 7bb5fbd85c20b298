//! The collaboration platform.

use futures::future::{BoxFuture, FutureExt};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use quoin_delivery::hook::ActionKind;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Hook, Secret};

use super::manual::{AS_IT_IS, ChannelManual, MODE, NOTHING_RECEIVED, may, needed, secret};
use super::posted::{PartnerLetter, digest_of, reachable, usable};
use super::{Allowed, AskedWay, Channel, OutboundDelivery, OutboundRun};
use crate::collaboration::{CollaborationAction, CollaborationTarget, assumed, instruction_of};
use crate::net;
use crate::partner::{PartnerError, PartnerFault, PartnerFaultKind, PartnerReport};
use crate::rules::RuleLibrary;
use crate::step::StepFault;

/// What is to be known of it.
const MANUAL: ChannelManual = ChannelManual {
    example: "collaboration://platform.example.org/in?from=-0003:XC1",
    needs: &[
        needed("host/path", "action", "where documents are posted"),
        may("from", "action", "who sends, -0003:XC…; else the sender of the document"),
        may("sendInstruction", "action", "what is to be done with a document that says none"),
        MODE,
        may("testEndpoint", "action", "where documents of the test environment are posted"),
        secret(needed("token", "#", "the token of the platform, or one for each environment")),
    ],
    formats: AS_IT_IS,
    received: NOTHING_RECEIVED,
    doubles: "A document without an answer is sent again with the same id and bytes.",
    guide: "docs/guides/collaboration.md",
};

/// Delivery to the platform.
pub(super) struct CollaborationChannel;

impl Channel for CollaborationChannel {
    fn kind(&self) -> ActionKind {
        ActionKind::Collaboration
    }

    fn manual(&self) -> &'static ChannelManual {
        &MANUAL
    }

    fn check(&self, action: &str, allowed: &Allowed) -> Result<(), String> {
        let action = CollaborationAction::parse(action).map_err(|error| of_hook(&error))?;
        reachable(&action.place, allowed)
    }

    fn secret(&self, _action: &str, text: &str) -> Result<Option<Secret>, String> {
        usable(text)
    }

    fn lacks_secret(&self, _action: &str) -> Option<String> {
        Some(of_hook(&PartnerError::NoSecret))
    }

    fn keeps_secret(&self, before: &str, after: &str) -> bool {
        let read = (CollaborationAction::parse(before), CollaborationAction::parse(after));
        matches!(read, (Ok(before), Ok(after)) if after.place.has_servers_of(&before.place))
    }

    fn reaches(&self, hook: &Hook, way: &AskedWay<'_>) -> Result<(), String> {
        let own = CollaborationAction::parse(&hook.action).ok();
        let own = own.and_then(|action| action.instruction);
        member(way.receiver, way.instruction.or(own.as_deref())).map_err(|fault| fault.cause)
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        go.by_collaboration(delivery).boxed()
    }
}

fn of_hook(error: &PartnerError) -> String {
    format!("the hook of the platform: {error}")
}

impl OutboundRun<'_> {
    async fn by_collaboration(&mut self, delivery: OutboundDelivery<'_>) -> Result<(), StepFault> {
        let OutboundDelivery { plan, channel, document, .. } = delivery;
        let started_on = self.context.clock.now();
        let hook = self.hook_of(channel).await?;
        let asked = instruction_of(self.record.wishes.meta_attributes.as_deref());
        let target = CollaborationTarget::of(hook.as_ref());
        let target = target.and_then(|target| {
            let instruction = asked.or_else(|| target.action.instruction.clone());
            member(&plan.receiver, instruction.as_deref()).map(|()| (target, instruction))
        });
        let (target, instruction) = match target {
            Ok(target) => target,
            Err(fault) => {
                self.posted(Err(fault), PartnerReport::default(), channel, started_on);
                return Ok(());
            }
        };
        let url = target.action.place.url().to_owned();
        self.goes_to(&url, plan, channel);
        let payload = plan.payload.clone();
        let open = move |_: &RuleLibrary| payload.content(&document);
        let document = self.context.apart(&self.record, open).await?;
        let Some(_place) = self.place_at(&net::host(&url)).await else { return Ok(()) };
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let from = target.action.from.as_ref().unwrap_or(&plan.sender).to_string();
        let to = plan.receiver.to_string();
        let mut report = PartnerReport {
            endpoint: url.clone(),
            mode: target.action.place.mode.as_str(),
            from: from.clone(),
            to: to.clone(),
            message_id: message_id.clone(),
            instruction: instruction.clone(),
            bytes: document.len(),
            sha256: digest_of(&document),
            ..PartnerReport::default()
        };
        let values = [
            (assumed::SENDER, Some(from)),
            (assumed::RECEIVER, Some(to)),
            (assumed::INSTRUCTION, instruction),
            (assumed::MESSAGE_ID, Some(message_id)),
        ];
        let done = match headers(&target.secret, values) {
            None => {
                let cause = "the token behind # of the hook cannot stand in a header";
                Err(PartnerFault::new(PartnerFaultKind::Hook, cause))
            }
            Some(headers) => {
                let letter = PartnerLetter { url: &url, headers, body: document };
                self.receipted(letter, &assumed::RECEIPT, &target.secret, &mut report).await?
            }
        };
        self.posted(done, report, channel, started_on);
        Ok(())
    }
}

/// Whether the platform can know what to do: the receiver is one of its members, or it is told.
fn member(receiver: &ParticipantId, instruction: Option<&str>) -> Result<(), PartnerFault> {
    if !receiver.is_of_peppol() || instruction.is_some() {
        return Ok(());
    }
    let cause = format!(
        "{receiver} is no identifier of the platform (-0003:XC…), and no sendInstruction says how \
         it is reached from there"
    );
    Err(PartnerFault::new(PartnerFaultKind::Relationship, cause))
}

/// The headers of a document; none where one of them cannot be a header.
fn headers(
    secret: &Secret,
    values: [(&'static str, Option<String>); 4],
) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let mut token = HeaderValue::from_str(&assumed::credential(secret)).ok()?;
    token.set_sensitive(true);
    let mut headers = vec![
        (CONTENT_TYPE, HeaderValue::from_static(assumed::CONTENT_TYPE)),
        (AUTHORIZATION, token),
    ];
    for (name, value) in values {
        if let Some(value) = value {
            headers.push((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?));
        }
    }
    Some(headers)
}
