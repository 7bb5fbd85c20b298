//! A parsed certificate: what the network asks of one, read once.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use x509_cert::der::asn1::Ia5String;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::{Decode, Encode, oid::ObjectIdentifier};
use x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use x509_cert::ext::pkix::{
    AuthorityInfoAccessSyntax, BasicConstraints, CrlDistributionPoints, ExtendedKeyUsage, KeyUsage,
};
use x509_cert::time::Time;

use super::signed::Signed;
use super::{CertificateError, DistinguishedName};
use crate::identifiers::{IdentifierError, SeatId};

const OCSP_ACCESS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1");

/// A certificate; cheap to clone.
#[derive(Clone)]
pub struct Certificate(Arc<ParsedCertificate>);

struct ParsedCertificate {
    der: Vec<u8>,
    subject: DistinguishedName,
    issuer: DistinguishedName,
    subject_der: Vec<u8>,
    issuer_der: Vec<u8>,
    serial: Vec<u8>,
    not_before: Timestamp,
    not_after: Timestamp,
    spki: Vec<u8>,
    public_key: Vec<u8>,
    key_usage: Option<KeyUsage>,
    extended_key_usage: Vec<String>,
    ocsp_no_check: bool,
    authority: bool,
    crl_urls: Vec<String>,
    ocsp_urls: Vec<String>,
    fingerprint: [u8; 32],
}

impl Certificate {
    /// Reads a certificate from DER.
    ///
    /// # Errors
    /// [`CertificateError`] with what the decoder said.
    pub fn from_der(der: &[u8]) -> Result<Self, CertificateError> {
        let refuse = |e: x509_cert::der::Error| CertificateError { why: e.to_string() };
        let parsed = x509_cert::Certificate::from_der(der).map_err(refuse)?;
        let tbs = &parsed.tbs_certificate;
        let spki = tbs.subject_public_key_info.to_der().map_err(refuse)?;
        let extensions = tbs.extensions.as_deref().unwrap_or_default();
        let eku = extension::<ExtendedKeyUsage>(extensions).map_err(refuse)?;
        let fingerprint: [u8; 32] = digest(&SHA256, der).as_ref().try_into().unwrap_or_default();
        Ok(Self(Arc::new(ParsedCertificate {
            der: der.to_owned(),
            subject: DistinguishedName::of(&tbs.subject),
            issuer: DistinguishedName::of(&tbs.issuer),
            subject_der: tbs.subject.to_der().map_err(refuse)?,
            issuer_der: tbs.issuer.to_der().map_err(refuse)?,
            serial: tbs.serial_number.as_bytes().to_owned(),
            not_before: timestamp(&tbs.validity.not_before),
            not_after: timestamp(&tbs.validity.not_after),
            public_key: tbs.subject_public_key_info.subject_public_key.raw_bytes().to_owned(),
            key_usage: extension(extensions).map_err(refuse)?,
            extended_key_usage: eku
                .map(|eku| eku.0.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            ocsp_no_check: extensions
                .iter()
                .any(|e| e.extn_id.to_string() == "1.3.6.1.5.5.7.48.1.5"),
            authority: extension::<BasicConstraints>(extensions)
                .map_err(refuse)?
                .is_some_and(|constraints| constraints.ca),
            crl_urls: crl_urls(extension(extensions).map_err(refuse)?),
            ocsp_urls: ocsp_urls(extension(extensions).map_err(refuse)?),
            spki,
            fingerprint,
        })))
    }

    /// Reads a certificate from the text of an SMP `Certificate` element or a PEM file: Base64 of
    /// DER, with or without armour lines and white space (SMP 1.4.0, section 4).
    ///
    /// # Errors
    /// [`CertificateError`].
    pub fn from_text(text: &str) -> Result<Self, CertificateError> {
        Self::from_der(&Self::der_of(text)?)
    }

    /// The bytes (DER) in such a text.
    ///
    /// # Errors
    /// [`CertificateError`] where it is no Base64.
    pub fn der_of(text: &str) -> Result<Vec<u8>, CertificateError> {
        // What stands between the two markers, on however many lines (RFC 7468).
        let armoured = text.split_once("-----BEGIN").and_then(|(_, rest)| rest.split_once("-----"));
        let body = armoured.map_or(text, |(_label, rest)| rest);
        let body = body.split("-----").next().unwrap_or_default();
        let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        data_encoding::BASE64
            .decode(body.as_bytes())
            .map_err(|e| CertificateError { why: format!("its Base64 is broken: {e}") })
    }

    /// The bytes.
    pub fn der(&self) -> &[u8] {
        &self.0.der
    }

    /// Base64 of the bytes on one line, as SMP documents carry it.
    pub fn base64(&self) -> String {
        data_encoding::BASE64.encode(&self.0.der)
    }

    /// The certificate in PEM, with lines of 64 characters (RFC 7468).
    pub fn pem(&self) -> String {
        let text = self.base64();
        let mut out = String::from("-----BEGIN CERTIFICATE-----\n");
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (line, more) = rest.split_at(rest.len().min(64));
            out.push_str(line);
            out.push('\n');
            rest = more;
        }
        out.push_str("-----END CERTIFICATE-----\n");
        out
    }

    /// Whose certificate it is.
    pub fn subject(&self) -> &DistinguishedName {
        &self.0.subject
    }

    /// Whether another certificate issued it: it is named as the issuer, may issue certificates,
    /// and its key made the signature. Whether either is still good is not looked at.
    pub fn is_issued_by(&self, issuer: &Certificate) -> bool {
        let signed = || Signed::parse(self.der()).is_ok_and(|signed| signed.is_by(issuer));
        self.issuer() == issuer.subject() && issuer.is_authority() && signed()
    }

    /// Who issued it.
    pub fn issuer(&self) -> &DistinguishedName {
        &self.0.issuer
    }

    /// The service provider it belongs to: the common name of the subject.
    ///
    /// # Errors
    /// [`IdentifierError::SeatId`] if the common name is none.
    pub fn seat(&self) -> Result<SeatId, IdentifierError> {
        self.subject().common_name().unwrap_or_default().parse()
    }

    /// The serial number, big endian, without sign.
    pub fn serial(&self) -> &[u8] {
        let serial = self.0.serial.as_slice();
        serial.strip_prefix(&[0]).filter(|rest| !rest.is_empty()).unwrap_or(serial)
    }

    /// The first instant of its validity.
    pub fn not_before(&self) -> Timestamp {
        self.0.not_before
    }

    /// The last instant of its validity.
    pub fn not_after(&self) -> Timestamp {
        self.0.not_after
    }

    /// `SubjectPublicKeyInfo`, DER.
    pub fn spki(&self) -> &[u8] {
        &self.0.spki
    }

    /// Where its authority publishes revocation lists (http addresses only).
    pub fn crl_urls(&self) -> &[String] {
        &self.0.crl_urls
    }

    /// Where its authority answers OCSP requests (http addresses only).
    pub fn ocsp_urls(&self) -> &[String] {
        &self.0.ocsp_urls
    }

    /// SHA-256 of the bytes.
    pub fn fingerprint(&self) -> &[u8; 32] {
        &self.0.fingerprint
    }

    /// The key bits alone, as signature verification wants them.
    pub(super) fn public_key(&self) -> &[u8] {
        &self.0.public_key
    }

    pub(super) fn subject_der(&self) -> &[u8] {
        &self.0.subject_der
    }

    pub(super) fn issuer_der(&self) -> &[u8] {
        &self.0.issuer_der
    }

    pub(super) fn key_usage(&self) -> Option<KeyUsage> {
        self.0.key_usage
    }

    /// Whether the extended key usage names this object identifier.
    pub(super) fn is_for(&self, usage: &str) -> bool {
        self.0.extended_key_usage.iter().any(|own| own == usage)
    }

    /// Whether it may issue certificates.
    pub fn is_authority(&self) -> bool {
        self.0.authority
    }

    pub(super) fn ocsp_no_check(&self) -> bool {
        self.0.ocsp_no_check
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Certificate({}, issued by {})", self.subject(), self.issuer())
    }
}

/// The extension of a type, if the certificate has it.
pub(super) fn extension<'a, E: Decode<'a> + AssociatedOid>(
    extensions: &'a [x509_cert::ext::Extension],
) -> x509_cert::der::Result<Option<E>> {
    extensions
        .iter()
        .find(|extension| extension.extn_id == E::OID)
        .map(|extension| E::from_der(extension.extn_value.as_bytes()))
        .transpose()
}

/// An X.509 time as a timestamp.
pub(super) fn timestamp(time: &Time) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}

fn crl_urls(points: Option<CrlDistributionPoints>) -> Vec<String> {
    let names = points.into_iter().flat_map(|points| points.0).filter_map(|point| {
        match point.distribution_point {
            Some(DistributionPointName::FullName(names)) => Some(names),
            _ => None,
        }
    });
    names.flatten().filter_map(|name| http(&name)).collect()
}

fn ocsp_urls(access: Option<AuthorityInfoAccessSyntax>) -> Vec<String> {
    let places = access.into_iter().flat_map(|access| access.0);
    places
        .filter(|place| place.access_method == OCSP_ACCESS)
        .filter_map(|place| http(&place.access_location))
        .collect()
}

/// What addresses begin with that are asked.
const HTTP: &str = "http://";

/// An http address of a general name; revocation data is signed, so it travels without TLS.
pub(super) fn http(name: &GeneralName) -> Option<String> {
    let GeneralName::UniformResourceIdentifier(uri) = name else { return None };
    let uri: &Ia5String = uri;
    let scheme = uri.as_str().get(..HTTP.len());
    // The scheme of an address is the same in any case (RFC 3986, section 3.1).
    let rest =
        scheme.filter(|own| own.eq_ignore_ascii_case(HTTP)).and(uri.as_str().get(HTTP.len()..));
    rest.map(|rest| format!("{HTTP}{rest}"))
}
