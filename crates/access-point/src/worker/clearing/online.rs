//! A few documents in an online session: each goes by itself, so that it need not wait for a
//! package to be unpacked. What follows after the session is closed is the same as of a batch.
//!
//! A session that was opened is remembered before anything is sent in it, and how many were sent as
//! it goes on. What was sent since is sent again where that is lost: what is registered already is
//! then a duplicate of itself.

use jiff::SignedDuration;
use quoin_ksef::api::OnlineSessionRequest;
use quoin_ksef::api::{FormCode, SendInvoiceRequest};
use quoin_ksef::explain::CodePlace;
use quoin_ksef::limits::{CallGroup, limit_of};
use quoin_ksef::package::{PackageError, SessionKey, send_request};
use quoin_ksef::steps::{
    NO_SESSION, SESSION_CLOSED, SESSION_FULL, Step, TOO_LATE, Trouble, UNKNOWN_KEY, is_our_defect,
};
use quoin_store::{Claim, ClearanceRecord};

use super::{ClearingRun, Walked, explained_trouble, is_about_certificates};
use crate::budget::Purpose;
use crate::ksef::{RowEnd, SessionRow, has_attachment};
use crate::step::StepFault;

impl ClearingRun<'_> {
    /// Whether the documents of the batch go in an online session: there are few, the system takes
    /// all of them now, and none has an attachment.
    pub(super) async fn goes_online(&self) -> Result<bool, StepFault> {
        let (count, most) = (self.batch.documents.len(), self.client.settings().online_up_to);
        if count > most {
            return Ok(false);
        }
        // Opened and closed, and each sent.
        let calls = [(CallGroup::OnlineSession, 2), (CallGroup::InvoiceSend, count)];
        if !self.client.has_room(&self.account.nip, &calls).await {
            return Ok(false);
        }
        for record in &self.batch.documents {
            let xml = self.form(record).await?;
            let work = move || has_attachment(&xml);
            let who = self.batch.organisation.as_str();
            if self.worker.budgets.pool.run(Purpose::Validate, who, work).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Open, send each, close. As many go in one claim as the system takes in a second.
    pub(super) async fn upload_online(
        &mut self,
        claim: &Claim,
        key: &SessionKey,
    ) -> Result<Walked, StepFault> {
        let Some(session) = self.memory.session.clone() else {
            return Ok(match self.opened_online(key).await {
                Ok(()) => Walked::Next(Step::Upload, self.now()),
                Err(trouble) => Walked::Trouble(trouble),
            });
        };
        let at_once = usize::try_from(limit_of(CallGroup::InvoiceSend).second).unwrap_or(1);
        let end = self.memory.done + at_once;
        let documents = self.batch.documents.clone();
        while let Some(record) = documents.get(self.memory.done) {
            if self.memory.done >= end {
                let wait = SignedDuration::from_secs(1);
                let next = self.now().saturating_add(wait).unwrap_or_else(|_| self.now());
                return Ok(Walked::Next(Step::Upload, next));
            }
            let request = match self.sealed(record, key).await? {
                Ok(request) => request,
                Err(error) => return Err(StepFault::Job(format!("an invoice for KSeF: {error}"))),
            };
            match self.calls().send(&session, &request).await {
                Ok(_) => {}
                // It was closed before the answer to that was recorded, or takes no more: what is
                // not in it goes again.
                Err(Trouble::Refused(_, problem))
                    if problem.has(SESSION_CLOSED) || problem.has(SESSION_FULL) =>
                {
                    break;
                }
                Err(trouble) if is_of_one(&trouble) => {
                    self.memory.rows.push(refused(record, &trouble));
                }
                Err(trouble) => return Ok(Walked::Trouble(trouble)),
            }
            self.memory.done += 1;
            self.goes_on(claim).await?;
        }
        Ok(match self.calls().close_online(&session).await {
            Ok(()) => Walked::Next(Step::Status, self.next_poll()),
            // It was closed before; or it is not closed for us, and the system closes it in time.
            // What was sent in it is asked for.
            Err(trouble) if is_of_one(&trouble) => Walked::Next(Step::Status, self.next_poll()),
            Err(trouble) => Walked::Trouble(trouble),
        })
    }

    async fn opened_online(&mut self, key: &SessionKey) -> Result<(), Trouble> {
        let encryption = self.calls().wrapped_key(key).await?;
        let request = OnlineSessionRequest { form_code: FormCode::fa3(), encryption };
        self.memory.session = Some(self.calls().open_online(&request).await?.reference_number);
        self.memory.done = 0;
        Ok(())
    }

    async fn sealed(
        &self,
        record: &ClearanceRecord,
        key: &SessionKey,
    ) -> Result<Result<SendInvoiceRequest, PackageError>, StepFault> {
        let (xml, key, offline) = (self.form(record).await?, key.clone(), self.batch.offline);
        let work = move || send_request(&xml, &key, offline, None);
        let who = self.batch.organisation.as_str();
        Ok(self.worker.budgets.pool.run(Purpose::Validate, who, work).await?)
    }
}

/// Whether a refusal is of this call alone: the session is there, and whoever signed in may use it.
fn is_of_one(trouble: &Trouble) -> bool {
    let Trouble::Refused(_, problem) = trouble else { return false };
    let of_all = [NO_SESSION, TOO_LATE, UNKNOWN_KEY].iter().any(|code| problem.has(*code));
    !of_all && !is_about_certificates(trouble)
}

/// A document that the session does not take as it is; the others of it go on.
fn refused(record: &ClearanceRecord, trouble: &Trouble) -> SessionRow {
    let errors = match trouble {
        Trouble::Refused(_, problem) => problem.errors.as_slice(),
        _ => &[],
    };
    let ours = errors.iter().find(|error| is_our_defect(CodePlace::Call, error.code));
    SessionRow {
        code: ours.and_then(|error| error.code.try_into().ok()).unwrap_or_default(),
        transaction: record.transaction.to_string(),
        line: explained_trouble(trouble),
        end: RowEnd::Refused,
        ..SessionRow::default()
    }
}
