//! Containers of each kind, nested, broken, hostile.

mod beside;
mod mutants;
mod places;

use super::*;
use crate::detection::SBDH;
use crate::samples;
use crate::unwrap;
use quoin_testing::containers::{Entry, Reference, cms, multipart, pdf, zip};

const INVOICE: &[u8] = samples::INVOICE.as_bytes();

const CII: &str = "<rsm:CrossIndustryInvoice xmlns:rsm='urn:un:unece:uncefact:data:standard:\
    CrossIndustryInvoice:100'><rsm:ExchangedDocumentContext>\
    <GuidelineSpecifiedDocumentContextParameter><ID>urn:cen.eu:en16931:2017</ID>\
    </GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>\
    </rsm:CrossIndustryInvoice>";

fn open(bytes: &[u8]) -> Unwrapped<'_> {
    unwrap(bytes, &UnwrapLimits::default())
}

/// The only document, and that nothing was closed.
fn only(unwrapped: Unwrapped<'_>) -> InnerDocument<'_> {
    assert_eq!(unwrapped.closed, []);
    assert_eq!(unwrapped.documents.len(), 1);
    unwrapped.documents.into_iter().next().unwrap()
}

fn closed(bytes: &[u8], limits: &UnwrapLimits) -> Vec<UnopenedReason> {
    unwrap(bytes, limits).closed.into_iter().map(|closed| closed.reason).collect()
}

#[test]
fn a_document_is_its_own_only_document() {
    for bytes in [INVOICE, b"", b"hello", b"{}"] {
        let inner = only(open(bytes));
        assert!(matches!(inner.bytes, Cow::Borrowed(same) if same == bytes));
        assert_eq!((inner.detection.wrappers, inner.name), (vec![], None));
    }
}

#[test]
fn envelopes_are_stepped_into() {
    let header = "<sh:StandardBusinessDocumentHeader/>";
    let envelope = |content: &str| {
        format!(
            "<sh:StandardBusinessDocument xmlns:sh='{SBDH}'>{header}{content}\
                 </sh:StandardBusinessDocument>"
        )
    };
    let text = envelope(samples::INVOICE.split_once("?>").unwrap().1);
    let inner = only(open(text.as_bytes()));
    assert_eq!(inner.detection.wrappers, [Wrapper::Sbdh]);
    assert_eq!(inner.bytes, text.as_bytes());

    let file = pdf("factur-x.xml", CII.as_bytes(), "EN 16931", Reference::Table);
    let content = format!(
        "<BinaryContent xmlns='http://peppol.eu/xsd/ticc/envelope/1.0' \
         mimeType='application/pdf'>{}</BinaryContent>",
        base64::encode(&file)
    );
    let text = envelope(&content);
    let inner = only(open(text.as_bytes()));
    let mime_type = Some("application/pdf".to_owned());
    assert_eq!(inner.detection.wrappers[..2], [Wrapper::Sbdh, Wrapper::Content { mime_type }]);
    assert!(matches!(inner.detection.wrappers[2], Wrapper::HybridPdf { .. }));
    assert_eq!(inner.bytes, CII.as_bytes());

    let text = envelope(&content.replace("</B", "!</B"));
    let damaged = UnopenedReason::Damaged("BinaryContent is not base64");
    assert_eq!(closed(text.as_bytes(), &UnwrapLimits::default()), [damaged]);
}

#[test]
fn hybrid_pdf_with_each_kind_of_cross_reference() {
    for reference in [Reference::Table, Reference::Stream, Reference::Broken] {
        let file = pdf("factur-x.xml", CII.as_bytes(), "EN 16931", reference);
        let inner = only(open(&file));
        let wrapper = Wrapper::HybridPdf {
            file_name: "factur-x.xml".to_owned(),
            relationship: Some("Alternative".to_owned()),
            level: Some("EN 16931".to_owned()),
            mismatch: None,
        };
        assert_eq!(inner.detection.wrappers, [wrapper]);
        assert_eq!((&*inner.bytes, inner.name.as_deref()), (CII.as_bytes(), Some("factur-x.xml")));
        assert_eq!(inner.detection.profile.as_deref(), Some("en16931"));
        assert!(inner.detection.reasons.last().unwrap().contains("Factur-X"));
    }
}

#[test]
fn a_pdf_whose_metadata_says_something_else() {
    for (level, said) in [("EXTENDED", "en16931"), ("GOLD", "GOLD")] {
        let file = pdf("dir/factur-x.xml", CII.as_bytes(), level, Reference::Table);
        let inner = only(open(&file));
        let Some(Wrapper::HybridPdf { file_name, mismatch, .. }) = inner.detection.wrappers.last()
        else {
            panic!("{inner:?}")
        };
        assert_eq!(file_name, "factur-x.xml");
        assert!(mismatch.as_ref().unwrap().contains(said), "{mismatch:?}");
    }
}

#[test]
fn pdf_without_a_document_encrypted_or_broken() {
    let plain = pdf("picture.png", b"x", "BASIC", Reference::Table);
    let unwrapped = open(&plain);
    assert_eq!(unwrapped.documents[0].detection.syntax, Some(Syntax::Pdf));
    assert_eq!(unwrapped.documents[0].bytes, plain);
    assert_eq!(closed(&plain, &UnwrapLimits::default()), [UnopenedReason::Nothing]);

    let text = String::from_utf8_lossy(&plain).replace("/Size 7", "/Encrypt 9 0 R/Size 7");
    let start = text.find("\nxref").unwrap() + 1;
    let text = text.replace("startxref\n", &format!("startxref\n{start} %"));
    assert_eq!(closed(text.as_bytes(), &UnwrapLimits::default()), [UnopenedReason::Encrypted]);

    let damaged = closed(b"%PDF-1.4\nnothing", &UnwrapLimits::default());
    assert!(matches!(damaged[..], [UnopenedReason::Damaged(_)]), "{damaged:?}");
    let filter = pdf("factur-x.xml", b"x", "BASIC", Reference::Table);
    let filter = replaced(&filter, b"/FlateDecode", b"/LZWDecode  ");
    assert!(matches!(closed(&filter, &UnwrapLimits::default())[..], [UnopenedReason::Method(_)]));
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    while let Some(at) = memchr::memmem::find(&bytes, from) {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

#[test]
fn signed_data_in_each_encoding() {
    for ber in [false, true] {
        let binary = cms(Some(INVOICE), ber);
        let text = base64::encode(&binary);
        let lines: String = text
            .as_bytes()
            .chunks(64)
            .flat_map(|line| [std::str::from_utf8(line).unwrap(), "\r\n"])
            .collect();
        let pem = format!("-----BEGIN PKCS7-----\r\n{lines}-----END PKCS7-----\r\n");
        for (file, encoding) in [
            (binary, CmsEncoding::Binary),
            (text.into_bytes(), CmsEncoding::Base64),
            (lines.into_bytes(), CmsEncoding::Base64),
            (pem.into_bytes(), CmsEncoding::Pem),
        ] {
            let inner = only(open(&file));
            assert_eq!(inner.detection.wrappers, [Wrapper::Cms { encoding }]);
            assert_eq!(inner.bytes, INVOICE);
            assert_eq!(inner.detection.profile.as_deref(), Some("peppol-bis3"));
        }
        assert_eq!(closed(&cms(None, ber), &UnwrapLimits::default()), [UnopenedReason::Detached]);
    }
    let twice = cms(Some(&cms(Some(INVOICE), true)), false);
    assert_eq!(only(open(&twice)).detection.wrappers.len(), 2);
}

#[test]
fn archives_hold_several_documents() {
    let signed = cms(Some(INVOICE), true);
    let file = zip(&[
        Entry("a/1.xml", INVOICE, 8, 0),
        Entry("../../etc/2.xml", samples::CREDIT_NOTE.as_bytes(), 0, 0),
        Entry("3.xml.p7m", &signed, 8, 0),
        Entry("folder/", b"", 0, 0),
        Entry("META-INF/signatures.xml", b"<a/>", 8, 0),
        Entry("secret.xml", INVOICE, 8, 1),
        Entry("odd.xml", INVOICE, 12, 0),
    ]);
    let unwrapped = open(&file);
    let names: Vec<_> =
        unwrapped.documents.iter().map(|inner| inner.name.as_deref().unwrap_or("-")).collect();
    assert_eq!(names, ["a/1.xml", "../../etc/2.xml", "-"]);
    let wrappers = &unwrapped.documents[2].detection.wrappers;
    assert!(matches!(wrappers[..], [Wrapper::Zip { .. }, Wrapper::Cms { .. }]), "{wrappers:?}");
    let reasons: Vec<_> = unwrapped.closed.iter().map(|closed| &closed.reason).collect();
    assert!(
        matches!(reasons[..], [UnopenedReason::Encrypted, UnopenedReason::Method(_)]),
        "{reasons:?}"
    );

    let office = zip(&[Entry("[Content_Types].xml", b"<a/>", 8, 0)]);
    assert_eq!(open(&office).documents[0].detection.syntax, Some(Syntax::Zip));
    let wrong = replaced(&file, &INVOICE[..40], &INVOICE[1..41]);
    let wrong = closed(&wrong, &UnwrapLimits::default());
    assert!(!wrong.contains(&UnopenedReason::Nothing));
}

#[test]
fn bombs_are_refused_before_they_go_off() {
    let zeros = vec![b' '; 4 << 20];
    let file = zip(&[Entry("a.xml", &zeros, 8, 0)]);
    assert_eq!(closed(&file, &UnwrapLimits::default()), [UnopenedReason::Ratio(200)]);
    let small = UnwrapLimits { unpacked: 1 << 20, ratio: 10_000, ..UnwrapLimits::default() };
    assert_eq!(closed(&file, &small), [UnopenedReason::TooLarge(1 << 20)]);
    let one = Entry("a.xml", INVOICE, 8, 0);
    let many = zip(&[one, Entry("b.xml", INVOICE, 8, 0), Entry("c.xml", INVOICE, 8, 0)]);
    let why = crate::opened(&many).why_unread().unwrap_or_default();
    assert!(why.contains("holds 3 XML documents"), "{why}");
    let two = UnwrapLimits { documents: 2, ..UnwrapLimits::default() };
    assert_eq!(closed(&many, &two), [UnopenedReason::TooMany(2)]);

    let spent = UnwrapLimits { unpacked: 2 * INVOICE.len(), ..UnwrapLimits::default() };
    let unwrapped = unwrap(&many, &spent);
    assert_eq!((unwrapped.documents.len(), unwrapped.closed.len()), (2, 1));

    let mut nested = INVOICE.to_vec();
    for _ in 0..5 {
        nested = zip(&[Entry("a", &nested, 8, 0)]);
    }
    assert_eq!(closed(&nested, &UnwrapLimits::default()), [UnopenedReason::TooDeep(3)]);
    let tiny = UnwrapLimits { bytes: 10, ..UnwrapLimits::default() };
    assert_eq!(closed(INVOICE, &tiny), [UnopenedReason::TooLarge(10)]);

    let bomb = pdf("factur-x.xml", &zeros, "BASIC", Reference::Stream);
    assert_eq!(closed(&bomb, &UnwrapLimits::default()), [UnopenedReason::Ratio(200)]);
}

#[test]
fn parts_of_a_multipart_body() {
    let encoded = base64::encode(INVOICE);
    let printable = samples::CREDIT_NOTE.replace('=', "=3D").replace("<cac:", "<cac=\r\n:");
    for with_headers in [true, false] {
        let file = multipart(
            &[
                ("Content-Type: text/xml; charset=UTF-8\nContent-ID: <1>", INVOICE),
                (
                    "Content-Disposition: form-data; name=\"f\"; filename=\"a.xml\"\n\
                     Content-Type: application/xml\nContent-Transfer-Encoding: Base64",
                    encoded.as_bytes(),
                ),
                ("content-transfer-encoding: quoted-printable", printable.as_bytes()),
                ("Content-Transfer-Encoding: base64", b"!!!"),
                ("Content-Type: image/png", b"\x89PNG"),
            ],
            with_headers,
        );
        let unwrapped = open(&file);
        assert_eq!(unwrapped.closed.len(), 1);
        let [first, second, third] = &unwrapped.documents[..] else {
            panic!("{:?}", unwrapped.documents)
        };
        let [fourth] = &unwrapped.attachments[..] else { panic!("{:?}", unwrapped.attachments) };
        assert_eq!((&*first.bytes, &*second.bytes), (INVOICE, INVOICE));
        assert_eq!(&*third.bytes, samples::CREDIT_NOTE.as_bytes());
        assert_eq!(second.name.as_deref(), Some("a.xml"));
        let content_type = Some("text/xml".to_owned());
        assert_eq!(first.detection.wrappers, [Wrapper::Multipart { part: 1, content_type }]);
        assert_eq!((&*fourth.bytes, fourth.detection.syntax), (&b"\x89PNG"[..], None));
    }
    let single = [b"Content-Type: text/xml\r\n\r\n", INVOICE].concat();
    assert_eq!(only(open(&single)).bytes, INVOICE);
}

/// What each refusal tells has to be a sentence that somebody can act on.
#[test]
fn refusals_are_told() {
    for reason in [
        UnopenedReason::Encrypted,
        UnopenedReason::Detached,
        UnopenedReason::Nothing,
        UnopenedReason::Damaged("x"),
        UnopenedReason::Method("y".to_owned()),
        UnopenedReason::TooLarge(1),
        UnopenedReason::Ratio(2),
        UnopenedReason::TooMany(3),
        UnopenedReason::TooDeep(4),
    ] {
        assert!(reason.to_string().len() > 15, "{reason}");
    }
}
