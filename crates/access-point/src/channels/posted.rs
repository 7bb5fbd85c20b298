//! What the channels to other networks have in common: the one call, its answer, and what is kept
//! of it.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use hyper::Method;
use hyper::header::{HeaderName, HeaderValue};
use jiff::Timestamp;
use quoin_delivery::ChannelOption;
use quoin_store::Secret;
use serde::Serialize;

use super::{Allowed, ChannelAttempt, OutboundRun, protocol};
use crate::net::{CallError, CutAnswer, HttpAnswer, HttpCall};
use crate::partner::{
    ANSWER_BYTES, PartnerAction, PartnerFault, PartnerFaultKind, PartnerReceipt, PartnerReport,
    PartnerSecrets, PartnerTaken, ReceiptWords, outcome, receipt_verdict,
};
use crate::rules::RuleLibrary;
use crate::step::StepFault;

/// Bytes that a network takes in a second at least.
const PACE: usize = 100_000;

/// A document that is posted.
pub(super) struct PartnerLetter<'a> {
    /// The address.
    pub(super) url: &'a str,
    /// Its headers.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// Its body.
    pub(super) body: Bytes,
}

/// Everything that was seen during an attempt.
#[derive(Serialize)]
struct PartnerAttemptReport<'a> {
    partner: &'a PartnerReport,
}

impl OutboundRun<'_> {
    /// Whether an attempt with the same identifiers may have reached the network unheard: one of
    /// this channel whose answer was lost, or one that a crash kept from being recorded.
    pub(super) async fn may_be_there(&self) -> Result<bool, StepFault> {
        let before = self.now_at.way.attempts_before;
        if self.was_cut_off() || self.now_at.attempts <= before {
            return Ok(self.was_cut_off());
        }
        let attempts = self.context.store.attempts_of(&self.record.transaction.id).await?;
        let mut own = attempts.iter().filter(|made| made.attempt > before);
        Ok(own.any(PartnerReport::may_be_there))
    }

    /// Whether somebody had this step in hand before, and did not come to its end.
    fn was_cut_off(&self) -> bool {
        self.claim.claims > 1
    }

    /// The one call. It may be made twice: the network knows a repeat by the id in it.
    pub(super) async fn post(
        &self,
        letter: PartnerLetter<'_>,
    ) -> Result<Result<HttpAnswer, CallError>, StepFault> {
        let pace = u64::try_from(letter.body.len() / PACE).unwrap_or(u64::MAX);
        let timeout = self.context.https.patience().saturating_add(Duration::from_secs(pace));
        let call = HttpCall {
            method: Method::POST,
            url: letter.url,
            headers: letter.headers,
            body: Some(letter.body),
            spooled: None,
            timeout,
            largest_answer: ANSWER_BYTES,
            cut_answer: CutAnswer::Nothing,
            repeatable: true,
        };
        self.kept_while(timeout, self.context.https.plain().call(call)).await
    }

    /// The one call to a network without a protocol of its own, and its receipt, which is read away
    /// from the threads that serve connections.
    pub(super) async fn receipted(
        &self,
        letter: PartnerLetter<'_>,
        words: &'static ReceiptWords,
        secret: &Secret,
        report: &mut PartnerReport,
    ) -> Result<Result<PartnerTaken, PartnerFault>, StepFault> {
        let may_be_there = self.may_be_there().await?;
        let answer = match self.post(letter).await? {
            Err(error) => return Ok(Err(PartnerFault::unanswered(&error))),
            Ok(answer) => answer,
        };
        let wait = answer.retry_after(self.context.clock.now());
        let before = may_be_there || answer.repeated;
        report.heard(&answer);
        let secret = secret.clone();
        let read = move |_: &RuleLibrary| {
            let shown = PartnerReport::body_shown(&answer.body, &secret);
            let receipt = PartnerReceipt::of(&answer, words);
            (receipt_verdict(answer.status, receipt, words, (&secret, before)), shown)
        };
        let (done, shown) = self.context.apart(&self.record, read).await?;
        report.answer = shown;
        Ok(done.map_err(|fault| PartnerFault { retry_after: wait, ..fault }))
    }

    /// Notes what came of an attempt.
    pub(super) fn posted(
        &mut self,
        done: Result<PartnerTaken, PartnerFault>,
        mut report: PartnerReport,
        by: &ChannelOption,
        started_on: Timestamp,
    ) {
        report.unheard = report.repeated || self.was_cut_off();
        if let Err(fault) = &done
            && fault.kind == PartnerFaultKind::Relationship
            && self.passes_on(fault.kind.code(), &fault.cause)
        {
            return;
        }
        if let Err(fault) = &done {
            report.unheard |= fault.is_unheard;
            report.fault.clone_from(&fault.cause);
        }
        let endpoint = Some(report.endpoint.clone()).filter(|endpoint| !endpoint.is_empty());
        let message_id = report.message_id.clone();
        let outcome = outcome(done, endpoint.clone(), (protocol(by.kind), message_id));
        let elapsed_ms = report.http_status.is_some().then_some(report.elapsed_ms);
        let made = ChannelAttempt::of(outcome, started_on);
        let made = made.seen(&PartnerAttemptReport { partner: &report });
        self.attempted(ChannelAttempt { endpoint, elapsed_ms, ..made });
    }
}

/// The SHA-256 of what is sent, in hexadecimal.
pub(super) fn digest_of(document: &[u8]) -> String {
    HEXLOWER.encode(digest(&SHA256, document).as_ref())
}

/// What stands behind `#`, where it can be used.
pub(super) fn usable(text: &str) -> Result<Option<Secret>, String> {
    PartnerSecrets::parse(text).map_err(|error| format!("the hook of the network: {error}"))?;
    Ok(Some(Secret::new(text)))
}

/// Whether every address of an action may be called.
pub(super) fn reachable(place: &PartnerAction, allowed: &Allowed) -> Result<(), String> {
    for url in place.urls() {
        let judged = allowed.guard.check(url);
        judged.map_err(|refusal| format!("the hook of the network: {refusal}"))?;
    }
    Ok(())
}
