//! Tests of `ids`: what is taken as an id, and that the identifiers on the wire never change.

use super::*;

fn org(text: &str) -> OrganisationId {
    text.parse().unwrap()
}

const UUID: &str = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";

#[test]
fn a_document_id_is_a_uuid_in_one_spelling() {
    let id: DocumentId = UUID.to_uppercase().parse().unwrap();
    assert_eq!(id.as_str(), UUID);
    for wrong in [
        "",
        "INV-2026-001",
        "0192f0c1_2b3c_7d4e_8f90_a1b2c3d4e5f6",
        "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6@x",
        "{0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6}",
        "urn:uuid:0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
        "0192f0c12b3c7d4e8f90a1b2c3d4e5f6",
    ] {
        let error = wrong.parse::<DocumentId>().unwrap_err();
        assert!(error.to_string().contains("must be a UUID"), "{error}");
    }
}

#[test]
fn names_have_no_separators() {
    assert!("acme-1.test_x".parse::<OrganisationId>().is_ok());
    for wrong in ["", "a b", "a/b", "a\0b", &"x".repeat(65)] {
        assert!(wrong.parse::<HookId>().is_err(), "{wrong:?}");
    }
}

#[test]
fn wire_ids_are_the_same_on_each_retry_and_differ_otherwise() {
    let document: DocumentId = UUID.parse().unwrap();
    let other: DocumentId = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7".parse().unwrap();
    let message = as4_message_id(&org("acme"), &document, "ap.example.test").unwrap();
    assert_eq!(message, as4_message_id(&org("acme"), &document, "ap.example.test").unwrap());
    // Fixed for ever: a release that computes another one would deliver twice after an upgrade.
    assert_eq!(message, "48c9283a-1150-83ac-801a-5800f46e0cb2@ap.example.test");
    assert_ne!(message, as4_message_id(&org("acm"), &document, "ap.example.test").unwrap());
    assert_ne!(message, as4_message_id(&org("acme"), &other, "ap.example.test").unwrap());
    let instance = sbdh_instance_id(&org("acme"), &document);
    assert_ne!(message.split('@').next(), Some(instance.as_str()));
    assert_eq!(Uuid::parse_str(&instance).unwrap().get_version_num(), 8);
}

#[test]
fn a_message_id_is_a_dot_atom() {
    let document: DocumentId = UUID.parse().unwrap();
    for wrong in ["", "a..b", "a b", ".a", "a.", "a@b", "<x>", &"a".repeat(64)] {
        let refused = as4_message_id(&org("acme"), &document, wrong);
        assert!(refused.is_err(), "{wrong:?} gave {refused:?}");
    }
}

#[test]
fn the_spread_fills_its_range() {
    let all: Vec<f64> = (0..1000).map(|n| jitter(UUID, n)).collect();
    assert!(all.iter().all(|s| (0.0..1.0).contains(s)));
    let mean = all.iter().sum::<f64>() / 1000.0;
    assert!((0.45..0.55).contains(&mean), "{mean}");
    assert_eq!(jitter(UUID, 3), jitter(UUID, 3));
}

#[test]
fn a_14_what_is_told_again_has_the_same_id() {
    let one: TransactionId = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".parse().unwrap();
    let two: TransactionId = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7".parse().unwrap();
    let id = |of: &TransactionId, earlier| event_id(of, Topic::INVOICE_SENT, earlier).to_string();
    assert_eq!(id(&one, 0), id(&one, 0));
    let all = [
        id(&one, 0),
        id(&one, 1),
        id(&two, 0),
        event_id(&one, Topic::INVOICE_SENT_ERROR, 0).to_string(),
        call_id(&id(&one, 0), "a").to_string(),
        call_id(&id(&one, 0), "b").to_string(),
    ];
    let different: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len());
    assert!(all.iter().all(|id| id.starts_with("0192f0c1-2b3c")), "they lie beside each other");
}
