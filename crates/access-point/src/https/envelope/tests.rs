//! The three forms of a body.

use serde_json::Value;

use super::*;

fn document() -> HandedDocument {
    HandedDocument {
        document_id: "0192".into(),
        party_id: "0106:12345678".into(),
        topic: "SendInvoice".into(),
        family: "Invoice".into(),
        format: "ubl".into(),
        number: "F-\"1\"\r\n".into(),
        sender: "0106:12345678".into(),
        recipient: "0106:87654321".into(),
        document_type_id: "a::b".into(),
        created_on: Some(Timestamp::UNIX_EPOCH),
        file_name: "0192.xml".into(),
        content_type: "application/xml".into(),
        ..HandedDocument::default()
    }
}

fn wrapped(form: DocumentForm, content: &'static [u8]) -> WrappedDocument {
    wrap(form, document(), &Bytes::from_static(content))
}

#[test]
fn the_body_is_the_document() {
    let found = wrapped(DocumentForm::Raw, b"<Invoice/>");
    assert_eq!(
        (&found.body[..], found.content_type.as_str()),
        (&b"<Invoice/>"[..], "application/xml")
    );
    let empty = wrapped(DocumentForm::Raw, b"");
    assert_eq!(empty.content_digest, "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
    assert!(empty.sha256.starts_with("e3b0c442"));
}

#[test]
fn json_has_the_document_in_base64_and_what_is_known_of_it() {
    let found = wrapped(DocumentForm::Json, b"<Invoice/>");
    let body: Value = serde_json::from_slice(&found.body).unwrap();
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    assert_eq!(BASE64.decode(text("content").as_bytes()).unwrap(), b"<Invoice/>");
    for (name, value) in [
        ("documentId", "0192"),
        ("topic", "SendInvoice"),
        ("number", "F-\"1\"\r\n"),
        ("recipient", "0106:87654321"),
        ("documentTypeId", "a::b"),
        ("fileName", "0192.xml"),
        ("contentType", "application/xml"),
        ("createdOn", "1970-01-01T00:00:00Z"),
    ] {
        assert_eq!(text(name), value, "{name}");
    }
    assert_eq!((body["size"].as_u64(), text("sha256")), (Some(10), found.sha256.clone()));
    assert!(body.get("details").is_none());
    assert_ne!(found.content_digest, wrapped(DocumentForm::Raw, b"<Invoice/>").content_digest);
}

#[test]
fn a_form_has_file_and_facts_as_this_interface_takes_them() {
    let found = wrapped(DocumentForm::Multipart, b"<Invoice/>\r\n--0\r\n");
    let boundary = found.content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body = String::from_utf8(found.body.to_vec()).unwrap();
    let parts: Vec<&str> = body.split(&format!("--{boundary}")).collect();
    assert_eq!((parts.len(), parts[0], parts[3]), (4, "", "--\r\n"));
    let (head, facts) = parts[1].split_once("\r\n\r\n").unwrap();
    assert!(head.contains("name=\"metaAttributes\""));
    let facts: BTreeMap<String, String> = serde_json::from_str(facts.trim()).unwrap();
    assert_eq!(facts["number"], "F-\"1\"\r\n", "what a document says ends no line of the form");
    assert_eq!((facts["sha256"].as_str(), facts["size"].as_str()), (found.sha256.as_str(), "17"));
    let (head, file) = parts[2].split_once("\r\n\r\n").unwrap();
    assert!(head.contains("name=\"file\"; filename=\"0192.xml\""), "{head}");
    assert_eq!(file, "<Invoice/>\r\n--0\r\n\r\n");
}

#[test]
fn a_document_makes_the_same_bytes_each_time() {
    for (form, word) in DocumentForm::ALL {
        let (one, other) = (wrapped(form, b"<Invoice/>"), wrapped(form, b"<Invoice/>"));
        assert_eq!((one.body, one.content_digest), (other.body, other.content_digest), "{word}");
    }
}
