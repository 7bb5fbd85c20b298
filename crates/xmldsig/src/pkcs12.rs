//! PKCS#12: one private key and its certificates in a file with a password, as every tool exports
//! them. Read in full are PBES2 with AES (what OpenSSL 3 and Windows write today) and the older
//! triple DES; RC2 with 40 bits, which nothing protects, is refused with the way to a better file.
//!
//! How much work a file asks for is a number in the file: it has a limit here.
//!
//! Source: RFC 7292; RFC 8018 (PBES2).

mod der;
mod kdf;
#[cfg(test)]
mod tests;
mod write;

use aws_lc_rs::hmac;
use aws_lc_rs::pbkdf2;

use der::{EXPLICIT_0, IMPLICIT_0, OCTETS, OID, PfxReader, SEQUENCE};
use kdf::{KdfDigest, KdfPurpose, derive};

pub use write::seal;

/// Bytes of a file at most.
pub const FILE_BYTES: usize = 64 << 10;
/// Rounds of deriving keys at most, in a whole file: about a second of work.
pub const ROUNDS: u64 = 2_000_000;
/// Certificates in a file at most.
pub const CERTIFICATES: usize = 16;

/// Why a file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Pkcs12Error {
    /// More bytes than any such file has.
    #[error("the PKCS#12 file is larger than {FILE_BYTES} bytes")]
    TooLarge,
    /// Not a PKCS#12 file.
    #[error("this is no PKCS#12 file (DER); export key and certificate as .p12 or .pfx")]
    Damaged,
    /// The password does not open it.
    #[error("the password does not open the PKCS#12 file")]
    Password,
    /// It asks for more rounds.
    #[error("the PKCS#12 file asks for more than {ROUNDS} rounds of key derivation")]
    Rounds,
    /// A cipher that is not read.
    #[error(
        "the PKCS#12 file is sealed in an old way that is not accepted; convert it: openssl pkcs12 \
         -legacy -in OLD -out ALL.pem -nodes, then openssl pkcs12 -export -in ALL.pem -out NEW"
    )]
    Cipher,
    /// No private key.
    #[error("the PKCS#12 file has no private key")]
    NoKey,
    /// More than one private key.
    #[error("the PKCS#12 file has more than one private key; export the one that is meant")]
    Keys,
    /// No certificate.
    #[error("the PKCS#12 file has no certificate")]
    NoCertificate,
}

/// What a file holds.
pub struct Pkcs12 {
    /// The private key in PKCS#8 (DER).
    pub key: Vec<u8>,
    /// The certificates (DER), in the order of the file.
    pub certificates: Vec<Vec<u8>>,
    /// Whether it is protected as files are today: as a whole by a MAC, and without triple DES.
    pub is_of_today: bool,
}

impl std::fmt::Debug for Pkcs12 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pkcs12(***, {} certificates)", self.certificates.len())
    }
}

const DATA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01];
const ENCRYPTED_DATA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x06];
const BAGS: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01];
const X509: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x16, 0x01];
const PBES2: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D];
const PBKDF2: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C];
const SHA1_TRIPLE_DES: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01, 0x03];
/// HMAC with SHA-1, -256, -384, -512: this and a last byte.
const HMACS: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02];
/// AES in CBC mode: this and a last byte.
const AES: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01];

/// Opens a file with its password.
///
/// # Errors
/// [`Pkcs12Error`].
pub fn open(file: &[u8], password: &str) -> Result<Pkcs12, Pkcs12Error> {
    if file.len() > FILE_BYTES {
        return Err(Pkcs12Error::TooLarge);
    }
    let damaged = Pkcs12Error::Damaged;
    let mut pfx = PfxReader::new(file).inside(SEQUENCE).ok_or(damaged)?;
    if pfx.number() != Some(3) {
        return Err(damaged);
    }
    let mut opening = Pkcs12Opening::new(password);
    let safes = content(&mut pfx).ok_or(damaged)?;
    // A file without a MAC is not sealed as a whole: its key still is.
    match pfx.is_empty() {
        true => opening.is_of_today = false,
        false => opening.check_mac(pfx.inside(SEQUENCE).ok_or(damaged)?, safes)?,
    }
    let mut all = PfxReader::new(safes).inside(SEQUENCE).ok_or(damaged)?;
    while !all.is_empty() {
        let mut info = all.inside(SEQUENCE).ok_or(damaged)?;
        let kind = info.take(OID).ok_or(damaged)?;
        let mut value = info.inside(EXPLICIT_0).ok_or(damaged)?;
        if kind == DATA {
            opening.bags(value.take(OCTETS).ok_or(damaged)?)?;
        } else if kind == ENCRYPTED_DATA {
            let sealed = opening.encrypted(value.inside(SEQUENCE).ok_or(damaged)?)?;
            opening.bags(&sealed)?;
        } else {
            return Err(damaged);
        }
    }
    let key = opening.key.ok_or(Pkcs12Error::NoKey)?;
    let (certificates, is_of_today) = (opening.certificates, opening.is_of_today);
    match certificates.is_empty() {
        true => Err(Pkcs12Error::NoCertificate),
        false => Ok(Pkcs12 { key, certificates, is_of_today }),
    }
}

/// `ContentInfo` of data: its bytes.
fn content<'d>(outer: &mut PfxReader<'d>) -> Option<&'d [u8]> {
    let mut info = outer.inside(SEQUENCE)?;
    if info.take(OID)? != DATA {
        return None;
    }
    info.inside(EXPLICIT_0)?.take(OCTETS)
}

struct Pkcs12Opening<'p> {
    password: &'p str,
    /// Rounds that are left.
    rounds: u64,
    key: Option<Vec<u8>>,
    certificates: Vec<Vec<u8>>,
    is_of_today: bool,
}

impl<'p> Pkcs12Opening<'p> {
    fn new(password: &'p str) -> Pkcs12Opening<'p> {
        let (key, certificates) = (None, Vec::new());
        Pkcs12Opening { password, rounds: ROUNDS, key, certificates, is_of_today: true }
    }

    fn spend(&mut self, rounds: u64) -> Result<u32, Pkcs12Error> {
        self.rounds = self.rounds.checked_sub(rounds.max(1)).ok_or(Pkcs12Error::Rounds)?;
        u32::try_from(rounds.max(1)).map_err(|_| Pkcs12Error::Rounds)
    }

    fn check_mac(&mut self, mut mac: PfxReader<'_>, safes: &[u8]) -> Result<(), Pkcs12Error> {
        let damaged = Pkcs12Error::Damaged;
        let mut info = mac.inside(SEQUENCE).ok_or(damaged)?;
        let algorithm = info.inside(SEQUENCE).and_then(|mut id| id.take(OID)).ok_or(damaged)?;
        let stated = info.take(OCTETS).ok_or(damaged)?;
        let salt = mac.take(OCTETS).ok_or(damaged)?;
        let rounds = if mac.is_empty() { 1 } else { mac.number().ok_or(damaged)? };
        let digest = KdfDigest::named(algorithm).ok_or(Pkcs12Error::Cipher)?;
        let rounds = self.spend(rounds)?;
        let key = derive(digest, KdfPurpose::Mac, self.password, salt, rounds, digest.length());
        let key = hmac::Key::new(digest.hmac(), &key);
        hmac::verify(&key, safes, stated).map_err(|_| Pkcs12Error::Password)
    }

    fn encrypted(&mut self, mut data: PfxReader<'_>) -> Result<Vec<u8>, Pkcs12Error> {
        let damaged = Pkcs12Error::Damaged;
        data.number().ok_or(damaged)?;
        let mut info = data.inside(SEQUENCE).ok_or(damaged)?;
        if info.take(OID) != Some(DATA) {
            return Err(damaged);
        }
        let algorithm = info.inside(SEQUENCE).ok_or(damaged)?;
        let sealed = info.take(IMPLICIT_0).ok_or(damaged)?;
        self.unseal(algorithm, sealed)
    }

    fn bags(&mut self, contents: &[u8]) -> Result<(), Pkcs12Error> {
        let damaged = Pkcs12Error::Damaged;
        let mut all = PfxReader::new(contents).inside(SEQUENCE).ok_or(damaged)?;
        while !all.is_empty() {
            let mut bag = all.inside(SEQUENCE).ok_or(damaged)?;
            let kind = bag.take(OID).ok_or(damaged)?;
            let mut value = bag.inside(EXPLICIT_0).ok_or(damaged)?;
            match kind.strip_prefix(BAGS) {
                Some([1]) => {
                    // The key as it is: its item with its head.
                    let inner = value.take(SEQUENCE).ok_or(damaged)?;
                    self.found(item(SEQUENCE, inner))?;
                }
                Some([2]) => {
                    let mut sealed = value.inside(SEQUENCE).ok_or(damaged)?;
                    let algorithm = sealed.inside(SEQUENCE).ok_or(damaged)?;
                    let key = self.unseal(algorithm, sealed.take(OCTETS).ok_or(damaged)?)?;
                    self.found(key)?;
                }
                Some([3]) => {
                    let mut certificate = value.inside(SEQUENCE).ok_or(damaged)?;
                    if certificate.take(OID) == Some(X509) {
                        let der = certificate.inside(EXPLICIT_0).and_then(|mut v| v.take(OCTETS));
                        self.certificates.push(der.ok_or(damaged)?.to_vec());
                    }
                    if self.certificates.len() > CERTIFICATES {
                        return Err(Pkcs12Error::TooLarge);
                    }
                }
                // Lists of revoked certificates, secrets: nothing that is needed.
                _ => {}
            }
        }
        Ok(())
    }

    fn found(&mut self, key: Vec<u8>) -> Result<(), Pkcs12Error> {
        if self.key.replace(key).is_some() { Err(Pkcs12Error::Keys) } else { Ok(()) }
    }

    fn unseal(
        &mut self,
        mut algorithm: PfxReader<'_>,
        sealed: &[u8],
    ) -> Result<Vec<u8>, Pkcs12Error> {
        let damaged = Pkcs12Error::Damaged;
        let name = algorithm.take(OID).ok_or(damaged)?;
        let mut parameters = algorithm.inside(SEQUENCE).ok_or(damaged)?;
        if name == SHA1_TRIPLE_DES {
            self.is_of_today = false;
            let salt = parameters.take(OCTETS).ok_or(damaged)?;
            let rounds = self.spend(parameters.number().ok_or(damaged)?)?;
            let part = |purpose, length| {
                derive(KdfDigest::Sha1, purpose, self.password, salt, rounds, length)
            };
            let (key, iv) = (part(KdfPurpose::Key, 24), part(KdfPurpose::Vector, 8));
            return kdf::open_triple_des(&key, &iv, sealed).ok_or(Pkcs12Error::Password);
        }
        if name != PBES2 {
            return Err(Pkcs12Error::Cipher);
        }
        let mut deriving = parameters.inside(SEQUENCE).ok_or(damaged)?;
        let mut cipher = parameters.inside(SEQUENCE).ok_or(damaged)?;
        let length = match cipher.take(OID).and_then(|name| name.strip_prefix(AES)) {
            Some([2]) => 16,
            Some([22]) => 24,
            Some([42]) => 32,
            _ => return Err(Pkcs12Error::Cipher),
        };
        let iv: [u8; 16] = cipher.take(OCTETS).and_then(|iv| iv.try_into().ok()).ok_or(damaged)?;
        let key = self.pbkdf2(&mut deriving, length)?;
        crate::keys::open_aes_cbc(&key, iv, sealed).map_err(|_| Pkcs12Error::Password)
    }

    fn pbkdf2(
        &mut self,
        deriving: &mut PfxReader<'_>,
        length: usize,
    ) -> Result<Vec<u8>, Pkcs12Error> {
        let damaged = Pkcs12Error::Damaged;
        if deriving.take(OID) != Some(PBKDF2) {
            return Err(Pkcs12Error::Cipher);
        }
        let mut parameters = deriving.inside(SEQUENCE).ok_or(damaged)?;
        let salt = parameters.take(OCTETS).ok_or(damaged)?;
        let rounds = self.spend(parameters.number().ok_or(damaged)?)?;
        let mut algorithm = pbkdf2::PBKDF2_HMAC_SHA1;
        while let Some(item) = parameters.item() {
            if item.tag != SEQUENCE {
                continue;
            }
            let name = PfxReader::new(item.content).take(OID);
            algorithm = match name.and_then(|name| name.strip_prefix(HMACS)) {
                Some([7]) => pbkdf2::PBKDF2_HMAC_SHA1,
                Some([9]) => pbkdf2::PBKDF2_HMAC_SHA256,
                Some([10]) => pbkdf2::PBKDF2_HMAC_SHA384,
                Some([11]) => pbkdf2::PBKDF2_HMAC_SHA512,
                _ => return Err(Pkcs12Error::Cipher),
            };
        }
        let rounds = std::num::NonZeroU32::new(rounds).ok_or(damaged)?;
        let mut key = vec![0; length];
        pbkdf2::derive(algorithm, rounds, salt, self.password.as_bytes(), &mut key);
        Ok(key)
    }
}

/// An item of a tag around a content.
fn item(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match u8::try_from(content.len()) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => {
            let length = content.len().to_be_bytes();
            let digits: Vec<u8> = length.into_iter().skip_while(|digit| *digit == 0).collect();
            out.push(0x80 | u8::try_from(digits.len()).unwrap_or(8));
            out.extend(digits);
        }
    }
    out.extend_from_slice(content);
    out
}
