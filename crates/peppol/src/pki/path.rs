//! The path from a certificate to its root: signatures, constraints and key usages.

use std::time::Duration;

use jiff::Timestamp;
use rustls_pki_types::{CertificateDer, SignatureVerificationAlgorithm, TrustAnchor, UnixTime};
use webpki::aws_lc_rs::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512,
};
use webpki::{EndEntityCert, Error, KeyUsage, anchor_from_trusted_cert};

use super::{Certificate, CertificateError, PkiRefusal};

const SIGNATURES: &[&dyn SignatureVerificationAlgorithm] =
    &[RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512];

/// An authority as the end of a path.
pub(super) fn anchor(root: &Certificate) -> Result<TrustAnchor<'static>, CertificateError> {
    let der = CertificateDer::from(root.der());
    match anchor_from_trusted_cert(&der) {
        Ok(anchor) => Ok(anchor.to_owned()),
        Err(error) => Err(CertificateError { why: error.to_string() }),
    }
}

/// Verifies the signatures, constraints and key usages of leaf, intermediate and root. Only this
/// one intermediate is offered, so a path through any other authority does not exist.
pub(super) fn verify_path(
    leaf: &Certificate,
    intermediate: &Certificate,
    root: &Certificate,
    now: Timestamp,
) -> Result<(), PkiRefusal> {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let time = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let anchors = [anchor(root)?];
    let intermediates = [CertificateDer::from(intermediate.der())];
    let der = CertificateDer::from(leaf.der());
    let subject = || leaf.subject().to_string();
    let refuse = |error: Error| match error {
        Error::InvalidSignatureForPublicKey | Error::UnknownIssuer => {
            PkiRefusal::BadSignature { subject: subject(), issuer: leaf.issuer().to_string() }
        }
        Error::RequiredEkuNotFoundContext(_) => PkiRefusal::WrongShape {
            subject: subject(),
            why: "its extended key usage is not clientAuth".to_owned(),
        },
        other => PkiRefusal::WrongShape { subject: subject(), why: other.to_string() },
    };
    let path = EndEntityCert::try_from(&der).and_then(|end_entity| {
        end_entity
            .verify_for_usage(
                SIGNATURES,
                &anchors,
                &intermediates,
                time,
                KeyUsage::client_auth(),
                None,
                None,
            )
            .map(|_| ())
    });
    path.map_err(refuse)
}
