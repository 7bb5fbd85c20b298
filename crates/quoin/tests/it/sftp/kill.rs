//! A service that is killed between the upload and its own commit: the document is written again
//! under the same name, so that there is one.

use std::time::Duration;

use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::put;
use super::server::{Cable, CableAct, OpenSsh};
use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_writes_over_its_own_file() {
    let stage = Stage::set().await;
    let Some(ssh) = OpenSsh::start(stage.folder.path()) else { return };
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    // The answer to the renaming comes so late that the service is killed before it.
    let slow = CableAct::Slow(Duration::from_millis(400));
    let cable = Cable::lay(ssh.port, &[slow]).await;
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    put(&caller, &ssh.confirmed_at(cable.port), &["Send*"]).await;
    let id = Uuid::new_v4().to_string();
    let document = invoice(SENDER, RECEIVER, "KILL-1");
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=files");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.clone());
    let answer = caller.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let name = format!("{id}.xml");
    until("the file", async || ssh.files().contains_key(&name).then_some(())).await;
    one.kill();
    // What a reader would have seen then: the whole document, once.
    assert_eq!(ssh.files().len(), 1);
    std::fs::write(ssh.inbox().join(&name), "seen").unwrap();
    one.start();
    let caller = until("a token again", open).await;
    let delivered = async || {
        let (names, status) = caller.timeline(SENDER, &id).await;
        (status == "Delivered").then_some(names)
    };
    let names = until("a delivery", delivered).await;
    assert_eq!(names.iter().filter(|name| *name == "Delivered").count(), 1, "{names:?}");
    let files = ssh.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), [&name], "no second one, and nothing half");
    assert_eq!(String::from_utf8_lossy(&files[&name]), document);
    let events = caller.get("/api/v1/events?limit=500").await.json;
    let sent = |event: &&Value| event["topic"] == "InvoiceSent";
    assert_eq!(events["items"].as_array().unwrap().iter().filter(sent).count(), 1, "{events}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_a_taken_file_is_set_aside_it_sends_it_once() {
    let stage = Stage::set().await;
    let Some(ssh) = OpenSsh::start(stage.folder.path()) else { return };
    let mut config = stage.config_one();
    config.network.folder_seconds = 1;
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    stage.register(RECEIVER, &stage.two.smp_url);
    let _two = stage.start(stage.config_two()).await;
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    // Every answer is late, so that it takes long from the record to the moved file.
    let slow = CableAct::Slow(Duration::from_millis(150));
    let cable = Cable::lay(ssh.port, &[slow; 40]).await;
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    let action = ssh.confirmed_at(cable.port).replacen("sftp://", "sftpfrom://", 1);
    let hook = json!({ "id": "out", "action": action, "topics": ["Send*"] }).to_string();
    let headers = [("content-type", "application/json")];
    let path = format!("/api/v1/{SENDER}/hook");
    let answer = caller.call(Method::PUT, &path, &headers, Some(hook)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let file = ssh.inbox().join("one.xml");
    std::fs::write(&file, invoice(SENDER, RECEIVER, "KILL-2")).unwrap();
    let listed = async |caller: &Caller| -> Vec<Value> {
        let list = caller.get(&format!("/api/v1/{SENDER}/salesInvoice?limit=10")).await.json;
        list["items"].as_array().cloned().unwrap_or_default()
    };
    until("a record", async || listed(&caller).await.into_iter().next()).await;
    one.kill();
    assert!(file.exists(), "it was set aside before the service was killed");
    one.start();
    let caller = until("a token again", open).await;
    let done = ssh.inbox().join("done/one.xml");
    until("it is set aside", async || (done.exists() && !file.exists()).then_some(())).await;
    let sent = async || {
        let list = listed(&caller).await;
        list.iter().any(|item| item["status"] == "Delivered").then_some(list)
    };
    let list = until("a delivery", sent).await;
    assert_eq!(list.len(), 1, "{list:?}");
}
