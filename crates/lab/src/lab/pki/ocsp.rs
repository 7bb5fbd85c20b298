//! The lab's OCSP responder (RFC 6960): signs with the CA itself, as pre-produced answers are.

use jiff::Timestamp;
use rcgen::SigningKey;
use x509_cert::der::asn1::{BitString, GeneralizedTime, Null, ObjectIdentifier, OctetString};
use x509_cert::der::{Any, Decode, Encode};
use x509_cert::ext::pkix::CrlReason;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_ocsp::{
    BasicOcspResponse, CertStatus, OcspGeneralizedTime, OcspRequest, OcspResponse, ResponderId,
    ResponseData, RevokedInfo, SingleResponse, Version,
};

use super::{Authority, PkiError, Revoked, STATUS_HOURS};

/// sha256WithRSAEncryption.
const SHA256_WITH_RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");

pub(super) fn answer(
    authority: &Authority,
    revoked: &[Revoked],
    request: &[u8],
    now: Timestamp,
) -> Result<Vec<u8>, PkiError> {
    let failed = |error: x509_cert::der::Error| PkiError::Ocsp(error.to_string());
    let Ok(request) = OcspRequest::from_der(request) else {
        return OcspResponse::malformed_request().to_der().map_err(failed);
    };
    let this_update = time(now)?;
    let next_update = time(now + jiff::SignedDuration::from_hours(STATUS_HOURS))?;
    let mut responses = Vec::new();
    for question in request.tbs_request.request_list {
        responses.push(SingleResponse {
            cert_status: status(revoked, question.req_cert.serial_number.as_bytes())?,
            cert_id: question.req_cert,
            this_update,
            next_update: Some(next_update),
            single_extensions: None,
        });
    }
    let tbs_response_data = ResponseData {
        version: Version::V1,
        responder_id: responder(authority)?,
        produced_at: this_update,
        responses,
        response_extensions: None,
    };
    let signed = tbs_response_data.to_der().map_err(failed)?;
    let signature = authority.issuer.key().sign(&signed)?;
    let parameters = Some(Any::from(Null));
    let basic = BasicOcspResponse {
        tbs_response_data,
        signature_algorithm: AlgorithmIdentifierOwned { oid: SHA256_WITH_RSA, parameters },
        signature: BitString::from_bytes(&signature).map_err(failed)?,
        certs: None,
    };
    OcspResponse::successful(basic).and_then(|response| response.to_der()).map_err(failed)
}

fn status(revoked: &[Revoked], serial: &[u8]) -> Result<CertStatus, PkiError> {
    let Some(found) = revoked.iter().find(|revoked| revoked.serial == serial) else {
        return Ok(CertStatus::good());
    };
    let revocation_reason = Some(CrlReason::KeyCompromise);
    Ok(CertStatus::revoked(RevokedInfo { revocation_time: time(found.at)?, revocation_reason }))
}

/// The responder by the SHA-1 of its public key, which says no more than which key to try.
fn responder(authority: &Authority) -> Result<ResponderId, PkiError> {
    let failed = |error: x509_cert::der::Error| PkiError::Ocsp(error.to_string());
    let certificate = x509_cert::Certificate::from_der(authority.der()).map_err(failed)?;
    let key = certificate.tbs_certificate.subject_public_key_info.subject_public_key;
    let algorithm = &aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY;
    let digest = aws_lc_rs::digest::digest(algorithm, key.raw_bytes());
    Ok(ResponderId::ByKey(OctetString::new(digest.as_ref()).map_err(failed)?))
}

fn time(at: Timestamp) -> Result<OcspGeneralizedTime, PkiError> {
    let seconds = u64::try_from(at.as_second()).unwrap_or(0);
    GeneralizedTime::from_unix_duration(std::time::Duration::from_secs(seconds))
        .map(OcspGeneralizedTime)
        .map_err(|error| PkiError::Ocsp(error.to_string()))
}
