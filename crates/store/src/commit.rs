//! The one commit of a step: the task is done, the transaction moves, and whatever follows
//! (timeline, tasks, events, hook calls) is recorded with it, or nothing is
//! (ARCHITECTURE, What must stay true, 3).

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::{Decision, EventId, Family, OrganisationId, TaskKind, Transaction};

use crate::answers::early::{self, EarlyMessage};
use crate::answers::{self, NewAnswer};
use crate::attempts::{self, Attempt};
use crate::blobs::{self, Ready};
use crate::clearances::{self, NewClearance};
use crate::consequences;
use crate::engine::Param;
use crate::error::{Error, Fault, Refusal};
use crate::evidence::{self, EvidenceKind};
use crate::exchanges::{self, Exchange};
use crate::health;
use crate::open::Store;
use crate::status_messages::{self, StatusGiven, StatusTold};
use crate::statuses::{self, NewStatus};
use crate::tasks::{self, Claim};
use crate::tax::{self, TaxOutcome, TaxOwed};
use crate::transactions::{self, TransactionFacts};
use crate::usage;
use crate::writer::Tx;

/// What a step of a transaction ended with.
#[derive(Debug, Clone)]
pub struct Completion {
    /// The claim under which it was done.
    pub claim: Claim,
    /// The transaction the decision was made from, as it was loaded: its version is demanded.
    pub transaction: Transaction,
    /// What was decided; several steps joined by `followed_by` count as one.
    pub decision: Decision,
    /// What was learned.
    pub facts: TransactionFacts,
    /// The attempt that was made, if one was.
    pub attempt: Option<Attempt>,
    /// The validation report, if there is one.
    pub report: Option<Bytes>,
    /// When.
    pub now: Timestamp,
}

/// What is recorded beside a step, in the same commit.
#[derive(Debug, Clone, Default)]
pub struct SideEffects {
    /// The document that this one answers.
    pub answer: Option<NewAnswer>,
    /// The order that this one changes or cancels, where it is not there yet.
    pub early: Option<EarlyMessage>,
    /// Of an order that came: its number, by which messages that came before it name it.
    pub order: Option<String>,
    /// The exchange that a receipt proves.
    pub exchange: Option<Exchange>,
    /// A status that may come back about it.
    pub awaited: Option<NewStatus>,
    /// The status that is given about it.
    pub given: Option<StatusGiven>,
    /// What it says, as a status, about another document.
    pub told: Option<StatusTold>,
    /// When its own status is to be looked at.
    pub look: Option<Timestamp>,
    /// What an authority is to register before it leaves.
    pub clearance: Option<NewClearance>,
    /// What may have to be reported of it to a tax authority.
    pub tax: Option<TaxOwed>,
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// The transaction's version from now on.
    pub version: u64,
    /// The events, in the order of the decision's notices; commands that nobody listens to are
    /// not among them.
    pub events: Vec<EventId>,
}

/// How a step moves a document. What it is is set only where it turned out to be something else,
/// since whole lists are kept by it.
macro_rules! move_on {
    ($family:literal) => {
        concat!(
            "UPDATE transactions SET status = ?3, attempts = ?4, version = version + 1, ",
            $family,
            "target_document_type = coalesce(?5, target_document_type),
             sender = coalesce(?7, sender), receiver = coalesce(?8, receiver),
             number = coalesce(?9, number),
             source_document_type = coalesce(?10, source_document_type),
             process = coalesce(?11, process), country_c1 = coalesce(?12, country_c1),
             country_c4 = coalesce(?13, country_c4), report = coalesce(?14, report),
             changed_on = ?15, via = coalesce(?16, via),
             attempts_before = coalesce(?17, attempts_before),
             keep_until = CASE WHEN blob IS NOT NULL THEN coalesce(?18, downloaded_on + ?20,
                CASE WHEN downloaded_on IS NULL THEN created_on + ?19 END) END,
             issued_on = coalesce(?21, issued_on), type_code = coalesce(?22, type_code)
             WHERE id = ?1 AND version = ?2 RETURNING version, party"
        )
    };
}

const MOVE: &str = move_on!("");
const MOVE_AS: &str = move_on!("family = coalesce(?6, family), ");

impl Store {
    /// Commits a step. A decision that ignored its event only finishes the task.
    ///
    /// Errors: [`Refusal::StaleClaim`] where the lease was lost and [`Refusal::VersionMoved`] where
    /// the transaction changed meanwhile; nothing was recorded then.
    pub async fn commit(&self, completion: Completion) -> Result<Committed, Error> {
        self.commit_with(completion, SideEffects::default()).await
    }

    /// As [`Store::commit`], with what is recorded beside the step. What of it cannot be written as
    /// a file is recorded in the database.
    ///
    /// Errors: as there.
    pub async fn commit_with(
        &self,
        completion: Completion,
        beside: SideEffects,
    ) -> Result<Committed, Error> {
        let owner = &completion.transaction.organisation;
        let report = self.ready(owner, completion.report.clone()).await?;
        let receipt = completion.attempt.as_ref().and_then(|attempt| attempt.receipt.clone());
        let receipt = self.ready(owner, receipt).await?;
        let evidence = completion.attempt.as_ref().map(|attempt| attempt.evidence.clone());
        let evidence = self.ready_evidence(owner, evidence.unwrap_or_default()).await?;
        let given = beside.given.as_ref().map(|given| given.message.content.clone());
        let given = self.ready(owner, given).await?;
        let form = beside.clearance.as_ref().map(|new| new.form.clone());
        let form = self.ready(owner, form).await?;
        let message = match beside.tax.as_ref().map(|owed| &owed.outcome) {
            Some(TaxOutcome::Written(_, message)) => Some(message.content.clone()),
            _ => None,
        };
        let message = self.ready(owner, message).await?;
        let blobs = StepBlobs { report, receipt, evidence, given, form, message };
        let (files, secrets) = (blobs.files(), self.secrets.clone());
        let sealed = move |at: &str| secrets.seal(at, &[]);
        let work = move |tx: &mut Tx<'_>| step(tx, &completion, &beside, blobs, sealed);
        let (committed, surplus) = self.write_files(files, work).await?;
        for file in surplus {
            self.blobs.discard(Some(file)).await;
        }
        Ok(committed)
    }

    async fn ready(
        &self,
        owner: &OrganisationId,
        bytes: Option<Bytes>,
    ) -> Result<Option<Ready>, Error> {
        match bytes {
            Some(bytes) => Ok(Some(self.blobs.ready_anyhow(owner, bytes).await?)),
            None => Ok(None),
        }
    }
}

/// Bytes that a step records.
struct StepBlobs {
    report: Option<Ready>,
    receipt: Option<Ready>,
    evidence: Vec<(EvidenceKind, Ready)>,
    given: Option<Ready>,
    form: Option<Ready>,
    message: Option<Ready>,
}

impl StepBlobs {
    /// The files of a step, to discard where it is not recorded after all.
    fn files(&self) -> Vec<String> {
        let StepBlobs { report, receipt, evidence, given, form, message } = self;
        let evidence = evidence.iter().map(|(_, blob)| blob);
        let all = [report, receipt, given, form, message].into_iter().flatten().chain(evidence);
        all.filter_map(Ready::file).collect()
    }
}

fn step(
    tx: &mut Tx<'_>,
    completion: &Completion,
    beside: &SideEffects,
    blobs: StepBlobs,
    sealed: impl FnOnce(&str) -> Result<Vec<u8>, Fault>,
) -> Result<(Committed, Vec<String>), Error> {
    let Completion { claim, transaction, decision, attempt, now, .. } = completion;
    tasks::finish(tx, claim)?;
    if let Some(ignored) = &decision.ignored {
        tracing::warn!(transaction = %transaction.id, %ignored, "an event was ignored");
        let committed = Committed { version: transaction.version, events: Vec::new() };
        return Ok((committed, blobs.files()));
    }
    let StepBlobs { report, receipt, evidence, given, form, message } = blobs;
    let mut surplus = Vec::new();
    for blob in [&report, &receipt].into_iter().flatten() {
        surplus.extend(blobs::record(tx, &transaction.organisation, blob)?);
    }
    let (version, party) = advance(tx, completion, report.as_ref())?;
    // Its party may have become part of another one since it was loaded.
    let transaction = &Transaction { party, ..transaction.clone() };
    let protocol = attempt.as_ref().and_then(|attempt| attempt.protocol.as_deref());
    usage::count(tx, transaction, (decision, &completion.facts), protocol, *now)?;
    if let Some(attempt) = attempt {
        attempts::add(tx, transaction, attempt, receipt.as_ref())?;
        health::count(tx, transaction, attempt)?;
        let whose = (&transaction.organisation, &transaction.id);
        for (kind, blob) in &evidence {
            surplus.extend(evidence::add(tx, whose, attempt.attempt, (*kind, blob))?);
        }
    }
    let events = consequences::record_after(tx, claim, (transaction, decision), *now)?;
    if decision.status.is_final() {
        answers::let_next_go(tx, transaction, *now)?;
    }
    surplus.extend(record_beside(tx, (completion, &transaction.party), beside, given)?);
    let early = match &beside.awaited {
        Some(_) => status_messages::early::settled(tx, &transaction.id, *now)?,
        None => None,
    };
    if let Some(owed) = &beside.tax {
        let refused = (early == Some(MlsCode::Rejected)).then(|| owed.of_refused());
        let owed = refused.as_ref().unwrap_or(owed);
        surplus.extend(tax::record(tx, transaction, owed, (message, *now))?);
    }
    if let (Some(new), Some(form)) = (&beside.clearance, &form) {
        surplus.extend(clearances::add(tx, transaction, new, form, sealed, *now)?);
    }
    Ok((Committed { version, events }, surplus))
}

/// What is recorded beside a step. Answers the file to discard after the commit, if any.
fn record_beside(
    tx: &mut Tx<'_>,
    (completion, party): (&Completion, &str),
    beside: &SideEffects,
    given: Option<Ready>,
) -> Result<Option<String>, Error> {
    let Completion { transaction, now, .. } = completion;
    let id = &transaction.id;
    if let Some(answer) = &beside.answer {
        answers::add(tx, id, answer, *now)?;
    }
    record_about_orders(tx, (completion, party), beside)?;
    if let Some(exchange) = &beside.exchange {
        exchanges::add(tx, id, transaction.direction, exchange)?;
        statuses::left(tx, id, exchange.exchanged_on)?;
    }
    if let Some(told) = &beside.told {
        status_messages::record_told(tx, id, told, *now)?;
    }
    if let Some(status) = &beside.awaited {
        statuses::open(tx, id, status)?;
    }
    if transaction.family == Family::TaxReport {
        tax::message_ended(tx, id, &completion.decision, *now)?;
    }
    let surplus = match (&beside.given, given) {
        (Some(given), Some(blob)) => {
            status_messages::record_given(tx, (id, party), given, blob, *now)?
        }
        _ => None,
    };
    if let Some(at) = beside.look {
        match at <= *now {
            true => tasks::ensure_now(tx, TaskKind::Status, id.as_str(), *now)?,
            false => tasks::ensure(tx, TaskKind::Status, id.as_str(), at)?,
        }
    }
    Ok(surplus)
}

/// Changes and cancellations that come before their order, and the order that they waited for.
fn record_about_orders(
    tx: &mut Tx<'_>,
    (completion, party): (&Completion, &str),
    beside: &SideEffects,
) -> Result<(), Error> {
    if beside.early.is_none() && beside.order.is_none() {
        return Ok(());
    }
    let Completion { transaction, facts, decision, now, .. } = completion;
    let own = Transaction { party: party.to_owned(), ..transaction.clone() };
    if let Some(message) = &beside.early {
        early::keep(tx, (&own, facts.number.as_deref(), decision.status), message, *now)?;
    }
    if let (Some(number), Some(sender)) = (&beside.order, &own.sender) {
        early::settle(tx, &own, (number, sender), *now)?;
    }
    Ok(())
}

/// Moves the document on. Answers its version, and whose it is.
fn advance(
    tx: &mut Tx<'_>,
    completion: &Completion,
    report: Option<&Ready>,
) -> Result<(u64, String), Error> {
    let Completion { transaction: t, decision: d, facts: f, now, .. } = completion;
    let [from, to, number, kind, process, c1, c4, issued_on, type_code] = f.params();
    let [over, from_arrival, from_download] = tx.keep.of_step(t.direction, d, *now);
    let row = [
        t.id.as_str().into(),
        i64::try_from(t.version).unwrap_or(i64::MAX).into(),
        d.status.as_str().into(),
        d.attempts.into(),
        d.target_document_type.as_ref().into(),
        f.family.map(|family| family.row().name).into(),
        from,
        to,
        number,
        kind,
        process,
        c1,
        c4,
        report.map_or(Param::Null, |blob| Param::Blob(&blob.id.0)),
        (*now).into(),
        d.channel.as_ref().into(),
        d.channel.as_ref().map(|_| d.attempts_before).into(),
        over,
        from_arrival,
        from_download,
        issued_on,
        type_code,
    ];
    let moves = if f.family.is_none_or(|family| family == t.family) { MOVE } else { MOVE_AS };
    if let Some(mut row) = tx.first(moves, &row)? {
        return Ok((row.count("transactions.version")?, row.text("transactions.party")?));
    }
    let key = t.id.to_string();
    match transactions::find(tx.connection(), &key)? {
        None => Err(Refusal::NotFound { what: "transaction", key }.into()),
        Some(found) => Err(Refusal::VersionMoved {
            transaction: key,
            expected: t.version,
            found: found.transaction.version,
        }
        .into()),
    }
}
