//! Tests of `mailbox::mime`: mails as programs write them, and as nobody should.

use super::*;

fn read(text: &str) -> ParsedMail {
    ParsedMail::read(text.as_bytes()).unwrap()
}

fn shown(mail: &ParsedMail) -> Vec<(String, Option<String>, bool, String)> {
    let part = |part: &MailPart| {
        let text = String::from_utf8_lossy(&part.content).into_owned();
        (part.media_type.clone(), part.name.clone(), part.is_attachment, text)
    };
    mail.parts.iter().map(part).collect()
}

const NESTED: &str = "From: a@example.org\r\nSubject: =?utf-8?q?F=C3=BCr_Sie?=\r\n =?utf-8?B?w6TDtg==?=\r\n\
    Content-Type: multipart/mixed;\r\n boundary=\"out er\"\r\n\r\nfor old programs\r\n\
    --out er\r\nContent-Type: multipart/alternative; boundary=in\r\n\r\n\
    --in\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n\
    1 =3D 1, and =\r\nso on\r\n--in\r\nContent-Type: TEXT/HTML\r\n\r\n<p>\r\n--in--\r\n\
    --out er  \r\nContent-Type: application/xml; name=\"a (1).xml\"\r\n\
    Content-Disposition: attachment; filename*0*=utf-8''R%C3%A9; filename*1=\"chnung.xml\"\r\n\
    Content-Transfer-Encoding: BASE64\r\n\r\nPGEv\r\n Pg==\r\n--out er\r\n\r\nno head\r\n--out er--\r\nend\r\n";

#[test]
fn parts_are_found_and_decoded() {
    let mail = read(NESTED);
    assert_eq!(mail.headers.text("subject").unwrap(), "Für Sieäö");
    assert_eq!(mail.media_type, "multipart/mixed");
    let own = |kind: &str, name: Option<&str>, attached, text: &str| {
        (kind.to_owned(), name.map(str::to_owned), attached, text.to_owned())
    };
    assert_eq!(
        shown(&mail),
        [
            own("text/plain", None, false, "1 = 1, and so on"),
            own("text/html", None, false, "<p>"),
            own("application/xml", Some("Réchnung.xml"), true, "<a/>"),
            own("text/plain", None, false, "no head"),
        ]
    );
    let unix = read(&NESTED.replace("\r\n", "\n"));
    assert_eq!(shown(&unix)[2], shown(&mail)[2]);
    let begins = mail.parts[2].begins_at;
    assert!(NESTED[begins..].starts_with("PGEv"), "{begins}");
}

#[test]
fn a_mail_without_parts_is_one() {
    let mail = read("Content-Type: text/xml\r\n\r\n<a/>\r\n");
    assert_eq!(mail.parts.len(), 1);
    assert_eq!(&mail.parts[0].content[..], b"<a/>\r\n");
    for odd in ["", "\r\n", "no header", ": x\r\n\r\ny", "\u{0}"] {
        assert_eq!(read(odd).parts.len(), 1, "{odd:?}");
    }
}

#[test]
fn a_name_is_read_in_every_way_that_is_written() {
    for (header, name) in [
        ("Content-Type: a/b; name=plain.xml", "plain.xml"),
        ("Content-Type: a/b; name=\"=?iso-8859-1?Q?f=FCr.xml?=\"", "für.xml"),
        ("Content-Disposition: attachment; filename=\"a\\\"b;c.xml\"", "a\"b;c.xml"),
        ("Content-Disposition: attachment; filename*=UTF-8''%e2%82%ac.xml", "€.xml"),
        ("Content-Disposition: attachment; filename*0=a; filename*1=b.xml", "ab.xml"),
        ("Content-Disposition: (see)attachment (of (us)) ; FileName = x.xml", "x.xml"),
        ("Content-Disposition: attachment; filename=\"=?utf-8?B?YQ==?= =?utf-8?B?Yg==?=\"", "ab"),
    ] {
        assert_eq!(
            read(&format!("{header}\r\n\r\n")).parts[0].name.as_deref(),
            Some(name),
            "{header}"
        );
    }
}

#[test]
fn what_is_cut_off_or_broken_comes_to_something() {
    let cut = &NESTED[..NESTED.find("PGEv").unwrap() + 4];
    assert_eq!(shown(&read(cut))[2].3, "<a/");
    for (encoding, text, expected) in [
        ("base64", "!!!", ""),
        ("base64", "YQ==YQ==", "aa"),
        ("quoted-printable", "=", "="),
        ("quoted-printable", "=ZZ=4", "=ZZ=4"),
        ("x-unknown", "as it is", "as it is"),
    ] {
        let mail = read(&format!("Content-Transfer-Encoding: {encoding}\r\n\r\n{text}"));
        assert_eq!(shown(&mail)[0].3, expected, "{encoding} {text}");
    }
    let subject = |text: &str| read(&format!("Subject: {text}\r\n\r\n")).headers.text("subject");
    for odd in ["=?", "=?utf-8?", "=?utf-8?X?a?=", "=?utf-8?Q?never ends"] {
        assert_eq!(subject(odd).as_deref(), Some(odd));
    }
}

#[test]
fn what_a_mail_costs_is_bounded() {
    let headed = |head: String| ParsedMail::read(head.as_bytes()).map(drop);
    assert_eq!(headed("a: b\r\n".repeat(1_001)), Err(LetterError::Head));
    assert_eq!(headed("a".repeat(HEAD + 1)), Err(LetterError::Head));
    let many =
        format!("Content-Type: multipart/mixed; boundary=b\r\n\r\n{}", "--b\r\n\r\n".repeat(500));
    assert_eq!(headed(many), Err(LetterError::Parts));
    let deep: String = (0..12)
        .map(|level| {
            format!("Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n")
        })
        .collect();
    assert_eq!(headed(deep), Err(LetterError::Depth));
    assert_eq!(
        headed("Content-Type: multipart/mixed\r\n\r\n".to_owned()),
        Err(LetterError::Boundary)
    );
}
