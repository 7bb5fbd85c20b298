//! Rows C-01 and C-03: what a receipt must say, and what it must not be believed.

use quoin_xml::base64;
use quoin_xml::namespaces::DS;
use quoin_xmldsig::keys::sha256;

use super::super::names::EBBP;
use super::super::*;
use super::fixture::*;

fn read(http: &HttpMessage) -> Result<As4Answer, AnswerRefusal> {
    read_answer(&http.content_type, &http.body, &sent(), &Known)
}

/// A receipt with one edit to its `eb:Messaging`, signed again.
fn edited(from: &str, to: &str) -> Result<As4Answer, AnswerRefusal> {
    let messaging = messaging_of(&sample_receipt());
    assert!(messaging.contains(from), "nothing to replace: {from}");
    read(&signed_signal(&messaging.replace(from, to), RECEIVER))
}

#[track_caller]
fn refused(answer: Result<As4Answer, AnswerRefusal>) -> String {
    match answer {
        Err(AnswerRefusal::InvalidReceipt(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn c_01_a_receipt_repeats_every_reference() {
    let http = sample_receipt();
    assert_eq!(http.content_type, "application/soap+xml; charset=UTF-8");
    let envelope = String::from_utf8(http.body).unwrap();
    let document = parse(&envelope);
    let receipt = find(&document, "Receipt");
    let information = receipt.child(EBBP, "NonRepudiationInformation").unwrap();
    let repeated: Vec<String> = information
        .children_named(EBBP, "MessagePartNRInformation")
        .map(|part| canonical(part.child(DS, "Reference").unwrap(), &[]))
        .collect();
    let message = parse(&Forged::new().envelope);
    let signed: Vec<String> = find(&message, "SignedInfo")
        .children_named(DS, "Reference")
        .map(|reference| canonical(reference, &[]))
        .collect();
    assert_eq!(repeated, signed);
    assert_eq!(signed.len(), 3);
    let text = |name: &str| find(&document, name).text().into_owned();
    assert_eq!(text("RefToMessageId"), MESSAGE_ID);
    assert_eq!(text("MessageId"), SIGNAL_ID);
    assert_eq!(text("Timestamp"), "2026-11-21T10:00:00.000Z");
}

#[test]
fn c_01_a_receipt_is_signed_by_the_receiver() {
    let answer = read(&sample_receipt()).unwrap();
    assert_eq!(answer.disposition(), Disposition::Delivered);
    let As4Answer::Receipt { signer, message_id, timestamp, warnings } = answer else {
        panic!("{answer:?}")
    };
    assert!(warnings.is_empty());
    assert_eq!(signer.certificate, seat(RECEIVER).own.certificate);
    assert_eq!(message_id, SIGNAL_ID);
    assert_eq!(timestamp, "2026-11-21T10:00:00.000Z");
}

/// What counts is `URI` and digest, whatever prefix a reference is written with.
#[test]
fn c_01_a_receipt_repeats_a_foreign_signature_as_it_is_written() {
    let forged =
        Forged::new().edit("<ds:", "<s:").edit("</ds:", "</s:").edit("xmlns:ds", "xmlns:s");
    let received = forged.signed().open().unwrap();
    let http = receipt(&received, &seat(RECEIVER).own, SIGNAL_ID, now()).unwrap();
    let text = String::from_utf8(http.body.clone()).unwrap();
    assert!(text.contains("<s:Reference xmlns:s="));
    assert!(matches!(read(&http), Ok(As4Answer::Receipt { .. })));
}

/// A repeat is sealed anew with the same header: a late receipt for the first try still counts.
#[test]
fn c_04_a_receipt_for_an_earlier_try_holds_for_the_repeat() {
    let (own, peer) = (&seat(SENDER).own, &seat(RECEIVER).peer);
    let entropy = Entropy::from_bytes(&[8; Entropy::BYTES]);
    let repeat = seal(&user_message(), PAYLOAD, own, peer, &entropy).unwrap();
    assert_ne!(repeat.http, sent().http);
    let http = sample_receipt();
    let answer = read_answer(&http.content_type, &http.body, &repeat, &Known);
    assert!(matches!(answer, Ok(As4Answer::Receipt { .. })));
}

/// What was not sent is not receipted.
#[test]
fn c_03_a_receipt_for_another_payload_proves_nothing() {
    let http = sample_receipt();
    let other = sealed(&user_message(), b"<Other/>");
    let answer = read_answer(&http.content_type, &http.body, &other, &Known);
    assert!(refused(answer).contains("is not the one that was sent"));
}

#[test]
fn c_03_the_edits_below_start_from_a_receipt_that_holds() {
    assert!(read(&signed_signal(&messaging_of(&sample_receipt()), RECEIVER)).is_ok());
}

#[test]
fn c_03_an_unsigned_receipt_proves_nothing() {
    let text = String::from_utf8(sample_receipt().body).unwrap();
    let start = text.find("<wsse:Security ").unwrap();
    let end = text.find("</wsse:Security>").unwrap() + "</wsse:Security>".len();
    let bare = soap(text.replace(&text[start..end], ""));
    let refusal = read(&bare).unwrap_err();
    assert_eq!(refusal.code(), EbmsCode::InvalidReceipt);
    let start = text.find("<ds:Signature ").unwrap();
    let unsigned = soap(text.replace(&text[start..end - "</wsse:Security>".len()], ""));
    assert!(refused(read(&unsigned)).contains("not signed"));
}

#[test]
fn c_03_a_changed_receipt_proves_nothing() {
    let text = String::from_utf8(sample_receipt().body).unwrap();
    let changed = soap(text.replace("2026-11-21T10:00:00", "2026-11-21T10:00:01"));
    assert!(refused(read(&changed)).contains("#_messaging"));
}

#[test]
fn c_03_a_receipt_by_someone_else_proves_nothing() {
    let http = signed_signal(&messaging_of(&sample_receipt()), THIRD);
    assert!(refused(read(&http)).contains("POP000003 signed it, not POP000002"));
}

#[test]
fn c_03_a_receipt_by_the_same_seat_with_another_certificate_holds() {
    let http = signed_signal(&messaging_of(&sample_receipt()), EARLIER);
    assert!(matches!(read(&http), Ok(As4Answer::Receipt { .. })));
}

#[test]
fn c_03_a_receipt_for_another_message_proves_nothing() {
    let reference = format!("<eb:RefToMessageId>{MESSAGE_ID}</eb:RefToMessageId>");
    let other = "<eb:RefToMessageId>other@ap.example</eb:RefToMessageId>";
    assert!(refused(edited(&reference, other)).contains("other@ap.example"));
    assert!(refused(edited(&reference, "")).contains("nothing"));
}

#[test]
fn c_03_every_digest_must_be_repeated() {
    let messaging = messaging_of(&sample_receipt());
    let parts: Vec<&str> = messaging.split("<ebbp:MessagePartNRInformation>").skip(1).collect();
    assert_eq!(parts.len(), 3);
    for part in parts {
        let part = part.split_once("</ebbp:MessagePartNRInformation>").unwrap().0;
        let whole =
            format!("<ebbp:MessagePartNRInformation>{part}</ebbp:MessagePartNRInformation>");
        assert!(refused(edited(&whole, "")).contains("does not repeat"));
        let digest = part.split_once("<ds:DigestValue>").unwrap().1;
        let digest = digest.split_once('<').unwrap().0;
        let other = base64::encode(&sha256(b"something else"));
        assert!(refused(edited(digest, &other)).contains("is not the one that was sent"));
        assert!(refused(edited(digest, "AAAA")).contains("does not repeat"));
    }
    let start = messaging.find("<eb:Receipt>").unwrap();
    let end = messaging.find("</eb:SignalMessage>").unwrap();
    let empty = edited(&messaging[start..end], "<eb:Receipt></eb:Receipt>");
    assert!(refused(empty).contains("does not repeat"));
}

#[test]
fn c_03_the_signature_must_cover_the_receipt() {
    let text = String::from_utf8(sample_receipt().body).unwrap();
    let messaging = messaging_of(&sample_receipt());
    let wrapped = format!("{}<x>{messaging}</x>", messaging.replace("_messaging", "_other"));
    let moved = soap(text.replace(&messaging, &wrapped));
    assert!(refused(read(&moved)).contains("does not cover Messaging"));
}

#[test]
fn c_03_a_receipt_in_a_package_is_read() {
    let receipt = sample_receipt();
    let body = [
        b"--b\r\nContent-Type: application/soap+xml\r\nContent-ID: <r>\r\n\r\n".as_slice(),
        &receipt.body,
        b"\r\n--b--\r\n",
    ]
    .concat();
    let content_type = "multipart/related; boundary=b; start=\"<r>\"".to_owned();
    assert!(read(&HttpMessage { content_type, body }).is_ok());
}

#[test]
fn c_03_a_signer_that_is_not_trusted_proves_nothing() {
    struct Nobody;
    impl Peers for Nobody {
        fn access_point(&self, _: &[u8]) -> Result<std::sync::Arc<Peer>, CertificateRefusal> {
            Err(CertificateRefusal { reason: "it expired".to_owned() })
        }
    }
    let http = sample_receipt();
    let answer = read_answer(&http.content_type, &http.body, &sent(), &Nobody);
    assert!(refused(answer).contains("it expired"));
}
