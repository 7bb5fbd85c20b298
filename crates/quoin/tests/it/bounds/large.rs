//! Large documents: they lie on the disk until there is memory for them.

use std::path::Path;
use std::time::Duration;

use quoin_access_point::budget::Budgets;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::SOON;
use crate::stage::{Play, Stage, arrived, until};

/// An invoice of so many bytes, most of them an attachment that cannot be compressed.
fn attached(number: &str, bytes: usize) -> String {
    let mut noise = vec![0; bytes / 4 * 3];
    aws_lc_rs::rand::fill(&mut noise).unwrap();
    let before = "<cac:AccountingSupplierParty>";
    let attachment = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"a.pdf\">{}\
         </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>\
         {before}",
        quoin_xml::base64::encode(&noise)
    );
    let small = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
    small.replacen(before, &attachment, 1)
}

/// A play in which both services have so many MiB for what is under way.
async fn play_within(megabytes: u64) -> Play {
    let stage = Stage::set().await;
    stage
        .play_with(|one, two| {
            one.limits.memory_megabytes = megabytes;
            two.limits.memory_megabytes = megabytes;
        })
        .await
}

fn budgets(play: &Play) -> [&Budgets; 2] {
    [&play.one.parts.budgets, &play.two.parts.budgets]
}

async fn all_is_given_back(play: &Play) {
    until("everything is given back", async || {
        let held = |budgets: &Budgets| budgets.bytes.used() + budgets.spool.used();
        (budgets(play).map(held) == [0, 0]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_large_documents_are_delivered_once_each_within_a_small_budget() {
    let play = play_within(64).await;
    let sends = (0..20).map(|n| play.send_document(attached(&format!("LARGE-{n}"), 4 << 20)));
    let ids = futures::future::join_all(sends).await;
    let small = play.send("SMALL").await;
    for id in ids.iter().chain([&small]) {
        until("it is delivered", async || {
            for budgets in budgets(&play) {
                assert!(budgets.bytes.used() <= budgets.bytes.total());
            }
            let ends = ["InvoiceSent", "InvoiceSentError"];
            ends.iter().any(|topic| play.times(id, topic) > 0).then_some(())
        })
        .await;
        assert_eq!(play.times(id, "InvoiceSent"), 1, "{}", play.ending(id).await.text("message"));
    }
    let arrived = until("all have arrived", async || {
        let arrived = play.arrived().await;
        (arrived.len() >= 21).then_some(arrived)
    })
    .await;
    assert_eq!(arrived.len(), 21);
    all_is_given_back(&play).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_larger_than_the_budget_is_done_alone() {
    let play = play_within(8).await;
    let id = play.send_document(attached("HUGE", 9 << 20)).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    all_is_given_back(&play).await;
}

/// What one organisation sends to another one of the same service leaves and comes in within one
/// budget: what waits to leave must not keep the door waiting that it goes to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_documents_between_two_organisations_of_one_service_are_delivered() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|one, two| {
            one.limits.memory_megabytes = 64;
            one.organisation.append(&mut two.organisation);
        })
        .await;
    play.stage.register(RECEIVER, &play.stage.one.smp_url);
    // Of such a size that one is looked at beside none, neither on its way out nor in.
    let padding = format!("<!--{}--></Invoice>", "x".repeat(8 << 20));
    let large = |number: String| {
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, &number);
        invoice.replacen("</Invoice>", &padding, 1)
    };
    let sends = (0..4).map(|at| play.send_document(large(format!("OWN-{at}"))));
    let ids = futures::future::join_all(sends).await;
    for id in &ids {
        let ending = play.ending(id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    }
    let arrived = arrived(&play.one, &play.stage.receiver).await;
    assert_eq!(arrived.len(), ids.len());
    all_is_given_back(&play).await;
}

/// Files under a folder.
fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 })
        .sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_hangs_up_or_stands_still_leaves_nothing() {
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.limits.body_timeout_seconds = 8).await;
    let address = play.one.api.as_ref().unwrap().address;
    let token = play.sender().await.token().to_owned();
    let begun = async || {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /api/v1/{SENDER}/salesInvoice/send HTTP/1.1\r\nhost: x\r\ncontent-type: \
             application/xml\r\nauthorization: Bearer {token}\r\ncontent-length: 8000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b'x'; 6_000_000]).await.unwrap();
        stream
    };
    let (gone, mut still) = (begun().await, begun().await);
    let budgets = &play.one.parts.budgets;
    until("both lie on the disk", async || (budgets.spool.used() > 10_000_000).then_some(())).await;
    assert!(budgets.bytes.used() < 2 << 20, "{} bytes in memory", budgets.bytes.used());
    let blobs = play.one.parts.config.data_dir.join("blobs");
    assert_eq!(files(&blobs), 2, "in {}", blobs.display());
    drop(gone);
    until("one is gone", async || (files(&blobs) == 1).then_some(())).await;
    let mut answer = vec![0; 4096];
    let read = tokio::time::timeout(Duration::from_secs(30), still.read(&mut answer)).await;
    let answer = String::from_utf8_lossy(&answer[..read.unwrap().unwrap()]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    until("the other is gone", async || (files(&blobs) == 0).then_some(())).await;
    all_is_given_back(&play).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_beyond_the_budget_is_told_to_come_again() {
    let play = play_within(64).await;
    let bytes = &play.one.parts.budgets.bytes;
    let mut all = bytes.enter("somebody");
    all.grow(bytes.total() - bytes.total() / 8).unwrap();
    let caller = play.sender().await;
    let (id, document) = (uuid::Uuid::new_v4().to_string(), attached("LATER", 2 << 20));
    let path = format!("/api/v1/{SENDER}/generic/send");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let post =
        async || caller.call(Method::POST, &path, &headers, Some(document.clone())).await.unwrap();
    let answer = post().await;
    assert_eq!(answer.status, 503, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.headers.get("retry-after").unwrap(), "5");
    // Small ones have a part of their own meanwhile.
    let begun = std::time::Instant::now();
    play.send("SMALL").await;
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    drop(all);
    let answer = post().await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    all_is_given_back(&play).await;
}

/// Downloads that nobody takes hold a part of the budget and no more, and whoever comes beyond it
/// is told to come again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn downloads_that_nobody_takes_stay_within_the_budget() {
    let play = play_within(32).await;
    let id = play.send_document(attached("TAKEN", 9 << 20)).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let (arrived, size) = until("it has arrived", async || {
        let arrived = play.arrived().await.pop()?;
        Some((arrived.transaction.document_id.to_string(), arrived.size))
    })
    .await;
    all_is_given_back(&play).await;
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}/download");
    let address = play.two.api.as_ref().unwrap().address;
    let token = play.receiver().await.token().to_owned();
    let bytes = &play.two.parts.budgets.bytes;
    let mut untaken = Vec::new();
    let refusal = loop {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        let head =
            format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut start = vec![0; 512];
        let read = stream.read(&mut start).await.unwrap();
        let start = String::from_utf8_lossy(&start[..read]).into_owned();
        if !start.starts_with("HTTP/1.1 200") {
            break start;
        }
        untaken.push(stream);
        assert!(untaken.len() < 50, "{} of {size} bytes are held", untaken.len());
        assert!(bytes.used() <= bytes.total());
    };
    assert!(refusal.starts_with("HTTP/1.1 503"), "{refusal}");
    assert!(refusal.to_ascii_lowercase().contains("retry-after: 5"), "{refusal}");
    assert!(bytes.used() >= size as usize, "{} of {size}", bytes.used());
    drop(untaken);
    all_is_given_back(&play).await;
}
