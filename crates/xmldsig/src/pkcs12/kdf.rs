//! Deriving keys as PKCS#12 does it itself, for the MAC of a file and for triple DES.
//!
//! Source: RFC 7292, appendix B.

use aws_lc_rs::{digest, hmac};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockModeDecrypt, KeyIvInit};

/// The digest that is worked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KdfDigest {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// What a key is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum KdfPurpose {
    Key = 1,
    Vector = 2,
    Mac = 3,
}

impl KdfDigest {
    /// By the object identifier of a digest.
    pub(super) fn named(oid: &[u8]) -> Option<KdfDigest> {
        match oid {
            [0x2B, 0x0E, 0x03, 0x02, 0x1A] => Some(KdfDigest::Sha1),
            [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last] => match last {
                1 => Some(KdfDigest::Sha256),
                2 => Some(KdfDigest::Sha384),
                3 => Some(KdfDigest::Sha512),
                _ => None,
            },
            _ => None,
        }
    }

    fn algorithm(self) -> &'static digest::Algorithm {
        match self {
            KdfDigest::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            KdfDigest::Sha256 => &digest::SHA256,
            KdfDigest::Sha384 => &digest::SHA384,
            KdfDigest::Sha512 => &digest::SHA512,
        }
    }

    pub(super) fn hmac(self) -> hmac::Algorithm {
        match self {
            KdfDigest::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
            KdfDigest::Sha256 => hmac::HMAC_SHA256,
            KdfDigest::Sha384 => hmac::HMAC_SHA384,
            KdfDigest::Sha512 => hmac::HMAC_SHA512,
        }
    }

    /// Bytes of its value.
    pub(super) fn length(self) -> usize {
        self.algorithm().output_len()
    }

    /// Bytes of its block: `v` of the specification.
    fn block(self) -> usize {
        match self {
            KdfDigest::Sha1 | KdfDigest::Sha256 => 64,
            KdfDigest::Sha384 | KdfDigest::Sha512 => 128,
        }
    }
}

/// `length` bytes for a purpose (appendix B.2).
pub(super) fn derive(
    kind: KdfDigest,
    purpose: KdfPurpose,
    password: &str,
    salt: &[u8],
    rounds: u32,
    length: usize,
) -> Vec<u8> {
    let block = kind.block();
    let mut text: Vec<u8> = password.encode_utf16().flat_map(u16::to_be_bytes).collect();
    text.extend([0, 0]);
    let filled = |bytes: &[u8]| -> Vec<u8> {
        bytes.iter().copied().cycle().take(block * bytes.len().div_ceil(block)).collect()
    };
    let mut input = filled(salt);
    input.extend(filled(&text));
    let mut out = Vec::with_capacity(length + block);
    while out.len() < length {
        let mut first = digest::Context::new(kind.algorithm());
        first.update(&vec![purpose as u8; block]);
        first.update(&input);
        let mut value = first.finish();
        for _ in 1..rounds {
            value = digest::digest(kind.algorithm(), value.as_ref());
        }
        out.extend_from_slice(value.as_ref());
        let addend: Vec<u8> = value.as_ref().iter().copied().cycle().take(block).collect();
        for chunk in input.chunks_mut(block) {
            add(chunk, &addend);
        }
    }
    out.truncate(length);
    out
}

/// `chunk = chunk + addend + 1`, as numbers of that many bytes.
fn add(chunk: &mut [u8], addend: &[u8]) {
    let mut carry = 1u16;
    for (digit, add) in chunk.iter_mut().rev().zip(addend.iter().rev()) {
        let sum = u16::from(*digit) + u16::from(*add) + carry;
        *digit = sum.to_be_bytes()[1];
        carry = sum >> 8;
    }
}

/// Decrypts triple DES in CBC mode with PKCS#7; `None` whatever the reason.
pub(super) fn open_triple_des(key: &[u8], iv: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let cipher = cbc::Decryptor::<des::TdesEde3>::new_from_slices(key, iv).ok()?;
    cipher.decrypt_padded_vec::<Pkcs7>(sealed).ok()
}
