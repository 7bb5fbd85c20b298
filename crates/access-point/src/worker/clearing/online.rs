//! A few documents in an online session: each goes by itself, so that it need not wait for a
//! package to be unpacked. What follows after the session is closed is the same as of a batch.
//!
//! A session that was opened is remembered before anything is sent in it. Where what was sent is
//! not known, all is sent again: what is registered already is then a duplicate of itself.

use quoin_ksef::api::OnlineSessionRequest;
use quoin_ksef::api::{FormCode, SendInvoiceRequest};
use quoin_ksef::package::{PackageError, SessionKey, send_request};
use quoin_ksef::steps::{SESSION_CLOSED, Step, Trouble};
use quoin_store::Claim;

use super::{ClearingRun, PATIENCE, Walked};
use crate::budget::Purpose;
use crate::step::StepFault;

/// What an invoice with an attachment has; the system takes those in batches only.
const ATTACHMENT: &[u8] = b"<Zalacznik";

impl ClearingRun<'_> {
    /// Whether the documents of the batch go in an online session: there are few, and none has an
    /// attachment.
    pub(super) async fn goes_online(&self) -> Result<bool, StepFault> {
        let most = self.client.settings().online_up_to;
        if self.batch.documents.len() > most {
            return Ok(false);
        }
        for record in &self.batch.documents {
            let xml = self.form(record).await?;
            if xml.windows(ATTACHMENT.len()).any(|part| part == ATTACHMENT) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Open, send each, close.
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
        for record in self.batch.documents.clone() {
            let request = match self.sealed(&record, key).await? {
                Ok(request) => request,
                Err(error) => return Err(StepFault::Job(format!("an invoice for KSeF: {error}"))),
            };
            match self.calls().send(&session, &request).await {
                Ok(_) => {}
                // It was closed before the answer to that was recorded.
                Err(Trouble::Refused(_, problem)) if problem.has(SESSION_CLOSED) => break,
                Err(trouble) => return Ok(Walked::Trouble(trouble)),
            }
            self.goes_on(claim).await?;
        }
        Ok(match self.calls().close_online(&session).await {
            Ok(()) => Walked::Next(Step::Status, self.next_poll()),
            Err(Trouble::Refused(_, problem)) if problem.has(SESSION_CLOSED) => {
                Walked::Next(Step::Status, self.next_poll())
            }
            Err(trouble) => Walked::Trouble(trouble),
        })
    }

    async fn opened_online(&mut self, key: &SessionKey) -> Result<(), Trouble> {
        let encryption = self.calls().wrapped_key(key).await?;
        let request = OnlineSessionRequest { form_code: FormCode::fa3(), encryption };
        self.memory.session = Some(self.calls().open_online(&request).await?.reference_number);
        Ok(())
    }

    async fn sealed(
        &self,
        record: &quoin_store::ClearanceRecord,
        key: &SessionKey,
    ) -> Result<Result<SendInvoiceRequest, PackageError>, StepFault> {
        let (xml, key, offline) = (self.form(record).await?, key.clone(), self.batch.offline);
        let work = move || send_request(&xml, &key, offline, None);
        let who = self.batch.organisation.as_str();
        Ok(self.worker.budgets.pool.run(Purpose::Validate, who, PATIENCE, work).await?)
    }
}
