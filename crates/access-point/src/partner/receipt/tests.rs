//! Answers of every kind, and bodies that hide that they refuse.

use super::*;

const WORDS: ReceiptWords = ReceiptWords {
    network: "the network",
    states: &["status"],
    rejections: &["rejected", "invalid"],
    reasons: &["reason", "message"],
    ids: &["id", "messageId"],
    about: &[],
};

const STATES: ReceiptWords = ReceiptWords { states: &["status", "state"], ..WORDS };

fn of(http: u16, body: &str, before: bool) -> (String, String) {
    let read = PartnerReceipt::read(body.as_bytes(), None, &WORDS);
    match receipt_verdict(http, read, &WORDS, (&Secret::new("hush"), before)) {
        Ok(taken) => (taken.answer_id, taken.remark.unwrap_or_default()),
        Err(fault) => (fault.kind.code().to_owned(), fault.cause),
    }
}

#[test]
fn every_answer_has_its_meaning() {
    for (http, body, before, found, word) in [
        (200, "", false, "", ""),
        (200, "{\"id\":7,\"status\":\"accepted\"}", false, "7", ""),
        (200, "<r><Status>ok</Status><MessageId>m</MessageId></r>", false, "m", ""),
        (202, "anything", false, "", "still to look"),
        (
            200,
            "{\"status\":\"REJECTED\",\"reason\":\"no hush GLN\"}",
            false,
            "partner-refused",
            "refuses it: no *** GLN",
        ),
        (
            201,
            "<a><b><status>invalid</status></b><message>x</message></a>",
            false,
            "partner-refused",
            "refuses it: x",
        ),
        (302, "", false, "partner-refused", "302"),
        (400, "{\"message\":\"bad\"}", false, "partner-refused", "(400: bad)"),
        (401, "", false, "partner-secret", "key"),
        (403, "", false, "partner-secret", "key"),
        (409, "", false, "partner-refused", "409"),
        (409, "", true, "", "had it before"),
        (429, "", true, "partner-unavailable", "for now"),
        (503, "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", false, "partner-unavailable", "503"),
    ] {
        let (id, text) = of(http, body, before);
        assert!(id == found && text.contains(word), "{http} {body}: {id} {text}");
    }
}

/// A document that the network refuses is never taken for one that it has, however it says so.
#[test]
fn a_refusal_is_found_wherever_it_stands() {
    let many = format!("<r>{}<status>rejected</status></r>", "<a/>".repeat(5_000));
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2], mark: &[u8]| {
        [mark.to_vec(), text.encode_utf16().flat_map(bytes).collect()].concat()
    };
    let json = "{\"status\":\"rejected\"}";
    for body in [
        b"{\"state\":\"processed\",\"status\":\"rejected\"}".to_vec(),
        b"{\"Status\":\"ok\",\"status\":\"rejected\"}".to_vec(),
        b"{\"status\":\"rejected\",\"status\":\"ok\"}".to_vec(),
        b"{\"status\":\"ok\",\"result\":{\"status\":\" Rejected \"}}".to_vec(),
        b"{\"status\":{\"code\":\"rejected\"}}".to_vec(),
        b"{\"status\":[\"ok\",\"rejected\"]}".to_vec(),
        b" [{\"status\":\"ok\"},{\"status\":\"rejected\"}]".to_vec(),
        [b"\xef\xbb\xbf".as_slice(), json.as_bytes()].concat(),
        wide(json, u16::to_le_bytes, b"\xff\xfe"),
        wide(json, u16::to_be_bytes, b"\xfe\xff"),
        wide(json, u16::to_le_bytes, b""),
        wide("<r><status>rejected</status></r>", u16::to_le_bytes, b"\xff\xfe"),
        b"\n<r><state>ok</state><b><status>rejected</status></b></r>".to_vec(),
        b"<r><status>rejected<b/></status></r>".to_vec(),
        b"<r><status><b>rejected</b></status></r>".to_vec(),
        b"<r status='rejected'/>".to_vec(),
        many.into_bytes(),
    ] {
        let read = PartnerReceipt::read(&body, None, &STATES);
        let verdict = receipt_verdict(200, read, &STATES, (&Secret::new("hush"), false));
        let fault = verdict.expect_err(&String::from_utf8_lossy(&body));
        assert_eq!(fault.kind, PartnerFaultKind::Refused, "{fault:?}");
    }
}

/// The same of what cannot be read: it is asked for again, and the network may have it by then.
#[test]
fn a_success_that_cannot_be_read_is_none() {
    let deep = format!("{{\"a\":{}{},\"status\":\"rejected\"}}", "[".repeat(200), "]".repeat(200));
    for (body, kind) in [
        (deep.as_str(), None),
        ("{\"a\":\"x\ty\",\"status\":\"rejected\"}", None),
        ("{\"a\":NaN,\"status\":\"rejected\"}", None),
        ("{\"status\":\"rejected\"}x", None),
        ("<!DOCTYPE r [<!ENTITY a 'rejected'>]><r><status>&a;</status></r>", None),
        ("<html><br></html>", Some("text/html")),
        ("rejected", Some("application/problem+json; charset=utf-8")),
        ("rejected", Some("text/xml")),
    ] {
        for http in [200, 202] {
            let read = PartnerReceipt::read(body.as_bytes(), kind, &STATES);
            let verdict = receipt_verdict(http, read, &STATES, (&Secret::new("hush"), false));
            let fault = verdict.expect_err(body);
            assert_eq!(fault.kind, PartnerFaultKind::Unavailable, "{body}: {fault:?}");
            assert!(fault.is_unheard && fault.cause.contains("can be read"), "{fault:?}");
        }
    }
    for (body, kind) in [("", Some("application/json")), ("OK", None), ("OK", Some("text/plain"))] {
        assert_eq!(
            PartnerReceipt::read(body.as_bytes(), kind, &STATES),
            Ok(PartnerReceipt::default())
        );
    }
}

#[test]
fn a_packed_body_is_not_read() {
    let mut answer = HttpAnswer {
        status: 200,
        headers: hyper::HeaderMap::new(),
        body: bytes::Bytes::from_static(b"\x1f\x8b\x08"),
        cut: None,
        elapsed: std::time::Duration::ZERO,
        repeated: false,
        shown: Vec::new(),
    };
    answer.headers.insert(CONTENT_ENCODING, "gzip".parse().unwrap());
    let read = PartnerReceipt::of(&answer, &WORDS);
    assert_eq!(read, Err(UnreadReceipt::Packed("gzip".to_owned())));
    answer.headers.insert(CONTENT_ENCODING, "identity".parse().unwrap());
    assert!(PartnerReceipt::of(&answer, &WORDS).is_ok());
}

/// What is deeper inside names another thing.
#[test]
fn the_ids_and_the_reason_are_those_of_the_message() {
    let body = "{\"document\":{\"id\":\"x\",\"reason\":\"of it\"},\"id\":\"m\",\"reason\":\"own\"}";
    let read = PartnerReceipt::read(body.as_bytes(), None, &WORDS).unwrap();
    assert_eq!((read.id.as_deref(), read.reason.as_deref()), (Some("m"), Some("own")));
    let read = PartnerReceipt::read(b"{\"result\":{\"id\":\"x\",\"reason\":\"r\"}}", None, &WORDS);
    let read = read.unwrap();
    assert_eq!((read.id, read.reason.as_deref()), (None, Some("r")));
}
