//! What is known about revocation at one moment, and what a deployment does when nothing is.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::{Certificate, Crl, OcspAnswer};

/// How far an authority's clock may be ahead of ours.
pub(super) const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// The longest that a word which is out of date is remembered, for a grace.
pub const MEMORY: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What happens when it is not known whether a certificate is revoked. One that is known to be
/// revoked is refused under each policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RevocationPolicy {
    /// It is not believed: an authority that is silenced would otherwise silence its revocations.
    #[default]
    HardFail,
    /// The last word counts for so much longer than it was meant to; after that, and where there
    /// never was one, as [`RevocationPolicy::HardFail`]. At most [`MEMORY`].
    Grace(SignedDuration),
    /// It is believed.
    SoftFail,
}

/// Whether a certificate is revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevocationStatus {
    /// Its authority says it is not.
    Good,
    /// Its authority took it back.
    Revoked {
        /// Since when.
        at: Timestamp,
        /// The reason code.
        reason: String,
    },
    /// Its authority said that it is not, in a word that is out of date.
    Stale {
        /// Until when that word counted.
        until: Timestamp,
    },
    /// Nothing says so or otherwise.
    Unknown {
        /// What is missing.
        why: String,
    },
}

/// A snapshot of verified CRLs and OCSP answers; cheap to clone.
///
/// The server fetches, verifies ([`Crl::verify`], [`OcspAnswer::verify`]), adds, and hands a
/// snapshot to every check. Nothing in here is refetched or aged out by itself.
#[derive(Debug, Clone, Default)]
pub struct Revocations {
    crls: Vec<Arc<Crl>>,
    answers: HashMap<([u8; 32], Vec<u8>), Arc<OcspAnswer>>,
}

impl Revocations {
    /// A snapshot that knows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a list. Lists of the same issuer live side by side, because an issuer may split its
    /// list; the newest that covers a certificate is asked. One that is known already, as an
    /// authority gives it whose publication is stuck, is not kept again; [`Revocations::retain`]
    /// drops old ones.
    pub fn add_crl(&mut self, crl: Crl) {
        if !self.crls.iter().any(|known| known.is_same(&crl)) {
            self.crls.push(Arc::new(crl));
        }
    }

    /// Adds an answer, in place of an older one about the same certificate. One that is older than
    /// what is known, as a node that lags behind gives it, takes nothing back.
    pub fn add_ocsp(&mut self, answer: OcspAnswer) {
        let is_revoked =
            |one: &OcspAnswer| matches!(one.status(), RevocationStatus::Revoked { .. });
        let order = |one: &OcspAnswer| (one.this_update(), is_revoked(one));
        match self.answers.get(&answer.key()) {
            Some(known) if order(known) > order(&answer) => {}
            _ => drop(self.answers.insert(answer.key(), Arc::new(answer))),
        }
    }

    /// Drops what was out of date for longer than [`MEMORY`] at `now`, lists that a newer one of
    /// the same issuer replaces, and answers of a clock far ahead, which would go before each other
    /// one; that one is revoked counts whenever it was said.
    pub fn retain(&mut self, now: Timestamp) {
        let oldest = now.saturating_sub(MEMORY).unwrap_or(Timestamp::MIN);
        let latest = now.saturating_add(CLOCK_SKEW).unwrap_or(now);
        self.answers.retain(|_, answer| {
            let is_revoked = matches!(answer.status(), RevocationStatus::Revoked { .. });
            oldest <= answer.next_update() && (is_revoked || answer.this_update() <= latest)
        });
        let newest = self.crls.clone();
        self.crls.retain(|crl| {
            let replaced = newest.iter().any(|other| {
                other.issuer() == crl.issuer()
                    && other.this_update() > crl.this_update()
                    && other.is_like(crl)
            });
            !replaced && crl.next_update().is_none_or(|next| oldest <= next)
        });
    }

    /// Whether an OCSP answer about this certificate is known, current or not.
    pub fn has_answer(&self, certificate: &Certificate, issuer: &Certificate) -> bool {
        self.answers.contains_key(&(*issuer.fingerprint(), certificate.serial().to_owned()))
    }

    /// Whether `certificate`, issued by `issuer`, is revoked at `now`: by an OCSP answer or by a
    /// CRL, whatever the other one says. What is out of date still counts where it says that a
    /// certificate is revoked, because revocation is for good. That it is good is said by a current
    /// OCSP answer, or else by a current CRL.
    pub fn status(
        &self,
        certificate: &Certificate,
        issuer: &Certificate,
        now: Timestamp,
    ) -> RevocationStatus {
        let key = (*issuer.fingerprint(), certificate.serial().to_owned());
        let answer = self.answers.get(&key);
        let mut lists: Vec<&Arc<Crl>> = self
            .crls
            .iter()
            .filter(|crl| crl.issuer() == issuer.fingerprint() && crl.covers(certificate))
            .collect();
        lists.sort_by_key(|crl| std::cmp::Reverse(crl.this_update()));
        let mut why = match (answer.is_some(), lists.is_empty()) {
            (false, true) => "there is no OCSP answer and no CRL".to_owned(),
            (true, true) => "the OCSP answer is out of date and there is no CRL".to_owned(),
            _ => "the CRL is out of date".to_owned(),
        };
        let mut stale: Option<Timestamp> = None;
        let said = answer
            .map(|a| (a.status().clone(), a.this_update(), Some(a.next_update())))
            .into_iter()
            .chain(lists.iter().map(|c| (c.status(certificate), c.this_update(), c.next_update())));
        let said: Vec<_> = said.collect();
        if let Some((revoked, ..)) =
            said.iter().find(|it| matches!(it.0, RevocationStatus::Revoked { .. }))
        {
            return revoked.clone();
        }
        for (status, this_update, next_update) in said {
            let started = this_update <= now.saturating_add(CLOCK_SKEW).unwrap_or(now);
            let current = started && next_update.is_none_or(|next| now <= next);
            match status {
                RevocationStatus::Good if current => return status,
                RevocationStatus::Good if started => stale = stale.max(next_update),
                RevocationStatus::Unknown { why: said } if current => why = said,
                _ => {}
            }
        }
        stale.map_or(RevocationStatus::Unknown { why }, |until| RevocationStatus::Stale { until })
    }
}
