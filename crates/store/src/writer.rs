//! The one writer: a thread that takes the operations that wait, runs each inside a savepoint of
//! one database transaction, commits once for all of them, and only then answers. A hundred
//! operations share one flush of the disk, and no caller hears yes before its data is safe.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use quoin_delivery::OrganisationId;
use tokio::sync::{mpsc, oneshot};

use crate::continuity::Notes;
use crate::due::Wake;
use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::generations::Touched;
use crate::handover::OfferedPlace;
use crate::ours::OwnFiles;
use crate::readers::{Untyped, typed};
use crate::recent::RecentKey;

/// Operations in one commit, at most: bounds how long the first of them waits.
pub(crate) const GROUP: usize = 256;
/// Rows that are written in one commit before the operations that are left go into the next.
const ROWS: u64 = 5_000;
/// Operations that may wait for the writer before callers are held back.
pub(crate) const QUEUE: usize = 4_096;

mod log;
mod shared;
mod trouble;
mod tx;

pub(crate) use log::LogCopier;
pub(crate) use shared::WriterShared;
pub(crate) use trouble::WriteTrouble;
pub(crate) use tx::Tx;

const BEGIN: &str = "BEGIN IMMEDIATE";
const ROLLBACK: &str = "ROLLBACK";

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

    /// What is told where nothing is left to go back to: the engine rolls back by itself what it
    /// cannot go on with, such as for want of memory, and the work has heard why.
    fn cause(&self, fault: Fault) -> Fault {
        match &self.result {
            Some(Err(Error::Fault(cause))) => cause.clone(),
            _ => fault,
        }
    }

    /// Answers the caller: with the result, or with the fault of the commit. Where that failed a
    /// refusal counts for nothing: what it was refused for may have been rolled back with it.
    fn answer(self, fault: Option<&Fault>) {
        let result = match (fault, self.result) {
            (Some(fault), Some(Ok(_) | Err(Error::Refusal(_))) | None) => {
                Err(Error::Fault(fault.clone()))
            }
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
        (mut ours, copier): (Option<OwnFiles>, LogCopier),
        notes: Notes,
        shared: WriterShared,
    ) -> Result<WriterHandle, Fault> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let own = shared.clone();
        std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                let last = serve(connection, waiting, (notes, copier, &mut ours), &own);
                drop(ours);
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
    (mut notes, mut copier, ours): (Notes, LogCopier, &mut Option<OwnFiles>),
    shared: &WriterShared,
) -> Option<oneshot::Sender<()>> {
    let (mut end, mut left) = (None, Vec::new());
    while end.is_none() || !left.is_empty() {
        let mut group = gather(&mut waiting, left, &mut end);
        if group.is_empty() && end.is_none() {
            break;
        }
        left = Vec::new();
        let before = connection.changes();
        let outcome = ours.as_mut().map_or(Ok(()), OwnFiles::look).and_then(|()| {
            commit(&mut *connection, &mut group, (&mut notes, end.is_some()), shared)
        });
        if let Ok(followed) = &outcome {
            left = group.split_off(followed.done);
        }
        let fault = outcome.as_ref().err();
        shared.trouble.after(fault, &group, connection.changes() != before);
        if fault.is_some() {
            // What was found to be claimed or done is due again.
            shared.board.forget();
            shared.all_told.store(false, Ordering::Relaxed);
        } else if connection.changes() != before {
            shared.work.committed();
        }
        // Before the answers: who has heard of a change finds it.
        shared.written.advance(connection.written());
        for touched in outcome.iter().flat_map(|followed| &followed.touched) {
            shared.generations.advance(*touched);
        }
        for blob in outcome.iter().flat_map(|followed| &followed.given_up) {
            shared.recent.forget(blob);
        }
        for job in group {
            job.answer(fault);
        }
        if let Ok(followed) = outcome {
            for place in followed.handed {
                if let Some(claim) = place.claim() {
                    shared.ahead.look(&mut *connection, claim);
                }
                shared.pace.took(usize::from(place.is_of_a_document()));
                place.hand_over();
            }
            shared.board.ring(followed.wake);
            followed.told.iter().for_each(|whose| shared.board.tell(whose));
        }
        shared.work.logged(copier.look(&mut *connection));
    }
    // What is asked from now on finds the store closed.
    drop(waiting);
    drop(copier);
    if let Err(fault) = connection.checkpoint() {
        tracing::warn!(%fault, "the log could not be copied into the database at the end");
    }
    end
}

/// The operations of the next commit: those that are left of the one before, and what waits. None
/// where nobody is there to ask any more, or the end is asked for.
fn gather(
    waiting: &mut mpsc::Receiver<WriterCommand>,
    left: Vec<WriterJob>,
    end: &mut Option<oneshot::Sender<()>>,
) -> Vec<WriterJob> {
    let mut group = left;
    while group.len() < GROUP && end.is_none() {
        let next = match group.is_empty() {
            true => waiting.blocking_recv(),
            false => waiting.try_recv().ok(),
        };
        match next {
            Some(WriterCommand::Do(operation)) => group.push(operation),
            Some(WriterCommand::Close(waits)) => *end = Some(waits),
            None => break,
        }
    }
    group
}

/// What follows a commit.
#[derive(Default)]
struct Followed {
    /// How many operations it is of.
    done: usize,
    /// Who is woken.
    wake: Wake,
    /// Whose feed tells something new.
    told: Vec<OrganisationId>,
    /// Claims that are handed over.
    handed: Vec<OfferedPlace>,
    /// Of whom something else is published now.
    touched: Vec<Touched>,
    /// Bytes that a record gave up.
    given_up: Vec<RecentKey>,
}

/// Runs the group in one transaction, or as many of the first ones as write enough for one. On a
/// fault nothing of the group is kept.
fn commit(
    connection: &mut dyn Connection,
    group: &mut [WriterJob],
    (notes, is_last): (&mut Notes, bool),
    shared: &WriterShared,
) -> Result<Followed, Fault> {
    connection.execute(BEGIN, &[])?;
    let all = group.len();
    let done = run(connection, group, shared).and_then(|followed| {
        let noted = notes.note(connection, is_last && followed.done == all)?;
        connection.execute("COMMIT", &[])?;
        notes.committed(noted.as_ref(), connection.log_pages());
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
    let before = connection.changes();
    for job in group {
        if connection.changes().saturating_sub(before) >= ROWS {
            break;
        }
        followed.done += 1;
        if !is_alone {
            connection.execute("SAVEPOINT operation", &[])?;
        }
        let mut tx = Tx {
            connection: &mut *connection,
            board: &shared.board,
            offers: &shared.offers,
            shares: &shared.shares,
            absorbed: &shared.absorbed,
            wake: Wake::default(),
            told: Vec::new(),
            knows: false,
            handed: Vec::new(),
            owed: 0,
            all_told: &shared.all_told,
            keep: *shared.keep.lock().unwrap_or_else(PoisonError::into_inner),
            touched: Vec::new(),
            given_up: Vec::new(),
        };
        let keep = job.run(&mut tx);
        if keep {
            followed.wake = followed.wake.and(tx.wake);
            tx.told.retain(|whose| !followed.told.contains(whose));
            followed.told.append(&mut tx.told);
            followed.touched.append(&mut tx.touched);
            followed.given_up.append(&mut tx.given_up);
            followed.handed.append(&mut tx.handed);
        } else {
            if tx.knows {
                shared.board.forget();
            }
            shared.all_told.store(false, Ordering::Relaxed);
        }
        match (keep, is_alone) {
            (true, true) => {}
            (false, true) => {
                connection.execute(ROLLBACK, &[]).map_err(|fault| job.cause(fault))?;
                connection.execute(BEGIN, &[])?;
            }
            (true, false) => {
                connection.execute("RELEASE operation", &[])?;
            }
            (false, false) => {
                let undone = connection.execute("ROLLBACK TO operation", &[]);
                undone.map_err(|fault| job.cause(fault))?;
                connection.execute("RELEASE operation", &[])?;
            }
        }
    }
    Ok(followed)
}

#[cfg(test)]
mod tests;
