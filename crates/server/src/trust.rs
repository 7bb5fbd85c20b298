//! Which certificates are believed right now: the pure checks of `peppol::pki` with what they need
//! from outside, CRLs and OCSP answers, fetched before they are needed and kept until they end.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_peppol::as4::{CertificateRefusal, Peer, Peers};
use quoin_peppol::pki::{
    Certificate, Chain, Crl, OcspAnswer, PkiRefusal, RevocationPolicy, Revocations, Role, Status,
    Trust, Trusted, ocsp_request,
};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};

use crate::clock::Clock;
use crate::net::{Call, HttpClient};

/// How long a verdict is used before revocation is looked at again.
const VERDICT_LIFE: SignedDuration = SignedDuration::from_secs(60);
/// How long a source that did not answer is left alone.
const SOURCE_PAUSE: Duration = Duration::from_secs(30);
/// Time for one CRL or OCSP answer.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest CRL that is read, in bytes.
const LARGEST_CRL: usize = 16 << 20;
/// The largest OCSP answer that is read, in bytes.
const LARGEST_OCSP_ANSWER: usize = 64 << 10;
/// Verdicts kept; the network has a few hundred access points.
const VERDICTS: usize = 4096;

/// How revocation is checked.
#[derive(Debug, Clone, Copy)]
pub struct RevocationSources {
    /// Whether revocation lists are read.
    pub crl: bool,
    /// Whether OCSP responders are asked, before revocation lists.
    pub ocsp: bool,
    /// Whether an unknown status passes as good.
    pub soft_fail: bool,
}

/// The certificates that are believed, with all that is known about their revocation.
pub struct TrustDesk {
    trust: Trust,
    sources: RevocationSources,
    http: HttpClient,
    clock: Clock,
    revocations: RwLock<Arc<Revocations>>,
    verdicts: RwLock<HashMap<([u8; 32], Role), Verdict>>,
    silent: RwLock<HashMap<String, Instant>>,
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Verdict {
    trusted: Arc<Trusted>,
    peer: Option<Arc<Peer>>,
    until: Timestamp,
}

impl TrustDesk {
    /// A desk for these authorities; `http` must be allowed to speak plain HTTP, as CRLs need.
    pub fn new(
        trust: Trust,
        sources: RevocationSources,
        http: HttpClient,
        clock: Clock,
    ) -> TrustDesk {
        TrustDesk {
            trust,
            sources,
            http,
            clock,
            revocations: RwLock::default(),
            verdicts: RwLock::default(),
            silent: RwLock::default(),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// The authorities.
    pub fn authorities(&self) -> &Trust {
        &self.trust
    }

    /// The clock by which certificates are judged.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The switch for an unknown revocation status.
    pub fn policy(&self) -> RevocationPolicy {
        RevocationPolicy { soft_fail: self.sources.soft_fail }
    }

    /// What is known about revocation at this moment.
    pub fn revocations(&self) -> Arc<Revocations> {
        self.revocations.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fetches what is missing to judge a certificate (DER). Whatever cannot be fetched is left to
    /// the judgement: a missing status is refused there, or passes where soft-fail is on.
    pub async fn prepare(&self, der: &[u8], role: Role) {
        let now = self.clock.now();
        if self.known(der, role, now).is_some() {
            return;
        }
        let Ok(certificate) = Certificate::from_der(der) else { return };
        let Ok(chain) = self.trust.chain(&certificate, role, now) else { return };
        if self.missing(&chain, now).is_empty() {
            return;
        }
        // One fetch at a time: those who wait find their answer already there.
        let _turn = self.fetching.lock().await;
        for (subject, issuer) in self.missing(&chain, now) {
            self.fetch(&subject, &issuer, now).await;
        }
    }

    fn missing(&self, chain: &Chain, now: Timestamp) -> Vec<(Certificate, Certificate)> {
        let revocations = self.revocations();
        chain
            .links()
            .into_iter()
            .filter(|(subject, issuer)| {
                matches!(revocations.status(subject, issuer, now), Status::Unknown { .. })
            })
            .map(|(subject, issuer)| (subject.clone(), issuer.clone()))
            .collect()
    }

    /// OCSP first, then the revocation list (network digest, section 3.5).
    async fn fetch(&self, subject: &Certificate, issuer: &Certificate, now: Timestamp) {
        if self.sources.ocsp {
            for url in subject.ocsp_urls() {
                if let Some(answer) = self.fetch_ocsp(url, subject, issuer, now).await {
                    self.learn(now, |revocations| revocations.add_ocsp(answer));
                    return;
                }
            }
        }
        if self.sources.crl {
            for url in subject.crl_urls() {
                if let Some(crl) = self.fetch_crl(url, issuer).await {
                    self.learn(now, |revocations| revocations.add_crl(crl));
                    return;
                }
            }
        }
    }

    async fn fetch_ocsp(
        &self,
        url: &str,
        subject: &Certificate,
        issuer: &Certificate,
        now: Timestamp,
    ) -> Option<OcspAnswer> {
        let body = ocsp_request(subject, issuer).ok()?;
        let kind = HeaderValue::from_static("application/ocsp-request");
        let call = Call {
            method: Method::POST,
            headers: vec![(CONTENT_TYPE, kind)],
            body: Some(Bytes::from(body)),
            ..Call::get(url, FETCH_TIMEOUT, LARGEST_OCSP_ANSWER)
        };
        let answer = self.call(call).await?;
        OcspAnswer::verify(&answer, subject, issuer, now)
            .inspect_err(|error| tracing::warn!(url, %error, "the OCSP answer is not usable"))
            .ok()
    }

    async fn fetch_crl(&self, url: &str, issuer: &Certificate) -> Option<Crl> {
        let list = self.call(Call::get(url, FETCH_TIMEOUT, LARGEST_CRL)).await?;
        Crl::verify(&list, issuer)
            .inspect_err(|error| tracing::warn!(url, %error, "the CRL is not usable"))
            .ok()
    }

    async fn call(&self, call: Call<'_>) -> Option<Bytes> {
        let url = call.url.to_owned();
        let silent = self.silent.read().unwrap_or_else(PoisonError::into_inner).get(&url).copied();
        if silent.is_some_and(|since| since.elapsed() < SOURCE_PAUSE) {
            return None;
        }
        let problem = match self.http.call(call).await {
            Ok(answer) if answer.status == 200 => return Some(answer.body),
            Ok(answer) => format!("status {}", answer.status),
            Err(error) => error.to_string(),
        };
        tracing::warn!(url, problem, "revocation data could not be fetched");
        self.silent.write().unwrap_or_else(PoisonError::into_inner).insert(url, Instant::now());
        None
    }

    fn learn(&self, now: Timestamp, add: impl FnOnce(&mut Revocations)) {
        let mut guard = self.revocations.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = Revocations::clone(&guard);
        add(&mut next);
        next.retain(now);
        *guard = Arc::new(next);
    }

    fn known(&self, der: &[u8], role: Role, now: Timestamp) -> Option<Verdict> {
        let key = (quoin_xml::keys::sha256(der), role);
        let verdicts = self.verdicts.read().unwrap_or_else(PoisonError::into_inner);
        verdicts.get(&key).filter(|verdict| now < verdict.until).cloned()
    }

    /// Judges a certificate (DER) with what is known now.
    ///
    /// # Errors
    /// [`PkiRefusal`] with the first thing that does not hold.
    pub fn judge(&self, der: &[u8], role: Role) -> Result<Arc<Trusted>, PkiRefusal> {
        Ok(self.verdict(der, role)?.trusted)
    }

    fn verdict(&self, der: &[u8], role: Role) -> Result<Verdict, PkiRefusal> {
        let now = self.clock.now();
        if let Some(verdict) = self.known(der, role, now) {
            return Ok(verdict);
        }
        let certificate = Certificate::from_der(der)?;
        let policy = self.policy();
        let trusted = self.trust.check(&certificate, role, now, &self.revocations(), policy)?;
        let peer = Peer::new(der.to_vec(), trusted.seat().to_string(), certificate.spki());
        let verdict = Verdict {
            trusted: Arc::new(trusted),
            peer: peer.ok().map(Arc::new),
            until: now.saturating_add(VERDICT_LIFE).unwrap_or(now),
        };
        let mut verdicts = self.verdicts.write().unwrap_or_else(PoisonError::into_inner);
        if verdicts.len() >= VERDICTS {
            verdicts.clear();
        }
        verdicts.insert((quoin_xml::keys::sha256(der), role), verdict.clone());
        Ok(verdict)
    }
}

impl Peers for TrustDesk {
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let refuse = |reason: String| CertificateRefusal { reason };
        let verdict = self
            .verdict(certificate, Role::AccessPoint)
            .map_err(|refusal| refuse(refusal.to_string()))?;
        verdict.peer.ok_or_else(|| refuse("its key is not RSA of 2048 to 8192 bits".to_owned()))
    }
}
