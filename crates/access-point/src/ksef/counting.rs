//! Calls counted by the published table, so that the system never has to refuse one for it.
//!
//! A call that counts for an hour is on record before it is made: a service that was restarted, or
//! killed, counts on from there. The system counts a call when it gets it, which is somewhen
//! until its answer: so it counts here from its answer on, and after a restart from when it was
//! given up.

use std::sync::PoisonError;

use jiff::{SignedDuration, Timestamp};
use quoin_ksef::limits::{CallGroup, CallWindow, limit_of};
use quoin_ksef::steps::Trouble;

use super::KsefClient;

/// A call that is counted.
#[derive(Debug, Clone)]
pub(super) struct CountedCall {
    key: (String, CallGroup),
    at: Timestamp,
}

impl KsefClient {
    /// Counts a call of somebody, where it is within the limit.
    ///
    /// # Errors
    /// [`Trouble::Limited`] with the seconds to wait; [`Trouble::NoAnswer`] where it cannot be
    /// recorded, and so must not be made.
    pub(super) async fn counted(
        &self,
        who: &str,
        group: CallGroup,
    ) -> Result<CountedCall, Trouble> {
        let (now, limit) = (self.0.clock.now(), limit_of(group));
        let key = self.window_of(who, group, now).await?;
        let taken = self.windows().entry(key.clone()).or_default().take(limit, now);
        taken.map_err(|seconds| Trouble::Limited(Some(seconds)))?;
        if limit.hour > 0 {
            self.0.store.count_call(who, group.word(), now).await.map_err(unrecorded)?;
        }
        Ok(CountedCall { key, at: now })
    }

    /// Whether so many calls of each of these groups are within the limits of a minute and of an
    /// hour, on top of what somebody made before. Not where that is not known.
    pub(crate) async fn has_room(&self, who: &str, calls: &[(CallGroup, usize)]) -> bool {
        let now = self.0.clock.now();
        for (group, count) in calls {
            let Ok(key) = self.window_of(who, *group, now).await else { return false };
            let room = self.windows().entry(key).or_default().room(limit_of(*group), now);
            if u32::try_from(*count).map_or(true, |count| room < count) {
                return false;
            }
        }
        true
    }

    /// The key of a window, which is there with what was counted before a restart.
    async fn window_of(
        &self,
        who: &str,
        group: CallGroup,
        now: Timestamp,
    ) -> Result<(String, CallGroup), Trouble> {
        let key = (who.to_owned(), group);
        let is_known = self.windows().contains_key(&key);
        if limit_of(group).hour > 0 && !is_known {
            let before = self.0.store.calls_counted(who, group.word(), now).await;
            let longest = SignedDuration::try_from(self.0.settings.timeout);
            let longest = longest.unwrap_or(SignedDuration::ZERO);
            let given_up = |at: Timestamp| at.saturating_add(longest).unwrap_or(at);
            let before = before.map_err(unrecorded)?.into_iter().map(given_up).collect();
            // Somebody else may have asked meanwhile: what is there has counted more.
            self.windows().entry(key.clone()).or_insert_with(|| CallWindow::of(before));
        }
        Ok(key)
    }

    /// A call that was counted was answered, or given up.
    pub(super) fn answered(&self, call: &CountedCall) {
        let now = self.0.clock.now();
        self.windows().entry(call.key.clone()).or_default().answered(call.at, now);
    }

    fn windows(
        &self,
    ) -> std::sync::MutexGuard<'_, std::collections::HashMap<(String, CallGroup), CallWindow>> {
        self.0.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unrecorded(error: quoin_store::Error) -> Trouble {
    tracing::error!(%error, "a call of KSeF could not be counted");
    Trouble::NoAnswer
}

#[cfg(test)]
mod tests {
    use quoin_ksef::limits::LIMITS;
    use quoin_store::{OpenOptions, Store, StoreKey};

    use super::*;
    use crate::clock::Clock;
    use crate::config::KsefSection;
    use crate::ksef::KsefSettings;

    /// A service that begins with what the store has.
    fn begun(store: &Store, clock: &Clock) -> KsefClient {
        let section = KsefSection {
            url: Some("http://127.0.0.1:1/v2".to_owned()),
            codes_url: Some("http://127.0.0.1:1/qr".to_owned()),
            ..KsefSection::default()
        };
        let settings = KsefSettings::of(&section).unwrap();
        let around = (clock.clone(), store.clone());
        KsefClient::new(settings, Vec::new(), Vec::new(), around).unwrap()
    }

    /// A service that is restarted after every call makes no more of them in an hour than one that
    /// runs on; groups and callers are counted apart.
    #[tokio::test]
    async fn a_restart_does_not_begin_to_count_anew() {
        let folder = std::env::temp_dir().join(format!("quoin-counting-{}", std::process::id()));
        let store = Store::open(OpenOptions::new(&folder, StoreKey([7; 32]))).await.unwrap();
        let clock = Clock::default();
        for (group, limit) in LIMITS.iter().filter(|(_, limit)| (1..=64).contains(&limit.hour)) {
            for number in 0..limit.hour {
                let client = begun(&store, &clock);
                let who = "5265877635";
                assert!(client.counted(who, *group).await.is_ok(), "{group:?} {number}");
                clock.advance(SignedDuration::from_secs(20));
            }
            let client = begun(&store, &clock);
            let next = client.counted("5265877635", *group).await;
            // As long as a call may take, the system may have counted it later.
            let waits = 3_600 + 60 - u64::from(limit.hour) * 20;
            let Err(Trouble::Limited(Some(seconds))) = next else { panic!("{group:?} {next:?}") };
            // The clock goes on by itself, too.
            assert!(waits.saturating_sub(30) <= seconds && seconds <= waits, "{group:?} {seconds}");
            assert!(client.counted("1111111111", *group).await.is_ok());
            clock.advance(SignedDuration::from_secs(i64::try_from(seconds).unwrap()));
            assert!(client.counted("5265877635", *group).await.is_ok());
        }
        drop(store);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
