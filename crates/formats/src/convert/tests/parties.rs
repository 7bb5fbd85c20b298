//! Parties and identifiers.

use super::{LossKind, to_cii, to_ubl};

#[test]
fn names_are_neither_swapped_nor_invented() {
    let cii = to_cii(&[("<cac:PartyName><cbc:Name>Seller trading</cbc:Name></cac:PartyName>", "")]);
    assert!(cii.has("<ram:Name>Seller legal</ram:Name>"));
    assert!(cii.has("<ram:TradingBusinessName>Buyer trading</ram:TradingBusinessName>"));
    assert_eq!(cii.count("TradingBusinessName>") / 2, 1);
    let ubl = to_ubl(&[]);
    assert!(ubl.has("<cac:PartyName><cbc:Name>Buyer trading</cbc:Name></cac:PartyName>"));
    assert!(ubl.has("<cbc:RegistrationName>Buyer legal</cbc:RegistrationName>"));
}

#[test]
fn an_identifier_beside_a_global_one_stays() {
    let global = "<ram:GlobalID schemeID=\"0088\">Seller-ID</ram:GlobalID>";
    let ubl = to_ubl(&[(global, &format!("<ram:ID>4711</ram:ID>{global}"))]);
    assert!(ubl.has("<cbc:ID>4711</cbc:ID>"));
    assert!(ubl.has("<cbc:ID schemeID=\"0088\">Seller-ID</cbc:ID>"));
    let cii = super::converted(&ubl.document, super::ConversionTarget::CII).unwrap();
    assert!(cii.has(&format!("<ram:ID>4711</ram:ID>{global}")));
}

#[test]
fn the_creditor_identifier_is_no_identifier_of_a_party() {
    let cii = to_cii(&[]);
    assert!(cii.has("<ram:CreditorReferenceID>NL00ZZZ123</ram:CreditorReferenceID>"));
    assert_eq!(cii.count("NL00ZZZ123"), 1);
    // Of a document with a payee it is the payee's, else the seller's.
    let ubl = to_ubl(&[]);
    let (before, payee) = ubl.document.split_once("<cac:PayeeParty>").unwrap();
    assert!(payee.contains("schemeID=\"SEPA\">NL00ZZZ123<") && !before.contains("SEPA"));
    let without = to_ubl(&[("<ram:CreditorReferenceID>NL00ZZZ123</ram:CreditorReferenceID>", "")]);
    assert_eq!(without.count("SEPA"), 0);
}

#[test]
fn registrations_for_tax_stay_what_they_are() {
    for id in ["NL8200.98.395.B.01", "DEATU12345", " NL 1 "] {
        let cii = to_cii(&[("NL123456789", id)]);
        assert!(cii.has(&format!("<ram:ID schemeID=\"VA\">{}</ram:ID>", id.trim())));
    }
    let ubl = to_ubl(&[]);
    assert!(ubl.has("<cbc:CompanyID>TAX-77</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID>"));
    assert!(ubl.has("<cbc:CompanyID>NL123456789</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT<"));
    let cii = to_cii(&[("<cbc:ID>FC</cbc:ID>", "<cbc:ID>TAX</cbc:ID>")]);
    assert!(cii.has("<ram:ID schemeID=\"FC\">TAX-77</ram:ID>"));
    assert!(cii.rows().contains(&("-", LossKind::Changed, "TAX")));
    let none = to_ubl(&[(
        "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"VA\">NL123456789</ram:ID></ram:SpecifiedTaxRegistration>",
        "",
    )]);
    assert!(!none.document.contains("ATU"));
}

#[test]
fn person_and_department_are_both_there() {
    let person = "<ram:PersonName>Seller desk</ram:PersonName>";
    let both = format!("{person}<ram:DepartmentName>Sales</ram:DepartmentName>");
    let ubl = to_ubl(&[(person, &both)]);
    assert!(ubl.has("<cbc:Name>Seller desk Sales</cbc:Name>"));
    assert!(ubl.rows().contains(&("BT-41", LossKind::Merged, "Seller desk")));
    assert!(ubl.rows().contains(&("BT-41", LossKind::Merged, "Sales")));
    let department = "<ram:DepartmentName>Sales</ram:DepartmentName>";
    assert!(to_ubl(&[(person, department)]).has("<cbc:Name>Sales</cbc:Name>"));
}

#[test]
fn check_digits_are_nobodys_business() {
    let cii = to_cii(&[("7300010000001", "7300010000009"), ("NL02 ABNA 0123456789", "NL99 X")]);
    assert!(cii.has("<ram:URIID schemeID=\"0088\">7300010000009</ram:URIID>"));
    assert!(cii.has("<ram:ProprietaryID>NL99 X</ram:ProprietaryID>"));
}
