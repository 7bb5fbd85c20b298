//! What a seller says of an order, of its change and of its cancellation, and after what (business
//! process of Peppol BIS Ordering 3 and Advanced Ordering 3); how the timeline of an order tells
//! what came about it.
//!
//! AB comes first. CA may come again, since each can offer another change. AP closes an agreement:
//! in ordering only RE comes after it, in advanced ordering the seller may propose a change, too.
//! RE ends it. A cancellation is accepted or refused, and that is the last word.

use jiff::Timestamp;

use super::{GivenState, OutOfOrder};
use crate::decision::TimelineEntry;
use crate::ids::DocumentId;

/// What a seller answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderSubject {
    /// An order of BIS Ordering.
    Order,
    /// An order of BIS Advanced Ordering.
    AdvancedOrder,
    /// A change of an order.
    Change,
    /// The cancellation of an order.
    Cancellation,
}

impl OrderSubject {
    /// Every one.
    pub const ALL: &[OrderSubject] = &[
        OrderSubject::Order,
        OrderSubject::AdvancedOrder,
        OrderSubject::Change,
        OrderSubject::Cancellation,
    ];

    /// Its name for people: `the order`.
    pub const fn title(self) -> &'static str {
        match self {
            OrderSubject::Order | OrderSubject::AdvancedOrder => "the order",
            OrderSubject::Change => "the change of the order",
            OrderSubject::Cancellation => "the cancellation of the order",
        }
    }

    /// Whether nothing is answered of it once the order is cancelled.
    pub const fn ends_with_its_order(self) -> bool {
        !matches!(self, OrderSubject::Cancellation)
    }

    /// The answers that may follow the last one, `None` where nothing was answered.
    pub fn after(self, last: Option<&str>) -> &'static [&'static str] {
        match (self, last) {
            (_, Some("RE")) | (OrderSubject::Cancellation, Some("AP")) => &[],
            (OrderSubject::Cancellation, None) => &["AB", "AP", "RE"],
            (OrderSubject::Cancellation, Some(_)) => &["AP", "RE"],
            (_, None) => &["AB", "AP", "CA", "RE"],
            (OrderSubject::Order, Some("AP")) => &["RE"],
            (_, Some("AP")) => &["CA", "RE"],
            (_, Some(_)) => &["AP", "CA", "RE"],
        }
    }
}

/// Whether an answer may follow those that were given, the oldest first.
///
/// # Errors
/// [`OutOfOrder::Answered`], which says what is expected.
pub fn may_follow(
    given: &[GivenState],
    next: &str,
    subject: OrderSubject,
) -> Result<(), OutOfOrder> {
    let last = given.last().map(|state| state.code.as_str());
    let allowed = subject.after(last);
    if allowed.contains(&next) {
        return Ok(());
    }
    let expected = match allowed {
        [] => format!("{} is the last word", last.unwrap_or_default()),
        some => format!("expected one of {}", some.join(", ")),
    };
    Err(OutOfOrder::Answered {
        subject: subject.title(),
        last: last.unwrap_or("none").to_owned(),
        next: next.to_owned(),
        expected,
    })
}

/// What comes about an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderNews {
    /// The seller answered it, with this code where there is one.
    Answered(Option<String>),
    /// The seller answered the cancellation of it, in the same way.
    AnsweredCancellation(Option<String>),
    /// The buyer changed it.
    Changed,
    /// The buyer cancelled it.
    Cancelled,
    /// Its party, the buyer, cancels it.
    Cancels,
}

impl OrderNews {
    /// The line about it on the timeline of the order: a document that was rejected, since it
    /// breaks its rules, counts for nothing.
    pub fn line(
        &self,
        (document, number): (&DocumentId, Option<&str>),
        is_rejected: bool,
        at: Timestamp,
    ) -> TimelineEntry {
        let number = number.map(|number| format!(" (number {number:.100})")).unwrap_or_default();
        let (name, said) = match self {
            OrderNews::Answered(code) => {
                ("Answered", format!("The seller answered{}", code_after(" ", code)))
            }
            OrderNews::AnsweredCancellation(code) => (
                "Answered",
                format!("The seller answered the cancellation{}", code_after(" with ", code)),
            ),
            OrderNews::Changed => ("Changed", "The buyer changed the order".to_owned()),
            OrderNews::Cancelled => ("Cancelled", "The buyer cancelled the order".to_owned()),
            OrderNews::Cancels => ("Cancelled", "The order is cancelled".to_owned()),
        };
        let counts = match is_rejected {
            _ if *self == OrderNews::Cancels => ", once that is delivered",
            true => ": that one breaks its rules, was rejected and counts for nothing",
            false => "",
        };
        TimelineEntry {
            name: name.to_owned(),
            description: format!("{said} by the document {document}{number}{counts}."),
            code: None,
            created_on: at,
        }
    }
}

/// A code, where there is one, behind a word.
fn code_after(word: &str, code: &Option<String>) -> String {
    code.as_ref().map(|code| format!("{word}{code:.10}")).unwrap_or_default()
}

#[cfg(test)]
mod tests;
