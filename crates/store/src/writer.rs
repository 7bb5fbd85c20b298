//! The one writer: a thread that takes the operations that wait, runs each inside a savepoint of
//! one database transaction, commits once for all of them, and only then answers. A hundred
//! operations share one flush of the disk, and no caller hears yes before its data is safe.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

use jiff::Timestamp;
use quoin_delivery::TaskKind;
use tokio::sync::{mpsc, oneshot};

use crate::continuity::Notes;
use crate::due::{DueBoard, Wake};
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::generations::Touched;
use crate::handover::{OfferedPlace, Offers};
use crate::keeping::KeepPeriods;
use crate::readers::{Untyped, typed};
use crate::shares::TurnShares;

/// Operations in one commit, at most: bounds how long the first of them waits.
pub(crate) const GROUP: usize = 256;
/// Operations that may wait for the writer before callers are held back.
pub(crate) const QUEUE: usize = 4_096;

mod shared;

pub(crate) use shared::WriterShared;

const BEGIN: &str = "BEGIN IMMEDIATE";
const ROLLBACK: &str = "ROLLBACK";

/// What an operation gets: the open transaction, and a place to say what follows the commit.
pub(crate) struct Tx<'a> {
    connection: &'a mut dyn Connection,
    board: &'a DueBoard,
    offers: &'a Offers,
    shares: &'a TurnShares,
    wake: Wake,
    knows: bool,
    handed: Vec<OfferedPlace>,
    /// How long documents are kept.
    pub(crate) keep: KeepPeriods,
    touched: Vec<Touched>,
}

impl Tx<'_> {
    /// See [`Connection::execute`].
    pub(crate) fn execute(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<usize, Fault> {
        self.connection.execute(sql, params)
    }

    /// See [`Connection::query`].
    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Vec<SqlRow>, Fault> {
        self.connection.query(sql, params)
    }

    /// The first row, if there is one.
    pub(crate) fn first(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Option<SqlRow>, Fault> {
        self.connection.first(sql, params)
    }

    /// Says that a task of this kind is due at that time.
    pub(crate) fn due(&mut self, kind: TaskKind, at: Timestamp) {
        self.board.lower(kind, at);
        self.wake = self.wake.and(Wake::work(kind));
    }

    /// Says until when a task of this kind is in hand.
    pub(crate) fn lease(&mut self, kind: TaskKind, until: Timestamp) {
        self.board.lower(kind, until);
    }

    /// A place for a task of this kind that is due at `now`, with somebody who takes it over; none
    /// where others of the kind were due before it.
    pub(crate) fn place(&self, kind: TaskKind, now: Timestamp) -> Option<OfferedPlace> {
        if self.board.may_be_due(kind, now) { None } else { self.offers.place(kind) }
    }

    /// What time it is for whoever takes tasks of a kind over.
    pub(crate) fn time_of(&self, kind: TaskKind) -> Option<Timestamp> {
        self.offers.time_of(kind)
    }

    /// How organisations share the places of first steps.
    pub(crate) fn shares(&self) -> &TurnShares {
        self.shares
    }

    /// Hands a claim over after the commit.
    pub(crate) fn hand_over(&mut self, place: OfferedPlace) {
        self.handed.push(place);
    }

    /// Says that tasks of any kind may be due.
    pub(crate) fn due_any(&mut self) {
        self.board.forget();
        self.wake = self.wake.and(Wake::any(TaskKind::ALL));
    }

    /// Says that something happened that the feed tells.
    pub(crate) fn told(&mut self) {
        self.wake = self.wake.and(Wake::EVENTS);
    }

    /// Says when the next task of this kind is due, which is so only if this operation is kept.
    pub(crate) fn know(&mut self, kind: TaskKind, next: Option<Timestamp>) {
        self.board.know(kind, next);
        self.knows = true;
    }

    /// Whom the commit wakes so far, and how much it hands over.
    pub(crate) fn follows(&self) -> (Wake, usize) {
        (self.wake, self.handed.len())
    }

    /// Takes back whom the commit wakes, and what it hands over, where what was done is taken back.
    pub(crate) fn take_back(&mut self, before: (Wake, usize)) {
        self.wake = before.0;
        self.handed.truncate(before.1);
    }

    /// Says that what is published of a participant is another one after the commit.
    pub(crate) fn touch(&mut self, participant: &str) {
        self.touched.push(Touched::participant(participant));
    }

    /// Says so of every participant.
    pub(crate) fn touch_all(&mut self) {
        self.touched.push(Touched::All);
    }

    /// The connection, for functions that read on either side.
    pub(crate) fn connection(&mut self) -> &mut dyn Connection {
        self.connection
    }
}

/// Work for the thread. What it answers is of a kind that only its caller knows, so that queue,
/// reply and waiting are compiled once and not for each question.
type QueuedWork = Box<dyn FnOnce(&mut Tx<'_>) -> Result<Untyped, Error> + Send>;

/// What the queue carries.
enum WriterCommand {
    /// Work.
    Do(WriterJob),
    /// The end, and who waits for it.
    Close(oneshot::Sender<()>),
}

/// An operation in the queue.
struct WriterJob {
    work: Option<QueuedWork>,
    result: Option<Result<Untyped, Error>>,
    reply: oneshot::Sender<Result<Untyped, Error>>,
}

impl WriterJob {
    /// Does the work; false asks for a roll-back to the savepoint.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        let Some(work) = self.work.take() else { return false };
        let result = catch_unwind(AssertUnwindSafe(|| work(tx)))
            .unwrap_or_else(|panic| Err(Fault::Panicked { message: said(&*panic) }.into()));
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    /// Answers the caller: with the result, or with the fault of the commit.
    fn answer(self, fault: Option<&Fault>) {
        let result = match (fault, self.result) {
            (Some(fault), Some(Ok(_)) | None) => Err(Error::Fault(fault.clone())),
            (_, Some(result)) => result,
            (None, None) => Err(Error::Fault(Fault::Closed)),
        };
        // The caller may have gone away; the work is committed all the same.
        let _ = self.reply.send(result);
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The caller's side of the writer.
#[derive(Clone)]
pub(crate) struct WriterHandle {
    queue: mpsc::Sender<WriterCommand>,
    shared: WriterShared,
}

impl WriterHandle {
    /// Starts the thread on an open connection. The lock is let go when the thread ends, which is
    /// after its last commit.
    pub(crate) fn start(
        connection: Box<dyn Connection + Send>,
        lock: Option<std::fs::File>,
        notes: Notes,
        shared: WriterShared,
    ) -> Result<WriterHandle, Fault> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let own = shared.clone();
        std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                let last = serve(connection, waiting, notes, &own);
                drop(lock);
                if let Some(waits) = last {
                    // Who asked for the end may have gone away.
                    let _ = waits.send(());
                }
            })
            .map_err(|e| Fault::Engine { doing: "start the writer", message: e.to_string() })?;
        Ok(WriterHandle { queue, shared })
    }

    /// Hands an operation over and waits until it is committed and on the disk.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    {
        typed(self.hand_in(Box::new(move |tx| Ok(Box::new(work(tx)?)))).await?)
    }

    async fn hand_in(&self, work: QueuedWork) -> Result<Untyped, Error> {
        let (reply, answer) = oneshot::channel();
        let job = WriterJob { work: Some(work), result: None, reply };
        self.queue.send(WriterCommand::Do(job)).await.map_err(|_| Fault::Closed)?;
        answer.await.map_err(|_| Fault::Closed)?
    }

    /// Ends the thread after what was asked before, with everything in the database file.
    pub(crate) async fn close(&self) {
        let (reply, answer) = oneshot::channel();
        if self.queue.send(WriterCommand::Close(reply)).await.is_ok() {
            // The thread answers, or is gone already.
            let _ = answer.await;
        }
    }

    /// What it shares with its callers.
    pub(crate) fn shared(&self) -> &WriterShared {
        &self.shared
    }
}

/// Ends when it is asked to, or when the last [`Writer`] is dropped; what is queued by then is
/// still done. Answers who waits for the end.
fn serve(
    mut connection: Box<dyn Connection + Send>,
    mut waiting: mpsc::Receiver<WriterCommand>,
    mut notes: Notes,
    shared: &WriterShared,
) -> Option<oneshot::Sender<()>> {
    let mut end = None;
    while end.is_none() {
        let Some(first) = waiting.blocking_recv() else { break };
        let mut group = Vec::new();
        let mut next = Some(first);
        while let Some(order) = next.take() {
            match order {
                WriterCommand::Do(operation) => group.push(operation),
                WriterCommand::Close(waits) => end = Some(waits),
            }
            if group.len() < GROUP && end.is_none() {
                next = waiting.try_recv().ok();
            }
        }
        let before = connection.changes();
        let outcome = commit(&mut *connection, &mut group, (&mut notes, end.is_some()), shared);
        let fault = outcome.as_ref().err();
        if let Some(fault) = fault {
            tracing::error!(%fault, operations = group.len(), "a group was rolled back");
            // What was found to be claimed or done is due again.
            shared.board.forget();
        } else if connection.changes() != before {
            shared.work.committed();
        }
        // Before the answers: who has heard of a change finds it published.
        for touched in outcome.iter().flat_map(|followed| &followed.touched) {
            shared.generations.advance(*touched);
        }
        for job in group {
            job.answer(fault);
        }
        if let Ok(followed) = outcome {
            for place in followed.handed {
                shared.pace.took(usize::from(place.is_of_a_document()));
                place.hand_over();
            }
            shared.board.ring(followed.wake);
        }
    }
    // What is asked from now on finds the store closed.
    drop(waiting);
    if let Err(fault) = connection.checkpoint() {
        tracing::warn!(%fault, "the log could not be copied into the database at the end");
    }
    end
}

/// What follows a commit.
#[derive(Default)]
struct Followed {
    /// Who is woken.
    wake: Wake,
    /// Claims that are handed over.
    handed: Vec<OfferedPlace>,
    /// Of whom something else is published now.
    touched: Vec<Touched>,
}

/// Runs the group in one transaction. On a fault nothing of the group is kept.
fn commit(
    connection: &mut dyn Connection,
    group: &mut [WriterJob],
    (notes, is_last): (&mut Notes, bool),
    shared: &WriterShared,
) -> Result<Followed, Fault> {
    connection.execute(BEGIN, &[])?;
    let done = run(connection, group, shared).and_then(|followed| {
        let noted = notes.note(connection, is_last)?;
        connection.execute("COMMIT", &[])?;
        notes.keep(noted.as_ref());
        Ok(followed)
    });
    if done.is_err() {
        // The engine may have rolled back by itself, and then says so: that is what we want.
        let _ = connection.execute(ROLLBACK, &[]);
    }
    done
}

fn run(
    connection: &mut dyn Connection,
    group: &mut [WriterJob],
    shared: &WriterShared,
) -> Result<Followed, Fault> {
    let mut followed = Followed::default();
    // One that is alone needs no place to go back to but the beginning.
    let is_alone = group.len() == 1;
    for job in group {
        if !is_alone {
            connection.execute("SAVEPOINT operation", &[])?;
        }
        let mut tx = Tx {
            connection: &mut *connection,
            board: &shared.board,
            offers: &shared.offers,
            shares: &shared.shares,
            wake: Wake::default(),
            knows: false,
            handed: Vec::new(),
            keep: *shared.keep.lock().unwrap_or_else(PoisonError::into_inner),
            touched: Vec::new(),
        };
        let keep = job.run(&mut tx);
        if keep {
            followed.wake = followed.wake.and(tx.wake);
            followed.touched.append(&mut tx.touched);
            followed.handed.append(&mut tx.handed);
        } else if tx.knows {
            shared.board.forget();
        }
        match (keep, is_alone) {
            (true, true) => {}
            (false, true) => {
                connection.execute(ROLLBACK, &[])?;
                connection.execute(BEGIN, &[])?;
            }
            (true, false) => {
                connection.execute("RELEASE operation", &[])?;
            }
            (false, false) => {
                connection.execute("ROLLBACK TO operation", &[])?;
                connection.execute("RELEASE operation", &[])?;
            }
        }
    }
    Ok(followed)
}

#[cfg(test)]
mod tests;
