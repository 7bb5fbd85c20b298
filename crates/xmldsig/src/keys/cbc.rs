//! AES in CBC mode with PKCS#7 padding: what packages of KSeF and PKCS#12 files are sealed with.
//!
//! CBC says nothing about changes: whoever uses it compares a digest of what was opened.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, DecryptionContext, EncryptionContext, PaddedBlockDecryptingKey,
    PaddedBlockEncryptingKey, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;

use super::KeyError;

/// Length of an AES-256 key in bytes.
pub const AES_256_KEY_LENGTH: usize = 32;
/// Length of a block and of an initialisation vector in bytes.
pub const AES_BLOCK_LENGTH: usize = 16;

/// Encrypts with AES-256-CBC and PKCS#7. The vector is not part of the answer.
///
/// # Errors
/// [`KeyError::Operation`].
pub fn seal_aes256_cbc(
    key: &[u8; AES_256_KEY_LENGTH],
    iv: [u8; AES_BLOCK_LENGTH],
    plain: &[u8],
) -> Result<Vec<u8>, KeyError> {
    let key = UnboundCipherKey::new(&AES_256, key).map_err(|_| KeyError::Operation)?;
    let key = PaddedBlockEncryptingKey::cbc_pkcs7(key).map_err(|_| KeyError::Operation)?;
    let mut out = Vec::with_capacity(plain.len() + AES_BLOCK_LENGTH);
    out.extend_from_slice(plain);
    key.less_safe_encrypt(&mut out, EncryptionContext::Iv128(FixedLength::from(iv)))
        .map_err(|_| KeyError::Operation)?;
    Ok(out)
}

/// Decrypts what [`seal_aes256_cbc`] made.
///
/// # Errors
/// [`KeyError::Decryption`], whatever the reason.
pub fn open_aes256_cbc(
    key: &[u8; AES_256_KEY_LENGTH],
    iv: [u8; AES_BLOCK_LENGTH],
    sealed: &[u8],
) -> Result<Vec<u8>, KeyError> {
    open_aes_cbc(key, iv, sealed)
}

/// Decrypts AES-CBC with PKCS#7 under a key of 16, 24 or 32 bytes.
///
/// # Errors
/// [`KeyError::Decryption`], whatever the reason.
pub fn open_aes_cbc(
    key: &[u8],
    iv: [u8; AES_BLOCK_LENGTH],
    sealed: &[u8],
) -> Result<Vec<u8>, KeyError> {
    let algorithm = match key.len() {
        16 => &AES_128,
        24 => &AES_192,
        _ => &AES_256,
    };
    let key = UnboundCipherKey::new(algorithm, key).map_err(|_| KeyError::Decryption)?;
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(|_| KeyError::Decryption)?;
    let mut body = sealed.to_vec();
    let length = key
        .decrypt(&mut body, DecryptionContext::Iv128(FixedLength::from(iv)))
        .map_err(|_| KeyError::Decryption)?
        .len();
    body.truncate(length);
    Ok(body)
}
