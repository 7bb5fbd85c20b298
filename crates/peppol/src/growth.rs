//! Every parser of this crate that sees bytes from outside, and that its work grows as its input.

mod letters;
mod records;

use std::sync::Arc;

use quoin_testing::growth::{Case, Parser, check, complete};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, IsCa, Issuer,
    KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber,
};

use letters::LETTERS;
use records::RECORDS;

use crate::as4::{
    CertificateRefusal, Incoming, PartialMessage, Peer, Peers, gunzip, gzip, parse_mime,
};
use crate::dossier::DossierManifest;
use crate::identifiers::{DocumentTypeId, ParticipantId};
use crate::pki::{Certificate, Crl, OcspAnswer};
use crate::sml::soap::{SmlAnswer, SmlOperation, SmlRequest};
use crate::{as4, lookup, sbdh, sml, smp};

fn repeat(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}{tail}", unit.repeat(bytes / unit.len())).into_bytes()
}

const PACKAGE: &str = "multipart/related; boundary=a; start=\"<1>\"";

/// Packages that look as if they had many parts, or almost.
const PACKAGES: &[Case] = &[
    ("delimiters inside a line", |n| repeat("x", "--a", "", n)),
    ("delimiters without an end", |n| repeat("", "\n--a", "", n)),
    ("padded delimiters", |n| repeat("", "\n--a              x", "", n)),
    ("parts", |n| repeat("", "\r\n--a\r\nContent-ID: <1>\r\n\r\nx", "\r\n--a--", n)),
    ("header lines", |n| repeat("--a\r\n", "A: b\r\n", "\r\nx\r\n--a--", n)),
    ("folded lines", |n| repeat("--a\r\nA: b\r\n", " c\r\n", "\r\nx\r\n--a--", n)),
    ("base64", |n| {
        repeat("--a\r\nContent-Transfer-Encoding: base64\r\n\r\n", "QUJD\r\n", "\r\n--a--", n)
    }),
    ("line ends", |n| repeat("--a", "\r\n", "\r\n--a--", n)),
];

const SOAP: &str = "<S:Envelope xmlns:S='http://www.w3.org/2003/05/soap-envelope' \
    xmlns:eb='http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/' \
    xmlns:ds='http://www.w3.org/2000/09/xmldsig#' \
    xmlns:w='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'>\
    <S:Header><eb:Messaging S:mustUnderstand='true'>";

/// Envelopes whose header holds much of something.
const ENVELOPES: &[Case] = &[
    ("parts of a message", |n| {
        let unit = "<eb:PartInfo href='cid:1'><eb:PartProperties/></eb:PartInfo>";
        let head = format!("{SOAP}<eb:UserMessage><eb:PayloadInfo>");
        repeat(
            &head,
            unit,
            "</eb:PayloadInfo></eb:UserMessage></eb:Messaging></S:Header><S:Body/></S:Envelope>",
            n,
        )
    }),
    ("properties", |n| {
        let unit = "<eb:Property name='a'>b</eb:Property>";
        let head = format!("{SOAP}<eb:UserMessage><eb:MessageProperties>");
        repeat(
            &head,
            unit,
            "</eb:MessageProperties></eb:UserMessage></eb:Messaging></S:Header><S:Body/></S:Envelope>",
            n,
        )
    }),
    ("ids", |n| {
        let head = format!(
            "{SOAP}<eb:UserMessage/></eb:Messaging><w:Security><ds:Signature><ds:KeyInfo><w:SecurityTokenReference><w:Reference URI='#x'/></w:SecurityTokenReference></ds:KeyInfo></ds:Signature></w:Security>"
        );
        repeat(&head, "<x Id='x'/>", "</S:Header><S:Body/></S:Envelope>", n)
    }),
    ("errors", |n| {
        let unit = "<eb:Error errorCode='EBMS:0004' severity='failure'/>";
        repeat(
            &format!("{SOAP}<eb:SignalMessage>"),
            unit,
            "</eb:SignalMessage></eb:Messaging></S:Header><S:Body/></S:Envelope>",
            n,
        )
    }),
];

/// DER whose elements are inside one another, beside one another, or cut off.
const DER: &[Case] = &[
    ("nested", |n| {
        let mut der = Vec::new();
        while der.len() < n {
            let length = u32::try_from(der.len()).unwrap().to_be_bytes();
            der = [&[0x30, 0x84][..], &length, &der].concat();
        }
        der
    }),
    ("many", |n| {
        let inside = [0x02, 0x01, 0x01].repeat(n / 3);
        let length = u32::try_from(inside.len()).unwrap().to_be_bytes();
        [&[0x30, 0x84][..], &length, &inside].concat()
    }),
    ("open", |n| vec![0x30; n]),
];

struct Nobody;

impl Peers for Nobody {
    fn access_point(&self, _certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        Err(CertificateRefusal { reason: "nobody is known here".to_owned() })
    }
}

fn packages(bytes: &[u8]) {
    std::hint::black_box(parse_mime(PACKAGE, bytes).map(|parts| parts.len()).ok());
    std::hint::black_box(
        PartialMessage::read(PACKAGE, bytes).map(|opening| opening.is_some()).ok(),
    );
    let opened = Incoming::read(PACKAGE, bytes).map(|incoming| incoming.claimed_signer());
    std::hint::black_box(opened.ok());
}

fn envelopes(bytes: &[u8]) {
    const KIND: &str = "application/soap+xml";
    let opened = Incoming::read(KIND, bytes).map(|incoming| incoming.claimed_signer());
    std::hint::black_box(opened.ok());
    // An answer is read whatever its content type says.
    std::hint::black_box(as4::claimed_answer_signer("text/xml", bytes));
    std::hint::black_box(as4::read_signed_message(bytes, &Nobody).map(|read| read.parts).ok());
    std::hint::black_box(
        as4::read_signed_receipt(KIND, bytes, &Nobody).map(|read| read.parts).ok(),
    );
}

fn letters(bytes: &[u8]) {
    if let Ok(envelope) = sbdh::read(bytes) {
        std::hint::black_box(envelope.content(bytes).map(|content| content.len()).ok());
        std::hint::black_box(envelope.document(bytes).len());
    }
    let limits = quoin_xml::tree::Limits::default();
    std::hint::black_box(sbdh::read_checked(bytes, &limits).is_ok());
}

fn records(bytes: &[u8]) {
    let participant: ParticipantId = "0106:1".parse().unwrap();
    std::hint::black_box(smp::read_service_group(bytes, &participant).is_ok());
    std::hint::black_box(smp::submitted_group(bytes).is_ok());
    std::hint::black_box(smp::submitted_metadata(bytes).is_ok());
    std::hint::black_box(smp::read_business_card(bytes).is_ok());
    std::hint::black_box(SmlRequest::read(bytes).is_ok());
    std::hint::black_box(SmlAnswer::read(bytes, SmlOperation::List).is_ok());
    let text = String::from_utf8_lossy(bytes);
    std::hint::black_box(text.parse::<DocumentTypeId>().is_ok());
}

/// An authority of our own making; its key is quick to make.
fn authority() -> &'static (Certificate, CertificateParams, KeyPair) {
    static MADE: std::sync::OnceLock<(Certificate, CertificateParams, KeyPair)> =
        std::sync::OnceLock::new();
    MADE.get_or_init(|| {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::CrlSign, KeyUsagePurpose::KeyCertSign];
        let certificate = params.self_signed(&key).unwrap();
        (Certificate::from_der(certificate.der()).unwrap(), params, key)
    })
}

fn list(n: usize) -> Vec<u8> {
    let (_, params, key) = authority();
    let at = time::OffsetDateTime::from_unix_timestamp(1_790_000_000).unwrap();
    let revoked = (0..n / 40).map(|serial| RevokedCertParams {
        serial_number: SerialNumber::from(serial as u64),
        revocation_time: at,
        reason_code: None,
        invalidity_date: None,
    });
    let list = CertificateRevocationListParams {
        this_update: at,
        next_update: at + time::Duration::days(7),
        crl_number: SerialNumber::from(1_u64),
        issuing_distribution_point: None,
        revoked_certs: revoked.collect(),
        key_identifier_method: KeyIdMethod::Sha256,
    };
    list.signed_by(&Issuer::from_params(params, key)).unwrap().der().to_vec()
}

fn der(bytes: &[u8]) {
    let (issuer, ..) = authority();
    std::hint::black_box(Certificate::from_der(bytes).is_ok());
    std::hint::black_box(Crl::verify(bytes, issuer).is_ok());
    let now = jiff::Timestamp::from_second(1_790_000_000).unwrap();
    std::hint::black_box(OcspAnswer::verify(bytes, issuer, issuer, now).is_ok());
}

const PARSERS: &[Parser] = &[
    Parser {
        name: "MIME",
        covers: &[
            "as4/mime.rs parse",
            "as4/mime.rs first_part",
            "as4/opening.rs read",
            "as4/incoming.rs read",
            "as4/answer.rs read_answer",
        ],
        cases: PACKAGES,
        size: 8 << 10,
        run: packages,
    },
    Parser {
        name: "AS4 envelope",
        covers: &[
            "as4/incoming.rs parse_envelope",
            "as4/answer.rs claimed_answer_signer",
            "as4/evidence.rs read_signed_message",
            "as4/evidence.rs read_signed_receipt",
        ],
        cases: ENVELOPES,
        size: 16 << 10,
        run: envelopes,
    },
    Parser {
        name: "gzip",
        covers: &["as4/compression.rs gunzip"],
        cases: &[
            ("text", |n| gzip(&repeat("", "invoice line ", "", n * 8)).unwrap()),
            ("members", |n| gzip(b"x").unwrap().repeat(n / 24)),
        ],
        size: 8 << 10,
        run: |bytes| drop(gunzip(bytes)),
    },
    Parser {
        name: "SBDH",
        covers: &[
            "sbdh/read.rs read",
            "sbdh/read.rs read_checked",
            "sbdh/read.rs document",
            "sbdh/read.rs content",
            "sbdh/scan.rs is_utf_8_by_declaration",
            "sbdh/scan.rs new",
        ],
        cases: LETTERS,
        size: 16 << 10,
        run: letters,
    },
    Parser {
        name: "SMP and SML",
        covers: &[
            "smp/read.rs parse",
            "smp/read.rs read_service_group",
            "smp/read.rs read_service_metadata",
            "smp/read.rs read_redirected",
            "smp/read.rs is_page",
            "smp/read.rs inflate",
            "smp/submitted.rs submitted_group",
            "smp/submitted.rs submitted_metadata",
            "smp/business_card/read.rs read_business_card",
            "sml/soap.rs read",
            "sml/soap/read.rs answer",
            "sml/soap/read.rs request",
        ],
        cases: RECORDS,
        size: 16 << 10,
        run: records,
    },
    Parser {
        name: "DNS: NAPTR",
        covers: &[],
        cases: &[
            ("expressions", |n| repeat("!", "^.*$", "!https://a.b/!", n)),
            ("separators", |n| repeat("", "!", "", n)),
        ],
        // A text of DNS has at most 255 bytes.
        size: 120,
        run: |bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let record = lookup::Naptr {
                order: 1,
                preference: 1,
                flags: "U".into(),
                services: "Meta:SMP".into(),
                regexp: text,
            };
            let policy = sml::UriPolicy { tolerate_http: false, any_port: false };
            std::hint::black_box(lookup::base(&vec![record; 8], "a.b", policy).is_ok());
        },
    },
    Parser {
        name: "CRL",
        covers: &["pki/crl.rs verify", "pki/signed.rs parse"],
        cases: &[("revoked", list)],
        size: 16 << 10,
        run: der,
    },
    Parser {
        name: "certificate and OCSP",
        covers: &["pki/certificate.rs from_der", "pki/ocsp.rs verify"],
        cases: DER,
        size: 4 << 10,
        run: der,
    },
    Parser {
        name: "dossier",
        covers: &[
            "dossier/manifest.rs read",
            "dossier/manifest.rs of",
            "dossier/manifest.rs part",
            "dossier/judges.rs certificate",
        ],
        cases: &[
            ("arrays", |n| repeat("", "[", "", n / 64)),
            ("members", |n| repeat("{", "\"a\":1,", "\"b\":2}", n)),
            ("a text", |n| repeat("\"", "\\u0041", "\"", n)),
        ],
        size: 16 << 10,
        run: |bytes| {
            std::hint::black_box(DossierManifest::read(bytes).is_ok());
        },
    },
];

/// Functions that take bytes which are not a stranger's, or that write.
const EXEMPT: &[(&str, &str)] = &[
    ("as4/compression.rs gunzip_within", "see gunzip, which is this with room for all"),
    ("as4/compression.rs gzip", "writes"),
    ("as4/encryption.rs open", "a cipher: one pass by aws-lc, behind a verified signature"),
    ("as4/party.rs decrypter", "a certificate of ours by its bytes"),
    ("as4/party.rs new", "a certificate that was judged"),
    ("as4/seal.rs seal", "writes"),
    ("as4/security.rs attachment", "writes"),
    ("as4/security.rs require_attachment", "a digest: one pass by aws-lc"),
    ("sbdh/write.rs wrap", "a document that the reader accepted; see the letters"),
    ("sbdh/write.rs wrap_binary", "writes"),
    ("smp/endpoint.rs usable", "the bytes are those that its judge is shown; see the certificates"),
];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
