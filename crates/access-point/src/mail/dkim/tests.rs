//! Tests of `mail::dkim`: a verifier of the tests' own, written from RFC 6376 without the code that
//! signs, and one of others (dkimpy) where it is installed.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use aws_lc_rs::digest::digest;
use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::{KeyPair as RsaPair, KeySize};
use aws_lc_rs::signature::{ED25519, KeyPair, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

use super::*;

const MAIL: &str = "From: Quoin <quoin@bills.example.org>\r\nTo: buyer@example.net,\r\n  two@example.net\r\n\
    Subject:  A  folded\r\n\t subject \r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\n\
    Message-ID: <1@example.org>\r\nX-Other: not signed\r\nMIME-Version: 1.0\r\n\
    Content-Type: text/plain; charset=utf-8\r\n\r\nOne  line \t with   blanks  \r\n\r\n \t\r\nTwo\r\n\r\n\r\n";

fn signer(key: DkimKey) -> DkimSigner {
    DkimSigner { domain: "example.org".to_owned(), selector: "s1".to_owned(), key }
}

/// A signer with its public key: what verifies here, and what would stand in the DNS.
fn ed25519() -> (DkimSigner, Vec<u8>, String) {
    let pkcs8 = Ed25519KeyPair::generate().unwrap().to_pkcs8v1().unwrap();
    let key = key_of(pkcs8.as_ref()).unwrap();
    let DkimKey::Ed25519(pair) = &key else { panic!("an Ed25519 key") };
    let public = pair.public_key().as_ref().to_vec();
    let record = format!("v=DKIM1; k=ed25519; p={}", BASE64.encode(&public));
    (signer(key), public, record)
}

fn rsa() -> (DkimSigner, Vec<u8>, String) {
    let pair = RsaPair::generate(KeySize::Rsa2048).unwrap();
    let pkcs8: aws_lc_rs::encoding::Pkcs8V1Der<'static> = pair.as_der().unwrap();
    let spki: aws_lc_rs::encoding::PublicKeyX509Der<'static> = pair.public_key().as_der().unwrap();
    let record = format!("v=DKIM1; k=rsa; p={}", BASE64.encode(spki.as_ref()));
    let public = pair.public_key().as_ref().to_vec();
    (signer(key_of(pkcs8.as_ref()).unwrap()), public, record)
}

/// White space as one blank, none at the ends.
fn squeezed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Verifies the first signature of a mail, as far as our signatures go.
fn is_verified(mail: &str, public: &[u8]) -> bool {
    let (head, body) = mail.split_once("\r\n\r\n").unwrap();
    let unfolded = head.replace("\r\n ", " \u{1}").replace("\r\n\t", " \u{1}");
    let lines: Vec<(&str, String)> = unfolded
        .split("\r\n")
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, value)| (name, squeezed(&value.replace('\u{1}', " "))))
        .collect();
    let (_, signature) = &lines[0];
    let tags: HashMap<&str, String> = signature
        .split(';')
        .filter_map(|tag| tag.trim().split_once('='))
        .map(|(name, value)| (name, value.split_ascii_whitespace().collect()))
        .collect();
    let kept: Vec<String> = body
        .split("\r\n")
        .map(|line| {
            let inner: Vec<&str> =
                line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
            let lead = if line.starts_with([' ', '\t']) && !inner.is_empty() { " " } else { "" };
            format!("{lead}{}", inner.join(" "))
        })
        .collect();
    let body = kept.join("\r\n");
    let body = body.trim_end_matches("\r\n");
    let body = if body.is_empty() { String::new() } else { format!("{body}\r\n") };
    if BASE64.encode(digest(&SHA256, body.as_bytes()).as_ref()) != tags["bh"] {
        return false;
    }
    let mut left: Vec<&(&str, String)> = lines.iter().skip(1).collect();
    let mut text = String::new();
    for name in tags["h"].split(':') {
        let Some(at) = left.iter().rposition(|(own, _)| own.eq_ignore_ascii_case(name)) else {
            continue;
        };
        let (own, value) = left.remove(at);
        text.push_str(&format!("{}:{value}\r\n", own.to_lowercase()));
    }
    let empty = signature.split("b=").last().unwrap();
    text.push_str(&format!("dkim-signature:{}", signature.strip_suffix(empty).unwrap().trim_end()));
    let bytes = BASE64.decode(tags["b"].as_bytes()).unwrap();
    match tags["a"].as_str() {
        "rsa-sha256" => {
            let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public);
            key.verify(text.as_bytes(), &bytes).is_ok()
        }
        "ed25519-sha256" => {
            let hashed = digest(&SHA256, text.as_bytes());
            UnparsedPublicKey::new(&ED25519, public).verify(hashed.as_ref(), &bytes).is_ok()
        }
        other => panic!("{other}"),
    }
}

fn signed(signer: &DkimSigner, mail: &str) -> String {
    let header = signer.header(mail.as_bytes(), Timestamp::UNIX_EPOCH).unwrap();
    assert!(header.lines().all(|line| line.len() < 100), "{header}");
    format!("{header}{mail}")
}

#[test]
fn a_signature_holds_until_something_that_counts_is_changed() {
    for (signer, public, _) in [ed25519(), rsa()] {
        let mail = signed(&signer, MAIL);
        assert!(is_verified(&mail, &public), "{mail}");
        for (from, to) in [
            ("One  line", "One line"),
            ("X-Other: not signed", "X-Other: changed"),
            ("  two@example.net", "\ttwo@example.net"),
            ("Two\r\n\r\n\r\n", "Two\r\n"),
            ("From: Quoin", "FROM:   Quoin"),
        ] {
            let changed = mail.replace(from, to);
            assert!(changed != mail && is_verified(&changed, &public), "{from}");
        }
        for (from, to) in [
            ("Two\r\n", "Three\r\n"),
            ("quoin@bills", "other@bills"),
            ("Message-ID: <1@", "Message-ID: <2@"),
            ("X-Other: not signed", "From: somebody@else.example"),
            ("X-Other: not signed", "Subject: another"),
        ] {
            let changed = mail.replacen(from, to, 1);
            assert!(changed != mail && !is_verified(&changed, &public), "{to}");
        }
        for other in ["a: b\r\nFrom: a@b.example\r\n\r\n", "From: a@b.example\r\n\r\n\r\n\r\n"] {
            assert!(is_verified(&signed(&signer, other), &public), "{other:?}");
        }
    }
}

#[test]
fn it_signs_for_its_domain_and_those_below() {
    let (signer, _, _) = ed25519();
    for (domain, own) in [
        ("example.org", true),
        ("Bills.Example.ORG", true),
        ("badexample.org", false),
        ("example.net", false),
        ("org", false),
    ] {
        assert_eq!(signer.is_of(domain), own, "{domain}");
    }
}

#[test]
fn a_key_that_cannot_sign_is_told() {
    assert!(key_of(b"no key").is_err());
    let section = DkimSection { domain: "a.example".into(), ..DkimSection::default() };
    let error = DkimSigner::open(&section).unwrap_err().to_string();
    assert!(error.contains("one of them"), "{error}");
    let file = Some("/nowhere/dkim.pem".into());
    let error = DkimSigner::open(&DkimSection { key_file: file, ..section }).unwrap_err();
    assert!(error.to_string().contains("/nowhere/dkim.pem"), "{error}");
}

/// Asks dkimpy whether a mail verifies with what stands in the DNS.
const ASK: &str = "import sys, dkim
record = sys.argv[1].encode()
sys.exit(0 if dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: record) else 1)";

/// The Python of the system: its packages, and not those of whoever runs the test.
const PYTHON: &str = "/usr/bin/python3";

#[test]
fn others_verify_it() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PYTHON);
        command.args(arguments).stdin(Stdio::piped()).stderr(Stdio::null());
        command.spawn().ok()
    };
    let installed = run(&["-c", "import dkim, nacl"])
        .is_some_and(|mut child| child.wait().is_ok_and(|status| status.success()));
    if !installed {
        quoin_testing::skipped("python3-dkim");
        return;
    }
    for (signer, _, record) in [ed25519(), rsa()] {
        let mail = signed(&signer, MAIL);
        for (text, expected) in [(mail.clone(), true), (mail.replace("Two", "Three"), false)] {
            let mut child = run(&["-c", ASK, &record]).unwrap();
            child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
            assert_eq!(child.wait().unwrap().success(), expected, "{text}");
        }
    }
}
