//! What is written is canonical already: its digest is that of its bytes, and no peer can differ.

use quoin_xml::namespaces::DS;

use super::super::*;
use super::fixture::*;

/// Every element of these names is equal to its own canonical form.
#[track_caller]
fn assert_canonical(envelope: &[u8], names: &[&str]) {
    let text = std::str::from_utf8(envelope).unwrap();
    let document = parse(text);
    for name in names {
        let element = find(&document, name);
        let start = element.offset();
        let form = canonical(element, &[]);
        let written = &text[start..(start + form.len()).min(text.len())];
        assert_eq!(written, form, "{name} is not written canonically");
    }
}

const PIECES: &[&str] = &["Messaging", "Body"];

/// `SignedInfo` and the other parts of the security header are declared in their context.
fn assert_signed_info(envelope: &[u8]) {
    let text = std::str::from_utf8(envelope).unwrap();
    let document = parse(text);
    let info = find(&document, "SignedInfo");
    let declared = format!("<ds:SignedInfo xmlns:ds=\"{DS}\">");
    let start = info.offset();
    assert!(text[start..].starts_with(&declared));
    let form = canonical(info, &[]);
    assert_eq!(&text[start..start + form.len()], form);
}

#[test]
fn a_message_is_written_canonically() {
    let forged = Forged::new();
    assert_canonical(forged.envelope.as_bytes(), PIECES);
    assert_signed_info(forged.envelope.as_bytes());
}

#[test]
fn a_message_with_special_characters_is_written_canonically() {
    let message = UserMessage {
        service: "a<b>&\"'\r\té".to_owned(),
        service_type: "<&>\"'\n".to_owned(),
        conversation_id: "\u{1F4E8}".to_owned(),
        ..user_message()
    };
    let forged = Forged::of(&sealed(&message, PAYLOAD).http, PAYLOAD);
    assert_canonical(forged.envelope.as_bytes(), PIECES);
    let received = forged.open().unwrap();
    assert_eq!(received.message.service, message.service);
    assert_eq!(received.message.service_type, message.service_type);
    assert_eq!(received.message.conversation_id, message.conversation_id);
}

#[test]
fn a_receipt_is_written_canonically() {
    let receipt = sample_receipt();
    assert_canonical(&receipt.body, PIECES);
    assert_signed_info(&receipt.body);
}

/// A receipt repeats the references of a foreign signature: whatever the prefixes of that one are.
#[test]
fn a_receipt_for_a_foreign_signature_is_written_canonically() {
    let forged = Forged::new();
    let foreign = forged.edit("<ds:", "<s:").edit("</ds:", "</s:").edit("xmlns:ds=", "xmlns:s=");
    let plain = foreign.edit("<s:DigestMethod Algorithm=", "<s:DigestMethod\n  Algorithm =");
    let received = plain.signed().open().unwrap();
    let receipt = receipt(&received, &seat(RECEIVER).own, SIGNAL_ID, now()).unwrap();
    assert_canonical(&receipt.body, PIECES);
    let text = String::from_utf8(receipt.body).unwrap();
    assert!(text.contains("<s:Reference xmlns:s="));
}

#[test]
fn an_error_is_written_canonically() {
    let refusal = As4Refusal::new(EbmsCode::InvalidHeader, "found <x> & \"y\"\r\n").of(MESSAGE_ID);
    for refusal in [refusal, As4Refusal::not_serviced()] {
        let error = error_signal(&refusal, &seat(RECEIVER).own, SIGNAL_ID, now()).unwrap();
        assert_canonical(&error.body, PIECES);
        assert_signed_info(&error.body);
    }
}
