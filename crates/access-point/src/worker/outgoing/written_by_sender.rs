//! What an outgoing document is about that its sender wrote itself and sent like any other: an
//! answer is filed with the invoice or the order that it answers, a cancellation with the order
//! that it takes back. So what comes after it is held to it, whichever way it went (interface
//! specification 3.2). One that this service wrote was filed when it was taken.

use bytes::Bytes;
use quoin_delivery::Family;
use quoin_delivery::responses::orders::OrderNews;
use quoin_formats::routing::{AnswerContent, FollowedOrder, Routing};
use quoin_store::{NewAnswer, SubjectSearch, TransactionRecord};

use super::behind::looked_at_again;
use crate::channels::OutboundRun;
use crate::plan::DocumentSummary;
use crate::rules::RuleLibrary;
use crate::step::StepFault;
use crate::worker::incoming::answered::{AnsweredAs, CHANGES, NO_ORDERS, is_partial};

/// Part of the names of the document types of orders, which are about nothing before them.
const ORDERS: &str = "::Order##";

impl OutboundRun<'_> {
    /// Notes the document that this one answers or takes back, where its party has that and it is
    /// not filed with it. Whether it has to wait: another answer to that document, which was given
    /// before, is on its way still. It is filed behind that one then, and its step given back.
    pub(super) async fn note_subject(
        &mut self,
        (family, known): (Family, &DocumentSummary),
        document: &Bytes,
    ) -> Result<bool, StepFault> {
        let is_order = known.document_type.as_ref().is_some_and(|kind| kind.contains(ORDERS));
        if !family.may_answer() || is_order || self.carried.is_some() {
            return Ok(false);
        }
        let Some(receiver) = known.receiver.as_deref() else { return Ok(false) };
        let own = self.record.transaction.id.clone();
        if self.context.store.answered_by(&own).await?.is_some() {
            return Ok(false);
        }
        let document = document.clone();
        let look = move |_: &RuleLibrary| {
            let parsed = quoin_formats::read(&document);
            (parsed.routing().unwrap_or_default(), AnsweredAs::of(&parsed))
        };
        let (routing, of) = self.context.apart(&self.record, look).await?;
        self.beside.answer = match (&routing.answers, &routing.follows, family) {
            (Some(answers), _, Family::InvoiceResponse) => {
                self.to_invoice(answers, (receiver, of)).await?
            }
            (Some(answers), _, Family::Order) => self.to_order(answers, (receiver, of)).await?,
            (None, Some(order), Family::Order) if order.is_cancelled => {
                self.of_cancellation((order, &routing), receiver).await?
            }
            _ => None,
        };
        let Some(answer) = &self.beside.answer else { return Ok(false) };
        let now = self.context.clock.now();
        let times = (now, looked_at_again(now));
        Ok(self.context.store.files_behind(&self.claim, (&own, answer), times).await?)
    }

    /// The document that came to the party which is meant.
    async fn came(
        &self,
        (family, number): (Family, Vec<String>),
        receiver: &str,
        asked: impl FnOnce(SubjectSearch) -> SubjectSearch,
    ) -> Result<Option<TransactionRecord>, StepFault> {
        let own = &self.record.transaction;
        let question = asked(SubjectSearch::received(own, receiver, family, number));
        Ok(self.context.store.answered(question).await?)
    }

    async fn to_invoice(
        &self,
        answers: &AnswerContent,
        (receiver, of): (&str, AnsweredAs),
    ) -> Result<Option<NewAnswer>, StepFault> {
        let named = |question| SubjectSearch {
            issued_on: of.issued_on,
            type_code: of.type_code,
            ..question
        };
        let numbers = (Family::Invoice, answers.numbers.clone());
        let found = self.came(numbers, receiver, named).await?;
        Ok(found.map(|found| given(answers, found)))
    }

    /// Of a change that is named, that; of an order that its buyer cancelled, the cancellation,
    /// which names the order alone.
    async fn to_order(
        &self,
        answers: &AnswerContent,
        (receiver, of): (&str, AnsweredAs),
    ) -> Result<Option<NewAnswer>, StepFault> {
        if let Some(change) = &answers.change {
            let changes = |question| SubjectSearch { only: Some(CHANGES), ..question };
            let number = (Family::Order, vec![change.clone()]);
            if let Some(found) = self.came(number, receiver, changes).await? {
                return Ok(Some(given(answers, found)));
            }
        }
        let named = |question| SubjectSearch {
            without: NO_ORDERS,
            issued_on: of.issued_on,
            type_code: of.type_code,
            ..question
        };
        let numbers = (Family::Order, answers.numbers.clone());
        let Some(order) = self.came(numbers, receiver, named).await? else { return Ok(None) };
        let cancellation = match answers.change {
            Some(_) => None,
            None => self.context.store.cancellation_of(&order.transaction.id).await?,
        };
        Ok(Some(given(answers, cancellation.unwrap_or(order))))
    }

    async fn of_cancellation(
        &self,
        (order, routing): (&FollowedOrder, &Routing),
        receiver: &str,
    ) -> Result<Option<NewAnswer>, StepFault> {
        let own = &self.record.transaction;
        let question = SubjectSearch {
            without: NO_ORDERS,
            from: receiver.to_owned(),
            not_after: routing.issue_date.map(|day| day.to_string()),
            ..SubjectSearch::sent(own, Family::Order, vec![order.number.clone()])
        };
        let Some(found) = self.context.store.answered(question).await? else { return Ok(None) };
        let order = found.transaction.id;
        let own = (&own.document_id, routing.number.as_deref());
        let line = OrderNews::Cancels.line(own, false, self.context.clock.now());
        let lines = vec![(order.clone(), line)];
        Ok(Some(NewAnswer { cancels: true, lines, ..NewAnswer::to(order) }))
    }
}

/// The answer to a document.
fn given(answers: &AnswerContent, to: TransactionRecord) -> NewAnswer {
    NewAnswer {
        status: answers.status.clone(),
        is_partial: is_partial(answers),
        ..NewAnswer::to(to.transaction.id)
    }
}
