//! More rows of the contract (interface specification 4.1, 6 and 3.5): attachments, prefixes,
//! self-billing, recognition.

use quoin_formats::samples;
use quoin_formats::samples::SampleKind;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;

use super::{id, only, xml};
use crate::foreign::hybrid_pdf;
use crate::stage::caller::Caller;
use crate::stage::{PATIENCE, Play, until};

const SEND: &str = "/api/v1/0106:12345678/salesInvoice/send";

async fn delivered(play: &Play, document: String) -> String {
    let sent = id(&xml(&play.sender().await, SEND, document).await);
    let ending = play.ending(&sent).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:#?}");
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let download = receiver.download(RECEIVER, arrived["id"].as_str().unwrap()).await;
    assert_eq!(download.status, 200);
    String::from_utf8(download.body.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_1_an_embedded_attachment_is_delivered_with_the_invoice() {
    let play = Play::begin().await;
    let pdf: Vec<u8> =
        b"%PDF-1.7\n".iter().copied().chain((0..60_000u32).map(|n| n as u8)).collect();
    let content = data_encoding::BASE64.encode(&pdf);
    let attachment = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>A-1</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"invoice.pdf\">\
         {content}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>\
         </cac:AdditionalDocumentReference>"
    );
    let party = "<cac:AccountingSupplierParty>";
    let invoice = samples::invoice(SENDER, RECEIVER, "ROW-6");
    let document = invoice.replacen(party, &format!("{attachment}{party}"), 1);
    let arrived = delivered(&play, document).await;
    let from =
        arrived.find("filename=\"invoice.pdf\">").unwrap() + "filename=\"invoice.pdf\">".len();
    let until = from + arrived[from..].find('<').unwrap();
    assert_eq!(arrived.as_bytes()[from..until], *content.as_bytes());
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_1_prefixed_namespaces_are_valid_xml() {
    let play = Play::begin().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "ROW-7");
    let document = invoice
        .replace("<Invoice ", "<ubl:Invoice ")
        .replace("</Invoice>", "</ubl:Invoice>")
        .replace(" xmlns=\"", " xmlns:ubl=\"");
    assert!(document.contains("<ubl:Invoice ") && document.contains("xmlns:ubl="));
    assert!(delivered(&play, document).await.contains("<ubl:Invoice "));
}

/// A self-billing document arrives at the supplier on the topic of invoices, and its type code
/// tells it apart.
async fn self_billed(kind: SampleKind, code: &str) {
    let play = Play::begin().await;
    let document = samples::document(kind, SENDER, RECEIVER, "SELF-1", 2);
    let arrived = delivered(&play, document).await;
    assert!(arrived.contains(&format!("TypeCode>{code}<")), "{arrived}");
    let received = |told: &ReceivedCall| told.text("topic") == "InvoiceReceived";
    let told = play.stage.around.sink.wait_for(PATIENCE, received).await;
    assert_eq!(told.expect("InvoiceReceived").payload["details"]["id"], "SELF-1");
    // 3.5: it is kept as any other, and goes 7 days after its download.
    play.stage.clock.advance(jiff::SignedDuration::from_hours(24 * 8));
    let receiver: Caller = play.receiver().await;
    until("the document goes", async || {
        let list = receiver.get(&format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
        Some(()).filter(|()| list.json["items"][0]["expiredOn"].is_string())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_1_and_3_5_a_self_billing_invoice_is_received_as_an_invoice() {
    self_billed(SampleKind::SelfBilledInvoice, "389").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_1_and_3_5_a_self_billing_credit_note_is_received_as_an_invoice() {
    self_billed(SampleKind::SelfBilledCreditNote, "261").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_invoice_in_a_pdf_is_recognized_and_sent_and_handed_in() {
    let play = Play::begin().await;
    let (sender, receiver) = (play.sender().await, play.receiver().await);
    let post = async |caller: &Caller, path: &str, kind: &str, body: Vec<u8>| {
        let headers = [("content-type", kind)];
        caller.call(Method::POST, path, &headers, Some(body)).await.unwrap()
    };
    let sales = format!("/api/v1/{SENDER}/salesInvoice/recognize");
    let purchase = format!("/api/v1/{RECEIVER}/purchaseInvoice/recognize");
    let invoice = |number: &str| samples::invoice(SENDER, RECEIVER, number);
    let pdf = hybrid_pdf(&invoice("PDF-1"));
    let sent = id(&post(&sender, &sales, "application/pdf", pdf).await);
    let told = play.ending(&sent).await;
    assert_eq!(
        (told.text("topic"), &told.payload["details"]["id"]),
        ("InvoiceSent", &"PDF-1".into())
    );
    let pdf = hybrid_pdf(&invoice("PDF-2"));
    let own = id(&post(&receiver, &purchase, "application/octet-stream", pdf.clone()).await);
    let told = play.told(&own, &["InvoiceReceived"]).await;
    assert_eq!(told.payload["details"]["id"], "PDF-2");
    let download = receiver.download(RECEIVER, &own).await;
    assert_eq!(download.body, invoice("PDF-2"), "what is kept is the invoice");

    let scan = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n".to_vec();
    for (kind, body, word) in [
        ("application/pdf", scan, "found none"),
        ("application/xml", samples::order(SENDER, RECEIVER, "O").into_bytes(), "found none"),
        ("application/octet-stream", b"PK\x03\x04nothing".to_vec(), "found none"),
    ] {
        for (caller, path) in [(&sender, &sales), (&receiver, &purchase)] {
            let answer = post(caller, path, kind, body.clone()).await;
            answer.is_problem(400, "API400.NoInvoice", word);
        }
    }
    let two = format!(
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/xml\r\n\r\n\
         {}\r\n--b\r\nContent-Type: application/xml\r\n\r\n{}\r\n--b--\r\n",
        invoice("PDF-3"),
        invoice("PDF-4")
    );
    let answer = post(&sender, &sales, "application/octet-stream", two.into_bytes()).await;
    answer.is_problem(400, "API400.NoInvoice", "2 invoices");
    post(&sender, &sales, "text/plain", pdf).await.is_problem(415, "API415", "text/plain");
}
