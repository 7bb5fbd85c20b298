//! The primitives against each other, and against changed input.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::KeySize;

use super::*;

fn pair() -> (PrivateKey, PublicKey) {
    let generated = aws_lc_rs::rsa::KeyPair::generate(KeySize::Rsa2048).unwrap();
    let private: Pkcs8V1Der<'_> = generated.as_der().unwrap();
    let public: PublicKeyX509Der<'_> = generated.public_key().as_der().unwrap();
    (
        PrivateKey::from_pkcs8(private.as_ref()).unwrap(),
        PublicKey::from_spki(public.as_ref()).unwrap(),
    )
}

#[test]
fn a_signature_verifies_with_its_key_and_message_only() {
    let (private, public) = pair();
    let (_, other) = pair();
    let signature = private.sign_rsa_sha256(b"message").unwrap();
    assert_eq!(public.verify_rsa_sha256(b"message", &signature), Ok(()));
    assert_eq!(public.verify_rsa_sha256(b"massage", &signature), Err(KeyError::Signature));
    assert_eq!(other.verify_rsa_sha256(b"message", &signature), Err(KeyError::Signature));
}

#[test]
fn a_content_key_opens_for_its_owner_only() {
    let (private, public) = pair();
    let (stranger, _) = pair();
    let sealed = public.encrypt_oaep(&[7; 16]).unwrap();
    assert_eq!(private.decrypt_oaep(&sealed).unwrap(), [7; 16]);
    assert_eq!(stranger.decrypt_oaep(&sealed), Err(KeyError::Decryption));
}

#[test]
fn gcm_notices_every_changed_byte() {
    let sealed = seal_aes128_gcm(&[1; 16], [2; 12], b"payload").unwrap();
    assert_eq!(sealed.len(), 12 + 7 + 16);
    assert_eq!(open_aes128_gcm(&[1; 16], &sealed).unwrap(), b"payload");
    for index in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[index] ^= 1;
        assert_eq!(open_aes128_gcm(&[1; 16], &changed), Err(KeyError::Decryption));
    }
    assert_eq!(open_aes128_gcm(&[1; 16], &sealed[..20]), Err(KeyError::Decryption));
    assert_eq!(open_aes128_gcm(&[1; 15], &sealed), Err(KeyError::Decryption));
}

#[test]
fn a_private_key_does_not_print_itself() {
    assert_eq!(format!("{:?}", pair().0), "PrivateKey(***)");
}

#[test]
fn what_is_not_a_key_is_refused() {
    assert_eq!(PrivateKey::from_pkcs8(b"no").unwrap_err(), KeyError::PrivateKey);
    assert_eq!(PublicKey::from_spki(b"no").unwrap_err(), KeyError::PublicKey);
}
