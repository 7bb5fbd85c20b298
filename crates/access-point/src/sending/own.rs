//! Our own identity at the time of an attempt.

use std::sync::Arc;

use jiff::Timestamp;
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::Certificate;

use crate::identity::Rollover;
use crate::trust::CertificateStanding;

/// Who signs, with its certificates read once and not for each message.
#[derive(Clone)]
pub(super) struct SigningIdentity {
    own: Rollover<Arc<OwnIdentity>>,
    certificates: Arc<[Certificate]>,
}

impl SigningIdentity {
    pub(super) fn of(own: Rollover<Arc<OwnIdentity>>) -> SigningIdentity {
        let read = |own: &Arc<OwnIdentity>| Certificate::from_der(&own.certificate).ok();
        let certificates = own.all().filter_map(read).collect();
        SigningIdentity { own, certificates }
    }

    /// Who signs at a time, where others will take what is signed. Where they would not, nothing is
    /// sent: they would refuse the document for good.
    ///
    /// # Errors
    /// What is wrong with the certificate, and who can put it right.
    pub(super) fn at(&self, now: Timestamp) -> Result<&Arc<OwnIdentity>, String> {
        let own = self.own.at(now);
        let found = self.certificates.iter().find(|read| read.der() == own.certificate);
        let problem = match found {
            Some(read) => CertificateStanding::of(read, now).problem(read),
            None => Some("cannot be read".to_owned()),
        };
        problem.map_or(Ok(own), |problem| {
            Err(format!(
                "the certificate of this access point {problem}; whoever runs the service has to \
                 put a valid one in its place"
            ))
        })
    }
}
