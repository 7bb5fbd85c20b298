//! The families against the code list.

use quoin_peppol::codelists::DOCUMENT_TYPES;

use super::*;

fn named(name: &str) -> DocumentTypeId {
    DOCUMENT_TYPES.iter().find(|row| row.name == name).unwrap().id().unwrap()
}

#[test]
fn every_family_has_document_types() {
    for family in DOCUMENT_FAMILIES {
        let ids = DOCUMENT_TYPES.iter().filter_map(|row| row.id().ok());
        assert!(ids.into_iter().any(|id| family.has(&id, None)), "{}", family.name);
        assert_eq!(
            DocumentFamily::named(&family.name.to_lowercase()).map(|found| found.name),
            Some(family.name)
        );
    }
    assert!(DocumentFamily::named("Nothing").is_none());
}

#[test]
fn credit_notes_are_told_from_invoices() {
    let invoice = DocumentFamily::named("Invoice").unwrap();
    let (ubl, credit) = (
        named("Peppol BIS Billing UBL Invoice V3"),
        named("Peppol BIS Billing UBL Credit Note V3"),
    );
    let cii = named("Peppol BIS Billing CII Invoice V3");
    assert!(invoice.has(&ubl, Some(false)) && !invoice.has(&ubl, Some(true)));
    assert!(!invoice.has(&credit, Some(false)) && invoice.has(&credit, Some(true)));
    assert!(invoice.has(&cii, Some(false)) && invoice.has(&cii, Some(true)));
    assert!(invoice.rank(&ubl) < invoice.rank(&cii), "UBL before CII");
    let si = named("SI-UBL 2.0 Invoice");
    assert!(invoice.rank(&si) < invoice.rank(&ubl), "national rules before the general ones");
    let old = named("PEPPOL Invoice profile V2");
    assert!(invoice.rank(&old) > invoice.rank(&cii), "what is out of use comes last");
}

#[test]
fn responses_are_told_by_their_customization() {
    let response = named("Peppol Invoice Response transaction 3.0");
    assert_eq!(DocumentFamily::of(&response).unwrap().name, "InvoiceResponse");
    let mls = named("Peppol Message Level Status v1.0");
    assert_eq!(DocumentFamily::of(&mls).unwrap().name, "Review");
}

/// Both are the element `OrderResponse`, and who takes one need not take the other.
#[test]
fn an_agreement_is_no_answer_to_an_order() {
    for row in DOCUMENT_TYPES.iter().filter(|row| row.value.contains("::OrderResponse")) {
        let is_agreement = row.name.to_lowercase().contains("agreement")
            || row.value.contains("ordine_preconcordato");
        let family = if is_agreement { "OrderAgreement" } else { "OrderResponse" };
        let id = row.id().unwrap();
        let found = DocumentFamily::of(&id).map(|family| family.name);
        assert_eq!(found, Some(family), "{}", row.name);
        let other = if is_agreement { "OrderResponse" } else { "OrderAgreement" };
        assert!(!DocumentFamily::named(other).unwrap().has(&id, None), "{}", row.name);
    }
}

#[test]
fn types_of_all_families_stand_in_one_order() {
    let mut types: Vec<&str> = vec![
        "Peppol Invoice Response transaction 3.0",
        "Peppol BIS Billing CII Invoice V3",
        "Peppol BIS Billing UBL Credit Note V3",
        "Peppol BIS Billing UBL Invoice V3",
        "SI-UBL 2.0 Invoice",
    ];
    let expected: Vec<&str> = types.iter().rev().copied().collect();
    types.sort_by_key(|name| DocumentFamily::standing(&named(name)));
    assert_eq!(types, expected, "families in their order, credit notes after their invoices");
}
