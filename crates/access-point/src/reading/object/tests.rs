//! Lists in place of objects, and members that are given twice.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, json};

use super::*;

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inner {
    can_send: Option<bool>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Line {
    Id(String),
    Party(Map<String, Value>),
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
struct Outer {
    name: String,
    inner: Option<Inner>,
    list: Vec<Inner>,
    words: BTreeMap<String, String>,
    rest: Value,
    lines: Vec<Line>,
}

#[test]
fn a_mark_before_the_text_is_left_out() {
    let read: Inner = json(b"\xef\xbb\xbf{\"canSend\": true}").unwrap();
    assert_eq!(read, Inner { can_send: Some(true) });
    assert!(json::<Inner>(b"\xef\xbb\xbf\xef\xbb\xbf{}").is_err(), "one of them");
    assert!(json::<Inner>(b" \xef\xbb\xbf{}").is_err(), "at the beginning");
}

#[test]
fn what_is_written_well_is_read() {
    let text = br#" {"name": "a", "inner": {"canSend": true}, "list": [{}, {"canSend": false}],
        "words": {"a": "b"}, "rest": {"a": [1, {"b": null}]}, "lines": ["x", {"id": "y"}]} "#;
    let read: Outer = json(text).unwrap();
    assert_eq!(read.inner, Some(Inner { can_send: Some(true) }));
    assert_eq!(read.list[1], Inner { can_send: Some(false) });
    assert_eq!(read.words["a"], "b");
    assert_eq!(read.rest, json!({ "a": [1, { "b": null }] }));
    assert_eq!(read.lines[0], Line::Id("x".to_owned()));
    assert_eq!(json_value::<Outer>(serde_json::from_slice(text).unwrap()).unwrap(), read);
    assert_eq!(json::<Option<Outer>>(b"null").unwrap(), None);
}

#[test]
fn a_list_is_no_object_at_any_depth() {
    for text in [r#"["a"]"#, r#"{"inner": [true]}"#, r#"{"list": [[true]]}"#, "[]"] {
        let error = json::<Outer>(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("expected an object in braces, found a list"), "{error}");
        let value: Value = serde_json::from_str(text).unwrap();
        assert!(json_value::<Outer>(value).is_err(), "{text}");
    }
    let error = json::<Outer>(br#""a""#).unwrap_err().to_string();
    assert!(error.contains("expected an object in braces"), "{error}");
}

#[test]
fn a_member_is_given_once_at_any_depth() {
    for text in [
        r#"{"name": "a", "name": "b"}"#,
        r#"{"words": {"a": "b", "a": "c"}}"#,
        r#"{"rest": {"a": [{"b": 1, "b": 1}]}}"#,
        r#"{"lines": [{"id": "y", "id": "z"}]}"#,
    ] {
        let error = json::<Outer>(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("is given twice at line 1"), "{error}");
    }
}
