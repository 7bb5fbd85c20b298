//! The states that a receiver gives an invoice, and in which order (interface specification 3.2);
//! what a seller says of an order is in [`orders`].
//!
//! The logical order is AB, IP, UQ, CA, AP, PD. A state may be left out. RE may be given at any
//! time before a final one. RE and PD are final: after a payment in part (PD with the reason PPD)
//! comes nothing but the next payment. IP and UQ may be given again, since each can carry another
//! question or another date.

pub mod orders;

use serde::{Deserialize, Serialize};

use orders::OrderSubject;

/// Whether the order of states is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseOrder {
    /// What is out of order is refused.
    #[default]
    Strict,
    /// Anything goes that is not after a final state.
    Any,
}

/// What an answer is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerRule {
    /// The order of the states of an invoice.
    Invoice(ResponseOrder),
    /// What was said of an order before.
    Order(OrderSubject),
}

impl AnswerRule {
    /// Whether a state may follow those that were given, the oldest first.
    ///
    /// # Errors
    /// [`OutOfOrder`], which says what is expected.
    pub fn demand(self, given: &[GivenState], next: &GivenState) -> Result<(), OutOfOrder> {
        match self {
            AnswerRule::Invoice(order) => may_follow(given, next, order),
            AnswerRule::Order(subject) => orders::may_follow(given, &next.code, subject),
        }
    }
}

/// A state that was given, as far as the order asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenState {
    /// AB, IP, UQ, CA, AP, PD or RE.
    pub code: String,
    /// The payment was made in part only.
    pub partial: bool,
}

/// Why a state cannot follow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutOfOrder {
    /// The last word was said.
    #[error(
        "the invoice has the final status {last}; nothing follows RE or PD, \
         a corrected invoice is answered under its own document id"
    )]
    Final {
        /// The state it is in.
        last: String,
    },
    /// It was passed, or given already.
    #[error(
        "the invoice has the status {last}, which {next} does not follow: the order is AB, IP, UQ, \
         CA, AP, PD, and RE at any time before PD"
    )]
    Passed {
        /// The state it is in.
        last: String,
        /// The state that was asked for.
        next: String,
    },
    /// A seller has said something else.
    #[error("{subject} has the answer {last}, which {next} does not follow: {expected}")]
    Answered {
        /// What is answered: `the order`.
        subject: &'static str,
        /// The last answer.
        last: String,
        /// The answer that was asked for.
        next: String,
        /// What may follow.
        expected: String,
    },
    /// A seller whose buyer does not want it any more.
    #[error(
        "the buyer cancelled the order by the document {by}: answer that one, AP accepts and RE \
         refuses it; once it is refused, the order and its changes can be answered again"
    )]
    CancelledByBuyer {
        /// The document id of the cancellation that came.
        by: String,
    },
    /// An order is cancelled once, unless its seller refuses that.
    #[error(
        "the order is cancelled already, by {by}, which was delivered or is on its way; one that \
         fails or that the seller refuses (RE) can be followed by another"
    )]
    Cancelled {
        /// The document id of the cancellation.
        by: String,
    },
    /// An order that reached nobody.
    #[error(
        "the order is {status}: it was not delivered, so that there is nothing for its receiver to \
         cancel"
    )]
    Undelivered {
        /// The state of its delivery.
        status: String,
    },
}

/// The reason that tells a payment in part.
pub const PARTIALLY_PAID: &str = "PPD";

/// The states in their order; RE has no place in it.
const ORDER: &[&str] = &["AB", "IP", "UQ", "CA", "AP", "PD"];
/// States that may be given again.
const REPEATABLE: &[&str] = &["IP", "UQ"];

fn rank(code: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == code)
}

impl GivenState {
    fn is_final(&self) -> bool {
        self.code == "RE" || (self.code == "PD" && !self.partial)
    }
}

/// Whether a state may follow those that were given.
///
/// # Errors
/// [`OutOfOrder`], which says what is expected.
pub fn may_follow(
    given: &[GivenState],
    next: &GivenState,
    order: ResponseOrder,
) -> Result<(), OutOfOrder> {
    if let Some(last) = given.iter().find(|state| state.is_final()) {
        return Err(OutOfOrder::Final { last: last.code.clone() });
    }
    let furthest = given
        .iter()
        .filter_map(|state| Some((rank(&state.code)?, state)))
        .max_by_key(|(rank, _)| *rank);
    let Some((reached, last)) = furthest else { return Ok(()) };
    let Some(wanted) = rank(&next.code) else {
        return match last.partial && order == ResponseOrder::Strict {
            true => Err(OutOfOrder::Passed { last: last.code.clone(), next: next.code.clone() }),
            false => Ok(()),
        };
    };
    let again = wanted == reached
        && (REPEATABLE.contains(&next.code.as_str()) || last.partial && next.code == "PD");
    if order == ResponseOrder::Any || wanted > reached || again {
        return Ok(());
    }
    Err(OutOfOrder::Passed { last: last.code.clone(), next: next.code.clone() })
}

#[cfg(test)]
mod tests;
