//! A step of a batch, in one commit: what it remembers from now on, what follows for each of its
//! documents, when the next step is due, and which documents go into another batch.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::{Decision, HookId, OrganisationId, Transaction, TransactionId};

use super::batches::{self, CLOSE};
use super::{ClearanceBatch, ClearanceState};
use crate::blobs::Ready;
use crate::consequences;
use crate::error::{Error, Fault, Refusal};
use crate::evidence::{self, EvidenceKind};
use crate::open::Store;
use crate::secrets::clearance_place;
use crate::tasks::{self, Claim};
use crate::transactions::TransactionFacts;
use crate::usage;
use crate::writer::Tx;

/// What a step came to.
#[derive(Debug, Clone, Default)]
pub struct ClearanceStep {
    /// The next step; `None` where nothing follows and the batch is done.
    pub next: Option<(String, Timestamp)>,
    /// What it remembers from now on.
    pub memory: Vec<u8>,
    /// How often in a row the next step failed.
    pub failed: u32,
    /// How often the authority was asked whether it is done.
    pub polls: u32,
    /// What follows for documents.
    pub results: Vec<ClearanceResult>,
    /// Documents that go again in another batch.
    pub again: Vec<ClearanceAgain>,
}

/// Documents that go again.
#[derive(Debug, Clone)]
pub struct ClearanceAgain {
    /// Whether they were issued without the authority.
    pub offline: bool,
    /// When their batch sets off.
    pub at: Timestamp,
    /// What their batch remembers from its start: it is one of its own then, which takes no others.
    /// None where they go in the open one of their party, with any others.
    pub memory: Option<Vec<u8>>,
    /// Which.
    pub documents: Vec<TransactionId>,
}

/// What follows for a document.
#[derive(Debug, Clone)]
pub struct ClearanceResult {
    /// The document, as it was when this was decided.
    pub transaction: Transaction,
    /// What was decided; none where something was only learned.
    pub decision: Option<Decision>,
    /// Where it is with its authority.
    pub state: ClearanceState,
    /// The number that the authority gave it.
    pub authority_number: Option<String>,
    /// Why it was issued without the authority, and until when it has to be registered.
    pub mode: Option<(String, Option<Timestamp>)>,
    /// What proves it.
    pub evidence: Vec<(EvidenceKind, Bytes)>,
}

const ADVANCE: &str =
    "UPDATE clearance_batches SET step = ?2, memory = ?3, failed = ?4, polls = ?5,
    state = ?6, changed_on = ?7 WHERE id = ?1 AND step = ?8 AND polls = ?9 RETURNING party";
const MOVE: &str = "UPDATE transactions SET status = ?3, version = version + 1, changed_on = ?4,
    keep_until = CASE WHEN blob IS NOT NULL THEN ?5 END WHERE id = ?1 AND version = ?2
    RETURNING party";
/// Of a document that stays where it is: whoever has it in hand goes on with it.
const TOUCH: &str = "UPDATE transactions SET changed_on = ?2 WHERE id = ?1 RETURNING party";
const RESULT: &str = "UPDATE clearances SET state = ?2,
    authority_number = coalesce(?3, authority_number), mode = coalesce(?4, mode),
    due_on = coalesce(?5, due_on), changed_on = ?6 WHERE transaction_id = ?1";
const INTO: &str = "UPDATE clearances SET batch = ?2, changed_on = ?3 WHERE transaction_id = ?1";
/// Evidence of one attempt has a kind once: what comes later is of the next attempt.
const TIMES: &str = "SELECT count(*) FROM evidence WHERE transaction_id = ?1 AND kind = ?2";

impl Store {
    /// A batch that takes no more documents from now on.
    pub async fn close_clearance(&self, id: &str) -> Result<Option<ClearanceBatch>, Error> {
        let (id, secrets) = (id.to_owned(), self.secrets.clone());
        self.write(move |tx| {
            tx.execute(CLOSE, &[(&id).into()])?;
            Ok(batches::find(tx.connection(), &id, &secrets)?)
        })
        .await
    }

    /// Commits a step of a batch.
    ///
    /// Errors: [`Refusal::StaleClaim`] where the lease was lost, or another one took a step of the
    /// batch since it was loaded, [`Refusal::VersionMoved`] where a
    /// document changed meanwhile; nothing was recorded then.
    pub async fn advance_clearance(
        &self,
        claim: Claim,
        batch: &ClearanceBatch,
        step: ClearanceStep,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut ready = Vec::with_capacity(step.results.len());
        for result in &step.results {
            ready.push(self.ready_evidence(&batch.organisation, result.evidence.clone()).await?);
        }
        let (batch, secrets) = (batch.clone(), self.secrets.clone());
        let seal = move |at: &str, memory: &[u8]| secrets.seal(at, memory);
        let files = ready.iter().flatten().filter_map(|(_, blob)| blob.file()).collect();
        let work = move |tx: &mut Tx<'_>| advance(tx, &claim, &batch, &step, (ready, &seal), now);
        let surplus = self.write_files(files, work).await?;
        for file in surplus {
            self.blobs.discard(Some(file)).await;
        }
        Ok(())
    }
}

type Sealing<'s> = &'s dyn Fn(&str, &[u8]) -> Result<Vec<u8>, Fault>;

fn advance(
    tx: &mut Tx<'_>,
    claim: &Claim,
    batch: &ClearanceBatch,
    step: &ClearanceStep,
    (ready, seal): (Vec<Vec<(EvidenceKind, Ready)>>, Sealing<'_>),
    now: Timestamp,
) -> Result<Vec<String>, Error> {
    let (word, state) = match &step.next {
        Some((word, _)) => (word.as_str(), "closed"),
        None => ("done", "done"),
    };
    let memory = seal(&clearance_place(&batch.id), &step.memory)?;
    let row = [
        (&batch.id).into(),
        word.into(),
        crate::engine::Param::Blob(&memory),
        step.failed.into(),
        step.polls.into(),
        state.into(),
        now.into(),
        (&batch.step).into(),
        batch.polls.into(),
    ];
    match &step.next {
        Some((_, at)) => tasks::postpone(tx, claim, *at)?,
        None => tasks::finish(tx, claim)?,
    }
    let advanced = tx.first(ADVANCE, &row)?;
    let mut advanced = advanced.ok_or(Refusal::StaleClaim { task: claim.task })?;
    let party = advanced.text("clearance_batches.party")?;
    let mut surplus = Vec::new();
    for (result, evidence) in step.results.iter().zip(ready) {
        surplus.extend(record(tx, result, evidence, now)?);
    }
    for again in &step.again {
        go_again(tx, (&batch.organisation, party.as_str(), &batch.hook), again, (seal, now))?;
    }
    Ok(surplus)
}

/// Documents go again in another batch.
fn go_again(
    tx: &mut Tx<'_>,
    place: (&OrganisationId, &str, &HookId),
    again: &ClearanceAgain,
    (seal, now): (Sealing<'_>, Timestamp),
) -> Result<(), Error> {
    let ClearanceAgain { offline, at, memory, documents } = again;
    let mut into = match memory {
        Some(memory) => {
            let many = u32::try_from(documents.len()).unwrap_or(u32::MAX);
            let sealed = |at: &str| seal(at, memory);
            Some(batches::closed_batch(tx, place, (*offline, many), *at, sealed, now)?)
        }
        None => None,
    };
    let is_open = into.is_none();
    for document in documents {
        if is_open {
            // A full one takes no more.
            into = Some(batches::open_batch(tx, place, *offline, *at, |at| seal(at, &[]), now)?);
        }
        let Some(into) = &into else { continue };
        tx.execute(INTO, &[document.as_str().into(), into.into(), now.into()])?;
        if is_open {
            batches::grown(tx, into, now)?;
        }
    }
    Ok(())
}

/// What follows for one document. Answers the files to discard after the commit.
fn record(
    tx: &mut Tx<'_>,
    result: &ClearanceResult,
    evidence: Vec<(EvidenceKind, Ready)>,
    now: Timestamp,
) -> Result<Vec<String>, Error> {
    let ClearanceResult { transaction, decision, state, authority_number, mode, .. } = result;
    let id = transaction.id.as_str();
    let (mode, due) = match mode {
        Some((mode, due)) => (Some(mode), *due),
        None => (None, None),
    };
    let row = [
        id.into(),
        state.as_str().into(),
        authority_number.as_ref().into(),
        mode.into(),
        due.into(),
        now.into(),
    ];
    tx.execute(RESULT, &row)?;
    let mut surplus = Vec::new();
    let whose = (&transaction.organisation, &transaction.id);
    for (kind, blob) in &evidence {
        let mut times = tx
            .first(TIMES, &[id.into(), kind.as_str().into()])?
            .ok_or_else(|| Fault::record("evidence", "nothing"))?;
        let attempt = times.count("evidence")?;
        surplus.extend(evidence::add(tx, whose, attempt, (*kind, blob))?);
    }
    let Some(decision) = decision.as_ref().filter(|one| one.ignored.is_none()) else {
        return Ok(surplus);
    };
    // Its party may have become part of another one since it was loaded.
    let party = move_on(tx, transaction, decision, now)?;
    let transaction = &Transaction { party, ..transaction.clone() };
    consequences::record(tx, transaction, decision, now)?;
    Ok(surplus)
}

/// What a decision changes of its document. Where it only tells something of one that may be on its
/// way, no version is demanded and none is given: a message that left meanwhile has left. Answers
/// whose it is.
fn move_on(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    decision: &Decision,
    now: Timestamp,
) -> Result<String, Error> {
    let id = transaction.id.as_str();
    let moved = if decision.status == transaction.status && decision.tasks.is_empty() {
        tx.first(TOUCH, &[id.into(), now.into()])?
    } else {
        let version = i64::try_from(transaction.version).unwrap_or(i64::MAX);
        // Only what is sent is registered before: nothing counts from a download.
        let [over, ..] = tx.keep.of_step(transaction.direction, decision, now);
        let row = [id.into(), version.into(), decision.status.as_str().into(), now.into(), over];
        tx.first(MOVE, &row)?
    };
    let mut row = moved.ok_or_else(|| Refusal::VersionMoved {
        transaction: id.to_owned(),
        expected: transaction.version,
        found: 0,
    })?;
    let learned = (decision, &TransactionFacts::default());
    usage::count(tx, transaction, learned, None, now)?;
    Ok(row.text("transactions.party")?)
}
