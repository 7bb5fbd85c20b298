//! Keeping what is known about revocation fresh, in the background: sources are asked again before
//! their word ends, so that no door has to ask.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_peppol::pki::Certificate;

use super::{RevocationAnswer, TrustService};
use crate::tls::Shutdown;

/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_millis(500);
/// The pause where there may be more to ask.
const PAUSE: Duration = Duration::from_millis(10);
/// Sources asked at a time.
const AT_A_TIME: usize = 8;
/// How often sources are looked through that nobody uses.
const TIDY: SignedDuration = SignedDuration::from_hours(6);

impl TrustService {
    /// Takes over what was remembered, and learns the sources that our own certificates and the
    /// configured authorities name.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin(self: &Arc<Self>, own: &[Certificate]) -> Result<(), quoin_store::Error> {
        let now = self.clock.now();
        let remembered = match &self.store {
            Some(store) => store.revocation_sources().await?,
            None => Vec::new(),
        };
        for source in remembered {
            if let Some(word) = self.word_of(&source) {
                self.learn(word, now);
            }
            self.with_sources(|sources| sources.remember(source));
        }
        let generations = self.trust.generations().iter();
        let authorities = generations.flat_map(|g| [g.access_point.clone(), g.smp.clone()]);
        for certificate in own.iter().cloned().chain(authorities) {
            self.name_sources(&certificate, now);
        }
        Ok(())
    }

    /// What a source said when it was asked last. It is verified as at that time, since a responder
    /// may have got another certificate since.
    fn word_of(&self, source: &quoin_store::RevocationSource) -> Option<RevocationAnswer> {
        let certificate = Certificate::from_der(&source.certificate).ok()?;
        let issuer = self.trust.issuer_of(&certificate)?;
        let (body, at) = (source.body.as_ref()?, source.fetched_on?);
        let word = RevocationAnswer::read(body, source.subject.is_some(), &certificate, issuer, at);
        word.inspect_err(|error| {
            tracing::warn!(url = source.url, %error, "what was remembered is not usable");
        })
        .ok()
    }

    /// Asks what is due, again and again, until the service ends.
    pub async fn refresh(self: Arc<Self>, shutdown: Shutdown) {
        let mut tidy = Timestamp::MIN;
        while !shutdown.asked() {
            let now = self.clock.now();
            let due = self.with_sources(|sources| sources.due(now, AT_A_TIME));
            let idle = due.is_empty();
            tokio::select! {
                _ = join_all(due.iter().map(|key| self.fetch(key))) => {}
                () = shutdown.wait() => return,
            }
            let believed = self.watch.as_ref().is_none_or(|watch| watch.believed().is_some());
            if believed && is_due(tidy, now, TIDY) {
                self.forget_unused(now).await;
                tidy = now.saturating_add(TIDY).unwrap_or(Timestamp::MAX);
            }
            // Between two looks there is always a pause: what came to nothing at once, as at the
            // end of a process, must not be tried without letting anybody else go on.
            tokio::select! {
                () = tokio::time::sleep(if idle { TICK } else { PAUSE }) => {}
                () = shutdown.wait() => {}
            }
        }
    }

    async fn forget_unused(&self, now: Timestamp) {
        let Some(store) = &self.store else { return };
        for source in self.with_sources(|sources| sources.take_unused(now)) {
            let url = source.url.clone();
            if let Err(error) = store.remove_revocation_source(source).await {
                tracing::error!(url, %error, "a revocation source could not be forgotten");
            }
        }
    }
}
