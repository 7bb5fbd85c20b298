//! Packages as they are really sent, and as they must not be.

use super::*;

const TYPE: &str = "multipart/related; boundary=b";

fn bodies(content_type: &str, body: &str) -> Result<Vec<String>, MimeError> {
    let parts = parse(content_type, body.as_bytes())?;
    Ok(parts.iter().map(|part| String::from_utf8(part.body.to_vec()).unwrap()).collect())
}

#[test]
fn a_soap_message_alone_is_one_part() {
    for content_type in ["application/soap+xml", "Application/SOAP+XML; charset=utf-8"] {
        assert_eq!(bodies(content_type, "<x/>").unwrap(), ["<x/>"]);
    }
}

#[test]
fn parts_lie_between_their_delimiter_lines() {
    let body = "preamble\r\n--b\r\nA: 1\r\n\r\none\r\n\r\n--b\r\n\r\ntwo--b\r\n--b-- \r\nepilogue";
    assert_eq!(bodies(TYPE, body).unwrap(), ["one\r\n", "two--b"]);
}

#[test]
fn bare_line_feeds_and_padded_delimiters_are_read() {
    let body = "--b \t\nA: 1\n\none\n--b\n\ntwo\n--b--";
    assert_eq!(bodies(TYPE, body).unwrap(), ["one", "two"]);
}

#[test]
fn binary_content_keeps_every_byte() {
    let content: Vec<u8> = (0..=255).chain([13, 10, 45, 45]).collect();
    let body = [b"--b\r\n\r\n".as_slice(), &content, b"\r\n--b--"].concat();
    let parts = parse(TYPE, &body).unwrap();
    assert_eq!(parts[0].body.as_ref(), content);
    assert!(matches!(parts[0].body, Cow::Borrowed(_)));
}

#[test]
fn a_longer_boundary_is_not_a_delimiter() {
    let body = "--b\r\n\r\none\r\n--bb\r\n--b\r\n\r\ntwo\r\n--b--";
    assert_eq!(bodies(TYPE, body).unwrap(), ["one\r\n--bb", "two"]);
}

#[test]
fn the_boundary_is_quoted_or_not_and_named_in_any_case() {
    let body = "--a;b\r\n\r\none\r\n--a;b--";
    let content_type = "Multipart/Related; type=\"x; boundary=no\"; BOUNDARY = \"a;b\"; z=1";
    assert_eq!(bodies(content_type, body).unwrap(), ["one"]);
    // A backslash in quotes stands before a character that is meant as it is.
    let content_type = r#"multipart/related; type="a\"; boundary=no"; boundary="a\;b""#;
    assert_eq!(bodies(content_type, body).unwrap(), ["one"]);
    let open = r#"multipart/related; boundary="a;b\""#;
    assert_eq!(bodies(open, body), Err(MimeError::Boundary));
}

#[test]
fn the_root_is_the_part_that_start_names() {
    let body = "--b\r\nContent-ID: <1>\r\n\r\none\r\n--b\r\nContent-ID: <2>\r\n\r\ntwo\r\n\
                --b\r\nContent-ID: <3>\r\n\r\nthree\r\n--b--";
    let with = |start: &str| bodies(&format!("{TYPE}; start={start}"), body);
    assert_eq!(with("\"<1>\"").unwrap(), ["one", "two", "three"]);
    assert_eq!(with("\"<3>\"").unwrap(), ["three", "one", "two"]);
    assert_eq!(with("2").unwrap(), ["two", "one", "three"]);
    assert_eq!(with("\"<4>\"").unwrap_err(), MimeError::Start("4".to_owned()));
}

#[test]
fn headers_are_named_in_any_case_and_may_be_folded() {
    let body = "--b\r\nCONTENT-id:\r\n <x@y>\r\nX-Long: one\r\n\ttwo\r\n\r\n\r\n--b--";
    let parts = parse(TYPE, body.as_bytes()).unwrap();
    assert_eq!(parts[0].content_id(), Some("x@y"));
    assert_eq!(parts[0].header("x-long"), Some("one two"));
    assert_eq!(parts[0].header("absent"), None);
    assert_eq!(parts[0].body.as_ref(), b"");
}

#[test]
fn base64_is_undone() {
    let body = "--b\r\nContent-Transfer-Encoding: BASE64\r\n\r\nb25l\r\nIHR3bw==\r\n--b--";
    assert_eq!(bodies(TYPE, body).unwrap(), ["one two"]);
    for known in ["binary", "8bit", "7Bit"] {
        let body = format!("--b\r\nContent-Transfer-Encoding: {known}\r\n\r\nb25l\r\n--b--");
        assert_eq!(bodies(TYPE, &body).unwrap(), ["b25l"]);
    }
}

#[test]
fn what_cannot_be_taken_apart_says_why() {
    use MimeError as E;
    let error = |content_type: &str, body: &str| bodies(content_type, body).unwrap_err();
    assert_eq!(error("text/html", ""), E::ContentType("text/html".to_owned()));
    assert_eq!(error("", ""), E::ContentType(String::new()));
    assert_eq!(error("multipart/related", ""), E::Boundary);
    assert_eq!(error("multipart/related; boundary=\"\"", ""), E::Boundary);
    assert_eq!(error(&format!("{TYPE}{}", "x".repeat(70)), ""), E::Boundary);
    assert_eq!(error("multipart/related; boundary=\"b", ""), E::Boundary);
    for cut in ["", "--b", "--b\r\n\r\none", "--b\r\n\r\none\r\n--b\r\n", "--b--", "x--b\r\n\r\n"] {
        assert_eq!(error(TYPE, cut), E::Truncated, "{cut:?}");
    }
    assert_eq!(error(TYPE, "--b\r\nno colon\r\n\r\none\r\n--b--"), E::Headers(1));
    assert_eq!(error(TYPE, "--b\r\n folded: first\r\n\r\none\r\n--b--"), E::Headers(1));
    assert_eq!(error(TYPE, "--b\r\nA: no end\r\n--b--"), E::Headers(1));
    let encoded = |name: &str, text: &str| {
        error(TYPE, &format!("--b\r\nContent-Transfer-Encoding: {name}\r\n\r\n{text}\r\n--b--"))
    };
    let refused = |name: &str| E::TransferEncoding { part: 1, encoding: name.to_owned() };
    assert_eq!(encoded("base64", "?"), refused("base64"));
    assert_eq!(encoded("quoted-printable", "x"), refused("quoted-printable"));
}

#[test]
fn parts_and_headers_are_limited() {
    let many = |count: usize| format!("{}--b--", "--b\r\n\r\nx\r\n".repeat(count));
    assert_eq!(bodies(TYPE, &many(PARTS)).unwrap().len(), PARTS);
    assert_eq!(bodies(TYPE, &many(PARTS + 1)).unwrap_err(), MimeError::TooManyParts);
    let long = |length: usize| format!("--b\r\nA: {}\r\n\r\nx\r\n--b--", "y".repeat(length));
    assert_eq!(bodies(TYPE, &long(HEADER_BYTES - 10)).unwrap(), ["x"]);
    assert_eq!(bodies(TYPE, &long(HEADER_BYTES)).unwrap_err(), MimeError::Headers(1));
}

#[test]
fn a1_what_looks_like_a_delimiter_is_looked_at_for_a_few_bytes() {
    // Two of these froze every listener: each `--a` was followed to the end of the body.
    let body = format!("x{}", "--a".repeat(400_000));
    let found = parse("multipart/related; boundary=a", body.as_bytes()).map(|parts| parts.len());
    assert_eq!(found, Err(MimeError::Truncated));
    let padded = |spaces: usize| format!("--b{}\nA: 1\n\none\n--b--", " ".repeat(spaces));
    assert_eq!(bodies(TYPE, &padded(PADDING - 1)).unwrap(), ["one"]);
    assert!(bodies(TYPE, &padded(PADDING)).is_err(), "no line is padded so");
}
