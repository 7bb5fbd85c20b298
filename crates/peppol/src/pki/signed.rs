//! What certificates, CRLs and OCSP answers have in common: a body, an algorithm and a signature.

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P384_SHA384_ASN1, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, UnparsedPublicKey,
    VerificationAlgorithm,
};
use quoin_xmldsig::keys::end_without_memory;
use x509_cert::der::asn1::BitStringRef;
use x509_cert::der::{self, Decode, Header, Reader, SliceReader};
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::Certificate;

/// The parts of a signed structure, as they stand in its bytes.
pub(super) struct Signed<'a> {
    body: &'a [u8],
    algorithm: AlgorithmIdentifierOwned,
    signature: &'a [u8],
}

impl<'a> Signed<'a> {
    /// Takes `SEQUENCE { body, algorithm, BIT STRING, … }` apart without re-encoding anything.
    pub(super) fn parse(bytes: &'a [u8]) -> der::Result<Self> {
        let mut outer = SliceReader::new(bytes)?;
        let header = Header::decode(&mut outer)?;
        header.tag.assert_eq(der::Tag::Sequence)?;
        let mut inner = SliceReader::new(outer.read_slice(header.length)?)?;
        let body = inner.tlv_bytes()?;
        let algorithm = AlgorithmIdentifierOwned::decode(&mut inner)?;
        let signature = BitStringRef::decode(&mut inner)?;
        let signature = signature.as_bytes().ok_or(der::Tag::BitString.value_error())?;
        Ok(Self { body, algorithm, signature })
    }

    /// Whether the key of `signer` made the signature. SHA-1 and weaker are never accepted.
    pub(super) fn is_by(&self, signer: &Certificate) -> bool {
        let algorithm: &'static dyn VerificationAlgorithm =
            match self.algorithm.oid.to_string().as_str() {
                "1.2.840.113549.1.1.11" => &RSA_PKCS1_2048_8192_SHA256,
                "1.2.840.113549.1.1.12" => &RSA_PKCS1_2048_8192_SHA384,
                "1.2.840.113549.1.1.13" => &RSA_PKCS1_2048_8192_SHA512,
                "1.2.840.10045.4.3.2" => &ECDSA_P256_SHA256_ASN1,
                "1.2.840.10045.4.3.3" => &ECDSA_P384_SHA384_ASN1,
                _ => return false,
            };
        let key = UnparsedPublicKey::new(algorithm, signer.public_key());
        let is_by = key.verify(self.body, self.signature).is_ok();
        if !is_by {
            end_without_memory();
        }
        is_by
    }
}
