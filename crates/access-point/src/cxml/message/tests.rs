//! Tests of `message`: header, definition, files, and the same bytes each time.

use super::*;

const INVOICE: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE cXML SYSTEM \"http://x/I.dtd\">\n\
    <cXML payloadID=\"1\" timestamp=\"2026-01-01\" version=\"1.2.037\" xml:lang=\"und\">\
    <Header><From/><To/><Sender/></Header><Request><InvoiceDetailRequest>\
    <A b=\"&lt;&quot;\">x &amp; y</A></InvoiceDetailRequest></Request></cXML>";

fn message(document: &str, files: &[FileBeside]) -> Result<CxmlMessage, String> {
    let account = CxmlCredential::account;
    let ends = CxmlEnds { from: account("S&"), to: account("B"), sender: account("H") };
    let posting = CxmlPosting {
        payload_id: "id\"<@quoin.example",
        timestamp: "2026-02-03T04:05:06.789Z".parse().unwrap(),
        ends: &ends,
        secret: &Secret::new("a<b&c"),
        mode: PartnerMode::Test,
        files,
    };
    CxmlMessage::of(document.as_bytes(), &posting)
}

fn file(name: &str, media_type: &str, content: &[u8]) -> FileBeside {
    FileBeside {
        content_id: "file-1".to_owned(),
        name: name.to_owned(),
        media_type: media_type.to_owned(),
        content: content.to_vec(),
    }
}

#[test]
fn the_header_is_ours_and_the_request_the_documents() {
    let made = message(INVOICE, &[]).unwrap();
    assert_eq!(made.content_type, "text/xml; charset=UTF-8");
    let text = String::from_utf8(made.body.to_vec()).unwrap();
    for part in [
        "<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/schemas/cXML/1.2.037/InvoiceDetail.dtd\">",
        "payloadID=\"id&quot;&lt;@quoin.example\" timestamp=\"2026-02-03T04:05:06+00:00\"",
        "<From><Credential domain=\"NetworkID\"><Identity>S&amp;</Identity></Credential></From>",
        "<Identity>H</Identity><SharedSecret>a&lt;b&amp;c</SharedSecret></Credential><UserAgent>Quoin",
        "<Request deploymentMode=\"test\">\n<InvoiceDetailRequest><A b=\"&lt;&quot;\">x &amp; y</A>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("<Header>").count(), 1);
    assert!(!text.contains("und"));
    // What is written is read again.
    let read = quoin_formats::read(text.as_bytes());
    assert_eq!(read.root().unwrap().attribute("payloadID"), Some("id\"<@quoin.example"));
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let files = [file("a.pdf", "application/pdf", b"pdf")];
    assert!(message(INVOICE, &files).unwrap() == message(INVOICE, &files).unwrap());
}

#[test]
fn files_are_parts_that_no_name_can_break() {
    let bad = "a\"\r\nX: y/ü.pdf";
    let made = message(INVOICE, &[file(bad, "text/html\r\nX: y", &[b'x'; 100])]).unwrap();
    let text = String::from_utf8(made.body.to_vec()).unwrap();
    let boundary = made.content_type.split('"').nth(1).unwrap();
    assert!(boundary.starts_with("=_") && made.content_type.contains("start=\"<message>\""));
    assert_eq!(text.matches(&format!("--{boundary}")).count(), 3, "{text}");
    assert!(text.ends_with(&format!("--{boundary}--\r\n")));
    assert!(text.contains("Content-ID: <file-1>\r\n"));
    assert!(text.contains("filename=\"a___X_ y__.pdf\""), "{text}");
    assert!(text.contains("Content-Type: application/octet-stream\r\n"));
    assert!(text.lines().all(|line| !line.starts_with("X:")), "{text}");
}

#[test]
fn what_is_no_request_is_refused() {
    for other in ["", "<Invoice/>", "<cXML><Response/></cXML>", "<cXML><Request/></cXML>", "{}"] {
        assert!(message(other, &[]).is_err(), "{other}");
    }
}
