//! The steps after the system has worked: what became of each document, its receipt, its page, and
//! what is told.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use quoin_delivery::TransactionId;
use quoin_ksef::api::SessionInvoice;
use quoin_ksef::explain::CodePlace;
use quoin_ksef::outcome::KsefOutcome;
use quoin_ksef::steps::{InvoiceVerdict, Step, Trouble, invoice_verdict};
use quoin_ksef::upo::{Upo, UpoError, check_upo};
use quoin_store::{ClearanceRecord, ClearanceResult, ClearanceState, Evidence, EvidenceKind};
use quoin_xmldsig::keys::sha256;

use super::{CHUNK, ClearingRun, DISPATCH, PATIENCE, Walked, explained, explained_own};
use crate::budget::Purpose;
use crate::ksef::{CodedLinks, RowEnd, SessionRow, coded_page, online_links};
use crate::step::StepFault;

/// Documents that go again: whether in a batch of the offline mode, when, and which.
pub(super) type Again = (bool, Timestamp, Vec<TransactionId>);
/// Pages of a list of invoices that are read at most: 10,000 of them at 1,000 a page, and a few.
const PAGES: usize = 24;
/// Pages of documents that are made at a time.
const AT_ONCE: usize = 4;

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

impl ClearingRun<'_> {
    /// `RetrieveInvoices`: page by page.
    pub(super) async fn retrieve_invoices(&mut self) -> Walked {
        let Some(session) = self.memory.session.clone() else {
            return Walked::Next(Step::Upload, self.now());
        };
        let (mut rows, mut places) = (Vec::new(), HashMap::new());
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
                let named = self.named(&invoice);
                let mut row = SessionRow {
                    transaction: named,
                    code: invoice.status.code,
                    line: invoice.status.line(),
                    ksef_number: invoice.ksef_number,
                    session: Some(session.clone()),
                    link: invoice.upo_download_url,
                    end: RowEnd::Numbered,
                };
                match verdict {
                    InvoiceVerdict::Registered | InvoiceVerdict::Wait => {}
                    InvoiceVerdict::Duplicate { session, ksef_number } => {
                        row.end = RowEnd::Duplicate;
                        (row.session, row.ksef_number, row.link) = (session, ksef_number, None);
                    }
                    InvoiceVerdict::Anew => row.end = RowEnd::Again,
                    InvoiceVerdict::Refused => row.end = RowEnd::Refused,
                }
                add_row(&mut rows, &mut places, row);
            }
            continuation = page.continuation_token;
            if continuation.is_none() {
                break;
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
    fn record(&self, row: &SessionRow) -> Option<ClearanceRecord> {
        let mut all = self.batch.documents.iter();
        all.find(|record| record.transaction.as_str() == row.transaction).cloned()
    }

    /// `RetrieveUpo`: the receipt of each, held against what was sent. A part of them a claim.
    pub(super) async fn retrieve_upo(
        &mut self,
        results: &mut Vec<ClearanceResult>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + CHUNK).min(self.memory.rows.len());
        while self.memory.done < end {
            let Some(mut row) = self.memory.rows.get(self.memory.done).cloned() else { break };
            let record = self.record(&row);
            if let (Some(record), RowEnd::Numbered | RowEnd::Duplicate) = (record, row.end) {
                match self.receipted(&record, &mut row).await? {
                    Ok(upo) => results.extend(self.receipt(&record, &row, upo).await?),
                    // What was read so far is recorded; the rest is tried again.
                    Err(trouble) => return Ok(Walked::Trouble(trouble)),
                }
            }
            if let Some(place) = self.memory.rows.get_mut(self.memory.done) {
                *place = row;
            }
            self.memory.done += 1;
        }
        if self.memory.done < self.memory.rows.len() {
            return Ok(Walked::Next(Step::RetrieveUpo, self.now()));
        }
        self.memory.done = 0;
        Ok(Walked::Next(Step::Print, self.now()))
    }

    /// Reads a receipt and says in the row what it shows.
    async fn receipted(
        &self,
        record: &ClearanceRecord,
        row: &mut SessionRow,
    ) -> Result<Result<Option<Bytes>, Trouble>, StepFault> {
        let (Some(number), Some(session)) = (row.ksef_number.clone(), row.session.clone()) else {
            row.end = RowEnd::Other;
            return Ok(Ok(None));
        };
        let calls = self.calls();
        let mut found = match &row.link {
            Some(link) => calls.upo_behind(link).await,
            None => calls.upo(&session, &number).await,
        };
        if row.link.is_some() && matches!(found, Err(Trouble::Refused(..))) {
            // The link is good no more.
            found = calls.upo(&session, &number).await;
        }
        let upo = match found {
            Ok(upo) => upo,
            // The other one is in a session of somebody else: it is not this document.
            Err(Trouble::Refused(..)) if row.end == RowEnd::Duplicate => {
                row.end = RowEnd::Other;
                return Ok(Ok(None));
            }
            Err(trouble) => return Ok(Err(trouble)),
        };
        let digest = record.form.0;
        let read = upo.clone();
        let work = move || check_upo(&read, &digest, &number);
        let who = self.batch.organisation.as_str();
        let pool = &self.worker.budgets.pool;
        row.end = match pool.run(Purpose::Answer, who, PATIENCE, work).await? {
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
        results: &mut Vec<ClearanceResult>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + CHUNK).min(self.memory.rows.len());
        let rows = self.memory.rows.get(self.memory.done..end).unwrap_or_default().to_vec();
        let print = async |row: SessionRow| self.printed(&row).await;
        // A thread of the pool each; some at a time.
        let printed = stream::iter(rows).map(print).buffered(AT_ONCE);
        let printed: Vec<Option<ClearanceResult>> = printed.try_collect().await?;
        results.extend(printed.into_iter().flatten());
        self.memory.done = end;
        if self.memory.done < self.memory.rows.len() {
            return Ok(Walked::Next(Step::Print, self.now()));
        }
        self.memory.done = 0;
        Ok(Walked::Next(Step::Dispatch, self.now()))
    }

    /// The page of a document that is registered.
    async fn printed(&self, row: &SessionRow) -> Result<Option<ClearanceResult>, StepFault> {
        let is_registered = matches!(row.end, RowEnd::Registered | RowEnd::Doubtful);
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
        Ok(match pool.run(Purpose::Validate, who, PATIENCE, work).await? {
            Ok(page) => Some(page.into()),
            Err(why) => {
                tracing::error!(why, "a page with codes could not be made");
                None
            }
        })
    }

    /// `Dispatch`: what became of each is told, and what was not taken goes again.
    pub(super) async fn dispatch(
        &mut self,
        results: &mut Vec<ClearanceResult>,
        again: &mut Vec<Again>,
    ) -> Result<Walked, StepFault> {
        let end = (self.memory.done + DISPATCH).min(self.memory.rows.len());
        let rows: Vec<SessionRow> =
            self.memory.rows.get(self.memory.done..end).unwrap_or_default().to_vec();
        self.memory.done = end;
        let mut repeated = Vec::new();
        for row in &rows {
            let Some(record) = self.record(row) else { continue };
            let own = self.told(&record, row).await?;
            if row.end == RowEnd::Again {
                repeated.push(record.transaction.clone());
            }
            results.extend(own);
        }
        if end < self.memory.rows.len() {
            return Ok(Walked::Next(Step::Dispatch, self.now()));
        }
        // What the system does not name goes again, too.
        let rows = self.memory.rows.iter();
        let named: HashSet<&str> = rows.map(|row| row.transaction.as_str()).collect();
        let is_named = |record: &ClearanceRecord| named.contains(record.transaction.as_str());
        let missing = self.batch.documents.iter().filter(|record| !is_named(record));
        repeated.extend(missing.map(|record| record.transaction.clone()));
        if !repeated.is_empty() {
            again.push((self.batch.offline, self.next_poll(), repeated));
        }
        Ok(Walked::Next(Step::Finalize, self.now()))
    }

    /// What is told of a document.
    async fn told(
        &self,
        record: &ClearanceRecord,
        row: &SessionRow,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        let registered = match self.batch.offline {
            true => KsefOutcome::RegisteredLater,
            false => KsefOutcome::Registered,
        };
        let number = row.ksef_number.clone().unwrap_or_default();
        let (outcome, code, message) = match row.end {
            RowEnd::Registered | RowEnd::Numbered | RowEnd::Duplicate => {
                let message = format!("KSeF registered the invoice under {number}.");
                (registered, "", message)
            }
            RowEnd::Doubtful => {
                let found = format!("{number}: {}", row.line);
                (registered, "ksef-fault", explained_own("upo", &found))
            }
            RowEnd::Other => {
                let found = format!("KSeF {}: {}", row.code, row.line);
                (KsefOutcome::Failed, "ksef-duplicate", explained_own("duplicate", &found))
            }
            RowEnd::Refused => {
                let text = explained(CodePlace::Invoice, &row.code.to_string(), &row.line);
                (KsefOutcome::Failed, "ksef-document", text)
            }
            RowEnd::Again => {
                let text = explained(CodePlace::Invoice, &row.code.to_string(), &row.line);
                (KsefOutcome::Unavailable, "ksef-unavailable", text)
            }
        };
        let state = match outcome {
            KsefOutcome::Failed => ClearanceState::Failed,
            KsefOutcome::Unavailable => record.state,
            _ => ClearanceState::Registered,
        };
        let mut news = self.news(outcome, code, message);
        if state == ClearanceState::Registered {
            news.details.insert("ksefNumber".to_owned(), number.clone());
        }
        let result = self.result(record, state, news).await?;
        let known = (state == ClearanceState::Registered).then_some(number);
        Ok(result.map(|result| ClearanceResult { authority_number: known, ..result }))
    }

    /// `Finalize`: the key is forgotten with the memory, the signing in is kept for the next batch
    /// of the hour and ended where nothing else is under way.
    pub(super) async fn finalize(&mut self) -> Walked {
        self.client.sign_out(&self.account).await;
        Walked::Done
    }
}
