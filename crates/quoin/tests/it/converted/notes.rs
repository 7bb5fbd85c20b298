//! Several notes, for a receiver whose format has one place for them.

use quoin_formats::convert::{ConversionTarget, convert_at};

use super::*;

const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
     Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";
const SPECIFICATION: &str =
    "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";

/// A core invoice with two notes, in a syntax.
fn with_notes(number: &str, target: ConversionTarget) -> String {
    let place = "<cbc:DocumentCurrencyCode>";
    let notes = format!("<cbc:Note>First</cbc:Note><cbc:Note>#AAI#Second</cbc:Note>{place}");
    let invoice = samples::invoice(SENDER, RECEIVER, number)
        .replacen(SPECIFICATION, "urn:cen.eu:en16931:2017", 1)
        .replacen(place, &notes, 1);
    assert!(invoice.contains("#AAI#") && !invoice.contains(SPECIFICATION), "{invoice}");
    let parsed = quoin_formats::read(invoice.as_bytes());
    convert_at(parsed.root().unwrap(), target).unwrap().document
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_with_several_notes_goes_to_a_receiver_of_bis() {
    let play = taking(&[(BIS, BILLING)]).await;
    let sender = play.sender().await;
    for (number, target) in [
        ("NOTES-1", ConversionTarget::UBL),
        ("NOTES-2", ConversionTarget::CII),
        ("NOTES-3", ConversionTarget::JSON),
    ] {
        let document = with_notes(number, target);
        let send = async |call: &str| {
            let path = format!("/api/v1/{SENDER}/salesInvoice/{call}");
            let headers = [("content-type", target.media_type())];
            sender.call(Method::POST, &path, &headers, Some(document.clone())).await.unwrap()
        };
        let run = send("sendDryRun").await.json;
        assert_eq!(run["verdict"], "deliverable", "{run}");
        let losses = run["losses"].as_array().unwrap();
        let merged: Vec<_> = losses.iter().filter(|row| row["kind"] == "merged").collect();
        assert!(merged.iter().any(|row| row["value"] == "First"), "{run}");
        let answer = send("send").await;
        let ending = play.ending(answer.json["id"].as_str().unwrap()).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
        let arrived = until("it arrived", async || {
            let all = play.arrived().await;
            all.into_iter().find(|own| own.transaction.number.as_deref() == Some(number))
        })
        .await;
        let bytes = play.two.parts.store.document(&arrived).await.unwrap().unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(text.contains("<cbc:Note>First\n#AAI#Second</cbc:Note>"), "{text}");
    }
}
