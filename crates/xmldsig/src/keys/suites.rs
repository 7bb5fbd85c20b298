//! Signatures of the kinds that certificates of people and companies make: RSA and P-256, in XML
//! and
//! over a text that is printed as a code.
//!
//! Sources: RFC 6931 (names of the algorithms); RFC 4051, section 2.3.6 (ECDSA: R and S side by
//! side).

use std::fmt;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING,
    ECDSA_P384_SHA384_FIXED, EcdsaKeyPair, KeyPair, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PKCS1_SHA256,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_SHA256, RsaKeyPair, RsaSignatureEncoding, UnparsedPublicKey,
    VerificationAlgorithm,
};
use quoin_xml::namespaces as ns;

use super::KeyError;
use super::memory::unless_out_of_memory;

/// A private key of a certificate: RSA of 2048 to 8192 bits, or P-256.
pub enum SigningKey {
    /// RSA.
    Rsa(RsaKeyPair),
    /// ECDSA on P-256 with SHA-256.
    P256(EcdsaKeyPair),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SigningKey::Rsa(_) => "SigningKey(RSA, ***)",
            SigningKey::P256(_) => "SigningKey(P-256, ***)",
        })
    }
}

impl SigningKey {
    /// Reads a key from PKCS#8 (DER).
    ///
    /// # Errors
    /// [`KeyError::PrivateKey`] when it is of another kind or size.
    pub fn from_pkcs8(der: &[u8]) -> Result<SigningKey, KeyError> {
        if let Ok(key) = RsaKeyPair::from_pkcs8(der) {
            return Ok(SigningKey::Rsa(key));
        }
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der)
            .or_else(|_| EcdsaKeyPair::from_private_key_der(&ECDSA_P256_SHA256_FIXED_SIGNING, der))
            .map(SigningKey::P256)
            .map_err(|_| KeyError::PrivateKey)
    }

    /// What the BIT STRING of the certificate's `SubjectPublicKeyInfo` holds: `RSAPublicKey`
    /// (DER),
    /// or the uncompressed point.
    pub fn public_key(&self) -> &[u8] {
        match self {
            SigningKey::Rsa(key) => key.public_key().as_ref(),
            SigningKey::P256(key) => key.public_key().as_ref(),
        }
    }

    /// The identifier of the algorithm that [`SigningKey::sign_xml`] uses.
    pub fn xml_algorithm(&self) -> &'static str {
        match self {
            SigningKey::Rsa(_) => ns::RSA_SHA256,
            SigningKey::P256(_) => ns::ECDSA_SHA256,
        }
    }

    /// Signs what stands in XML: RSASSA-PKCS1-v1_5, or ECDSA as R and S side by side.
    ///
    /// # Errors
    /// [`KeyError::Operation`].
    pub fn sign_xml(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        self.sign(&RSA_PKCS1_SHA256, message)
    }

    /// Signs a text that is printed: RSASSA-PSS with a salt of 32 bytes, or ECDSA as R and S.
    ///
    /// # Errors
    /// [`KeyError::Operation`].
    pub fn sign_link(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        self.sign(&RSA_PSS_SHA256, message)
    }

    fn sign(
        &self,
        encoding: &'static RsaSignatureEncoding,
        message: &[u8],
    ) -> Result<Vec<u8>, KeyError> {
        let random = SystemRandom::new();
        match self {
            SigningKey::Rsa(key) => {
                let mut out = vec![0; key.public_modulus_len()];
                key.sign(encoding, &random, message, &mut out).map_err(|_| KeyError::Operation)?;
                Ok(out)
            }
            SigningKey::P256(key) => {
                let signature = key.sign(&random, message).map_err(|_| KeyError::Operation)?;
                Ok(signature.as_ref().to_vec())
            }
        }
    }
}

/// The algorithms of XML signatures that are verified, by their identifiers.
const XML_SUITES: &[(&str, &dyn VerificationAlgorithm)] = &[
    (ns::RSA_SHA256, &RSA_PKCS1_2048_8192_SHA256),
    (ns::RSA_SHA384, &RSA_PKCS1_2048_8192_SHA384),
    (ns::RSA_SHA512, &RSA_PKCS1_2048_8192_SHA512),
    (ns::RSA_PSS_SHA256, &RSA_PSS_2048_8192_SHA256),
    (ns::ECDSA_SHA256, &ECDSA_P256_SHA256_FIXED),
    (ns::ECDSA_SHA384, &ECDSA_P384_SHA384_FIXED),
];

/// Verifies the value of an XML signature with a `SubjectPublicKeyInfo` (DER). `None`: the
/// algorithm
/// is not one that is verified here.
///
/// # Errors
/// [`KeyError::Signature`] when it does not verify, or the key is of another kind.
pub fn verify_xml(
    spki: &[u8],
    algorithm: &str,
    message: &[u8],
    signature: &[u8],
) -> Option<Result<(), KeyError>> {
    let (_, suite) = XML_SUITES.iter().find(|(name, _)| *name == algorithm)?;
    Some(verified(*suite, spki, message, signature))
}

/// Verifies what [`SigningKey::sign_link`] makes; of ECDSA also the form in DER, which other
/// programs print.
///
/// # Errors
/// [`KeyError::Signature`].
pub fn verify_link(spki: &[u8], message: &[u8], signature: &[u8]) -> Result<(), KeyError> {
    let suites: [&'static dyn VerificationAlgorithm; 3] =
        [&RSA_PSS_2048_8192_SHA256, &ECDSA_P256_SHA256_FIXED, &ECDSA_P256_SHA256_ASN1];
    let verifies = suites.iter().any(|suite| verified(*suite, spki, message, signature).is_ok());
    verifies.then_some(()).ok_or(KeyError::Signature)
}

fn verified(
    suite: &'static dyn VerificationAlgorithm,
    spki: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), KeyError> {
    let verified = UnparsedPublicKey::new(suite, spki).verify(message, signature);
    verified.map_err(|_| unless_out_of_memory(KeyError::Signature))
}
