//! Every parser of this crate that sees bytes from outside, and that its work grows as its input.

use quoin_testing::growth::{Case, Parser, check, complete};
use quoin_xml::namespaces::{DS, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xml::tree::{Document, Limits};

use crate::enveloped;
use crate::signature::{self, Canonicalization};

const SIGNATURES: &[Case] = &[
    ("references", |n| signed("", &reference("<ds:Transforms></ds:Transforms>").repeat(n / 300))),
    ("transforms", |n| {
        let one = "<ds:Transform Algorithm='t'/>";
        signed(
            "",
            &reference(&format!("<ds:Transforms>{}</ds:Transforms>", one.repeat(n / one.len()))),
        )
    }),
    ("prefixes of one list", |n| {
        let list: String = (0..n / 8).map(|at| format!("prefix{at} ")).collect();
        signed(&inclusive(&list), &reference(""))
    }),
    ("a list for every element", |n| {
        let list = inclusive("a b c d e f g h i j k l m n o p");
        signed(
            &list,
            &reference(&format!("<ds:Transforms>{}</ds:Transforms>", {
                format!("<ds:Transform Algorithm='t'>{list}</ds:Transform>").repeat(n / 200)
            })),
        )
    }),
    ("elements in SignedInfo", |n| {
        signed(&inclusive("a b"), &"<a:x xmlns:a='urn:a'/>".repeat(n / 22))
    }),
    ("a long value", |n| signed("", &format!("{}<!--{}-->", reference(""), "A".repeat(n)))),
];

fn inclusive(list: &str) -> String {
    format!("<ec:InclusiveNamespaces xmlns:ec='{EXC_C14N}' PrefixList='{list}'/>")
}

fn reference(transforms: &str) -> String {
    format!(
        "<ds:Reference URI='#x'>{transforms}\
         <ds:DigestMethod Algorithm='{}'/><ds:DigestValue>{}=</ds:DigestValue></ds:Reference>",
        SHA256,
        "A".repeat(43)
    )
}

fn signed(method: &str, references: &str) -> Vec<u8> {
    format!(
        "<a><ds:Signature xmlns:ds='{}'><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm='{}'>{method}</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm='{}'/>\
         {references}</ds:SignedInfo><ds:SignatureValue>AA==</ds:SignatureValue><ds:KeyInfo/>\
         </ds:Signature></a>",
        DS, EXC_C14N, RSA_SHA256
    )
    .into_bytes()
}

/// Reads the signature as a message's and as a whole document's, and canonicalizes what was read.
fn read_signature(bytes: &[u8]) {
    let Ok(document) = Document::parse(bytes, &Limits::default()) else { return };
    if let Some(element) = document.root().elements().next() {
        for method in [Canonicalization::Exclusive, Canonicalization::Inclusive] {
            let read = signature::read(element, method);
            std::hint::black_box(read.and_then(|signature| signature.signed_octets()).ok());
        }
    }
    std::hint::black_box(enveloped::verify(&document).ok());
    std::hint::black_box(crate::xades::verify(&document).ok());
}

/// Documents that ask much of what canonicalizes them to verify a signature.
const DOCUMENTS: &[Case] = &[
    ("elements", |n| within(&"<b/>xxxxxxxxxxxx".repeat(n / 16))),
    ("namespaces", |n| {
        within(
            &(0..n / 40)
                .map(|at| format!("<b xmlns=\"urn:x:{at}\">12345678</b>"))
                .collect::<String>(),
        )
    }),
    ("depth", |n| {
        let (open, close) = ("<b>".repeat(60), "</b>".repeat(60));
        within(&format!("{open}xxxx{close}").repeat(n / 100))
    }),
];

fn within(content: &str) -> Vec<u8> {
    let signature = signed("", &reference(""));
    let signature = String::from_utf8(signature).unwrap();
    format!("<a>{content}{}", signature.trim_start_matches("<a>")).into_bytes()
}

const FILES: &[Case] = &[
    ("zeros", |n| vec![0; n]),
    ("sequences", |n| [0x30, 0x00].repeat(n / 2)),
    ("bags", |n| {
        let long = |tag: u8, content: &[u8]| {
            let length = u32::try_from(content.len()).unwrap().to_be_bytes();
            [&[tag, 0x84], length.as_slice(), content].concat()
        };
        let data = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01];
        let bag = [0x30, 0x07, 0x06, 0x01, 0x01, 0xA0, 0x02, 0x05, 0x00].repeat(n / 9);
        let info = |content: &[u8]| {
            long(0x30, &[data.as_slice(), &long(0xA0, &long(0x04, content))].concat())
        };
        let safes = long(0x30, &info(&long(0x30, &bag)));
        long(0x30, &[&[0x02, 0x01, 0x03], info(&safes).as_slice()].concat())
    }),
];

fn open_file(bytes: &[u8]) {
    std::hint::black_box(crate::pkcs12::open(bytes, "password").ok());
}

const PARSERS: &[Parser] = &[
    Parser {
        name: "signature",
        covers: &[],
        cases: SIGNATURES,
        size: 16 << 10,
        run: read_signature,
    },
    Parser {
        name: "a signed document",
        covers: &[],
        cases: DOCUMENTS,
        size: 16 << 10,
        run: read_signature,
    },
    Parser {
        name: "PKCS#12",
        covers: &["pkcs12.rs open"],
        cases: FILES,
        size: 16 << 10,
        run: open_file,
    },
];

/// Functions that take bytes which are not a stranger's, or of which only a few are looked at.
const EXEMPT: &[(&str, &str)] = &[
    ("enveloped.rs sign", "signs what we wrote"),
    (
        "enveloped.rs subject_public_key_info",
        "steps over at most nine items, whatever their length",
    ),
    ("enveloped.rs sign_c14n_11", "signs what we wrote"),
    ("keys.rs digest_of", "a digest: one pass by aws-lc"),
    ("keys.rs encrypt_oaep", "writes"),
    ("keys.rs from_pkcs8", "a key file of the operator"),
    ("keys.rs from_spki", "a public key, read by aws-lc, which bounds it"),
    ("keys.rs open_aes128_gcm", "a cipher: one pass by aws-lc"),
    ("keys.rs sha256", "a digest: one pass by aws-lc"),
    ("keys.rs verify_rsa_sha256", "a signature of one size, by aws-lc"),
    ("keys/cbc.rs open_aes_cbc", "a cipher: one pass by aws-lc"),
    ("keys/oaep.rs unpad_oaep", "one block of RSA"),
    ("keys/suites.rs from_pkcs8", "a key of a customer, read by aws-lc, which bounds it"),
    ("keys/suites.rs sign_link", "signs what we wrote"),
    ("keys/suites.rs sign_xml", "signs what we wrote"),
    ("keys/suites.rs verify_link", "a signature of one size, by aws-lc"),
    ("keys/suites.rs verify_xml", "a signature of one size, by aws-lc"),
    ("pkcs12/der.rs new", "keeps a reference"),
    ("pkcs12/kdf.rs derive", "work is counted in rounds, which have a limit"),
    ("pkcs12/kdf.rs named", "an identifier"),
    ("pkcs12/kdf.rs open_triple_des", "a cipher: one pass"),
    ("pkcs12/write.rs seal", "writes"),
];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, EXEMPT);
}
