//! A service that is killed between the record of a document and the moving of its mail.

use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::inbound::{head, mail};
use super::servers::Dovecot;
use crate::kill::process::Service;
use crate::sftp::server::{Cable, CableAct};
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_a_mail_is_moved_it_sends_its_document_once() {
    let stage = Stage::set().await;
    let Some(dovecot) = Dovecot::start(stage.folder.path(), &stage.around.pki) else { return };
    let mut config = stage.config_one();
    config.network.folder_seconds = 1;
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    stage.register(RECEIVER, &stage.two.smp_url);
    let _two = stage.start(stage.config_two()).await;
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    // Every answer is late, so that it takes long from the record to the moved mail.
    let slow = CableAct::Slow(std::time::Duration::from_millis(300));
    let cable = Cable::lay(dovecot.port, &[slow; 40]).await;
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    let action = dovecot.action("from=shop.test");
    let action = action.replace(&format!(":{}/", dovecot.port), &format!(":{}/", cable.port));
    let hook = json!({ "id": "post", "action": action, "topics": ["Send*"] }).to_string();
    let headers = [("content-type", "application/json")];
    let path = format!("/api/v1/{SENDER}/hook");
    let answer = caller.call(Method::PUT, &path, &headers, Some(hook)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let document = invoice(SENDER, RECEIVER, "KILL-3");
    let file = ("application/xml", "one.xml", document.as_str());
    dovecot.deliver(&mail(&head("a@shop.test", "kill"), &[file]));
    let listed = async |caller: &Caller| -> Vec<Value> {
        let list = caller.get(&format!("/api/v1/{SENDER}/salesInvoice?limit=10")).await.json;
        list["items"].as_array().cloned().unwrap_or_default()
    };
    until("a record", async || listed(&caller).await.into_iter().next()).await;
    one.kill();
    assert!(dovecot.mails("done").is_empty(), "it was moved before the service was killed");
    one.start();
    let caller = until("a token again", open).await;
    let is_moved = || dovecot.mails("done").len() == 1 && dovecot.mails("").is_empty();
    until("it is moved", async || is_moved().then_some(())).await;
    let sent = async || {
        let list = listed(&caller).await;
        list.iter().any(|item| item["status"] == "Delivered").then_some(list)
    };
    let list = until("a delivery", sent).await;
    assert_eq!(list.len(), 1, "{list:?}");
}
