//! Every parser of this crate that sees bytes from outside, and that its work grows as its input.

use std::collections::BTreeMap;

use quoin_testing::growth::{MemoryCase, Parser, check, check_memory, complete};

use crate::schematron::{PhaseChoice, RunOptions};
use crate::tree::{Document, Limits};
use crate::xsd::{Schema, SchemaFiles};
use crate::{base64, c14n, pattern, schematron};

fn repeat(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}{tail}", unit.repeat(bytes / unit.len())).into_bytes()
}

/// `make(0) make(1) …` up to a size.
fn numbered(head: &str, bytes: usize, tail: &str, make: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&make(number));
        number += 1;
    }
    text.push_str(tail);
    text.into_bytes()
}

fn parse(bytes: &[u8]) -> Option<Document> {
    Document::parse(bytes, &Limits::default()).ok()
}

/// Documents that ask much of whatever walks them.
const DOCUMENTS: &[quoin_testing::growth::Case] = &[
    ("elements", |n| repeat("<a>", "<b/>xxxxxxxxxxxx", "</a>", n)),
    ("names", |n| numbered("<a>", n, "</a>", |at| format!("<name{at}></name{at}>"))),
    ("namespaces", |n| {
        numbered("<a>", n, "</a>", |at| format!("<b xmlns=\"urn:x:{at}\">12345678</b>"))
    }),
    ("prefixes", |n| {
        numbered("<a>", n, "</a>", |at| {
            format!("<p{at}:b xmlns:p{at}=\"urn:x\">12345678</p{at}:b>")
        })
    }),
    ("attributes", |n| {
        let many: String = (0..200).map(|at| format!(" attribute{at}=\"{at}\"")).collect();
        repeat("<a>", &format!("<b{many}/>"), "</a>", n)
    }),
    ("attributes of namespaces", |n| {
        let many: String = (0..100).map(|at| format!(" p{at}:a=\"{at}\"")).collect();
        let bound: String = (0..100).map(|at| format!(" xmlns:p{at}=\"urn:{at}\"")).collect();
        repeat(&format!("<a{bound}>"), &format!("<b{many}/>"), "</a>", n)
    }),
    ("depth", |n| {
        let (open, close) = ("<b>".repeat(60), "</b>".repeat(60));
        repeat("<a>", &format!("{open}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{close}"), "</a>", n * 4)
    }),
    ("declarations at every depth", |n| {
        let open: String = (0..60).map(|at| format!("<b xmlns:p=\"urn:{at}\" p:a=\"\">")).collect();
        repeat("<a>", &format!("{open}{}", "</b>".repeat(60)), "</a>", n * 4)
    }),
    ("one text", |n| repeat("<a>", "text ", "</a>", n)),
    ("references in a text", |n| repeat("<a>", "&#60;&amp;", "</a>", n)),
    ("one attribute value", |n| repeat("<a b='", "&#10;x ", "'/>", n)),
    ("line ends", |n| repeat("<a>", "\r\n\r", "</a>", n)),
    ("comments", |n| repeat("<a>", "<!-- x -->", "</a>", n)),
    ("one comment", |n| repeat("<a><!--", "- ", "--></a>", n)),
    ("sections", |n| repeat("<a>", "<![CDATA[]]]>", "</a>", n)),
    ("instructions", |n| repeat("<a>", "<?x ??>", "</a>", n)),
    ("identifiers", |n| numbered("<a>", n, "</a>", |at| format!("<b id='i{at}' ref='i{at}'/>"))),
];

/// Documents whose namespaces have names as long as half of them.
const LONG_NAMES: &[quoin_testing::growth::Case] = &[
    ("that every element says again", |n| said_again(n / 2, n / 2)),
    ("that are said once", |n| {
        let head = format!("<p:a xmlns:p='u:{}'>", "a".repeat(n / 2));
        repeat(&head, "<p:b/>", "</p:a>", n / 2)
    }),
    ("of attributes", |n| {
        let many: String = (0..100).map(|at| format!(" p:x{at}='' q:x{at}=''")).collect();
        let name = "a".repeat(n / 4);
        let head = format!("<a xmlns:p='u:{name}1' xmlns:q='u:{name}2' p:a='' q:a=''>");
        repeat(&head, &format!("<b{many}/>"), "</a>", n / 2)
    }),
];

/// A name of so many bytes, which each of the elements of so many bytes says again in the exclusive
/// form: the element around them does not use it.
fn said_again(name: usize, elements: usize) -> Vec<u8> {
    repeat(&format!("<a xmlns:p='u:{}'>", "a".repeat(name)), "<p:b/>", "</a>", elements)
}

fn canonicalize(bytes: &[u8]) {
    let Some(document) = parse(bytes) else { return };
    let mut out = Vec::new();
    let prefixes: Vec<String> = (0..16).map(|at| format!("p{at}")).collect();
    let prefixes: Vec<&str> = prefixes.iter().map(String::as_str).collect();
    let room = c14n::room_of(&document);
    std::hint::black_box(c14n::exclusive(document.root(), &prefixes, room, &mut out).is_ok());
    c14n::inclusive(document.root(), &[], &mut out);
    std::hint::black_box(out);
}

/// What breaks off, or is no document at all.
const BROKEN: &[quoin_testing::growth::Case] = &[
    ("open tags", |n| repeat("", "<a ", "", n)),
    ("open comments", |n| repeat("<a>", "<!--", "", n)),
    ("open sections", |n| repeat("<a>", "<![CDATA[", "", n)),
    ("open references", |n| repeat("<a>", "&", "", n)),
    ("brackets", |n| repeat("", "<", "", n)),
    ("quotes", |n| repeat("<a b='", "\"", "", n)),
    ("spaces", |n| repeat("", " ", "", n)),
    ("a DTD", |n| repeat("<!DOCTYPE a [", "<!ENTITY a 'b'>", "]><a/>", n)),
    ("UTF-16", |n| {
        let text = String::from_utf8(repeat("<a>", "xyz ", "</a>", n / 2)).unwrap();
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    }),
];

const SCHEMA: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>\
    <xs:element name='a'><xs:complexType mixed='true'>\
    <xs:choice minOccurs='0' maxOccurs='unbounded'>\
    <xs:element name='b'><xs:complexType><xs:simpleContent><xs:extension base='xs:string'>\
    <xs:attribute name='id' type='xs:ID'/><xs:attribute name='ref' type='xs:IDREF'/>\
    <xs:anyAttribute processContents='lax'/></xs:extension></xs:simpleContent></xs:complexType>\
    </xs:element><xs:any processContents='lax' minOccurs='0'/></xs:choice></xs:complexType>\
    <xs:key name='k'><xs:selector xpath='b'/><xs:field xpath='@id'/></xs:key>\
    <xs:keyref name='r' refer='k'><xs:selector xpath='b'/><xs:field xpath='@ref'/></xs:keyref>\
    </xs:element></xs:schema>";

fn schema() -> &'static Schema {
    static SCHEMA_OF_TEST: std::sync::OnceLock<Schema> = std::sync::OnceLock::new();
    SCHEMA_OF_TEST.get_or_init(|| {
        let mut files = SchemaFiles::new();
        files.add("a.xsd", SCHEMA.as_bytes());
        Schema::load(&["a.xsd"], &files).unwrap()
    })
}

fn validate(bytes: &[u8]) {
    if let Some(document) = parse(bytes) {
        std::hint::black_box(schema().validate(document.root()));
    }
}

fn load_schema(bytes: &[u8]) {
    let mut files = SchemaFiles::new();
    files.add("a.xsd", bytes);
    std::hint::black_box(Schema::load(&["a.xsd"], &files).ok());
}

const RULES: &str = "<schema xmlns='http://purl.oclc.org/dsdl/schematron' queryBinding='xslt2'>\
    <ns prefix='xs' uri='http://www.w3.org/2001/XMLSchema'/><pattern><rule context='//b'>\
    <assert id='one' test='string-length(normalize-space(.)) > 1'>t</assert>\
    <assert id='two' test='not(@id) or @id = @ref'>t</assert>\
    <assert id='three' test='count(ancestor::*) &lt; 70'>t</assert>\
    <assert id='four' test=\"matches(., '^[a-z]+$')\">t</assert></rule>\
    <rule context='a'><assert id='five' test='count(//b) = count(descendant::b)'>t</assert>\
    <assert id='six' test='count(distinct-values(b/@id)) = count(b/@id)'>t</assert></rule>\
    </pattern></schema>";

fn rules_of(text: &str) -> Option<schematron::SchematronSchema> {
    let files = BTreeMap::from([("rules.sch".to_owned(), text.as_bytes().to_vec())]);
    schematron::SchematronSchema::load(&files, "rules.sch", &PhaseChoice::All).ok()
}

fn apply_rules(bytes: &[u8]) {
    static SCHEMA_OF_TEST: std::sync::OnceLock<schematron::SchematronSchema> =
        std::sync::OnceLock::new();
    let schema = SCHEMA_OF_TEST.get_or_init(|| rules_of(RULES).unwrap());
    if let Some(document) = parse(bytes) {
        std::hint::black_box(schema.validate(&document, &RunOptions::default()));
    }
}

fn compile_xpath(bytes: &[u8]) {
    let mut test = String::new();
    crate::write::escape_attribute(&String::from_utf8_lossy(bytes), &mut test);
    std::hint::black_box(rules_of(&RULES.replace("count(ancestor::*) &lt; 70", &test)));
}

const PARSERS: &[Parser] = &[
    Parser {
        name: "XML",
        covers: &["tree.rs parse", "tree/parse.rs parse", "tree/parse/decode.rs decode"],
        cases: DOCUMENTS,
        size: 32 << 10,
        run: |bytes| drop(parse(bytes)),
    },
    Parser {
        name: "text in any encoding",
        covers: &["tree.rs text", "tree/parse/decode.rs text"],
        cases: &[
            ("ASCII", |n| repeat("<a>", "text ", "</a>", n)),
            ("two bytes a letter", |n| repeat("", "\u{e9}\u{20ac}", "", n)),
            ("UTF-16", |n| {
                let letter = |letter: &u8| [*letter, 0];
                let text = repeat("<a>", "text", "", n / 2);
                [vec![0xff, 0xfe], text.iter().flat_map(letter).collect()].concat()
            }),
            ("one byte a letter", |n| {
                let head = b"<?xml version='1.0' encoding='ISO-8859-1'?>".to_vec();
                [head, vec![0xe9; n]].concat()
            }),
            ("a declaration without end", |n| repeat("<?xml encoding='", "x", "", n)),
            ("what is no text", |n| vec![0xff; n]),
        ],
        size: 32 << 10,
        run: |bytes| drop(crate::tree::text(bytes)),
    },
    Parser {
        name: "XML that breaks off",
        covers: &["tree/scan.rs indent", "tree/scan.rs name_length", "tree/scan.rs plain"],
        cases: BROKEN,
        size: 32 << 10,
        run: |bytes| drop(parse(bytes)),
    },
    Parser { name: "C14N", covers: &[], cases: DOCUMENTS, size: 16 << 10, run: canonicalize },
    Parser {
        name: "C14N of long namespaces",
        covers: &[],
        cases: LONG_NAMES,
        size: 16 << 10,
        run: canonicalize,
    },
    Parser {
        name: "base64",
        covers: &["base64.rs decode"],
        cases: &[
            ("letters", |n| repeat("", "QUJD", "", n)),
            ("white space", |n| repeat("Q", " \r\n", "Q", n)),
            ("padding", |n| repeat("", "=", "", n)),
        ],
        size: 32 << 10,
        run: |bytes| drop(base64::decode(bytes)),
    },
    Parser {
        name: "XSD: a document",
        covers: &[],
        cases: DOCUMENTS,
        size: 16 << 10,
        run: validate,
    },
    Parser {
        name: "XSD: a schema",
        covers: &["xsd/table.rs from_bytes", "xsd/table/read.rs schema"],
        cases: &[
            ("elements", |n| {
                let head = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>";
                let one = |at| format!("<xs:element name='e{at}' type='xs:string'/>");
                numbered(head, n, "</xs:schema>", one)
            }),
            ("types that extend one another", |n| {
                let head = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>\
                            <xs:complexType name='t0'/>";
                numbered(head, n, "</xs:schema>", |at| {
                    let (base, name) = (at, at + 1);
                    format!(
                        "<xs:complexType name='t{name}'><xs:complexContent><xs:extension \
                         base='t{base}'/></xs:complexContent></xs:complexType>"
                    )
                })
            }),
        ],
        size: 8 << 10,
        run: load_schema,
    },
    Parser {
        name: "Schematron",
        covers: &["schematron/library.rs parse"],
        cases: DOCUMENTS,
        size: 8 << 10,
        run: apply_rules,
    },
    Parser {
        name: "XPath",
        covers: &[],
        cases: &[
            ("a long text", |n| repeat("'", "x", "' = 'y'", n)),
            ("a sequence", |n| repeat("count((1", ", 1", ")) = 1", n)),
            ("conditions", |n| repeat("b", "[.]", "", n / 8)),
            ("comments", |n| repeat("1 = 1", "(: c :)", "", n)),
        ],
        size: 16 << 10,
        run: compile_xpath,
    },
    Parser {
        name: "pattern",
        covers: &[],
        cases: &[
            ("a class", |n| repeat("[", "ab-c", "]", n / 8)),
            ("choices", |n| repeat("a", "|ab", "", n / 8)),
            ("escapes", |n| repeat("", "\\d\\.", "", n / 8)),
        ],
        size: 4 << 10,
        run: |bytes| {
            let text = String::from_utf8_lossy(bytes);
            std::hint::black_box(pattern::Pattern::xsd(&text).ok());
            std::hint::black_box(pattern::Pattern::xpath(&text, "x").ok());
        },
    },
];

/// Functions that take bytes which are not a stranger's, or of which only a few are looked at.
const EXEMPT: &[(&str, &str)] = &[
    ("base64.rs encode", "writes"),
    ("schematron/testset.rs read", "test documents of the publisher of rules"),
    ("schematron/mutation.rs mutations", "test documents of the publisher of rules"),
];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}

#[test]
fn the_canonical_form_takes_no_more_than_its_room() {
    // 200 kB of which each of 16,000 elements would say 100 kB again: 1.6 GB.
    let make = || said_again(100_000, 100_000);
    let name = "a long namespace that every element says again";
    check_memory(&[MemoryCase { name, make, times: 64, run: canonicalize }]);
}
