//! The form in which the receiver may have a document already. An attempt over the network whose
//! answer left that open, or that had none, is repeated with the same bytes under the same
//! identifiers, whatever the receiver's SMP says by now: another form would be another document to
//! the receiver, which may hold both (BME 2.1, `InstanceIdentifier`).

use bytes::Bytes;
use quoin_delivery::Family;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Attempt, EvidenceKind, SubmitOptions};

use super::target::{Conversion, NoTarget, Outbound};
use crate::channels::{OutboundRun, SentAs, may_have_arrived};
use crate::plan::{DocumentSummary, PlanInput, judged};
use crate::rules::RuleLibrary;
use crate::sending::PROTOCOL;
use crate::step::StepFault;

/// What an attempt sent that may have arrived.
pub(super) enum SentForm {
    /// The document as it was uploaded.
    Upload,
    /// What it was converted to.
    Converted(Box<ConvertedForm>),
}

/// What a document was converted to when it was sent.
pub(super) struct ConvertedForm {
    document: Bytes,
    sent_as: SentAs,
    losses: Bytes,
}

impl OutboundRun<'_> {
    /// What the first attempt that may have arrived has sent. Nothing where there is none, or where
    /// an earlier release sent it and kept no form.
    pub(super) async fn sent_form(&self) -> Result<Option<SentForm>, StepFault> {
        let own = &self.record.transaction;
        if own.attempts == 0 {
            return Ok(None);
        }
        let store = &self.context.store;
        let attempts = store.attempts_of(&own.id).await?;
        let Some(first) = attempts.iter().find(|attempt| may_be_there(attempt)) else {
            return Ok(None);
        };
        let kept = store.evidence_of(&own.id).await?;
        let blob = |kind| {
            let is_it = |piece: &&quoin_store::EvidenceRecord| {
                piece.attempt == first.attempt && piece.kind == kind
            };
            kept.iter().find(is_it).map(|piece| piece.blob)
        };
        let Some(losses) = blob(EvidenceKind::Losses) else { return Ok(Some(SentForm::Upload)) };
        let Some(document) = blob(EvidenceKind::Carried) else { return Ok(None) };
        let Some(sent_as) = SentAs::of(&first.report) else { return Ok(None) };
        let losses = store.blob(&own.organisation, losses).await?;
        let document = store.blob(&own.organisation, document).await?;
        let (Some(losses), Some(document)) = (losses, document) else { return Ok(None) };
        let form = ConvertedForm { document, sent_as, losses };
        Ok(Some(SentForm::Converted(Box::new(form))))
    }

    /// A form once more, as what it was sent.
    pub(super) async fn sent_again(
        &self,
        form: ConvertedForm,
        (receiver, family): (&ParticipantId, Family),
        source: DocumentSummary,
    ) -> Result<Result<Outbound, NoTarget>, StepFault> {
        let ConvertedForm { document, sent_as, losses } = form;
        let wishes = SubmitOptions {
            document_type: Some(sent_as.document_type),
            process: Some(sent_as.process),
            receiver: Some(receiver.to_string()),
            ..self.record.wishes.clone()
        };
        let ((parties, country), on) = (self.speakers(), self.record.created_on);
        let bytes = document.clone();
        let judge = move |rules: &RuleLibrary| {
            let (own, country) = (&parties[..], country.as_deref());
            let ask = PlanInput { document: &bytes, own, country, wishes: &wishes, family, on };
            judged(&ask, rules).plan
        };
        Ok(match self.context.apart(&self.record, judge).await? {
            Err(refusal) => Err(NoTarget::Refused(refusal)),
            Ok(mut plan) => {
                self.ask_statuses(&mut plan);
                let conversion = Some(Conversion::recorded(&losses));
                Ok(Outbound { plan, source, document, conversion })
            }
        })
    }
}

/// Whether an attempt went over the network, and may have reached the receiver unheard.
fn may_be_there(attempt: &Attempt) -> bool {
    attempt.protocol.as_deref() == Some(PROTOCOL) && may_have_arrived(attempt)
}
