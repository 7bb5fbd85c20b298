//! The places where revocation is told: which there are, when each is asked next, and how asking
//! went. Values only; the desk asks.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_peppol::pki::Certificate;
use quoin_store::RevocationSource;

/// An OCSP answer is asked for again after this time at the latest (it is not
/// to be older than an hour).
const OCSP_REFRESH: SignedDuration = SignedDuration::from_mins(30);
/// The same of a revocation list.
const LIST_REFRESH: SignedDuration = SignedDuration::from_hours(6);
/// The shortest time between two good answers.
const SHORTEST: SignedDuration = SignedDuration::from_secs(30);
/// The first pause after a failure; each further failure doubles it.
const PAUSE: SignedDuration = SignedDuration::from_secs(30);
/// The longest pause after a failure.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(15);
/// For how long a source is kept fresh that no certificate was judged by.
const UNUSED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How exactly it is noted when a source was last used.
const USE_STEP: SignedDuration = SignedDuration::from_hours(1);
/// Sources kept; the network has a few hundred access points.
const SOURCES: usize = 20_000;

/// Address, and SHA-256 of the certificate that is asked about; none for a list.
pub(super) type SourceKey = (String, Option<[u8; 32]>);

/// All sources that are known.
#[derive(Debug, Default)]
pub(super) struct Sources(HashMap<SourceKey, RevocationSource>);

impl Sources {
    /// Takes a source over that was remembered. What failed is asked again at once.
    pub(super) fn remember(&mut self, source: RevocationSource) {
        self.0.insert((source.url.clone(), source.subject), source);
    }

    /// Notes that a certificate is judged by a source; answers it where it is new.
    pub(super) fn used(
        &mut self,
        url: &str,
        subject: Option<[u8; 32]>,
        certificate: &Certificate,
        now: Timestamp,
    ) -> Option<RevocationSource> {
        let key = (url.to_owned(), subject);
        if let Some(known) = self.0.get_mut(&key) {
            let stale = now.duration_since(known.used_on).abs() > USE_STEP;
            known.used_on = if stale { now } else { known.used_on };
            return None;
        }
        if self.0.len() >= SOURCES {
            return None;
        }
        let source = RevocationSource {
            url: url.to_owned(),
            subject,
            certificate: certificate.der().to_vec(),
            body: None,
            fetched_on: None,
            next_update: None,
            failures: 0,
            problem: None,
            next_on: now,
            used_on: now,
        };
        self.0.insert(key, source.clone());
        Some(source)
    }

    /// A source as it is.
    pub(super) fn get(&self, key: &SourceKey) -> Option<&RevocationSource> {
        self.0.get(key)
    }

    /// The sources that are due, the longest waiting first.
    pub(super) fn due(&self, now: Timestamp, limit: usize) -> Vec<SourceKey> {
        let mut due: Vec<&RevocationSource> =
            self.0.values().filter(|source| is_due(source.next_on, now, LIST_REFRESH)).collect();
        due.sort_by_key(|source| source.next_on);
        due.into_iter().take(limit).map(|one| (one.url.clone(), one.subject)).collect()
    }

    /// Takes out the sources that no certificate was judged by for long.
    pub(super) fn take_unused(&mut self, now: Timestamp) -> Vec<RevocationSource> {
        let (old, kept) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|(_, source)| now.duration_since(source.used_on) > UNUSED);
        self.0 = kept;
        let old: HashMap<SourceKey, RevocationSource> = old;
        old.into_values().collect()
    }

    /// Notes a good answer, with what it says and until when; none where what was said before is
    /// newer, which stays. Answers the source as it is to be remembered.
    pub(super) fn succeeded(
        &mut self,
        key: &SourceKey,
        newer: Option<(Vec<u8>, Option<Timestamp>)>,
        now: Timestamp,
    ) -> Option<RevocationSource> {
        let source = self.0.get_mut(key)?;
        if let Some((body, next_update)) = newer {
            source.body = Some(body);
            source.fetched_on = Some(now);
            source.next_update = next_update;
        }
        (source.failures, source.problem) = (0, None);
        let longest = if key.1.is_some() { OCSP_REFRESH } else { LIST_REFRESH };
        let left = source.next_update.map(|next| next.duration_since(now) / 2).unwrap_or(longest);
        source.next_on = later(now, left.clamp(SHORTEST, longest));
        Some(source.clone())
    }

    /// Notes a failure; answers the source as it is to be remembered.
    pub(super) fn failed(
        &mut self,
        key: &SourceKey,
        problem: String,
        now: Timestamp,
    ) -> Option<RevocationSource> {
        let source = self.0.get_mut(key)?;
        let doubled = PAUSE.saturating_mul(1_i32 << source.failures.min(10));
        source.failures = source.failures.saturating_add(1);
        source.problem = Some(problem);
        source.next_on = later(now, doubled.min(LONGEST_PAUSE));
        Some(source.clone())
    }

    /// Every source, by address.
    pub(super) fn all(&self) -> Vec<RevocationSource> {
        let mut all: Vec<RevocationSource> = self.0.values().cloned().collect();
        all.sort_by(|a, b| (&a.url, a.subject).cmp(&(&b.url, b.subject)));
        all
    }
}

fn later(now: Timestamp, wait: SignedDuration) -> Timestamp {
    now.saturating_add(wait).unwrap_or(Timestamp::MAX)
}
