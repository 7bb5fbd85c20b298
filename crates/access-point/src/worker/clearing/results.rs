//! The steps after the system has worked: what became of each document, its receipt, and its page.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use quoin_ksef::api::SessionInvoice;
use quoin_ksef::number::KsefNumber;
use quoin_ksef::steps::{
    InvoiceVerdict, RECEIPT_ATTEMPTS, ReceiptRefusal, Step, Trouble, invoice_verdict,
    receipt_refusal,
};
use quoin_ksef::upo::{Upo, UpoError, check_upo};
use quoin_store::{Claim, ClearanceRecord, ClearanceResult, Evidence, EvidenceKind};
use quoin_xmldsig::keys::sha256;

use super::{
    CHUNK, ClearingRun, Walked, explained_own, explained_trouble, is_about_certificates, is_of_one,
};
use crate::budget::Purpose;
use crate::ksef::{CodedLinks, RowEnd, SessionRow, coded_page, online_links};
use crate::step::StepFault;

/// Pages of a list of invoices that are read at most: 10,000 of them at 1,000 a page, and a few.
const PAGES: usize = 24;
/// Bytes of a link to a receipt at most; without it the receipt is asked for by its number.
const LINK: usize = 8 << 10;
/// Documents of which a receipt is read, or a page made, at a time.
const AT_ONCE: usize = 4;
/// Documents after which the claim is held for longer.
pub(super) const PART: usize = 100;

/// One row a document: one that was sent twice in a session is registered by the first time, and a
/// duplicate of itself by the second. The places of rows are known by their documents.
fn add_row(rows: &mut Vec<SessionRow>, places: &mut HashMap<String, usize>, row: SessionRow) {
    let known = places.get(&row.transaction).and_then(|at| rows.get_mut(*at));
    match known.filter(|_| !row.transaction.is_empty()) {
        None => {
            places.insert(row.transaction.clone(), rows.len());
            rows.push(row);
        }
        Some(own) if own.end != RowEnd::Numbered => *own = row,
        Some(_) => {}
    }
}

/// What an invoice of a session came to, as it is remembered of a document.
fn session_row(
    transaction: String,
    session: &str,
    invoice: SessionInvoice,
    verdict: InvoiceVerdict,
) -> SessionRow {
    let row = SessionRow {
        transaction,
        code: invoice.status.code,
        line: invoice.status.line(),
        session: Some(session.to_owned()),
        ..SessionRow::default()
    };
    match verdict {
        InvoiceVerdict::Registered | InvoiceVerdict::Wait => SessionRow {
            ksef_number: invoice.ksef_number,
            link: invoice.upo_download_url.filter(|link| link.len() <= LINK),
            end: RowEnd::Numbered,
            ..row
        },
        InvoiceVerdict::Duplicate { session, ksef_number } => {
            SessionRow { session, ksef_number, end: RowEnd::Duplicate, ..row }
        }
        InvoiceVerdict::Anew => SessionRow { end: RowEnd::Again, ..row },
        InvoiceVerdict::Refused => SessionRow { end: RowEnd::Refused, ..row },
    }
}

/// Whether the number of a row, where it has one, is a number of the system.
fn is_numbered_well(row: &SessionRow) -> bool {
    row.ksef_number.as_deref().is_none_or(|number| KsefNumber::parse(number).is_ok())
}

/// Whether a receipt may still come, after so many attempts that failed before.
fn is_waited_for(trouble: &Trouble, failed: u32) -> bool {
    match trouble {
        Trouble::Refused(_, problem) => receipt_refusal(problem, failed) == ReceiptRefusal::NotYet,
        // They say nothing about the receipt.
        Trouble::Limited(_) | Trouble::Unauthorized => true,
        _ => failed < RECEIPT_ATTEMPTS,
    }
}

impl ClearingRun<'_> {
    /// `RetrieveInvoices`: page by page.
    pub(super) async fn retrieve_invoices(&mut self) -> Walked {
        let Some(session) = self.memory.session.clone() else {
            return Walked::Next(Step::Upload, self.now());
        };
        let (mut rows, mut places) = (Vec::new(), HashMap::new());
        // What an online session did not take.
        for row in self.memory.rows.clone() {
            add_row(&mut rows, &mut places, row);
        }
        let mut continuation = None;
        for _ in 0..PAGES {
            let page = self.calls().invoices(&session, continuation.as_deref()).await;
            let page = match page {
                Ok(page) => page,
                Err(trouble) => return Walked::Trouble(trouble),
            };
            for invoice in page.invoices {
                let verdict = invoice_verdict(&invoice.status);
                if verdict == InvoiceVerdict::Wait {
                    return Walked::Next(Step::RetrieveInvoices, self.next_poll());
                }
                let mut row = session_row(self.named(&invoice), &session, invoice, verdict);
                if !is_numbered_well(&row) {
                    tracing::error!(session, "KSeF gives a number that is none");
                    match row.end {
                        RowEnd::Duplicate => row.end = RowEnd::Again,
                        _ => return Walked::Trouble(Trouble::Unreadable),
                    }
                }
                add_row(&mut rows, &mut places, row);
            }
            continuation = page.continuation_token;
            if continuation.is_none() {
                break;
            }
        }
        // What the session does not name goes again.
        for record in &self.batch.documents {
            let transaction = record.transaction.to_string();
            if !places.contains_key(&transaction) {
                let line = explained_own("unnamed", "");
                let end = RowEnd::Again;
                rows.push(SessionRow { transaction, line, end, ..SessionRow::default() });
            }
        }
        self.memory.rows = rows;
        self.memory.done = 0;
        Walked::Next(Step::RetrieveUpo, self.now())
    }

    /// Which document an invoice of a session is: by the name of its file; by its digest where it
    /// was sent by itself.
    fn named(&self, invoice: &SessionInvoice) -> String {
        if let Some(name) = invoice.invoice_file_name.as_deref().filter(|name| !name.is_empty()) {
            return name.trim_end_matches(".xml").to_owned();
        }
        let is_it = |record: &&ClearanceRecord| {
            data_encoding::BASE64.encode(&record.form.0) == invoice.invoice_hash
        };
        let found = self.batch.documents.iter().find(is_it);
        found.map(|record| record.transaction.to_string()).unwrap_or_default()
    }

    /// The record of a row.
    pub(super) fn record(&self, row: &SessionRow) -> Option<ClearanceRecord> {
        let at = self.places.get(&row.transaction)?;
        self.batch.documents.get(*at).cloned()
    }

    /// `RetrieveUpo`: the receipt of each, held against what was sent. A part of them a claim.
    pub(super) async fn retrieve_upo(
        &mut self,
        claim: &Claim,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<Walked, StepFault> {
        // Where nobody answers behind one link, the others are not waited for.
        let silent = AtomicBool::new(false);
        let end = (self.memory.done + CHUNK).min(self.memory.rows.len());
        while self.memory.done < end {
            let part = (self.memory.done + PART).min(end);
            let rows = self.memory.rows.get(self.memory.done..part).unwrap_or_default().to_vec();
            let read = async |row: SessionRow| self.with_receipt(row, &silent).await;
            let read = stream::iter(rows).map(read).buffered(AT_ONCE);
            let read: Vec<_> = read.try_collect().await?;
            for found in read {
                // What was read so far is recorded; the rest is tried again.
                let (row, result) = match found {
                    Ok(found) => found,
                    Err(trouble) => return Ok(Walked::Trouble(trouble)),
                };
                results.extend(result);
                if let Some(place) = self.memory.rows.get_mut(self.memory.done) {
                    *place = row;
                }
                self.memory.done += 1;
            }
            self.goes_on(claim).await?;
        }
        if self.memory.done < self.memory.rows.len() {
            return Ok(Walked::Next(Step::RetrieveUpo, self.now()));
        }
        self.memory.done = 0;
        Ok(Walked::Next(Step::Print, self.now()))
    }

    /// A row with what its receipt shows, and the receipt as evidence.
    async fn with_receipt(
        &self,
        mut row: SessionRow,
        silent: &AtomicBool,
    ) -> Result<Result<(SessionRow, Option<ClearanceResult>), Trouble>, StepFault> {
        let (Some(record), RowEnd::Numbered | RowEnd::Duplicate) = (self.record(&row), row.end)
        else {
            return Ok(Ok((row, None)));
        };
        let upo = match self.receipted(&record, &mut row, silent).await? {
            Ok(upo) => upo,
            Err(trouble) => return Ok(Err(trouble)),
        };
        let result = self.receipt(&record, &row, upo).await?;
        Ok(Ok((row, result)))
    }

    /// Reads a receipt and says in the row what it shows.
    async fn receipted(
        &self,
        record: &ClearanceRecord,
        row: &mut SessionRow,
        silent: &AtomicBool,
    ) -> Result<Result<Option<Bytes>, Trouble>, StepFault> {
        let (Some(number), Some(session)) = (row.ksef_number.clone(), row.session.clone()) else {
            row.end = RowEnd::Other;
            return Ok(Ok(None));
        };
        let calls = self.calls();
        let behind = match row.link.as_deref().filter(|_| !silent.load(Ordering::Relaxed)) {
            Some(link) => calls.upo_behind(link).await,
            // There is none that is worth it.
            None => Err(Trouble::Unreadable),
        };
        // The link is good no more, is not one that is called, or nobody answers behind it.
        let found = match behind {
            Err(trouble) => {
                silent.fetch_or(trouble == Trouble::NoAnswer, Ordering::Relaxed);
                calls.upo(&session, &number).await
            }
            found => found,
        };
        let upo = match found {
            Ok(upo) => upo,
            Err(trouble) => return Ok(self.without_receipt(row, trouble).map(|()| None)),
        };
        let digest = record.form.0;
        let read = upo.clone();
        let work = move || check_upo(&read, &digest, &number);
        let who = self.batch.organisation.as_str();
        let pool = &self.worker.budgets.pool;
        row.end = match pool.run(Purpose::Answer, who, work).await? {
            Ok(upo) if !self.is_sealed(&upo) => {
                row.line = "the certificate that signed the UPO is not one of those that are \
                            trusted ([ksef] upo_anchors)"
                    .to_owned();
                RowEnd::Doubtful
            }
            Ok(_) => RowEnd::Registered,
            Err(UpoError::Digest { .. }) if row.end == RowEnd::Duplicate => RowEnd::Other,
            Err(error) => {
                tracing::error!(%error, document = %record.transaction, "a UPO is not good");
                row.line = error.to_string();
                RowEnd::Doubtful
            }
        };
        Ok(Ok((row.end != RowEnd::Other).then_some(upo)))
    }

    /// What follows where there is no receipt: the document has its number without one. Only what
    /// can still come is waited for.
    fn without_receipt(&self, row: &mut SessionRow, trouble: Trouble) -> Result<(), Trouble> {
        if is_about_certificates(&trouble) {
            return Err(trouble);
        }
        let is_duplicate = row.end == RowEnd::Duplicate;
        // Of a duplicate only the receipt says whether it is itself.
        let failed = if is_duplicate { 0 } else { self.batch.failed };
        let waits = is_waited_for(&trouble, failed);
        // A duplicate keeps none of the others waiting.
        let is_apart = is_duplicate && self.batch.documents.len() > 1 && is_of_one(&trouble);
        if waits && !is_apart {
            return Err(trouble);
        }
        if is_duplicate {
            // It goes again, and is a duplicate then, too; or the other one is in a session of
            // somebody else, and is not this document.
            row.end = if waits { RowEnd::Again } else { RowEnd::Other };
        } else {
            tracing::error!(?trouble, document = row.transaction, "KSeF gives no UPO");
            row.line = explained_trouble(&trouble);
            row.end = RowEnd::Doubtful;
        }
        Ok(())
    }

    /// Whether a receipt is signed by whom the operator trusts.
    fn is_sealed(&self, upo: &Upo) -> bool {
        let at = upo.documents.first().map_or(self.now(), |document| document.numbered);
        upo.signer.as_ref().is_some_and(|signer| self.client.is_sealed_by(signer, at))
    }

    /// The receipt as evidence; nothing is told yet.
    async fn receipt(
        &self,
        record: &ClearanceRecord,
        row: &SessionRow,
        upo: Option<Bytes>,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        let Some(upo) = upo else { return Ok(None) };
        self.proven(record, row, (EvidenceKind::Upo, upo)).await
    }

    /// A piece of evidence about a document that stays where it is.
    async fn proven(
        &self,
        record: &ClearanceRecord,
        row: &SessionRow,
        piece: Evidence,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        let found = self.worker.store.transaction(&record.transaction).await?;
        Ok(found.map(|found| ClearanceResult {
            transaction: found.transaction,
            decision: None,
            state: record.state,
            authority_number: row.ksef_number.clone(),
            mode: None,
            evidence: vec![piece],
        }))
    }

    /// `Print`: the page of each that is registered, with its code. A part of them a claim.
    pub(super) async fn print(
        &mut self,
        claim: &Claim,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + CHUNK).min(self.memory.rows.len());
        while self.memory.done < end {
            let part = (self.memory.done + PART).min(end);
            let rows = self.memory.rows.get(self.memory.done..part).unwrap_or_default().to_vec();
            let print = async |row: SessionRow| self.printed(&row).await;
            // A thread of the pool each; some at a time.
            let printed = stream::iter(rows).map(print).buffered(AT_ONCE);
            let printed: Vec<Option<ClearanceResult>> = printed.try_collect().await?;
            results.extend(printed.into_iter().flatten());
            self.memory.done = part;
            self.goes_on(claim).await?;
        }
        if self.memory.done < self.memory.rows.len() {
            return Ok(Walked::Next(Step::Print, self.now()));
        }
        self.memory.done = 0;
        Ok(Walked::Next(Step::Dispatch, self.now()))
    }

    /// The page of a document that is registered.
    async fn printed(&self, row: &SessionRow) -> Result<Option<ClearanceResult>, StepFault> {
        let is_registered =
            matches!(row.end, RowEnd::Registered | RowEnd::Doubtful) && is_numbered_well(row);
        let (Some(record), Some(number), true) =
            (self.record(row), &row.ksef_number, is_registered)
        else {
            return Ok(None);
        };
        let xml = self.form(&record).await?;
        let seller = (record.seller.as_str(), record.issued);
        let links = online_links(self.client.settings(), seller, &xml, number);
        let Some(page) = self.page(xml, links).await? else { return Ok(None) };
        self.proven(&record, row, (EvidenceKind::CodedPage, page)).await
    }

    /// The document as the system has it.
    pub(super) async fn form(&self, record: &ClearanceRecord) -> Result<Bytes, StepFault> {
        let found = self.worker.store.blob(&record.organisation, record.form).await?;
        let xml = found.ok_or_else(|| StepFault::Missing(record.transaction.to_string()))?;
        debug_assert_eq!(sha256(&xml), record.form.0);
        Ok(xml)
    }

    /// A page; a document goes without one that cannot be made.
    pub(super) async fn page(
        &self,
        xml: Bytes,
        links: CodedLinks,
    ) -> Result<Option<Bytes>, StepFault> {
        let who = self.batch.organisation.as_str();
        let work = move || coded_page(&xml, &links);
        let pool = &self.worker.budgets.pool;
        Ok(match pool.run(Purpose::Validate, who, work).await? {
            Ok(page) => Some(page.into()),
            Err(why) => {
                tracing::error!(why, "a page with codes could not be made");
                None
            }
        })
    }
}
