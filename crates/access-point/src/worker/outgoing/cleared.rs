//! Whether a document has to be registered by an authority before it leaves.

use std::collections::BTreeMap;

use bytes::Bytes;
use quoin_delivery::event::ClearanceNews;
use quoin_delivery::{Event, Family, IssuedInvoice};
use quoin_ksef::outcome::KsefOutcome;
use quoin_store::{ClearanceRecord, ClearanceState, Hook, NewClearance};

use crate::channels::OutboundRun;
use crate::ksef::{FormRefusal, KsefForm, NAME, clearing_hook, form_by};
use crate::plan::DocumentSummary;
use crate::rules::RuleLibrary;
use crate::step::StepFault;
use crate::worker::Worker;

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

/// The invoice as its authority has it, or is owed it.
pub(super) fn issued(record: ClearanceRecord) -> Option<IssuedInvoice> {
    let ClearanceRecord { state, authority_number: number, mode, due_on, .. } = record;
    matches!(state, ClearanceState::Registered | ClearanceState::Offline).then_some(IssuedInvoice {
        number,
        mode,
        due_on,
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
        Ok(clearing_hook(self.store.hooks_of(organisation).await?, party, facts))
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
        if let Some(record) = self.store.clearance_of(&own.id).await? {
            go.issued = issued(record);
            return Ok(if go.issued.is_some() {
                ClearanceGate::Open
            } else {
                ClearanceGate::Waits
            });
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
            Err(refusal) => go.decide(&Event::Cleared(ClearanceNews {
                outcome: KsefOutcome::Failed,
                code: "ksef-document".to_owned(),
                message: refusal.explained(),
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
    ) -> Result<Result<KsefForm, FormRefusal>, StepFault> {
        let (hook, on) = (hook.clone(), go.record.created_on);
        let work = move |rules: &RuleLibrary| form_by(&hook, &identifiers, &document, (rules, on));
        self.context().apart(&go.record, work).await
    }
}
