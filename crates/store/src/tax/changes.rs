//! What people ask of reports: another one in the place of one that failed, or that what was
//! reported does not count.

use jiff::Timestamp;
use quoin_delivery::tax::{TaxAct, TaxEvent, TaxReason, TaxState};
use quoin_delivery::{OrganisationId, TaskKind};

use super::{TaxReportRecord, add, again, find, happened, last_of, steps};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::tasks;
use crate::transactions;
use crate::writer::Tx;

/// What came of a wish about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaxChange {
    /// The report that takes its place, which is due now; the same one where it goes again with
    /// all of its file.
    Made(Box<TaxReportRecord>),
    /// It is not in a state in which that can be asked, or not of an act of which it can.
    Unfitting(TaxState),
    /// Another report took its place already: that one.
    Replaced(String),
    /// What it would be written from is not kept any more.
    Gone,
    /// There is no such report.
    Unknown,
}

fn change(
    tx: &mut Tx<'_>,
    (organisation, id): (&OrganisationId, &str),
    wish: TaxAct,
    now: Timestamp,
) -> Result<TaxChange, Error> {
    let found = find(tx.connection(), id)?.filter(|found| found.organisation == *organisation);
    let Some(report) = found else { return Ok(TaxChange::Unknown) };
    let last = last_of(tx.connection(), &report.transaction)?;
    if let Some(last) = last.filter(|last| last.id != report.id) {
        return Ok(TaxChange::Replaced(last.id));
    }
    let asked = report.asked();
    let act = match wish {
        TaxAct::Disregard => asked.can_be_disregarded().then_some(TaxAct::Disregard),
        _ => asked.again(),
    };
    let Some(act) = act else { return Ok(TaxChange::Unfitting(report.state)) };
    if wish != TaxAct::Disregard && again::again(tx, &report, now)? {
        let found = find(tx.connection(), &report.id)?;
        return Ok(found.map_or(TaxChange::Unknown, |found| TaxChange::Made(Box::new(found))));
    }
    if !can_be_written(tx, &report, act)? {
        return Ok(TaxChange::Gone);
    }
    let whose = (&report.organisation, report.party.as_str());
    let place = report.place + 1;
    add(tx, &report.transaction, whose, (place, report.role, act), now)?;
    // What is taken back counts until the message that says so is written.
    if act != TaxAct::Disregard || report.act == TaxAct::Disregard {
        happened(tx, &report, TaxEvent::Overtaken, &TaxReason::default(), now)?;
        tasks::ensure_now(tx, TaskKind::Tax, &report.id, now)?;
    }
    let made = last_of(tx.connection(), &report.transaction)?;
    Ok(made.map_or(TaxChange::Unknown, |made| TaxChange::Made(Box::new(made))))
}

/// Whether a report in the place of this one can be written: from its invoice, and one that takes
/// back what went over the network from the message that carried that, too.
fn can_be_written(tx: &mut Tx<'_>, report: &TaxReportRecord, act: TaxAct) -> Result<bool, Fault> {
    let invoice = transactions::find(tx.connection(), report.transaction.as_str())?;
    if invoice.is_some_and(|invoice| invoice.blob.is_some()) {
        return Ok(true);
    }
    // What takes back is known by its message; a platform of a channel has no such thing.
    if act != TaxAct::Disregard || report.facts.channel.is_some() {
        return Ok(false);
    }
    let message = steps::message_before(tx.connection(), (&report.transaction, report.place + 1))?;
    Ok(message.is_some_and(|message| message.blob.is_some()))
}

impl Store {
    /// Has a report of an organisation made once more, or taken back.
    pub async fn change_tax_report(
        &self,
        organisation: &OrganisationId,
        id: &str,
        wish: TaxAct,
        now: Timestamp,
    ) -> Result<TaxChange, Error> {
        let (organisation, id) = (organisation.clone(), id.to_owned());
        self.write(move |tx| change(tx, (&organisation, &id), wish, now)).await
    }
}
