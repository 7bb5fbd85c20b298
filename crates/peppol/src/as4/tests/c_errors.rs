//! Rows C-04, C-05 and C-07 to C-10: refusals, and what an answer means for the message.

use super::super::error::DETAIL_LENGTH;
use super::super::names::EB;
use super::super::*;
use super::fixture::*;

fn read(http: &HttpMessage) -> Result<As4Answer, AnswerRefusal> {
    read_answer(&http.content_type, &http.body, &sent(), &Known)
}

fn error(refusal: &As4Refusal) -> HttpMessage {
    error_signal(refusal, &seat(RECEIVER).own, SIGNAL_ID, now()).unwrap()
}

#[track_caller]
fn errors(answer: &As4Answer) -> &[EbmsError] {
    match answer {
        As4Answer::Errors(errors) => errors,
        other => panic!("{other:?}"),
    }
}

/// An unsigned error signal, as some access points send it.
fn unsigned(errors: &str) -> HttpMessage {
    let soap_name = super::super::names::SOAP;
    soap(format!(
        "<s:Envelope xmlns:s=\"{soap_name}\"><s:Header><eb:Messaging xmlns:eb=\"{EB}\" \
         s:mustUnderstand=\"true\"><eb:SignalMessage><eb:MessageInfo><eb:Timestamp>2026-11-21T10:00:00Z\
         </eb:Timestamp><eb:MessageId>e@x</eb:MessageId></eb:MessageInfo>{errors}</eb:SignalMessage>\
         </eb:Messaging></s:Header><s:Body/></s:Envelope>"
    ))
}

/// An error about the sample message.
fn about_ours(code: &str, inside: &str) -> String {
    format!(
        "<eb:Error errorCode=\"{code}\" severity=\"failure\" \
         refToMessageInError=\"{MESSAGE_ID}\">{inside}</eb:Error>"
    )
}

fn unsigned_code(code: &str) -> HttpMessage {
    unsigned(&about_ours(code, ""))
}

#[test]
fn c_04_what_is_no_signal_leaves_the_fate_unknown() {
    let html = b"<html><body>502 Bad Gateway</body></html>".to_vec();
    let answers = [
        HttpMessage { content_type: "text/html".to_owned(), body: html.clone() },
        HttpMessage { content_type: "application/soap+xml".to_owned(), body: html },
        HttpMessage { content_type: "application/soap+xml".to_owned(), body: Vec::new() },
        HttpMessage { content_type: String::new(), body: Vec::new() },
        HttpMessage { content_type: "multipart/related".to_owned(), body: Vec::new() },
        soap("<!DOCTYPE x><x xmlns='http://www.w3.org/2003/05/soap-envelope'/>".to_owned()),
        // A message is no answer.
        sent().http,
    ];
    for http in answers {
        let refusal = read(&http).unwrap_err();
        assert!(matches!(refusal, AnswerRefusal::Unreadable(_)), "{http:?}: {refusal:?}");
        assert_eq!(refusal.code(), EbmsCode::MissingReceipt);
    }
}

#[test]
fn c_04_a_signal_without_a_receipt_leaves_the_fate_unknown() {
    let refusal = read(&unsigned("")).unwrap_err();
    assert_eq!(refusal, AnswerRefusal::Missing);
    assert_eq!(refusal.code(), EbmsCode::MissingReceipt);
    let warning = "<eb:Error errorCode=\"EBMS:0001\" severity=\"warning\"/>";
    let refusal = read(&unsigned(warning)).unwrap_err();
    assert!(matches!(refusal, AnswerRefusal::Warned(_)), "{refusal:?}");
    assert_eq!(refusal.code(), EbmsCode::MissingReceipt);
}

/// What a receiver says is told, whatever it is worth.
#[test]
fn c_04_a_warning_alone_is_told() {
    let warning = |text: &str| {
        let warning = format!(
            "<eb:Error errorCode=\"EBMS:4321\" severity=\"warning\" shortDescription=\"Soon\">\
             <eb:Description>{text}</eb:Description></eb:Error>"
        );
        read(&unsigned(&warning)).unwrap_err()
    };
    let refusal = warning("your certificate ends tomorrow");
    let told = "a warning: EBMS:4321 Soon: your certificate ends tomorrow";
    assert!(refusal.to_string().ends_with(told), "{refusal}");
    let [one] = refusal.warnings() else { panic!("{refusal:?}") };
    assert_eq!(one.code, "EBMS:4321");
    let long = warning(&"x".repeat(10_000)).to_string();
    assert!(long.chars().count() < DETAIL_LENGTH + 100, "it is cut: {}", long.len());
}

#[test]
fn c_04_a_warning_beside_a_receipt_does_not_undo_it() {
    let end = "</eb:SignalMessage>";
    let warning =
        format!("<eb:Error errorCode=\"EBMS:0001\" severity=\"warning\"></eb:Error>{end}");
    let messaging = messaging_of(&sample_receipt()).replace(end, &warning);
    let answer = read(&signed_signal(&messaging, RECEIVER)).unwrap();
    assert_eq!(answer.disposition(), Disposition::Delivered);
    let As4Answer::Receipt { warnings, .. } = answer else { panic!("{answer:?}") };
    assert_eq!(warnings.first().map(|warning| warning.code.as_str()), Some("EBMS:0001"));
}

#[test]
fn c_05_a_duplicate_is_told_from_a_receipt() {
    let answer = read(&unsigned_code("EBMS:4001")).unwrap();
    assert_eq!(answer.disposition(), Disposition::Duplicate);
    let said = |code: &str, text: &str| {
        let inside = format!("<eb:Description xml:lang=\"en\">{text}</eb:Description>");
        read(&unsigned(&about_ours(code, &inside))).unwrap().disposition()
    };
    let handled = "Message with ID 'x' was already handled (this is a duplicate)";
    assert_eq!(said("EBMS:0004", handled), Disposition::Duplicate);
    assert_eq!(said("EBMS:0004", "the attachment is missing"), Disposition::Permanent);
    assert_eq!(said("EBMS:0101", handled), Disposition::Permanent);
}

/// The word that the message was taken before is about ours, or it is none.
#[test]
fn c_05_a_duplicate_names_the_message() {
    let bare = "<eb:Error errorCode=\"EBMS:4001\" severity=\"failure\"/>";
    for none in [bare.to_owned(), bare.replace("severity", "refToMessageInError=\"\" severity")] {
        let answer = read(&unsigned(&none)).unwrap();
        assert_eq!(answer.disposition(), Disposition::Permanent, "{none}");
    }
    // The signal names it for every error in it.
    let mut named = unsigned(bare);
    let text = String::from_utf8(named.body).unwrap();
    let about = format!("</eb:MessageId><eb:RefToMessageId>{MESSAGE_ID}</eb:RefToMessageId>");
    named.body = text.replace("</eb:MessageId>", &about).into_bytes();
    assert_eq!(read(&named).unwrap().disposition(), Disposition::Duplicate);
    named.body = text.replace("</eb:MessageId>", &about.replace(MESSAGE_ID, "a@b")).into_bytes();
    assert!(matches!(read(&named), Err(AnswerRefusal::Unreadable(_))));
}

/// It need not be signed; where it is, its receiver signed it.
#[test]
fn c_05_a_duplicate_is_signed_by_the_receiver_or_by_nobody() {
    let refusal = As4Refusal::new(EbmsCode::Other, "was already handled").of(MESSAGE_ID);
    let messaging = messaging_of(&error(&refusal));
    let signed = |by: usize| read(&signed_signal(&messaging, by));
    assert_eq!(signed(RECEIVER).unwrap().disposition(), Disposition::Duplicate);
    // Its seat, with another certificate.
    assert_eq!(signed(EARLIER).unwrap().disposition(), Disposition::Duplicate);
    for by in [THIRD, SENDER] {
        let refusal = signed(by).unwrap_err();
        assert!(matches!(refusal, AnswerRefusal::UnprovenWord(_)), "{refusal:?}");
        assert!(refusal.is_unproven() && refusal.to_string().contains("signed it, not POP000002"));
        assert_eq!(refusal.code(), EbmsCode::MissingReceipt);
    }
    // A signature that does not hold is none of nobody.
    let mut changed = signed_signal(&messaging, RECEIVER);
    let text = String::from_utf8(changed.body).unwrap();
    changed.body = text.replace("already handled<", "already handled!<").into_bytes();
    assert!(matches!(read(&changed), Err(AnswerRefusal::UnprovenWord(_))));
    // Any other error counts as before, whoever signed it.
    let other = messaging.replace("already handled", "not wanted");
    assert_eq!(read(&signed_signal(&other, THIRD)).unwrap().disposition(), Disposition::Permanent);
}

/// How an answer is announced proves nothing, and undoes nothing.
#[test]
fn c_03_an_answer_is_read_whatever_its_content_type_says() {
    for content_type in ["", "text/xml", "application/xml; charset=UTF-8", "text/plain", "json"] {
        let dressed = |http: HttpMessage| HttpMessage { content_type: content_type.into(), ..http };
        let answer = read(&dressed(sample_receipt())).unwrap();
        assert_eq!(answer.disposition(), Disposition::Delivered, "{content_type}");
        let answer = read(&dressed(unsigned_code("EBMS:0202"))).unwrap();
        assert_eq!(answer.disposition(), Disposition::Retry, "{content_type}");
        let http = dressed(sample_receipt());
        let signer = claimed_answer_signer(&http.content_type, &http.body);
        assert_eq!(signer.as_ref(), Some(&seat(RECEIVER).own.certificate), "{content_type}");
        // What is verified stays what it was.
        let text = String::from_utf8(http.body.clone()).unwrap();
        let changed = text.replacen("<ds:DigestValue>", "<ds:DigestValue>A", 1).into_bytes();
        let broken = read(&HttpMessage { body: changed, ..http });
        assert!(matches!(broken, Err(AnswerRefusal::InvalidReceipt(_))), "{broken:?}");
        // What is no envelope is told as before.
        let page = dressed(HttpMessage { body: b"<html/>".to_vec(), ..sample_receipt() });
        let told = read(&page).unwrap_err().to_string();
        assert!(told.contains("expected multipart/related or application/soap+xml"), "{told}");
    }
}

/// An error that names another message says nothing of ours.
#[test]
fn d_8_an_error_about_another_message_is_no_answer() {
    let error = "<eb:Error errorCode=\"EBMS:0004\" severity=\"failure\" \
                 refToMessageInError=\"other@example.test\"/>";
    assert!(matches!(read(&unsigned(error)), Err(AnswerRefusal::Unreadable(_))));
}

#[test]
fn c_05_a_message_that_comes_twice_is_given_the_same_receipt() {
    assert!(sample_receipt() == sample_receipt());
}

#[test]
fn c_07_not_serviced_is_said_as_the_profile_says() {
    let http = error(&As4Refusal::not_serviced().of(MESSAGE_ID));
    let text = String::from_utf8(http.body.clone()).unwrap();
    let document = parse(&text);
    let element = find(&document, "Error");
    assert_eq!(element.attribute("errorCode"), Some("EBMS:0004"));
    assert_eq!(element.attribute("severity"), Some("failure"));
    assert_eq!(element.child(EB, "ErrorDetail").unwrap().text(), "PEPPOL:NOT_SERVICED");
    let answer = read(&http).unwrap();
    assert!(errors(&answer)[0].is_not_serviced());
    assert_eq!(answer.disposition(), Disposition::NotServiced);
    let other = read(&error(&As4Refusal::new(EbmsCode::Other, "no such thing"))).unwrap();
    assert!(!errors(&other)[0].is_not_serviced());
}

#[test]
fn c_08_an_error_is_signed_and_names_its_message() {
    let refusal = As4Refusal::new(EbmsCode::InvalidHeader, "expected <x> & \"y\"").of(MESSAGE_ID);
    let http = error(&refusal);
    let text = String::from_utf8(http.body.clone()).unwrap();
    let document = parse(&text);
    assert_eq!(find(&document, "RefToMessageId").text(), MESSAGE_ID);
    assert_eq!(find(&document, "Error").attribute("refToMessageInError"), Some(MESSAGE_ID));
    let covered = find(&document, "SignedInfo").elements().filter(|e| e.local() == "Reference");
    let uris: Vec<_> = covered.map(|e| e.attribute("URI").unwrap()).collect();
    assert_eq!(uris, ["#_messaging", "#_body"]);
    let answer = read(&http).unwrap();
    let [found] = errors(&answer) else { panic!("{answer:?}") };
    assert_eq!(found.code, "EBMS:0009");
    assert_eq!(found.short_description, "InvalidHeader");
    assert_eq!(found.severity, "failure");
    assert_eq!(found.detail, "expected <x> & \"y\"");
    assert_eq!(found.ref_to_message.as_deref(), Some(MESSAGE_ID));
    // The signature is a true one: signing again with the same key changes nothing.
    let signer = seat(RECEIVER).own.signer.as_ref();
    assert_eq!(sign_again(&text, &[], signer), text);
}

#[test]
fn c_08_an_error_about_an_unreadable_message_names_none() {
    let http = error(&As4Refusal::new(EbmsCode::MimeInconsistency, "cut off"));
    let text = String::from_utf8(http.body.clone()).unwrap();
    assert!(!text.contains("RefToMessageId") && !text.contains("refToMessageInError"));
    assert_eq!(read(&http).unwrap().disposition(), Disposition::Permanent);
}

/// Headers of a MIME part may hold what XML cannot.
#[test]
fn c_08_an_error_is_well_formed_and_short_whatever_was_found() {
    let mut forged = Forged::new();
    forged.headers = "Content-Transfer-Encoding: \u{1}\u{FFFF}<&\r\n".to_owned();
    let refusal = forged.open().unwrap_err();
    assert_eq!(refusal.code, EbmsCode::MimeInconsistency);
    let answer = read(&error(&refusal)).unwrap();
    let detail = &errors(&answer)[0].detail;
    assert!(detail.contains("\u{FFFD}\u{FFFD}<&"), "{detail}");
    let long = Forged::new().edit("2026-11-21T10:00:00.000Z", &"9".repeat(100_000)).signed();
    assert_eq!(long.refused().detail.chars().count(), DETAIL_LENGTH);
}

#[test]
fn c_08_an_unsigned_error_is_believed() {
    let detail = "<eb:Error category=\"CONTENT\" errorCode=\"EBMS:0004\" severity=\"Failure\" \
                  shortDescription=\"Other\"><eb:Description xml:lang=\"en\">why</eb:Description>\
                  <eb:ErrorDetail>\n PEPPOL:NOT_SERVICED </eb:ErrorDetail></eb:Error>";
    let answer = read(&unsigned(detail)).unwrap();
    let [found] = errors(&answer) else { panic!("{answer:?}") };
    assert!(found.is_not_serviced());
    assert_eq!(found.to_string(), "EBMS:0004 Other: why: PEPPOL:NOT_SERVICED");
}

#[test]
fn c_09_every_code_is_written_and_read_back() {
    for code in EbmsCode::all() {
        let answer = read(&error(&As4Refusal::new(code, "why").of(MESSAGE_ID))).unwrap();
        let [found] = errors(&answer) else { panic!("{answer:?}") };
        assert_eq!(found.code, code.code());
        assert_eq!(found.short_description, code.short_description());
        assert!(!code.category().is_empty());
    }
    let codes: Vec<_> = EbmsCode::all().map(EbmsCode::code).collect();
    let expected = [
        "EBMS:0001",
        "EBMS:0003",
        "EBMS:0004",
        "EBMS:0007",
        "EBMS:0009",
        "EBMS:0010",
        "EBMS:0011",
        "EBMS:0101",
        "EBMS:0102",
        "EBMS:0103",
        "EBMS:0202",
        "EBMS:0301",
        "EBMS:0302",
        "EBMS:0303",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn c_10_an_answer_says_what_to_do_next() {
    for (code, disposition) in [
        ("EBMS:0202", Disposition::Retry),
        ("EBMS:0301", Disposition::Retry),
        ("EBMS:0005", Disposition::Retry),
        ("EBMS:0004", Disposition::Permanent),
        ("EBMS:0009", Disposition::Permanent),
        ("EBMS:0101", Disposition::Permanent),
        ("EBMS:0103", Disposition::Permanent),
        ("SOMETHING", Disposition::Permanent),
        ("EBMS:4001", Disposition::Duplicate),
    ] {
        assert_eq!(read(&unsigned_code(code)).unwrap().disposition(), disposition, "{code}");
    }
    let failure = |code: &str| format!("<eb:Error errorCode=\"{code}\" severity=\"failure\"/>");
    let mixed = format!("{}{}", failure("EBMS:0202"), failure("EBMS:0101"));
    assert_eq!(read(&unsigned(&mixed)).unwrap().disposition(), Disposition::Permanent);
}

/// An error wins over a receipt: the receiver cannot have taken what it refuses.
#[test]
fn c_10_an_error_beside_a_receipt_wins() {
    let end = "</eb:SignalMessage>";
    let both = format!("<eb:Error errorCode=\"EBMS:0202\" severity=\"failure\"></eb:Error>{end}");
    let messaging = messaging_of(&sample_receipt()).replace(end, &both);
    let answer = read(&signed_signal(&messaging, RECEIVER)).unwrap();
    assert_eq!(answer.disposition(), Disposition::Retry);
}
