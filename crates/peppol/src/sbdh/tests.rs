//! Envelopes written and read; the checklist has a file of its own.

mod checklist;

use proptest::prelude::*;
use quoin_xml::tree::{Document, Limits};

use super::*;

const BILLING: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
    urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

const INVOICE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by hand -->\n\
    <Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
    xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
    <cbc:ID>A &lt; B</cbc:ID><cbc:Note><![CDATA[</Invoice>]]></cbc:Note></Invoice>\n";

fn sbdh() -> Sbdh {
    Sbdh {
        sender: "0106:12345678".parse().unwrap(),
        receiver: "0208:0848934496".parse().unwrap(),
        document_type: format!("busdox-docid-qns::{BILLING}").parse().unwrap(),
        process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0".parse().unwrap(),
        instance: "0b4c2a4e-6a10-4a7e-9f0c-111111111111".to_owned(),
        created: "2026-11-20T12:00:00Z".parse().unwrap(),
        country: CountryC1::new("NL").unwrap(),
        mls_to: None,
        mls_type: None,
        others: Vec::new(),
    }
}

fn envelope() -> String {
    String::from_utf8(wrap(&sbdh(), INVOICE.as_bytes()).unwrap()).unwrap()
}

/// Reads the sample envelope after replacing a text, both fast and checked.
fn edited(from: &str, to: &str) -> Result<Envelope, SbdhRefusal> {
    let text = envelope();
    assert!(text.contains(from), "{from} is not in {text}");
    let text = text.replacen(from, to, 1);
    let fast = read(text.as_bytes());
    let slow = read_checked(text.as_bytes(), &Limits::default());
    assert_eq!(fast, slow);
    fast
}

fn add_scopes(scopes: &str) -> Result<Envelope, SbdhRefusal> {
    edited("</BusinessScope>", &format!("{scopes}</BusinessScope>"))
}

fn scope_xml(key: &str, value: &str, scheme: Option<&str>) -> String {
    let scheme = scheme.map(|s| format!("<Identifier>{s}</Identifier>")).unwrap_or_default();
    format!(
        "<Scope><Type>{key}</Type><InstanceIdentifier>{value}</InstanceIdentifier>{scheme}</Scope>"
    )
}

#[test]
fn what_is_written_is_read_back() {
    let mut full = sbdh();
    full.mls_to = Some("0242:000123-MLS".parse().unwrap());
    full.mls_type = Some(MlsType::AlwaysSend);
    full.others = vec![
        Scope { key: "X & Y".to_owned(), value: String::new(), scheme: None },
        Scope {
            key: "COUNTRY_C4".to_owned(),
            value: "BE".to_owned(),
            scheme: Some("s".to_owned()),
        },
    ];
    let bytes = wrap(&full, INVOICE.as_bytes()).unwrap();
    let envelope = read_checked(&bytes, &Limits::default()).unwrap();
    assert_eq!(envelope.sbdh, full);
    assert_eq!(envelope.kind, PayloadKind::Xml);
    let start = INVOICE.find("<Invoice").unwrap();
    assert_eq!(&*envelope.document(&bytes), INVOICE[start..].trim_end().as_bytes());
}

#[test]
fn a_huge_header_is_refused() {
    let filler = format!("<!--{}-->", "x".repeat(HEADER_LIMIT));
    assert!(matches!(add_scopes(&filler), Err(SbdhRefusal::Markup { .. })));
}

#[test]
fn namespaces_of_the_envelope_follow_the_payload_out() {
    let body = "<StandardBusinessDocument xmlns=\"";
    let with =
        edited(body, "<StandardBusinessDocument xmlns:z=\"urn:z\" xmlns:u='urn:\"u' xmlns=\"")
            .unwrap();
    assert!(with.inherited.is_empty(), "unused prefixes stay behind");
    let text = envelope()
        .replace(body, "<StandardBusinessDocument xmlns:z=\"urn:z\" xmlns=\"")
        .replace("<cbc:ID>", "<z:Own/><cbc:ID>");
    let read_back = read(text.as_bytes()).unwrap();
    let document = read_back.document(text.as_bytes());
    let tree = Document::parse(&document, &Limits::default()).unwrap();
    assert_eq!(tree.root().elements().next().unwrap().namespace(), "urn:z");
}

#[test]
fn a_prefix_of_the_envelope_is_found_wherever_the_payload_uses_it() {
    let body = "<StandardBusinessDocument xmlns=\"";
    let declared = "xmlns:z='urn:z' xmlns:\u{e9}='urn:e' xmlns:y='urn:y' xmlns=\"";
    let head = format!("<StandardBusinessDocument {declared}");
    for (used, found) in [
        ("<z:Own/>", &["z"][..]),
        ("<a b='z:c'/>", &["z"]),
        ("<a>\u{2003}z:c \u{e9}:d</a>", &["z", "\u{e9}"]),
        ("<a>1-z:c</a>", &["z"]),
        ("<a>xz:c z\u{b7}:d .y z :</a>", &[]),
        ("<a>:y:z</a>", &["y"]),
    ] {
        let text = envelope().replace(body, &head).replace("<cbc:ID>", &format!("{used}<cbc:ID>"));
        let inherited = read(text.as_bytes()).unwrap().inherited;
        let prefixes: Vec<&str> = inherited.iter().map(|(prefix, _)| prefix.as_str()).collect();
        assert_eq!(prefixes, found, "{used}");
    }
}

#[test]
fn a_start_tag_of_a_payload_has_a_limit() {
    let start = |bytes: usize| format!("<Invoice a=\"{}\" xmlns=\"urn:oasis", "x".repeat(bytes));
    assert!(edited("<Invoice xmlns=\"urn:oasis", &start(60 << 10)).is_ok());
    let refused = edited("<Invoice xmlns=\"urn:oasis", &start(64 << 10));
    assert!(matches!(refused, Err(SbdhRefusal::Markup { why, .. }) if why.contains("64 KiB")));
}

#[test]
fn the_namespace_of_the_envelope_does_not_reach_into_the_payload() {
    let mut bare = sbdh();
    bare.document_type = "busdox-docid-qns::urn:x::Thing##a::1".parse().unwrap();
    let bytes = wrap(&bare, b"<p:Thing xmlns:p='urn:x'><inner/></p:Thing>").unwrap();
    let read_back = read_checked(&bytes, &Limits::default()).unwrap();
    let document = read_back.document(&bytes);
    let tree = Document::parse(&document, &Limits::default()).unwrap();
    assert_eq!(tree.root().elements().next().unwrap().namespace(), "");
}

#[test]
fn prefixed_envelopes_are_read() {
    let text = envelope();
    let (head, payload) = text.split_at(text.find("<Invoice").unwrap());
    let prefixed = head.replace("</", "</sh:").replace('<', "<sh:").replace("<sh:/sh:", "</sh:");
    let prefixed = prefixed.replace("<sh:?xml", "<?xml").replace("xmlns=", "xmlns:sh=");
    let text = prefixed
        + &payload.replace("</StandardBusinessDocument>", "</sh:StandardBusinessDocument>");
    assert_eq!(read_checked(text.as_bytes(), &Limits::default()).unwrap().sbdh, sbdh());
}

#[test]
fn documents_that_cannot_be_wrapped() {
    let refused = |text: &[u8]| wrap(&sbdh(), text).unwrap_err();
    assert_eq!(refused(b""), WrapRefusal::Empty);
    assert_eq!(refused(b"  <!-- -->"), WrapRefusal::Empty);
    assert_eq!(refused(b"\xff\xfe<\0a"), WrapRefusal::Encoding);
    assert_eq!(refused(b"<a>\xe9</a>"), WrapRefusal::Encoding);
    for bad in ["<a/><b/>", "<a>", "text", "<!DOCTYPE a><a/>", "<a></b>", "<a/>text", "< a/>"] {
        assert!(matches!(refused(bad.as_bytes()), WrapRefusal::Markup { .. }), "{bad}");
    }
}

/// An envelope has one encoding; what is put into it is written in that.
#[test]
fn documents_in_other_encodings_are_enveloped_in_utf_8() {
    let text = "<?xml version='1.0' encoding='ENCODING'?><a>\u{e9}\u{20ac}</a>";
    let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.replace("ENCODING", "UTF-16").encode_utf16().flat_map(unit).collect()
    };
    let latin_9: Vec<u8> = text
        .replace("ENCODING", "ISO-8859-15")
        .chars()
        .map(|own| if own == '\u{20ac}' { 0xA4 } else { own as u8 })
        .collect();
    let marked = [&[0xFF, 0xFE], utf16(u16::to_le_bytes).as_slice()].concat();
    let utf8 = text.replace("ENCODING", "utf-8").into_bytes();
    let expected = wrap(&sbdh(), &utf8).unwrap();
    for bytes in [latin_9, marked, utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        assert_eq!(wrap(&sbdh(), &bytes).unwrap(), expected);
    }
}

#[test]
fn samples_of_others_are_read() {
    let path = "network-data/envelope/samples/prebuilt-sbd.xml";
    let Some(text) = quoin_testing::shared_text(path) else { return };
    let envelope = read_checked(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(envelope.sbdh.country.as_str(), "AT");
    assert!(text[envelope.payload].ends_with("</Invoice>"));
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = wrap(&sbdh(), &bytes);
    }

    #[test]
    fn any_edit_is_survived(
        at in 0usize..2000,
        byte in proptest::sample::select(b"<>/\"'&! \0?-[]=:x".to_vec()),
    ) {
        let mut bytes = envelope().into_bytes();
        let length = bytes.len();
        bytes[at % length] = byte;
        if read_checked(&bytes, &Limits::default()).is_ok() {
            prop_assert!(read(&bytes).is_ok());
        }
    }
}
