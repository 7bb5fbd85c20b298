//! Signing and verifying whole documents, and every way in which one must not verify.

use rcgen::{CertificateParams, KeyPair, PKCS_RSA_SHA256};

use super::*;
use crate::keys::PrivateKey;

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a:m xmlns:a=\"urn:a\" \
                   xmlns:u=\"urn:unused\"><a:id scheme=\"x\">1 &amp; 2</a:id><!-- c --></a:m>";

fn signer() -> (PrivateKey, Vec<u8>) {
    let pair = KeyPair::generate_for(&PKCS_RSA_SHA256).unwrap();
    let certificate = CertificateParams::new(vec![]).unwrap().self_signed(&pair).unwrap();
    (PrivateKey::from_pkcs8(&pair.serialize_der()).unwrap(), certificate.der().to_vec())
}

fn check(xml: &str) -> Result<Vec<u8>, SignatureError> {
    verify(&Document::parse(xml.as_bytes(), &Limits::default()).unwrap())
}

#[test]
fn what_is_signed_verifies_and_names_its_signer() {
    let (key, certificate) = signer();
    let signed = sign(XML, &key, &certificate).unwrap();
    assert_eq!(check(&signed).unwrap(), certificate);
}

#[test]
fn every_change_is_noticed() {
    use SignatureError as E;
    let (key, certificate) = signer();
    let signed = sign(XML, &key, &certificate).unwrap();
    let changed = |from: &str, to: &str| {
        let text = signed.replacen(from, to, 1);
        assert_ne!(text, signed);
        check(&text).unwrap_err()
    };
    assert!(matches!(changed("1 &amp; 2", "1 &amp; 3"), E::Digest(_)));
    assert!(matches!(changed("scheme=", "schema="), E::Digest(_)));
    assert!(matches!(changed("URI=\"\"", "URI=\"#a\""), E::Algorithm { .. }));
    assert!(matches!(changed(ENVELOPED, C14N), E::Algorithm { part: "Transforms", .. }));
    assert!(matches!(changed("<ds:DigestValue>", "<ds:DigestValue>A"), E::Encoding(_)));
    let (_, other) = signer();
    let swapped = changed(&base64::encode(&certificate), &base64::encode(&other));
    assert_eq!(swapped, E::Value);
    assert!(matches!(check(XML), Err(E::Missing(_))));
}

#[test]
fn a_signature_in_another_place_is_refused() {
    let (key, certificate) = signer();
    let signed = sign(XML, &key, &certificate).unwrap();
    let wrapped = format!("<w>{}</w>", signed.split_once('\n').unwrap().1);
    assert!(matches!(check(&wrapped), Err(SignatureError::Missing(_))));
    let start = signed.find("<ds:Signature").unwrap();
    let end = signed.find("</a:m>").unwrap();
    let twice = format!("{}{}{}", &signed[..end], &signed[start..end], &signed[end..]);
    assert!(matches!(check(&twice), Err(SignatureError::Ambiguous(_))));
}

#[test]
fn a_published_sample_verifies_and_its_forgery_does_not() {
    let folder = "network-data/derived/samples/smp";
    let Some(good) = quoin_testing::shared_text(&format!("{folder}/signed-service-metadata.xml"))
    else {
        return;
    };
    assert!(check(&good).is_ok());
    let bad = format!("{folder}/signed-service-metadata-TAMPERED.xml");
    let bad = quoin_testing::shared_text(&bad).unwrap();
    assert!(matches!(check(&bad), Err(SignatureError::Digest(_))));
    let sha1 = quoin_testing::shared_text(&format!("{folder}/v-bad-sha1.xml")).unwrap();
    assert!(matches!(check(&sha1), Err(SignatureError::Algorithm { .. })));
}
