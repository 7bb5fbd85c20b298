//! A service that is killed between the answer of the network and its own commit: the document is
//! posted again under the same id with the same bytes, so that the network has it once.

use std::time::Duration;

use quoin_lab::lab::partner::PartnerAct;

use super::*;
use crate::kill::process::Service;

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_posts_the_same_message_again() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    // The network takes the message, and its answer comes after the service is killed.
    stage.around.partner.plan(&[PartnerAct::Late(Duration::from_secs(3))]);
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    let around = &stage.around;
    let action =
        format!("cxml://{}/cxml?from=AN-S&to=AN-B#{}", around.partner_host, around.partner_secret);
    put(&caller, &action).await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=net");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let answer = caller.call(Method::POST, &path, &headers, Some(invoice("KILL-N"))).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let called = async || (around.partner.posts().len() == 1).then_some(());
    until("the network has it", called).await;
    one.kill();
    one.start();
    let caller = until("a token again", open).await;
    let delivered = async || {
        let (names, status) = caller.timeline(SENDER, &id).await;
        (status == "Delivered").then_some(names)
    };
    let names = until("a delivery", delivered).await;
    assert_eq!(names.iter().filter(|name| *name == "Delivered").count(), 1, "{names:?}");
    let all = until("both calls", async || {
        let posts = around.partner.posts();
        (posts.len() == 2).then_some(posts)
    });
    let all = all.await;
    assert_eq!((&all[0].id, &all[0].body), (&all[1].id, &all[1].body));
    assert_eq!(around.partner.taken().len(), 1);
    let events = caller.get("/api/v1/events?limit=500").await.json;
    let sent = |event: &&Value| event["topic"] == "InvoiceSent";
    assert_eq!(events["items"].as_array().unwrap().iter().filter(sent).count(), 1, "{events}");
}
