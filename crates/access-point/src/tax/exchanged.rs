//! What decides about the reports of an invoice that was exchanged: in which corner one is owed,
//! since when, and whether it was withdrawn. The worker asks it, and who writes files by hand.

use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_delivery::tax::{TaxAct, TaxRole, TaxState};
use quoin_delivery::{Direction, Family, Status, Transaction};
use quoin_formats::ParsedDocument;
use quoin_peppol::identifiers::SeatId;
use quoin_store::{SubmitOptions, TaxReportRecord, TimelineLine, TransactionRecord};
use quoin_taxdata::flux10::GatheredInvoice;

use super::france::kept_of;
use super::utc_day;
use crate::plan;

/// In which corner an invoice may have to be reported that went this way.
pub fn role_of(direction: Direction) -> TaxRole {
    match direction {
        Direction::Outgoing => TaxRole::Sender,
        Direction::Incoming => TaxRole::Receiver,
    }
}

/// Whether an invoice came from an access point of the network, by whose envelope a report names
/// it: one that its party handed in, or that came by another network, is none of this corner's.
pub fn came_by_access_point(record: &TransactionRecord) -> bool {
    record.access_point.as_deref().is_some_and(|from| from.parse::<SeatId>().is_ok())
}

/// In which corner a document may have to be reported that was delivered.
pub fn owed_of_delivered(document: &Transaction, status: Status) -> Option<TaxRole> {
    let is_owed = document.family == Family::Invoice && status == Status::Delivered;
    is_owed.then(|| role_of(document.direction))
}

/// A document as reports read it: as it was uploaded or as it came.
pub fn opened(document: &Bytes, direction: Direction, wishes: &SubmitOptions) -> ParsedDocument {
    match direction {
        Direction::Outgoing => plan::open(document, wishes).parsed,
        Direction::Incoming => quoin_formats::read(document),
    }
}

/// Since when reports about an invoice are owed: since it was exchanged, which the first of them
/// says. One that is asked for later is about the same exchange, and has no term of its own.
/// `None` where there is none.
pub fn owed_since(reports: &[TaxReportRecord]) -> Option<Timestamp> {
    reports.first().map(|first| first.created_on)
}

/// On which day of UTC an invoice was delivered or came: as its reports have it, else as its
/// timeline has it. One that waits or waited for the file of a period is in that period, also where
/// it was put on record a moment after its end. `None` of one that was not delivered.
pub fn delivered_on(reports: &[TaxReportRecord], timeline: &[TimelineLine]) -> Option<Date> {
    let line = timeline.iter().find(|line| line.name == Status::Delivered.as_str());
    let at = owed_since(reports).or(line.map(|line| line.created_on))?;
    let period = reports.first().and_then(kept_of).map(|(first, last, _)| (first, last));
    let day = utc_day(at);
    Some(period.map_or(day, |(first, last)| day.max(first).min(last)))
}

/// What was kept of an invoice for the file of its period, also after its document is gone.
pub fn gathered_of(reports: &[TaxReportRecord]) -> Option<GatheredInvoice> {
    reports.iter().rev().find_map(kept_of).map(|(_, _, invoice)| invoice)
}

/// Why nothing is told of an invoice of which something would have been told: it was refused
/// before that, or nothing was owed. What was told already stays told.
pub fn withdrawn(reports: &[TaxReportRecord]) -> Option<&str> {
    let tells = |report: &&TaxReportRecord| matches!(report.act, TaxAct::Submit | TaxAct::Resubmit);
    let last = reports.iter().rev().find(tells)?;
    let is_untold = matches!(last.state, TaxState::Replaced | TaxState::NotOwed);
    let why = last.reason.message.as_str();
    is_untold.then_some(if why.is_empty() { "The invoice was refused." } else { why })
}
