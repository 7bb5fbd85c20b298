//! Which keys of a set are usable, and for what.

use serde_json::json;

use super::*;

fn number(bytes: usize, first: u8) -> String {
    let mut number = vec![0xff; bytes];
    number[0] = first;
    BASE64URL_NOPAD.encode(&number)
}

fn rsa(modulus: &str, exponent: &str) -> Value {
    json!({ "kty": "RSA", "n": modulus, "e": exponent })
}

fn p256() -> Value {
    json!({ "kty": "EC", "crv": "P-256", "x": number(32, 1), "y": number(32, 2) })
}

#[test]
fn an_rsa_key_has_the_size_that_it_may_have() {
    for (bytes, first, usable) in [
        (255, 0xff, false),
        (256, 0x7f, false),
        (256, 0x80, true),
        (512, 0xff, true),
        (513, 0x01, false),
        (513, 0x00, false),
        (1024, 0xff, false),
    ] {
        let found = IssuerKey::read(&rsa(&number(bytes, first), "AQAB"));
        assert_eq!(found.is_some(), usable, "{bytes} bytes, the first {first}");
    }
    for (exponent, usable) in [(number(4, 1), true), (number(5, 1), false), (String::new(), false)]
    {
        let found = IssuerKey::read(&rsa(&number(256, 0xff), &exponent));
        assert_eq!(found.is_some(), usable, "{exponent}");
    }
}

#[test]
fn a_key_for_something_else_verifies_no_token() {
    for (member, value, usable) in [
        ("use", json!("sig"), true),
        ("use", json!("enc"), false),
        ("use", json!(["sig"]), false),
        ("key_ops", json!(["verify", "encrypt"]), true),
        ("key_ops", json!(["sign"]), false),
        ("key_ops", json!([]), false),
        ("key_ops", json!("verify"), false),
        ("alg", json!("ES256"), true),
        ("alg", json!("ES384"), false),
        ("alg", json!("RS256"), false),
        ("alg", json!(256), false),
        ("crv", json!("P-384"), false),
        ("x", json!(number(31, 1)), false),
    ] {
        let mut key = p256();
        key[member] = value.clone();
        assert_eq!(IssuerKey::read(&key).is_some(), usable, "{member} {value}");
    }
}

#[test]
fn a_token_fits_a_key_of_its_kind_algorithm_and_id() {
    let mut key = rsa(&number(256, 0xff), "AQAB");
    let fits = |key: &Value, kid, algorithm| {
        IssuerKey::read(key).unwrap().fits(WantedKey { kid, algorithm })
    };
    assert!(fits(&key, None, TokenAlgorithm::Rs256) && fits(&key, None, TokenAlgorithm::Ps256));
    assert!(!fits(&key, None, TokenAlgorithm::Es256));
    assert!(!fits(&p256(), None, TokenAlgorithm::Rs256));
    key["alg"] = json!("RS256");
    assert!(fits(&key, None, TokenAlgorithm::Rs256) && !fits(&key, None, TokenAlgorithm::Ps256));
    key["kid"] = json!("a");
    assert!(fits(&key, Some("a"), TokenAlgorithm::Rs256));
    assert!(fits(&key, None, TokenAlgorithm::Rs256));
    assert!(!fits(&key, Some("b"), TokenAlgorithm::Rs256));
}
