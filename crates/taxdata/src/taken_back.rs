//! A report that takes back another one, written from that: its head is another one, what it tells
//! of the invoice is the same.

use jiff::Timestamp;
use uuid::Uuid;

use crate::build::issued_at;
use crate::regime::{PREFIX, Regime, TaxSubmission};

/// The report that takes back one which [`crate::build`] made; `None` where that is none of the
/// regime.
pub fn taken_back(report: &str, regime: Regime, uuid: Uuid, issued: Timestamp) -> Option<String> {
    let code = TaxSubmission::Disregard.code(regime)?;
    let (day, time) = issued_at(issued);
    // What follows may have elements of the same names: the invoice.
    let (head, rest) = report.split_at(report.find(&format!("<{PREFIX}:DocumentScope>"))?);
    let mut head = head.to_owned();
    if regime != Regime::Emirates {
        head = put(&head, "cbc:UUID", &uuid.to_string())?;
    }
    head = put(&head, "cbc:IssueDate", &day)?;
    head = put(&head, "cbc:IssueTime", &time)?;
    let submission = format!("{PREFIX}:{}", regime.row().submission_element);
    head = put(&head, &submission, code)?;
    Some(format!("{head}{rest}"))
}

/// The same with another value of an element.
fn put(head: &str, element: &str, value: &str) -> Option<String> {
    let (before, rest) = head.split_once(&format!("<{element}>"))?;
    let (_, after) = rest.split_once(&format!("</{element}>"))?;
    Some(format!("{before}<{element}>{value}</{element}>{after}"))
}
