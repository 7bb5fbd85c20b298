//! On its way a document never changes who bills whom, or who answers an order.

use super::*;

const ORDER: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##\
     urn:fdc:peppol.eu:poacc:trns:order:3::2.1";
const NLCIUS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
     urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0::2.1";
const SELF_BILLED: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
     urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0::2.1";
const SELF_BILLING: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
const PROCESS: &str = "urn:fdc:peppol.eu:poacc:bis:ordering:3";

fn ordering(name: &str) -> String {
    PROCESS.replace("ordering", name)
}

/// Sends a document; answers how it ended, and in which words.
async fn sent(play: &Play, path: &str, kind: &str, body: String) -> (String, String) {
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/{path}");
    let headers = [("content-type", kind)];
    let answer = sender.call(Method::POST, &path, &headers, Some(body)).await.unwrap();
    let id = answer.json["id"].as_str().unwrap_or_else(|| panic!("{}", answer.json)).to_owned();
    let topics = ["OrderSent", "OrderSentError", "InvoiceSent", "InvoiceSentError"];
    let ending = play.told(&id, &topics).await;
    (ending.text("topic").to_owned(), ending.text("message").to_owned())
}

async fn dry_run(play: &Play, kind: &str, body: String) -> serde_json::Value {
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let headers = [("content-type", kind)];
    sender.call(Method::POST, &path, &headers, Some(body)).await.unwrap().json
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_goes_to_no_receiver_of_another_ordering_process() {
    let play = taking(&[(ORDER, &format!("cenbii-procid-ubl::{}", ordering("order_only")))]).await;
    for (name, title) in
        [("ordering", "of ordering"), ("advanced_ordering", "of advanced ordering")]
    {
        let order = samples::order(SENDER, RECEIVER, &format!("COURSE-{name}"));
        assert!(order.contains(PROCESS));
        let order = order.replace(PROCESS, &ordering(name));
        let (topic, message) =
            sent(&play, "purchaseOrder/send", "application/xml", order.clone()).await;
        assert_eq!(topic, "OrderSentError", "{name}: {message}");
        for part in ["another process of business", "bis:order_only:3", title] {
            assert!(message.contains(part), "{part}: {message}");
        }
        // Nor where its format is asked for by name.
        let format: String = url::form_urlencoded::byte_serialize(ORDER.as_bytes()).collect();
        let path = format!("generic/send?targetFormat={format}");
        let (topic, message) = sent(&play, &path, "application/xml", order).await;
        assert_eq!(topic, "OrderSentError", "{name}: {message}");
    }
    assert!(play.arrived().await.is_empty());
    let own =
        samples::order(SENDER, RECEIVER, "COURSE-1").replace(PROCESS, &ordering("order_only"));
    let (topic, message) = sent(&play, "purchaseOrder/send", "application/xml", own).await;
    assert_eq!(topic, "OrderSent", "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_self_billed_invoice_stays_one_or_is_not_sent() {
    let play = taking(&[(NLCIUS, BILLING)]).await;
    let invoice = samples::SELF_BILLED_INVOICE.to_owned();
    let (topic, message) =
        sent(&play, "salesInvoice/send", "application/xml", invoice.clone()).await;
    assert_eq!(topic, "InvoiceSentError", "{message}");
    for part in ["another process of business", "nlcius", "of self-billing"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let run = dry_run(&play, "application/xml", invoice.clone()).await;
    assert_eq!(run["verdict"], "unroutable", "{run}");
    assert!(run["reason"].as_str().unwrap().contains("another process of business"), "{run}");
    assert!(run.get("conversion").is_none(), "{run}");
    // In JSON it is the same document.
    let parsed = quoin_formats::read(invoice.as_bytes());
    let target = quoin_formats::convert::ConversionTarget::JSON;
    let json = quoin_formats::convert::convert_at(parsed.root().unwrap(), target).unwrap().document;
    let (topic, message) = sent(&play, "salesInvoice/send", "application/json", json.clone()).await;
    assert_eq!(topic, "InvoiceSentError", "{message}");
    assert!(message.contains("of self-billing"), "{message}");
    let run = dry_run(&play, "application/json", json.clone()).await;
    assert_eq!(run["verdict"], "unroutable", "{run}");
    assert!(run["reason"].as_str().unwrap().contains("of self-billing"), "{run}");
    assert!(play.arrived().await.is_empty());
    // Nor does it become an invoice of the other kind because somebody names one.
    let sender = play.sender().await;
    for to in ["urn:peppol:pint:billing-1@eu-1", NLCIUS] {
        let to: String = url::form_urlencoded::byte_serialize(to.as_bytes()).collect();
        let refused = convert(&sender, &to, "*/*", &invoice).await;
        refused.is_problem(400, "API400.Conversion", "self-billing");
    }
    only(&play, &[(NLCIUS, BILLING), (SELF_BILLED, SELF_BILLING)]).await;
    let (topic, message) = sent(&play, "salesInvoice/send", "application/json", json).await;
    assert_eq!(topic, "InvoiceSent", "{message}");
}

/// An invoice in JSON that names its specification is that, or it is refused.
#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_in_json_that_breaks_its_own_rules_becomes_nothing_else() {
    let play = taking(&[(NLCIUS, BILLING)]).await;
    let parsed = quoin_formats::read(samples::invoice(SENDER, RECEIVER, "COURSE-2").as_bytes());
    let target = quoin_formats::convert::ConversionTarget::JSON;
    let json = quoin_formats::convert::convert_at(parsed.root().unwrap(), target).unwrap().document;
    let at = json.find("\"quantity\": {").unwrap();
    let at = at + json[at..].find("\"value\": \"").unwrap() + "\"value\": \"".len();
    let negative = format!("{}-{}", &json[..at], &json[at..]);
    let self_billed = json.replacen("\"typeCode\": \"380\"", "\"typeCode\": \"389\"", 1);
    for (body, rule) in [(negative, "PEPPOL-EN16931-R120"), (self_billed, "PEPPOL-EN16931-P0100")] {
        let (topic, message) =
            sent(&play, "salesInvoice/send", "application/json", body.clone()).await;
        assert_eq!(topic, "InvoiceSentError", "{message}");
        assert!(message.contains(rule) && message.contains("billing:3.0"), "{message}");
        let run = dry_run(&play, "application/json", body).await;
        assert_eq!(run["verdict"], "rejected", "{run}");
        assert!(run["findings"].to_string().contains(rule), "{run}");
        assert_eq!(run["sender"], SENDER);
    }
    // One that cannot be read is found by its number.
    let unread = json.replacen("\"issueDate\": \"2026-", "\"issueDate\": \"2026-02-29", 1);
    let (topic, message) = sent(&play, "salesInvoice/send", "application/json", unread).await;
    assert_eq!(topic, "InvoiceSentError", "{message}");
    let sender = play.sender().await;
    let list = sender.get(&format!("/api/v1/{SENDER}/salesInvoice?number=COURSE-2")).await;
    let refused = list.json["items"].as_array().unwrap().iter().filter(|own| {
        own["sender"] == SENDER && own["recipient"] == RECEIVER && own["status"] == "Rejected"
    });
    assert_eq!(refused.count(), 3, "{}", list.json);
    assert!(play.arrived().await.is_empty());
}
