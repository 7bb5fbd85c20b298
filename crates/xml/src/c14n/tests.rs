//! Canonical forms, each with the reason why it is so.

use super::*;
use crate::tree::{Document, Limits};

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

fn find<'d>(document: &'d Document, local: &str) -> Element<'d> {
    document.root().descendants().find(|e| e.local() == local).unwrap()
}

fn exc(text: &str, local: &str, prefixes: &[&str]) -> String {
    let document = parse(text);
    let mut out = Vec::new();
    exclusive(find(&document, local), prefixes, 10_000, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn inc(text: &str, omit: Option<&str>) -> String {
    let document = parse(text);
    let mut out = Vec::new();
    let omit = omit.map(|local| find(&document, local));
    inclusive(document.root(), omit.as_slice(), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn exclusive_declares_only_what_is_used() {
    let text = "<a:a xmlns:a='1' xmlns:b='2' xmlns:c='3'><b:b c:x='y'/></a:a>";
    assert_eq!(exc(text, "b", &[]), r#"<b:b xmlns:b="2" xmlns:c="3" c:x="y"></b:b>"#);
}

#[test]
fn inclusive_namespaces_keep_prefixes_that_are_not_used() {
    let text = "<a:a xmlns:a='1' xmlns:b='2' xmlns='4'><b:b/></a:a>";
    assert_eq!(exc(text, "b", &["a"]), r#"<b:b xmlns:a="1" xmlns:b="2"></b:b>"#);
    assert_eq!(exc(text, "b", &["#default"]), r#"<b:b xmlns="4" xmlns:b="2"></b:b>"#);
    assert_eq!(exc(text, "b", &["absent"]), r#"<b:b xmlns:b="2"></b:b>"#);
}

#[test]
fn attributes_are_ordered_by_namespace_name_not_by_prefix() {
    let text = "<r xmlns:a='urn:z' xmlns:z='urn:a' a:x='1' z:x='2' b='3'/>";
    let expected = r#"<r xmlns:a="urn:z" xmlns:z="urn:a" b="3" z:x="2" a:x="1"></r>"#;
    assert_eq!(exc(text, "r", &[]), expected);
}

#[test]
fn comments_vanish_and_text_is_escaped() {
    let text = "<a b=\"&quot;&lt;&amp;&#9;&#10;&#13;'>\">x<!-- c -->&lt;&gt;&#13;\"</a>";
    let expected = "<a b=\"&quot;&lt;&amp;&#x9;&#xA;&#xD;'>\">x&lt;&gt;&#xD;\"</a>";
    assert_eq!(exc(text, "a", &[]), expected);
}

#[test]
fn a_namespace_is_declared_again_where_an_outer_output_element_lacks_it() {
    let text = "<a xmlns:p='1'><p:b/><p:c xmlns:p='2'><p:d/></p:c></a>";
    let expected = r#"<a><p:b xmlns:p="1"></p:b><p:c xmlns:p="2"><p:d></p:d></p:c></a>"#;
    assert_eq!(exc(text, "a", &[]), expected);
}

#[test]
fn the_default_namespace_is_undeclared_where_needed() {
    let text = "<a xmlns='1'><b xmlns=''/></a>";
    assert_eq!(exc(text, "a", &[]), r#"<a xmlns="1"><b xmlns=""></b></a>"#);
    assert_eq!(inc(text, None), r#"<a xmlns="1"><b xmlns=""></b></a>"#);
}

#[test]
fn inclusive_keeps_declarations_that_are_not_used_once() {
    let text = "<a xmlns:q='9' xmlns='1'><b xmlns:q='9' xmlns:r='8'/></a>";
    assert_eq!(inc(text, None), r#"<a xmlns="1" xmlns:q="9"><b xmlns:r="8"></b></a>"#);
}

#[test]
fn a_subtree_can_be_left_out() {
    assert_eq!(inc("<a> <s><t/></s> <b/></a>", Some("s")), "<a>  <b></b></a>");
}

#[test]
fn instructions_stay() {
    assert_eq!(exc("<a><?p  q r?><?s?></a>", "a", &[]), "<a><?p q r?><?s?></a>");
}

#[test]
fn canonical_text_is_its_own_canonical_form() {
    let text = "<a:a xmlns:a='1'><b z='1' y='2' a:k='3'>t</b><!-- x --><c xmlns='5'/></a:a>";
    let once = exc(text, "a", &[]);
    assert_eq!(exc(&once, "a", &[]), once);
}

#[test]
fn a3_listed_prefixes_change_where_an_element_declares_them_again() {
    let text =
        "<a xmlns:p='1' xmlns:q='9'><b xmlns:p='2'><c/></b><d xmlns:q='9'/><e xmlns:r='3'/></a>";
    let expected = "<a xmlns:p=\"1\" xmlns:q=\"9\"><b xmlns:p=\"2\"><c></c></b><d></d>\
                    <e xmlns:r=\"3\"></e></a>";
    assert_eq!(exc(text, "a", &["p", "q", "r", "p"]), expected);
}

#[test]
fn the_exclusive_form_stops_where_its_room_ends() {
    let text =
        format!("<x:j xmlns:x='u:x' xmlns:p='{}'>{}</x:j>", "a".repeat(100), "<p:a/>".repeat(50));
    let document = parse(&text);
    let mut whole = Vec::new();
    exclusive(document.root(), &[], usize::MAX, &mut whole).unwrap();
    let mut out = b"before".to_vec();
    exclusive(document.root(), &[], whole.len(), &mut out).unwrap();
    assert_eq!(out.len(), "before".len() + whole.len());
    for room in [0, 1, 500, whole.len() - 1] {
        let mut out = Vec::new();
        let refused = exclusive(document.root(), &[], room, &mut out).unwrap_err();
        assert_eq!(refused, CanonicalTooLong { element: "j".to_owned(), room });
        assert!(refused.to_string().contains(&format!("of j takes more than {room} bytes")));
        assert!(out.len() <= room && whole.starts_with(&out));
    }
}

#[test]
fn attributes_of_several_namespaces_are_in_the_order_of_the_names() {
    let text = "<a xmlns:p='u:2' xmlns:q='u:1' p:b='1' q:c='2' q:b='3' b='4' p:a='5' a='6'/>";
    let sorted =
        r#"<a xmlns:p="u:2" xmlns:q="u:1" a="6" b="4" q:b="3" q:c="2" p:a="5" p:b="1"></a>"#;
    assert_eq!((exc(text, "a", &[]), inc(text, None)), (sorted.to_owned(), sorted.to_owned()));
}

#[test]
fn an_instruction_keeps_its_carriage_returns() {
    assert_eq!(inc("<a><?x a?><?y?></a>", None), "<a><?x a?><?y?></a>");
}
