//! A folder that is looked at for documents to send, on OpenSSH's own server.

use std::fs::{File, FileTimes};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::server::OpenSsh;
use crate::stage::caller::Answered;
use crate::stage::{Play, Stage, until};

/// Services that look into folders each second, and a server.
async fn play() -> Option<(Play, OpenSsh)> {
    let stage = Stage::set().await;
    let ssh = OpenSsh::start(stage.folder.path())?;
    let play = stage.play_with(|one, _| one.network.folder_seconds = 1).await;
    Some((play, ssh))
}

async fn put(play: &Play, place: &str, action: &str, topics: &[&str]) -> Answered {
    let hook = json!({ "id": "out", "action": action, "topics": topics });
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    play.sender().await.call(Method::PUT, place, &headers, body).await.unwrap()
}

/// Registers the folder of the server for the sender.
async fn register(play: &Play, ssh: &OpenSsh, topics: &[&str]) {
    let action = ssh.action().replacen("sftp://", "sftpfrom://", 1);
    let answer = put(play, &format!("/api/v1/{SENDER}/hook"), &action, topics).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(answer.json["hasSecret"], true);
}

/// The events about the folder, oldest first.
async fn trouble(play: &Play) -> Vec<Value> {
    let events = play.sender().await.get("/api/v1/events?topic=FolderError").await;
    events.json["items"].as_array().cloned().unwrap_or_default()
}

/// The numbers of what arrived, in their order.
async fn numbers(play: &Play) -> Vec<String> {
    let arrived = play.arrived().await.into_iter();
    let mut numbers: Vec<String> = arrived.filter_map(|a| a.transaction.number).collect();
    numbers.sort();
    numbers
}

/// Waits until a file is there.
async fn comes(path: &Path) {
    let name = path.display().to_string();
    until(&name, async || path.exists().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_sent_once_and_set_aside() {
    let Some((play, ssh)) = play().await else { return };
    register(&play, &ssh, &["Send*"]).await;
    let (inbox, done) = (ssh.inbox(), ssh.inbox().join("done"));
    let text = invoice(SENDER, RECEIVER, "OUT-1");
    for name in [".hidden.xml", "later.xml.part", "later.TMP"] {
        std::fs::write(inbox.join(name), &text).unwrap();
    }
    std::fs::create_dir(inbox.join("a folder.xml")).unwrap();
    let file = inbox.join("one.xml");
    std::fs::write(&file, &text).unwrap();
    let written = std::fs::metadata(&file).unwrap().modified().unwrap();
    comes(&done.join("one.xml")).await;
    until("a document", async || (numbers(&play).await == ["OUT-1"]).then_some(())).await;
    // As if the service had ended between recording and moving: the file is there again.
    std::fs::copy(done.join("one.xml"), &file).unwrap();
    let times = FileTimes::new().set_modified(written);
    File::options().write(true).open(&file).unwrap().set_times(times).unwrap();
    until("it is taken again", async || (!file.exists()).then_some(())).await;
    // Another file of the same name is another document, and does not take the place of the first.
    std::fs::write(&file, invoice(SENDER, RECEIVER, "OUT-2")).unwrap();
    let two = async || (numbers(&play).await == ["OUT-1", "OUT-2"]).then_some(());
    until("the second document", two).await;
    until("it is moved", async || (!file.exists()).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(play.arrived().await.len(), 2);
    let kept = std::fs::read_dir(&done).unwrap().flatten();
    let kept: Vec<String> = kept.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert!(kept.iter().all(|name| name.ends_with("one.xml")), "{kept:?}");
    let mut left: Vec<String> = ssh.files().into_keys().collect();
    left.retain(|name| name != "done");
    assert_eq!(left, [".hidden.xml", "a folder.xml", "later.TMP", "later.xml.part"]);
    assert!(trouble(&play).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_sent_lies_in_failed_with_the_reason_beside_it() {
    let Some((play, ssh)) = play().await else { return };
    register(&play, &ssh, &["SendInvoice"]).await;
    let failed = ssh.inbox().join("failed");
    let wrong = invoice(SENDER, RECEIVER, "OUT-3").replace("<cbc:IssueDate>", "<cbc:IssueDate>x");
    let other = invoice("0106:99999999", RECEIVER, "OUT-5");
    for (name, text, word) in [
        ("wrong.xml", wrong, "IssueDate"),
        ("other.xml", other, "0106:99999999"),
        ("no.xml", "no document".to_owned(), "no"),
    ] {
        std::fs::write(ssh.inbox().join(name), &text).unwrap();
        let note = failed.join(format!("{name}.error.txt"));
        comes(&failed.join(name)).await;
        let said = std::fs::read_to_string(note).unwrap();
        assert!(said.contains(word), "{name}: {said}");
        assert_eq!(std::fs::read_to_string(failed.join(name)).unwrap(), text);
    }
    // The file lies there a moment before its event is on record.
    let all = async || Some(trouble(&play).await).filter(|told| told.len() >= 3);
    let told = until("three events", all).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0]["message"].as_str().unwrap().contains("The file wrong.xml cannot be sent"));
    assert_eq!(told[0]["details"]["hook"], "out");
    register(&play, &ssh, &["SendOrder"]).await;
    std::fs::write(ssh.inbox().join("invoice.xml"), invoice(SENDER, RECEIVER, "OUT-4")).unwrap();
    comes(&failed.join("invoice.xml")).await;
    let said = std::fs::read_to_string(failed.join("invoice.xml.error.txt")).unwrap();
    assert_eq!(said, "It is Invoice, and the hook takes SendOrder.\n");
    assert!(play.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_the_server_keeps_does_not_keep_the_others() {
    let Some((play, ssh)) = play().await else { return };
    let (inbox, done) = (ssh.inbox(), ssh.inbox().join("done"));
    // What is refused can be put nowhere.
    std::os::unix::fs::symlink("nowhere/at/all", inbox.join("failed")).unwrap();
    std::fs::write(inbox.join("a.xml"), "no document").unwrap();
    std::fs::write(inbox.join("b.xml"), invoice(SENDER, RECEIVER, "OUT-7")).unwrap();
    register(&play, &ssh, &["Send*"]).await;
    comes(&done.join("b.xml")).await;
    until("a document", async || (numbers(&play).await == ["OUT-7"]).then_some(())).await;
    let first = until("an event", async || trouble(&play).await.into_iter().next()).await;
    assert!(first["message"].as_str().unwrap().contains("is left where it is"), "{first}");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(trouble(&play).await.len(), 1, "said once");
    std::fs::remove_file(inbox.join("failed")).unwrap();
    comes(&inbox.join("failed/a.xml")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_grows_is_waited_for() {
    let Some((play, ssh)) = play().await else { return };
    register(&play, &ssh, &["Send*"]).await;
    let text = invoice(SENDER, RECEIVER, "OUT-6");
    let file = ssh.inbox().join("slow.xml");
    let piece = text.len() / 12;
    for length in 1..=12 {
        let end = if length == 12 { text.len() } else { length * piece };
        std::fs::write(&file, &text[..end]).unwrap();
        assert!(!ssh.inbox().join("failed").exists(), "half of it was taken");
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    comes(&ssh.inbox().join("done/slow.xml")).await;
    until("a document", async || play.arrived().await.into_iter().next()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_looked_at_is_told_once() {
    let Some((play, ssh)) = play().await else { return };
    let place = format!("/api/v1/{SENDER}/hook");
    let open = ssh.action_at(ssh.port, "").replacen("sftp://", "sftpfrom://", 1);
    let answer = put(&play, &place, &format!("{open}#{}", ssh.key), &["Send*"]).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    let first = until("an event", async || trouble(&play).await.into_iter().next()).await;
    assert!(first["message"].as_str().unwrap().contains(&ssh.fingerprint), "{first}");
    assert_eq!(first["details"]["code"], "sftp-host-key");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(trouble(&play).await.len(), 1, "said once");
    let elsewhere = ssh.action().replacen("sftp://", "sftpfrom://", 1).replace("/in?", "/out?");
    put(&play, &place, &elsewhere, &["Send*"]).await;
    let second = until("another", async || trouble(&play).await.into_iter().nth(1)).await;
    assert!(second["message"].as_str().unwrap().contains("has no folder for"), "{second}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_belongs_to_a_party_and_takes_kinds_of_documents() {
    let Some((play, ssh)) = play().await else { return };
    let action = ssh.action().replacen("sftp://", "sftpfrom://", 1);
    let party = format!("/api/v1/{SENDER}/hook");
    for (place, topic, word) in [
        ("/api/v1/hook", "Send*", "belongs to the party"),
        (party.as_str(), "InvoiceReceived", "is for a hook with this action"),
        (party.as_str(), "Send*Fallback", "is for a hook with this action"),
    ] {
        put(&play, place, &action, &[topic]).await.is_problem(400, "API400.Hook", word);
    }
    let named = action.replace("?hostKey", "?filename=%7B%7Bid%7D%7D&hostKey");
    put(&play, &party, &named, &["Send*"]).await.is_problem(400, "API400.Hook", "filename");
    // It is no channel.
    register(&play, &ssh, &["Send*"]).await;
    let found = play.sender().await;
    let found = found.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await;
    assert_eq!(found.json["alternatives"], json!([]), "{}", found.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_cannot_be_taken_is_told_once_and_keeps_no_other() {
    let Some((play, ssh)) = play().await else { return };
    register(&play, &ssh, &["SendInvoice"]).await;
    let text = invoice(SENDER, RECEIVER, "OUT-N");
    let latin = std::ffi::OsStr::from_bytes(b"lat\xe9.xml");
    std::fs::write(ssh.inbox().join(latin), &text).unwrap();
    std::fs::write(ssh.inbox().join(format!("{}.xml", "x".repeat(202))), &text).unwrap();
    std::fs::write(ssh.inbox().join("plain.xml"), &text).unwrap();
    comes(&ssh.inbox().join("done/plain.xml")).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let told = trouble(&play).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let message = told[0]["message"].as_str().unwrap();
    assert!(message.contains("UTF-8") && message.contains("and 1 more"), "{message}");
    assert!(ssh.inbox().join(latin).exists(), "it stays where it is");
}
