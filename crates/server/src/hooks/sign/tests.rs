//! Signatures against values computed by another implementation of HMAC.

use super::*;

const ID: &str = "0192f0c1-0000-7000-8000-000000000001";
const BODY: &[u8] =
    br#"{"topic":"InvoiceSent","documentId":"0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"}"#;

fn now() -> Timestamp {
    Timestamp::from_second(1795168800).unwrap()
}

fn hook(secrets: &[&str]) -> Hook {
    Hook {
        organisation: "acme".parse().unwrap(),
        id: "erp".parse().unwrap(),
        scope: quoin_store::HookScope::Environment,
        name: String::new(),
        action: "https://erp.example".into(),
        secrets: secrets.iter().map(|secret| Secret::new(*secret)).collect(),
        topics: Vec::new(),
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: serde_json::Value::Null,
        is_active: true,
        created_on: now(),
        changed_on: now() + SignedDuration::from_hours(1_000),
        rotated_on: Some(now()),
        failing_since: None,
    }
}

#[test]
fn both_signatures_are_those_of_the_specification() {
    let signed = signatures(&[Secret::new("quoin")], ID, now(), BODY).unwrap();
    let expected = "sha256=2a87b8fb47b77b55e071a57407f781ede2b395fe42778a683f9914e6e153f065";
    assert_eq!(signed.hexadecimal, expected);
    assert_eq!(signed.standard, "v1,zq3h7y8SDkOhtmnd6gsCB9Cpkd2xCD7ibUwAypCWWIw=");
    assert_eq!(signed.timestamp, 1795168800);
}

#[test]
fn a_standard_secret_is_the_key_in_base64() {
    let secret = Secret::new("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3");
    let signed = signatures(&[secret], ID, now(), BODY).unwrap();
    assert_eq!(signed.standard, "v1,G8ozsZ7bWWFGbkmuTNK/3IyVlCRoaknGuOEL/MvZd5g=");
}

#[test]
fn line_ends_are_part_of_the_signature() {
    let secrets = [Secret::new("quoin")];
    let one = signatures(&secrets, ID, now(), b"a\nb").unwrap();
    let other = signatures(&secrets, ID, now(), b"a\r\nb").unwrap();
    assert_ne!(one, other);
}

#[test]
fn two_secrets_sign_for_a_day_after_rotation() {
    let hook = hook(&["new", "old", "older"]);
    let soon = now() + SignedDuration::from_hours(23);
    assert_eq!(secrets_in_use(&hook, soon).len(), 2);
    let later = now() + SignedDuration::from_hours(24);
    assert_eq!(secrets_in_use(&hook, later).len(), 1);
    let signed = signatures(secrets_in_use(&hook, soon), ID, soon, BODY).unwrap();
    assert_eq!(signed.standard.split(' ').count(), 2);
    let alone = signatures(&[Secret::new("new")], ID, soon, BODY).unwrap();
    assert_eq!(signed.hexadecimal, alone.hexadecimal, "the newest one signs");
    let old = signatures(&[Secret::new("old")], ID, soon, BODY).unwrap();
    assert_eq!((signed.previous, alone.previous), (Some(old.hexadecimal), None));
    assert_eq!(signatures(&[], ID, soon, BODY), None);
}
