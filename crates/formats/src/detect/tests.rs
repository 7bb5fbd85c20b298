//! Detection: syntax by the document element, profile by the identifier, and files that are no XML.

use super::*;
use crate::detection::{SBDH, Wrapper};
use crate::samples;
use crate::{DocumentKind, Syntax};

#[test]
fn the_samples_are_what_they_are() {
    for (text, syntax, profile) in [
        (samples::INVOICE, Syntax::UblInvoice, "peppol-bis3"),
        (samples::CREDIT_NOTE, Syntax::UblCreditNote, "peppol-bis3"),
        (samples::NLCIUS_INVOICE, Syntax::UblInvoice, "nlcius"),
        (samples::SELF_BILLED_INVOICE, Syntax::UblInvoice, "peppol-bis3-selfbilling"),
        (samples::SELF_BILLED_CREDIT_NOTE, Syntax::UblCreditNote, "peppol-bis3-selfbilling"),
    ] {
        let found = detect(text.as_bytes());
        assert_eq!(found.syntax, Some(syntax));
        assert_eq!(found.profile.as_deref(), Some(profile));
        assert_eq!(found.certainty, Certainty::Exact);
        assert!(found.well_formed && !found.enveloped && !found.reasons.is_empty());
    }
}

#[test]
fn steps_into_an_envelope() {
    let body = samples::INVOICE.split_once("?>").unwrap().1;
    let text = format!(
        "<sh:StandardBusinessDocument xmlns:sh='{SBDH}'><sh:StandardBusinessDocumentHeader/>\
         {body}</sh:StandardBusinessDocument>"
    );
    let parsed = read(text.as_bytes());
    assert!(parsed.detection().enveloped);
    assert_eq!(parsed.detection().wrappers, [Wrapper::Sbdh]);
    assert_eq!(parsed.detection().profile.as_deref(), Some("peppol-bis3"));
    assert_eq!(parsed.header().unwrap().number.as_deref(), Some("F2026-0001"));

    let empty = format!("<sh:StandardBusinessDocument xmlns:sh='{SBDH}'/>");
    let found = detect(empty.as_bytes());
    assert_eq!((found.enveloped, found.syntax), (false, Some(Syntax::Sbdh)));
    assert_eq!(found.kind, Some(DocumentKind::Envelope));
}

#[test]
fn a_prefixed_document_element_is_the_same_document() {
    let text = samples::INVOICE
        .replace("<Invoice xmlns=", "<inv:Invoice xmlns:inv=")
        .replace("</Invoice>", "</inv:Invoice>")
        .replace("cbc:", "b:")
        .replace("xmlns:cbc", "xmlns:b");
    let found = detect(text.as_bytes());
    assert_eq!(found.profile.as_deref(), Some("peppol-bis3"));
    assert_eq!(found.root.unwrap().prefix, "inv");
}

#[test]
fn unreadable_files_say_why() {
    for (bytes, syntax) in [
        (&b""[..], None),
        (b"hello", None),
        (b"hello <Finvoice/>", None),
        (b"<a>", None),
        (b"<", None),
        (b"%PDF-1.7\n", Some(Syntax::Pdf)),
        (b"junk before\n%PDF-1.7\n", Some(Syntax::Pdf)),
        (b"PK\x03\x04", Some(Syntax::Zip)),
        (b"\x30\x82\x01\x00\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", Some(Syntax::Cms)),
        (b"\x30\x82\x01\x00\x02\x01\x00", None),
        (b"MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgB", Some(Syntax::Cms)),
        (b"-----BEGIN CERTIFICATE-----\nMIIB", None),
        (b"-----BEGIN PKCS7-----\nMIIB", Some(Syntax::Cms)),
        (b"-- a comment\nselect 1", None),
        (b"--b\r\n\r\n<a/>\r\n--b--", Some(Syntax::Mime)),
        (b"{\"a\":1}", Some(Syntax::Json)),
        (b"UNB+UNOC:3", Some(Syntax::Edifact)),
        (
            b"<?xml version='1.0'?><!DOCTYPE cXML SYSTEM 'http://xml.cxml.org/x.dtd'><cXML/>",
            Some(Syntax::Cxml),
        ),
        (b"<!DOCTYPE a><a/>", None),
        (b"<!DOCTYPE", None),
        (b"<!DOCTYPE a [", None),
    ] {
        let found = detect(bytes);
        assert_eq!(found.syntax, syntax, "{:?}", found.reasons);
        assert!(!found.well_formed && !found.reasons.is_empty());
    }
}

#[test]
fn cxml_is_told_without_following_its_definition() {
    let text = "<?xml version='1.0'?>\n<!-- <no/> -->\n<!DOCTYPE cXML PUBLIC \"p\" \
                \"http://xml.cxml.org/schemas/cXML/1.2.050/InvoiceDetail.dtd\" \
                [<!ENTITY a 'x>'><!ENTITY b \"&a;&a;\">]><cXML payloadID='1'><Header/>\
                <Request><InvoiceDetailRequest><InvoiceDetailRequestHeader \
                purpose='creditMemo'>&b;</InvoiceDetailRequestHeader>";
    let found = detect(text.as_bytes());
    assert_eq!((found.syntax, found.well_formed), (Some(Syntax::Cxml), false));
    assert_eq!(found.kind, Some(DocumentKind::CreditNote));
    assert_eq!(found.version.as_deref(), Some("1.2.050"));
    let doctype = found.doctype.unwrap();
    assert!(doctype.internal_subset && doctype.name == "cXML");
    assert!(doctype.system_id.unwrap().ends_with("InvoiceDetail.dtd"));

    let plain = "<cXML version='1.2.011'><Header/><Request><OrderRequest/></Request></cXML>";
    let found = detect(plain.as_bytes());
    assert_eq!((found.syntax, found.kind), (Some(Syntax::Cxml), Some(DocumentKind::Order)));
    assert_eq!(found.version.as_deref(), Some("1.2.011"));
}

#[test]
fn broken_xml_is_named_by_its_first_tag() {
    let body = &samples::INVOICE[..samples::INVOICE.len() / 2];
    let found = detect(body.as_bytes());
    assert_eq!((found.syntax, found.well_formed), (Some(Syntax::UblInvoice), false));
    assert_eq!(found.root.unwrap().local, "Invoice");
    assert_eq!(found.profile.as_deref(), Some("peppol-bis3"));
    assert_eq!(found.certainty, Certainty::Likely);

    let latin = b"\n<?xml version='1.0' encoding='ISO-8859-1'?><p:FatturaElettronica versione='x' \
        xmlns:p=\"http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2\" a='\xe9>'/>";
    assert_eq!(detect(latin).syntax, Some(Syntax::FatturaPa));
}

#[test]
fn utf_16_and_byte_order_marks() {
    let plain = samples::INVOICE.replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
    for little in [true, false] {
        let unit = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        let bytes: Vec<u8> = format!("\u{feff}{plain}").encode_utf16().flat_map(unit).collect();
        assert_eq!(detect(&bytes).profile.as_deref(), Some("peppol-bis3"));
        let cut = detect(&bytes[..bytes.len() / 2]);
        assert_eq!((cut.syntax, cut.well_formed), (Some(Syntax::UblInvoice), false));
    }
    let marked = format!("\u{feff}{}", samples::INVOICE);
    assert_eq!(detect(marked.as_bytes()).certainty, Certainty::Exact);
}

#[test]
fn texts_that_are_not_xml() {
    let gobl = |kind: &str| {
        format!(
            "{{\"$schema\": \"https://gobl.org/draft-0/envelope\", \"doc\": {{\"$schema\": \
             \"https://gobl.org/draft-0/bill/invoice\", \"note\": \"a \\\"type\\\": {{\", \
             \"lines\": [{{\"type\": \"x\"}}], \"$tags\": [\"self-billed\"], \
             \"type\": \"{kind}\"}}}}"
        )
    };
    let ubl = "{\"_D\": \"urn:oasis:names:specification:ubl:schema:xsd:Order-2\", \"Order\": []}";
    let x12 = format!("ISA*{:<101}~GS*IN*a*b*20200101*1200*1*X*004010~ST*810*0001~", "00*");
    for (text, format, kind, version) in [
        (&gobl("standard"), "gobl", DocumentKind::Invoice, None),
        (&gobl("credit-note"), "gobl", DocumentKind::CreditNote, None),
        (&ubl.to_owned(), "ubl-json", DocumentKind::Order, None),
        (
            &"UNA:+.? 'UNB+UNOC:3+a+b'UNH+1+INVOIC:D:96A:UN:EAN008'".to_owned(),
            "edifact",
            DocumentKind::Invoice,
            Some("D.96A"),
        ),
        (
            &"UNB+UNOC:3+a+b'\nUNH+1+ORDERS:D:01B:UN'".to_owned(),
            "edifact",
            DocumentKind::Order,
            Some("D.01B"),
        ),
        (&x12, "x12", DocumentKind::Invoice, Some("004010")),
    ] {
        let found = detect(text.as_bytes());
        assert_eq!(found.format.as_deref(), Some(format), "{text}");
        assert_eq!(found.kind, Some(kind), "{text}: {:?}", found.reasons);
        assert_eq!(found.version.as_deref(), version, "{text}");
        assert_eq!(found.self_billing, format == "gobl", "{text}");
    }
}

#[test]
fn json_of_no_known_form_is_told_how_the_form_begins() {
    for text in ["{}", "{\"number\":\"1\"}", "{\"$schema\":\"urn:other\"}"] {
        let found = detect(text.as_bytes());
        assert_eq!(found.syntax, Some(Syntax::Json), "{text}");
        let last = found.reasons.last().map(String::as_str).unwrap_or_default();
        assert!(last.contains("urn:quoin:json:invoice:1"), "{text}: {last}");
    }
}

/// What its other members tell is read, so that what is wrong with it is told.
#[test]
fn json_that_is_plainly_the_form_is_told_what_is_missing_or_where_it_ends() {
    let whole = include_str!("../../samples/every-term.json");
    let plain = whole.replacen("\"$schema\": \"urn:quoin:json:invoice:1\",", "", 1);
    assert_ne!(plain, whole);
    let without = plain.replacen("\"number\": ", "\"projectName\": ", 1);
    for (text, wanted) in [
        (without.as_str(), "found none at /number"),
        (&plain[..plain.len() / 2], "found the end at /"),
    ] {
        let read = super::read(text.as_bytes());
        assert_eq!(read.detection().syntax, Some(Syntax::InvoiceJson));
        let why = read.why_unread().unwrap_or_default();
        assert!(why.contains(wanted), "{why}");
        let reasons = read.detection().reasons.join(" ");
        assert!(reasons.contains(wanted) && !reasons.contains("as XML"), "{reasons}");
    }
    let other = without.replacen("\"typeCode\"", "\"kind\"", 1);
    assert_eq!(detect(other.as_bytes()).syntax, Some(Syntax::Json));
}

#[test]
fn a_type_code_of_self_billing_in_a_billing_profile_is_told() {
    let text = samples::INVOICE.replace(">380<", ">389<");
    let found = detect(text.as_bytes());
    // It has a sister for that: the ends stay where the profile has them.
    assert!(!found.self_billing && found.profile.as_deref() == Some("peppol-bis3"));
    assert!(found.reasons.iter().any(|reason| reason.contains("the profile is not")));
    assert!(!detect(samples::INVOICE.as_bytes()).self_billing);
    assert!(detect(samples::SELF_BILLED_CREDIT_NOTE.as_bytes()).self_billing);
}

/// What was recorded before a field existed is still read.
#[test]
fn a_recorded_detection_is_read_again() {
    let found = detect(samples::NLCIUS_INVOICE.as_bytes());
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Detection>(&text).unwrap(), found);
    let old = "{\"wellFormed\":true,\"syntax\":\"ublInvoice\",\"certainty\":\"syntax\"}";
    let old: Detection = serde_json::from_str(old).unwrap();
    assert_eq!((old.syntax, old.kind), (Some(Syntax::UblInvoice), None));
}

#[test]
fn the_day_of_issue_is_read_in_every_syntax() {
    let day = |text: &str| super::read(text.as_bytes()).issue_date().map(|day| day.to_string());
    let cii = include_str!("../../samples/every-term-cii.xml");
    let written = "<udt:DateTimeString format=\"102\">";
    assert!(cii.contains(written));
    let at = cii.find("<ram:IssueDateTime>").unwrap();
    let digits = &cii[at + cii[at..].find(written).unwrap() + written.len()..][..8];
    let expected = format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]);
    assert_eq!(day(cii), Some(expected));
    assert!(day(crate::samples::INVOICE).is_some());
    assert_eq!(day("<a/>"), None);
}

/// An invoice in JSON says who issues it by its type code, as in any other syntax, or by its
/// specification.
#[test]
fn json_of_self_billing_is_detected() {
    let plain = |code: &str, more: &str| {
        format!(
            r#"{{"number":"1","issueDate":"2026-11-27","typeCode":"{code}","currency":"EUR",
                {more}"seller":{{"electronicAddress":{{"scheme":"0106","value":"1"}}}},
                "buyer":{{"electronicAddress":{{"scheme":"0106","value":"2"}}}}}}"#
        )
    };
    let named = |id: &str| format!("\"specification\":\"urn:cen.eu:en16931:2017#compliant#{id}\",");
    let own = named("urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0");
    let other = named("urn:fdc:peppol.eu:2017:poacc:billing:3.0");
    for (code, more, is_self_billing, kind) in [
        ("380", "", false, DocumentKind::Invoice),
        ("381", "", false, DocumentKind::CreditNote),
        ("389", "", true, DocumentKind::Invoice),
        ("261", "", true, DocumentKind::CreditNote),
        ("380", &own, true, DocumentKind::Invoice),
        ("389", &other, false, DocumentKind::Invoice),
    ] {
        let read = super::read(plain(code, more).as_bytes());
        let found = read.detection();
        assert_eq!(
            (found.self_billing, found.kind),
            (is_self_billing, Some(kind)),
            "{code} {more}"
        );
        let routing = read.routing().unwrap();
        let sender = routing.sender.endpoint.unwrap().value;
        assert_eq!(sender, if is_self_billing { "2" } else { "1" }, "{code} {more}");
    }
}

#[test]
fn a_file_is_named_by_its_beginning_alone() {
    for (bytes, media_type, extension) in [
        (&b"%PDF-1.7"[..], "application/pdf", ".pdf"),
        (b"PK\x03\x04", "application/zip", ".zip"),
        (b"\xef\xbb\xbf {\"number\":", "application/json", ".json"),
        (b"UNB+UNOC:3+a+b'", "application/EDIFACT", ".edi"),
    ] {
        let found = crate::begins_like(bytes).unwrap();
        assert_eq!((found.media_type(), found.extension()), (media_type, extension));
    }
    assert!(crate::begins_like(b"<a/>").is_none() && crate::begins_like(b"").is_none());
}
