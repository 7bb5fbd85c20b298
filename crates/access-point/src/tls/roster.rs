//! The connections of one door: how many there are, of whom, and which of them do nothing.
//!
//! A connection is idle while no request is under way on it and nothing of an answer waits for the
//! other side. Idle ones are closed first when places run short, those of the address with the most
//! before others.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::DoorLimits;
use crate::budget::{Meter, Whom};

/// How soon it is looked again whether a connection became idle, when there is no place.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// What a connection that has just come gets to ask for something before it counts as idle.
const ARRIVING: Duration = Duration::from_secs(1);
/// A response of which the other side takes nothing is looked at so often.
const BUSY: Duration = Duration::from_secs(1);

/// The connections of one door; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Roster(Arc<SharedRoster>);

#[derive(Debug)]
struct SharedRoster {
    total: usize,
    share: usize,
    meter: Arc<Meter>,
    known: Mutex<ConnectionTable>,
    /// A place became free.
    freed: Notify,
}

#[derive(Debug, Default)]
struct ConnectionTable {
    next: u64,
    seats: HashMap<u64, (IpAddr, Arc<Pulse>)>,
    of_address: HashMap<IpAddr, usize>,
}

/// The place of one connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    id: u64,
    address: IpAddr,
    roster: Roster,
    pub(super) pulse: Arc<Pulse>,
}

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct Pulse {
    state: Mutex<PulseState>,
    /// It is to end.
    close: Notify,
}

#[derive(Debug)]
struct PulseState {
    /// Requests under way, their answers included.
    requests: usize,
    /// Whether there was one at all.
    greeted: bool,
    /// Since when there is none.
    since: Instant,
    /// Whether something that was written waits for the other side to take it.
    writing: bool,
    /// Since when each answer waits for the other side to take a part of it.
    handed: HashMap<u64, Instant>,
    next: u64,
    closing: bool,
}

/// Why a connection is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionEnd {
    /// It does nothing, and its time is over or its place is needed.
    Idle,
    /// It takes nothing of an answer.
    Stalled,
}

impl Roster {
    pub(super) fn new(name: &'static str, limits: &DoorLimits) -> Roster {
        let meter = Arc::new(Meter::new(meter_name(name), Whom::Address, limits.connections));
        Roster(Arc::new(SharedRoster {
            total: limits.connections,
            share: limits.of_one_address,
            meter,
            known: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    pub(super) fn meter(&self) -> &Arc<Meter> {
        &self.0.meter
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionTable> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is a place; a connection that does nothing is ended for it.
    pub(super) async fn room(&self) {
        loop {
            let freed = self.0.freed.notified();
            let idle = {
                let known = self.lock();
                if known.seats.len() < self.0.total {
                    return;
                }
                known.idle()
            };
            self.0.meter.refused("everybody", false);
            if let Some(idle) = idle {
                idle.end();
            }
            let _ = tokio::time::timeout(LOOK_AGAIN, freed).await;
        }
    }

    /// A place for a connection from an address, unless that has all of its own.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Seat> {
        let address = network(address);
        self.0.meter.asked();
        let mut known = self.lock();
        let own = known.of_address.entry(address).or_default();
        if *own >= self.0.share {
            drop(known);
            self.0.meter.refused(&address.to_string(), true);
            return None;
        }
        *own += 1;
        let (id, pulse) = (known.next, Arc::new(Pulse::new()));
        known.next += 1;
        known.seats.insert(id, (address, pulse.clone()));
        self.0.meter.granted();
        self.0.meter.holds(known.seats.len());
        Some(Seat { id, address, roster: self.clone(), pulse })
    }

    /// Waits until there is no connection left.
    pub(super) async fn empty(&self) {
        loop {
            let freed = self.0.freed.notified();
            if self.lock().seats.is_empty() {
                return;
            }
            freed.await;
        }
    }

    /// Ends all of them, whatever they do.
    pub(super) fn close_all(&self) {
        for (_, pulse) in self.lock().seats.values() {
            pulse.lock().closing = true;
            pulse.close.notify_one();
        }
    }
}

impl ConnectionTable {
    /// The connection that does nothing for longest, of the address that has most.
    fn idle(&self) -> Option<Arc<Pulse>> {
        let mine = |address: &IpAddr| self.of_address.get(address).copied().unwrap_or(0);
        let idle = self.seats.values().filter_map(|(address, pulse)| {
            let since = pulse.idle_since()?;
            Some(((mine(address), std::cmp::Reverse(since)), pulse))
        });
        idle.max_by_key(|(rank, _)| *rank).map(|(_, pulse)| pulse.clone())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut known = self.roster.lock();
        known.seats.remove(&self.id);
        let left = known.of_address.get_mut(&self.address).map(|own| {
            *own -= 1;
            *own
        });
        if left == Some(0) {
            known.of_address.remove(&self.address);
        }
        self.roster.0.meter.holds(known.seats.len());
        drop(known);
        self.roster.0.freed.notify_waiters();
    }
}

impl PulseState {
    /// Whether there is nothing to be done or taken.
    fn is_at_rest(&self) -> bool {
        self.requests == 0 && !self.writing
    }
}

impl Pulse {
    fn new() -> Pulse {
        let state = PulseState {
            requests: 0,
            greeted: false,
            since: Instant::now(),
            writing: false,
            handed: HashMap::new(),
            next: 0,
            closing: false,
        };
        Pulse { state: Mutex::new(state), close: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, PulseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request begins.
    pub(super) fn begin(self: &Arc<Self>) -> RequestGuard {
        let mut state = self.lock();
        state.requests += 1;
        state.greeted = true;
        state.next += 1;
        RequestGuard { id: state.next, pulse: self.clone() }
    }

    /// Since when it does nothing; not of one that has just come, or is ended already.
    fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        let is_idle = state.greeted || state.since.elapsed() >= ARRIVING;
        (state.is_at_rest() && !state.closing && is_idle).then_some(state.since)
    }

    /// Something that was written waits to be taken, or does so no longer.
    pub(super) fn writes(&self, waits: bool) {
        let mut state = self.lock();
        state.writing = waits;
        state.since = Instant::now();
    }

    fn end(&self) {
        self.lock().closing = true;
        self.close.notify_one();
    }

    /// Waits until the connection is to end.
    pub(super) async fn over(&self, limits: &DoorLimits) -> ConnectionEnd {
        loop {
            let wait = {
                let state = self.lock();
                let now = Instant::now();
                if state.handed.values().any(|at| now.duration_since(*at) >= limits.write) {
                    return ConnectionEnd::Stalled;
                }
                let patience = if state.greeted { limits.idle } else { limits.header_timeout };
                let idle = now.duration_since(state.since);
                match state.is_at_rest() {
                    true if state.closing || idle >= patience => return ConnectionEnd::Idle,
                    true => patience - idle,
                    false if state.closing => return ConnectionEnd::Stalled,
                    false => BUSY.min(limits.write),
                }
            };
            let _ = tokio::time::timeout(wait, self.close.notified()).await;
        }
    }
}

/// A request that is under way, its answer included.
#[derive(Debug)]
pub(super) struct RequestGuard {
    id: u64,
    pulse: Arc<Pulse>,
}

impl RequestGuard {
    /// A part of the answer was handed on; whether the other side takes it is seen by whether the
    /// next part is asked for.
    pub(super) fn handed(&self) {
        self.pulse.lock().handed.insert(self.id, Instant::now());
    }

    /// The next part is asked for.
    pub(super) fn asked(&self) {
        self.pulse.lock().handed.remove(&self.id);
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.pulse.lock();
        state.handed.remove(&self.id);
        state.requests -= 1;
        state.since = Instant::now();
    }
}

/// Whom an address stands for: of IPv6 a customer has a whole network of 64 bits.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// The name of the budget of a door's connections.
fn meter_name(door: &'static str) -> &'static str {
    match door {
        "api" => "connections_api",
        "as4" => "connections_as4",
        "smp" => "connections_smp",
        "metrics" => "connections_metrics",
        _ => "connections",
    }
}
