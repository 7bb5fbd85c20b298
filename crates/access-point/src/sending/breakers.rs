//! The breakers of all addresses, shared by all lanes. The store has what is worth remembering.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use quoin_delivery::{
    Admission, Breaker, BreakerPolicy, BreakerState, CauseRow, OrganisationId, Sign,
};

/// Addresses about which something is known, at most.
const KNOWN: usize = 100_000;

/// What is known about the addresses of access points, of all organisations together.
#[derive(Debug, Default)]
pub struct Breakers {
    policy: BreakerPolicy,
    known: Mutex<HashMap<String, Breaker>>,
}

impl Breakers {
    /// Breakers with what was remembered.
    pub fn new(policy: BreakerPolicy, remembered: Vec<(String, Breaker)>) -> Breakers {
        Breakers { policy, known: Mutex::new(remembered.into_iter().collect()) }
    }

    /// The name under which the destination of a channel beside the network is known: the documents
    /// of one organisation say nothing to another one.
    pub fn place(organisation: &OrganisationId, endpoint: &str) -> String {
        format!("{organisation} {endpoint}")
    }

    /// Whether a document that came at `since` may go to an address.
    pub fn admit(&self, url: &str, since: Timestamp, now: Timestamp) -> Admission {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(breaker) = known.get_mut(url) else { return Admission::Go };
        let admission = breaker.admit(since, &self.policy, now);
        if admission == Admission::Probe {
            tracing::info!(url, "one document is sent to an access point as a probe");
        }
        admission
    }

    /// Notes how an attempt of a document ended, by its code or without one where it was delivered;
    /// answers what is to be remembered, where that changed.
    pub fn note(
        &self,
        url: &str,
        document: &str,
        code: Option<&str>,
        now: Timestamp,
    ) -> Option<Breaker> {
        let sign = sign(code)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut breaker = known.remove(url).unwrap_or_default();
        let before = breaker.rests_until;
        let changed = breaker.note(document, sign, &self.policy, now);
        let after = breaker.clone();
        if breaker != Breaker::default() && known.len() < KNOWN {
            known.insert(url.to_owned(), breaker);
        }
        if before != after.rests_until {
            match after.rests_until {
                Some(until) => tracing::warn!(url, %until, "an access point is left alone"),
                None => tracing::info!(url, "an access point takes documents again"),
            }
        }
        changed.then_some(after)
    }

    /// Lets the next document be the probe: the one that was sent said nothing of the address.
    fn release(&self, url: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(breaker) = known.get_mut(url) {
            breaker.release();
        }
    }

    /// The state of an address, and until when it is left alone.
    pub fn state(&self, url: &str, now: Timestamp) -> (BreakerState, Option<Timestamp>) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            known.get(url).map(|breaker| (breaker.state(&self.policy, now), breaker.rests_until));
        found.unwrap_or((BreakerState::Closed, None))
    }
}

/// A document that goes as a probe. Where it ends without saying anything of the address, for want
/// of a place or by a fault, another one is sent: nobody waits for it any longer.
#[derive(Debug)]
pub struct HeldProbe<'b> {
    breakers: &'b Breakers,
    url: String,
}

impl<'b> HeldProbe<'b> {
    /// The document that was admitted as the probe of an address.
    pub fn of(breakers: &'b Breakers, url: &str) -> HeldProbe<'b> {
        HeldProbe { breakers, url: url.to_owned() }
    }
}

impl Drop for HeldProbe<'_> {
    fn drop(&mut self) {
        self.breakers.release(&self.url);
    }
}

/// What the end of an attempt says about the address; nothing where it never came so far.
fn sign(code: Option<&str>) -> Option<Sign> {
    match code {
        None => Some(Sign::Alive),
        Some(code) if CauseRow::of(code).is_some_and(|row| row.is_outage) => Some(Sign::Down),
        Some("AP-REFUSED" | "AP-ERROR" | "NOT-SERVICED" | "https-refused" | "sftp-refused") => {
            Some(Sign::Alive)
        }
        Some(_) => None,
    }
}
