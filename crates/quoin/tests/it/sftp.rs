//! SFTP in the running service, against OpenSSH's own server: documents that leave into a folder,
//! documents that arrived and are handed on into one, and everything that can go wrong between.

mod folder;
mod kill;
mod password;
mod received;
pub mod server;

use std::time::Duration;

use quoin_access_point::dossier::unzip;
use quoin_formats::samples::SampleKind;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::caller::Caller;
use crate::stage::{Play, Stage, until};
use server::{Cable, CableAct, OpenSsh, make_key};

/// Services with a server beside them; none where it is not installed. The sender tries again and
/// again, and waits two seconds for an answer.
async fn play() -> Option<(Play, OpenSsh)> {
    patient_play(2).await
}

/// The same with a service that waits so many seconds for each answer.
async fn patient_play(seconds: u64) -> Option<(Play, OpenSsh)> {
    let stage = Stage::set().await;
    let ssh = OpenSsh::start(stage.folder.path())?;
    let play = stage
        .play_with(|one, _| {
            one.retry.delivery_seconds = vec![0.2; 150];
            one.limits.hook_timeout_seconds = seconds;
        })
        .await;
    Some((play, ssh))
}

/// Registers the hook `files`; the answer.
async fn put(caller: &Caller, action: &str, topics: &[&str]) -> Value {
    let hook = json!({ "id": "files", "action": action, "topics": topics });
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    let answer = caller.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

/// Uploads an invoice of so many lines for a channel.
async fn send(play: &Play, lines: usize, query: &str) -> (String, String) {
    let document =
        quoin_formats::samples::document(SampleKind::Invoice, SENDER, RECEIVER, "F-1", lines);
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.clone());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    (id, document)
}

/// The reason of the first attempt, as soon as it was made.
async fn first_fault(play: &Play, id: &str) -> Value {
    let look = async || play.attempts(id).await.into_iter().next();
    let attempt = until("an attempt", look).await;
    let code = attempt.code.clone().unwrap_or_default();
    json!({ "code": code, "fault": attempt.report["sftp"]["fault"] })
}

/// The document lies there, whole, under its name, and nothing else does.
async fn is_there(play: &Play, ssh: &OpenSsh, id: &str, document: &str) {
    let told = play.ending(id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let files = ssh.files();
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(names, [&format!("{id}.xml")]);
    assert_eq!(String::from_utf8_lossy(&files[&format!("{id}.xml")]), document);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_lies_in_the_folder_whole_and_under_its_name() {
    let Some((play, ssh)) = play().await else { return };
    let hook = put(&play.sender().await, &ssh.action(), &["Send*"]).await;
    assert_eq!(hook["hasSecret"], true);
    assert!(!hook.to_string().contains("PRIVATE KEY"), "{hook}");
    let (id, document) = send(&play, 2, "?channel=files").await;
    is_there(&play, &ssh, &id, &document).await;
    let details = &play.ending(&id).await.payload["details"];
    let endpoint = format!("sftp://{}@127.0.0.1:{}{}", ssh.user, ssh.port, ssh.inbox().display());
    assert_eq!((&details["protocol"], &details["endpoint"]), (&json!("Sftp"), &json!(endpoint)));
    let path = ssh.inbox().join(format!("{id}.xml"));
    assert_eq!(details["returnedMessageId"], path.display().to_string());
    let attempts = play.attempts(&id).await;
    let report = &attempts[0].report["sftp"];
    assert_eq!((&report["synced"], &report["bytes"]), (&json!(true), &json!(document.len())));
    assert_eq!(report["hostKey"], ssh.fingerprint);
    assert_eq!(report["login"], "privateKey");
    assert!(!report.to_string().contains("PRIVATE KEY"));
    let sender = play.sender().await;
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Routed", "Delivered"]);
    let dossier = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier")).await;
    assert_eq!(dossier.status, 200, "{}", dossier.json);
    let entries = unzip(&dossier.body).unwrap();
    let text: String = entries.values().map(|file| String::from_utf8_lossy(file)).collect();
    assert!(text.contains(&ssh.fingerprint) && text.contains(report["sha256"].as_str().unwrap()));
    assert!(!text.contains("PRIVATE KEY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_document_is_written_in_pieces_and_named_by_the_template() {
    let Some((play, ssh)) = play().await else { return };
    let name = "%7B%7Bfamily%7D%7D {{number}} {{format}} {{id}}{{extension}}".replace(' ', "%20");
    let parameters = format!("hostKey={}&filename={name}", ssh.fingerprint);
    let action = format!("{}#{}", ssh.action_at(ssh.port, &parameters), ssh.key);
    put(&play.sender().await, &action, &["SendInvoice"]).await;
    let (id, document) = send(&play, 6_000, "?channel=files").await;
    assert!(document.len() > 3 << 20, "{}", document.len());
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let files = ssh.files();
    let (name, content) = files.first_key_value().unwrap();
    assert!(name.starts_with("Invoice F-1 ") && name.ends_with(&format!(" {id}.xml")), "{name}");
    assert!(content == document.as_bytes() && files.len() == 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_nobody_confirmed_is_told_and_the_document_waits_for_it() {
    let Some((play, ssh)) = play().await else { return };
    let sender = play.sender().await;
    let action = format!("{}#{}", ssh.action_at(ssh.port, ""), ssh.key);
    put(&sender, &action, &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-host-key");
    let told = play.told(&id, &["InvoiceSentRetry"]).await;
    assert!(told.text("message").contains(&ssh.fingerprint), "{told:#?}");
    assert_eq!(told.payload["details"]["corner"], "sftp");
    assert!(ssh.files().is_empty());
    // Confirmed without giving the key again: account and server are the same.
    let confirmed = format!("hostKey={}", ssh.fingerprint);
    let hook = put(&sender, &ssh.action_at(ssh.port, &confirmed), &["Send*"]).await;
    assert_eq!(hook["hasSecret"], true);
    is_there(&play, &ssh, &id, &document).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_key_than_the_confirmed_one_gets_nothing() {
    let Some((play, ssh)) = play().await else { return };
    let other = format!("SHA256:{}", "A".repeat(43));
    let action = format!("{}#{}", ssh.action_at(ssh.port, &format!("hostKey={other}")), ssh.key);
    put(&play.sender().await, &action, &["Send*"]).await;
    let (id, _) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-host-key");
    let text = fault["fault"].as_str().unwrap();
    for word in ["somebody may be between", &other, &ssh.fingerprint] {
        assert!(text.contains(word), "{text}");
    }
    assert!(ssh.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_is_refused_can_be_put_right_while_documents_wait() {
    let Some((play, ssh)) = play().await else { return };
    let sender = play.sender().await;
    let confirmed = ssh.action_at(ssh.port, &format!("hostKey={}", ssh.fingerprint));
    put(&sender, &format!("{confirmed}#wrong horse"), &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-login");
    let text = fault["fault"].as_str().unwrap();
    assert!(text.contains("with the password") && !text.contains("horse"), "{text}");
    let stranger = play.stage.folder.path().join("stranger");
    make_key(&stranger, "ed25519");
    let stranger = std::fs::read_to_string(stranger).unwrap();
    put(&sender, &format!("{confirmed}#{stranger}"), &["Send*"]).await;
    let refused = async || {
        let attempts = play.attempts(&id).await;
        let fault = attempts.last()?.report["sftp"]["fault"].as_str()?.to_owned();
        fault.contains("with the private key").then_some(fault)
    };
    until("the key of a stranger", refused).await;
    assert!(ssh.files().is_empty());
    put(&sender, &ssh.action(), &["Send*"]).await;
    is_there(&play, &ssh, &id, &document).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_not_there_ends_the_document() {
    let Some((play, ssh)) = play().await else { return };
    let action = ssh.action().replace("/in?", "/out?");
    put(&play.sender().await, &action, &["Send*"]).await;
    let (id, _) = send(&play, 2, "?channel=files").await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert_eq!(told.payload["details"]["code"], "sftp-refused");
    assert!(told.text("message").contains("has no folder for"), "{told:#?}");
    assert_eq!(play.attempts(&id).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_in_the_middle_leaves_no_half_document() {
    let Some((play, ssh)) = play().await else { return };
    let cuts = [0, 1_000, 20_000, 300_000, 900_000].map(CableAct::Cut);
    let cable = Cable::lay(ssh.port, &cuts).await;
    put(&play.sender().await, &ssh.confirmed_at(cable.port), &["Send*"]).await;
    let (id, document) = send(&play, 2_000, "?channel=files").await;
    assert!(document.len() > 1_000_000, "{}", document.len());
    is_there(&play, &ssh, &id, &document).await;
    let attempts = play.attempts(&id).await;
    let codes: Vec<&str> = attempts.iter().filter_map(|a| a.code.as_deref()).collect();
    // What is cut during the login looks as if the server had ended it.
    let known = |code: &&str| matches!(*code, "sftp-unavailable" | "sftp-login");
    assert!(codes.iter().all(known) && codes[0] == "sftp-unavailable", "{codes:?}");
    assert_eq!((codes.len(), attempts.len(), cable.planned()), (5, 6, 0), "{codes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_silent_or_slow_is_given_its_time() {
    // A slow answer is far within its time on a busy machine, too.
    let Some((play, ssh)) = patient_play(6).await else { return };
    let slow = CableAct::Slow(Duration::from_millis(150));
    let cable = Cable::lay(ssh.port, &[CableAct::Silent, slow]).await;
    put(&play.sender().await, &ssh.confirmed_at(cable.port), &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-unavailable");
    assert!(fault["fault"].as_str().unwrap().contains("within 6s"), "{fault}");
    is_there(&play, &ssh, &id, &document).await;
    assert_eq!(play.attempts(&id).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_over_there_is_waited_for() {
    let Some((play, ssh)) = play().await else { return };
    ssh.fill(true);
    put(&play.sender().await, &ssh.action(), &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-unavailable");
    assert!(fault["fault"].as_str().unwrap().contains("may be full"), "{fault}");
    ssh.fill(false);
    is_there(&play, &ssh, &id, &document).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_tried_as_often_as_the_schedule_says() {
    let Some((play, ssh)) = play().await else { return };
    put(&play.sender().await, &ssh.confirmed_at(1), &["Send*"]).await;
    let (id, _) = send(&play, 2, "?channel=files").await;
    let fault = first_fault(&play, &id).await;
    assert_eq!(fault["code"], "sftp-unavailable");
    assert!(fault["fault"].as_str().unwrap().contains("is not reached"), "{fault}");
    assert!(play.told(&id, &["InvoiceSentRetry"]).await.text("message").contains("not reached"));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_chosen_forced_and_falls_back_as_any_channel() {
    let Some((play, ssh)) = play().await else { return };
    let sender = play.sender().await;
    put(&sender, &ssh.action(), &["Send*", "Send*Fallback"]).await;
    let found = sender.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await;
    assert_eq!(found.json["alternatives"], json!(["peppol-fallback"]), "{}", found.json);
    for (to, query, channel) in [
        (RECEIVER, "", "peppol"),
        (RECEIVER, "?channel=peppol-fallback", "peppol-fallback"),
        (UNREGISTERED, "", "peppol-fallback"),
    ] {
        let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun{query}");
        let body = Some(quoin_formats::samples::invoice(SENDER, to, "F-2"));
        let headers = [("content-type", "application/xml")];
        let run = sender.call(Method::POST, &path, &headers, body).await.unwrap().json;
        let found = (&run["verdict"], &run["route"]["channel"]);
        assert_eq!(found, (&json!("deliverable"), &json!(channel)), "{to} {query}");
    }
    let invoice = quoin_formats::samples::invoice(SENDER, UNREGISTERED, "F-3");
    let id = play.send_document(invoice.clone()).await;
    is_there(&play, &ssh, &id, &invoice).await;
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
    let (over_peppol, _) = send(&play, 2, "?channel=peppol").await;
    let told = play.ending(&over_peppol).await;
    assert_eq!(told.payload["details"]["protocol"], "As4", "{told:#?}");
    assert_eq!(ssh.files().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_documents_in_a_row_need_one_login() {
    let Some((play, ssh)) = play().await else { return };
    let cable = Cable::lay(ssh.port, &[CableAct::Slow(Duration::ZERO); 20]).await;
    put(&play.sender().await, &ssh.confirmed_at(cable.port), &["Send*"]).await;
    let mut reused = 0;
    for _ in 0..20 {
        let (id, _) = send(&play, 2, "?channel=files").await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
        let attempts = play.attempts(&id).await;
        assert_eq!(attempts.len(), 1);
        reused += usize::from(attempts[0].report["sftp"]["reused"] == true);
    }
    assert_eq!((reused, cable.planned()), (19, 19), "the first one made the connection");
    assert_eq!(ssh.files().len(), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_every_kind_are_spoken() {
    for kind in ["rsa", "ecdsa"] {
        let stage = Stage::set().await;
        let Some(ssh) = OpenSsh::with_keys(stage.folder.path(), kind) else { return };
        let play = stage.play().await;
        put(&play.sender().await, &ssh.action(), &["Send*"]).await;
        let (id, document) = send(&play, 2, "?channel=files").await;
        is_there(&play, &ssh, &id, &document).await;
        let attempts = play.attempts(&id).await;
        let shown = attempts[0].report["sftp"]["hostKeyAlgorithm"].as_str().unwrap().to_owned();
        assert!(shown.contains(kind), "{shown}");
    }
}

/// Every five hundredth ECDSA key has a number that is a byte short.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_with_a_short_number_opens_the_account() {
    let Some((play, ssh)) = play().await else { return };
    let key = include_str!("../../../access-point/src/sftp/login/short.key");
    ssh.opens_to(key);
    let place = ssh.action_at(ssh.port, &format!("hostKey={}", ssh.fingerprint));
    put(&play.sender().await, &format!("{place}#{key}"), &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    is_there(&play, &ssh, &id, &document).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_side_by_side_do_not_mix_and_need_few_connections() {
    let Some((play, ssh)) = play().await else { return };
    let count: usize = std::env::var("QUOIN_SFTP_DOCUMENTS").map_or(100, |n| n.parse().unwrap());
    let cable = Cable::lay(ssh.port, &vec![CableAct::Slow(Duration::ZERO); count]).await;
    put(&play.sender().await, &ssh.confirmed_at(cable.port), &["Send*"]).await;
    let began = std::time::Instant::now();
    let mut sent = Vec::new();
    for _ in 0..count {
        sent.push(send(&play, 2, "?channel=files").await);
    }
    let uploaded = began.elapsed();
    for (id, _) in &sent {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
    }
    let files = ssh.files();
    assert_eq!(files.len(), count);
    for (id, document) in &sent {
        assert_eq!(files[&format!("{id}.xml")], document.as_bytes());
    }
    let used = count - cable.planned();
    println!("{count}: uploaded {uploaded:.1?}, sent {:.1?}, {used} logins", began.elapsed());
    assert!(used <= 16, "{used} connections");
}
