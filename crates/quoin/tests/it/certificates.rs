//! Certificates that must not be believed, on both sides of the wire, and answers of an SMP that
//! cannot be trusted (checklist B-09, B-11, B-13; H-09).

use axum::Router;
use axum::body::Bytes;
use axum::extract::OriginalUri;
use axum::http::header;
use axum::response::IntoResponse;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::{Config, Outage};
use quoin_access_point::net::HttpCall;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_lab::lab::network::RECEIVER;
use quoin_lab::lab::pki::{LabPki, LeafCertificate, LeafRole, LeafValidity};
use quoin_lab::lab::sink::ReceivedCall;
use quoin_peppol::pki::CertificateRole;
use serde_json::json;

use crate::receiving::Scene;
use crate::stage::forger::Forger;
use crate::stage::{PATIENCE, Play, Stage};

/// A certificate that must not be believed, and the word that tells why.
struct Bad {
    leaf: LeafCertificate,
    word: &'static str,
}

fn bad_leaves(pki: &LabPki, seat: &str) -> Vec<Bad> {
    let leaf = |pki: &LabPki, role, validity| pki.leaf(role, seat, validity).unwrap();
    let (ap, smp) = (LeafRole::AccessPoint, LeafRole::Smp);
    let revoked = leaf(pki, ap, LeafValidity::Current);
    pki.ap.revoke(&revoked, Timestamp::now() - SignedDuration::from_hours(1));
    // An authority with the same name and another key.
    let other = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
    vec![
        Bad { leaf: leaf(pki, ap, LeafValidity::Expired), word: "expired" },
        Bad { leaf: leaf(pki, ap, LeafValidity::NotYet), word: "valid only from" },
        Bad { leaf: revoked, word: "revoked" },
        Bad { leaf: leaf(&other, ap, LeafValidity::Current), word: "does not verify" },
        Bad { leaf: leaf(pki, smp, LeafValidity::Current), word: "role SMP" },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn b_09_a_message_with_a_bad_certificate_is_refused() {
    let scene = Scene::set().await;
    for Bad { leaf, word } in bad_leaves(&scene.stage.around.pki, "POP000001") {
        let forger = Forger::as_leaf(&scene.stage, &leaf);
        let sent = forger.seal(&forger.draft("BAD-CERTIFICATE"));
        scene.refuses(&sent, "EBMS:0101", word).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b_09_a_certificate_that_is_revoked_later_is_refused_then() {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current);
    let leaf = leaf.unwrap();
    let scene = Scene::on(stage, |_| ()).await;
    let forger = Forger::as_leaf(&scene.stage, &leaf);
    forger.deliver(&forger.draft("BEFORE"), &scene.two.parts.trust).await;
    scene.stage.around.pki.ap.revoke(&leaf, scene.stage.clock.now());
    // Longer than any answer about the status may be kept.
    scene.stage.clock.advance(SignedDuration::from_hours(48));
    scene.two.parts.trust.prepare(forger.receiver(), CertificateRole::AccessPoint).await;
    let sent = forger.seal(&forger.draft("AFTER"));
    scene.refuses(&sent, "EBMS:0101", "revoked").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn b_09_a_revocation_list_alone_is_enough() {
    let scene = Scene::on(Stage::set().await, |config| config.trust.ocsp = false).await;
    scene.deliver(&scene.forger.draft("GOOD")).await;
    let pki = &scene.stage.around.pki;
    let leaf = pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current).unwrap();
    pki.ap.revoke(&leaf, Timestamp::now() - SignedDuration::from_hours(1));
    // The list that was fetched for the receiver is from before the revocation.
    scene.stage.clock.advance(SignedDuration::from_hours(48));
    let own = scene.forger.receiver();
    scene.two.parts.trust.prepare(own, CertificateRole::AccessPoint).await;
    let forger = Forger::as_leaf(&scene.stage, &leaf);
    scene.refuses(&forger.seal(&forger.draft("REVOKED")), "EBMS:0101", "revoked").await;
}

/// A status that nobody tells is no reason to refuse a message for good.
#[tokio::test(flavor = "multi_thread")]
async fn b_11_without_a_revocation_status_the_sender_is_asked_to_come_again() {
    for soft_fail in [false, true] {
        let stage = Stage::set().await;
        let scene = Scene::on(stage, |config| {
            (config.trust.ocsp, config.trust.crl) = (false, false);
            config.trust.revocation = if soft_fail { Outage::SoftFail } else { Outage::HardFail };
        })
        .await;
        let sent = scene.forger.seal(&scene.forger.draft("UNKNOWN-STATUS"));
        let http = scene.forger.post(&sent.http).await;
        assert_eq!(http.status, if soft_fail { 200 } else { 503 });
        assert_eq!(http.headers.contains_key(header::RETRY_AFTER), !soft_fail);
        let text = String::from_utf8_lossy(&http.body);
        assert_eq!(text.contains("EBMS:0202") && text.contains("again later"), !soft_fail);
        // PE-7: a signal that names no message is a final error for phase4, and a long pause holds
        // the thread that sent it.
        assert!(text.contains(&sent.message_id), "{text}");
        let wait = http.headers.get(header::RETRY_AFTER).map(|wait| wait.to_str().unwrap());
        assert!(wait.is_none_or(|wait| wait.parse::<u32>().unwrap() <= 10), "{wait:?}");
        assert_eq!(scene.arrived().await.len(), usize::from(soft_fail));
    }
}

/// A play in which the receiver's SMP publishes a certificate.
async fn publishing(stage: Stage, leaf: &LeafCertificate) -> Play {
    leaf.write(&stage.two.folder, "ap").unwrap();
    stage.play().await
}

async fn fails(play: &Play, attempts: usize) -> ReceivedCall {
    let id = play.send("BAD-METADATA").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert_eq!(play.attempts(&id).await.len(), attempts);
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
    assert!(play.arrived().await.is_empty());
    ending
}

/// The end of a document whose receiver is looked for again until the schedule is over.
async fn given_up(play: &Play) -> ReceivedCall {
    let id = play.send("TOO-EARLY").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 7);
    assert!(play.arrived().await.is_empty());
    ending
}

#[tokio::test(flavor = "multi_thread")]
async fn b_09_a_receiver_with_a_bad_certificate_gets_nothing() {
    // One of the other role receives nothing: a service does not start with it (c_31).
    for case in 0..4 {
        let stage = Stage::set().await;
        let Bad { leaf, word } = bad_leaves(&stage.around.pki, "POP000002").swap_remove(case);
        // One that is not valid yet becomes so by itself, or our clock is behind: it is asked for
        // again, and nothing is sent meanwhile (c_28).
        let early = word == "valid only from";
        let play = publishing(stage, &leaf).await;
        let ending = if early { given_up(&play).await } else { fails(&play, 0).await };
        assert_eq!(ending.payload["details"]["code"], "receiver-certificate", "{word}");
        let message = ending.text("message");
        assert!(message.contains("certificate of the endpoint is refused"), "{message}");
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn b_13_an_smp_with_a_bad_certificate_is_not_believed() {
    type Make = fn(&LabPki) -> LeafCertificate;
    // One of the other role signs nothing: a service does not start with it (c_31).
    let cases: [(Make, &str); 3] = [
        (|pki| pki.leaf(LeafRole::Smp, "POP000002", LeafValidity::Expired).unwrap(), "expired"),
        (
            |pki| {
                let leaf = pki.leaf(LeafRole::Smp, "POP000002", LeafValidity::Current).unwrap();
                pki.smp.revoke(&leaf, Timestamp::now() - SignedDuration::from_hours(1));
                leaf
            },
            "revoked",
        ),
        (
            |_| {
                let other = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
                other.leaf(LeafRole::Smp, "POP000002", LeafValidity::Current).unwrap()
            },
            "does not verify",
        ),
    ];
    for (make, word) in cases {
        let stage = Stage::set().await;
        make(&stage.around.pki).write(&stage.two.folder, "smp").unwrap();
        let ending = fails(&stage.play().await, 0).await;
        assert_eq!(ending.payload["details"]["code"], "untrusted-metadata");
        let message = ending.text("message");
        assert!(message.contains("signer is not trusted"), "{message}");
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
}

/// An SMP that hands on what another one answers, changed.
async fn false_smp(
    stage: &Stage,
    ask: impl Fn(&str) -> String + Clone + Send + Sync + 'static,
    change: impl Fn(String) -> String + Clone + Send + Sync + 'static,
) -> OpenDoor {
    let (client, real) = (stage.around.client().unwrap(), stage.two.smp_url.clone());
    let answer = async move |OriginalUri(uri): OriginalUri| {
        let url = format!("{real}{}", ask(uri.path()));
        let found = client.call(HttpCall::get(&url, PATIENCE, 1 << 20)).await.unwrap();
        assert_eq!(found.status, 200, "{url}");
        let text = change(String::from_utf8(found.body.to_vec()).unwrap());
        ([(header::CONTENT_TYPE, "text/xml")], Bytes::from(text)).into_response()
    };
    let leaf = stage.around.pki.server(&["127.0.0.1"]).unwrap();
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "smp", address, tls: Some(tls), limits: DoorLimits::default() };
    let routes = Router::new().fallback(axum::routing::get(answer));
    door.open(routes, Shutdown::default()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn b_13_a_changed_answer_of_an_smp_is_not_believed() {
    let stage = Stage::set().await;
    let change = |text: String| {
        assert!(text.contains("/as4<"), "{text}");
        text.replace("/as4<", "/elsewhere<")
    };
    let smp = false_smp(&stage, str::to_owned, change).await;
    let play = stage.play().await;
    play.stage.register(RECEIVER, &smp.url());
    let ending = fails(&play, 0).await;
    assert_eq!(ending.payload["details"]["code"], "untrusted-metadata");
    let message = ending.text("message");
    assert!(message.contains("signature is refused") && message.contains("digest"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn b_13_an_answer_about_somebody_else_is_not_believed() {
    const OTHER: &str = "0106:87654320";
    let mut stage = Stage::set().await;
    stage.receiver.participants.push(OTHER.to_owned());
    let ask = |path: &str| path.replace(RECEIVER, OTHER).replace("87654321", "87654320");
    let smp = false_smp(&stage, ask, |text| text).await;
    let play = stage.play().await;
    play.stage.register(RECEIVER, &smp.url());
    let ending = fails(&play, 0).await;
    assert_eq!(ending.payload["details"]["code"], "untrusted-metadata");
    let message = ending.text("message");
    assert!(message.contains(OTHER) && message.contains("was asked for"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn b_13_an_unsigned_answer_is_not_believed() {
    let stage = Stage::set().await;
    let change = |text: String| {
        let from = text.find("<Signature").or_else(|| text.find("<ds:Signature")).unwrap();
        let end = text.rfind("Signature>").unwrap() + "Signature>".len();
        format!("{}{}", &text[..from], &text[end..])
    };
    let smp = false_smp(&stage, str::to_owned, change).await;
    let play = stage.play().await;
    play.stage.register(RECEIVER, &smp.url());
    let ending = fails(&play, 0).await;
    assert_eq!(ending.payload["details"]["code"], "untrusted-metadata");
}

/// An authority that says nothing keeps documents for all receivers waiting: none of them made it.
#[tokio::test(flavor = "multi_thread")]
async fn an_authority_that_says_nothing_is_not_the_receivers_fault() {
    let stage = Stage::set().await;
    stage.around.pki_door.hang(true);
    let silent = |one: &mut Config, _: &mut Config| {
        one.trust.revocation = Outage::HardFail;
        one.trust.first_contact_ms = 200;
        one.retry.delivery_seconds = vec![0.1, 0.1];
    };
    let play = stage.play_with(silent).await;
    let id = play.send("SILENT").await;
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    let details = &retry.payload["details"];
    let said = (&details["code"], &details["corner"], &details["whoCanFix"]);
    assert_eq!(said, (&json!("revocation-unknown"), &json!("us"), &json!("time")), "{retry:?}");
    let details = play.ending(&id).await.payload["details"].clone();
    let said = (&details["code"], &details["whoCanFix"]);
    assert_eq!(said, (&json!("revocation-unknown"), &json!("us")), "{details}");
    play.stage.around.pki_door.hang(false);
}
