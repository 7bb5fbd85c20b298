//! What is wrong with an upload is told clearly: at the door where it is the call that is wrong,
//! in the event where it is the document.

use quoin_server::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use uuid::Uuid;

use crate::stage::Play;

fn invoice(number: &str) -> String {
    quoin_document::samples::invoice(SENDER, RECEIVER, number)
}

/// Replaces one thing in a valid invoice.
fn changed(from: &str, to: &str) -> String {
    let text = invoice("BAD-1").replacen(from, to, 1);
    assert_ne!(text, invoice("BAD-1"), "{from:?} is not in the sample");
    text
}

/// Uploads it: it is stored, then refused, and never tried.
async fn ends_in_error(play: &Play, document: String, word: &str) {
    let id = play.send_document(document).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let told = ending.payload.to_string();
    assert!(told.contains(word), "{word:?} is not in {told}");
    assert!(play.attempts(&id).await.is_empty(), "{word}");
    assert!(play.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_document_is_told_and_never_sent() {
    let play = Play::begin().await;
    let nested = format!("{}{}", "<a>".repeat(65), "</a>".repeat(65));
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>";
    let cases = [
        ("this is not XML".to_owned(), "QUOIN-XML"),
        ("<!DOCTYPE Invoice SYSTEM \"x.dtd\"><Invoice/>".to_owned(), "QUOIN-XML-DTD"),
        (bomb.to_owned(), "QUOIN-XML-DTD"),
        (nested, "64"),
        (changed("12345678</cbc:EndpointID>", "11223344</cbc:EndpointID>"), "EndpointID"),
        (changed("87654321</cbc:EndpointID>", "</cbc:EndpointID>"), "EndpointID"),
        (
            quoin_document::samples::invoice(SENDER, UNREGISTERED, "BAD-2"),
            "not registered in the network",
        ),
    ];
    for (document, word) in cases {
        ends_in_error(&play, document, word).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn scientific_notation_is_an_invalid_payload() {
    let play = Play::begin().await;
    let text = invoice("BAD-3");
    let start = text.find("<cbc:TaxInclusiveAmount").unwrap();
    let value = text[start..].find('>').unwrap() + start + 1;
    let end = text[value..].find('<').unwrap() + value;
    let document = format!("{}1.2E3{}", &text[..value], &text[end..]);
    ends_in_error(&play, document, "Invalid payload").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_call_is_refused_at_the_door() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let id = || Uuid::new_v4().to_string();
    sender.send(SENDER, &id(), "").await.is_problem(400, "API400.EmptyBody", "nothing");
    let none = sender.with_token("").send(SENDER, &id(), invoice("X")).await;
    assert_eq!(none.status, 401, "{}", none.json);
    let (head, signature) = sender.token().rsplit_once('.').unwrap();
    let forged = format!("{head}.{}", signature.chars().rev().collect::<String>());
    let forged = sender.with_token(&forged).send(SENDER, &id(), invoice("X")).await;
    assert_eq!(forged.status, 401, "{}", forged.json);
    let stranger = play.receiver().await;
    let foreign = sender.with_token(stranger.token()).send(SENDER, &id(), invoice("X")).await;
    assert_eq!(foreign.status, 401, "a token of another issuer: {}", foreign.json);
    sender.send(RECEIVER, &id(), invoice("X")).await.is_problem(403, "API403", "no party");
    let twice = id();
    assert_eq!(sender.send(SENDER, &twice, invoice("X")).await.status, 200);
    sender.send(SENDER, &twice, invoice("X")).await.is_problem(409, "API409", &twice);
    let large = " ".repeat(24 * 1024 * 1024);
    sender.send(SENDER, &id(), large).await.is_problem(500, "API500.TooLarge", "24");
}
