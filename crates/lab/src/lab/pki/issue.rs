//! The making of certificates and revocation lists.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use rcgen::string::PrintableString;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CrlDistributionPoint,
    CustomExtension, DistinguishedName, DnType, DnValue, ExtendedKeyUsagePurpose, IsCa,
    KeyIdMethod, KeyPair, KeyUsagePurpose, RevocationReason, RevokedCertParams, SerialNumber,
};

use super::{Authority, CA_DAYS, LEAF_DAYS, LeafRole, PkiError, Revoked, STATUS_HOURS};
use crate::rsa_keys::RsaKeys;

/// A certificate for an end point, with its key.
#[derive(Clone)]
pub struct LeafCertificate {
    /// The certificate in DER.
    pub certificate_der: Vec<u8>,
    /// The certificate in PEM.
    pub certificate_pem: String,
    /// The private key in PKCS#8 DER.
    pub key_der: Vec<u8>,
    /// The private key in PKCS#8 PEM.
    pub key_pem: String,
    /// The serial number, big-endian.
    pub serial: Vec<u8>,
}

impl std::fmt::Debug for LeafCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leaf").field("serial", &self.serial).finish_non_exhaustive()
    }
}

impl LeafCertificate {
    /// Writes `NAME.pem` and `NAME.key` into a folder, and tells where.
    ///
    /// # Errors
    /// The files could not be written.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(PathBuf, PathBuf), PkiError> {
        std::fs::create_dir_all(folder)?;
        let certificate = folder.join(format!("{name}.pem"));
        let key = folder.join(format!("{name}.key"));
        std::fs::write(&certificate, &self.certificate_pem)?;
        std::fs::write(&key, &self.key_pem)?;
        Ok((certificate, key))
    }
}

pub(super) fn root(keys: &RsaKeys, now: Timestamp) -> Result<Authority, PkiError> {
    let mut params = authority_params("PEPPOL Root TEST CA - LAB", now)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = keys.draw()?;
    let certificate = params.self_signed(&key)?;
    Ok(Authority::new("root", certificate, params, key))
}

pub(super) fn intermediate(
    root: &Authority,
    (name, common_name): (&'static str, &str),
    keys: &RsaKeys,
    base_url: &str,
    now: Timestamp,
) -> Result<Authority, PkiError> {
    let mut params = authority_params(common_name, now)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(1));
    point_to(&mut params, root, base_url);
    let key = keys.draw()?;
    let certificate = params.signed_by(&key, &root.issuer)?;
    Ok(Authority::new(name, certificate, params, key))
}

pub(super) fn tls_authority(now: Timestamp) -> Result<Authority, PkiError> {
    let mut params = authority_params("Web servers of the lab", now)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    Ok(Authority::new("tls", certificate, params, key))
}

/// A Peppol leaf: critical key usage and extended key usage, subject in the order C, O, OU, CN.
pub(super) fn leaf(
    authority: &Authority,
    role: LeafRole,
    (seat, base_url): (&str, &str),
    keys: &RsaKeys,
    (from, until): (Timestamp, Timestamp),
) -> Result<LeafCertificate, PkiError> {
    let unit = match role {
        LeafRole::AccessPoint => "PEPPOL TEST AP",
        LeafRole::Smp => "PEPPOL TEST SMP",
    };
    let mut params = CertificateParams::default();
    params.distinguished_name = subject("NL", "Quoin lab", Some(unit), seat)?;
    (params.not_before, params.not_after) = (time(from), time(until));
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![
        KeyUsagePurpose::DigitalSignature,
        KeyUsagePurpose::KeyEncipherment,
        KeyUsagePurpose::DataEncipherment,
    ];
    // ExtKeyUsageSyntax with id-kp-clientAuth; the library writes it as not critical only.
    let client_auth = tlv(0x30, &[0x06, 8, 0x2b, 6, 1, 5, 5, 7, 3, 2]);
    let mut usage = CustomExtension::from_oid_content(&[2, 5, 29, 37], client_auth);
    usage.set_criticality(true);
    params.custom_extensions.push(usage);
    point_to(&mut params, authority, base_url);
    params.use_authority_key_identifier_extension = true;
    sign(params, keys.draw()?, authority)
}

pub(super) fn server(
    authority: &Authority,
    names: &[&str],
    now: Timestamp,
) -> Result<LeafCertificate, PkiError> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names.clone())?;
    let common_name = names.first().map_or("lab", String::as_str);
    params.distinguished_name = subject("NL", "Quoin lab", None, common_name)?;
    params.not_before = time(now - SignedDuration::from_hours(24));
    params.not_after = time(now + SignedDuration::from_hours(24 * LEAF_DAYS));
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    sign(params, KeyPair::generate()?, authority)
}

pub(super) fn crl(
    authority: &Authority,
    revoked: &[Revoked],
    now: Timestamp,
) -> Result<Vec<u8>, PkiError> {
    let entry = |revoked: &Revoked| RevokedCertParams {
        serial_number: SerialNumber::from_slice(&revoked.serial),
        revocation_time: time(revoked.at),
        reason_code: Some(RevocationReason::KeyCompromise),
        invalidity_date: None,
    };
    let list = CertificateRevocationListParams {
        this_update: time(now),
        next_update: time(now + SignedDuration::from_hours(STATUS_HOURS)),
        crl_number: SerialNumber::from(u64::try_from(now.as_millisecond()).unwrap_or(1)),
        issuing_distribution_point: None,
        revoked_certs: revoked.iter().map(entry).collect(),
        key_identifier_method: KeyIdMethod::Sha256,
    };
    Ok(list.signed_by(&authority.issuer)?.der().to_vec())
}

fn sign(
    mut params: CertificateParams,
    key: KeyPair,
    authority: &Authority,
) -> Result<LeafCertificate, PkiError> {
    let mut serial = *uuid::Uuid::new_v4().as_bytes();
    // Positive, and of full length, so that it reads the same everywhere.
    serial[0] = (serial[0] & 0x7f) | 0x40;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    let certificate = params.signed_by(&key, &authority.issuer)?;
    Ok(LeafCertificate {
        certificate_der: certificate.der().to_vec(),
        certificate_pem: certificate.pem(),
        key_der: key.serialize_der(),
        key_pem: key.serialize_pem(),
        serial: serial.to_vec(),
    })
}

fn authority_params(common_name: &str, now: Timestamp) -> Result<CertificateParams, PkiError> {
    let mut params = CertificateParams::default();
    params.distinguished_name = subject("BE", "Quoin lab", Some("FOR TEST ONLY"), common_name)?;
    params.not_before = time(now - SignedDuration::from_hours(24 * LEAF_DAYS));
    params.not_after = time(now + SignedDuration::from_hours(24 * CA_DAYS));
    params.key_usages = vec![
        KeyUsagePurpose::DigitalSignature,
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::CrlSign,
    ];
    params.use_authority_key_identifier_extension = true;
    Ok(params)
}

fn subject(
    country: &str,
    organisation: &str,
    unit: Option<&str>,
    common_name: &str,
) -> Result<DistinguishedName, PkiError> {
    let mut name = DistinguishedName::new();
    let country = PrintableString::try_from(country)?;
    name.push(DnType::CountryName, DnValue::PrintableString(country));
    name.push(DnType::OrganizationName, organisation);
    if let Some(unit) = unit {
        name.push(DnType::OrganizationalUnitName, unit);
    }
    name.push(DnType::CommonName, common_name);
    Ok(name)
}

/// Pointers to the revocation list, the responder and the certificate of the issuer.
fn point_to(params: &mut CertificateParams, issuer: &Authority, base_url: &str) {
    let name = issuer.name;
    let list = format!("{base_url}/crl/{name}.crl");
    params.crl_distribution_points = vec![CrlDistributionPoint { uris: vec![list] }];
    let access = |method: u8, url: String| {
        // AccessDescription: id-ad-ocsp (1) or id-ad-caIssuers (2), and a URI.
        let mut description = vec![0x06, 8, 0x2b, 6, 1, 5, 5, 7, 48, method];
        description.extend(tlv(0x86, url.as_bytes()));
        tlv(0x30, &description)
    };
    let mut both = access(1, format!("{base_url}/ocsp/{name}"));
    both.extend(access(2, format!("{base_url}/crt/{name}.crt")));
    let authority_information_access = [1, 3, 6, 1, 5, 5, 7, 1, 1];
    let extension =
        CustomExtension::from_oid_content(&authority_information_access, tlv(0x30, &both));
    params.custom_extensions.push(extension);
}

/// One DER element of less than 64 KiB.
fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(content.len()).unwrap_or(u16::MAX).to_be_bytes();
    let mut element = match (high, low) {
        (0, 0..=127) => vec![tag, low],
        (0, _) => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    element.extend_from_slice(content);
    element
}

fn time(at: Timestamp) -> time::OffsetDateTime {
    // Dates of the lab are near the present, far from what the type can hold.
    time::OffsetDateTime::from_unix_timestamp(at.as_second())
        .unwrap_or(time::OffsetDateTime::UNIX_EPOCH)
}
