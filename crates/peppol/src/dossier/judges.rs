//! Certificates of a dossier, judged as at the time of their signatures, or of their check.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::names;
use crate::as4::{CertificateRefusal, Peer, Peers};
use crate::pki::{Certificate, CertificateRole, Generation, Stage, Trust};

/// Takes every certificate at its word: who signed is told apart from whether that is trusted.
pub(super) struct AnyPeer;

impl Peers for AnyPeer {
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let refuse = |reason: String| CertificateRefusal { reason };
        let read = Certificate::from_der(certificate).map_err(|error| refuse(error.to_string()))?;
        let name = read.subject().common_name().unwrap_or_default().to_owned();
        let peer = Peer::new(certificate.to_vec(), name, read.spki());
        peer.map(Arc::new).map_err(|error| refuse(error.to_string()))
    }
}

/// The authorities in a dossier whose root the verifier trusts.
pub(super) struct CertificateJudge {
    trusted: Vec<Generation>,
    untrusted: usize,
}

impl CertificateJudge {
    /// Reads the authorities of a dossier. A root counts where the verifier knows it.
    pub(super) fn of(
        parts: &BTreeMap<String, Vec<u8>>,
        is_known: impl Fn(&Certificate) -> bool,
    ) -> CertificateJudge {
        let mut judge = CertificateJudge { trusted: Vec::new(), untrusted: 0 };
        for folder in 1.. {
            let one = |file: &str| {
                let name = format!("{}{folder}/{file}", names::AUTHORITIES);
                certificate(parts.get(&name)?)
            };
            let Some(root) = one("root.pem") else { break };
            let (Some(access_point), Some(smp)) = (one("access-point.pem"), one("smp.pem")) else {
                continue;
            };
            let name = root.subject().common_name().unwrap_or("a root").to_owned();
            let known = is_known(&root);
            let generation = Generation { name, root, access_point, smp, from: None, until: None };
            match known {
                true => judge.trusted.push(generation),
                false => judge.untrusted += 1,
            }
        }
        judge
    }

    /// Whether a certificate was one of the network at a time; whether it was revoked cannot be
    /// told without asking.
    pub(super) fn judge(
        &self,
        certificate: &Certificate,
        role: CertificateRole,
        at: Timestamp,
    ) -> Result<String, String> {
        let subject = certificate.subject();
        if self.trusted.is_empty() {
            return Err(match self.untrusted {
                0 => format!("{subject}: the dossier holds no authorities"),
                _ => format!("{subject}: the root is not one that you trust; give it with --root"),
            });
        }
        let mut why = String::new();
        for stage in [Stage::Production, Stage::Test] {
            let trust = match Trust::new(stage, self.trusted.clone()) {
                Ok(trust) => trust,
                Err(error) => return Err(error.to_string()),
            };
            match trust.chain(certificate, role, at) {
                Ok(chain) => {
                    return Ok(format!("{subject}, under {}, valid at {at}", chain.generation));
                }
                Err(refusal) => why = refusal.to_string(),
            }
        }
        Err(format!("at {at}: {why}"))
    }
}

/// A certificate in a part, PEM.
pub(super) fn certificate(bytes: &[u8]) -> Option<Certificate> {
    Certificate::from_text(std::str::from_utf8(bytes).ok()?).ok()
}
