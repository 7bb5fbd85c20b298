//! What a budget counts about itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For how long a budget counts as exhausted after it last refused somebody.
const EXHAUSTED: Duration = Duration::from_secs(5);
/// How often a refusal is written to the log at most: who floods us does not flood the log.
const LOGGED: Duration = Duration::from_secs(10);

/// By whom a budget is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom {
    /// The network address of a caller.
    Address,
    /// An organisation of ours.
    Tenant,
    /// The host that is called.
    Destination,
    /// An address, an access point or an organisation, as far as it is known who it is.
    Caller,
}

impl Whom {
    /// Its word in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Whom::Address => "address",
            Whom::Tenant => "tenant",
            Whom::Destination => "destination",
            Whom::Caller => "caller",
        }
    }
}

/// The counters of one budget.
#[derive(Debug)]
pub struct Meter {
    name: &'static str,
    whom: Whom,
    total: u64,
    asked: AtomicU64,
    granted: AtomicU64,
    refused_share: AtomicU64,
    refused_total: AtomicU64,
    held: AtomicU64,
    last: Mutex<LastExhaustion>,
}

#[derive(Debug, Default)]
struct LastExhaustion {
    exhausted: Option<Instant>,
    logged: Option<Instant>,
}

/// What a budget says at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeterReading {
    /// Its name.
    pub name: &'static str,
    /// By whom it is shared out.
    pub whom: Whom,
    /// How much there is.
    pub total: u64,
    /// How much of it is held.
    pub held: u64,
    /// How often somebody asked.
    pub asked: u64,
    /// How often it was granted.
    pub granted: u64,
    /// How often it was refused because one had all of its own share.
    pub refused_share: u64,
    /// How often it was refused because nothing was left for anybody.
    pub refused_total: u64,
    /// Whether somebody was refused within the last seconds because nothing was left.
    pub exhausted: bool,
}

impl Meter {
    pub(crate) fn new(name: &'static str, whom: Whom, total: usize) -> Meter {
        Meter {
            name,
            whom,
            total: u64::try_from(total).unwrap_or(u64::MAX),
            asked: AtomicU64::new(0),
            granted: AtomicU64::new(0),
            refused_share: AtomicU64::new(0),
            refused_total: AtomicU64::new(0),
            held: AtomicU64::new(0),
            last: Mutex::default(),
        }
    }

    pub(crate) fn asked(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn granted(&self) {
        self.granted.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn holds(&self, held: usize) {
        self.held.store(u64::try_from(held).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Somebody is refused: because of its own share, or because nothing is left.
    pub(crate) fn refused(&self, who: &str, share: bool) {
        let counter = if share { &self.refused_share } else { &self.refused_total };
        counter.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if !share {
            last.exhausted = Some(now);
        }
        if last.logged.is_none_or(|logged| now.duration_since(logged) > LOGGED) {
            last.logged = Some(now);
            let (budget, whom) = (self.name, self.whom.as_str());
            tracing::warn!(budget, whom, who, share, "a budget refuses");
        }
    }

    /// What it says now.
    pub fn read(&self) -> MeterReading {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        MeterReading {
            name: self.name,
            whom: self.whom,
            total: self.total,
            held: of(&self.held),
            asked: of(&self.asked),
            granted: of(&self.granted),
            refused_share: of(&self.refused_share),
            refused_total: of(&self.refused_total),
            exhausted: last.exhausted.is_some_and(|at| at.elapsed() < EXHAUSTED),
        }
    }
}
