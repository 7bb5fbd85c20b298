//! Files in which many invoices are told: what waits for one, and the commit in which one is
//! written.

use jiff::Timestamp;
use quoin_delivery::TaskKind;
use quoin_delivery::tax::{TaxEvent, TaxReason, TaxState};

use super::{TaxGathered, TaxReportRecord, find, happened, read, reports, steps};
use crate::blobs::Ready;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::submit::NewOutgoing;
use crate::tasks;
use crate::writer::Tx;

const KEEP: &str = "UPDATE tax_reports SET gathered = ?2, declarant = ?3, gathered_until = ?4
    WHERE id = ?1";
const WITH: &str = reports!(
    "WHERE r.organisation = ?1 AND r.party = ?2 AND r.declarant = ?3 AND r.gathered_until = ?4
     AND r.state = 'gathered' ORDER BY r.created_on, r.rowid LIMIT ?5"
);

/// Keeps what waits for the file of its period.
pub(super) fn keep(tx: &mut Tx<'_>, id: &str, gathered: &TaxGathered) -> Result<(), Fault> {
    let TaxGathered { declarant, until, told } = gathered;
    tx.execute(KEEP, &[id.into(), told.into(), declarant.into(), (*until).into()])?;
    Ok(())
}

/// Whether all of them still wait: what was decided of others is decided anew.
fn all_wait(tx: &mut Tx<'_>, members: &[TaxReportRecord]) -> Result<bool, Fault> {
    for member in members {
        let found = find(tx.connection(), &member.id)?;
        if found.is_none_or(|found| found.state != TaxState::Gathered) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Records the file of a period: one message that carries all of them. Answers whether it was
/// recorded, and the file to discard after the commit, if any.
pub(super) fn filed(
    tx: &mut Tx<'_>,
    members: &[TaxReportRecord],
    (message, blob): (&NewOutgoing, Option<Ready>),
    (next, now): (Option<Timestamp>, Timestamp),
) -> Result<(bool, Option<String>), Error> {
    let Some(blob) = blob else {
        let key = message.document_id.to_string();
        return Err(Refusal::NotFound { what: "message", key }.into());
    };
    if !all_wait(tx, members)? {
        return Ok((false, blob.into_file()));
    }
    let turns: Vec<(&str, u32)> =
        members.iter().map(|member| (member.id.as_str(), member.messages + 1)).collect();
    let surplus = steps::put_message(tx, (message, blob), &turns, now)?;
    for member in members {
        steps::sent(tx, &member.id, member.messages + 1)?;
        happened(tx, member, TaxEvent::Written, &TaxReason::default(), now)?;
        tasks::drop_waiting(tx, TaskKind::Tax, &member.id)?;
        if let Some(next) = next {
            tasks::ensure(tx, TaskKind::Tax, &member.id, next)?;
        }
    }
    Ok((true, surplus))
}

/// Records that the file of a period cannot be written.
pub(super) fn unfiled(
    tx: &mut Tx<'_>,
    members: &[TaxReportRecord],
    reason: &TaxReason,
    now: Timestamp,
) -> Result<(), Error> {
    if all_wait(tx, members)? {
        for member in members {
            happened(tx, member, TaxEvent::Unwritable, reason, now)?;
        }
    }
    Ok(())
}

impl Store {
    /// The reports that wait for the same file as one of them, in their order, so many at most.
    pub async fn gathered_with(
        &self,
        report: &TaxReportRecord,
        most: usize,
    ) -> Result<Vec<TaxReportRecord>, Error> {
        let Some(TaxGathered { declarant, until, .. }) = report.gathered.clone() else {
            return Ok(Vec::new());
        };
        let (owner, party) = (report.organisation.clone(), report.party.clone());
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(move |db| {
            let key = [
                owner.as_str().into(),
                (&party).into(),
                (&declarant).into(),
                until.into(),
                most.into(),
            ];
            let rows = db.query(WITH, &key)?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
