//! What registrations stand for, those with a pattern above all.

use quoin_formats::ubl::UBL_PREFIX;
use quoin_formats::{DocumentKind, detect};
use quoin_peppol::codelists::DocumentType;

use super::*;

const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";

fn ubl(local: &str, customization: &str) -> DocumentTypeId {
    let value = format!("{UBL_PREFIX}{local}-2::{local}##{customization}::2.1");
    let scheme = match customization.starts_with("urn:peppol:pint:") {
        true => "peppol-doctype-wildcard",
        false => "busdox-docid-qns",
    };
    format!("{scheme}::{value}").parse().unwrap()
}

fn source(customization: &str) -> Detection {
    let cbc = format!("{UBL_PREFIX}CommonBasicComponents-2");
    let text = format!(
        "<Invoice xmlns='{UBL_PREFIX}Invoice-2' xmlns:cbc='{cbc}'>\
         <cbc:CustomizationID>{customization}</cbc:CustomizationID></Invoice>"
    );
    detect(text.as_bytes())
}

/// The specifications of the offers, each once, in their order.
fn offered(registered: &[DocumentTypeId], own: &str, asked: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> =
        targets(registered, &source(own), asked).into_iter().map(|own| own.specification).collect();
    found.dedup();
    found
}

/// Nobody sends the base itself, and of sixty jurisdictions only one is that of the document.
#[test]
fn a_pattern_for_every_jurisdiction_is_tried_for_those_that_are_meant() {
    let all = ["Invoice", "CreditNote"].map(|local| ubl(local, "urn:peppol:pint:billing-1*"));
    let pint = |end: &str| format!("urn:peppol:pint:billing-1@{end}");
    let eu = pint("eu-1");
    for (own, asked, expected) in [
        (BIS, None, vec![eu.clone()]),
        ("urn:cen.eu:en16931:2017", None, vec![eu.clone()]),
        (&eu, None, vec![eu.clone()]),
        (&pint("sg-1"), None, vec![pint("sg-1"), eu.clone()]),
        (BIS, Some(pint("ae-1")), vec![eu.clone(), pint("ae-1")]),
        (BIS, Some(ubl("Invoice", &pint("ae-1")).to_string()), vec![eu.clone(), pint("ae-1")]),
        (&pint("zz-1"), Some(pint("yy-1")), vec![eu.clone()]),
        (BIS, Some("urn:peppol:pint:billing-1".to_owned()), vec![eu.clone()]),
    ] {
        assert_eq!(offered(&all, own, asked.as_deref()), expected, "{own} {asked:?}");
    }
    // Each as the type of its documents, which is in the list.
    for offer in targets(&all, &source(BIS), None) {
        assert!(!offer.document_type.is_pattern());
        let row = quoin_peppol::codelists::document_type(&offer.document_type).unwrap();
        assert!(!row.is_abstract, "{}", row.name);
    }
    // A pattern of one jurisdiction is that jurisdiction; the base alone is nothing.
    let one = [ubl("Invoice", &format!("{}*", pint("sg-1")))];
    assert_eq!(offered(&one, BIS, None), [pint("sg-1")]);
    assert!(offered(&[ubl("Invoice", "urn:peppol:pint:billing-1")], BIS, None).is_empty());
    // The form of Europe comes behind the network's own, unless the document is of it.
    let both = [all[0].clone(), ubl("Invoice", BIS)];
    assert_eq!(offered(&both, "urn:cen.eu:en16931:2017", None), [BIS, &eu]);
    assert_eq!(offered(&both, &eu, None), [&eu, BIS]);
}

#[test]
fn a_format_is_named_by_its_type_or_by_what_documents_say() {
    let eu = ConversionOffer::of(&ubl("Invoice", "urn:peppol:pint:billing-1@eu-1*")).unwrap();
    let value = eu.document_type.value().to_owned();
    for format in [
        "urn:peppol:pint:billing-1@eu-1".to_owned(),
        "urn:peppol:pint:billing-1@eu-1*".to_owned(),
        format!("peppol-doctype-wildcard::{value}"),
        format!("busdox-docid-qns::{value}"),
        ubl("Invoice", "urn:peppol:pint:billing-1@eu-1*").to_string(),
    ] {
        assert!(eu.is_of(&format) && !is_base(&format), "{format}");
    }
    for format in ["urn:peppol:pint:billing-1", "urn:peppol:pint:billing-1*"] {
        let typed = ubl("CreditNote", format).to_string();
        assert!(is_base(format) && is_base(&typed), "{format}");
        assert!(!eu.is_of(format) && !eu.is_of(&typed), "{format}");
    }
    assert!(!is_base("urn:peppol:pint") && !is_base(BIS) && !is_base(""));
}

/// What a type of the code list is for, by its name and its document element alone.
fn family(row: &DocumentType) -> String {
    let id = row.id().unwrap();
    let parts = id.parts();
    let local = parts.local_name.unwrap_or_default().to_owned();
    match local.as_str() {
        "Invoice" | "CreditNote" | "CrossIndustryInvoice" => "bill".to_owned(),
        "SelfBilledCreditNote" => "bill".to_owned(),
        "OrderResponseSimple" => "OrderResponse".to_owned(),
        "OrderResponse" if row.name.to_lowercase().contains("agreement") => "agreement".to_owned(),
        _ if row.name.contains("Order Balance") => "balance".to_owned(),
        _ => local,
    }
}

/// A document of a type as far as it is told by.
fn of_type(row: &DocumentType) -> Detection {
    let id = row.id().unwrap();
    let parts = id.parts();
    let (root, customization) = (parts.root_namespace, parts.customization.trim_end_matches('*'));
    let local = parts.local_name.unwrap();
    let cbc = format!("{UBL_PREFIX}CommonBasicComponents-2");
    let text = match local {
        "CrossIndustryInvoice" => format!("<{local} xmlns='{root}'/>"),
        _ => format!(
            "<{local} xmlns='{root}' xmlns:cbc='{cbc}'>\
             <cbc:CustomizationID>{customization}</cbc:CustomizationID></{local}>"
        ),
    };
    detect(text.as_bytes())
}

/// Every type of the code list against every other one: an agreement is no invoice, a catalogue no
/// order, and an invoice may be a credit note.
#[test]
fn a_document_is_offered_nothing_that_is_for_something_else() {
    let rows: Vec<_> = DOCUMENT_TYPES
        .iter()
        .filter(|row| row.state != CodeState::Removed && !row.is_abstract)
        .filter(|row| !row.name.contains("(invalid)"))
        .filter(|row| {
            row.value.starts_with("urn:oasis:names:specification:ubl:")
                || row.value.contains("CrossIndustryInvoice")
        })
        .filter(|row| row.id().is_ok_and(|id| id.parts().local_name.is_some()))
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    for offered in &rows {
        let registered = [offered.id().unwrap()];
        if ConversionOffer::of(&registered[0]).is_none() {
            continue;
        }
        seen.insert(family(offered));
        for source in &rows {
            let found = !targets(&registered, &of_type(source), None).is_empty();
            let fits = family(source) == family(offered);
            assert_eq!(found, fits, "{} as {}", source.name, offered.name);
        }
    }
    let all = ["Order", "OrderCancellation", "OrderChange", "OrderResponse", "agreement", "bill"];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}

/// Nothing of another kind is ever offered, whatever it is written in.
#[test]
fn what_bills_becomes_what_bills_and_everything_else_stays_what_it_is() {
    let bills = [DocumentKind::Invoice, DocumentKind::CreditNote, DocumentKind::DebitNote];
    for source in DocumentKind::ALL {
        for target in DocumentKind::ALL {
            let fits = source == target || bills.contains(source) && bills.contains(target);
            assert_eq!(becomes(Some(*source), Some(*target)), fits, "{source:?} {target:?}");
        }
        assert!(!becomes(Some(*source), None) && !becomes(None, Some(*source)));
    }
    for sample in [
        include_str!("../../../formats/samples/cxml.xml"),
        include_str!("../../../formats/samples/dico.xml"),
        include_str!("../../../formats/samples/ebinterface.xml"),
        include_str!("../../../formats/samples/fatturapa.xml"),
        include_str!("../../../formats/samples/ksef.xml"),
        include_str!("../../../formats/samples/setu.xml"),
        include_str!("../../../formats/samples/svefaktura.xml"),
        include_str!("../../../formats/samples/every-term.json"),
    ] {
        let kind = detect(sample.as_bytes()).kind;
        assert!(kind.is_some_and(|kind| bills.contains(&kind)), "{kind:?} {sample:.200}");
    }
}
