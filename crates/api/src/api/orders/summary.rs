//! What an answer needs to know of the message that it answers: an order, its change or its
//! cancellation.

use quoin_delivery::responses::orders::OrderSubject;
use quoin_formats::orders::order_kind_at;
use quoin_formats::routing::{FollowedOrder, Routing};
use quoin_formats::ubl::write::{OrderAnswerForm, OrderLine, order_lines};
use quoin_identity::order_answer;
use quoin_model::order::OrderKind;
use quoin_peppol::identifiers::ProcessId;
use quoin_store::TransactionRecord;

use crate::api::{Api, answers};
use crate::http::{Problem, codes};

/// The currency of what says none.
const USUAL: &str = "EUR";

/// An order, its change or its cancellation.
pub(super) struct OrderSummary {
    /// Which of them it is.
    pub(super) kind: OrderKind,
    /// Its own number.
    pub(super) number: String,
    /// The order that it changes or cancels.
    pub(super) follows: Option<FollowedOrder>,
    pub(super) routing: Routing,
    pub(super) lines: Vec<OrderLine>,
}

impl OrderSummary {
    /// Reads it.
    ///
    /// # Errors
    /// API400.Unanswerable, API404.Expired.
    pub(super) async fn read(
        api: &Api,
        found: &TransactionRecord,
    ) -> Result<OrderSummary, Problem> {
        let bytes = answers::bytes(api, found).await?;
        let read = move || {
            let parsed = quoin_formats::read(&bytes);
            let root = parsed.root();
            (
                // What is in no syntax whose messages are told apart was listed as an order.
                root.and_then(order_kind_at).unwrap_or(OrderKind::Order),
                parsed.routing().unwrap_or_default(),
                root.map(order_lines).unwrap_or_default(),
            )
        };
        let owner = found.transaction.organisation.as_str();
        let (kind, mut routing, lines) = api.settings.judges.run(owner, read).await?;
        let number = routing.number.clone().ok_or_else(|| {
            let detail = "the order has no number, so nothing can refer to it";
            Problem::new(&codes::UNANSWERABLE, detail)
        })?;
        let follows = routing.follows.take();
        Ok(OrderSummary { kind, number, follows, routing, lines })
    }

    /// In which form it is answered: in the process that it names, else in the one it came in.
    ///
    /// # Errors
    /// API400.Unanswerable.
    pub(super) fn form(&self, found: &TransactionRecord) -> Result<OrderAnswerForm, Problem> {
        let came_in = found.process.as_deref().and_then(|text| text.parse::<ProcessId>().ok());
        let came_in = came_in.as_ref().map(ProcessId::value);
        let process = self.routing.profile_id.as_deref().or(came_in);
        order_answer(self.kind, process)
            .map_err(|error| Problem::new(&codes::UNANSWERABLE, error.to_string()))
    }

    /// The number of the order itself.
    ///
    /// # Errors
    /// API400.Unanswerable, of a change or a cancellation that names none.
    pub(super) fn order(&self) -> Result<&str, Problem> {
        match (self.kind, &self.follows) {
            (OrderKind::Order, _) => Ok(&self.number),
            (_, Some(follows)) => Ok(&follows.number),
            (kind, None) => {
                let detail = format!(
                    "{} names no order (cac:OrderReference), so no answer can name it",
                    kind.title()
                );
                Err(Problem::new(&codes::UNANSWERABLE, detail))
            }
        }
    }

    /// What the answer is held to.
    pub(super) fn subject(&self, form: OrderAnswerForm) -> OrderSubject {
        match (self.kind, form) {
            (OrderKind::Change, _) => OrderSubject::Change,
            (OrderKind::Cancellation, _) => OrderSubject::Cancellation,
            (_, OrderAnswerForm::Advanced) => OrderSubject::AdvancedOrder,
            (_, OrderAnswerForm::Ordering) => OrderSubject::Order,
        }
    }

    /// The currency of the answer: its own, else that of the order that it is about, since a
    /// cancellation has none.
    pub(super) async fn currency(
        &self,
        api: &Api,
        found: &TransactionRecord,
    ) -> Result<String, Problem> {
        if let Some(own) = &self.routing.currency {
            return Ok(own.clone());
        }
        let of_order = match api.store.answered_by(&found.transaction.id).await? {
            Some(order) => currency_of(api, &order).await?,
            None => None,
        };
        Ok(of_order.unwrap_or_else(|| USUAL.to_owned()))
    }
}

/// The currency of an order on record, where its bytes are there still.
async fn currency_of(api: &Api, order: &TransactionRecord) -> Result<Option<String>, Problem> {
    let Some(bytes) = api.store.document(order).await? else { return Ok(None) };
    let read = move || quoin_formats::read(&bytes).routing().and_then(|own| own.currency);
    api.settings.judges.run(order.transaction.organisation.as_str(), read).await
}
