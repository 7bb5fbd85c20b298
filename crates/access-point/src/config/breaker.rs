//! When the address of an access point is left alone.

use jiff::SignedDuration;
use quoin_delivery::BreakerPolicy;
use serde::{Deserialize, Serialize};

/// The circuit breaker of access points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BreakerSection {
    /// So many documents in a row must fail at an address; 0 leaves none alone.
    pub failures: usize,
    /// The first rest, in seconds; each probe that fails doubles it.
    pub rest_seconds: f64,
    /// The longest rest, in seconds.
    pub longest_rest_seconds: f64,
    /// A document that is older than so many hours is sent whatever happened to others.
    pub patience_hours: f64,
}

impl Default for BreakerSection {
    fn default() -> BreakerSection {
        BreakerSection {
            failures: 5,
            rest_seconds: 60.0,
            longest_rest_seconds: 1800.0,
            patience_hours: 24.0,
        }
    }
}

impl BreakerSection {
    /// The same as the room `delivery` takes it.
    pub fn policy(&self) -> BreakerPolicy {
        let time = |s: f64| SignedDuration::try_from_secs_f64(s).unwrap_or_default();
        BreakerPolicy {
            failures: self.failures,
            rest: time(self.rest_seconds),
            longest: time(self.longest_rest_seconds),
            patience: time(self.patience_hours * 3600.0),
        }
    }
}
