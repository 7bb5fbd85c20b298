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
        key: "erp".parse().unwrap(),
        scope: quoin_store::HookScope::Environment,
        name: String::new(),
        action: "https://erp.example".into(),
        secrets: secrets.iter().map(|secret| Secret::new(*secret)).collect(),
        topics: Vec::new(),
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: serde_json::Value::Null,
        sealed: Default::default(),
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

/// The facts of the vector, in their order; the message ids are those of the document and of the
/// answer.
const VECTOR: &[(&str, &str)] = &[
    ("sender", "NL:KVK:SENDER"),
    ("id", "12115120"),
    ("sourceDocumentTypeId", NLCIUS),
    ("attempt", "1"),
    ("targetDocumentTypeId", NLCIUS),
    ("endpoint", "https://accp-ap.econnect.eu/as4/v1"),
    ("recipient", "NL:KVK:RECEIVER"),
    ("protocol", "As4"),
    ("messageId", "f96bad15-0500-4d80-b883-1a82c01b8f93@econnect.eu"),
    ("returnedMessageId", "ffb4b016-5c24-4bbb-b56c-3571ec4bb6a2@econnect.eu"),
];
const NLCIUS: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
    urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0::2.1";

/// The public test vector of clients of this interface family (conventions A7): its lines end with
/// CR LF, and only then it holds.
#[test]
fn a7_the_signature_test_vector_holds_byte_for_byte() {
    let line = |depth: usize, (name, value): &(&str, &str)| {
        format!("{}\"{name}\": \"{value}\"", " ".repeat(4 * depth))
    };
    let details: Vec<String> = VECTOR.iter().map(|fact| line(2, fact)).collect();
    let answer = VECTOR[9].1;
    let message = format!("'Invoice' successfully sent: '{answer}'.");
    let body = [
        "{".to_owned(),
        line(1, &("topic", "InvoiceSent")) + ",",
        line(1, &("partyId", "NL:KVK:SENDER")) + ",",
        line(1, &("hookId", "111")) + ",",
        line(1, &("documentId", "f96bad15-0500-4d80-b883-1a82c01b8f93")) + ",",
        line(1, &("message", &message)) + ",",
        "    \"details\": {".to_owned(),
        details.join(",\r\n"),
        "    },".to_owned(),
        line(1, &("createdOn", "2022-01-21T10:03:18.3726197+00:00")) + ",",
        line(1, &("sentOn", "2022-01-21T10:03:18.5951881+00:00")),
        "}".to_owned(),
    ]
    .join("\r\n");
    let secrets = [Secret::new("secret")];
    let sign = |body: &str| signatures(&secrets, ID, now(), body.as_bytes()).unwrap().hexadecimal;
    let expected = "sha256=8f3382eadc9a5444977205979f22d5a899cae74b75b6aade80c3274b214096f4";
    assert_eq!(sign(&body), expected);
    assert!(sign(&body.replace("\r\n", "\n")).starts_with("sha256=61d28342"));
}

#[test]
fn a_secret_of_the_standard_form_has_its_key() {
    for good in ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", "whsec", "plain"] {
        assert!(checked_secret(good).is_ok(), "{good}");
    }
    for wrong in ["whsec_", "whsec_not-base64", "whsec_MDEyMzQ"] {
        assert!(checked_secret(wrong).unwrap_err().to_string().contains("base64"), "{wrong}");
    }
}
