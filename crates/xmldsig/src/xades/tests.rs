//! Tests of `xades`.

use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256};

use super::*;
use crate::signature::SignatureError;

const XML: &str =
    "<a:Request xmlns:a=\"urn:a\" xmlns=\"urn:b\"><Inner at=\"1\">text</Inner></a:Request>";
const TIME: &str = "2026-11-26T10:00:00Z";

fn identity(algorithm: &'static rcgen::SignatureAlgorithm) -> (SigningKey, Vec<u8>) {
    let pair = KeyPair::generate_for(algorithm).unwrap();
    let certificate =
        CertificateParams::new(vec!["one.example".to_owned()]).unwrap().self_signed(&pair).unwrap();
    let key = SigningKey::from_pkcs8(&pair.serialize_der()).unwrap();
    (key, certificate.der().to_vec())
}

fn signed(key: &SigningKey, certificate: &[u8]) -> String {
    let signer = XadesSigner { key, certificate, issuer: "CN=A & B", serial: "17" };
    sign(XML, &signer, TIME).unwrap()
}

fn verified(xml: &str) -> Result<VerifiedXades, SignatureError> {
    verify(&Document::parse(xml.as_bytes(), &Limits::default()).unwrap())
}

#[test]
fn both_kinds_of_keys_sign_and_verify() {
    for algorithm in [&PKCS_RSA_SHA256, &PKCS_ECDSA_P256_SHA256] {
        let (key, certificate) = identity(algorithm);
        let xml = signed(&key, &certificate);
        let told = verified(&xml).unwrap();
        assert_eq!(told.certificate, certificate);
        assert_eq!(told.signing_time.as_deref(), Some(TIME));
    }
}

#[test]
fn what_was_changed_is_found() {
    let (key, certificate) = identity(&PKCS_ECDSA_P256_SHA256);
    let xml = signed(&key, &certificate);
    let changed = |from: &str, to: &str| {
        assert!(xml.contains(from), "{from}");
        verified(&xml.replacen(from, to, 1)).unwrap_err()
    };
    assert_eq!(changed(">text<", ">texts<"), SignatureError::Digest("the document".into()));
    assert_eq!(
        changed(TIME, "2027-11-26T10:00:00Z"),
        SignatureError::Digest("#SignedProperties".into())
    );
    assert_eq!(changed("ecdsa-sha256", "rsa-sha256"), SignatureError::Value);
    assert!(matches!(changed("ecdsa-sha256", "ecdsa-sha1"), SignatureError::Algorithm { .. }));
    assert!(matches!(changed("#Signature\"", "#Other\""), SignatureError::Dangling(_)));
    assert_eq!(changed("<ds:SignatureValue>", "<ds:SignatureValue>AAAA"), SignatureError::Value);
    assert!(matches!(
        changed("Type=\"http://uri.etsi.org/01903#SignedProperties\" ", ""),
        SignatureError::Value
    ));
}

#[test]
fn another_certificate_in_key_info_is_found() {
    let (key, certificate) = identity(&PKCS_ECDSA_P256_SHA256);
    let (_, other) = identity(&PKCS_ECDSA_P256_SHA256);
    let xml = signed(&key, &certificate);
    let swapped = xml.replace(&base64::encode(&certificate), &base64::encode(&other));
    assert_eq!(verified(&swapped).unwrap_err(), SignatureError::Value);
    // A certificate of the same key that the properties do not name.
    let signer = XadesSigner { key: &key, certificate: &other, issuer: "CN=A", serial: "1" };
    let xml = sign(XML, &signer, TIME).unwrap();
    let swapped = xml.replace(&base64::encode(&other), &base64::encode(&certificate));
    assert_eq!(
        verified(&swapped).unwrap_err(),
        SignatureError::Digest("the signing certificate".into())
    );
}

#[test]
fn a_signature_that_covers_less_is_refused() {
    let (key, certificate) = identity(&PKCS_ECDSA_P256_SHA256);
    let xml = signed(&key, &certificate);
    // Nothing of the document is left to sign for when the signature is the document.
    let start = xml.find("<ds:Signature ").unwrap();
    let end = xml.find("</ds:Signature>").unwrap() + "</ds:Signature>".len();
    let moved = format!("<w>{}{}</w>", &xml[..start], &xml[start..]);
    assert!(verified(&moved).is_err());
    assert!(verified(&format!("<w>{}</w>", &xml[start..end])).is_err());
    let doubled = xml.replace("</a:Request>", &format!("{}</a:Request>", &xml[start..end]));
    assert_eq!(verified(&doubled).unwrap_err(), SignatureError::Ambiguous("ds:Signature".into()));
}

#[test]
fn a_text_that_is_printed_is_signed() {
    for algorithm in [&PKCS_RSA_SHA256, &PKCS_ECDSA_P256_SHA256] {
        let (key, certificate) = identity(algorithm);
        let spki = crate::enveloped::subject_public_key_info(&certificate).unwrap();
        let signature = key.sign_link(b"qr.example/certificate").unwrap();
        crate::keys::verify_link(spki, b"qr.example/certificate", &signature).unwrap();
        assert!(crate::keys::verify_link(spki, b"qr.example/certificates", &signature).is_err());
        assert!(spki.ends_with(key.public_key()));
    }
}

#[test]
fn a_document_that_is_referred_to_again_is_not_worked_out_again() {
    let (key, certificate) = identity(&PKCS_ECDSA_P256_SHA256);
    let xml = signed(&key, &certificate);
    let between = |text: &str, from: &str, to: &str| {
        let start = text.find(from).unwrap();
        text[start..start + text[start..].find(to).unwrap() + to.len()].to_owned()
    };
    let one = between(&xml, "<ds:Reference URI=\"\"", "</ds:Reference>");
    // Were it worked out, its digest would be found wrong.
    let wrong = one.replace("<ds:DigestValue>", "<ds:DigestValue>AAAA");
    let twice = xml.replacen(&one, &format!("{one}{wrong}"), 1);
    let octets = canonical_part(&twice, &[(DS, "SignedInfo")]).unwrap();
    let value = base64::encode(&key.sign_xml(&octets).unwrap());
    let old = between(&twice, "<ds:SignatureValue>", "</ds:SignatureValue>");
    let new = format!("<ds:SignatureValue>{value}</ds:SignatureValue>");
    let refused = verified(&twice.replace(&old, &new)).unwrap_err();
    assert_eq!(refused, SignatureError::Ambiguous("Reference".to_owned()));
}
