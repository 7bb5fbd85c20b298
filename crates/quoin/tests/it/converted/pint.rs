//! PINT: the international model, which a receiver names with its jurisdiction. What follows the
//! rules of another one goes there where it is valid there, and is refused with the rule where not.

use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;

use super::{BILLING, only, taking};
use crate::stage::{Play, until};

const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
     Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const BIS_SPECIFICATION: &str =
    "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const BIS_PROCESS: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const PINT_PROCESS: &str = "cenbii-procid-ubl::urn:peppol:bis:billing";

/// The pattern by which a receiver takes PINT of a jurisdiction.
fn pint(jurisdiction: &str) -> String {
    format!(
        "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
         Invoice##urn:peppol:pint:billing-1@{jurisdiction}*::2.1"
    )
}

async fn arrived(play: &Play, number: &str) -> String {
    let arrived = until("it arrived", async || {
        let all = play.arrived().await;
        all.into_iter().find(|own| own.transaction.number.as_deref() == Some(number))
    })
    .await;
    let bytes = play.two.parts.store.document(&arrived).await.unwrap().unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_of_european_pint_gets_it_from_a_sender_of_bis() {
    let play = taking(&[(&pint("eu-1"), PINT_PROCESS)]).await;
    let id = play.send("PINT-1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let text = arrived(&play, "PINT-1").await;
    assert!(text.contains(">urn:peppol:pint:billing-1@eu-1<"), "{text}");
    assert!(text.contains(">urn:peppol:bis:billing<") && !text.contains("poacc"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_of_bis_gets_it_from_a_sender_of_european_pint() {
    let play = taking(&[(BIS, BILLING)]).await;
    let invoice = samples::invoice(SENDER, RECEIVER, "PINT-2")
        .replacen(BIS_SPECIFICATION, "urn:peppol:pint:billing-1@eu-1", 1)
        .replacen(BIS_PROCESS, "urn:peppol:bis:billing", 1);
    assert!(invoice.contains("pint:billing-1@eu-1") && !invoice.contains("poacc"));
    let id = play.send_document(invoice).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let text = arrived(&play, "PINT-2").await;
    assert!(text.contains(BIS_SPECIFICATION) && text.contains(BIS_PROCESS), "{text}");
}

/// One registration stands for every jurisdiction: the capability `pint`. The document becomes the
/// European form, or the one that is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_of_pint_by_the_pattern_gets_the_european_form() {
    let any = pint("").replace("@*", "*");
    let play = taking(&[(&any, PINT_PROCESS), (BIS, BILLING)]).await;
    let asked = async |number: &str, format: &str| {
        let sender = play.sender().await;
        let format: String = url::form_urlencoded::byte_serialize(format.as_bytes()).collect();
        let path = format!("/api/v1/{SENDER}/generic/send?targetFormat={format}");
        let headers = [("content-type", "application/xml")];
        let invoice = samples::invoice(SENDER, RECEIVER, number);
        sender.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap()
    };
    let eu = pint("eu-1").replace('*', "");
    for (number, format) in [
        ("PINT-4", "urn:peppol:pint:billing-1@eu-1".to_owned()),
        ("PINT-5", eu.clone()),
        ("PINT-6", eu.replace("peppol-doctype-wildcard", "busdox-docid-qns")),
    ] {
        let answer = asked(number, &format).await;
        let ending = play.ending(answer.json["id"].as_str().unwrap()).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
        let text = arrived(&play, number).await;
        assert!(text.contains(">urn:peppol:pint:billing-1@eu-1<"), "{text}");
    }
    for (number, end, word) in [("PINT-7", "ae-1", "would not be valid: "), ("PINT-8", "zz-1", BIS)]
    {
        let answer = asked(number, &format!("urn:peppol:pint:billing-1@{end}")).await;
        let ending = play.ending(answer.json["id"].as_str().unwrap()).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
        assert!(ending.text("message").contains(word), "{ending:?}");
    }
    for base in ["urn:peppol:pint:billing-1", &any] {
        asked("PINT-9", base).await.is_problem(400, "API400.Conversion", "jurisdiction");
    }
    // An invoice in JSON that names the form of Europe is that, as in XML.
    let european = samples::invoice(SENDER, RECEIVER, "PINT-10")
        .replacen(BIS_SPECIFICATION, "urn:peppol:pint:billing-1@eu-1", 1)
        .replacen(BIS_PROCESS, "urn:peppol:bis:billing", 1);
    let parsed = quoin_formats::read(european.as_bytes());
    let json = convert_at(parsed.root().unwrap(), ConversionTarget::JSON).unwrap().document;
    let send = async |json: String| {
        let sender = play.sender().await;
        let path = format!("/api/v1/{SENDER}/salesInvoice/send");
        let headers = [("content-type", "application/json")];
        sender.call(Method::POST, &path, &headers, Some(json)).await.unwrap()
    };
    let answer = send(json.clone()).await;
    let ending = play.ending(answer.json["id"].as_str().unwrap()).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    assert!(arrived(&play, "PINT-10").await.contains(">urn:peppol:pint:billing-1@eu-1<"));
    // Where it takes nothing else, that is what it gets without being asked.
    only(&play, &[(&any, PINT_PROCESS)]).await;
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let invoice = samples::invoice(SENDER, RECEIVER, "PINT-11");
    let headers = [("content-type", "application/xml")];
    let run = sender.call(Method::POST, &path, &headers, Some(invoice.clone())).await.unwrap();
    assert_eq!(run.json["conversion"]["targetDocumentTypeId"], eu, "{}", run.json);
    let id = play.send_document(invoice).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    assert!(arrived(&play, "PINT-11").await.contains(">urn:peppol:pint:billing-1@eu-1<"));
    let answer = send(json.replacen("PINT-10", "PINT-12", 1)).await;
    let ending = play.ending(answer.json["id"].as_str().unwrap()).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
}

/// A tax of Australia is not the value added tax of the Union: it would be another document.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_valid_there_is_refused_with_the_rule() {
    for jurisdiction in ["aunz-1", "sg-1", "ae-1"] {
        let play = taking(&[(&pint(jurisdiction), PINT_PROCESS)]).await;
        let id = play.send("PINT-3").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
        let message = ending.text("message");
        let named = format!("pint:billing-1@{jurisdiction}");
        assert!(message.contains(&named) && message.contains("would not be valid: "), "{message}");
        assert!(play.attempts(&id).await.is_empty());
    }
}
