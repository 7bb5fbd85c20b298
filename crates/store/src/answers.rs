//! Which document answers which: an Invoice Response its invoice, an order response its order; and
//! which one changes or cancels an order. An answer and its link are recorded in one commit, and
//! what it is held to is looked at in it. Answers to one document leave one after the other, as
//! they were given.

pub(crate) mod cancelled;
pub(crate) mod early;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::responses::{AnswerRule, GivenState};
use quoin_delivery::{
    Direction, Family, OrganisationId, TimelineEntry, Transaction, TransactionId,
};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::tasks::{self, Claim};
use crate::timeline;
use crate::transactions::{self, TransactionRecord, columns};
use crate::writer::Tx;

/// An answer to be recorded with the document that carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAnswer {
    /// The document that is answered.
    pub subject: TransactionId,
    /// The state that it is given.
    pub status: Option<String>,
    /// A payment in part.
    pub is_partial: bool,
    /// It takes the document back.
    pub cancels: bool,
    /// What it is held to; `None` for what arrived, which is a fact.
    pub held_to: Option<AnswerRule>,
    /// What the timelines of documents tell of it.
    pub lines: Vec<(TransactionId, TimelineEntry)>,
}

impl NewAnswer {
    /// An answer to a document that gives it no state, and that nothing else is said of.
    pub fn to(subject: TransactionId) -> NewAnswer {
        NewAnswer {
            subject,
            status: None,
            is_partial: false,
            cancels: false,
            held_to: None,
            lines: Vec::new(),
        }
    }
}

/// An answer on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRecord {
    /// The document that carries it.
    pub transaction: TransactionRecord,
    /// The state that it gives.
    pub status: Option<String>,
    /// A payment in part.
    pub is_partial: bool,
}

/// How to find the document that an answer is about which came or is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectSearch {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The party to which the answer came, or that sends it.
    pub party: String,
    /// Which way the document went that it is about.
    pub direction: Direction,
    /// The numbers that it names.
    pub numbers: Vec<String>,
    /// Who is at the other end of both, `scheme:identifier`.
    pub from: String,
    /// The family of the document.
    pub family: Family,
    /// Part of the name of its document type, where only such are meant.
    pub only: Option<&'static str>,
    /// Parts of the names of document types that are not meant.
    pub without: [Option<&'static str>; 2],
    /// The day of issue that it names, `2026-05-17`.
    pub issued_on: Option<String>,
    /// The type code that it names: 380, 381.
    pub type_code: Option<String>,
    /// The day on which it was issued itself, `2026-05-18`: what was issued later is not meant.
    pub not_after: Option<String>,
}

impl SubjectSearch {
    /// Which document of a family, that its party sent, a message is about that came to it.
    pub fn sent(arrived: &Transaction, family: Family, numbers: Vec<String>) -> SubjectSearch {
        SubjectSearch {
            organisation: arrived.organisation.clone(),
            party: arrived.party.clone(),
            direction: Direction::Outgoing,
            numbers,
            from: arrived.sender.clone().unwrap_or_default(),
            family,
            only: None,
            without: [None; 2],
            issued_on: None,
            type_code: None,
            not_after: None,
        }
    }

    /// Which document of a family, that came to its party, a message is about that this one sends
    /// to a receiver.
    pub fn received(
        sent: &Transaction,
        to: &str,
        family: Family,
        numbers: Vec<String>,
    ) -> SubjectSearch {
        SubjectSearch {
            direction: Direction::Incoming,
            from: to.to_owned(),
            ..SubjectSearch::sent(sent, family, numbers)
        }
    }
}

/// What times are told apart by.
const STEP: SignedDuration = SignedDuration::from_micros(1);
/// When the newest answer to a document was given.
const NEWEST: &str = "SELECT max(created_on) AS newest FROM answers WHERE subject = ?1";
const ADD: &str = "INSERT INTO answers (answer, subject, status, is_partial, created_on, cancels)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (answer) DO NOTHING";
/// An answer that was rejected or given up said nothing to anybody.
const GIVEN: &str = "SELECT a.status, a.is_partial FROM answers a
    JOIN transactions t ON t.id = a.answer
    WHERE a.subject = ?1 AND a.status IS NOT NULL AND t.status NOT IN ('Rejected', 'Failed')
    ORDER BY a.created_on, a.answer";
const OF: &str = "SELECT answer, status, is_partial FROM answers WHERE subject = ?1
    ORDER BY created_on, answer";
const SUBJECT: &str = "SELECT subject FROM answers WHERE answer = ?1";
/// Of several documents of one number the one that is of the day and the type that the answer
/// names, where it names them and they are known; of those the last one: those before it failed.
const FIND: &str = columns!(
    "WHERE organisation = ?1 AND party = ?2 AND number = ?3 AND direction = ?4 AND family = ?5
     AND lower(CASE direction WHEN 'incoming' THEN sender ELSE receiver END) = lower(?6)
     AND (?9 IS NULL OR instr(source_document_type, ?9) > 0)
     AND (?10 IS NULL OR source_document_type IS NULL OR instr(source_document_type, ?10) = 0)
     AND (?11 IS NULL OR source_document_type IS NULL OR instr(source_document_type, ?11) = 0)
     AND (?12 IS NULL OR issued_on IS NULL OR issued_on <= ?12)
     ORDER BY coalesce(issued_on <> ?7, 0) + coalesce(type_code <> ?8, 0),
     coalesce(issued_on = ?7, 0) + coalesce(type_code = ?8, 0) DESC,
     status = 'Delivered' DESC, created_on DESC, id DESC LIMIT 1"
);
/// Whether the answer that was given before this one, to the same document, is on its way still.
/// Those before that one have ended, or it would not have left.
const IS_BEHIND: &str = "SELECT 1 FROM transactions WHERE id = (
        SELECT earlier.answer FROM answers AS mine
        JOIN answers AS earlier ON earlier.subject = mine.subject
        JOIN transactions AS given ON given.id = earlier.answer
        WHERE mine.answer = ?1 AND given.direction = 'outgoing'
        AND (earlier.created_on, earlier.answer) < (mine.created_on, mine.answer)
        ORDER BY earlier.created_on DESC, earlier.answer DESC LIMIT 1)
    AND status IN ('Pending', 'Validated', 'Routed')";
/// Whether an answer to a document, which is not this one, is on its way.
const ON_ITS_WAY: &str = "SELECT 1 FROM answers AS a JOIN transactions AS t ON t.id = a.answer
    WHERE a.subject = ?1 AND a.answer <> ?2 AND t.direction = 'outgoing'
    AND t.status IN ('Pending', 'Validated', 'Routed')";
/// The answer that was given after this one, to the same document.
const NEXT: &str = "SELECT later.answer FROM answers AS mine
    JOIN answers AS later ON later.subject = mine.subject
    JOIN transactions AS given ON given.id = later.answer
    WHERE mine.answer = ?1 AND given.direction = 'outgoing'
    AND (later.created_on, later.answer) > (mine.created_on, mine.answer)
    ORDER BY later.created_on, later.answer LIMIT 1";

/// Records an answer.
///
/// Errors: [`Refusal::OutOfOrder`] where its state may not follow those that were given, or the
/// order that it is about was cancelled.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &TransactionId,
    answer: &NewAnswer,
    now: Timestamp,
) -> Result<(), Error> {
    if let (Some(rule), Some(status)) = (answer.held_to, &answer.status) {
        let next = GivenState { code: status.clone(), partial: answer.is_partial };
        let before = given(tx.connection(), &answer.subject)?;
        cancelled::demand_wanted(tx, &answer.subject, rule)?;
        rule.demand(&before, &next).map_err(Refusal::OutOfOrder)?;
    }
    let row = [
        transaction.as_str().into(),
        answer.subject.as_str().into(),
        answer.status.as_ref().into(),
        answer.is_partial.into(),
        after_all(tx, &answer.subject, now)?.into(),
        answer.cancels.into(),
    ];
    tx.execute(ADD, &row)?;
    for (subject, line) in &answer.lines {
        timeline::add(tx, subject, std::slice::from_ref(line))?;
    }
    Ok(())
}

/// The time of an answer that is given now: after all that were given to the document before, since
/// one that was asked for earlier may be recorded later, when it was longer in the making.
fn after_all(tx: &mut Tx<'_>, subject: &TransactionId, now: Timestamp) -> Result<Timestamp, Fault> {
    let newest = tx.first(NEWEST, &[subject.as_str().into()])?;
    let newest = newest.map(|mut row| row.time_or_none("newest")).transpose()?.flatten();
    let next = newest.and_then(|newest| newest.checked_add(STEP).ok());
    Ok(next.map_or(now, |next| next.max(now)))
}

/// Lets the answer go that waits for this one, which has ended.
pub(crate) fn let_next_go(
    tx: &mut Tx<'_>,
    ended: &Transaction,
    now: Timestamp,
) -> Result<(), Fault> {
    if ended.direction != Direction::Outgoing || !ended.family.may_answer() {
        return Ok(());
    }
    let Some(mut row) = tx.first(NEXT, &[ended.id.as_str().into()])? else { return Ok(()) };
    let next = row.text("answers.answer")?;
    tasks::bring_forward(tx, &next, now)
}

fn is_behind(db: &mut dyn Connection, answer: &str) -> Result<bool, Fault> {
    Ok(db.first(IS_BEHIND, &[answer.into()])?.is_some())
}

fn is_another_on_its_way(
    db: &mut dyn Connection,
    subject: &TransactionId,
    own: &TransactionId,
) -> Result<bool, Fault> {
    Ok(db.first(ON_ITS_WAY, &[subject.as_str().into(), own.as_str().into()])?.is_some())
}

fn given(db: &mut dyn Connection, subject: &TransactionId) -> Result<Vec<GivenState>, Fault> {
    let read = |mut row: SqlRow| {
        Ok(GivenState {
            code: row.text("answers.status")?,
            partial: row.yes("answers.is_partial")?,
        })
    };
    db.query(GIVEN, &[subject.as_str().into()])?.into_iter().map(read).collect()
}

impl Store {
    /// The answers to a document, oldest first.
    pub async fn answers_to(&self, subject: &TransactionId) -> Result<Vec<AnswerRecord>, Error> {
        let subject = subject.clone();
        self.read(move |db| {
            let mut all = Vec::new();
            for mut row in db.query(OF, &[subject.as_str().into()])? {
                let id = row.text("answers.answer")?;
                let status = row.text_or_none("answers.status")?;
                let is_partial = row.yes("answers.is_partial")?;
                let found = transactions::find(db, &id)?;
                all.extend(found.map(|transaction| AnswerRecord {
                    transaction,
                    status,
                    is_partial,
                }));
            }
            Ok(all)
        })
        .await
    }

    /// Whether an answer has to wait for the one before it, to the same document, which is on its
    /// way still. Its step is given back then, as in [`Store::put_back`]: to be handed out when
    /// that one has ended, and at `at` in any case.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn waits_for_earlier(&self, claim: &Claim, at: Timestamp) -> Result<bool, Error> {
        let answer = claim.subject.clone();
        if !self.read(move |db| Ok(is_behind(db, &answer)?)).await? {
            return Ok(false);
        }
        let claim = claim.clone();
        // Looked at once more in the commit that gives it back: one that ends meanwhile finds it
        // waiting.
        self.write(move |tx| {
            if !is_behind(tx.connection(), &claim.subject)? {
                return Ok(false);
            }
            tasks::put_back(tx, &claim, at)?;
            Ok(true)
        })
        .await
    }

    /// Files an answer behind one to the same document which is on its way still, and gives its
    /// step back as [`Store::waits_for_earlier`] does; whether there is such a one. Else nothing is
    /// done.
    ///
    /// Errors: [`Refusal::StaleClaim`].
    pub async fn files_behind(
        &self,
        claim: &Claim,
        (own, answer): (&TransactionId, &NewAnswer),
        (now, at): (Timestamp, Timestamp),
    ) -> Result<bool, Error> {
        let (asked, mine) = (answer.subject.clone(), own.clone());
        if !self.read(move |db| Ok(is_another_on_its_way(db, &asked, &mine)?)).await? {
            return Ok(false);
        }
        let (claim, own, answer) = (claim.clone(), own.clone(), answer.clone());
        self.write(move |tx| {
            if !is_another_on_its_way(tx.connection(), &answer.subject, &own)? {
                return Ok(false);
            }
            tasks::put_back(tx, &claim, at)?;
            add(tx, &own, &answer, now)?;
            Ok(true)
        })
        .await
    }

    /// The document that another one answers, if it is on record.
    pub async fn answered_by(
        &self,
        answer: &TransactionId,
    ) -> Result<Option<TransactionRecord>, Error> {
        let answer = answer.clone();
        self.read(move |db| {
            let Some(mut row) = db.first(SUBJECT, &[answer.as_str().into()])? else {
                return Ok(None);
            };
            let subject = row.text("answers.subject")?;
            Ok(transactions::find(db, &subject)?)
        })
        .await
    }

    /// The document that an answer is about which came or is sent.
    pub async fn answered(
        &self,
        question: SubjectSearch,
    ) -> Result<Option<TransactionRecord>, Error> {
        self.read(move |db| Ok(found(db, &question)?)).await
    }
}

/// The document that is meant: by the first of the numbers of which there is one.
fn found(
    db: &mut dyn Connection,
    question: &SubjectSearch,
) -> Result<Option<TransactionRecord>, Fault> {
    let [without, nor] = question.without;
    for number in &question.numbers {
        let key = [
            question.organisation.as_str().into(),
            (&question.party).into(),
            number.into(),
            question.direction.as_str().into(),
            question.family.row().name.into(),
            (&question.from).into(),
            question.issued_on.as_ref().into(),
            question.type_code.as_ref().into(),
            question.only.into(),
            without.into(),
            nor.into(),
            question.not_after.as_ref().into(),
        ];
        if let Some(row) = db.first(FIND, &key)? {
            return Ok(Some(transactions::read(row)?));
        }
    }
    Ok(None)
}
