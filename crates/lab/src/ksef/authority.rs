//! The lab's authority of KSeF certificates: both kinds, as PKCS#12 files; and the keys of the
//! system itself, for wrapping the keys of sessions and for signing receipts.

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use data_encoding::BASE64;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::PublicKeyCertificate;
use quoin_ksef::certificate::{KsefCertificate, KsefUse, public_key_of};
use quoin_xmldsig::keys::{PrivateKey, sha256};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, SerialNumber,
};

use crate::rsa_keys::RsaKeys;

/// How long what it issues is good, in days: two years.
const DAYS: i64 = 730;

/// The authority could not issue. A fault of the lab.
#[derive(Debug, thiserror::Error)]
#[error("the lab's KSeF authority failed: {0}")]
pub struct KsefAuthorityError(String);

fn failed(error: impl std::fmt::Display) -> KsefAuthorityError {
    KsefAuthorityError(error.to_string())
}

/// A certificate of a taxpayer.
#[derive(Clone)]
pub struct IssuedCertificate {
    /// Certificate and key as a PKCS#12 file.
    pub pkcs12: Vec<u8>,
    /// Its password.
    pub password: String,
    /// The certificate (DER).
    pub der: Vec<u8>,
    /// The key in PKCS#8 (DER).
    pub key: Vec<u8>,
}

impl std::fmt::Debug for IssuedCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IssuedCertificate(***)")
    }
}

impl IssuedCertificate {
    /// The file in base64, as an `init` has it.
    pub fn inline(&self) -> String {
        BASE64.encode(&self.pkcs12)
    }
}

/// The authority and the keys of the system.
pub struct KsefAuthority {
    issuer: Issuer<'static, KeyPair>,
    keys: RsaKeys,
    /// What signs receipts.
    pub(super) seal: KsefCertificate,
    /// What unwraps the keys of sessions, newest last.
    wrapping: Vec<(PublicKeyCertificate, PrivateKey)>,
    made: Timestamp,
}

impl std::fmt::Debug for KsefAuthority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KsefAuthority")
    }
}

impl KsefAuthority {
    /// A new authority with new keys.
    ///
    /// # Errors
    /// [`KsefAuthorityError`].
    pub fn generate(now: Timestamp) -> Result<KsefAuthority, KsefAuthorityError> {
        let mut params =
            named(&[(DnType::CommonName, "Lab CA of KSeF"), (DnType::CountryName, "PL")]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(failed)?;
        let issuer = Issuer::new(params, key);
        let keys = RsaKeys::default();
        let seal = [
            (DnType::CommonName, "Ministerstwo Finansów (lab)"),
            (DnType::OrganizationName, "Ministerstwo Finansów"),
            (DnType::CountryName, "PL"),
        ];
        let usage = KeyUsagePurpose::DigitalSignature;
        let drawn = keys.draw().map_err(failed)?;
        let (der, key) = leaf(&issuer, named(&seal), usage, drawn, (now, DAYS))?;
        let seal = KsefCertificate::from_parts(der, &key).map_err(failed)?;
        let mut authority = KsefAuthority { issuer, keys, seal, wrapping: Vec::new(), made: now };
        authority.rotate(now)?;
        Ok(authority)
    }

    /// The certificate that signs receipts, as PEM.
    pub fn seal_pem(&self) -> String {
        let text = BASE64.encode(self.seal.der());
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    }

    /// A new public key for sessions from a time on; the ones before it are withdrawn.
    ///
    /// # Errors
    /// [`KsefAuthorityError`].
    pub fn rotate(&mut self, now: Timestamp) -> Result<(), KsefAuthorityError> {
        let params = named(&[(DnType::CommonName, "KSeF symmetric key encryption (lab)")]);
        let usage = KeyUsagePurpose::KeyEncipherment;
        let drawn = self.keys.draw().map_err(failed)?;
        let (der, key) = leaf(&self.issuer, params, usage, drawn, (now, DAYS))?;
        let spki = public_key_of(&der).ok_or_else(|| failed("no public key"))?;
        let told = PublicKeyCertificate {
            certificate: BASE64.encode(&der),
            certificate_id: BASE64.encode(&sha256(&der)),
            public_key_id: BASE64.encode(&sha256(&spki)),
            valid_from: now - SignedDuration::from_hours(24),
            valid_to: now + SignedDuration::from_hours(24 * DAYS),
            usage: vec!["SymmetricKeyEncryption".to_owned(), "KsefTokenEncryption".to_owned()],
        };
        self.wrapping = vec![(told, PrivateKey::from_pkcs8(&key).map_err(failed)?)];
        Ok(())
    }

    /// The keys that are good.
    pub(super) fn public_keys(&self) -> Vec<PublicKeyCertificate> {
        self.wrapping.iter().map(|(told, _)| told.clone()).collect()
    }

    /// The key that a session was wrapped for; the current one where none is named.
    pub(super) fn unwrapping(&self, id: Option<&str>) -> Option<&PrivateKey> {
        let row = match id {
            Some(id) => self.wrapping.iter().find(|(told, _)| told.public_key_id == id),
            None => self.wrapping.last(),
        };
        row.map(|(_, key)| key)
    }

    /// A certificate of a company for a use.
    ///
    /// # Errors
    /// [`KsefAuthorityError`].
    pub fn issue(&self, nip: &str, use_: KsefUse) -> Result<IssuedCertificate, KsefAuthorityError> {
        self.issue_for_days(nip, use_, DAYS)
    }

    /// The same for so many days from yesterday on; less than none is one that ended.
    ///
    /// # Errors
    /// [`KsefAuthorityError`].
    pub fn issue_for_days(
        &self,
        nip: &str,
        use_: KsefUse,
        days: i64,
    ) -> Result<IssuedCertificate, KsefAuthorityError> {
        let mut params =
            named(&[(DnType::CommonName, "Sprzedawca z o.o."), (DnType::CountryName, "PL")]);
        let organization = DnType::CustomDnType(vec![2, 5, 4, 97]);
        params.distinguished_name.push(organization, format!("VATPL-{nip}"));
        let usage = match use_ {
            KsefUse::Authentication => KeyUsagePurpose::DigitalSignature,
            KsefUse::Offline => KeyUsagePurpose::ContentCommitment,
        };
        let own = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(failed)?;
        let (der, key) = leaf(&self.issuer, params, usage, own, (self.made, days))?;
        let password = "hasło-7".to_owned();
        let mut random = [0; 48];
        SystemRandom::new().fill(&mut random).map_err(|_| failed("no randomness"))?;
        let pkcs12 = quoin_xmldsig::pkcs12::seal(&key, &der, &password, random).map_err(failed)?;
        Ok(IssuedCertificate { pkcs12, password, der, key })
    }
}

fn named(parts: &[(DnType, &str)]) -> CertificateParams {
    let mut params = CertificateParams::default();
    let mut name = DistinguishedName::new();
    for (kind, value) in parts {
        name.push(kind.clone(), *value);
    }
    params.distinguished_name = name;
    params
}

/// A leaf of a key, from a day before a time, for so many days: certificate and key (PKCS#8).
fn leaf(
    issuer: &Issuer<'static, KeyPair>,
    mut params: CertificateParams,
    usage: KeyUsagePurpose,
    key: KeyPair,
    (now, days): (Timestamp, i64),
) -> Result<(Vec<u8>, Vec<u8>), KsefAuthorityError> {
    let mut serial = [0; 8];
    SystemRandom::new().fill(&mut serial).map_err(|_| failed("no randomness"))?;
    serial[0] = 0x01;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.key_usages = vec![usage];
    let day = |from: i64| {
        time::OffsetDateTime::from_unix_timestamp(now.as_second() + from * 86_400).map_err(failed)
    };
    // One that ended was good before.
    params.not_before = day(days.min(0) - 1)?;
    params.not_after = day(days)?;
    let certificate = params.signed_by(&key, issuer).map_err(failed)?;
    Ok((certificate.der().to_vec(), key.serialize_der()))
}
