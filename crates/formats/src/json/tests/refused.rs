//! What is no JSON, or another type than the form has, is refused with its place.

use proptest::prelude::*;

use super::{SAMPLE, parsed};

#[test]
fn what_is_wrong_is_refused_with_a_sentence_and_a_pointer() {
    let deep = format!("{{\"x\": {}1{}}}", "[".repeat(40), "]".repeat(40));
    let long = format!("{{\"{}\": 1}}", "x".repeat(101));
    for (text, message) in [
        ("", "expected an object, found the end at the top (line 1, column 1)"),
        ("[]", "expected an object, found a list at the top (line 1, column 1)"),
        ("{} {}", "expected the end, found more at the top (line 1, column 4)"),
        (
            "{\"lines\": [{\"netPrice\": 10.5}]}",
            "expected a text, found a number at /lines/0/netPrice (line 1, column 25)",
        ),
        ("{\"lines\": {}}", "expected a list, found an object at /lines (line 1, column 11)"),
        ("{\"seller\": []}", "expected an object, found a list at /seller (line 1, column 12)"),
        ("{\"lines\": [null]}", "expected an object, found null at /lines/0 (line 1, column 12)"),
        (
            "{\"number\": \"1\",\n \"n\\u0075mber\": \"2\"}",
            "expected each member once, found it again at /number (line 2, column 17)",
        ),
        (
            "{\"x\": {\"a\": 1, \"a\": 2}}",
            "expected each member once, found it again at /x/a (line 1, column 21)",
        ),
        ("{\"number\": \"a\\u0000\"}", "found U+0000 at /number"),
        ("{\"number\": \"\\ud800x\"}", "found U+D800 at /number"),
        ("{\"number\": \"a\nb\"}", "expected the end of a text"),
        ("{\"number\": \"a", "expected the end of a text, found the end at /number"),
        ("{\"x\": 01}", "expected a value, found a number at /x"),
        ("{\"x\": 1.}", "expected a value, found a number at /x"),
        ("{\"x\": nul}", "expected a value, found null at /x"),
        ("{\"x\": 1,}", "expected the name of a member, found an end"),
        (&deep, "expected at most 32 objects and lists in each other, found more at /x/0/0"),
        (&long, "expected a name of at most 100 characters, found a longer one"),
    ] {
        let refused = parsed(text).expect_err(text).to_string();
        assert!(refused.contains(message), "{text}: {refused}");
    }
    assert!(super::tree(b"{\"number\": \"\xff\"}", &Default::default()).is_err());
}

/// The head of a document, which has all that every document must have.
const HEAD: &str = "{\"number\": \"1\", \"issueDate\": \"2026-05-18\", \
    \"typeCode\": \"380\", \"currency\": \"EUR\"";

#[test]
fn a_text_that_is_no_number_day_or_file_is_refused_with_what_it_is() {
    let file = |content: &str| {
        format!("\"supportingDocuments\": [{{\"file\": {{\"content\": \"{content}\"}}}}]")
    };
    let quantity = |text: &str| {
        format!("\"lines\": [{{\"quantity\": {{\"value\": \"{text}\", \"unit\": \"C62\"}}}}]")
    };
    let mut wrong = Vec::new();
    for text in ["1E3", "1,50", "", ".", "+", "-.", " 1", "1.2.3", "0x1", "INF", "½", "1\u{a0}000"]
    {
        let said = format!("expected a number such as 12.50, found {text:?} at ");
        wrong.push((format!("\"totals\": {{\"due\": \"{text}\"}}"), said.clone(), "/totals/due"));
        wrong.push((quantity(text), said.clone(), "/lines/0/quantity/value"));
        let rate = format!("\"vatBreakdown\": [{{\"rate\": \"{text}\"}}]");
        wrong.push((rate, said, "/vatBreakdown/0/rate"));
    }
    for text in [
        "2026-02-30",
        "",
        "20260518",
        "18.05.2026",
        "2026-5-18",
        "2026-05-18T25:00:00",
        "2026-05-18T23:30:00-05:00",
        "2026-05-18T00:00:00",
        "2026-05-18Z",
        "2026-05-18+02:00",
        " 2026-05-18",
        "2026-05-18 ",
    ] {
        let said = format!("expected a day such as 2026-05-18, found {text:?} at ");
        wrong.push((format!("\"dueDate\": \"{text}\""), said.clone(), "/dueDate"));
        let list = format!("\"precedingInvoices\": [{{\"issueDate\": \"{text}\"}}]");
        wrong.push((list, said, "/precedingInvoices/0/issueDate"));
    }
    for text in ["no base64!", "", " ", "QUI", "QUJD=", "QR==", "====", "QUJD-_"] {
        let said = format!("expected a file in base64, found {text:?} at ");
        wrong.push((file(text), said, "/supportingDocuments/0/file/content"));
    }
    for (member, said, pointer) in &wrong {
        let refused = parsed(&format!("{HEAD}, {member}}}")).expect_err(member).to_string();
        assert!(refused.starts_with(&format!("{said}{pointer} (line 1")), "{member}: {refused}");
    }
    let right =
        ["12", "+12.50", "-0", ".5", "5.", "00012345678901234567890.123456789"].map(quantity);
    let days = ["2026-05-18", "2024-02-29"].map(|text| format!("\"dueDate\": \"{text}\""));
    let files = ["QUJD", "QUI=", "Q Q\\n=\\t= "].map(file);
    for member in right.iter().chain(&days).chain(&files) {
        assert!(parsed(&format!("{HEAD}, {member}}}")).is_ok(), "{member}");
    }
}

#[test]
fn what_every_document_must_have_is_asked_for() {
    assert!(parsed(&format!("{HEAD}}}")).is_ok());
    for name in ["number", "issueDate", "typeCode", "currency"] {
        let own = format!("\"{name}\": ");
        let from = HEAD.find(&own).unwrap() + own.len();
        let length = 1 + HEAD[from + 1..].find('"').unwrap() + 1;
        let value = &HEAD[from..from + length];
        let message =
            format!("expected a member that must be there, found none at /{name} (line 1");
        // `null` says that there is none: of what lacks it, it is written so.
        assert!(parsed(&format!("{}}}", HEAD.replacen(value, "null", 1))).is_ok(), "{name}");
        let absent = HEAD.replacen(&own, "\"x\": ", 1);
        let blank = HEAD.replacen(value, "\" \"", 1);
        let blank = Some(blank).filter(|_| name != "issueDate");
        for head in [Some(absent), blank].into_iter().flatten() {
            let refused = parsed(&format!("{head}}}")).expect_err(&head).to_string();
            assert!(refused.starts_with(&message), "{head}: {refused}");
        }
    }
    for (member, pointer) in [
        ("\"invoicedObject\": {\"scheme\": \"ABT\"}", "/invoicedObject/value"),
        ("\"lines\": [{}, {\"quantity\": {\"unit\": \"C62\"}}]", "/lines/1/quantity/value"),
        ("\"seller\": {\"identifiers\": [{}]}", "/seller/identifiers/0/value"),
    ] {
        let refused = parsed(&format!("{HEAD}, {member}}}")).expect_err(member).to_string();
        let message = format!("expected a member that must be there, found none at {pointer} (");
        assert!(refused.starts_with(&message), "{member}: {refused}");
    }
}

/// Who it is of and for is known all the same; a text that ends early says what it said before.
#[test]
fn what_is_refused_says_who_it_is() {
    let broken = |from: &str, to: &str| {
        assert!(SAMPLE.contains(from), "{from}");
        crate::read(SAMPLE.replacen(from, to, 1).as_bytes())
    };
    let whole = crate::read(SAMPLE.as_bytes());
    assert!(whole.glimpse().is_none());
    let known = whole.routing().unwrap();
    let number = known.number.clone().unwrap();
    for (from, to) in [
        ("\"issueDate\": \"", "\"issueDate\": \"x"),
        ("\"lines\": [", "\"lines\": [7, "),
        ("\"lines\": [", "\"lines\": [{\"quantity\": {\"value\": \"1E3\"}}, "),
        ("\"lines\": [", "\"lines\": [}"),
    ] {
        let read = broken(from, to);
        assert!(read.routing().is_none(), "{to}");
        let seen = read.glimpse().unwrap();
        assert_eq!(seen.number.as_deref(), Some(&*number), "{to}");
        assert_eq!(seen.sender.endpoint, known.sender.endpoint, "{to}");
        assert_eq!(seen.receiver.endpoint, known.receiver.endpoint, "{to}");
        assert_eq!(seen.type_code, known.type_code, "{to}");
    }
    // The buyer of self-billing sends.
    let text = SAMPLE.replacen("\"issueDate\": \"", "\"issueDate\": \"x", 1);
    let code = format!("\"typeCode\": \"{}\"", known.type_code.as_deref().unwrap());
    assert!(text.contains(&code));
    let text = text.replacen(&code, "\"typeCode\": \"389\"", 1);
    let text = text.replacen("\"specification\"", "\"x\"", 1);
    let seen = crate::read(text.as_bytes()).glimpse().unwrap();
    assert_eq!(seen.sender.endpoint, known.receiver.endpoint);
    assert_eq!(seen.receiver.endpoint, known.sender.endpoint);
}

#[test]
fn texts_are_as_they_are() {
    let document =
        parsed("{\"issueDate\": \"2026-05-18\", \"typeCode\": \"380\", \"currency\": \"EUR\", \"number\": \" \\ud83d\\ude00\\t\\\"\\\\\\/<&>\\r\\n\u{e9} \"}").unwrap();
    let number = document.root().elements().last().unwrap();
    assert_eq!(number.text(), " \u{1f600}\t\"\\/<&>\r\n\u{e9} ");
}

proptest! {
    #[test]
    fn whatever_is_disturbed_it_is_read_or_refused(
        picks in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for (at, byte) in picks {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        if super::tree(&bytes, &Default::default()).is_ok() {
            prop_assert!(is_json);
        }
    }
}
