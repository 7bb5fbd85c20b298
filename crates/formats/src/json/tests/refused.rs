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

#[test]
fn texts_are_as_they_are() {
    let document =
        parsed("{\"number\": \" \\ud83d\\ude00\\t\\\"\\\\\\/<&>\\r\\n\u{e9} \"}").unwrap();
    let number = document.root().elements().next().unwrap();
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
