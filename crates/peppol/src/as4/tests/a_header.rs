//! Rows: the ebMS header.

use super::super::names::*;
use super::super::*;
use super::fixture::*;

/// A message with one edit to its header, signed again: the edit is the only thing wrong.
#[track_caller]
fn edited(from: &str, to: &str) -> As4Refusal {
    Forged::new().edit(from, to).signed().refused()
}

#[track_caller]
fn accepted(from: &str, to: &str) -> UserMessage {
    let received = Forged::new().edit(from, to).signed().open().unwrap();
    assert_eq!(received.payload, PAYLOAD);
    received.message
}

fn sent_header() -> String {
    let envelope = Forged::new().envelope;
    canonical(find(&parse(&envelope), "Messaging"), &[])
}

#[test]
fn what_is_sealed_opens_to_the_same_message() {
    let received = open(&sent().http).unwrap();
    assert_eq!(received.message, user_message());
    assert_eq!(received.payload, PAYLOAD);
    assert_eq!(received.signer.common_name, "POP000001");
    Forged::new().signed().open().unwrap();
}

#[test]
fn a_01_a_reference_to_another_message_is_refused() {
    assert!(!sent_header().contains("RefToMessageId"));
    let end = "</eb:MessageInfo>";
    let refusal = edited(end, &format!("<eb:RefToMessageId>a@b</eb:RefToMessageId>{end}"));
    assert_eq!(refusal.code, EbmsCode::InvalidHeader);
    assert!(refusal.detail.contains("RefToMessageId"));
}

#[test]
fn a_01_a_pull_request_is_refused() {
    let forged = Forged::new();
    let document = parse(&forged.envelope);
    let message = canonical(find(&document, "UserMessage"), &[]);
    let inside = message.split_once('>').unwrap().1;
    let info = inside.split_once("</eb:MessageInfo>").unwrap().0;
    let pull =
        format!("<eb:SignalMessage>{info}</eb:MessageInfo><eb:PullRequest/></eb:SignalMessage>");
    let messaging = canonical(find(&document, "Messaging"), &[]);
    let (start, _) = messaging.split_once("<eb:UserMessage>").unwrap();
    let refusal = forged.edit(&messaging, &format!("{start}{pull}</eb:Messaging>")).signed().open();
    let refusal = refusal.unwrap_err();
    assert_eq!(refusal.code, EbmsCode::ProcessingModeMismatch);
    assert!(refusal.detail.contains("PullRequest"), "{refusal}");
}

#[test]
fn a_01_a_pull_beside_a_message_is_refused() {
    let end = "</eb:UserMessage>";
    let pull =
        format!("{end}<eb:SignalMessage><eb:MessageInfo/><eb:PullRequest/></eb:SignalMessage>");
    let refusal = Forged::new().edit(end, &pull).signed().open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::ProcessingModeMismatch);
}

#[test]
fn a_02_only_soap_1_2_is_read() {
    let forged = Forged::new().edit(SOAP, "http://schemas.xmlsoap.org/soap/envelope/");
    let refusal = forged.open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::InvalidHeader);
    assert!(refusal.detail.contains("SOAP 1.2"), "{refusal}");
    let text = sent().http.body;
    let refusal = Incoming::read("text/xml; charset=utf-8", &text).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::MimeInconsistency);
    assert!(refusal.detail.contains("text/xml"), "{refusal}");
}

#[test]
fn a_02_exactly_one_messaging_which_must_be_understood() {
    let forged = Forged::new();
    let messaging = sent_header();
    let none = forged.clone().edit(&messaging, "").open().unwrap_err();
    assert_eq!(none.code, EbmsCode::InvalidHeader);
    let two = forged.edit(&messaging, &messaging.repeat(2)).open().unwrap_err();
    assert_eq!(two.code, EbmsCode::InvalidHeader);
    assert!(two.detail.contains("more than one Messaging"), "{two}");
    for changed in ["", " S12:mustUnderstand=\"false\"", " mustUnderstand=\"true\""] {
        let mark = "wsu:Id=\"_messaging\" S12:mustUnderstand=\"true\"";
        let edit = format!("wsu:Id=\"_messaging\"{changed}");
        let refusal = Forged::new().edit(mark, &edit).signed().open().unwrap_err();
        assert_eq!(refusal.code, EbmsCode::InvalidHeader, "{changed}");
    }
    accepted(
        "wsu:Id=\"_messaging\" S12:mustUnderstand=\"true\"",
        "wsu:Id=\"_messaging\" S12:mustUnderstand=\"1\"",
    );
}

#[test]
fn a_02_exactly_one_user_message() {
    let message = canonical(find(&parse(&Forged::new().envelope), "UserMessage"), &[]);
    let inner = message.split_once('>').unwrap().1;
    let one = format!("<eb:UserMessage>{inner}");
    let two = Forged::new().edit(&one, &one.repeat(2)).signed().open().unwrap_err();
    assert_eq!(two.code, EbmsCode::InvalidHeader);
    assert!(two.detail.contains("more than one UserMessage"), "{two}");
    let none = Forged::new().edit(&one, "").signed().open().unwrap_err();
    assert_eq!(none.code, EbmsCode::InvalidHeader);
}

#[test]
fn a_03_the_message_id_is_left_at_right() {
    for wrong in ["", "no-at-sign", "a@", "@b", "a@b@c", "&lt;a@b&gt;", "a b@c", "a..b@c", ".a@b"] {
        let refusal = Forged::new()
            .edit(&format!("<eb:MessageId>{MESSAGE_ID}"), &format!("<eb:MessageId>{wrong}"))
            .signed()
            .open()
            .unwrap_err();
        assert_eq!(refusal.code, EbmsCode::InvalidHeader, "{wrong}");
        assert!(refusal.detail.contains("MessageId"), "{refusal}");
    }
    let long = format!("{}@b", "a".repeat(600));
    let edit = format!("<eb:MessageId>{long}");
    let from = format!("<eb:MessageId>{MESSAGE_ID}");
    let refusal = Forged::new().edit(&from, &edit).signed().open().unwrap_err();
    assert!(refusal.detail.len() < 300, "an id of any length is not echoed");
    let odd = "a.b!#$%*+/=?^_`{|}~-@host-1.example";
    assert_eq!(accepted(&from, &format!("<eb:MessageId>{odd}")).message_id, odd);
}

#[test]
fn a_04_the_timestamp_is_in_utc() {
    assert!(sent_header().contains("<eb:Timestamp>2026-11-21T10:00:00.000Z</eb:Timestamp>"));
    let from = "2026-11-21T10:00:00.000Z";
    for wrong in [
        "2026-11-21",
        "2026-11-21T10:00",
        "2026-11-21T10:00Z",
        "2026-11-21 10:00:00Z",
        "20261121T100000Z",
        "2026-11-21t10:00:00z",
        "2026-11-21T10:00:00+01",
        "2026-11-21T10:00:00+0100",
        "2026-11-21T10:00:60Z",
        "2026-11-21T10:00:00Z[UTC]",
        "yesterday",
        "",
    ] {
        let refusal = edited(from, wrong);
        assert_eq!(refusal.code, EbmsCode::InvalidHeader, "{wrong}");
        assert!(refusal.detail.contains("Timestamp"), "{refusal}");
    }
    for same in
        ["2026-11-21T11:00:00+01:00", "2026-11-21T10:00:00", "2026-11-21T10:00:00.0000000000Z"]
    {
        assert_eq!(accepted(from, same).timestamp, now(), "{same}");
    }
    let midnight = accepted(from, "2026-11-20T24:00:00").timestamp;
    assert_eq!(midnight.to_string(), "2026-11-21T00:00:00Z");
}

#[test]
fn a_05_each_side_has_one_typed_party_id() {
    let header = sent_header();
    for seat in ["POP000001", "POP000002"] {
        let id = format!("<eb:PartyId type=\"{PARTY_ID_TYPE}\">{seat}</eb:PartyId>");
        assert!(header.contains(&id));
        assert_eq!(edited(&id, &id.repeat(2)).code, EbmsCode::Other);
        assert_eq!(edited(&id, "").code, EbmsCode::Other);
        let untyped = edited(&id, &format!("<eb:PartyId>{seat}</eb:PartyId>"));
        assert_eq!(untyped.code, EbmsCode::Other);
        assert!(untyped.detail.contains(PARTY_ID_TYPE), "{untyped}");
    }
    let from = header.split_once("<eb:From>").unwrap().1.split_once("</eb:From>").unwrap().0;
    let from = format!("<eb:From>{from}</eb:From>");
    assert_eq!(edited(&from, &from.repeat(2)).code, EbmsCode::InvalidHeader);
    assert_eq!(edited(&from, "").code, EbmsCode::InvalidHeader);
}

#[test]
fn a_06_the_roles_are_written_as_full_names() {
    let header = sent_header();
    assert!(header.contains(&format!("<eb:Role>{INITIATOR}</eb:Role></eb:From>")));
    assert!(header.contains(&format!("<eb:Role>{RESPONDER}</eb:Role></eb:To>")));
}

#[test]
fn texts_hold_no_elements() {
    for (element, of) in [
        ("<eb:PartyId type=\"urn:fdc:peppol.eu:2017:identifiers:ap\">POP00", "eb:PartyId"),
        ("<eb:MessageId>5d2f", "eb:MessageId"),
        ("<eb:Action>busdox", "eb:Action"),
        ("\"iso6523-actorid-upis\">0192:", "eb:Property"),
        ("\"MimeType\">application", "eb:Property"),
        ("\"CompressionType\">application", "eb:Property"),
    ] {
        let odd = format!("{element}<eb:x></eb:x>");
        let refusal = Forged::new().edit(element, &odd).signed().open().unwrap_err();
        assert_eq!(refusal.code, EbmsCode::InvalidHeader, "{element}");
        let told = format!("{of} must hold text only");
        assert!(refusal.detail.contains(&told), "{refusal}");
    }
}

#[test]
fn a_07_the_agreement_is_that_of_access_point_providers() {
    let element = format!("<eb:AgreementRef>{AGREEMENT}</eb:AgreementRef>");
    assert!(sent_header().contains(&element));
    assert_eq!(edited(AGREEMENT, "urn:other").code, EbmsCode::ProcessingModeMismatch);
    assert_eq!(edited(&element, "").code, EbmsCode::InvalidHeader);
    for attribute in ["type", "pmode"] {
        let more = element.replace("Ref>urn", &format!("Ref {attribute}=\"x\">urn"));
        let refusal = edited(&element, &more);
        assert_eq!(refusal.code, EbmsCode::ProcessingModeMismatch, "{attribute}");
        assert!(refusal.detail.contains(attribute), "{refusal}");
    }
}

#[test]
fn a_08_the_service_is_the_typed_process() {
    let element = "<eb:Service type=\"cenbii-procid-ubl\">\
                   urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</eb:Service>";
    assert!(sent_header().contains(element));
    assert_eq!(edited(element, "").code, EbmsCode::InvalidHeader);
    assert_eq!(
        edited(element, "<eb:Service type=\"x\"> </eb:Service>").code,
        EbmsCode::InvalidHeader
    );
    let message = accepted(element, "<eb:Service type=\"t\">\n urn:x \n</eb:Service>");
    assert_eq!((message.service.as_str(), message.service_type.as_str()), ("urn:x", "t"));
}

#[test]
fn a_09_the_action_is_the_full_document_type() {
    let element = format!("<eb:Action>{ACTION}</eb:Action>");
    assert!(sent_header().contains(&element));
    assert_eq!(edited(&element, "").code, EbmsCode::InvalidHeader);
    assert_eq!(edited(&element, &element.repeat(2)).code, EbmsCode::InvalidHeader);
}

/// A comment is no part of the canonical form, so the signature stays valid; what is read must be
/// what was signed, whole.
#[test]
fn a_09_a_comment_in_the_action_hides_nothing() {
    let (start, end) = ACTION.split_at(20);
    for broken in [
        format!("<!-- x -->{ACTION}"),
        format!("{start}<!-- x -->{end}"),
        format!("{ACTION}<!-- x -->"),
        format!("<![CDATA[{start}]]><!-- x -->{end}"),
    ] {
        // Not signed again: this is what an attacker on the way can do.
        let forged = Forged::new().edit(ACTION, &broken);
        assert_eq!(forged.open().unwrap().message.action, ACTION, "{broken}");
    }
}

#[test]
fn a_10_a_conversation_is_named() {
    let element = "<eb:ConversationId>conversation-1</eb:ConversationId>";
    assert!(sent_header().contains(element));
    assert_eq!(edited(element, "").code, EbmsCode::InvalidHeader);
    assert_eq!(edited("conversation-1", "").code, EbmsCode::InvalidHeader);
}

#[test]
fn a_11_sender_and_recipient_are_typed_properties() {
    let header = sent_header();
    for (name, value) in
        [("originalSender", "0192:991825827"), ("finalRecipient", "0192:810418052")]
    {
        let element = format!(
            "<eb:Property name=\"{name}\" type=\"iso6523-actorid-upis\">{value}</eb:Property>"
        );
        assert!(header.contains(&element));
        let missing = edited(&element, "");
        assert_eq!(missing.code, EbmsCode::Other);
        assert!(missing.detail.contains(name), "{missing}");
        assert_eq!(edited(&element, &element.repeat(2)).code, EbmsCode::Other);
        let untyped = element.replace(" type=\"iso6523-actorid-upis\"", "");
        assert_eq!(edited(&element, &untyped).code, EbmsCode::Other);
        assert_eq!(edited(value, "").code, EbmsCode::InvalidHeader);
    }
    let start = header.find("<eb:MessageProperties>").unwrap();
    let end = header.find("<eb:PayloadInfo>").unwrap();
    assert_eq!(edited(&header[start..end], "").code, EbmsCode::Other);
    let other = "<eb:MessageProperties><eb:Property name=\"other\">x</eb:Property>";
    accepted("<eb:MessageProperties>", other);
}

#[test]
fn a_12_nothing_is_tracked() {
    assert!(!sent_header().contains("trackingIdentifier"));
}

#[test]
fn a_13_the_channel_is_the_default_one() {
    assert!(!sent_header().contains("mpc"));
    let other = edited("<eb:UserMessage>", "<eb:UserMessage mpc=\"urn:other\">");
    assert_eq!(other.code, EbmsCode::ValueNotRecognized);
    accepted("<eb:UserMessage>", &format!("<eb:UserMessage mpc=\"{DEFAULT_MPC}\">"));
}
