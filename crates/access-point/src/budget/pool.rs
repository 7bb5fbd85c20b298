//! The threads that read what strangers wrote. No bytes from outside are parsed on a thread that
//! serves connections: each kind of work has its own number of places, so that a slow kind never
//! keeps a quick one waiting, and organisations take turns.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use super::meter::{Meter, Whom};
use super::places::{Full, HeldPlace, Places, Sizes};

/// What a thread is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Opening a message of another access point, by its address.
    As4Open,
    /// The same of a large one.
    As4Large,
    /// Reading the answer of an access point or an SMP, by its host.
    Answer,
    /// Sealing a message to another access point, by organisation.
    Seal,
    /// Validating a document for the worker, by organisation.
    Validate,
    /// Validating one for a request, by organisation.
    ValidateNow,
}

/// What holds of a purpose.
pub(super) struct PurposeRow {
    pub purpose: Purpose,
    /// Its name in the metrics and the manual.
    pub name: &'static str,
    /// By whom it is shared out.
    pub whom: Whom,
    /// For how many seconds work waits for a thread.
    pub patience: u64,
}

const fn row(purpose: Purpose, name: &'static str, whom: Whom, patience: u64) -> PurposeRow {
    PurposeRow { purpose, name, whom, patience }
}

/// Every purpose. Who sends a message waits no longer than a minute, and who calls the interface
/// half of one; the worker has time.
pub(super) const PURPOSES: &[PurposeRow] = &[
    row(Purpose::As4Open, "as4_open", Whom::Address, 30),
    row(Purpose::As4Large, "as4_large", Whom::Address, 30),
    row(Purpose::Answer, "answers", Whom::Destination, 60),
    row(Purpose::Seal, "seal", Whom::Tenant, 60),
    row(Purpose::Validate, "validation", Whom::Tenant, 120),
    row(Purpose::ValidateNow, "validation_now", Whom::Tenant, 30),
];

/// Places of each purpose for so many cores.
pub(super) fn sizes(purpose: Purpose, cores: usize) -> Sizes {
    let most = cores.max(2);
    let some = (cores / 2).max(1);
    let (total, share, waiting, waiting_of_one) = match purpose {
        Purpose::As4Open => (most, most, 4_096, 1_024),
        Purpose::As4Large => (1, 1, 256, 64),
        Purpose::Answer => (most, most, 4_096, 1_024),
        Purpose::Seal => (some, some, 1_024, 1_024),
        // What the worker has in hand is bounded by its lanes; all of it may wait.
        Purpose::Validate => (some, some, 4_096, 4_096),
        Purpose::ValidateNow => (some, some, 256, 32),
    };
    Sizes { total, share, waiting, waiting_of_one }
}

/// No thread became free in time, or the work broke off.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Busy {
    /// No thread became free.
    #[error(transparent)]
    Full(#[from] Full),
    /// The work panicked, or the process ends.
    #[error("the work broke off: {0}")]
    Broken(String),
}

/// A piece of work, with its answer of a kind that only its caller knows: the task around it is
/// compiled once and not for each of them.
type ThreadWork = Box<dyn FnOnce() -> WorkAnswer + Send>;

/// The answer of a piece of work.
type WorkAnswer = Box<dyn Any + Send>;

/// Does a piece of work that borrows where it stands, with what else its thread had to do handed to
/// another one. For work whose number is bounded elsewhere.
pub fn in_place<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// The threads; clones share them.
#[derive(Debug, Clone)]
pub struct Pool(Arc<[Places]>);

impl Default for Pool {
    fn default() -> Pool {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Pool::of(cores)
    }
}

impl Pool {
    /// Threads for so many cores.
    pub fn of(cores: usize) -> Pool {
        let places = |row: &PurposeRow| Places::new(row.name, row.whom, sizes(row.purpose, cores));
        Pool(PURPOSES.iter().map(places).collect())
    }

    /// Waits for a thread in turn, for as long as work of this purpose waits, and does a piece of
    /// work on it.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn run<T: Send + 'static>(
        &self,
        purpose: Purpose,
        who: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let place = self.enter(purpose, who).await?;
        self.run_in(place, work).await
    }

    /// The same for work that waits no longer than this, since it has a limit of its own.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn run_within<T: Send + 'static>(
        &self,
        purpose: Purpose,
        who: &str,
        patience: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let place = self.places(purpose).enter(who, patience).await?;
        self.run_in(place, work).await
    }

    /// Does a piece of work on a thread for which there is a place.
    ///
    /// # Errors
    /// [`Busy::Broken`].
    pub async fn run_in<T: Send + 'static>(
        &self,
        place: HeldPlace,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let work: ThreadWork = Box::new(move || {
            let done = work();
            drop(place);
            Box::new(done)
        });
        let done = tokio::task::spawn_blocking(work).await;
        let done = done.map_err(|error| Busy::Broken(error.to_string()))?;
        let done = done.downcast().map_err(|_| Busy::Broken("another answer".to_owned()))?;
        Ok(*done)
    }

    /// Waits for a place in turn, for work that is done elsewhere.
    ///
    /// # Errors
    /// [`Full`].
    pub async fn enter(&self, purpose: Purpose, who: &str) -> Result<HeldPlace, Full> {
        let row = PURPOSES.iter().find(|row| row.purpose == purpose);
        let patience = Duration::from_secs(row.map_or(0, |row| row.patience));
        self.places(purpose).enter(who, patience).await
    }

    fn places(&self, purpose: Purpose) -> &Places {
        let at = PURPOSES.iter().position(|row| row.purpose == purpose).unwrap_or(0);
        self.0.get(at).or(self.0.first()).unwrap_or_else(|| unreachable!("there are purposes"))
    }

    pub(super) fn meters(&self) -> impl Iterator<Item = &Arc<Meter>> {
        self.0.iter().map(Places::meter)
    }
}
