//! The packages and what counts.

use quoin_peppol::codelists::DOCUMENT_TYPES;

use super::*;

#[test]
fn automatic_transformation_is_part_of_10k_and_above() {
    let packages = Packages::default();
    for package in &packages.0 {
        let large = package.documents.is_none_or(|documents| documents >= 10_000);
        assert_eq!(package.transformation, large, "{}", package.name);
        assert_eq!(packages.named(&package.name.to_lowercase()), Some(package));
    }
    assert_eq!(packages.named("7K"), None);
    assert_eq!(packages.with_transformation().unwrap().name, "10K");
}

#[test]
fn a_package_is_full_at_its_number() {
    let packages = Packages::default();
    let small = packages.named("1K").unwrap();
    assert!(small.has_room(999) && !small.has_room(1_000));
    assert!(BillingPackage::without().has_room(u64::MAX));
    assert_eq!(packages.named("unlimited"), Some(&BillingPackage::without()));
}

#[test]
fn statuses_and_reports_are_free() {
    let mut free = 0;
    for row in DOCUMENT_TYPES {
        let Ok(id) = row.id() else { continue };
        let family = Family::of(&id);
        let billable = is_billable(family, Some(&id.to_string()));
        let status = row.value.contains("ApplicationResponse##") || row.value.contains("Report##");
        assert!(!status || !billable, "{}", row.name);
        free += usize::from(!billable);
    }
    assert!(free > 10, "{free}");
    assert!(is_billable(Family::Invoice, None) && is_billable(Family::Order, Some("nonsense")));
    assert!(!is_billable(Family::InvoiceResponse, None));
}
