//! Our own certificate at the time of an attempt.

use jiff::Timestamp;
use quoin_peppol::pki::Certificate;

use crate::trust::CertificateStanding;

/// Whether others will take what is signed with our certificate. Where they would not, nothing is
/// sent: they would refuse the document for good.
pub(super) fn usable(certificate: &[u8], now: Timestamp) -> Result<(), String> {
    let certificate = Certificate::from_der(certificate).map_err(|error| error.to_string())?;
    let problem = CertificateStanding::of(&certificate, now).problem(&certificate);
    problem.map_or(Ok(()), |problem| {
        Err(format!(
            "the certificate of this access point {problem}; whoever runs the service has to put a \
             valid one in its place"
        ))
    })
}
