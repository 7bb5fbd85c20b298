//! A public key of an issuer as its key set has it (RFC 7517), and what it is good for.

use std::ops::RangeInclusive;

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    UnparsedPublicKey,
};
use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;

/// Bits of an RSA key: fewer are not safe, and with more it costs too much to look at a token,
/// which anybody may send.
const RSA_BITS: RangeInclusive<usize> = 2048..=4096;
/// Bytes of the exponent of an RSA key at most, for the same reason.
const EXPONENT_BYTES: usize = 4;
/// Bytes of a coordinate of a P-256 key.
const COORDINATE: usize = 32;

/// How a token of another issuer may be signed (RFC 7518 section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenAlgorithm {
    Rs256,
    Ps256,
    Es256,
}

impl TokenAlgorithm {
    /// The algorithm of this name, if tokens may be signed with it.
    pub(super) fn read(name: &str) -> Option<TokenAlgorithm> {
        match name {
            "RS256" => Some(TokenAlgorithm::Rs256),
            "PS256" => Some(TokenAlgorithm::Ps256),
            "ES256" => Some(TokenAlgorithm::Es256),
            _ => None,
        }
    }
}

/// Which key a token is signed with, as its header says.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedKey<'t> {
    /// Its id; without one it may be any of the kind.
    pub(super) kid: Option<&'t str>,
    pub(super) algorithm: TokenAlgorithm,
}

/// A public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IssuerKey {
    kid: Option<String>,
    /// The only algorithm that it is for, where its set says one.
    only: Option<TokenAlgorithm>,
    public: Public,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Public {
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// The uncompressed point of a P-256 key.
    P256(Vec<u8>),
}

impl Public {
    fn read(value: &Value) -> Option<Public> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let bytes = |name: &str| BASE64URL_NOPAD.decode(text(name)?.as_bytes()).ok();
        match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                let (modulus, exponent) = (bytes("n")?, bytes("e")?);
                let fits = RSA_BITS.contains(&bits(&modulus))
                    && (1..=EXPONENT_BYTES * 8).contains(&bits(&exponent));
                fits.then_some(Public::Rsa { modulus, exponent })
            }
            ("EC", Some("P-256")) => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                let fits = x.len() == COORDINATE && y.len() == COORDINATE;
                fits.then(|| Public::P256([&[4][..], &x, &y].concat()))
            }
            _ => None,
        }
    }

    fn takes(&self, algorithm: TokenAlgorithm) -> bool {
        let is_rsa = matches!(self, Public::Rsa { .. });
        is_rsa == (algorithm != TokenAlgorithm::Es256)
    }
}

/// The bits of a number; 0 of one that is not written in its shortest form, with which no
/// signature is verified.
fn bits(number: &[u8]) -> usize {
    match number.first() {
        Some(first) if *first != 0 => number.len() * 8 - first.leading_zeros() as usize,
        _ => 0,
    }
}

impl IssuerKey {
    /// A key of a set; `None` for one that no token is verified with: of another kind, use or size.
    pub(super) fn read(value: &Value) -> Option<IssuerKey> {
        let given = |name: &str| value.get(name).filter(|member| !member.is_null());
        if given("use").is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let verifies =
            |list: &Value| list.as_array().is_some_and(|all| all.contains(&"verify".into()));
        if given("key_ops").is_some_and(|operations| !verifies(operations)) {
            return None;
        }
        let public = Public::read(value)?;
        let only = match given("alg") {
            Some(name) => Some(TokenAlgorithm::read(name.as_str()?)?),
            None => None,
        };
        if only.is_some_and(|algorithm| !public.takes(algorithm)) {
            return None;
        }
        let kid = value.get("kid").and_then(Value::as_str).map(str::to_owned);
        Some(IssuerKey { kid, only, public })
    }

    /// Whether a token may be signed with this key, as its header says.
    pub(super) fn fits(&self, wanted: WantedKey<'_>) -> bool {
        (wanted.kid.is_none() || self.kid.as_deref() == wanted.kid)
            && self.public.takes(wanted.algorithm)
            && self.only.is_none_or(|only| only == wanted.algorithm)
    }

    /// Whether a signature with an algorithm of this kind of key is good.
    pub(super) fn verifies(
        &self,
        algorithm: TokenAlgorithm,
        signed: &[u8],
        signature: &[u8],
    ) -> bool {
        let rsa = match algorithm {
            TokenAlgorithm::Rs256 => &RSA_PKCS1_2048_8192_SHA256,
            TokenAlgorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
            TokenAlgorithm::Es256 => {
                let Public::P256(point) = &self.public else { return false };
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                return key.verify(signed, signature).is_ok();
            }
        };
        let Public::Rsa { modulus, exponent } = &self.public else { return false };
        let key = PublicKeyComponents { n: modulus, e: exponent };
        key.verify(rsa, signed, signature).is_ok()
    }
}

#[cfg(test)]
mod tests;
