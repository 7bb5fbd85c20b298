//! The delivery dossier: what both ends download proves the passage without asking anybody, and
//! each change to it is named.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use bytes::Bytes;
use quoin_access_point::dossier::unzip;
use quoin_delivery::{DocumentId, Family};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::dossier::{DossierManifest, DossierVerdict, Holds, names, verify};
use quoin_peppol::pki::{Certificate, CertificateRole};
use quoin_store::{Arrival, EvidenceKind, NewIncoming, TransactionFacts};
use uuid::Uuid;

use crate::stage::forger::Forger;
use crate::stage::{Play, until};

type Parts = BTreeMap<String, Vec<u8>>;

async fn played() -> (Play, String) {
    let play = Play::begin().await;
    let id = play.send("DOSSIER-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    (play, id)
}

async fn sent(play: &Play, id: &str) -> Vec<u8> {
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
    let answer = play.sender().await.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(answer.headers["content-type"], "application/zip");
    answer.body.to_vec()
}

fn root(play: &Play) -> Certificate {
    Certificate::from_der(play.stage.around.pki.root.der()).unwrap()
}

fn failing(verdict: &DossierVerdict) -> Vec<String> {
    verdict.failing().map(|check| check.name.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_ends_prove_the_passage() {
    let (play, id) = played().await;
    let parts = unzip(&sent(&play, &id).await).unwrap();
    let verdict = verify(&parts, &[root(&play)]);
    assert_eq!(failing(&verdict), Vec::<String>::new(), "{:#?}", verdict.checks);
    assert!(verdict.holds());
    for name in [
        "manifest-signature",
        "manifest-signer",
        "hash-chain",
        "payload-digest",
        "envelope",
        "document",
        "message-signature",
        "message-signer",
        "receipt-signature",
        "receipt-signer",
        "receipt-digests",
        "receipt-receiver",
        "smp-answer-signature",
        "smp-answer-signer",
        "smp-endpoint",
    ] {
        assert_eq!(verdict.check(name).map(|check| check.holds), Some(Holds::Yes), "{name}");
    }
    assert_eq!(verdict.manifest.unwrap().about.document_id, id);
    // The receiver's own dossier of the same document.
    let receiver = play.receiver().await;
    let arrived = until("it arrived", async || {
        receiver.purchases(RECEIVER).await.unwrap().into_iter().next()
    })
    .await;
    let path =
        format!("/api/v1/{RECEIVER}/purchaseInvoice/{}/dossier", arrived["id"].as_str().unwrap());
    // The receipt is kept beside the answer that brought it.
    let theirs = until("its receipt is kept", async || {
        let parts = unzip(&receiver.get(&path).await.body).unwrap();
        parts.contains_key(names::RECEIPT).then_some(parts)
    })
    .await;
    let verdict = verify(&theirs, &[root(&play)]);
    assert!(verdict.holds(), "{:#?}", verdict.checks);
    let absent: Vec<&str> = verdict
        .checks
        .iter()
        .filter(|check| check.holds == Holds::Absent)
        .map(|check| check.name.as_str())
        .collect();
    assert_eq!(absent, ["smp-endpoint"], "who receives asks no SMP");
    for name in [names::DOCUMENT, names::MESSAGE, names::RECEIPT, names::PAYLOAD] {
        assert_eq!(parts[name], theirs[name], "{name} is the same at both ends");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_elses_dossier_is_given_out() {
    let (play, id) = played().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
    play.receiver().await.get(&path).await.is_problem(403, "API403", "no party");
    let path = format!("/api/v1/{RECEIVER}/salesInvoice/{id}/dossier");
    play.receiver().await.get(&path).await.is_problem(404, "API404", "");
}

/// Makes the manifest anew around changed parts, as a forger without the key would.
fn listed_anew(parts: &mut Parts) {
    let manifest = DossierManifest::read(&parts[names::MANIFEST]).unwrap();
    let list: Vec<(String, Vec<u8>)> =
        manifest.parts.iter().map(|part| (part.name.clone(), parts[&part.name].clone())).collect();
    let list = list.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let anew = DossierManifest::of(manifest.about, list);
    parts.insert(names::MANIFEST.to_owned(), anew.to_bytes());
}

/// Replaces a text in a part; a change of nothing is a mistake of the story.
fn edit(parts: &mut Parts, name: &str, from: &str, to: &str) {
    let text = String::from_utf8(parts[name].clone()).unwrap();
    assert!(text.contains(from), "{from} is not in {name}");
    parts.insert(name.to_owned(), text.replacen(from, to, 1).into_bytes());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_tampering_is_named() {
    let (play, id) = played().await;
    let whole = unzip(&sent(&play, &id).await).unwrap();
    let roots = [root(&play)];
    // Changed in the archive alone: the manifest tells.
    for name in whole.keys().filter(|name| !name.starts_with("manifest.")) {
        let mut parts = whole.clone();
        parts.get_mut(name).unwrap().push(b'\n');
        let found = failing(&verify(&parts, &roots));
        assert!(found.contains(&format!("part {name}")), "{name}: {found:?}");
    }
    let mut parts = whole.clone();
    parts.remove(names::TIMELINE);
    assert_eq!(failing(&verify(&parts, &roots)), ["part timeline.json"]);
    let mut parts = whole.clone();
    parts.insert("note.txt".to_owned(), b"more".to_vec());
    assert_eq!(failing(&verify(&parts, &roots)), ["part note.txt"]);
    let mut parts = whole.clone();
    edit(&mut parts, names::MANIFEST, "DOSSIER-1", "DOSSIER-2");
    assert_eq!(failing(&verify(&parts, &roots)), ["manifest-signature"]);
    // Changed with a new manifest, whose signature cannot be made: what else breaks tells more.
    let with = |change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        listed_anew(&mut parts);
        failing(&verify(&parts, &roots))
    };
    let signature = "manifest-signature".to_owned();
    let document = with(&|parts| edit(parts, names::DOCUMENT, "DOSSIER-1", "DOSSIER-2"));
    assert_eq!(document, [signature.clone(), "document".to_owned()]);
    let envelope = with(&|parts| edit(parts, names::ENVELOPE, "DOSSIER-1", "DOSSIER-2"));
    assert_eq!(envelope, [signature.clone(), "envelope".to_owned()]);
    let payload = with(&|parts| {
        let other = quoin_peppol::as4::gzip(b"<other/>").unwrap();
        parts.insert(names::PAYLOAD.to_owned(), other);
    });
    assert_eq!(payload, [&signature, "payload-digest", "envelope", "document"]);
    let message = with(&|parts| edit(parts, names::MESSAGE, RECEIVER, "0106:11112222"));
    assert!(message.contains(&"message-signature".to_owned()), "{message:?}");
    let receipt = with(&|parts| edit(parts, names::RECEIPT, "RefToMessageId>", "RefToMessageId> "));
    assert!(receipt.contains(&"receipt-signature".to_owned()), "{receipt:?}");
    let answer = with(&|parts| edit(parts, names::SMP_ANSWER, RECEIVER, "0106:11112222"));
    assert!(answer.contains(&"smp-answer-signature".to_owned()), "{answer:?}");
}

/// Parts of another passage hold by themselves, but not together.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_of_another_document_is_named() {
    let (play, id) = played().await;
    let other = play.send("DOSSIER-2").await;
    play.ending(&other).await;
    let mut parts = unzip(&sent(&play, &id).await).unwrap();
    let others = unzip(&sent(&play, &other).await).unwrap();
    parts.insert(names::RECEIPT.to_owned(), others[names::RECEIPT].clone());
    listed_anew(&mut parts);
    let found = failing(&verify(&parts, &[root(&play)]));
    assert_eq!(found, ["manifest-signature", "receipt-message", "receipt-digests"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_tells_by_its_exit_code() {
    let (play, id) = played().await;
    let folder = play.stage.folder.path().to_owned();
    let file = folder.join("dossier.zip");
    std::fs::write(&file, sent(&play, &id).await).unwrap();
    let run = |file: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quoin"));
        let output = command.arg("verify").arg(file).args(more).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let root = folder.join("root-ca.pem");
    let root = root.to_str().unwrap();
    let (code, told) = run(&file, &["--root", root]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("Everything that can be checked holds"), "{told}");
    let (code, told) = run(&file, &[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("FAILS") && told.contains("give it with --root"), "{told}");
    let (code, told) = run(&file, &["--root", root, "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &told["holds"]), (Some(0), &true.into()));
    let broken = folder.join("broken.zip");
    std::fs::write(&broken, b"PK").unwrap();
    assert_eq!(run(&broken, &[]).0, Some(2));
}

/// The same archive from the store of a service that is stopped.
#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_service_still_proves_its_deliveries() {
    let (play, id) = played().await;
    let file = play.stage.folder.path().join("stopped.zip");
    let config = play.stage.folder.path().join("one.toml");
    let text = toml::to_string(&play.one.parts.config).unwrap();
    // The secrets of customers are not written; the verb needs none of them.
    let (before, _) = text.split_once("[[organisation]]").unwrap();
    std::fs::write(&config, before).unwrap();
    let Play { stage, one, two } = play;
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quoin"));
        command.args(["dossier", "--organisation", &stage.sender.organisation, "--config"]);
        command.arg(&config).arg("--output").arg(&file).arg(&id).output().unwrap()
    };
    one.stop().await;
    let output = run();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let parts = unzip(&std::fs::read(&file).unwrap()).unwrap();
    let root = Certificate::from_der(stage.around.pki.root.der()).unwrap();
    assert!(verify(&parts, &[root]).holds());
    two.stop().await;
}

/// The receipt of an arrival is kept after the message. Where that failed, the dossier says so, and
/// is not taken for a forgery.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_that_was_not_kept_is_absent_and_nothing_is_tampered_with() {
    let (play, id) = played().await;
    let parts = unzip(&sent(&play, &id).await).unwrap();
    let part = |name: &str| Bytes::from(parts[name].clone());
    let document_id = DocumentId::from_uuid(Uuid::new_v4());
    let new = NewIncoming {
        organisation: play.stage.receiver.organisation.parse().unwrap(),
        party: RECEIVER.to_owned(),
        document_id: document_id.clone(),
        family: Family::Invoice,
        facts: TransactionFacts::default(),
        envelope_sender: SENDER.to_owned(),
        message_id: verify(&parts, &[]).manifest.unwrap().about.message_id.unwrap(),
        instance_id: "another".to_owned(),
        access_point: "POP000009".to_owned(),
        content: part(names::DOCUMENT),
        now: play.stage.clock.now(),
    };
    let evidence = vec![
        (EvidenceKind::Message, part(names::MESSAGE)),
        (EvidenceKind::Payload, part(names::PAYLOAD)),
    ];
    let store = &play.two.parts.store;
    store.receive_with(new, Arrival::default(), evidence).await.unwrap();
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{document_id}/dossier");
    let theirs = play.receiver().await.get(&path).await;
    assert_eq!(theirs.status, 200, "{}", theirs.json);
    let verdict = verify(&unzip(&theirs.body).unwrap(), &[root(&play)]);
    assert!(verdict.holds(), "{:#?}", verdict.checks);
    let receipt = verdict.check("receipt-signature").unwrap();
    assert_eq!(receipt.holds, Holds::Absent);
    assert!(receipt.detail.contains("no receipt is recorded"), "{}", receipt.detail);
}

/// What came is judged at the time at which it came: a sender whose clock is wrong, or that renewed
/// its certificate while it was, spoils no proof of what was taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_sender_whose_clock_is_wrong_spoils_no_proof() {
    let play = Play::begin().await;
    let (forger, trust) = (Forger::new(&play.stage), &play.two.parts.trust);
    trust.prepare(forger.receiver(), CertificateRole::AccessPoint).await;
    for stamped in ["2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let mut draft = forger.draft(stamped);
        draft.message.timestamp = stamped.parse().unwrap();
        forger.deliver(&draft, trust).await;
        let arrived = play.arrived().await;
        let is_it = |record: &&quoin_store::TransactionRecord| {
            record.message_id.as_ref() == Some(&draft.message.message_id)
        };
        let id = arrived.iter().find(is_it).unwrap().transaction.document_id.clone();
        let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}/dossier");
        let parts = until("its receipt is kept", async || {
            let parts = unzip(&play.receiver().await.get(&path).await.body).unwrap();
            parts.contains_key(names::RECEIPT).then_some(parts)
        })
        .await;
        let verdict = verify(&parts, &[root(&play)]);
        assert!(verdict.holds(), "{:#?}", verdict.checks);
        let told = &verdict.check("message-signer").unwrap().detail;
        assert!(told.contains(&format!("it says itself that it is of {stamped:?}")), "{told}");
    }
}
