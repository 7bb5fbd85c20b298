//! Which document of ours an arrived one answers: by its number, and by its day and its type where
//! the answer names them, since a number may be used twice.

use quoin_delivery::responses::PARTIALLY_PAID;
use quoin_delivery::{DocumentId, Family};
use quoin_formats::ParsedDocument;
use quoin_formats::routing::{Clarification, Routing};
use quoin_formats::ubl::{aggregate, value};
use quoin_store::{NewAnswer, SubjectSearch, TransactionRecord};

use crate::step::StepFault;
use crate::worker::Worker;

/// What an answer says of the document that it is about, beside its number.
#[derive(Debug, Default)]
pub(super) struct AnsweredAs {
    issued_on: Option<String>,
    type_code: Option<String>,
}

impl AnsweredAs {
    /// What an Invoice Response or an order response says of it; nothing of any other document.
    pub(super) fn of(parsed: &ParsedDocument) -> AnsweredAs {
        let reference = parsed.root().and_then(|root| {
            let response = || aggregate(aggregate(root, "DocumentResponse")?, "DocumentReference");
            response().or_else(|| aggregate(root, "OrderReference"))
        });
        let Some(reference) = reference else { return AnsweredAs::default() };
        let text = |name| value(reference, name);
        AnsweredAs {
            issued_on: text("IssueDate")
                .and_then(|date| quoin_model::text::date(&date))
                .map(|date| date.to_string()),
            type_code: text("DocumentTypeCode").map(|code| code.trim().to_owned()),
        }
    }
}

impl Worker {
    /// The document of ours that an arrived one answers, and what it says about it.
    pub(super) async fn answered(
        &self,
        record: &TransactionRecord,
        routing: &Routing,
        of: AnsweredAs,
    ) -> Result<Option<(DocumentId, NewAnswer)>, StepFault> {
        let Some(answers) = &routing.answers else { return Ok(None) };
        let own = &record.transaction;
        let family = match own.family {
            Family::InvoiceResponse => Family::Invoice,
            Family::Order => Family::Order,
            // A message level status is about an envelope, see `told`.
            _ => return Ok(None),
        };
        let question = SubjectSearch {
            organisation: own.organisation.clone(),
            party: own.party.clone(),
            numbers: answers.numbers.clone(),
            from: own.sender.clone().unwrap_or_default(),
            family,
            issued_on: of.issued_on,
            type_code: of.type_code,
        };
        let found = self.store.answered(question).await?;
        Ok(found.map(|found| {
            let partial = |one: &Clarification| one.code.as_deref() == Some(PARTIALLY_PAID);
            let answer = NewAnswer {
                subject: found.transaction.id,
                status: answers.status.clone(),
                is_partial: answers.clarifications.iter().any(partial),
                order: None,
            };
            (found.transaction.document_id, answer)
        }))
    }
}
