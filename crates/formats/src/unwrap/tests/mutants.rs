//! Truncated and mutated containers: never a panic, never more than the limits.

use proptest::prelude::*;

use super::*;

/// One of each kind of file that is looked into.
fn seeds() -> Vec<Vec<u8>> {
    let signed = cms(Some(INVOICE), true);
    vec![
        INVOICE[..1_500].to_vec(),
        pdf("factur-x.xml", CII.as_bytes(), "EN 16931", Reference::Table),
        pdf("factur-x.xml", CII.as_bytes(), "BASIC", Reference::Stream),
        pdf("factur-x.xml", CII.as_bytes(), "BASIC", Reference::Broken),
        zip(&[Entry("a.xml", INVOICE, 8, 0), Entry("b.p7m", &signed, 0, 0)]),
        cms(Some(CII.as_bytes()), false),
        cms(Some(CII.as_bytes()), true),
        base64::encode(&cms(Some(CII.as_bytes()), false)).into_bytes(),
        multipart(&[("Content-Type: text/xml", CII.as_bytes()), ("a: b", b"c")], true),
        multipart(&[("Content-Transfer-Encoding: quoted-printable", b"=3D=\r\n=x")], false),
        b"<!DOCTYPE cXML SYSTEM 'x' [<!ENTITY a 'b'>]><cXML a='b' c=\"d\"><Request/>".to_vec(),
        b"{\"$schema\": \"https://gobl.org/\", \"doc\": {\"a\": [1, \"b\\\"\"]}}".to_vec(),
        b"UNA:+.? 'UNB+UNOC:3+a+b'UNH+1+INVOIC:D:96A:UN'".to_vec(),
        b"ISA*00*GS*IN~ST*810~".to_vec(),
        samples::INVOICE[..400].encode_utf16().flat_map(u16::to_le_bytes).collect(),
    ]
}

fn bounded() -> UnwrapLimits {
    UnwrapLimits { unpacked: 1 << 20, documents: 20, ..UnwrapLimits::default() }
}

fn check(bytes: &[u8]) {
    let limits = bounded();
    let unwrapped = unwrap(bytes, &limits);
    let total: usize = unwrapped.documents.iter().map(|inner| inner.bytes.len()).sum();
    assert!(total <= bytes.len() * limits.documents + limits.unpacked);
    assert!(unwrapped.documents.len() <= limits.documents);
    assert!(!unwrapped.documents.is_empty() || !unwrapped.closed.is_empty());
    assert!(unwrapped.documents.iter().all(|inner| !inner.detection.reasons.is_empty()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn mutants_are_answered(
        seed in 0_usize..15,
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
    ) {
        let mut bytes = seeds().swap_remove(seed);
        if !whole {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        for (at, byte) in changes {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        check(&bytes);
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&bytes);
        check(&[b"%PDF-1.4\n", &bytes[..]].concat());
        check(&[b"PK\x05\x06", &bytes[..]].concat());
        check(&[b"--b\n\n", &bytes[..]].concat());
        check(&[b"<a ", &bytes[..]].concat());
        check(&[b"{\"", &bytes[..]].concat());
    }

    /// Texts of the signs that the scanners look at.
    #[test]
    fn texts_of_signs_are_answered(text in "[<>!\\[\\]{}\"':,/?&;=()#a-c0-2 R%+*-]{0,300}") {
        check(text.as_bytes());
        for start in ["<!DOCTYPE ", "%PDF-1.7 1 0 obj<<", "{", "UNB+", "-----BEGIN CMS"] {
            check(format!("{start}{text}").as_bytes());
        }
    }
}

/// Documents that are nested, repeated or long in the one thing that a scanner follows.
#[test]
fn repeated_signs_take_linear_time() {
    for part in [
        "<",
        "<a",
        "<!--",
        "<![CDATA[",
        "<?",
        "[",
        "{",
        "(",
        "<<",
        "/A",
        "\"",
        "'",
        "1 0 obj ",
        " obj",
        "trailer<<",
        "startxref ",
        "xref 0 1 ",
        "--b\n",
        "=\n",
        "\\",
        "UNH",
        "&a;",
        "#",
        "0 ",
        "1 0 R ",
        "<a b='",
        "]]>",
        "endstream ",
        "PK\u{1}\u{2}",
        "stream\n",
    ] {
        let many = part.repeat(200_000 / part.len());
        check(many.as_bytes());
        for start in
            ["%PDF-1.4\n", "--b\n", "{", "<a><b>", "<!DOCTYPE a [", "-----BEGIN \n", "UNB+"]
        {
            check(format!("{start}{many}").as_bytes());
        }
    }
}
