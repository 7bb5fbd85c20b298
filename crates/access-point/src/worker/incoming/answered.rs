//! Which document an arrived one is about: an answer by the number of what it answers, and by its
//! day and its type where it names them, since a number may be used twice; a change or a
//! cancellation by the number of its order. An answer to a cancellation names the order alone: it
//! is one where the cancellation was delivered before it came.

use jiff::Timestamp;
use quoin_delivery::responses::PARTIALLY_PAID;
use quoin_delivery::responses::orders::OrderNews;
use quoin_delivery::{
    Decision, Direction, DocumentId, Family, Status, TimelineEntry, TransactionId,
};
use quoin_formats::ParsedDocument;
use quoin_formats::routing::{AnswerContent, Clarification, FollowedOrder, Routing};
use quoin_formats::ubl::{aggregate, value};
use quoin_store::{EarlyMessage, NewAnswer, SubjectSearch, TransactionRecord};

use crate::step::StepFault;
use crate::worker::Worker;

/// Parts of the names of the document types of changes and cancellations, and of answers: what is
/// about an order and is none.
pub(in crate::worker) const NO_ORDERS: [Option<&str>; 2] =
    [Some("::OrderC"), Some("::OrderResponse")];
/// Part of the names of the document types of changes.
pub(in crate::worker) const CHANGES: &str = "::OrderChange";

/// An order, its change or its cancellation, where it is on record.
type FoundOrder = Option<TransactionRecord>;

/// Whether an answer tells of a payment in part.
pub(in crate::worker) fn is_partial(answers: &AnswerContent) -> bool {
    let tells = |one: &Clarification| one.code.as_deref() == Some(PARTIALLY_PAID);
    answers.clarifications.iter().any(tells)
}

/// What an answer says of the document that it is about, beside its number.
#[derive(Debug, Default)]
pub(in crate::worker) struct AnsweredAs {
    pub(in crate::worker) issued_on: Option<String>,
    pub(in crate::worker) type_code: Option<String>,
}

impl AnsweredAs {
    /// What an Invoice Response or an order response says of it; nothing of any other document.
    pub(in crate::worker) fn of(parsed: &ParsedDocument) -> AnsweredAs {
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

/// What an arrived document is about.
#[derive(Debug, Default)]
pub(super) struct AboutAnother {
    /// The document that it is about, where that is on record.
    about: Option<DocumentId>,
    /// It changes or cancels that one; else it answers it.
    follows: bool,
    /// The order whose change or cancellation it answers, where that is on record.
    order_of_it: Option<DocumentId>,
    /// Its link to that one.
    pub(super) answer: Option<NewAnswer>,
    /// The order that it changes or cancels, where that is not on record yet.
    pub(super) early: Option<EarlyMessage>,
    /// Of an order: its number.
    pub(super) order: Option<String>,
}

impl AboutAnother {
    /// The decision about the document, which names what it is about: an answer is told under the
    /// document that it answers, a change and a cancellation under their own.
    pub(super) fn told(&self, decision: Decision, own: &DocumentId) -> Decision {
        let Some((about, answer)) = self.about.as_ref().zip(self.answer.as_ref()) else {
            return decision;
        };
        if self.follows {
            return decision.following(about);
        }
        let decision = decision.answering(about, own, answer.status.as_deref());
        match &self.order_of_it {
            Some(order) => decision.following(order),
            None => decision,
        }
    }
}

/// A document that arrived, as far as it is looked at here.
#[derive(Debug, Clone, Copy)]
pub(super) struct SeenArrival<'a> {
    pub(super) record: &'a TransactionRecord,
    pub(super) routing: &'a Routing,
    /// What became of it.
    pub(super) status: Status,
    pub(super) now: Timestamp,
}

impl SeenArrival<'_> {
    /// The question which document of its family it is about.
    fn question(&self, family: Family, numbers: Vec<String>) -> SubjectSearch {
        SubjectSearch::sent(&self.record.transaction, family, numbers)
    }

    /// The line about it on the timeline of an order.
    fn line(&self, news: &OrderNews) -> TimelineEntry {
        let own = &self.record.transaction.document_id;
        news.line((own, self.routing.number.as_deref()), self.status == Status::Rejected, self.now)
    }

    /// What the timelines of an order, and of its change or its cancellation, tell of an answer to
    /// it.
    fn lines(
        &self,
        code: &Option<String>,
        (order, change, cancellation): (&FoundOrder, &FoundOrder, &FoundOrder),
    ) -> Vec<(TransactionId, TimelineEntry)> {
        let answered = OrderNews::Answered(code.clone());
        let of_order = match cancellation {
            Some(_) => OrderNews::AnsweredCancellation(code.clone()),
            None => answered.clone(),
        };
        let all = [(change, &answered), (cancellation, &answered), (order, &of_order)];
        let known = all.into_iter().filter_map(|(one, news)| Some((one.as_ref()?, news)));
        known.map(|(one, news)| (one.transaction.id.clone(), self.line(news))).collect()
    }
}

impl Worker {
    /// What an arrived document is about.
    pub(super) async fn about(
        &self,
        arrived: SeenArrival<'_>,
        of: AnsweredAs,
    ) -> Result<AboutAnother, StepFault> {
        let family = arrived.record.transaction.family;
        match (&arrived.routing.answers, &arrived.routing.follows) {
            (Some(answers), _) => self.answered(arrived, answers, of).await,
            (None, Some(order)) if family == Family::Order => self.followed(arrived, order).await,
            (None, None) if family == Family::Order => {
                let order = arrived.routing.number.clone();
                Ok(AboutAnother { order, ..AboutAnother::default() })
            }
            _ => Ok(AboutAnother::default()),
        }
    }

    /// The document of ours that an arrived one answers, and what it says about it.
    async fn answered(
        &self,
        arrived: SeenArrival<'_>,
        answers: &AnswerContent,
        of: AnsweredAs,
    ) -> Result<AboutAnother, StepFault> {
        let family = match arrived.record.transaction.family {
            Family::InvoiceResponse => Family::Invoice,
            Family::Order => Family::Order,
            // A message level status is about an envelope, see `told`.
            _ => return Ok(AboutAnother::default()),
        };
        let is_order = family == Family::Order;
        let question = SubjectSearch {
            without: if is_order { NO_ORDERS } else { [None; 2] },
            issued_on: of.issued_on,
            type_code: of.type_code,
            ..arrived.question(family, answers.numbers.clone())
        };
        let order = self.store.answered(question).await?;
        let change = match answers.change.clone().filter(|_| is_order) {
            Some(number) => {
                let question = arrived.question(family, vec![number]);
                let question = SubjectSearch { only: Some(CHANGES), ..question };
                self.store.answered(question).await?
            }
            None => None,
        };
        let cancellation = match &order {
            Some(order) if change.is_none() && is_order => {
                let came = arrived.record.created_on;
                self.store.cancellation_answered(&order.transaction.id, came).await?
            }
            _ => None,
        };
        let lines = match is_order {
            true => arrived.lines(&answers.status, (&order, &change, &cancellation)),
            false => Vec::new(),
        };
        let about_it = change.or(cancellation);
        let order_of_it = order.as_ref().filter(|_| about_it.is_some());
        let order_of_it = order_of_it.map(|order| order.transaction.document_id.clone());
        let Some(found) = about_it.or(order) else { return Ok(AboutAnother::default()) };
        let answer = NewAnswer {
            status: answers.status.clone(),
            is_partial: is_partial(answers),
            lines,
            ..NewAnswer::to(found.transaction.id)
        };
        let (about, answer) = (Some(found.transaction.document_id), Some(answer));
        Ok(AboutAnother { about, order_of_it, answer, ..AboutAnother::default() })
    }

    /// The order that came before, which an arrived message changes or cancels. One that was issued
    /// on a later day is another one of that number.
    async fn followed(
        &self,
        arrived: SeenArrival<'_>,
        order: &FollowedOrder,
    ) -> Result<AboutAnother, StepFault> {
        let question = SubjectSearch {
            direction: Direction::Incoming,
            without: NO_ORDERS,
            not_after: arrived.routing.issue_date.map(|day| day.to_string()),
            ..arrived.question(Family::Order, vec![order.number.clone()])
        };
        let cancels = order.is_cancelled;
        let Some(found) = self.store.answered(question.clone()).await? else {
            let early = Some(EarlyMessage { order: question, cancels });
            return Ok(AboutAnother { early, ..AboutAnother::default() });
        };
        let news = if cancels { OrderNews::Cancelled } else { OrderNews::Changed };
        let order = found.transaction.id;
        let lines = vec![(order.clone(), arrived.line(&news))];
        let answer = NewAnswer { cancels, lines, ..NewAnswer::to(order) };
        let about = Some(found.transaction.document_id);
        Ok(AboutAnother { about, follows: true, answer: Some(answer), ..AboutAnother::default() })
    }
}
