//! Rows B-01 to B-04, B-07 and B-08: the signature, and above all what it covers.

use quoin_testing::growth::{MemoryCase, check_memory};
use quoin_xml::namespaces::{DS, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xmldsig::keys::sha256;

use super::super::names::*;
use super::super::*;
use super::fixture::*;

const XPATH: &str = "http://www.w3.org/TR/1999/REC-xpath-19991116";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";

#[track_caller]
fn refused_with(code: EbmsCode, forged: &Forged) -> As4Refusal {
    let refusal = forged.refused();
    assert_eq!(refusal.code, code, "{refusal}");
    refusal
}

fn reference(forged: &Forged, uri: &str) -> String {
    let start = forged.envelope.find(&format!("<ds:Reference URI=\"{uri}")).unwrap();
    let length = forged.envelope[start..].find("</ds:Reference>").unwrap();
    forged.envelope[start..start + length + "</ds:Reference>".len()].to_owned()
}

#[test]
fn b_01_compressed_then_signed_then_encrypted() {
    let forged = Forged::new();
    let document = parse(&forged.envelope);
    let digests = document.root().descendants().filter(|e| e.is(DS, "Reference"));
    let attachment = digests
        .into_iter()
        .find(|e| e.attribute("URI").is_some_and(|uri| uri.starts_with("cid:")))
        .and_then(|e| e.child(DS, "DigestValue"))
        .unwrap();
    let compressed = gzip(PAYLOAD).unwrap();
    assert_eq!(attachment.text(), quoin_xml::base64::encode(&sha256(&compressed)));
    assert_eq!(gunzip(&compressed).unwrap(), PAYLOAD);
    assert_ne!(forged.ciphertext, compressed);
    assert_eq!(forged.ciphertext.len(), 12 + compressed.len() + 16);
}

#[test]
fn b_02_header_body_and_payload_are_signed() {
    let forged = Forged::new();
    let document = parse(&forged.envelope);
    let info = find(&document, "SignedInfo");
    let algorithm = |name: &str| info.child(DS, name).unwrap().attribute("Algorithm").unwrap();
    assert_eq!(algorithm("CanonicalizationMethod"), EXC_C14N);
    assert_eq!(algorithm("SignatureMethod"), RSA_SHA256);
    let uris: Vec<_> =
        info.children_named(DS, "Reference").map(|r| r.attribute("URI").unwrap()).collect();
    let cid = format!("cid:{}", forged.content_id);
    assert_eq!(uris, ["#_messaging", "#_body", &cid]);
    for reference in info.children_named(DS, "Reference") {
        let method = reference.child(DS, "DigestMethod").unwrap();
        assert_eq!(method.attribute("Algorithm"), Some(SHA256));
    }
}

#[test]
fn b_02_a_changed_header_is_noticed() {
    let forged = Forged::new().edit("991825827", "991825828");
    let refusal = refused_with(EbmsCode::FailedAuthentication, &forged);
    assert!(refusal.detail.contains("#_messaging"), "{refusal}");
}

#[test]
fn b_02_a_changed_body_is_noticed() {
    let forged = Forged::new().edit("</S12:Body>", " </S12:Body>");
    let refusal = refused_with(EbmsCode::FailedAuthentication, &forged);
    assert!(refusal.detail.contains("#_body"), "{refusal}");
}

#[test]
fn b_02_a_payload_that_was_not_signed_is_noticed() {
    let forged = Forged::new().octets(gzip(b"<Other/>").unwrap());
    let refusal = refused_with(EbmsCode::FailedAuthentication, &forged);
    assert!(refusal.detail.contains("attachment"), "{refusal}");
}

#[test]
fn b_02_a_changed_signature_is_noticed() {
    let forged = Forged::new();
    let value = find(&parse(&forged.envelope), "SignatureValue").text().into_owned();
    let swapped: String = value.chars().rev().skip_while(|c| *c == '=').collect();
    let padding = "=".repeat(value.len() - swapped.len());
    let changed = forged.clone().edit(&value, &format!("{swapped}{padding}"));
    refused_with(EbmsCode::FailedAuthentication, &changed);
    refused_with(EbmsCode::FailedAuthentication, &forged.clone().edit(&value, "AAAA"));
    refused_with(EbmsCode::FailedAuthentication, &forged.edit(&value, "?"));
}

#[test]
fn b_02_a_signature_by_another_key_is_noticed() {
    let forged = Forged::new().signed_by(THIRD);
    let refusal = refused_with(EbmsCode::FailedAuthentication, &forged);
    assert!(refusal.detail.contains("does not verify"), "{refusal}");
}

#[test]
fn b_03_attachments_have_the_content_signature_transform_alone() {
    let forged = Forged::new();
    let cid = reference(&forged, "cid:");
    assert_eq!(cid.matches("<ds:Transform ").count(), 1);
    assert!(cid.contains(&format!("<ds:Transform Algorithm=\"{SWA_CONTENT_SIGNATURE}\">")));
    let other = forged.clone().edit(SWA_CONTENT_SIGNATURE, EXC_C14N).signed();
    refused_with(EbmsCode::PolicyNoncompliance, &other);
    let transforms = &cid[cid.find("<ds:Transforms>").unwrap()..cid.find("<ds:DigestM").unwrap()];
    let none = forged.edit(&cid, &cid.replace(transforms, "")).signed();
    refused_with(EbmsCode::PolicyNoncompliance, &none);
}

/// The digest of an uncompressed XML part would be over its canonical form; it is refused.
#[test]
fn b_03_an_uncompressed_payload_is_refused() {
    let property = "<eb:Property name=\"CompressionType\">application/gzip</eb:Property>";
    let forged = Forged::new().octets(PAYLOAD.to_vec()).edit(property, "").signed();
    let refusal = refused_with(EbmsCode::ProcessingModeMismatch, &forged);
    assert!(refusal.detail.contains("CompressionType"), "{refusal}");
}

#[test]
fn b_04_the_token_is_a_certificate_referred_to_directly() {
    let forged = Forged::new();
    assert_eq!(forged.envelope.matches("<wsse:BinarySecurityToken ").count(), 2);
    let reference = format!(
        "<wsse:Reference URI=\"#_signing-token\" ValueType=\"{X509_V3}\"></wsse:Reference>"
    );
    let identifier = "<wsse:KeyIdentifier>AAAA</wsse:KeyIdentifier>";
    for (from, to) in [
        ("#X509v3", "#X509PKIPathv1"),
        (reference.as_str(), &reference.replace("#_signing", "_signing")),
        (reference.as_str(), &reference.replace("#_signing-token", "#_body")),
        (reference.as_str(), identifier),
        (reference.as_str(), ""),
    ] {
        refused_with(EbmsCode::PolicyNoncompliance, &forged.clone().edit(from, to).signed());
    }
}

#[test]
fn b_04_a_token_reference_that_leads_nowhere_is_refused() {
    let forged = Forged::new();
    let lost = "<wsse:Reference URI=\"#nowhere\"";
    let forged = forged.edit("<wsse:Reference URI=\"#_signing-token\"", lost).signed();
    refused_with(EbmsCode::FailedAuthentication, &forged);
}

#[test]
fn b_06_only_the_algorithms_of_the_profile_verify() {
    let rsa_sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
    let c14n = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
    let with_comments = format!("{EXC_C14N}WithComments");
    let method = |name: &str, algorithm: &str| format!("<ds:{name} Algorithm=\"{algorithm}\">");
    let digest = method("DigestMethod", SHA256);
    let info = format!("<ds:SignedInfo xmlns:ds=\"{DS}\">");
    for (from, to) in [
        (method("SignatureMethod", RSA_SHA256), method("SignatureMethod", rsa_sha1)),
        (method("CanonicalizationMethod", EXC_C14N), method("CanonicalizationMethod", c14n)),
        (
            method("CanonicalizationMethod", EXC_C14N),
            method("CanonicalizationMethod", &with_comments),
        ),
        (method("Transform", EXC_C14N), method("Transform", c14n)),
        (method("Transform", EXC_C14N), method("Transform", XPATH)),
    ] {
        let forged = Forged::new().edit(&from, &to).signed();
        refused_with(EbmsCode::PolicyNoncompliance, &forged);
    }
    // The digest of the signature, not that of RSA-OAEP, which is written the same way.
    let mut forged = Forged::new();
    let at = forged.envelope.find(&info).unwrap();
    let signed = forged.envelope.split_off(at);
    forged.envelope += &signed.replace(&digest, &method("DigestMethod", SHA1));
    let refusal = refused_with(EbmsCode::PolicyNoncompliance, &forged.signed());
    assert!(refusal.detail.contains(SHA1), "{refusal}");
}

#[test]
fn b_06_an_unsigned_message_is_refused() {
    let forged = Forged::new();
    let signature = forged.envelope.find("<ds:Signature ").unwrap();
    let end = forged.envelope.find("</wsse:Security>").unwrap();
    let unsigned = forged.envelope[signature..end].to_owned();
    let refusal = refused_with(EbmsCode::PolicyNoncompliance, &forged.clone().edit(&unsigned, ""));
    assert!(refusal.detail.contains("not signed"), "{refusal}");
    let start = forged.envelope.find("<wsse:Security ").unwrap();
    let header = forged.envelope[start..end + "</wsse:Security>".len()].to_owned();
    let bare = forged.clone().edit(&header, "");
    refused_with(EbmsCode::PolicyNoncompliance, &bare);
    let two_headers = forged.clone().edit(&header, &header.repeat(2));
    refused_with(EbmsCode::PolicyNoncompliance, &two_headers);
    let two_signatures = forged.edit(&unsigned, &unsigned.repeat(2));
    refused_with(EbmsCode::PolicyNoncompliance, &two_signatures);
}

#[test]
fn b_07_what_is_read_must_be_covered() {
    for uri in ["#_messaging", "#_body", "cid:"] {
        let forged = Forged::new();
        let lacking = reference(&forged, uri);
        let refusal =
            refused_with(EbmsCode::PolicyNoncompliance, &forged.edit(&lacking, "").signed());
        assert!(refusal.detail.contains("does not cover"), "{refusal}");
    }
}

/// The signed header is moved aside, and an unsigned one with the same id takes its place.
#[test]
fn b_07_a_wrapped_header_with_the_same_id_is_refused() {
    let forged = Forged::new();
    let messaging = canonical(find(&parse(&forged.envelope), "Messaging"), &[]);
    let evil = messaging.replace("991825827", "000000000");
    let wrapped = format!("{evil}<x>{messaging}</x>");
    let refusal = refused_with(EbmsCode::FailedAuthentication, &forged.edit(&messaging, &wrapped));
    assert!(refusal.detail.contains("duplicate id"), "{refusal}");
}

/// The same with another id, which leaves the signature valid and the new header uncovered.
#[test]
fn b_07_a_wrapped_header_with_another_id_is_refused() {
    let forged = Forged::new();
    let messaging = canonical(find(&parse(&forged.envelope), "Messaging"), &[]);
    for id in ["_other", ""] {
        let evil = messaging.replace("991825827", "000000000").replace("_messaging", id);
        let wrapped = format!("{evil}<x>{messaging}</x>");
        let forged = forged.clone().edit(&messaging, &wrapped);
        let refusal = refused_with(EbmsCode::PolicyNoncompliance, &forged);
        assert!(refusal.detail.contains("does not cover Messaging"), "{refusal}");
    }
}

/// Other spellings of an id attribute are no way around the check for duplicates.
#[test]
fn b_07_duplicate_ids_are_refused_whatever_carries_them() {
    for twin in ["Id=\"_body\"", "ID=\"_body\"", "id=\"_body\"", "xml:id=\"_body\""] {
        let end = "</S12:Header>";
        let forged = Forged::new().edit(end, &format!("<x {twin}></x>{end}"));
        let refusal = refused_with(EbmsCode::FailedAuthentication, &forged);
        assert!(refusal.detail.contains("duplicate id"), "{twin}: {refusal}");
    }
}

#[test]
fn b_07_an_attachment_is_signed_once() {
    let forged = Forged::new();
    let cid = reference(&forged, "cid:");
    refused_with(EbmsCode::PolicyNoncompliance, &forged.edit(&cid, &cid.repeat(2)).signed());
}

#[test]
fn b_07_references_to_the_outside_are_refused() {
    for uri in ["http://example.com/", "", "#xpointer(/)", "#nowhere"] {
        let forged = Forged::new();
        let body = reference(&forged, "#_body");
        let other = format!("{body}{}", body.replace("#_body", uri));
        let code = if uri.starts_with('#') {
            EbmsCode::FailedAuthentication
        } else {
            EbmsCode::PolicyNoncompliance
        };
        refused_with(code, &forged.edit(&body, &other).signed());
    }
}

#[test]
fn b_08_inclusive_namespaces_are_honoured() {
    let list = |prefixes: &str| {
        format!(
            "<ec:InclusiveNamespaces xmlns:ec=\"{EXC_C14N}\" PrefixList=\"{prefixes}\">\
             </ec:InclusiveNamespaces>"
        )
    };
    for prefixes in ["S12", "S12 wsse wsu", "absent", "#default eb"] {
        let mut forged = Forged::new();
        for name in ["CanonicalizationMethod", "Transform"] {
            let start = format!("<ds:{name} Algorithm=\"{EXC_C14N}\">");
            forged = forged.edit(&start, &format!("{start}{}", list(prefixes)));
        }
        // A declaration that exclusive canonicalization alone would leave out.
        let forged = forged.edit_first("<S12:Envelope ", "<S12:Envelope xmlns:xsi=\"urn:x\" ");
        let signed = forged.signed();
        assert_eq!(signed.open().unwrap().payload, PAYLOAD, "{prefixes}");
        if prefixes.contains("wsse") {
            // What is listed is signed: its declaration cannot be exchanged.
            let mark = "<ds:SignedInfo ";
            let moved = signed.edit(mark, "<ds:SignedInfo xmlns:wsse=\"urn:y\" ");
            refused_with(EbmsCode::FailedAuthentication, &moved);
        }
    }
}

/// Room is asked for in the name of the signer, once the signature was verified, and nothing is
/// opened without.
#[test]
fn b_08_a_payload_is_opened_where_there_is_room() {
    let http = Forged::new().http();
    let incoming = Incoming::read(&http.content_type, &http.body).unwrap();
    let mut asked = Vec::new();
    let opened = incoming.open_within(&seat(RECEIVER).own, &Known, &mut |signer, bytes| {
        asked.push((signer.common_name.clone(), bytes));
        false
    });
    assert_eq!(opened.err(), Some(OpenFailure::NoRoom { message_id: MESSAGE_ID.to_owned() }));
    assert_eq!(asked, [(user_message().from, PAYLOAD.len())]);
}

/// A signed header of 130 kB whose canonical form is 512 MB: each element says a long namespace.
fn endless() -> Vec<u8> {
    let forged = Forged::new();
    let body = reference(&forged, "#_body");
    let header = format!(
        "<x:j xmlns:x=\"u:x\" xmlns:wsu=\"{WSU}\" wsu:Id=\"j\" xmlns:p=\"u:{}\">{}</x:j>",
        "a".repeat(32_000),
        "<p:a/>".repeat(16_000)
    );
    // Its digest does not matter: it is not reached.
    let references = format!("{body}{}", body.replace("#_body", "#j"));
    let forged = forged.edit(&body, &references).signed();
    let end = "</S12:Header>";
    forged.edit(end, &format!("{header}{end}")).envelope.into_bytes()
}

#[test]
fn b_07_a_covered_header_is_worked_out_within_its_room() {
    let refuse = |envelope: &[u8]| {
        let envelope = String::from_utf8(envelope.to_vec()).unwrap();
        let forged = Forged { envelope, ..Forged::new() };
        let refusal = refused_with(EbmsCode::PolicyNoncompliance, &forged);
        assert!(refusal.detail.contains("more than 4194304 bytes of the envelope"), "{refusal}");
    };
    let name = "a header whose elements say a long namespace again";
    check_memory(&[MemoryCase { name, make: endless, times: 100, run: refuse }]);
}
