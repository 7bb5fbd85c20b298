//! What is the document of a file, and what stands beside it.

use super::*;

const ORDER: &str = "<SCRDMCCBDACIOMessageStructure xmlns='urn:un:unece:uncefact:data:SCRDMCCBDACIO\
    MessageStructure:100'/>";

/// A PDF without a cross-reference with these files: name, relationship, content.
fn hybrid(files: &[(&str, &str, &str)]) -> Vec<u8> {
    let (mut names, mut objects) = (String::new(), String::new());
    for (at, (name, relationship, content)) in files.iter().enumerate() {
        let (number, stream) = (2 * at + 2, 2 * at + 3);
        names.push_str(&format!("({name}) {number} 0 R"));
        objects.push_str(&format!(
            "{number} 0 obj\n<</Type/Filespec/F({name})/AFRelationship/{relationship}\
             /EF<</F {stream} 0 R>>>>\nendobj\n{stream} 0 obj\n<</Length {}>>\nstream\n{content}\n\
             endstream\nendobj\n",
            content.len()
        ));
    }
    let catalogue = format!("<</Type/Catalog/Names<</EmbeddedFiles<</Names[{names}]>>>>>>");
    format!("%PDF-1.7\n1 0 obj\n{catalogue}\nendobj\n{objects}trailer\n<</Root 1 0 R>>\n").into()
}

fn names<'i>(inner: &'i [InnerDocument<'_>]) -> Vec<&'i str> {
    inner.iter().map(|inner| inner.name.as_deref().unwrap_or("-")).collect()
}

#[test]
fn the_document_of_a_pdf_has_the_name_of_a_standard() {
    let other = CII.replace("2017", "2016");
    let (ours, theirs) = (CII, other.as_str());
    let named = ("factur-x.xml", "Alternative", ours);
    for (files, documents) in [
        (&[("a.xml", "Supplement", ORDER), named][..], &["factur-x.xml"][..]),
        (&[("a.xml", "Supplement", theirs), named], &["factur-x.xml"]),
        // The name goes before the relationship, which goes before nothing.
        (
            &[("a.xml", "Alternative", theirs), ("FACTUR-X.XML", "Supplement", ours)],
            &["FACTUR-X.XML"],
        ),
        (&[("order-x.xml", "Supplement", ORDER), named], &["factur-x.xml"]),
        (&[("a.xml", "Supplement", theirs), ("b.xml", "Data", ours)], &["b.xml"]),
        (&[("log.xml", "Source", "<log/>"), ("b.xml", "Unspecified", ours)], &["b.xml"]),
        // Nothing tells which of two it is.
        (
            &[("zugferd-invoice.xml", "Alternative", theirs), named][..],
            &["factur-x.xml", "zugferd-invoice.xml"],
        ),
        (&[("a.xml", "Unspecified", theirs), ("b.xml", "Unspecified", ours)], &["a.xml", "b.xml"]),
        (&[("a.xml", "Unspecified", "<a/>")], &["a.xml"]),
    ] {
        let bytes = hybrid(files);
        let unwrapped = open(&bytes);
        let mut found = names(&unwrapped.documents);
        found.sort_unstable();
        assert_eq!(found, documents, "{files:?}");
        let all = unwrapped.documents.len() + unwrapped.attachments.len();
        assert_eq!((all, unwrapped.closed), (files.len(), vec![]), "{files:?}");
        let read = crate::inside(&bytes);
        assert_eq!(read.is_some(), documents.len() == 1, "{files:?}");
    }
}

#[test]
fn what_is_no_document_is_put_aside() {
    let picture = pdf("picture.png", b"x", "BASIC", Reference::Table);
    let office = zip(&[Entry("[Content_Types].xml", b"<a/>", 8, 0)]);
    let page = b"<!DOCTYPE html><html><body>hi</body></html>";
    let file = zip(&[
        Entry("readme.txt", b"hello", 8, 0),
        Entry("page.html", page, 8, 0),
        Entry("a.pdf", &picture, 8, 0),
        Entry("a.docx", &office, 8, 0),
        Entry("a.xml.p7s", &cms(None, true), 8, 0),
        Entry("data.json", b"{\"a\": 1}", 8, 0),
        Entry("1.xml", INVOICE, 8, 0),
        Entry("other.xml", b"<other/>", 8, 0),
        Entry("broken.xml", b"hello", 8, 0),
    ]);
    let unwrapped = open(&file);
    assert_eq!(names(&unwrapped.documents), ["1.xml", "other.xml", "broken.xml"]);
    let aside = ["readme.txt", "page.html", "a.pdf", "a.docx", "a.xml.p7s", "data.json"];
    assert_eq!((names(&unwrapped.attachments), unwrapped.closed), (aside.to_vec(), vec![]));
    // What does not open for another reason is told.
    let damaged = zip(&[Entry("1.xml", INVOICE, 8, 0), Entry("a.pdf", b"%PDF-1.4\n", 8, 0)]);
    let unwrapped = open(&damaged);
    assert_eq!((unwrapped.documents.len(), unwrapped.closed.len()), (2, 1));
    // Without a document nothing is beside one.
    let none = zip(&[Entry("readme.txt", b"hello", 8, 0), Entry("a.pdf", &picture, 8, 0)]);
    let unwrapped = open(&none);
    assert_eq!((unwrapped.documents.len(), unwrapped.attachments.len()), (2, 0));
}

#[test]
fn a_mail_is_opened_whatever_its_header_begins_with() {
    let body = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary=\"b\"\r\n\r\npre\r\n\
                --b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\nContent-Type: application/xml;\
                name=a.xml\r\nContent-Transfer-Encoding: base64\r\n\r\nINVOICE\r\n--b--\r\n";
    let body = body.replace("INVOICE", &base64::encode(INVOICE));
    let many = "X-Spam: a long line of a mail server\r\n".repeat(200);
    for start in [
        "",
        "From: a@b\r\nTo: c@d\r\nSubject: x\r\n",
        "Received: from x by y;\r\n\tMon, 1 Jan 2024 10:00:00 +0000\r\nFrom: a@b\r\n",
        "Return-Path: <a@b>\n",
        many.as_str(),
    ] {
        let mail = format!("{start}{body}");
        for mail in [mail.clone(), mail.replace("\r\n", "\n")] {
            let unwrapped = open(mail.as_bytes());
            let found = (&*unwrapped.documents[0].bytes, unwrapped.attachments.len());
            assert_eq!(found, (INVOICE, 1), "{start}");
            assert!(crate::inside(mail.as_bytes()).is_some());
        }
    }
    for text in ["Note: this\nContent-Type: x\n", "From: a\n\nContent-Type: b\n", "a b: c\n\n"] {
        assert_eq!(crate::detect(text.as_bytes()).syntax, None, "{text}");
    }
}

#[test]
fn attachments_count_against_the_documents() {
    let many: Vec<_> = (0..20).map(|_| ("a.xml", "Supplement", ORDER)).collect();
    let file = hybrid(&[&many[..], &[("factur-x.xml", "Alternative", CII)]].concat());
    let archive = zip(&[Entry("a.pdf", &file, 0, 0), Entry("b.pdf", &file, 0, 0)]);
    let limits = UnwrapLimits { documents: 30, ..UnwrapLimits::default() };
    let unwrapped = unwrap(&archive, &limits);
    assert_eq!(unwrapped.documents.len() + unwrapped.attachments.len(), 30);
    assert!(unwrapped.closed.iter().all(|one| one.reason == UnopenedReason::TooMany(30)));
}
