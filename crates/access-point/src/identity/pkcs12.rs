//! PKCS#12 files as certificate authorities and OpenSSL 3 hand them out: integrity by password, the
//! key and the certificates encrypted with AES under a key derived from it.
//!
//! The ciphers of old files (RC2, triple DES) are not read; the error says how to convert one.
//!
//! Sources: RFC 7292 (PKCS#12), RFC 8018 (PBES2), X.690 (DER).

mod der;
mod derive;

use aws_lc_rs::cipher::{
    AES_128, AES_256, AES_CBC_IV_LEN, DecryptionContext, PaddedBlockDecryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use quoin_peppol::pki::{Certificate, CertificateError};

use der::{DerReader, DerValue, SEQUENCE, explicit, oid};
use derive::{mac, pbkdf2};

/// The largest number of rounds that is worked through: a file must not keep a start waiting.
const ROUNDS: u64 = 5_000_000;

const DATA: &str = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA: &str = "1.2.840.113549.1.7.6";
const KEY_BAG: &str = "1.2.840.113549.1.12.10.1.1";
const SHROUDED_KEY_BAG: &str = "1.2.840.113549.1.12.10.1.2";
const CERTIFICATE_BAG: &str = "1.2.840.113549.1.12.10.1.3";
const PBES2: &str = "1.2.840.113549.1.5.13";
const PBKDF2: &str = "1.2.840.113549.1.5.12";
const AES_128_CBC: &str = "2.16.840.1.101.3.4.1.2";
const AES_256_CBC: &str = "2.16.840.1.101.3.4.1.42";

/// Why a PKCS#12 file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Pkcs12Error {
    /// It is not DER, or not of this shape.
    #[error("this is no PKCS#12 file: {0}")]
    Shape(&'static str),
    /// The password does not fit.
    #[error("the password does not fit, or the file was changed")]
    Password,
    /// An algorithm that is not read.
    #[error(
        "the algorithm {0} is not read; convert the file: openssl pkcs12 -legacy -in OLD -out \
         ALL.pem -nodes, then openssl pkcs12 -export -in ALL.pem -out NEW"
    )]
    Algorithm(String),
    /// The certificate in it.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// What is in a file: a key, and its certificate.
pub(super) struct KeyAndCertificate {
    pub(super) certificate: Certificate,
    /// PKCS#8, DER.
    pub(super) pkcs8: Vec<u8>,
}

#[derive(Default)]
struct BagContents {
    certificates: Vec<Certificate>,
    key: Option<Vec<u8>>,
}

/// Opens a file. The certificate is the one that is no authority; its chain may be in the file.
///
/// # Errors
/// [`Pkcs12Error`].
pub(super) fn open(file: &[u8], password: &str) -> Result<KeyAndCertificate, Pkcs12Error> {
    let mut pfx = DerReader::of(file).enter(SEQUENCE)?;
    pfx.integer()?;
    let safe = content(pfx.enter(SEQUENCE)?, DATA)?;
    let safe = safe.ok_or(Pkcs12Error::Shape("it is signed with a key, not with a password"))?;
    let safe = DerReader::of(safe).octets()?;
    match pfx.next()? {
        Some(value) => check(value, safe, password)?,
        None => return Err(Pkcs12Error::Shape("it has no MAC")),
    }
    let mut found = BagContents::default();
    let mut contents = DerReader::of(safe).enter(SEQUENCE)?;
    while let Some(one) = contents.next()? {
        let info = one.inside(SEQUENCE)?;
        if let Some(plain) = content(info.clone(), DATA)? {
            bags(DerReader::of(plain).octets()?, password, &mut found)?;
        } else if let Some(sealed) = content(info, ENCRYPTED_DATA)? {
            bags(&encrypted_data(sealed, password)?, password, &mut found)?;
        }
    }
    let leaf = found.certificates.into_iter().find(|certificate| !certificate.is_authority());
    Ok(KeyAndCertificate {
        certificate: leaf.ok_or(Pkcs12Error::Shape("it holds no certificate"))?,
        pkcs8: found.key.ok_or(Pkcs12Error::Shape("it holds no private key"))?,
    })
}

/// What a `ContentInfo` of this type holds; nothing for one of another type.
fn content<'a>(mut info: DerReader<'a>, kind: &str) -> Result<Option<&'a [u8]>, Pkcs12Error> {
    if info.oid()? != oid(kind) {
        return Ok(None);
    }
    Ok(Some(info.enter(explicit(0))?.rest()))
}

/// `MacData`: a keyed digest of all the rest.
fn check(data: DerValue<'_>, safe: &[u8], password: &str) -> Result<(), Pkcs12Error> {
    let mut data = data.inside(SEQUENCE)?;
    let mut digest = data.enter(SEQUENCE)?;
    let algorithm = digest.enter(SEQUENCE)?.oid()?.to_vec();
    let expected = digest.octets()?;
    let salt = data.octets()?;
    let rounds = if data.is_empty() { 1 } else { rounds(data.integer()?)? };
    if mac(&algorithm, password, salt, rounds, safe, expected)? {
        return Ok(());
    }
    Err(Pkcs12Error::Password)
}

fn encrypted_data(data: &[u8], password: &str) -> Result<Vec<u8>, Pkcs12Error> {
    let mut data = DerReader::of(data).enter(SEQUENCE)?;
    data.integer()?;
    let mut info = data.enter(SEQUENCE)?;
    info.oid()?;
    let algorithm = info.enter(SEQUENCE)?;
    let sealed = info.next()?.ok_or(Pkcs12Error::Shape("an encrypted part is empty"))?;
    decrypt(algorithm, sealed.content, password)
}

/// `SafeContents`: keys and certificates.
fn bags(contents: &[u8], password: &str, found: &mut BagContents) -> Result<(), Pkcs12Error> {
    let mut contents = DerReader::of(contents).enter(SEQUENCE)?;
    while let Some(bag) = contents.next()? {
        let mut bag = bag.inside(SEQUENCE)?;
        let kind = bag.oid()?.to_vec();
        let mut value = bag.enter(explicit(0))?;
        if kind == oid(SHROUDED_KEY_BAG) {
            let mut sealed = value.enter(SEQUENCE)?;
            let algorithm = sealed.enter(SEQUENCE)?;
            found.key = Some(decrypt(algorithm, sealed.octets()?, password)?);
        } else if kind == oid(KEY_BAG) {
            found.key = Some(value.rest().to_vec());
        } else if kind == oid(CERTIFICATE_BAG) {
            let mut certificate = value.enter(SEQUENCE)?;
            certificate.oid()?;
            let der = certificate.enter(explicit(0))?.octets()?;
            found.certificates.push(Certificate::from_der(der)?);
        }
    }
    Ok(())
}

/// PBES2 with PBKDF2 and AES in CBC mode.
fn decrypt(
    mut algorithm: DerReader<'_>,
    sealed: &[u8],
    password: &str,
) -> Result<Vec<u8>, Pkcs12Error> {
    algorithm.require(PBES2)?;
    let mut parameters = algorithm.enter(SEQUENCE)?;
    let mut derivation = parameters.enter(SEQUENCE)?;
    derivation.require(PBKDF2)?;
    let mut derivation = derivation.enter(SEQUENCE)?;
    let salt = derivation.octets()?;
    let rounds = rounds(derivation.integer()?)?;
    let mut next = derivation.next()?;
    if next.as_ref().is_some_and(|value| value.tag == der::INTEGER) {
        next = derivation.next()?;
    }
    let prf = next.map(|value| value.inside(SEQUENCE)?.oid().map(<[u8]>::to_vec)).transpose()?;
    let mut scheme = parameters.enter(SEQUENCE)?;
    let (cipher, length) = match scheme.oid()? {
        id if id == oid(AES_256_CBC) => (&AES_256, 32),
        id if id == oid(AES_128_CBC) => (&AES_128, 16),
        other => return Err(Pkcs12Error::Algorithm(der::dotted(other))),
    };
    let iv: [u8; AES_CBC_IV_LEN] =
        scheme.octets()?.try_into().map_err(|_| Pkcs12Error::Shape("a vector is too short"))?;
    let key = pbkdf2(prf.as_deref(), password, salt, rounds, length)?;
    let refuse = |_| Pkcs12Error::Password;
    let key = UnboundCipherKey::new(cipher, &key).map_err(refuse)?;
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(refuse)?;
    let mut plain = sealed.to_vec();
    let context = DecryptionContext::Iv128(FixedLength::from(iv));
    Ok(key.decrypt(&mut plain, context).map_err(refuse)?.to_vec())
}

fn rounds(found: u64) -> Result<u32, Pkcs12Error> {
    match u32::try_from(found) {
        Ok(rounds) if (1..=ROUNDS).contains(&found) => Ok(rounds),
        _ => Err(Pkcs12Error::Shape("the number of rounds is out of bounds")),
    }
}

#[cfg(test)]
mod tests;
