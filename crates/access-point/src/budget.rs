//! What others may cost us: every place, byte and connection that somebody outside can make us hold
//! is granted from a budget here, before the work is done.
//!
//! ```text
//! who asks ──► budget: room in all? own share? ──► granted, given back when dropped
//!                                     │
//!                                     └──► not now: waits in turn, or 503 with Retry-After
//! ```
//! [`places`] are things of which a few exist at a time (threads that parse, calls to one host,
//! connections), given out in turn by who asks; [`bytes`] is memory for what is under way. Each
//! budget counts what was asked, granted and refused, and says whether it is exhausted ([`Meter`]);
//! the table of all of them is [`Budgets::all`], which health, metrics and the manual
//! are made from.

mod body;
pub mod bytes;
pub mod manual;
pub mod meter;
pub mod places;
pub mod pool;
mod spool;
mod stop;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

pub use body::BodyLimits;
pub use bytes::{Bytes as ByteBudget, Holding, LinePlace};
pub use meter::{Meter, MeterReading, Whom};
pub use places::{Full, HeldPlace, Places, Sizes};
pub use pool::{Busy, Pool, Purpose, in_place};
pub use spool::{Spool, SpoolError};
pub use stop::Deadline;

use crate::config::LimitsSection;

/// Calls under way to access points that answered promptly when last called, in all and to one
/// host; those beyond wait for a moment.
pub const CALLS: Sizes = Sizes { total: 128, share: 32, waiting: 256, waiting_of_one: 32 };
/// The same to all others: first calls, and those to who is slow or silent. Few to one, so that
/// many that are silent leave places for first calls to others.
pub const FIRST_CALLS: Sizes = Sizes { total: 96, share: 4, waiting: 256, waiting_of_one: 32 };
/// Calls of one organisation at a time, to whichever access points.
pub const CALLS_OF_ONE: usize = 96;
/// The same to those that are silent, slow or new.
pub const FIRST_CALLS_OF_ONE: usize = FIRST_CALLS.total / 2;
/// Look-ups under way at one SMP and in all; those beyond wait for a moment.
pub const LOOKUPS: Sizes = Sizes { total: 64, share: 8, waiting: 512, waiting_of_one: 16 };
/// Calls of hooks whose last call succeeded, in all and of one organisation.
pub const HOOKS: Sizes = Sizes { total: 256, share: 64, waiting: 1_024, waiting_of_one: 128 };
/// Passwords hashed at a time: each takes 19 MiB and a good part of a core by intention.
pub const PASSWORDS: Sizes = Sizes { total: 2, share: 2, waiting: 256, waiting_of_one: 256 };
/// Connections over which events are followed, in all and of one organisation; nobody waits.
pub const FOLLOWERS: Sizes = Sizes { total: 1_024, share: 64, waiting: 0, waiting_of_one: 0 };

/// Bytes on the disk of what arrives or is sent.
pub const SPOOL: usize = 2 << 30;

/// The budgets of one service, shared by its listeners and its worker.
#[derive(Debug, Clone)]
pub struct Budgets {
    /// Threads that read what strangers wrote.
    pub pool: Pool,
    /// Memory for what is under way.
    pub bytes: ByteBudget,
    /// Room on the disk for what is too large for memory while it arrives or is sent.
    pub spool: ByteBudget,
    /// Attempts under way to hand messages to access points that answer promptly, by host.
    pub calls: Places,
    /// The same to those of which that is not known.
    pub first_calls: Places,
    /// Look-ups under way at SMPs, by host.
    pub lookups: Places,
    /// Calls of hooks under way, by organisation.
    pub hooks: Places,
    /// Passwords that are hashed.
    pub passwords: Places,
    /// Connections over which events are followed, by organisation.
    pub followers: Places,
    /// The connections of each listener.
    connections: Arc<Mutex<Vec<Arc<Meter>>>>,
}

impl Default for Budgets {
    fn default() -> Budgets {
        Budgets::new(&LimitsSection::default())
    }
}

impl Budgets {
    /// The budgets of a configuration.
    pub fn new(limits: &LimitsSection) -> Budgets {
        let total = usize::try_from(limits.memory_megabytes << 20).unwrap_or(usize::MAX);
        Budgets {
            pool: Pool::default(),
            bytes: ByteBudget::new("bytes", total),
            spool: ByteBudget::new("spool", SPOOL),
            calls: Places::new("calls", Whom::Destination, CALLS),
            first_calls: Places::new("first_calls", Whom::Destination, FIRST_CALLS),
            lookups: Places::new("lookups", Whom::Destination, LOOKUPS),
            hooks: Places::new("hooks", Whom::Tenant, HOOKS),
            passwords: Places::new("passwords", Whom::Caller, PASSWORDS),
            followers: Places::new("followers", Whom::Caller, FOLLOWERS),
            connections: Arc::default(),
        }
    }

    /// Adds the connections of a listener that was opened.
    pub fn listens(&self, connections: &Arc<Meter>) {
        let mut all = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(connections.clone());
    }

    /// What each budget says about itself, in the order of the manual.
    pub fn all(&self) -> Vec<Arc<Meter>> {
        let pool = self.pool.meters();
        let destinations = [&self.calls, &self.first_calls, &self.lookups, &self.hooks];
        let others = destinations.into_iter().chain([&self.passwords, &self.followers]);
        let others = others.map(|places| places.meter());
        let bytes = [self.bytes.meter(), self.spool.meter()].into_iter();
        let connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.chain(pool).chain(others).chain(connections.iter()).cloned().collect()
    }
}
