//! What the tests of this crate share: certificates that are made for them.

use jiff::Timestamp;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256,
    PKCS_RSA_SHA256, SerialNumber,
};

use crate::certificate::KsefCertificate;

/// The company of the samples.
pub(crate) const NIP: &str = "5265877635";

/// A key in PKCS#8 and a certificate, both DER.
pub(crate) struct Issued {
    pub(crate) key: Vec<u8>,
    pub(crate) certificate: Vec<u8>,
}

/// A certificate of a company's seal for a use.
pub(crate) fn issue(usage: Option<KeyUsagePurpose>, rsa: bool) -> Issued {
    let algorithm = if rsa { &PKCS_RSA_SHA256 } else { &PKCS_ECDSA_P256_SHA256 };
    let pair = KeyPair::generate_for(algorithm).unwrap();
    let mut params = CertificateParams::default();
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, "Przykład, Sp. z o.o.");
    name.push(DnType::CustomDnType(vec![2, 5, 4, 97]), format!("VATPL-{NIP}"));
    name.push(DnType::CountryName, "PL");
    params.distinguished_name = name;
    params.serial_number = Some(SerialNumber::from_slice(&[0x01, 0xF2, 0x0A, 0x5D, 1, 2, 3, 4]));
    params.key_usages = usage.into_iter().collect();
    params.not_before = time::OffsetDateTime::from_unix_timestamp(1_760_000_000).unwrap();
    params.not_after = time::OffsetDateTime::from_unix_timestamp(1_823_000_000).unwrap();
    let certificate = params.self_signed(&pair).unwrap();
    Issued { key: pair.serialize_der(), certificate: certificate.der().to_vec() }
}

/// The same, read.
pub(crate) fn certificate(usage: Option<KeyUsagePurpose>, rsa: bool) -> KsefCertificate {
    let issued = issue(usage, rsa);
    KsefCertificate::from_parts(issued.certificate, &issued.key).unwrap()
}

/// When the tests take place.
pub(crate) fn now() -> Timestamp {
    "2026-11-26T10:00:00Z".parse().unwrap()
}
