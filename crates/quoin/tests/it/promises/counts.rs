//! What is counted and what is listed: packages (items A13 and BO-13), and what nobody fetched in
//! time (items A15 and GR-8).

use futures::future::join_all;
use jiff::SignedDuration;
use quoin_access_point::config::PackageRow;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use uuid::Uuid;

use crate::stage::{Stage, until};

/// A receiver whose SMP does not answer, so that what is sent to it stays under way.
const SILENT: &str = "0106:66666666";

#[tokio::test(flavor = "multi_thread")]
async fn a_13_bo_13_what_is_under_way_counts_for_the_package() {
    let stage = Stage::set().await;
    stage.register(SILENT, "https://127.0.0.1:9");
    let play = stage.play_with(|one, _| {
        let (name, documents) = ("two".to_owned(), 2);
        one.packages = vec![PackageRow { name, documents, transformation: true }];
        one.retry.delivery_seconds = vec![3_600.0; 7];
    });
    let play = play.await;
    let owner = "sender".parse().unwrap();
    play.one.parts.store.put_package(&owner, Some("two")).await.unwrap();
    let caller = play.sender().await;
    let ids: Vec<String> = (0..8).map(|_| Uuid::new_v4().to_string()).collect();
    let send = async |number: usize| {
        let invoice = quoin_formats::samples::invoice(SENDER, SILENT, &format!("P-{number}"));
        caller.send(SENDER, &ids[number], invoice).await
    };
    let answers = join_all((0..8).map(&send)).await;
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(taken, 2, "a burst is no way around the package");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.is_problem(403, "API403.Package", "are under way");
    }
    let of_taken = answers.iter().position(|answer| answer.status == 200).unwrap();
    send(of_taken).await.is_problem(409, "API409", &ids[of_taken]);
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "P-9");
    let headers = [("content-type", "application/xml")];
    let run = caller.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(run.json["verdict"], "refused", "what sending answers: {}", run.json);
    assert!(run.json["reason"].as_str().unwrap().contains("package two"), "{}", run.json);
    let usage = caller.get("/api/v1/usage").await.json;
    assert_eq!(usage["package"]["left"], 0, "{usage}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_15_gr_8_what_expired_is_not_listed_as_not_downloaded() {
    let play = Stage::set().await.play_with(|_, two| two.organisation[0].hooks.clear()).await;
    let listed = async || {
        let path = format!("/api/v1/{RECEIVER}/purchaseInvoice?notDownloaded=true");
        let list = play.receiver().await.get(&path).await;
        assert_eq!(list.status, 200, "{}", list.json);
        list.json["items"].as_array().unwrap().len()
    };
    let id = play.send("GR-8-1").await;
    play.ending(&id).await;
    until("it is listed", async || (listed().await == 1).then_some(())).await;
    play.stage.clock.advance(SignedDuration::from_hours(91 * 24));
    until("it expired", async || {
        play.arrived().await.iter().all(|record| record.expired_on.is_some()).then_some(())
    })
    .await;
    assert_eq!(listed().await, 0, "what cannot be fetched is not offered");
}
