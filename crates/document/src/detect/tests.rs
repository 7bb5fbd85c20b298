//! Detection: syntax by the document element, profile by the identifier, and files that are no XML.

use super::*;
use crate::formats::{FORMATS, Signature, Support, UBL_PREFIX};
use crate::profiles::{Match, PROFILES};
use crate::samples;

fn ubl(customization: &str, profile: &str) -> Detection {
    let text = samples::INVOICE
        .replace(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
            customization,
        )
        .replace("urn:fdc:peppol.eu:2017:poacc:billing:01:1.0", profile);
    detect(text.as_bytes())
}

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
fn every_profile_row_is_told_by_its_own_identifier() {
    for profile in PROFILES {
        let example = match profile.customization {
            Match::Exact(whole) => whole.to_owned(),
            Match::Prefix(start) => format!("{start}x"),
            Match::Contains(parts) => format!("urn:example:{}x", parts[0]),
        };
        assert_eq!(ubl(&example, "x").profile.as_deref(), Some(profile.id), "{example}");
    }
    let ids: std::collections::BTreeSet<_> = PROFILES.iter().map(|profile| profile.id).collect();
    assert_eq!(ids.len(), PROFILES.len());
}

#[test]
fn identifiers_of_the_field() {
    const BII: &str = "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
                       urn:www.peppol.eu:bis:peppol4a:ver2.0";
    const SI: &str = ":extended:urn:www.simplerinvoicing.org:si:si-ubl:ver1.2";
    for (customization, profile, certainty) in [
        ("urn:cen.eu:en16931:2017", Some("en16931"), Certainty::Exact),
        ("\n urn:cen.eu:en16931:2017\t", Some("en16931"), Certainty::Exact),
        (
            "urn:cen.eu:en16931:2017 #compliant# urn:fdc:nen.nl:nlcius:v1.0",
            Some("nlcius"),
            Certainty::Exact,
        ),
        (
            "urn:cen.eu:en16931:2017#Conformant#urn:UBL.BE:1.0.0.20180214",
            Some("ubl-be"),
            Certainty::Exact,
        ),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0#conformant#urn:x:y",
            Some("nlcius"),
            Certainty::Base,
        ),
        (
            "urn:cen.eu:en16931:2017#compliant#urn:x#compliant#urn:y",
            Some("en16931"),
            Certainty::Base,
        ),
        ("urn:peppol:pint:billing-1@jp-1", Some("pint"), Certainty::Exact),
        ("urn:peppol:pint:selfbilling-1@my-1", Some("pint-selfbilling"), Certainty::Exact),
        (&format!("{BII}{SI}"), Some("si-ubl-1"), Certainty::Exact),
        (BII, Some("peppol-bis2"), Certainty::Exact),
        (
            &format!("{BII}:extended:urn:www.difi.no:ehf:faktura:ver2.0"),
            Some("ehf2"),
            Certainty::Exact,
        ),
        ("urn:some:unknown:id", None, Certainty::Syntax),
        ("URN:CEN.EU:EN16931:2017", None, Certainty::Syntax),
        ("#co", None, Certainty::Syntax),
    ] {
        let found = ubl(customization, "p");
        assert_eq!(found.profile.as_deref(), profile, "{customization}");
        assert_eq!(found.certainty, certainty, "{customization}");
    }
    assert_eq!(
        ubl("urn:cen.eu:en16931:2017#conformant#urn:x:y", "").unknown_extension.as_deref(),
        Some("#conformant#urn:x:y")
    );
}

#[test]
fn every_format_row_is_told_by_its_signature() {
    for format in FORMATS {
        let (text, syntax) = match format.signature {
            Signature::Root(root, name) => (format!("<{root} xmlns='{name}'/>"), format.syntax),
            Signature::RootPrefix(root, start) => {
                (format!("<{root} xmlns='{start}x'/>"), format.syntax)
            }
            Signature::Namespace(start) => (format!("<T xmlns='{start}'/>"), format.syntax),
            Signature::Ubl => (format!("<Order xmlns='{UBL_PREFIX}Order-2'/>"), format.syntax),
            Signature::Doctype(name) => {
                (format!("<!DOCTYPE {name} SYSTEM 'x'><a/>"), format.syntax)
            }
            Signature::Bytes(starts) => {
                for start in starts {
                    let mut file = b"\xef\xbb\xbf \n".to_vec();
                    file.extend_from_slice(start);
                    assert_eq!(detect(&file).syntax, Some(format.syntax), "{start:?}");
                }
                continue;
            }
        };
        let found = detect(text.as_bytes());
        assert_eq!(found.syntax, Some(syntax), "{text}: {:?}", found.reasons);
        let validated = format.support == Support::Validated;
        assert_eq!(validated, syntax.is_ubl_invoice(), "{text}");
    }
}

#[test]
fn invoices_without_a_namespace_are_told_by_what_they_hold() {
    let syntax = |text: &str| detect(text.as_bytes()).syntax;
    assert_eq!(
        syntax("<Invoice><InvoiceNumber/><Buyer/><Supplier/></Invoice>"),
        Some(Syntax::Dico)
    );
    assert_eq!(
        syntax(
            "<Invoice xmlns:i='http://www.w3.org/2001/XMLSchema-instance' \
             i:noNamespaceSchemaLocation='Factuur_insbou003.xsd'/>"
        ),
        Some(Syntax::Dico)
    );
    assert_eq!(syntax("<Invoice><Biller/></Invoice>"), Some(Syntax::EbInterface));
    assert_eq!(syntax("<Invoice/>"), None);
}

#[test]
fn a_ubl_root_in_another_ubl_namespace_is_no_ubl() {
    let text = format!("<Invoice xmlns='{UBL_PREFIX}CreditNote-2'/>");
    assert_eq!(detect(text.as_bytes()).syntax, None);
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
    assert_eq!(parsed.detection().profile.as_deref(), Some("peppol-bis3"));
    assert_eq!(parsed.header().unwrap().number.as_deref(), Some("F2026-0001"));

    let empty = format!("<sh:StandardBusinessDocument xmlns:sh='{SBDH}'/>");
    let found = detect(empty.as_bytes());
    assert_eq!((found.enveloped, found.syntax), (false, None));
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
        (b"<a>", None),
        (b"%PDF-1.7\n", Some(Syntax::Pdf)),
        (b"PK\x03\x04", Some(Syntax::Zip)),
        (b"{\"a\":1}", Some(Syntax::Json)),
        (b"UNB+UNOC:3", Some(Syntax::Edifact)),
        (
            b"<?xml version='1.0'?><!DOCTYPE cXML SYSTEM 'http://xml.cxml.org/x.dtd'><cXML/>",
            Some(Syntax::Cxml),
        ),
        (b"<!DOCTYPE a><a/>", None),
        (b"<!DOCTYPE", None),
    ] {
        let found = detect(bytes);
        assert_eq!(found.syntax, syntax, "{:?}", found.reasons);
        assert!(!found.well_formed && found.root.is_none() && !found.reasons.is_empty());
    }
}
