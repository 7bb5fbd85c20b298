//! The table of formats: each row is told by its own signature, and named once.

use std::collections::BTreeSet;

use super::*;
use crate::detect;
use crate::syntax::DocumentKind;
use crate::ubl::{UBL_KINDS, ubl_kind};

/// A file that has nothing but the signature of a row.
fn sample(signature: FormatSignature) -> Vec<Vec<u8>> {
    let one = |text: String| vec![text.into_bytes()];
    match signature {
        Root(root, name) => one(format!("<{root} xmlns='{name}'/>")),
        RootPrefix(root, start) => one(format!("<{root} xmlns='{start}x'/>")),
        Namespace(start) => one(format!("<T xmlns='{start}'/>")),
        Ubl => one(format!("<Order xmlns='{UBL_PREFIX}Order-2'/>")),
        Doctype(name, location) => {
            one(format!("<!DOCTYPE {name} SYSTEM 'http://X/{}.dtd'><a/>", location.to_uppercase()))
        }
        FormatSignature::Bare(root, schema, children) => {
            let xsi = "xmlns:i='http://www.w3.org/2001/XMLSchema-instance'";
            let children: String = children.iter().map(|child| format!("<{child}/>")).collect();
            let mut samples = one(format!("<{root}>{children}</{root}>"));
            if !schema.is_empty() {
                let location = schema.to_ascii_uppercase();
                samples.extend(one(format!(
                    "<{root} {xsi} i:noNamespaceSchemaLocation='X_{location}.xsd'/>"
                )));
            }
            samples
        }
        Bytes(starts) => starts
            .iter()
            .map(|start| [b"\xef\xbb\xbf \n", *start, b" \r\ncontent-type: x"].concat())
            .collect(),
        JsonSchema(start) => one(format!("{{\"$schema\": \"{start}x\"}}")),
        JsonKeys(keys) => {
            let members: Vec<String> = keys.iter().map(|key| format!("\"{key}\": 1")).collect();
            one(format!("{{{}}}", members.join(", ")))
        }
    }
}

#[test]
fn every_row_is_told_by_its_signature() {
    for format in FORMATS {
        for file in sample(format.signature) {
            let found = detect(&file);
            let text = String::from_utf8_lossy(&file);
            assert_eq!(found.syntax, Some(format.syntax), "{text}: {:?}", found.reasons);
            let is_json = text.contains('{') && format.syntax != Syntax::Json;
            assert!(found.format.as_deref() == Some(format.id) || is_json, "{text}: {found:?}");
            assert!(!found.reasons.is_empty(), "{text}");
        }
    }
}

#[test]
fn every_row_has_a_name_of_its_own() {
    let ids: BTreeSet<_> = FORMATS.iter().map(|format| format.id).collect();
    assert_eq!(ids.len(), FORMATS.len());
    for format in FORMATS {
        assert!(Format::by_id(format.id).is_some_and(|row| row.syntax == format.syntax));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        assert!(format.id.chars().all(plain), "{}", format.id);
        assert!(format.syntax.format().is_some() && !format.title.is_empty());
    }
    for kind in DocumentKind::ALL {
        assert!(!kind.title().is_empty());
    }
}

#[test]
fn the_names_of_ubl_are_sorted_for_the_search() {
    assert!(UBL_KINDS.is_sorted_by(|a, b| a.0 < b.0));
    for (name, kind) in UBL_KINDS {
        let found = detect(format!("<{name} xmlns='{UBL_PREFIX}{name}-2'/>").as_bytes());
        assert_eq!(found.kind, Some(*kind), "{name}");
    }
    assert_eq!(ubl_kind("Nothing"), None);
}

#[test]
fn invoices_without_a_namespace_are_told_by_what_they_hold() {
    let format = |text: &str| detect(text.as_bytes()).format;
    assert_eq!(
        format("<Invoice><InvoiceNumber/><Buyer/><Supplier/></Invoice>").as_deref(),
        Some("dico-insbou003")
    );
    assert_eq!(format("<Invoice><Biller/></Invoice>").as_deref(), Some("ebinterface-1.0"));
    assert_eq!(format("<Invoice><InvoiceNumber/><Buyer/></Invoice>"), None);
    assert_eq!(format("<Invoice/>"), None);
}

#[test]
fn a_ubl_root_in_another_ubl_namespace_is_no_ubl() {
    let text = format!("<Invoice xmlns='{UBL_PREFIX}CreditNote-2'/>");
    assert_eq!(detect(text.as_bytes()).syntax, None);
}

#[test]
fn versions_kinds_and_self_billing() {
    let fattura = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2";
    let cii = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
    let eb = "http://www.ebinterface.at/schema";
    for (text, version, kind, self_billing) in [
        (
            format!(
                "<p:FatturaElettronica versione='FPA12' xmlns:p='{fattura}'>\
                 <FatturaElettronicaHeader><SoggettoEmittente>CC</SoggettoEmittente>\
                 </FatturaElettronicaHeader><FatturaElettronicaBody><DatiGenerali>\
                 <DatiGeneraliDocumento><TipoDocumento>TD04</TipoDocumento>\
                 </DatiGeneraliDocumento></DatiGenerali></FatturaElettronicaBody>\
                 </p:FatturaElettronica>"
            ),
            Some("FPA12"),
            DocumentKind::CreditNote,
            true,
        ),
        (
            format!("<x:Invoice xmlns:x='{eb}/6p1/' x:DocumentType='SelfBilling'/>"),
            Some("6.1"),
            DocumentKind::Invoice,
            true,
        ),
        (
            format!("<x:Invoice xmlns:x='{eb}/3p02/' x:DocumentType='CreditMemo'/>"),
            Some("3.02"),
            DocumentKind::CreditNote,
            false,
        ),
        (
            format!(
                "<CrossIndustryInvoice xmlns='{cii}'><ExchangedDocument><TypeCode> 261\n\
                 </TypeCode></ExchangedDocument></CrossIndustryInvoice>"
            ),
            None,
            DocumentKind::CreditNote,
            true,
        ),
        (
            "<Potwierdzenie xmlns='http://upo.schematy.mf.gov.pl/KSeF/v4-3'/>".to_owned(),
            Some("4.3"),
            DocumentKind::TaxReceipt,
            false,
        ),
        (
            "<MaintenanceStatus xmlns='http://www.ketenstandaard.nl/onderhoudsstatus/SALES/005'/>"
                .to_owned(),
            Some("005"),
            DocumentKind::MasterData,
            false,
        ),
    ] {
        let found = detect(text.as_bytes());
        assert_eq!(found.version.as_deref(), version, "{text}");
        assert_eq!((found.kind, found.self_billing), (Some(kind), self_billing), "{text}");
    }
}

/// Every syntax is a module of this crate with at least one format, and named once.
#[test]
fn each_syntax_is_a_folder_with_formats() {
    let names: BTreeSet<&str> = SYNTAXES.iter().map(|syntax| syntax.name).collect();
    assert_eq!(names.len(), SYNTAXES.len());
    let all: usize = SYNTAXES.iter().map(|syntax| syntax.formats.len()).sum();
    assert_eq!(all, FORMATS.len());
    let root = include_str!("../lib.rs");
    for syntax in SYNTAXES {
        assert!(!syntax.formats.is_empty(), "{}", syntax.name);
        assert!(root.contains(&format!("mod {};", syntax.name)), "{}", syntax.name);
        for format in syntax.formats {
            let found = Format::by_id(format.id).map(|own| own.syntax);
            assert_eq!(found, Some(format.syntax), "{}", format.id);
        }
    }
}

/// A syntax that has a reader reads documents of its own formats, and no other does.
#[test]
fn readers_are_told_by_the_document_element() {
    for (text, name) in [(crate::samples::INVOICE, "ubl"), (crate::samples::CII_INVOICE, "cii")] {
        let parsed = crate::read(text.as_bytes());
        let root = parsed.root().unwrap();
        let fits = |syntax: &&SyntaxRow| {
            let reader = syntax.reader?;
            (reader.syntax)(root)
        };
        let found: Vec<_> =
            SYNTAXES.iter().filter(|row| fits(row).is_some()).map(|row| row.name).collect();
        assert_eq!(found, [name]);
        assert!(crate::readers::read_invoice_at(root).is_some());
    }
}
