//! Which certificates are believed right now: the pure checks of `peppol::pki` with what they need
//! from outside, CRLs and OCSP answers. These are fetched in the background, kept in the store, and
//! asked again before they end, so that a judgement needs no network; only of a certificate that
//! was never seen is the status waited for, and not for long.

pub mod expiry;
mod fetching;
mod refresh;
mod sources;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::still_counts;
use quoin_peppol::as4::{CertificateRefusal, Peer, Peers};
use quoin_peppol::pki::{
    Certificate, CertificateRole, Chain, Crl, OcspAnswer, PkiRefusal, RevocationPolicy,
    Revocations, Trust, Trusted,
};
use quoin_store::{RevocationSource, Store};

use crate::clock::{Clock, ClockWatch};
use crate::config;
use crate::net::HttpClient;

pub use expiry::{CertificateStanding, CertificateUse, Expiring, OwnCertificate, warn_of_expiry};
use fetching::{Underway, is_known};
use sources::{SourceKey, Sources};

/// How long a verdict is used before revocation is looked at again.
const VERDICT_LIFE: SignedDuration = SignedDuration::from_secs(60);
/// Verdicts kept; the network has a few hundred access points.
const VERDICTS: usize = 4096;

/// How revocation is checked.
#[derive(Debug, Clone, Copy)]
pub struct RevocationSettings {
    /// Whether revocation lists are read.
    pub crl: bool,
    /// Whether OCSP responders are asked, before revocation lists.
    pub ocsp: bool,
    /// What happens when nobody says whether a certificate is revoked.
    pub policy: RevocationPolicy,
    /// How long the status of a certificate that was never seen is waited for.
    pub first_contact: Duration,
}

impl RevocationSettings {
    /// The settings of a configuration.
    pub fn of(section: &config::TrustSection) -> RevocationSettings {
        RevocationSettings {
            crl: section.crl,
            ocsp: section.ocsp,
            policy: section.policy(),
            first_contact: Duration::from_millis(section.first_contact_ms),
        }
    }
}

/// The certificates that are believed, with all that is known about their revocation.
pub struct TrustService {
    trust: Trust,
    settings: RevocationSettings,
    http: HttpClient,
    store: Option<Store>,
    clock: Clock,
    watch: Option<ClockWatch>,
    revocations: RwLock<Arc<Revocations>>,
    verdicts: RwLock<HashMap<([u8; 32], CertificateRole), CachedTrust>>,
    sources: Mutex<Sources>,
    underway: Mutex<HashMap<SourceKey, Underway>>,
    silent: RwLock<HashMap<String, Instant>>,
}

#[derive(Clone)]
struct CachedTrust {
    trusted: Arc<Trusted>,
    peer: Option<Arc<Peer>>,
    until: Timestamp,
}

/// What a source said, verified.
enum RevocationAnswer {
    Answer(OcspAnswer),
    List(Crl),
}

impl TrustService {
    /// A desk for these authorities; `http` must be allowed to speak plain HTTP, as CRLs need.
    pub fn new(
        trust: Trust,
        settings: RevocationSettings,
        http: HttpClient,
        clock: Clock,
    ) -> TrustService {
        TrustService {
            trust,
            settings,
            http,
            store: None,
            clock,
            watch: None,
            revocations: RwLock::default(),
            verdicts: RwLock::default(),
            sources: Mutex::default(),
            underway: Mutex::default(),
            silent: RwLock::default(),
        }
    }

    /// The same desk with a memory, so that it knows after a restart what it knew before.
    #[must_use]
    pub fn remembering(self, store: Store) -> TrustService {
        TrustService { store: Some(store), ..self }
    }

    /// The same desk that forgets nothing while the clock is not believed.
    #[must_use]
    pub fn watching(self, watch: ClockWatch) -> TrustService {
        TrustService { watch: Some(watch), ..self }
    }

    /// The authorities.
    pub fn authorities(&self) -> &Trust {
        &self.trust
    }

    /// The clock by which certificates are judged.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What happens when nobody says whether a certificate is revoked.
    pub fn policy(&self) -> RevocationPolicy {
        self.settings.policy
    }

    /// What is known about revocation at this moment.
    pub fn revocations(&self) -> Arc<Revocations> {
        self.revocations.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every place where revocation is told, and how asking it went.
    pub fn sources(&self) -> Vec<RevocationSource> {
        self.with_sources(|sources| sources.all())
    }

    /// Sees that what is needed to judge a certificate (DER) is there, or on its way. The network
    /// is only waited for where nothing is known yet, or what is known ended; whatever does not
    /// come in time is left to the judgement.
    pub async fn prepare(self: &Arc<Self>, der: &[u8], role: CertificateRole) {
        let now = self.clock.now();
        if self.known(der, role, now).is_some() {
            return;
        }
        let Ok(certificate) = Certificate::from_der(der) else { return };
        let Ok(chain) = self.trust.chain(&certificate, role, now) else { return };
        let deadline = tokio::time::Instant::now() + self.settings.first_contact;
        for (subject, issuer) in chain.links() {
            let (answers, lists) = self.name_sources(subject, now);
            let unasked = !self.revocations().has_answer(subject, issuer);
            let known = |revocations: &Revocations| is_known(revocations, (subject, issuer), now);
            // At first contact a responder knows better than a list that was fetched before.
            let asked = |revocations: &Revocations| {
                known(revocations) && (!unasked || revocations.has_answer(subject, issuer))
            };
            self.wait_for(answers, asked, deadline).await;
            self.wait_for(lists, known, deadline).await;
        }
    }

    /// Notes the places that a certificate names: responders, and lists.
    fn name_sources(
        &self,
        subject: &Certificate,
        now: Timestamp,
    ) -> (Vec<SourceKey>, Vec<SourceKey>) {
        let (ocsp, crl) = (self.settings.ocsp, self.settings.crl);
        let print = Some(*subject.fingerprint());
        let answers = subject.ocsp_urls().iter().filter(|_| ocsp).map(|url| (url.clone(), print));
        let lists = subject.crl_urls().iter().filter(|_| crl).map(|url| (url.clone(), None));
        let (answers, lists): (Vec<SourceKey>, Vec<SourceKey>) =
            (answers.collect(), lists.collect());
        self.with_sources(|sources| {
            for (url, print) in answers.iter().chain(&lists) {
                if sources.used(url, *print, subject, now).is_some() {
                    tracing::debug!(url, "a revocation source is new");
                }
            }
        });
        (answers, lists)
    }

    fn with_sources<T>(&self, work: impl FnOnce(&mut Sources) -> T) -> T {
        work(&mut self.sources.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn remember(&self, source: RevocationSource) {
        let (url, Some(store)) = (source.url.clone(), &self.store) else { return };
        if let Err(error) = store.put_revocation_source(source).await {
            tracing::error!(url, %error, "revocation data could not be remembered");
        }
    }

    /// Takes a word in. Verdicts are given anew, since it may say that somebody is revoked.
    fn learn(&self, word: RevocationAnswer, now: Timestamp) {
        let mut guard = self.revocations.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = Revocations::clone(&guard);
        match word {
            RevocationAnswer::Answer(answer) => next.add_ocsp(answer),
            RevocationAnswer::List(list) => next.add_crl(list),
        }
        next.retain(now);
        *guard = Arc::new(next);
        drop(guard);
        self.verdicts.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn known(&self, der: &[u8], role: CertificateRole, now: Timestamp) -> Option<CachedTrust> {
        let key = (quoin_xmldsig::keys::sha256(der), role);
        let verdicts = self.verdicts.read().unwrap_or_else(PoisonError::into_inner);
        let counts = |verdict: &&CachedTrust| still_counts(verdict.until, now, VERDICT_LIFE);
        verdicts.get(&key).filter(counts).cloned()
    }

    /// Whether a certificate (DER) was judged just now, and held.
    pub fn has_verdict(&self, der: &[u8], role: CertificateRole) -> bool {
        self.known(der, role, self.clock.now()).is_some()
    }

    /// Judges a certificate (DER) with what is known now.
    ///
    /// # Errors
    /// [`PkiRefusal`] with the first thing that does not hold.
    pub fn judge(&self, der: &[u8], role: CertificateRole) -> Result<Arc<Trusted>, PkiRefusal> {
        Ok(self.verdict(der, role)?.trusted)
    }

    fn verdict(&self, der: &[u8], role: CertificateRole) -> Result<CachedTrust, PkiRefusal> {
        let now = self.clock.now();
        if let Some(verdict) = self.known(der, role, now) {
            return Ok(verdict);
        }
        let certificate = Certificate::from_der(der)?;
        let chain: Chain = self.trust.chain(&certificate, role, now)?;
        let judged_by = self.revocations();
        let trusted = chain.check(now, &judged_by, self.policy())?;
        if let Some(unconfirmed) = trusted.unconfirmed() {
            let policy = self.policy();
            tracing::warn!(
                unconfirmed,
                ?policy,
                "a certificate is believed without a current word"
            );
        }
        let peer = Peer::new(der.to_vec(), trusted.seat().to_string(), certificate.spki());
        let verdict = CachedTrust {
            until: now.saturating_add(VERDICT_LIFE).unwrap_or(now).min(trusted.valid_until()),
            trusted: Arc::new(trusted),
            peer: peer.ok().map(Arc::new),
        };
        self.keep((quoin_xmldsig::keys::sha256(der), role), &verdict, &judged_by);
        Ok(verdict)
    }

    /// Keeps a verdict, unless something was learned since it was given: then it is given anew.
    fn keep(
        &self,
        of: ([u8; 32], CertificateRole),
        verdict: &CachedTrust,
        judged_by: &Arc<Revocations>,
    ) {
        let mut verdicts = self.verdicts.write().unwrap_or_else(PoisonError::into_inner);
        // What is learned from here on clears them once more.
        if !Arc::ptr_eq(&self.revocations(), judged_by) {
            return;
        }
        if verdicts.len() >= VERDICTS {
            verdicts.clear();
        }
        verdicts.insert(of, verdict.clone());
    }
}

impl Peers for TrustService {
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let refuse = |reason: String| CertificateRefusal { reason };
        let verdict = self
            .verdict(certificate, CertificateRole::AccessPoint)
            .map_err(|refusal| refuse(refusal.to_string()))?;
        verdict.peer.ok_or_else(|| refuse("its key is not RSA of 2048 to 8192 bits".to_owned()))
    }
}
