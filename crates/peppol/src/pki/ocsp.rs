//! Online certificate status (RFC 6960): the request to send, and the answer verified once when it
//! arrives. No nonce is used, because the responders of the Peppol authorities answer from stock.

use aws_lc_rs::digest::{Algorithm, SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use jiff::{SignedDuration, Timestamp};
use x509_cert::der::asn1::{Null, ObjectIdentifier, OctetString};
use x509_cert::der::{Any, Decode, Encode};
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_ocsp::{
    BasicOcspResponse, CertId, CertStatus, OcspGeneralizedTime, OcspRequest, OcspResponse,
    OcspResponseStatus, Request, ResponderId, SingleResponse, TbsRequest, Version,
};

use super::signed::Signed;
use super::{Certificate, CertificateError, RevocationDataError, RevocationStatus};

/// How long an answer counts that does not say when the next one comes.
pub(super) const OCSP_DEFAULT_LIFE: SignedDuration = SignedDuration::from_hours(1);
/// Largest answer that is read, in bytes. Real ones have under 5,000.
pub(super) const OCSP_LIMIT: usize = 64 << 10;

const SHA_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");
const SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const OCSP_SIGNING: &str = "1.3.6.1.5.5.7.3.9";
const WHAT: &str = "OCSP answer";

/// An answer about one certificate, whose signature was verified.
#[derive(Debug, Clone)]
pub struct OcspAnswer {
    issuer: [u8; 32],
    serial: Vec<u8>,
    status: RevocationStatus,
    this_update: Timestamp,
    next_update: Timestamp,
}

/// The DER of a request for the status of `certificate`, to be sent by POST with content type
/// `application/ocsp-request`.
///
/// The certificate is named by SHA-1 hashes, the one form that every responder knows (RFC 5019);
/// nothing depends on their strength.
///
/// # Errors
/// [`CertificateError`] for a serial number that cannot be encoded, which no valid one is.
pub fn ocsp_request(
    certificate: &Certificate,
    issuer: &Certificate,
) -> Result<Vec<u8>, CertificateError> {
    let refuse = |e: x509_cert::der::Error| CertificateError { why: e.to_string() };
    let hash = |bytes| digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref().to_owned();
    let null = Any::from(x509_cert::der::AnyRef::from(Null));
    let req_cert = CertId {
        hash_algorithm: AlgorithmIdentifierOwned { oid: SHA_1, parameters: Some(null) },
        issuer_name_hash: OctetString::new(hash(certificate.issuer_der())).map_err(refuse)?,
        issuer_key_hash: OctetString::new(hash(issuer.public_key())).map_err(refuse)?,
        serial_number: SerialNumber::new(certificate.serial()).map_err(refuse)?,
    };
    let request = Request { req_cert, single_request_extensions: None };
    let tbs_request = TbsRequest {
        version: Version::V1,
        requestor_name: None,
        request_list: vec![request],
        request_extensions: None,
    };
    OcspRequest { tbs_request, optional_signature: None }.to_der().map_err(refuse)
}

impl OcspAnswer {
    /// Reads a response and verifies that it is about `certificate` and signed by its `issuer`, or
    /// by a responder that the issuer delegated this to (extended key usage OCSPSigning, and
    /// id-pkix-ocsp-nocheck so that the responder needs no status of its own), at `now`.
    ///
    /// # Errors
    /// [`RevocationDataError`].
    pub fn verify(
        der: &[u8],
        certificate: &Certificate,
        issuer: &Certificate,
        now: Timestamp,
    ) -> Result<Self, RevocationDataError> {
        let unreadable = |why: String| RevocationDataError::Unreadable { what: WHAT, why };
        if der.len() > OCSP_LIMIT {
            return Err(unreadable(format!("it is larger than {OCSP_LIMIT} bytes")));
        }
        let response = OcspResponse::from_der(der).map_err(|e| unreadable(e.to_string()))?;
        if response.response_status != OcspResponseStatus::Successful {
            let status = format!("{:?}", response.response_status);
            return Err(RevocationDataError::NotSuccessful { status });
        }
        let bytes = response.response_bytes.ok_or_else(|| unreadable("it is empty".to_owned()))?;
        if bytes.response_type.to_string() != "1.3.6.1.5.5.7.48.1.1" {
            let why = "it is not a basic response";
            return Err(RevocationDataError::Unsupported { what: WHAT, why });
        }
        let basic = bytes.response.as_bytes();
        let signed = Signed::parse(basic).map_err(|e| unreadable(e.to_string()))?;
        let basic = BasicOcspResponse::from_der(basic).map_err(|e| unreadable(e.to_string()))?;
        let responder = responder(&basic, issuer, now)?;
        if !signed.is_by(&responder) {
            return Err(RevocationDataError::BadSignature { what: WHAT });
        }
        let single = basic
            .tbs_response_data
            .responses
            .iter()
            .find(|single| names(&single.cert_id, certificate, issuer))
            .ok_or(RevocationDataError::OtherIssuer {
                what: WHAT,
                why: "it is about another certificate",
            })?;
        Ok(Self::of(single, certificate, issuer))
    }

    fn of(single: &SingleResponse, certificate: &Certificate, issuer: &Certificate) -> Self {
        let this_update = time(&single.this_update);
        let status = match &single.cert_status {
            CertStatus::Good(_) => RevocationStatus::Good,
            CertStatus::Revoked(info) => RevocationStatus::Revoked {
                at: time(&info.revocation_time),
                reason: info
                    .revocation_reason
                    .map_or_else(|| "no reason given".to_owned(), |reason| format!("{reason:?}")),
            },
            CertStatus::Unknown(_) => {
                RevocationStatus::Unknown { why: "the OCSP responder does not know it".to_owned() }
            }
        };
        Self {
            issuer: *issuer.fingerprint(),
            serial: certificate.serial().to_owned(),
            status,
            this_update,
            next_update: single.next_update.as_ref().map_or_else(
                || this_update.saturating_add(OCSP_DEFAULT_LIFE).unwrap_or(this_update),
                time,
            ),
        }
    }

    /// What the responder said.
    pub fn status(&self) -> &RevocationStatus {
        &self.status
    }

    /// From when the answer holds.
    pub fn this_update(&self) -> Timestamp {
        self.this_update
    }

    /// Until when it holds.
    pub fn next_update(&self) -> Timestamp {
        self.next_update
    }

    /// Issuer fingerprint and serial number: what the answer is about.
    pub(super) fn key(&self) -> ([u8; 32], Vec<u8>) {
        (self.issuer, self.serial.clone())
    }
}

/// The certificate whose key must have signed the response.
fn responder(
    basic: &BasicOcspResponse,
    issuer: &Certificate,
    now: Timestamp,
) -> Result<Certificate, RevocationDataError> {
    let other = |why| RevocationDataError::OtherIssuer { what: WHAT, why };
    let id = &basic.tbs_response_data.responder_id;
    if is_named(id, issuer) {
        return Ok(issuer.clone());
    }
    for certificate in basic.certs.iter().flatten() {
        let Ok(der) = certificate.to_der() else { continue };
        let Ok(candidate) = Certificate::from_der(&der) else { continue };
        if !is_named(id, &candidate) {
            continue;
        }
        let by_issuer = candidate.issuer_der() == issuer.subject_der()
            && Signed::parse(candidate.der()).is_ok_and(|signed| signed.is_by(issuer));
        if !by_issuer {
            return Err(other("its responder was not appointed by the issuer"));
        }
        if !candidate.is_for(OCSP_SIGNING) {
            return Err(other("its responder may not sign OCSP answers"));
        }
        if !candidate.ocsp_no_check() {
            return Err(other("its responder could be revoked itself (no ocsp-nocheck)"));
        }
        if now < candidate.not_before() || now > candidate.not_after() {
            return Err(other("the certificate of its responder is not valid now"));
        }
        return Ok(candidate);
    }
    Err(other("the certificate of its responder is not enclosed"))
}

fn is_named(id: &ResponderId, certificate: &Certificate) -> bool {
    match id {
        ResponderId::ByName(name) => {
            name.to_der().is_ok_and(|name| name == certificate.subject_der())
        }
        ResponderId::ByKey(hash) => {
            hash.as_bytes() == digest(&SHA1_FOR_LEGACY_USE_ONLY, certificate.public_key()).as_ref()
        }
    }
}

/// Whether a certificate id of the response means this certificate.
fn names(id: &CertId, certificate: &Certificate, issuer: &Certificate) -> bool {
    let algorithm: &'static Algorithm = match id.hash_algorithm.oid {
        SHA_1 => &SHA1_FOR_LEGACY_USE_ONLY,
        SHA_256 => &SHA256,
        _ => return false,
    };
    let serial = id.serial_number.as_bytes();
    let serial = serial.strip_prefix(&[0]).filter(|rest| !rest.is_empty()).unwrap_or(serial);
    serial == certificate.serial()
        && id.issuer_name_hash.as_bytes() == digest(algorithm, certificate.issuer_der()).as_ref()
        && id.issuer_key_hash.as_bytes() == digest(algorithm, issuer.public_key()).as_ref()
}

fn time(time: &OcspGeneralizedTime) -> Timestamp {
    let seconds = i64::try_from(time.0.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}
