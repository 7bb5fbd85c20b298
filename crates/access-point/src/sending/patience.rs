//! How long an access point may take to answer.

use std::time::Duration;

/// How long an access point may take to answer at most, whatever the size.
pub(super) const LONGEST_PATIENCE: Duration = Duration::from_secs(900);

/// How long an access point may take to answer (checklist C-12: it ends the attempt).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the smallest message.
    pub least: Duration,
    /// For each megabyte more.
    pub per_megabyte: Duration,
}

impl Patience {
    /// For a message of so many bytes.
    pub fn of(self, bytes: usize) -> Duration {
        let megabytes = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        let more = self.per_megabyte.checked_mul(megabytes).unwrap_or(LONGEST_PATIENCE);
        self.least.saturating_add(more).min(LONGEST_PATIENCE.max(self.least))
    }
}
