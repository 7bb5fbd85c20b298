//! What follows when a step fails on our own side: a file that is missing, a row that cannot be
//! read, a panic. It is tried again a few times and then held, so that it neither goes on for ever
//! nor is taken for a verdict on the document. What fails for everything alike, such as a full
//! disk, is tried again until it passes.

use jiff::{SignedDuration, Timestamp};

/// What a fault is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// This step: others go on.
    Step,
    /// Everything alike: the disk, the database, threads.
    Service,
}

/// What follows a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It is tried again at this time.
    Again(Timestamp),
    /// It is held until somebody has seen to it.
    Hold,
}

/// Decides what follows the fault after `earlier` ones in a row.
pub fn after(reach: Reach, earlier: u32, waits: &[SignedDuration], now: Timestamp) -> After {
    let index = usize::try_from(earlier).unwrap_or(usize::MAX);
    let wait = match (waits.get(index), reach) {
        (Some(wait), _) => *wait,
        (None, Reach::Step) => return After::Hold,
        (None, Reach::Service) => waits.last().copied().unwrap_or(SignedDuration::from_secs(60)),
    };
    After::Again(now.saturating_add(wait).unwrap_or(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_9_a_step_is_held_after_a_few_tries_and_the_service_never() {
        let now = Timestamp::from_second(1_795_000_000).unwrap();
        let waits = [1, 2].map(SignedDuration::from_secs);
        let again = |seconds| After::Again(now + SignedDuration::from_secs(seconds));
        let all = |reach| [0, 1, 2, 9].map(|earlier| after(reach, earlier, &waits, now));
        assert_eq!(all(Reach::Step), [again(1), again(2), After::Hold, After::Hold]);
        assert_eq!(all(Reach::Service), [again(1), again(2), again(2), again(2)]);
        assert_eq!(after(Reach::Step, 0, &[], now), After::Hold);
        assert_eq!(after(Reach::Service, 0, &[], now), again(60));
    }
}
