//! Whatever an invoice is written in and wrapped in, what arrives is an invoice, and leaves in
//! another format.

use quoin_testing::containers::{self, Reference};

use super::*;

const FATTURAPA: &str = include_str!("../../../../formats/samples/fatturapa.xml");

/// Hands in an invoice; answers its id once it is in the list.
async fn handed_in(caller: &Caller, media_type: &str, body: Vec<u8>) -> serde_json::Value {
    let headers = [("content-type", media_type)];
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/recognize");
    let answer = caller.call(Method::POST, &path, &headers, Some(body)).await.unwrap();
    assert_eq!(answer.status, 200, "{media_type}: {}", answer.json);
    let id = answer.json["id"].as_str().unwrap().to_owned();
    until("it is listed with its number", async || {
        let all = caller.purchases(RECEIVER).await.unwrap();
        all.into_iter().find(|own| own["id"] == id.as_str() && own["number"].is_string())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_in_any_format_is_received_and_downloaded_in_another() {
    let play = Play::begin().await;
    let receiver = play.receiver().await;
    let cii = include_bytes!("../../../../formats/samples/cii-invoice.xml");
    let latin = FATTURAPA.replacen("UTF-8", "ISO-8859-1", 1);
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let sample = |text: &str| text.as_bytes().to_vec();
    let files: [(&str, &str, Vec<u8>); 11] = [
        ("FatturaPA", "application/xml", sample(FATTURAPA)),
        ("FatturaPA in ISO-8859-1", "application/xml", latin),
        (
            "FatturaPA, signed",
            "application/pkcs7-mime",
            containers::cms(Some(FATTURAPA.as_bytes()), false),
        ),
        (
            "ebInterface",
            "application/xml",
            sample(include_str!("../../../../formats/samples/ebinterface.xml")),
        ),
        (
            "Svefaktura",
            "application/xml",
            sample(include_str!("../../../../formats/samples/svefaktura.xml")),
        ),
        ("cXML", "application/xml", sample(include_str!("../../../../formats/samples/cxml.xml"))),
        ("DICO", "application/xml", sample(include_str!("../../../../formats/samples/dico.xml"))),
        ("SETU 1", "application/xml", sample(include_str!("../../../../formats/samples/setu.xml"))),
        ("FA(3)", "application/xml", sample(include_str!("../../../../formats/samples/ksef.xml"))),
        (
            "JSON",
            "application/json",
            sample(include_str!("../../../../formats/samples/every-term.json")),
        ),
        (
            "Factur-X",
            "application/pdf",
            containers::pdf("factur-x.xml", cii, "EN 16931", Reference::Table),
        ),
    ];
    for (name, media_type, bytes) in files {
        let listed = handed_in(&receiver, media_type, bytes).await;
        let id = listed["id"].as_str().unwrap();
        let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}/download");
        let json = receiver.get(&format!("{path}?targetDocumentTypeId=json")).await;
        assert_eq!(json.status, 200, "{name}: {}", json.json);
        assert_eq!(json.json["number"], listed["number"], "{name}");
        assert!(json.headers.contains_key("x-service-losses"), "{name}");
    }
}
