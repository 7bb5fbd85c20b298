//! The tables of states, retention, errors and limits (interface specification 3.3, 3.5, 7 and 8):
//! one test a row, named after it.

use jiff::SignedDuration;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use quoin_store::AttemptOutcome;
use reqwest::Method;

use super::{id, only};
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

const SEND: &str = "/api/v1/0106:12345678/salesInvoice/send";

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Sends a document that is wrong; answers its id and the message of its error.
async fn refused(play: &Play, document: String) -> (String, String) {
    let id = play.send_document(document).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 0, "no retry");
    assert!(play.attempts(&id).await.is_empty(), "never delivered");
    (id, ending.text("message").to_owned())
}

fn invoice() -> String {
    samples::invoice(SENDER, RECEIVER, "ROW-1")
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_an_invalid_document_ends_in_error_and_stays_90_days_for_audit() {
    let play = Play::begin().await;
    let (id, _) = refused(&play, invoice().replace(">EUR<", ">XXQ<")).await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await;
    let last = lines.json.as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["name"], &last["code"]), (&"Rejected".into(), &"invalid-document".into()));

    let download = format!("/api/v1/{SENDER}/generic/{id}/download");
    play.stage.clock.advance(days(89));
    assert_eq!(play.sender().await.get(&download).await.status, 200);
    play.stage.clock.advance(days(2));
    let sender = play.sender().await;
    let gone = until("the document goes", async || {
        Some(sender.get(&download).await).filter(|answer| answer.status == 404)
    })
    .await;
    gone.is_problem(404, "API404.Expired", "is kept");
    let lines = sender.get(&path).await;
    let names: Vec<_> = lines.json.as_array().unwrap().iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["Pending", "Rejected", "Expired"], "the audit trail stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_7_endpoint_id_missing_or_incorrect_is_an_error() {
    let play = Play::begin().await;
    let endpoint = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    assert!(invoice().contains(endpoint));
    let (_, message) = refused(&play, invoice().replace(endpoint, "")).await;
    assert!(message.contains("EndpointID") || message.contains("R010"), "{message}");
    let wrong = endpoint.replace("0106", "0007x");
    refused(&play, invoice().replace(endpoint, &wrong)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_an_invoice_has_exactly_one_endpoint_id() {
    let play = Play::begin().await;
    let endpoint = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    let twice = format!("{endpoint}{endpoint}");
    let (_, message) = refused(&play, invoice().replace(endpoint, &twice)).await;
    assert!(message.contains("EndpointID"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_an_invoice_has_at_most_one_order_reference() {
    let play = Play::begin().await;
    let reference = "<cac:OrderReference><cbc:ID>A</cbc:ID></cac:OrderReference>";
    let party = "<cac:AccountingSupplierParty>";
    let twice = format!("{reference}{reference}{party}");
    refused(&play, invoice().replacen(party, &twice, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_7_si_ubl_1_2_is_an_error_that_names_customization_id() {
    let play = Play::begin().await;
    let current = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    let old = "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
               urn:www.peppol.eu:bis:peppol4a:ver2.0:extended:urn:www.simplerinvoicing.org:si:si-ubl:ver1.2";
    let (_, message) = refused(&play, invoice().replace(current, old)).await;
    assert!(message.contains("SI-UBL 1.2"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_7_a_recipient_that_is_not_registered_is_an_error() {
    let play = Play::begin().await;
    let (id, message) = refused(&play, samples::invoice(SENDER, UNREGISTERED, "ROW-2")).await;
    assert!(message.contains("queryRecipientParty"), "{message}");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await;
    assert_eq!(lines.json.as_array().unwrap().last().unwrap()["code"], "not-registered");
}

#[tokio::test(flavor = "multi_thread")]
async fn r7_scientific_notation_is_an_invalid_payload() {
    let play = Play::begin().await;
    for name in ["TaxInclusiveAmount", "PriceAmount", "LineExtensionAmount"] {
        let text = invoice();
        let from = text.find(&format!("<cbc:{name}")).unwrap();
        let open = from + text[from..].find('>').unwrap() + 1;
        let close = open + text[open..].find('<').unwrap();
        let document = format!("{}1.0E+2{}", &text[..open], &text[close..]);
        let (_, message) = refused(&play, document).await;
        assert!(message.contains("Invalid payload") && message.contains("xs:decimal"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_7_a_5xx_of_the_receiving_side_is_retried_with_an_event_each() {
    let stage = Stage::set().await;
    let acts = [Act::Status(503), Act::Status(500)];
    let gate = Gate::open(&stage, &stage.two.as4_url, &acts).await;
    let play = stage
        .play_with(|_, two| {
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
        })
        .await;
    let id = play.send("ROW-3").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 2);
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await;
    let retries = lines.json.as_array().unwrap().iter().filter(|line| line["name"] == "Retry");
    assert!(retries.clone().all(|line| line["code"].is_string()), "{}", lines.json);
    assert_eq!(retries.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_8_eight_attempts_are_all_and_then_it_is_an_error() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, &vec![Act::Status(503); 9]).await;
    let play = stage
        .play_with(|_, two| {
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
        })
        .await;
    let id = play.send("ROW-4").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSentError");
    let attempts = play.attempts(&id).await;
    assert_eq!(attempts.len(), 8);
    assert!(attempts.iter().all(|attempt| attempt.outcome == AttemptOutcome::Later));
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 7);
    let waits = quoin_access_point::config::Retry::default().delivery_seconds;
    assert_eq!((waits.len(), waits.iter().sum::<f64>()), (7, 126_000.0), "35 hours");
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_and_7_the_same_document_id_twice_is_a_conflict() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let own = uuid::Uuid::new_v4().to_string();
    assert_eq!(sender.send(SENDER, &own, invoice()).await.status, 200);
    let again = sender.send(SENDER, &own, invoice()).await;
    again.is_problem(409, "API409", "taken before");
    assert_eq!(play.ending(&own).await.text("topic"), "InvoiceSent", "unchanged");
    assert_eq!(play.attempts(&own).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_a_sales_invoice_cannot_be_deleted_and_a_purchase_invoice_can() {
    let play = Play::begin().await;
    let sent = play.send("ROW-5").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{sent}");
    let sender = play.sender().await;
    let kept = sender.call(Method::DELETE, &path, &[], None::<bytes::Bytes>).await.unwrap();
    kept.is_problem(405, "API405", "DELETE");
    let receiver = play.receiver().await;
    let list = format!("/api/v1/{RECEIVER}/purchaseInvoice");
    let arrived = only(&receiver, &list).await;
    let one = format!("{list}/{}", arrived["id"].as_str().unwrap());
    let removed = receiver.call(Method::DELETE, &one, &[], None::<bytes::Bytes>).await.unwrap();
    assert_eq!(removed.status, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_5_a_purchase_document_is_kept_90_days_after_receipt_and_7_after_download() {
    let play = Play::begin().await;
    for number in ["KEPT", "READ"] {
        let sent = play.send(number).await;
        assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    }
    let arrived = async |number: &str| {
        let list = format!("/api/v1/{RECEIVER}/purchaseInvoice?number={number}");
        let item = only(&play.receiver().await, &list).await;
        item["id"].as_str().unwrap().to_owned()
    };
    let (kept, read) = (arrived("KEPT").await, arrived("READ").await);
    // A download would count as one: the record tells when the bytes went.
    let gone = async |id: &str| {
        let record = format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}");
        until("the document goes", async || {
            let answer = play.receiver().await.get(&record).await;
            Some(()).filter(|()| answer.json["expiredOn"].is_string())
        })
        .await;
        let answer = play.receiver().await.download(RECEIVER, id).await;
        answer.is_problem(404, "API404.Expired", "is kept");
    };
    assert_eq!(play.receiver().await.download(RECEIVER, &read).await.status, 200);
    play.stage.clock.advance(days(8));
    gone(&read).await;
    play.stage.clock.advance(days(81));
    let record = format!("/api/v1/{RECEIVER}/purchaseInvoice/{kept}");
    assert_eq!(play.receiver().await.get(&record).await.json["expiredOn"], serde_json::Value::Null);
    play.stage.clock.advance(days(2));
    gone(&kept).await;
    let (receiver, path) = (play.receiver().await, format!("{record}/status"));
    let lines = receiver.get(&path).await;
    assert_eq!(lines.json.as_array().unwrap().last().unwrap()["name"], "Expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_1_receiver_id_is_written_into_the_document_and_enforced() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let other = samples::invoice(SENDER, "0106:11112222", "FORCED-1");
    let path = format!("{SEND}?receiverId={RECEIVER}");
    let sent = id(&super::xml(&sender, &path, other.clone()).await);
    let told = play.ending(&sent).await;
    assert_eq!(
        (told.text("topic"), &told.payload["details"]["recipient"]),
        ("InvoiceSent", &RECEIVER.into())
    );
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let download = receiver.download(RECEIVER, arrived["id"].as_str().unwrap()).await;
    let text = String::from_utf8(download.body.to_vec()).unwrap();
    let endpoint = |id: &str| format!("<cbc:EndpointID schemeID=\"0106\">{id}</cbc:EndpointID>");
    assert!(text.contains(&endpoint("87654321")), "{text}");
    assert!(!text.contains(&endpoint("11112222")), "{text}");
    let stored = sender.get(&format!("/api/v1/{SENDER}/generic/{sent}/download")).await;
    assert_eq!(stored.body, other, "the upload is kept as it came");
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_1_multipart_with_meta_attributes_keeps_them() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let body = format!(
        "--b\r\nContent-Disposition: form-data; name=\"metaAttributes\"\r\n\r\n\
         {{\"costCentre\":\"17\"}}\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; \
         filename=\"i.xml\"\r\nContent-Type: application/xml\r\n\r\n{}\r\n--b--\r\n",
        invoice()
    );
    let headers = [("content-type", "multipart/form-data; boundary=b")];
    let sent = id(&sender.call(Method::POST, SEND, &headers, Some(body)).await.unwrap());
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let record = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{sent}")).await;
    assert_eq!(record.json["metaAttributes"]["costCentre"], "17");
    for (query, count) in [
        ("counterparty=NL:KVK:87654321&number=ROW-1&status=Delivered", 1),
        ("counterparty=0106:99999999", 0),
        ("number=ROW", 0),
        ("from=2040-01-01T00:00:00Z", 0),
    ] {
        let listed = sender.get(&format!("/api/v1/{SENDER}/salesInvoice?{query}")).await;
        assert_eq!(listed.json["items"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_a_list_takes_the_name_of_the_event_for_what_was_not_sent() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let sent = play.send("SENT-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let unknown = samples::invoice(SENDER, "0106:11112222", "UNSENT-1");
    let unsent = id(&super::xml(&sender, SEND, unknown).await);
    assert_eq!(play.ending(&unsent).await.text("topic"), "InvoiceSentError");
    let path = format!("/api/v1/{SENDER}/salesInvoice?status=InvoiceSentError");
    assert_eq!(only(&sender, &path).await["id"], unsent);
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_6_a_document_is_downloaded_in_another_format() {
    let play = Play::begin().await;
    let sent = play.send("FORMAT-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let own = arrived["sourceDocumentTypeId"].as_str().unwrap().to_owned();
    let path = format!(
        "/api/v1/{RECEIVER}/purchaseInvoice/{}/download?targetDocumentTypeId=",
        arrived["id"].as_str().unwrap()
    );
    let encoded =
        |text: &str| -> String { url::form_urlencoded::byte_serialize(text.as_bytes()).collect() };
    assert_eq!(receiver.get(&format!("{path}{}", encoded(&own))).await.status, 200);
    let cii = "busdox-docid-qns::urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::\
               CrossIndustryInvoice##urn:cen.eu:en16931:2017#compliant#\
               urn:fdc:peppol.eu:2017:poacc:billing:3.0::D16B";
    let other = receiver.get(&format!("{path}{}", encoded(cii))).await;
    assert_eq!(other.status, 200, "{}", other.json);
    let text = String::from_utf8_lossy(&other.body);
    assert!(text.contains("<rsm:CrossIndustryInvoice") && text.contains("FORMAT-1"), "{text}");
    assert_eq!(other.headers["x-service-losses"], "none");
    // With its list, where JSON is asked for.
    let listed = [("accept", "application/json")];
    let listed =
        receiver.call(Method::GET, &format!("{path}cii"), &listed, None::<String>).await.unwrap();
    assert_eq!(listed.json["format"], "cii", "{}", listed.json);
    assert_eq!(listed.json["losses"], serde_json::json!([]));
    let nobody = receiver.get(&format!("{path}{}", encoded("urn:example:mine"))).await;
    nobody.is_problem(400, "API400.Conversion", "not available");
    receiver.get(&format!("{path}x")).await.is_problem(400, "API400.Query", "targetDocumentTypeId");
    // 8: automatic transformation is part of the package 10K and above.
    let owner = play.stage.receiver.organisation.parse().unwrap();
    play.two.parts.store.put_package(&owner, Some("5K")).await.unwrap();
    let other = receiver.get(&format!("{path}{}", encoded(cii))).await;
    other.is_problem(403, "API403.Package", "10K");
}
