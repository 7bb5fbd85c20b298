//! A certificate of KSeF with its key: whose it is, what it is for, when it ends.
//!
//! There are two kinds. The one for authentication signs `AuthTokenRequest` and has the key usage
//! digitalSignature; the one for work without the system signs the second printed code (KOD II)
//! and
//! has nonRepudiation. They are easily swapped, so their use is checked when they are given.
//!
//! Source: documentation of KSeF, "certyfikaty KSeF"; RFC 5280, section 4.2.1.3.

mod name;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use quoin_xmldsig::enveloped::SignError;
use quoin_xmldsig::keys::{KeyError, SigningKey, sha256};
use quoin_xmldsig::pkcs12::{self, Pkcs12Error};
use quoin_xmldsig::xades::{self, XadesSigner};
use x509_cert::Certificate;
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::{KeyUsage, KeyUsages};

use crate::number::is_nip;

/// How long before its end a certificate is said to end soon, in days.
pub const ENDS_SOON_DAYS: i64 = 30;

/// What a certificate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KsefUse {
    /// Signing in: digitalSignature.
    Authentication,
    /// Signing codes of invoices that were issued without the system: nonRepudiation.
    Offline,
}

/// Why a certificate cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KsefCertificateError {
    /// The file cannot be opened.
    #[error(transparent)]
    File(#[from] Pkcs12Error),
    /// The key is of another kind.
    #[error("the private key is neither RSA of 2048 to 8192 bits nor P-256")]
    Key,
    /// No certificate of the file belongs to its key.
    #[error("none of the certificates in the file belongs to its private key")]
    Pair,
    /// The certificate cannot be read.
    #[error("the certificate cannot be read")]
    Certificate,
    /// It is for something else.
    #[error("{0}")]
    Use(&'static str),
    /// It ended.
    #[error("the certificate ended at {0}")]
    Ended(Timestamp),
    /// It has not begun.
    #[error("the certificate is good from {0} on")]
    NotYet(Timestamp),
}

/// Who a certificate says that its holder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSubject {
    /// A company: ten digits.
    Nip(String),
    /// A person: eleven digits.
    Pesel(String),
    /// Neither: the SHA-256 of the certificate stands for it.
    Fingerprint,
}

/// A certificate with its key.
#[derive(Debug)]
pub struct KsefCertificate {
    der: Vec<u8>,
    key: SigningKey,
    issuer: String,
    serial: Vec<u8>,
    subject: CertificateSubject,
    usages: Option<[bool; 2]>,
    not_before: Timestamp,
    not_after: Timestamp,
}

impl KsefCertificate {
    /// From a PKCS#12 file and its password.
    ///
    /// # Errors
    /// [`KsefCertificateError`].
    pub fn open(file: &[u8], password: &str) -> Result<KsefCertificate, KsefCertificateError> {
        let opened = pkcs12::open(file, password)?;
        let key = SigningKey::from_pkcs8(&opened.key).map_err(|_| KsefCertificateError::Key)?;
        let mut unread = false;
        for der in opened.certificates {
            match Certificate::from_der(&der) {
                Ok(certificate) if belongs(&certificate, &key) => {
                    return read(der, &certificate, key);
                }
                Ok(_) => {}
                Err(_) => unread = true,
            }
        }
        Err(if unread { KsefCertificateError::Certificate } else { KsefCertificateError::Pair })
    }

    /// From a certificate (DER) and its key in PKCS#8 (DER).
    ///
    /// # Errors
    /// [`KsefCertificateError`].
    pub fn from_parts(der: Vec<u8>, pkcs8: &[u8]) -> Result<KsefCertificate, KsefCertificateError> {
        let key = SigningKey::from_pkcs8(pkcs8).map_err(|_| KsefCertificateError::Key)?;
        let certificate =
            Certificate::from_der(&der).map_err(|_| KsefCertificateError::Certificate)?;
        if !belongs(&certificate, &key) {
            return Err(KsefCertificateError::Pair);
        }
        read(der, &certificate, key)
    }

    /// Whether it may be used for something at a time.
    ///
    /// # Errors
    /// [`KsefCertificateError::Use`], [`KsefCertificateError::Ended`],
    /// [`KsefCertificateError::NotYet`].
    pub fn check(&self, use_: KsefUse, now: Timestamp) -> Result<(), KsefCertificateError> {
        // A certificate of a person's signature has both usages; one without the extension is
        // open.
        let [signs, binds] = self.usages.unwrap_or([true, true]);
        match use_ {
            KsefUse::Authentication if !signs => Err(KsefCertificateError::Use(
                "the certificate is not for authentication: its key usage lacks digitalSignature \
                 (is it the one for offline work?)",
            )),
            KsefUse::Offline if !binds => Err(KsefCertificateError::Use(
                "the certificate is not for offline work: its key usage lacks nonRepudiation (is \
                 it the one for authentication?)",
            )),
            _ if now >= self.not_after => Err(KsefCertificateError::Ended(self.not_after)),
            _ if now < self.not_before => Err(KsefCertificateError::NotYet(self.not_before)),
            _ => Ok(()),
        }
    }

    /// Whether it ends within [`ENDS_SOON_DAYS`].
    pub fn ends_soon(&self, now: Timestamp) -> bool {
        is_soon(self.not_after, now)
    }

    /// When it ends.
    pub fn not_after(&self) -> Timestamp {
        self.not_after
    }

    /// Whose it is.
    pub fn subject(&self) -> &CertificateSubject {
        &self.subject
    }

    /// The certificate (DER).
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// Its serial number as codes have it: hexadecimal, upper case, at least 16 digits.
    pub fn serial_hex(&self) -> String {
        let digits = data_encoding::HEXUPPER.encode(&self.serial);
        format!("{digits:0>16}")
    }

    /// SHA-256 of the certificate, in hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        data_encoding::HEXLOWER.encode(&sha256(&self.der))
    }

    /// Signs a document (XAdES, enveloped) at a time.
    ///
    /// # Errors
    /// [`SignError`].
    pub fn sign_document(&self, xml: &str, time: Timestamp) -> Result<String, SignError> {
        let serial = name::decimal(&self.serial);
        let signer = XadesSigner {
            key: &self.key,
            certificate: &self.der,
            issuer: &self.issuer,
            serial: &serial,
        };
        xades::sign(xml, &signer, &crate::api::moment(time))
    }

    /// Signs the text of a code.
    ///
    /// # Errors
    /// [`KeyError::Operation`].
    pub fn sign_link(&self, text: &str) -> Result<Vec<u8>, KeyError> {
        self.key.sign_link(text.as_bytes())
    }
}

fn belongs(certificate: &Certificate, key: &SigningKey) -> bool {
    let public = &certificate.tbs_certificate.subject_public_key_info.subject_public_key;
    public.raw_bytes() == key.public_key()
}

fn read(
    der: Vec<u8>,
    certificate: &Certificate,
    key: SigningKey,
) -> Result<KsefCertificate, KsefCertificateError> {
    let content = &certificate.tbs_certificate;
    let usages = content.get::<KeyUsage>().map_err(|_| KsefCertificateError::Certificate)?;
    let usages = usages.map(|(_, usage)| {
        [usage.0.contains(KeyUsages::DigitalSignature), usage.0.contains(KeyUsages::NonRepudiation)]
    });
    let time = |time: x509_cert::time::Time| {
        let seconds = i64::try_from(time.to_unix_duration().as_secs()).ok()?;
        Timestamp::from_second(seconds).ok()
    };
    let validity = &content.validity;
    let (Some(not_before), Some(not_after)) = (time(validity.not_before), time(validity.not_after))
    else {
        return Err(KsefCertificateError::Certificate);
    };
    Ok(KsefCertificate {
        subject: subject(certificate),
        issuer: name::text(&content.issuer),
        serial: content.serial_number.as_bytes().iter().copied().skip_while(|b| *b == 0).collect(),
        der,
        key,
        usages,
        not_before,
        not_after,
    })
}

/// The identity in the subject's `serialNumber` or `organizationIdentifier`.
fn subject(certificate: &Certificate) -> CertificateSubject {
    let subject = &certificate.tbs_certificate.subject;
    let of = |oid: &str| name::values(subject, oid);
    for value in of(name::SERIAL_NUMBER) {
        let digits: String = value.chars().rev().take_while(char::is_ascii_digit).collect();
        let digits: String = digits.chars().rev().collect();
        let head = value.trim_end_matches(|c: char| c.is_ascii_digit());
        let says = |words: [&str; 2]| words.iter().any(|word| head.contains(word));
        if digits.len() == 11 && says(["PNOPL", "PESEL"]) {
            return CertificateSubject::Pesel(digits);
        }
        if is_nip(&digits) && says(["TINPL", "NIP"]) {
            return CertificateSubject::Nip(digits);
        }
    }
    for value in of(name::ORGANIZATION_IDENTIFIER) {
        if let Some(nip) = value.strip_prefix("VATPL-").or_else(|| value.strip_prefix("VATPL"))
            && is_nip(nip)
        {
            return CertificateSubject::Nip(nip.to_owned());
        }
    }
    CertificateSubject::Fingerprint
}

/// Whether a certificate that is good until a time ends within [`ENDS_SOON_DAYS`], or ended.
pub fn is_soon(not_after: Timestamp, now: Timestamp) -> bool {
    not_after.as_second() - now.as_second() <= ENDS_SOON_DAYS * 24 * 3600
}

/// The `SubjectPublicKeyInfo` (DER) of a certificate (DER).
pub fn public_key_of(certificate: &[u8]) -> Option<Vec<u8>> {
    let certificate = Certificate::from_der(certificate).ok()?;
    certificate.tbs_certificate.subject_public_key_info.to_der().ok()
}

/// Whom a certificate (DER) is of; `None` where it cannot be read.
pub fn subject_of(certificate: &[u8]) -> Option<CertificateSubject> {
    Certificate::from_der(certificate).ok().as_ref().map(subject)
}
