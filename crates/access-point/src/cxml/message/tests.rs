//! Tests of `message`: header, definition, files, and the same bytes each time.

use super::*;

const INVOICE: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE cXML SYSTEM \"http://x/I.dtd\">\n\
    <cXML payloadID=\"1\" timestamp=\"2026-01-01\" version=\"1.2.037\" xml:lang=\"und\">\
    <Header><From/><To/><Sender/></Header><Request><InvoiceDetailRequest>\
    <A b=\"&lt;&quot;\">x &amp; y</A></InvoiceDetailRequest></Request></cXML>";

fn ends() -> CxmlEnds {
    let account = CxmlCredential::account;
    CxmlEnds { from: account("S&"), to: account("B"), sender: account("H") }
}

fn message(document: &str, files: &[FileBeside]) -> Result<CxmlMessage, String> {
    made(document, files, &[])
}

fn made(document: &str, files: &[FileBeside], named: &[CxmlEnds]) -> Result<CxmlMessage, String> {
    let ends = ends();
    let posting = CxmlPosting {
        payload_id: "id\"<@quoin.example",
        timestamp: "2026-02-03T04:05:06.789Z".parse().unwrap(),
        ends: &ends,
        secret: &Secret::new("a<b&c"),
        mode: PartnerMode::Test,
        files,
        named,
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
fn a_document_of_somebody_else_is_not_sent_as_ours() {
    let credential = |domain: &str, identity: &str| {
        format!("<Credential domain=\"{domain}\"><Identity>{identity}</Identity></Credential>")
    };
    let test = CxmlEnds { to: CxmlCredential::account("B-T"), ..ends() };
    let named = [ends(), test];
    for (from, to, word) in [
        (String::new(), String::new(), ""),
        (credential("networkid", "S&amp;"), credential("NetworkID", " B "), ""),
        (credential("DUNS", "1") + &credential("NetworkID", "S&amp;"), String::new(), ""),
        (String::new(), credential("NetworkID", "B-T"), ""),
        (
            String::new(),
            credential("NetworkID", "C"),
            "NetworkID:C as To, and the hook NetworkID:B",
        ),
        (String::new(), credential("DUNS", "B"), "DUNS:B as To"),
        (credential("NetworkID", "X"), credential("NetworkID", "B"), "NetworkID:X as From"),
    ] {
        let document = INVOICE
            .replace("<From/>", &format!("<From>{from}</From>"))
            .replace("<To/>", &format!("<To>{to}</To>"));
        match made(&document, &[], &named) {
            Ok(_) => assert_eq!(word, "", "{from} {to}"),
            Err(why) => assert!(!word.is_empty() && why.contains(word), "{why}"),
        }
        assert!(message(&document, &[]).is_ok(), "what was converted has a header of ours");
    }
}

#[test]
fn a_message_is_one_request_and_keeps_its_language() {
    let twice =
        INVOICE.replace("</InvoiceDetailRequest>", "</InvoiceDetailRequest><ProfileRequest/>");
    assert!(message(&twice, &[]).err().unwrap().contains("several requests"));
    for (own, written) in [("nl-BE", "nl-BE"), ("und", "en"), ("\u{e4}", "en"), ("x", "en")] {
        let document = INVOICE.replace("xml:lang=\"und\"", &format!("xml:lang=\"{own}\""));
        let text = String::from_utf8(message(&document, &[]).unwrap().body.to_vec()).unwrap();
        assert!(text.contains(&format!("xml:lang=\"{written}\">\n<Header>")), "{own}: {text}");
    }
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
