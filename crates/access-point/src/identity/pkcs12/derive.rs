//! Keys from passwords: PBKDF2 for the contents, and the older derivation of PKCS#12 for the MAC.
//!
//! Sources: RFC 8018, section 5.2; RFC 7292, appendix B.

use std::num::NonZeroU32;

use aws_lc_rs::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512};
use aws_lc_rs::{hmac, pbkdf2 as derive};

use super::Pkcs12Error;
use super::der::{dotted, oid};

/// The hash of a digest algorithm, its HMAC, and the length of its blocks in bytes.
const HASHES: [(&str, &digest::Algorithm, hmac::Algorithm, usize); 4] = [
    ("1.3.14.3.2.26", &SHA1_FOR_LEGACY_USE_ONLY, hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, 64),
    ("2.16.840.1.101.3.4.2.1", &SHA256, hmac::HMAC_SHA256, 64),
    ("2.16.840.1.101.3.4.2.2", &SHA384, hmac::HMAC_SHA384, 128),
    ("2.16.840.1.101.3.4.2.3", &SHA512, hmac::HMAC_SHA512, 128),
];

/// PBKDF2 with the pseudo-random function of this object identifier; HMAC with SHA-1 where there is
/// none, as the standard has it.
pub(super) fn pbkdf2(
    prf: Option<&[u8]>,
    password: &str,
    salt: &[u8],
    rounds: u32,
    length: usize,
) -> Result<Vec<u8>, Pkcs12Error> {
    let algorithm = match prf {
        None => derive::PBKDF2_HMAC_SHA1,
        Some(id) if id == oid("1.2.840.113549.2.7") => derive::PBKDF2_HMAC_SHA1,
        Some(id) if id == oid("1.2.840.113549.2.9") => derive::PBKDF2_HMAC_SHA256,
        Some(id) if id == oid("1.2.840.113549.2.10") => derive::PBKDF2_HMAC_SHA384,
        Some(id) if id == oid("1.2.840.113549.2.11") => derive::PBKDF2_HMAC_SHA512,
        Some(other) => return Err(Pkcs12Error::Algorithm(dotted(other))),
    };
    let rounds = NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN);
    let mut key = vec![0; length];
    derive::derive(algorithm, rounds, salt, password.as_bytes(), &mut key);
    Ok(key)
}

/// Whether the MAC over `content` is the expected one.
pub(super) fn mac(
    algorithm: &[u8],
    password: &str,
    salt: &[u8],
    rounds: u32,
    content: &[u8],
    expected: &[u8],
) -> Result<bool, Pkcs12Error> {
    let row = HASHES.iter().find(|(id, ..)| oid(id) == algorithm);
    let (_, hash, hmac, block) = row.ok_or_else(|| Pkcs12Error::Algorithm(dotted(algorithm)))?;
    let key = mac_key(hash, *block, password, salt, rounds);
    Ok(hmac::verify(&hmac::Key::new(*hmac, &key), content, expected).is_ok())
}

/// The derivation of RFC 7292, B.2, for a MAC: as many bytes as the hash has, so that one turn of
/// its loop is enough.
fn mac_key(
    hash: &'static digest::Algorithm,
    block: usize,
    password: &str,
    salt: &[u8],
    rounds: u32,
) -> Vec<u8> {
    let mut wide: Vec<u8> = password.encode_utf16().flat_map(u16::to_be_bytes).collect();
    wide.extend([0, 0]);
    let mut input = vec![3; block];
    for part in [salt, &wide] {
        let length = part.len().div_ceil(block) * block;
        input.extend(part.iter().copied().cycle().take(length));
    }
    let mut key = digest::digest(hash, &input).as_ref().to_vec();
    for _ in 1..rounds {
        key = digest::digest(hash, &key).as_ref().to_vec();
    }
    key
}
