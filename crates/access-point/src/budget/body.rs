//! How much of a body is read, and for how long.

use std::time::Duration;

/// How much is read, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct BodyLimits {
    /// Largest body in bytes.
    pub bytes: u64,
    /// Time for the whole body.
    pub time: Duration,
}

impl From<&crate::config::LimitsSection> for BodyLimits {
    fn from(limits: &crate::config::LimitsSection) -> BodyLimits {
        BodyLimits {
            bytes: limits.request_bytes,
            time: Duration::from_secs(limits.body_timeout_seconds),
        }
    }
}
