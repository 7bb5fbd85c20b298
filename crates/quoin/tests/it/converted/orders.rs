//! Orders of other formats go to a receiver of Peppol BIS Ordering, and answers come back.

use super::*;

const ORDER: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##\
     urn:fdc:peppol.eu:poacc:trns:order:3::2.1";
const RESPONSE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:OrderResponse-2::OrderResponse##\
     urn:fdc:peppol.eu:poacc:trns:order_response:3::2.1";
const ORDERING: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:bis:ordering:3";
const DICO: &str = include_str!("../../../../formats/samples/order-dico.xml");
const CXML: &str = include_str!("../../../../formats/samples/order-cxml.xml");
const ANSWER: &str = include_str!("../../../../formats/samples/order-response-dico.xml");

const AGREEMENT: &str = include_str!("../../../../rules/tests/it/parity/order-agreement.xml");
const AGREEMENT_TYPE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:OrderResponse-2::OrderResponse##\
     urn:fdc:peppol.eu:poacc:trns:order_agreement:3::2.1";
const AGREED: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:poacc:bis:order_agreement:3";
const BIS: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
     urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

/// The document of a sender who is known by a number of another list than GLN.
fn by_sender(document: &str) -> String {
    let own = SENDER.split_once(':').unwrap().1;
    let domain = "domain=\"0088\">\n        <Identity>8712345000004";
    let own_domain = format!("domain=\"0106\">\n        <Identity>{own}");
    let document =
        document.replacen(domain, &own_domain, 1).replace(">01234567<", &format!(">{own}<"));
    ["8712345000004", "8712345000011"]
        .into_iter()
        .fold(document, |text, number| text.replacen(&format!("<GLN>{number}</GLN>"), "", 1))
}

/// Sends a message about an order; answers how it ended, and what the receiver has where it
/// arrived.
async fn send(play: &Play, path: &str, body: &str) -> (String, String, String) {
    let sender = play.sender().await;
    let headers = [("content-type", "application/xml")];
    let path = format!("/api/v1/{SENDER}/{path}");
    let sent = sender.call(Method::POST, &path, &headers, Some(by_sender(body))).await.unwrap();
    let id = sent.json["id"].as_str().unwrap_or_else(|| panic!("{}", sent.json)).to_owned();
    let ending =
        play.told(&id, &["OrderSent", "OrderSentError", "InvoiceSent", "InvoiceSentError"]).await;
    let topic = ending.text("topic").to_owned();
    let mut text = String::new();
    if topic.ends_with("Sent") {
        let record = until("it was looked at", async || {
            play.arrived().await.into_iter().find(|own| own.transaction.number.is_some())
        })
        .await;
        let bytes = play.two.parts.store.document(&record).await.unwrap().unwrap();
        text = String::from_utf8(bytes.to_vec()).unwrap();
    }
    (topic, ending.text("message").to_owned(), text)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_dico_or_cxml_goes_to_a_receiver_of_bis_ordering() {
    for (document, path) in [(DICO, "purchaseOrder/send"), (CXML, "generic/send")] {
        let play = taking(&[(RESPONSE, ORDERING), (ORDER, ORDERING)]).await;
        let path = format!("{path}?receiverId={RECEIVER}&allowLosses=*");
        let (topic, message, text) = send(&play, &path, document).await;
        assert_eq!(topic, "OrderSent", "{message}");
        for part in ["<Order", "poacc:trns:order:3<", ">ORD-2026-71<", ">12345678<", ">87654321<"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // What has no place stops it, where nobody allows that.
        let path = path.replace("&allowLosses=*", "");
        let (topic, message, _) = send(&play, &path, document).await;
        assert_eq!(topic, "OrderSentError");
        assert!(message.contains("allowLosses"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_becomes_an_answer_and_an_order_an_order() {
    let play = taking(&[(RESPONSE, ORDERING)]).await;
    let path = format!("generic/send?receiverId={RECEIVER}&allowLosses=*");
    let (topic, message, text) = send(&play, &path, ANSWER).await;
    assert_eq!(topic, "OrderSent", "{message}");
    assert!(text.contains("<OrderResponse") && text.contains("order_response:3<"), "{text}");
    // The receiver takes answers only.
    let (topic, message, _) = send(&play, &path, DICO).await;
    assert_eq!(topic, "OrderSentError", "{message}");
    // An invoice is tried with neither.
    let invoice = samples::invoice(SENDER, RECEIVER, "ORDERS-1");
    let (topic, message, _) = send(&play, "salesInvoice/send", &invoice).await;
    assert_eq!(topic, "InvoiceSentError");
    assert!(!message.contains("cannot be converted"), "{message}");
}

/// An agreement is a message about an order, and no form of an invoice: who takes the one alone
/// does not take the other, and that is the receiver's.
#[tokio::test(flavor = "multi_thread")]
async fn an_agreement_is_no_invoice_and_no_answer() {
    let invoice = samples::invoice(SENDER, RECEIVER, "AGREED-1");
    let not_taken = |(topic, message, _): (String, String, String)| {
        assert!(topic.ends_with("SentError"), "{topic}");
        assert!(message.contains("does not accept this type of document"), "{message}");
        assert!(!message.contains("cannot be converted"), "{message}");
    };
    let play = taking(&[(AGREEMENT_TYPE, AGREED)]).await;
    not_taken(send(&play, "salesInvoice/send", &invoice).await);
    let core = invoice.replace("#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0<", "<");
    let path = format!("generic/send?receiverId={RECEIVER}");
    let (_, message, _) = send(&play, &path, &core).await;
    assert!(!message.contains("order_agreement:3::2.1: "), "{message}");
    let (topic, message, text) = send(&play, "generic/send", AGREEMENT).await;
    assert_eq!(topic, "OrderSent", "{message}");
    assert!(text.contains("order_agreement:3<"), "{text}");
    for services in [&[(BIS, BILLING), (CORE_CII, ANY)][..], &[(RESPONSE, ORDERING)]] {
        let play = taking(services).await;
        not_taken(send(&play, "generic/send", AGREEMENT).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agreement_is_converted_to_no_answer_and_the_other_way_round() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let specification = |name: &str| format!("urn:fdc:peppol.eu:poacc:trns:{name}:3");
    let process = "<cbc:ProfileID>urn:fdc:peppol.eu:poacc:bis:order_agreement:3</cbc:ProfileID>";
    let bare = AGREEMENT.replace(process, "");
    for (to, body, said) in [
        ("order_response", &bare, "is for an order response, and the document is an order agree"),
        ("order_response", &AGREEMENT.to_owned(), "bis:order_agreement:3"),
        ("order_agreement", &samples::invoice(SENDER, RECEIVER, "AGREED-2"), "Invoice"),
    ] {
        let answer = convert(&sender, &specification(to), "application/xml", body).await;
        answer.is_problem(400, "API400.Conversion", said);
    }
}
