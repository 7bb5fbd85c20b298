//! The manifest and its chain; dossiers that hold nothing. Whole dossiers, and what becomes of each
//! change to one, are told as a story of the server.

use std::collections::BTreeMap;

use super::*;
use crate::pki::Certificate;

fn about() -> About {
    About {
        document_id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".to_owned(),
        direction: "outgoing".to_owned(),
        sender: None,
        receiver: None,
        number: Some("2026-17".to_owned()),
        document_type: None,
        process: None,
        message_id: None,
        instance_id: None,
        recorded_on: jiff::Timestamp::UNIX_EPOCH,
        made_on: jiff::Timestamp::UNIX_EPOCH,
    }
}

fn three() -> DossierManifest {
    DossierManifest::of(about(), [("a", &b"one"[..]), ("b", b"two"), ("c", b"three")])
}

#[test]
fn a_manifest_is_read_as_it_was_written() {
    let manifest = three();
    assert_eq!(DossierManifest::read(&manifest.to_bytes()), Ok(manifest.clone()));
    assert_eq!(manifest.broken_link(), None);
    let other = DossierManifest { dossier: 2, ..manifest };
    assert!(DossierManifest::read(&other.to_bytes()).unwrap_err().contains("form 2"));
}

#[test]
fn the_chain_tells_where_it_was_changed() {
    let mut swapped = three();
    swapped.parts.swap(1, 2);
    assert_eq!(swapped.broken_link().as_deref(), Some("c"));
    let mut shorter = three();
    shorter.parts.pop();
    assert_eq!(shorter.broken_link().as_deref(), Some("the head"));
    let mut renamed = three();
    renamed.parts[0].name = "z".to_owned();
    assert_eq!(renamed.broken_link().as_deref(), Some("z"));
    let mut other = three();
    other.parts[2].sha256 = other.parts[0].sha256.clone();
    assert_eq!(other.broken_link().as_deref(), Some("c"));
}

#[test]
fn an_empty_dossier_proves_nothing() {
    let verdict = verify(&BTreeMap::new(), &[]);
    assert!(!verdict.holds());
    assert_eq!(verdict.check("manifest").unwrap().holds, Holds::No);
    assert_eq!(verdict.check("receipt-signature").unwrap().holds, Holds::Absent);
}

#[test]
fn a_manifest_without_signature_does_not_hold() {
    let manifest = DossierManifest::of(about(), [("document.xml", &b"<a/>"[..])]);
    let parts = BTreeMap::from([
        (names::MANIFEST.to_owned(), manifest.to_bytes()),
        (names::DOCUMENT.to_owned(), b"<a/>".to_vec()),
        ("more.txt".to_owned(), Vec::new()),
    ]);
    let verdict = verify(&parts, &[]);
    let failing: Vec<&str> = verdict.failing().map(|check| check.name.as_str()).collect();
    assert_eq!(failing, ["manifest-signature", "part more.txt"]);
}

#[test]
fn the_known_roots_are_the_published_ones() {
    for file in ["PEPPOL_Root_CA_G3.pem", "PEPPOL_Root_TEST_CA_G3.pem"] {
        let text = quoin_testing::shared_text(&format!("network-data/pki/ca/{file}"));
        let Some(text) = text else { return };
        let root = Certificate::from_text(&text).unwrap();
        let print = data_encoding::HEXLOWER.encode(root.fingerprint());
        assert!(KNOWN_ROOTS.contains(&print.as_str()), "{file}");
    }
}

fn time(text: &str) -> jiff::Timestamp {
    text.parse().unwrap()
}

/// What a stranger says of the time decides nothing where there is a record of it.
#[test]
fn what_came_is_judged_when_it_was_checked() {
    let noon = time("2026-12-01T12:00:00Z");
    let came = |direction: &str| {
        let about = About { direction: direction.to_owned(), recorded_on: noon, ..about() };
        DossierManifest::of(about, [])
    };
    let (incoming, outgoing) = (came("incoming"), came("outgoing"));
    for said in ["2001-01-01T00:00:00Z", "2028-01-01T00:00:00Z", "2026-12-01T11:54:59Z"] {
        assert_eq!(times::of_message(Some(&incoming), time(said)), [noon], "{said}");
        assert_eq!(times::of_message(Some(&outgoing), time(said)), [time(said)], "our own clock");
        assert_eq!(times::of_message(None, time(said)), [time(said)], "nothing is recorded");
    }
    // It was checked between the two.
    let before = time("2026-12-01T11:59:58Z");
    assert_eq!(times::of_message(Some(&incoming), before), [noon, before]);

    let attempts = r#"[
        {"attempt": 1, "startedOn": "2026-12-01T09:00:00Z", "endedOn": "2026-12-01T09:01:00Z",
         "outcome": "later", "endpoint": null},
        {"attempt": 2, "startedOn": "2026-12-01T10:00:00Z", "endedOn": "2026-12-01T10:00:02Z",
         "outcome": "delivered", "report": {}}]"#;
    let parts = BTreeMap::from([(names::ATTEMPTS.to_owned(), attempts.as_bytes().to_vec())]);
    let checked = [time("2026-12-01T10:00:02Z"), time("2026-12-01T10:00:00Z")];
    for said in [None, Some(time("2001-01-01T00:00:00Z"))] {
        assert_eq!(times::of_receipt(Some(&outgoing), &parts, said), checked);
        assert_eq!(times::of_receipt(Some(&incoming), &parts, said), Vec::from_iter(said));
        let unread = BTreeMap::from([(names::ATTEMPTS.to_owned(), b"[{}]".to_vec())]);
        for parts in [BTreeMap::new(), unread] {
            assert_eq!(times::of_receipt(Some(&outgoing), &parts, said), Vec::from_iter(said));
        }
    }
}
