//! In which process a message about an order is answered: in its own, by the transaction that this
//! has for answers (interface specification 2.2, `orderResponse` and `orderResponseAdvanced`).

use quoin_formats::profiles::BusinessProcess;
use quoin_formats::ubl::write::OrderAnswerForm;
use quoin_model::order::OrderKind;

/// Why no answer to a message about an order is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnansweredOrder {
    /// Its process has no answers.
    #[error(
        "the order is of the process {process}, in which the buyer orders and nothing is answered: \
         expected one of ordering or advanced ordering; tell the buyer by other means"
    )]
    WithoutAnswer {
        /// The process.
        process: String,
    },
    /// Answers of its process are not written here.
    #[error(
        "{title} of the process {process} is answered in that process, and this service writes \
         answers of Peppol BIS Ordering 3 (to an order) and of Peppol BIS Advanced Ordering 3 (to \
         an order, its change and its cancellation): write the answer yourself and send it with \
         generic/send"
    )]
    OtherProcess {
        /// What it is: `an order`.
        title: &'static str,
        /// The process.
        process: String,
    },
    /// It is an answer itself.
    #[error("{title} is not answered: expected an order, its change or its cancellation")]
    Answer {
        /// What it is.
        title: &'static str,
    },
}

/// In which form a message about an order is answered, by the process that it names; one that names
/// none is answered as an order of its kind is.
///
/// # Errors
/// [`UnansweredOrder`].
pub fn order_answer(
    kind: OrderKind,
    process: Option<&str>,
) -> Result<OrderAnswerForm, UnansweredOrder> {
    let title = kind.title();
    let own = process.and_then(BusinessProcess::of).map(|process| process.id);
    match (kind, own) {
        (OrderKind::Response, _) => Err(UnansweredOrder::Answer { title }),
        (_, Some("peppol-advanced-ordering")) => Ok(OrderAnswerForm::Advanced),
        (OrderKind::Order, Some("peppol-ordering")) => Ok(OrderAnswerForm::Ordering),
        (_, Some("peppol-order-only")) => {
            Err(UnansweredOrder::WithoutAnswer { process: named(process) })
        }
        (OrderKind::Order, None) if process.is_none() => Ok(OrderAnswerForm::Ordering),
        (_, None) if process.is_none() => Ok(OrderAnswerForm::Advanced),
        _ => Err(UnansweredOrder::OtherProcess { title, process: named(process) }),
    }
}

/// A process as it is shown.
fn named(process: Option<&str>) -> String {
    process.unwrap_or_default().chars().take(200).collect()
}

#[cfg(test)]
mod tests;
