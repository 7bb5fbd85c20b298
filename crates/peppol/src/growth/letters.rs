//! Envelopes that hold much of something.

use quoin_testing::growth::Case;

use super::repeat;
use crate::sbdh;

const HEADER: &str = "<StandardBusinessDocument xmlns='http://www.unece.org/cefact/namespaces/\
    StandardBusinessDocumentHeader'><StandardBusinessDocumentHeader><HeaderVersion>1.0\
    </HeaderVersion><BusinessScope>";

pub(super) const LETTERS: &[Case] = &[
    ("scopes", |n| {
        let unit = "<Scope><Type>A</Type><InstanceIdentifier>b</InstanceIdentifier></Scope>";
        repeat(
            HEADER,
            unit,
            "</BusinessScope></StandardBusinessDocumentHeader><a/></StandardBusinessDocument>",
            n,
        )
    }),
    ("a long document", |n| {
        let head = format!("{HEADER}</BusinessScope></StandardBusinessDocumentHeader><a>");
        repeat(&head, "<b c='d'>e</b>", "</a></StandardBusinessDocument>", n)
    }),
    ("brackets", |n| repeat(HEADER, "<", "", n)),
    ("comments", |n| repeat(HEADER, "<!-- -- >", "", n)),
    ("quotes", |n| repeat(&HEADER.replace("<Business", "<Business a=\""), "'>", "", n)),
    ("namespaces", |n| {
        let many: String = (0..100).map(|at| format!(" xmlns:p{at}='urn:{at}'")).collect();
        let head = HEADER.replacen(
            "<StandardBusinessDocument ",
            &format!("<StandardBusinessDocument{many} "),
            1,
        );
        let head = format!("{head}</BusinessScope></StandardBusinessDocumentHeader><a>");
        repeat(&head, "<p1:b p2:c='d'/>", "</a></StandardBusinessDocument>", n)
    }),
    ("prefixes that nobody uses", |n| prefixed(n / 300, "", &"<b>::::::::</b>".repeat(n / 15))),
    ("prefixes, and a long start tag", |n| prefixed(n / 300, &" a='b'".repeat(n / 6), "<b/>")),
];

/// A whole envelope with so many prefixes, around a payload whose start tag goes on like this.
fn prefixed(prefixes: usize, start: &str, inside: &str) -> Vec<u8> {
    let header = sbdh::Sbdh {
        sender: "0106:12345678".parse().unwrap(),
        receiver: "0208:0848934496".parse().unwrap(),
        document_type: "busdox-docid-qns::urn:a::a##b::2.1".parse().unwrap(),
        process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0".parse().unwrap(),
        instance: "0b4c2a4e-6a10-4a7e-9f0c-111111111111".to_owned(),
        created: "2026-11-20T12:00:00Z".parse().unwrap(),
        country: sbdh::CountryC1::new("NL").unwrap(),
        mls_to: None,
        mls_type: None,
        others: Vec::new(),
    };
    let envelope = sbdh::wrap(&header, b"<a xmlns='urn:a'></a>").unwrap();
    let many: String = (0..prefixes).map(|at| format!(" xmlns:p{at}='urn:{at}'")).collect();
    let envelope = String::from_utf8(envelope).unwrap();
    let envelope = envelope.replacen(" xmlns=", &format!("{many} xmlns="), 1);
    let payload = format!("<a xmlns='urn:a'{start}>{inside}</a>");
    envelope.replacen("<a xmlns='urn:a'></a>", &payload, 1).into_bytes()
}
