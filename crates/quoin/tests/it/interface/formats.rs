//! Documents in another format: what was asked for, or a word that there is none.

use reqwest::Method;
use serde_json::{Value, json};

use super::arrive;
use crate::world::{As, World, world};

const PARTY: &str = "0106:12345678";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const SELF_BILLING: &str =
    "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0";
const PINT: &str = "urn:peppol:pint:billing-1@eu-1";
const INVOICE: &str = include_str!("../../../../formats/samples/bis3-invoice.xml");
const SELF_BILLED: &str = include_str!("../../../../formats/samples/bis3-self-billed-invoice.xml");

/// The type of documents in UBL with a specification.
fn ubl(element: &str, specification: &str) -> String {
    let namespace = format!("urn:oasis:names:specification:ubl:schema:xsd:{element}-2");
    format!("busdox-docid-qns::{namespace}::{element}##{specification}::2.1")
}

fn path(id: &str, target: &str) -> String {
    let target: String = url::form_urlencoded::byte_serialize(target.as_bytes()).collect();
    format!("/api/v1/{PARTY}/purchaseInvoice/{id}/download?targetDocumentTypeId={target}")
}

/// How many documents were not downloaded.
async fn left(acme: &As) -> usize {
    let list = format!("/api/v1/{PARTY}/purchaseInvoice?notDownloaded=true");
    acme.get(&list).await.1["items"].as_array().unwrap().len()
}

/// The document in a format, which is there.
async fn text(acme: &As, id: &str, target: &str) -> String {
    let answer = acme.request(Method::GET, &path(id, target)).send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert_eq!(status, 200, "{target}: {text}");
    text
}

async fn scene() -> (World, As) {
    let world = world().await;
    let acme = world.acme().await;
    (world, acme)
}

#[tokio::test]
async fn a_document_that_cannot_be_of_the_type_is_none_and_stays_to_be_downloaded() {
    let (world, acme) = scene().await;
    let id = arrive(&world, PARTY, INVOICE).await;
    let order = "urn:fdc:peppol.eu:poacc:trns:order:3";
    let cases = [
        (ubl("Order", order), "Order"),
        (order.to_owned(), "Invoice"),
        (ubl("CreditNote", BIS), "CreditNote"),
        (ubl("Invoice", "urn:nonsense"), "urn:nonsense"),
        (ubl("Invoice", SELF_BILLING), "the buyer writes"),
        (SELF_BILLING.to_owned(), "the buyer writes"),
    ];
    for (target, word) in cases {
        let (status, problem) = acme.get(&path(&id, &target)).await;
        let found = (status, &problem["code"]);
        assert_eq!(found, (400, &json!("API400.Conversion")), "{target}: {problem}");
        assert!(problem["message"].as_str().unwrap().contains(word), "{problem}");
        assert_eq!(left(&acme).await, 1, "{target}");
    }
    let core = text(&acme, &id, &ubl("Invoice", "urn:cen.eu:en16931:2017")).await;
    assert!(core.contains(">urn:cen.eu:en16931:2017<"), "{core}");
    assert_eq!(left(&acme).await, 0);
}

#[tokio::test]
async fn a_document_of_a_type_is_in_a_process_of_the_type() {
    let (world, acme) = scene().await;
    let other = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
    let own = "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
    let id = arrive(&world, PARTY, &SELF_BILLED.replace(own, other)).await;
    for target in [ubl("Invoice", SELF_BILLING), SELF_BILLING.to_owned()] {
        let text = text(&acme, &id, &target).await;
        assert!(text.contains(own) && !text.contains(other), "{target}: {text}");
    }
    let (status, problem) = acme.get(&path(&id, &ubl("Invoice", BIS))).await;
    assert_eq!((status, &problem["code"]), (400, &Value::from("API400.Conversion")), "{problem}");
    // It stays an invoice of the buyer in PINT, too.
    for pint in [
        ubl("Invoice", PINT).replace("busdox-docid-qns", "peppol-doctype-wildcard"),
        PINT.to_owned(),
    ] {
        let (status, problem) = acme.get(&path(&id, &pint)).await;
        assert_eq!(
            (status, &problem["code"]),
            (400, &Value::from("API400.Conversion")),
            "{problem}"
        );
        assert!(problem["message"].as_str().unwrap().contains("self-billing"), "{problem}");
    }
}

/// Another tax or other duties make it another document, in both directions; and nothing is of a
/// jurisdiction that does not exist.
#[tokio::test]
async fn an_invoice_becomes_pint_of_a_jurisdiction_where_it_is_valid_there() {
    let (world, acme) = scene().await;
    let id = arrive(&world, PARTY, INVOICE).await;
    let pint = |end: &str| format!("urn:peppol:pint:billing-1{end}");
    let typed = |end: &str| {
        ubl("Invoice", &pint(end)).replace("busdox-docid-qns", "peppol-doctype-wildcard")
    };
    for (end, word) in [
        ("@ae-1", "would not be valid: "),
        ("@sg-1", "would not be valid: "),
        ("@jp-1", "would not be valid: "),
        ("@zz-1", "not that of a document type of the network"),
        ("@EU-1", "did you mean urn:peppol:pint:billing-1@eu-1?"),
        ("", "only the base of other types"),
    ] {
        for target in [pint(end), typed(end)] {
            let (status, problem) = acme.get(&path(&id, &target)).await;
            let found = (status, &problem["code"]);
            assert_eq!(found, (400, &json!("API400.Conversion")), "{target}: {problem}");
            assert!(problem["message"].as_str().unwrap().contains(word), "{target}: {problem}");
        }
    }
    assert_eq!(left(&acme).await, 1);
    for target in [pint("@eu-1"), typed("@eu-1")] {
        assert!(text(&acme, &id, &target).await.contains(">urn:peppol:pint:billing-1@eu-1<"));
    }
    // What has another tax becomes none of Europe, and stays what it is.
    let gst = INVOICE
        .replace(BIS, &pint("@sg-1"))
        .replace("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>GST</cbc:ID>")
        .replace("urn:fdc:peppol.eu:2017:poacc:billing:01:1.0", "urn:peppol:bis:billing");
    let id = arrive(&world, PARTY, &gst).await;
    for target in [BIS.to_owned(), pint("@eu-1"), "urn:cen.eu:en16931:2017".to_owned()] {
        let (status, problem) = acme.get(&path(&id, &target)).await;
        let found = (status, &problem["code"]);
        assert_eq!(found, (400, &json!("API400.Conversion")), "{target}: {problem}");
        assert!(problem["message"].as_str().unwrap().contains("not be valid: "), "{problem}");
    }
    assert!(text(&acme, &id, &pint("@sg-1")).await.contains(">GST<"));
}

/// A page is of the document as it is.
#[tokio::test]
async fn another_format_is_no_page() {
    let (world, acme) = scene().await;
    let id = arrive(&world, PARTY, INVOICE).await;
    let get = async |target: &str, accept: &str| {
        let request = acme.request(Method::GET, &path(&id, target)).header("accept", accept);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for accept in ["application/pdf", "text/html, application/pdf;q=0.5"] {
        let (status, text) = get("cii", accept).await;
        assert_eq!(status, 400, "{accept}: {text}");
        assert!(text.contains("API400.Page") && text.contains("targetDocumentTypeId"), "{text}");
    }
    for accept in ["text/html, application/xml;q=0.9, */*;q=0.8", "application/pdf, text/xml"] {
        let (status, text) = get("cii", accept).await;
        assert_eq!(status, 200, "{accept}: {text}");
        assert!(text.contains("<rsm:CrossIndustryInvoice"), "{accept}");
    }
}

#[tokio::test]
async fn the_document_itself_is_given_unless_json_is_all_that_is_asked_for() {
    let (world, acme) = scene().await;
    let id = arrive(&world, PARTY, INVOICE).await;
    let get = async |target: &str, accept: Option<&str>| {
        let mut request = acme.request(Method::GET, &path(&id, target));
        if let Some(accept) = accept {
            request = request.header("accept", accept);
        }
        let answer = request.send().await.unwrap();
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        let (kind, file) = (header("content-type"), header("content-disposition"));
        let ending = file.trim_end_matches('"').rsplit('.').next().unwrap().to_owned();
        (kind, ending, answer.text().await.unwrap())
    };
    for accept in [
        None,
        Some("*/*"),
        Some("application/json, text/plain, */*"),
        Some("application/json;q=0.5, application/xml"),
    ] {
        let (kind, ending, text) = get("cii", accept).await;
        assert_eq!((kind.as_str(), ending.as_str()), ("application/xml", "xml"), "{accept:?}");
        assert!(text.contains("<rsm:CrossIndustryInvoice"), "{accept:?}: {text}");
    }
    let (kind, ending, text) = get("cii", Some("application/json")).await;
    assert_eq!((kind.as_str(), ending.as_str()), ("application/json", "json"));
    let wrapper: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(wrapper["format"], "cii");
    let (kind, ending, text) = get("json", None).await;
    assert_eq!((kind.as_str(), ending.as_str()), ("application/json", "json"));
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document["number"].is_string(), "{text}");
}
