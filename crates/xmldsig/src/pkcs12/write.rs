//! Writing a PKCS#12 file: PBES2 with AES-256 and HMAC with SHA-256, as OpenSSL 3 writes it. The
//! laboratory gives its certificates out so.

use super::der::{EXPLICIT_0, IMPLICIT_0, INTEGER, OCTETS, OID, SEQUENCE};
use super::kdf::{KdfDigest, KdfPurpose, derive};
use super::{AES, BAGS, DATA, ENCRYPTED_DATA, HMACS, PBES2, PBKDF2, X509, item};
use crate::keys::{KeyError, seal_aes256_cbc};
use aws_lc_rs::{hmac, pbkdf2};

/// Rounds of a file that is written.
const WRITTEN_ROUNDS: u32 = 2_048;
/// SHA-256 as an algorithm.
const SHA_256: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];

/// A file with a key in PKCS#8 (DER) and its certificate (DER) under a password. `random` is new
/// for each file.
///
/// # Errors
/// [`KeyError::Operation`].
pub fn seal(
    key: &[u8],
    certificate: &[u8],
    password: &str,
    random: [u8; 48],
) -> Result<Vec<u8>, KeyError> {
    let (salt, iv) = random.split_at(32);
    let (sealed_key, algorithm) = sealed(key, password, salt, iv)?;
    let shrouded = [sequence(&[algorithm]), item(OCTETS, &sealed_key)].concat();
    let key_bag = bag(2, &item(SEQUENCE, &shrouded));
    let inner = [item(OID, X509), item(EXPLICIT_0, &item(OCTETS, certificate))].concat();
    let certificates = item(SEQUENCE, &bag(3, &item(SEQUENCE, &inner)));
    let (sealed_certificates, algorithm) = sealed(&certificates, password, salt, iv)?;
    let encrypted =
        [item(OID, DATA), sequence(&[algorithm]), item(IMPLICIT_0, &sealed_certificates)].concat();
    let encrypted = [item(INTEGER, &[0]), item(SEQUENCE, &encrypted)].concat();
    let safes = item(
        SEQUENCE,
        &[
            content_info(ENCRYPTED_DATA, &item(SEQUENCE, &encrypted)),
            content_info(DATA, &item(OCTETS, &item(SEQUENCE, &key_bag))),
        ]
        .concat(),
    );
    let mac_key = derive(KdfDigest::Sha256, KdfPurpose::Mac, password, salt, WRITTEN_ROUNDS, 32);
    let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &mac_key), &safes);
    let null = [0x05, 0x00];
    let digest_info =
        [sequence(&[item(OID, SHA_256), null.to_vec()]), item(OCTETS, mac.as_ref())].concat();
    let mac_data =
        [item(SEQUENCE, &digest_info), item(OCTETS, salt), item(INTEGER, &rounds())].concat();
    let pfx =
        [item(INTEGER, &[3]), content_info(DATA, &item(OCTETS, &safes)), item(SEQUENCE, &mac_data)];
    Ok(sequence(&pfx))
}

fn rounds() -> Vec<u8> {
    WRITTEN_ROUNDS.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect()
}

fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    item(SEQUENCE, &parts.concat())
}

fn content_info(kind: &[u8], content: &[u8]) -> Vec<u8> {
    sequence(&[item(OID, kind), item(EXPLICIT_0, content)])
}

fn bag(kind: u8, content: &[u8]) -> Vec<u8> {
    let mut name = BAGS.to_vec();
    name.push(kind);
    sequence(&[item(OID, &name), item(EXPLICIT_0, content)])
}

/// The sealed bytes, and the content of the algorithm that opens them.
fn sealed(
    plain: &[u8],
    password: &str,
    salt: &[u8],
    iv: &[u8],
) -> Result<(Vec<u8>, Vec<u8>), KeyError> {
    let mut key = [0; 32];
    let count = std::num::NonZeroU32::new(WRITTEN_ROUNDS).ok_or(KeyError::Operation)?;
    pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, count, salt, password.as_bytes(), &mut key);
    let vector = iv.try_into().map_err(|_| KeyError::Operation)?;
    let out = seal_aes256_cbc(&key, vector, plain)?;
    let prf = sequence(&[item(OID, &[HMACS, &[9]].concat()), vec![0x05, 0x00]]);
    let deriving = sequence(&[
        item(OID, PBKDF2),
        sequence(&[item(OCTETS, salt), item(INTEGER, &rounds()), prf]),
    ]);
    let cipher = sequence(&[item(OID, &[AES, &[42]].concat()), item(OCTETS, iv)]);
    Ok((out, [item(OID, PBES2), sequence(&[deriving, cipher])].concat()))
}
