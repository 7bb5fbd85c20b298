//! Whether a document has to be registered by an authority before it leaves.

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::tz::TimeZone;
use quoin_delivery::choice::by_id;
use quoin_delivery::event::ClearanceNews;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{Event, Family, Topic, TopicPattern};
use quoin_ksef::outcome::KsefOutcome;
use quoin_store::{ClearanceState, Hook, HookScope, NewClearance};

use crate::channels::OutboundRun;
use crate::ksef::{KsefAccount, KsefForm, KsefInit, NAME, ksef_form};
use crate::plan::DocumentSummary;
use crate::step::StepFault;
use crate::worker::Worker;
use crate::worker::clearing::explained_own;

/// What is known of a document at an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClearanceGate {
    /// It may leave.
    Open,
    /// It waits, or ends here: what follows was decided.
    Decided,
    /// It waits already: there is nothing to do.
    Waits,
}

/// The pattern by which a hook registers what its party sends; none where it does something else,
/// such as fetching what others sold to it.
fn clearing_topic(hook: &Hook) -> Option<&TopicPattern> {
    let clears = ActionKind::of(&hook.action).is_some_and(ActionKind::clears);
    let mut matching = hook.topics.iter().filter(|own| own.matches(Topic::CLEAR_INVOICE_BATCHED));
    let specific = matching.clone().find(|pattern| pattern.is_specific());
    specific.or_else(|| matching.next()).filter(|_| clears && hook.is_active)
}

/// Whether a hook registers what its party sends.
pub(in crate::worker) fn registers(hook: &Hook) -> bool {
    clearing_topic(hook).is_some()
}

/// The hook by which an authority registers a document of a party, by what filters are told of it:
/// one that names the topic goes before one that takes any, and then the id decides (interface
/// specification 6, rule 2).
fn chosen(hooks: Vec<Hook>, party: &str, facts: Option<&BTreeMap<String, String>>) -> Option<Hook> {
    let is_of = |hook: &Hook| matches!(&hook.scope, HookScope::Party(own) if own == party);
    let wants = |hook: &Hook| match (&hook.filter, facts) {
        (Some(filter), Some(facts)) => filter.wants(facts),
        _ => true,
    };
    let own = hooks.into_iter().filter(|hook| is_of(hook) && registers(hook) && wants(hook));
    own.min_by(|a, b| {
        let is_wild = |hook| !clearing_topic(hook).is_some_and(TopicPattern::is_specific);
        is_wild(a).cmp(&is_wild(b)).then_with(|| by_id(a.id.as_str(), b.id.as_str()))
    })
}

impl Worker {
    /// The hook by which an authority registers the invoices of a party, if it has one; of a
    /// document of which something is known, the one whose filter wants it.
    pub(in crate::worker) async fn clearing_hook(
        &self,
        organisation: &quoin_delivery::OrganisationId,
        party: &str,
        facts: Option<&BTreeMap<String, String>>,
    ) -> Result<Option<Hook>, StepFault> {
        Ok(chosen(self.store.hooks_of(organisation).await?, party, facts))
    }

    /// Whether a document may leave; where it may not yet, what follows is decided.
    pub(super) async fn clearance_gate(
        &self,
        go: &mut OutboundRun<'_>,
        (family, document): (Family, &Bytes),
        (known, summary): (&DocumentSummary, &str),
    ) -> Result<ClearanceGate, StepFault> {
        let Some(ksef) = &self.ksef else { return Ok(ClearanceGate::Open) };
        if family != Family::Invoice || go.carried.is_some() {
            return Ok(ClearanceGate::Open);
        }
        let own = go.record.transaction.clone();
        match self.store.clearance_of(&own.id).await?.map(|record| record.state) {
            Some(ClearanceState::Registered | ClearanceState::Offline) => {
                return Ok(ClearanceGate::Open);
            }
            Some(ClearanceState::Waiting | ClearanceState::Failed) => {
                return Ok(ClearanceGate::Waits);
            }
            None => {}
        }
        let mut facts = known.facts(family);
        facts.insert("documentId".to_owned(), own.document_id.to_string());
        let hook = self.clearing_hook(&own.organisation, &own.party, Some(&facts)).await?;
        let Some(hook) = hook else { return Ok(ClearanceGate::Open) };
        let identifiers: Vec<String> =
            go.party.iter().flat_map(|party| party.identifiers.clone()).collect();
        let made = self.form_of(go, &hook, identifiers, document.clone()).await?;
        go.decide(&Event::Validated { summary: summary.to_owned() });
        match made {
            Ok(form) => {
                let now = self.clock.now();
                let sets_off = now.saturating_add(ksef.settings().collect).unwrap_or(now);
                if let Some(losses) = &form.losses {
                    tracing::debug!(document = %own.document_id, losses, "made FA(3)");
                }
                go.beside.clearance = Some(NewClearance {
                    hook: hook.key.clone(),
                    form: form.xml.into(),
                    number: form.number,
                    seller: form.seller,
                    issued: form.issued,
                    sets_off,
                });
                go.decide(&Event::Clearing { authority: NAME });
            }
            Err((word, text)) => go.decide(&Event::Cleared(ClearanceNews {
                outcome: KsefOutcome::Failed,
                code: "ksef-document".to_owned(),
                message: explained_own(word, &text),
                details: Default::default(),
                output: hook.output,
            })),
        }
        Ok(ClearanceGate::Decided)
    }

    /// The document as the authority takes it, made on a thread of the pool.
    async fn form_of(
        &self,
        go: &OutboundRun<'_>,
        hook: &Hook,
        identifiers: Vec<String>,
        document: Bytes,
    ) -> Result<Result<KsefForm, (&'static str, String)>, StepFault> {
        let Some(secret) = hook.secrets.first().cloned() else {
            return Ok(Err(("certificate-use", "the hook has no certificates".to_owned())));
        };
        let (key, on) = (hook.key.to_string(), go.record.created_on);
        let on = on.to_zoned(TimeZone::UTC).date();
        let work = move |rules: &crate::rules::RuleLibrary| {
            let wrong = |text: String| ("certificate-use", text);
            let init = KsefInit::open(&secret).map_err(|error| wrong(error.to_string()))?;
            let names = identifiers.iter().map(String::as_str);
            let account = KsefAccount::of(key, init, names).ok_or_else(|| {
                wrong("neither the party nor its certificate has a NIP".to_owned())
            })?;
            let made = ksef_form(&document, &account.nip, rules, on);
            made.map_err(|refusal| (refusal.word, refusal.text))
        };
        self.context().apart(&go.record, work).await
    }
}
