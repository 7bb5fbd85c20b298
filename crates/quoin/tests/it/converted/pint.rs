//! PINT: the international model, which a receiver names with its jurisdiction. What follows the
//! rules of another one goes there where it is valid there, and is refused with the rule where not.

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};

use super::{BILLING, taking};
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
