//! What the reader accepts, what it refuses and where it says so.

use super::*;

fn read(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

fn refusal(text: &str) -> ParseError {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap_err()
}

#[test]
fn names_namespaces_and_attributes() {
    let document =
        read("<?xml version='1.0'?><a:x xmlns:a='urn:1' xmlns='urn:2' b='1' a:b='2'><y/></a:x>");
    let root = document.root();
    assert!(root.is("urn:1", "x"));
    assert_eq!(root.prefix(), "a");
    assert_eq!(root.attribute("b"), Some("1"));
    assert_eq!(root.attribute_ns("urn:1", "b"), Some("2"));
    assert!(root.elements().next().unwrap().is("urn:2", "y"));
    assert_eq!(root.elements().next().unwrap().path(), "/a:x[1]/y[1]");
}

#[test]
fn a_default_namespace_can_be_undeclared() {
    let document = read("<x xmlns='urn:1'><y xmlns=''><z/></y><w/></x>");
    let names: Vec<_> = document.root().descendants().map(|e| (e.local(), e.namespace())).collect();
    assert_eq!(names, [("x", "urn:1"), ("y", ""), ("z", ""), ("w", "urn:1")]);
}

#[test]
fn a_name_is_not_taken_for_another_that_came_there_before() {
    let names = |text: &str| -> Vec<String> {
        let document = read(text);
        let name = |e: Element<'_>| format!("{{{}}}{}", e.namespace(), e.local());
        document.root().descendants().map(name).collect()
    };
    let text =
        "<r><b/><c/><b/><cd/><b/><c/><b/><c-d/><b/><c d='1' de='2'/><b/><c de='1' d='2'/></r>";
    let found: String = names(text).join(" ").replace("{}", "");
    assert_eq!(found, "r b c b cd b c b c-d b c b c");
    let text = "<r xmlns:p='1'><p:a/><p:b/><q xmlns:p='2'><p:a/><p:b/></q><p:a/><p:b/></r>";
    let found = names(text).join(" ");
    assert_eq!(found, "{}r {1}a {1}b {}q {2}a {2}b {1}a {1}b");
    let document = read("<r><a d='1' de='2'/><a de='3' d='4'/><a d='5'/><a ded='6' d='7'/></r>");
    let values = document.root().elements().map(|e| e.attribute("d").unwrap());
    assert_eq!(values.collect::<String>(), "1457");
    assert!(refusal("<r><a></a><a></ab></r>").to_string().contains("ab"));
}

#[test]
fn children_of_a_name_are_the_same_in_a_large_element() {
    let lines = "<line><id/><total/></line>".repeat(3_000);
    let text = format!("<e><total/><r><id/><total n='1'/>{lines}<total n='2'/></r><total/></e>");
    let document = read(&text);
    let root = document.root().child("", "r").unwrap();
    for (local, count) in [("total", 2), ("id", 1), ("line", 3_000), ("n", 0), ("none", 0)] {
        let walked: Vec<_> = root.elements().filter(|own| own.local() == local).collect();
        assert_eq!(walked.len(), count, "{local}");
        assert_eq!(root.children_named("", local).collect::<Vec<_>>(), walked, "{local}");
        assert_eq!(root.children_named("urn:1", local).count(), 0);
    }
    let rare = read(&text.replace("<id/><total/></line>", "<id/></line>"));
    let root = rare.root().child("", "r").unwrap();
    let numbers = root.children_named("", "total").map(|own| own.attribute("n"));
    assert_eq!(numbers.collect::<Vec<_>>(), [Some("1"), Some("2")]);
}

#[test]
fn comments_and_instructions_hide_no_text() {
    let document = read("<a>one<!-- x -->two<?p q?>three<![CDATA[<4>]]></a>");
    assert_eq!(document.root().text(), "onetwothree<4>");
}

#[test]
fn text_is_its_own_not_that_of_children() {
    let document = read("<a>1<b>2</b>3</a>");
    assert_eq!(document.root().text(), "13");
}

#[test]
fn references_and_line_ends_are_resolved() {
    let document = read("<a b='x&#10;y\n&quot;z\t'>&lt;&#x41;\r\nB\rC&amp;</a>");
    assert_eq!(document.root().text(), "<A\nB\nC&");
    assert_eq!(document.root().attribute("b"), Some("x\ny \"z "));
}

#[test]
fn utf_16_and_byte_order_marks() {
    for big in [false, true] {
        let text = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><a>é</a>";
        let bytes: Vec<u8> = text
            .encode_utf16()
            .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
            .collect();
        let document = Document::parse(&bytes, &Limits::default()).unwrap();
        assert_eq!(document.root().text(), "é");
    }
    assert_eq!(read("\u{FEFF}<a>é</a>").root().text(), "é");
}

/// PE-13: the declaration alone tells UTF-16 where there is no byte order mark, and XML 1.1 is read
/// by the rules of 1.0.
#[test]
fn utf_16_without_a_mark_and_xml_1_1() {
    let text = "<?xml version='1.1' encoding='UTF-16'?><a>é</a>";
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        assert_eq!(Document::parse(&bytes, &Limits::default()).unwrap().root().text(), "é");
        let odd = Document::parse(&bytes[..bytes.len() - 1], &Limits::default()).unwrap_err();
        assert!(matches!(odd.kind, ParseErrorKind::Encoding(_)), "{odd}");
    }
    assert!(Document::parse(b"<?xml version='1.1'?><a>&#1;</a>", &Limits::default()).is_err());
    assert!(Document::parse(b"<?xml version='1.2'?><a/>", &Limits::default()).is_err());
}

#[test]
fn siblings_and_parents() {
    let document = read("<a><b/><c><d/></c><b/></a>");
    let root = document.root();
    let names: Vec<_> = root.elements().map(Element::local).collect();
    assert_eq!(names, ["b", "c", "b"]);
    let d = root.descendants().find(|e| e.local() == "d").unwrap();
    assert_eq!(d.parent().unwrap().local(), "c");
    assert_eq!(root.elements().last().unwrap().path(), "/a[1]/b[2]");
    assert_eq!(root.elements().last().unwrap().position(), Position { line: 1, column: 19 });
}

#[test]
fn every_refusal_names_its_kind_and_place() {
    use ParseErrorKind as K;
    type Case = (&'static str, fn(&K) -> bool, (u32, u32));
    let cases: Vec<Case> = vec![
        ("", |k| matches!(k, K::Empty), (1, 1)),
        ("  \n ", |k| matches!(k, K::Empty), (2, 2)),
        ("not xml", |k| matches!(k, K::Syntax { .. }), (1, 1)),
        ("<!DOCTYPE a><a/>", |k| matches!(k, K::Dtd), (1, 1)),
        ("<a><!DOCTYPE a></a>", |k| matches!(k, K::Dtd), (1, 4)),
        ("<a>&lol;</a>", |k| matches!(k, K::Entity(e) if e == "lol"), (1, 4)),
        ("<a>\n<b></a>", |k| matches!(k, K::EndTag { .. }), (2, 4)),
        ("<a", |k| matches!(k, K::Truncated(_)), (1, 3)),
        ("<a>", |k| matches!(k, K::Truncated(_)), (1, 4)),
        ("<a b='1' b='2'/>", |k| matches!(k, K::DuplicateAttribute(_)), (1, 1)),
        (
            "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
            |k| matches!(k, K::DuplicateAttribute(_)),
            (1, 1),
        ),
        ("<p:a/>", |k| matches!(k, K::Prefix(p) if p == "p"), (1, 2)),
        ("<a p:b='1'/>", |k| matches!(k, K::Prefix(_)), (1, 4)),
        ("<a/><b/>", |k| matches!(k, K::Syntax { .. }), (1, 5)),
        ("<a/>text", |k| matches!(k, K::Syntax { .. }), (1, 5)),
        ("<a>\u{1}</a>", |k| matches!(k, K::Character(1)), (1, 4)),
        ("<a>&#0;</a>", |k| matches!(k, K::Character(0)), (1, 4)),
        ("<a>]]></a>", |k| matches!(k, K::Syntax { .. }), (1, 4)),
        ("<a b='<'/>", |k| matches!(k, K::Syntax { .. }), (1, 7)),
        ("<a b='1'c='2'/>", |k| matches!(k, K::Syntax { .. }), (1, 9)),
        ("<a><!-- -- --></a>", |k| matches!(k, K::Syntax { .. }), (1, 9)),
        ("<1/>", |k| matches!(k, K::Syntax { .. }), (1, 2)),
        ("<a xmlns:p=''/>", |k| matches!(k, K::Syntax { .. }), (1, 14)),
        (
            "<?xml version='1.0' encoding='koi8-r'?><a/>",
            |k| matches!(k, K::UnsupportedEncoding(_)),
            (1, 1),
        ),
    ];
    for (text, expected, (line, column)) in cases {
        let error = refusal(text);
        assert!(expected(&error.kind), "{text:?} gave {error}");
        assert_eq!(error.position, Position { line, column }, "{text:?} gave {error}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_refused() {
    let error = Document::parse(b"<a>\n\xff</a>", &Limits::default()).unwrap_err();
    assert!(matches!(error.kind, ParseErrorKind::Encoding(_)));
    assert_eq!(error.position, Position { line: 2, column: 1 });
}

/// Whatever the bytes are, it is the encoding that is told.
#[test]
fn an_encoding_that_is_not_read_is_named() {
    for bytes in [
        &b"<?xml version='1.0' encoding='windows-1251'?><a>\xb9\xe6</a>"[..],
        b"\
        <?xml version='1.0' encoding='windows-1251'?><a/>",
    ] {
        let error = Document::parse(bytes, &Limits::default()).unwrap_err();
        assert_eq!(error.kind, ParseErrorKind::UnsupportedEncoding("windows-1251".to_owned()));
        assert_eq!(error.position, Position { line: 1, column: 1 });
    }
}

/// A name without an end is not given back whole.
#[test]
fn of_the_name_of_an_encoding_only_its_beginning_is_told() {
    let text = format!("<?xml version='1.0' encoding='{}'?><a/>", "x".repeat(1 << 20));
    let error = Document::parse(text.as_bytes(), &Limits::default()).unwrap_err();
    let told = ParseErrorKind::UnsupportedEncoding(format!("{}…", "x".repeat(40)));
    assert_eq!(error.kind, told);
}

#[test]
fn limits_hold() {
    let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(Document::parse(nested(64).as_bytes(), &Limits::default()).is_ok());
    assert!(matches!(refusal(&nested(65)).kind, ParseErrorKind::Depth(64)));

    let attributes: String = (0..257).map(|n| format!(" a{n}=''")).collect();
    assert!(matches!(refusal(&format!("<a{attributes}/>")).kind, ParseErrorKind::Attributes(256)));

    let few = Limits { nodes: 3, bytes: 100, namespaces: 2, ..Limits::default() };
    let with = |text: &str| Document::parse(text.as_bytes(), &few).map_err(|e| e.kind);
    assert!(with("<a><b/>x</a>").is_ok());
    assert_eq!(with("<a><b/>x<c/></a>").unwrap_err(), ParseErrorKind::Nodes(3));
    let wide = "<a xmlns:a='1' xmlns:b='2' xmlns:c='3'/>";
    assert_eq!(with(wide).unwrap_err(), ParseErrorKind::Namespaces(2));
    assert_eq!(with(&" ".repeat(101)).unwrap_err(), ParseErrorKind::TooLarge(100));
}

/// What is sent to hurt: refused at the place where it begins to hurt, before memory is taken.
#[test]
fn hostile_documents_are_refused_with_the_reason() {
    let at = |text: &str| refusal(text).position;
    let nested = "<a>".repeat(200_000);
    assert_eq!(refusal(&nested).kind, ParseErrorKind::Depth(64));
    assert_eq!(at(&nested), Position { line: 1, column: 193 });

    let attributes: String = (0..50_000).map(|n| format!("\na{n}='x'")).collect();
    let wide = format!("<a{attributes}/>");
    assert_eq!(refusal(&wide).kind, ParseErrorKind::Attributes(256));
    assert_eq!(at(&wide).line, 258);

    let many = format!("<r>{}</r>", "<a/>".repeat(5_000_000));
    assert_eq!(refusal(&many).kind, ParseErrorKind::Nodes(2_000_000));

    let laughs = "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]><l>&b;</l>";
    assert_eq!(refusal(laughs).kind, ParseErrorKind::Dtd);
    let external = "<?xml version='1.0'?>\n<!DOCTYPE l SYSTEM 'file:///etc/passwd'><l/>";
    assert_eq!((refusal(external).kind, at(external).line), (ParseErrorKind::Dtd, 2));
    assert_eq!(refusal("<l>&b;</l>").kind, ParseErrorKind::Entity("b".to_owned()));

    let parse = |bytes: &[u8]| Document::parse(bytes, &Limits::default()).unwrap_err();
    let invalid = parse(b"<a>\n  \xC3\x28</a>");
    assert!(matches!(invalid.kind, ParseErrorKind::Encoding(_)));
    assert_eq!(invalid.position, Position { line: 2, column: 3 });
    let surrogate: Vec<u8> =
        [0xFEFF_u16, 0x3C, 0x61, 0x3E, 0xD800, 0x3C].iter().flat_map(|u| u.to_be_bytes()).collect();
    assert!(matches!(parse(&surrogate).kind, ParseErrorKind::Encoding(_)));
    assert!(matches!(refusal("<a>&#xD800;</a>").kind, ParseErrorKind::Character(_)));
}

/// A long document has more nodes than a short one may; one that is dense has not.
#[test]
fn the_limit_on_nodes_grows_with_the_text() {
    let limits = Limits { nodes: 10, bytes_per_node: 12, ..Limits::default() };
    let sparse = format!("<r>{}</r>", "<a>twelve bytes</a>".repeat(100));
    assert!(Document::parse(sparse.as_bytes(), &limits).is_err(), "19 bytes for two nodes");
    let sparse = format!("<r>{}</r>", "<a>text of some thirty bytes</a>".repeat(100));
    assert!(Document::parse(sparse.as_bytes(), &limits).is_ok(), "35 bytes for two nodes");
    let never = Limits { bytes_per_node: 0, ..limits };
    assert!(Document::parse(sparse.as_bytes(), &never).is_err());
}

#[test]
fn a_name_that_is_written_the_same_is_another_where_its_prefix_is_bound_anew() {
    let document = read(
        "<a xmlns:p='u' xmlns='d'><p:x p:y='1' y='2'/><b xmlns:p='v' p:y='3'><p:x y='4'/></b>\
         <p:x/><c xmlns=''><b/></c><b/></a>",
    );
    let names = |element: Element<'_>| (element.namespace().to_owned(), element.local().to_owned());
    let found: Vec<(String, String)> = document.root().descendants().map(names).collect();
    let expected = [
        ("d", "a"),
        ("u", "x"),
        ("d", "b"),
        ("v", "x"),
        ("u", "x"),
        ("", "c"),
        ("", "b"),
        ("d", "b"),
    ];
    assert_eq!(found, expected.map(|(uri, local)| (uri.to_owned(), local.to_owned())));
    let attributes = document.root().descendants().flat_map(|own| {
        own.attributes().map(|own| (own.namespace, own.local, own.value)).collect::<Vec<_>>()
    });
    let attributes: Vec<_> = attributes.collect();
    assert_eq!(attributes, [("u", "y", "1"), ("", "y", "2"), ("v", "y", "3"), ("", "y", "4")]);
    let twice = refusal("<a xmlns:p='u' xmlns:q='u'><b p:y='1'/><b p:y='1' q:y='2'/></a>");
    assert!(matches!(twice.kind, ParseErrorKind::DuplicateAttribute(_)), "{twice}");
}

#[test]
fn a_prefix_goes_out_of_scope_with_its_element() {
    assert!(matches!(refusal("<a><b xmlns:p='u'/><p:c/></a>").kind, ParseErrorKind::Prefix(_)));
    let document = read("<a xmlns:p='1'><b xmlns:p='2'><p:c/></b><p:d/></a>");
    let spaces: Vec<_> =
        document.root().descendants().map(|e| (e.local(), e.namespace())).collect();
    assert_eq!(spaces, [("a", ""), ("b", ""), ("c", "2"), ("d", "1")]);
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(bytes in proptest::collection::vec(0u8..=255, 0..200)) {
        let _ = Document::parse(&bytes, &Limits::default());
    }

    #[test]
    fn reading_markup_like_text_never_panics(text in "[<>/a:b='\"!?&;#x0-9 \\[\\]C-]{0,80}") {
        let _ = Document::parse(text.as_bytes(), &Limits::default());
    }
}

#[test]
fn the_index_knows_names_and_their_elements() {
    let text = r#"<?x?><a xmlns:p="u" b="1"><p:b/><b p:b="2"><a/></b><!-- c --><p:b>t</p:b></a>"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let places = |namespace: &str, local: &str| -> Vec<String> {
        let Some(name) = document.name_id(namespace, local) else { return Vec::new() };
        assert_eq!(document.name(name), (namespace, local));
        let elements = document.elements_named(name).iter();
        elements.map(|&id| document.element(id).unwrap().path()).collect()
    };
    assert_eq!(places("", "a"), ["/a[1]", "/a[1]/b[1]/a[1]"]);
    assert_eq!(places("u", "b"), ["/a[1]/p:b[1]", "/a[1]/p:b[2]"]);
    assert_eq!(places("", "b"), ["/a[1]/b[1]"]);
    assert!(document.name_id("u", "a").is_none());
    assert!(document.name_id("v", "b").is_none());
    let inner = document.root().child("", "b").unwrap();
    let attribute = inner.attribute_ids().next().unwrap();
    assert_eq!(document.attribute_name(attribute), document.name_id("u", "b"));
    assert_eq!(document.name_of(inner.id()), document.name_id("", "b"));
    assert_eq!(document.end_of(inner.id()).0, inner.id().0 + 2);
    assert_eq!(document.name_count(), 3);
}

#[test]
fn one_byte_encodings_are_read_where_they_are_declared() {
    for (name, bytes, expected) in [
        ("ISO-8859-1", &b"caf\xE9 \xA4"[..], "café ¤"),
        ("iso-8859-15", b"caf\xE9 \xA4", "café €"),
        ("windows-1252", b"\x80 \x93x\x94", "€ “x”"),
        ("ISO-8859-2", b"za\xBF\xF3\xB3\xE6 g\xEA\xB6l\xB1 ja\xBC\xF1", "zażółć gęślą jaźń"),
        ("Windows-1250", b"za\xBF\xF3\xB3\xE6 g\xEA\x9Cl\xB9 ja\x9F\xF1", "zażółć gęślą jaźń"),
    ] {
        let head = format!("<?xml version='1.0' encoding='{name}'?><a>");
        let text = [head.as_bytes(), bytes, b"</a>"].concat();
        let document = Document::parse(&text, &Limits::default()).unwrap();
        assert_eq!(document.root().text(), expected, "{name}");
    }
    // What is declared after the beginning, or not at all, is UTF-8.
    for text in [&b"<a>\xE9</a>"[..], b" <?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>"] {
        let error = Document::parse(text, &Limits::default()).unwrap_err();
        assert!(matches!(error.kind, ParseErrorKind::Encoding(_)), "{error}");
    }
}

/// XML 1.0, section 4.3.3: text in another encoding than the declared one is a fatal error.
#[test]
fn a_declaration_of_another_encoding_is_refused() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let said = |name: &str| format!("<?xml version='1.0' encoding='{name}'?><a>z</a>");
    let mark = "\u{FEFF}";
    for bytes in [
        said("UTF-16").into_bytes(),
        said("utf-16le").into_bytes(),
        wide(&said("UTF-8")),
        wide(&format!("{mark}{}", said("UTF-8"))),
        wide(&said("ISO-8859-1")),
        format!("{mark}{}", said("ISO-8859-1")).into_bytes(),
        said("US-ASCII").replace('z', "é").into_bytes(),
    ] {
        let error = Document::parse(&bytes, &Limits::default()).unwrap_err();
        assert!(matches!(error.kind, ParseErrorKind::OtherEncoding { .. }), "{error}");
        // Who knows better takes the text.
        assert!(crate::tree::text(&bytes).is_ok());
    }
    for bytes in [
        said("utf-8").into_bytes(),
        said("US-ASCII").into_bytes(),
        said("ISO-8859-1").into_bytes(),
        format!("{mark}{}", said("UTF-8")).into_bytes(),
        wide(&said("utf-16le")),
    ] {
        assert!(Document::parse(&bytes, &Limits::default()).is_ok());
    }
}
