//! RSA keys, digests and authenticated encryption: the few primitives that AS4 and SMP use.
//!
//! Signing and decrypting go through traits, so that a key may live in a hardware module.

mod cbc;
mod memory;
mod oaep;
mod suites;
#[cfg(test)]
mod tests;

use std::fmt;

pub use cbc::{
    AES_256_KEY_LENGTH, AES_BLOCK_LENGTH, open_aes_cbc, open_aes256_cbc, seal_aes256_cbc,
};
pub use memory::end_without_memory;
use memory::unless_out_of_memory;
pub use oaep::unpad_oaep;
pub use suites::{SigningKey, verify_link, verify_xml};

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{
    OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
    PrivateDecryptingKey, PublicEncryptingKey,
};
use aws_lc_rs::signature::{
    KeyPair, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair,
};
use quoin_xml::namespaces::{SHA256, SHA384, SHA512};

/// Length of an AES-GCM initialisation vector in bytes (XML Encryption 1.1, section 5.2.4).
pub const GCM_IV_LENGTH: usize = 12;
/// Length of an AES-GCM authentication tag in bytes.
pub const GCM_TAG_LENGTH: usize = 16;
/// Length of an AES-128 key in bytes.
pub const AES_128_KEY_LENGTH: usize = 16;

/// Why a key could not be read or used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The private key is not an RSA key in PKCS#8, or of an unsupported size.
    #[error("the private key is not a PKCS#8 RSA key of 2048 to 8192 bits")]
    PrivateKey,
    /// The public key is not an RSA key in SubjectPublicKeyInfo.
    #[error("the public key is not an RSA key of 2048 to 8192 bits")]
    PublicKey,
    /// The signature does not belong to the message and key.
    #[error("the signature does not verify")]
    Signature,
    /// The text was not encrypted for this key, or was changed.
    #[error("decryption failed")]
    Decryption,
    /// The operation failed inside the cryptographic module.
    #[error("the cryptographic operation failed")]
    Operation,
}

/// Something that signs with RSASSA-PKCS1-v1_5 and SHA-256.
pub trait Signer: Send + Sync {
    /// The signature over a message.
    ///
    /// # Errors
    /// [`KeyError::Operation`] when the module fails.
    fn sign_rsa_sha256(&self, message: &[u8]) -> Result<Vec<u8>, KeyError>;

    /// Whether it may take long, as a module on the network does: then it is kept off threads that
    /// serve others.
    fn is_slow(&self) -> bool {
        false
    }
}

/// Something that decrypts keys encrypted with RSA-OAEP, SHA-256 and MGF1 with SHA-256.
pub trait Decrypter: Send + Sync {
    /// The content key.
    ///
    /// # Errors
    /// [`KeyError::Decryption`], whatever is wrong with the text, so that no oracle arises;
    /// [`KeyError::Operation`] when the module fails, whatever the text is.
    fn decrypt_oaep(&self, ciphertext: &[u8]) -> Result<Vec<u8>, KeyError>;

    /// As [`Signer::is_slow`].
    fn is_slow(&self) -> bool {
        false
    }
}

/// An RSA private key held in memory: it signs and decrypts.
pub struct PrivateKey {
    signing: RsaKeyPair,
    decrypting: OaepPrivateDecryptingKey,
    random: SystemRandom,
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateKey(***)")
    }
}

impl PrivateKey {
    /// Reads a key from PKCS#8 (DER).
    ///
    /// # Errors
    /// [`KeyError::PrivateKey`].
    pub fn from_pkcs8(der: &[u8]) -> Result<PrivateKey, KeyError> {
        let signing = RsaKeyPair::from_pkcs8(der).map_err(|_| KeyError::PrivateKey)?;
        let decrypting = PrivateDecryptingKey::from_pkcs8(der).map_err(|_| KeyError::PrivateKey)?;
        let decrypting =
            OaepPrivateDecryptingKey::new(decrypting).map_err(|_| KeyError::PrivateKey)?;
        Ok(PrivateKey { signing, decrypting, random: SystemRandom::new() })
    }

    /// The public key as `RSAPublicKey` (PKCS#1 DER), to compare with a certificate's.
    pub fn public_key(&self) -> &[u8] {
        self.signing.public_key().as_ref()
    }
}

impl Signer for PrivateKey {
    fn sign_rsa_sha256(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut signature = vec![0; self.signing.public_modulus_len()];
        self.signing
            .sign(&RSA_PKCS1_SHA256, &self.random, message, &mut signature)
            .map_err(|_| KeyError::Operation)?;
        Ok(signature)
    }
}

impl Decrypter for PrivateKey {
    fn decrypt_oaep(&self, ciphertext: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut plain = vec![0; self.decrypting.min_output_size()];
        let key = self
            .decrypting
            .decrypt(&OAEP_SHA256_MGF1SHA256, ciphertext, &mut plain, None)
            .map_err(|_| unless_out_of_memory(KeyError::Decryption))?;
        Ok(key.to_vec())
    }
}

/// An RSA public key, parsed once: it verifies and encrypts.
pub struct PublicKey {
    verifying: ParsedPublicKey,
    encrypting: OaepPublicEncryptingKey,
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(RSA)")
    }
}

impl PublicKey {
    /// Reads a key from SubjectPublicKeyInfo (DER), as it stands in a certificate.
    ///
    /// # Errors
    /// [`KeyError::PublicKey`].
    pub fn from_spki(der: &[u8]) -> Result<PublicKey, KeyError> {
        let verifying = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, der)
            .map_err(|_| unless_out_of_memory(KeyError::PublicKey))?;
        let encrypting = PublicEncryptingKey::from_der(der)
            .map_err(|_| unless_out_of_memory(KeyError::PublicKey))?;
        let encrypting = OaepPublicEncryptingKey::new(encrypting)
            .map_err(|_| unless_out_of_memory(KeyError::PublicKey))?;
        Ok(PublicKey { verifying, encrypting })
    }

    /// Verifies an RSASSA-PKCS1-v1_5 signature with SHA-256.
    ///
    /// # Errors
    /// [`KeyError::Signature`].
    pub fn verify_rsa_sha256(&self, message: &[u8], signature: &[u8]) -> Result<(), KeyError> {
        let verified = self.verifying.verify_sig(message, signature);
        verified.map_err(|_| unless_out_of_memory(KeyError::Signature))
    }

    /// Encrypts a content key with RSA-OAEP, SHA-256 and MGF1 with SHA-256.
    ///
    /// # Errors
    /// [`KeyError::Operation`].
    pub fn encrypt_oaep(&self, plain: &[u8]) -> Result<Vec<u8>, KeyError> {
        let mut out = vec![0; self.encrypting.ciphertext_size()];
        let ciphertext = self
            .encrypting
            .encrypt(&OAEP_SHA256_MGF1SHA256, plain, &mut out, None)
            .map_err(|_| KeyError::Operation)?;
        Ok(ciphertext.to_vec())
    }
}

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    out
}

/// The digest of an XML signature by the identifier of its method; `None` for one that is not
/// accepted: SHA-256, SHA-384 and SHA-512 are.
pub fn digest_of(method: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let algorithm = match method {
        SHA256 => &digest::SHA256,
        SHA384 => &digest::SHA384,
        SHA512 => &digest::SHA512,
        _ => return None,
    };
    Some(digest::digest(algorithm, bytes).as_ref().to_vec())
}

/// Encrypts with AES-128-GCM: the answer is the vector, the ciphertext and the tag, as XML
/// Encryption 1.1 section 5.2.4 lays them out.
///
/// # Errors
/// [`KeyError::Operation`].
pub fn seal_aes128_gcm(
    key: &[u8; AES_128_KEY_LENGTH],
    iv: [u8; GCM_IV_LENGTH],
    plain: &[u8],
) -> Result<Vec<u8>, KeyError> {
    let mut out = Vec::with_capacity(plain.len() + GCM_IV_LENGTH + GCM_TAG_LENGTH);
    append_aes128_gcm(key, iv, plain, &mut out)?;
    Ok(out)
}

/// As [`seal_aes128_gcm`], behind what is there already: the content is encrypted where it stands,
/// so that it is there once.
///
/// # Errors
/// [`KeyError::Operation`].
pub fn append_aes128_gcm(
    key: &[u8; AES_128_KEY_LENGTH],
    iv: [u8; GCM_IV_LENGTH],
    plain: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), KeyError> {
    let cipher = UnboundKey::new(&AES_128_GCM, key).map_err(|_| KeyError::Operation)?;
    out.reserve(GCM_IV_LENGTH + plain.len() + GCM_TAG_LENGTH);
    out.extend_from_slice(&iv);
    let from = out.len();
    out.extend_from_slice(plain);
    let body = out.get_mut(from..).ok_or(KeyError::Operation)?;
    let tag = LessSafeKey::new(cipher)
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(iv), Aad::empty(), body)
        .map_err(|_| KeyError::Operation)?;
    out.extend_from_slice(tag.as_ref());
    Ok(())
}

/// Decrypts what [`seal_aes128_gcm`] made.
///
/// # Errors
/// [`KeyError::Decryption`], whatever the reason.
pub fn open_aes128_gcm(key: &[u8], sealed: &[u8]) -> Result<Vec<u8>, KeyError> {
    let cipher = UnboundKey::new(&AES_128_GCM, key).map_err(|_| KeyError::Decryption)?;
    let (iv, body) = sealed.split_first_chunk::<GCM_IV_LENGTH>().ok_or(KeyError::Decryption)?;
    let mut body = body.to_vec();
    let length = LessSafeKey::new(cipher)
        .open_in_place(Nonce::assume_unique_for_key(*iv), Aad::empty(), &mut body)
        .map_err(|_| unless_out_of_memory(KeyError::Decryption))?
        .len();
    body.truncate(length);
    Ok(body)
}
