//! What is missing is said, and what is no invoice is no report.

use quoin_formats::read;
use quoin_formats::samples::{RECEIVER, SENDER, SampleKind, document};
use quoin_model::Language;
use quoin_taxdata::*;

use crate::told::report;

fn sample(kind: SampleKind) -> String {
    document(kind, SENDER, RECEIVER, "N-1", 2)
}

#[test]
fn our_own_sample_is_reported() {
    for kind in [SampleKind::Invoice, SampleKind::CreditNote] {
        let source = read(sample(kind).as_bytes());
        let report = report(Regime::Vida11, ReporterRole::Corner2, &source).unwrap();
        let told = read_report(&read(&report.xml)).unwrap();
        assert_eq!(told.regime, Regime::Vida11);
        assert_eq!(told.invoice_number.as_deref(), Some("N-1"));
        assert_eq!(told.invoice_uuid, Some(report.invoice_uuid.to_string()));
        assert_eq!(told.transmission.as_deref(), Some("22222222-2222-4222-8222-222222222222"));
    }
}

#[test]
fn the_same_arguments_give_the_same_bytes() {
    let source = read(sample(SampleKind::Invoice).as_bytes());
    let one = report(Regime::Slovakia, ReporterRole::Corner2, &source).unwrap();
    assert_eq!(one, report(Regime::Slovakia, ReporterRole::Corner2, &source).unwrap());
}

#[test]
fn what_is_missing_is_said_in_every_language() {
    let text = sample(SampleKind::Invoice);
    let bare = text.replace("cbc:PriceAmount", "cbc:NoAmount").replace("<cbc:IssueDate>", "<!--");
    let bare = bare.replace("</cbc:IssueDate>", "-->");
    let source = read(bare.as_bytes());
    let error = report(Regime::Vida11, ReporterRole::Corner3, &source).unwrap_err();
    let terms: Vec<_> = error.missing.iter().map(|one| one.term).collect();
    assert!(terms.contains(&"BT-2") && terms.contains(&"BT-146"), "{terms:?}");
    for language in Language::ALL {
        let sentence = error.sentence(language);
        assert!(sentence.contains("BT-2") && sentence.contains("BT-146"), "{sentence}");
    }
    assert_eq!(error.missing.iter().filter(|one| one.term == "BT-2").count(), 1);
}

#[test]
fn a_kind_that_a_regime_has_not_is_refused() {
    for regime in Regime::ALL {
        let has = TaxSubmission::FailedTransmission.code(regime).is_some();
        assert_eq!(has, regime == Regime::Emirates);
        assert_eq!(Regime::named(regime.as_str()), Some(regime));
        assert!(regime.row().document_type.starts_with(regime.row().namespace));
        assert!(regime.row().document_type.contains(regime.row().customization));
    }
}

#[test]
fn no_invoice_is_no_report() {
    for text in ["", "<a/>", "<TaxData xmlns='urn:peppol:schema:taxdata:1.0'/>", "<Invoice/>"] {
        let document = read(text.as_bytes());
        assert!(ReportableInvoice::of(&document).is_err(), "{text}");
        assert!(read_report(&document).is_err(), "{text}");
    }
}

/// The buyer who issues an invoice is who reports as corner 2, by its own number.
#[test]
fn who_reports_where_the_buyer_issued_it() {
    let text = sample(SampleKind::Invoice);
    let normal = read(text.as_bytes());
    let turned = text.replace(">380<", ">389<");
    let turned = read(turned.as_bytes());
    let country = |document, role| {
        let invoice = ReportableInvoice::of(document).unwrap();
        invoice.reporting_country(role)
    };
    assert_eq!(country(&normal, ReporterRole::Corner2), country(&turned, ReporterRole::Corner3));
    assert_eq!(country(&normal, ReporterRole::Corner3), country(&turned, ReporterRole::Corner2));
}

/// The number says whose authority it is, and not the address.
#[test]
fn the_country_is_that_of_the_number() {
    let rows = [
        ("NL123456789B01", "DE", Some("NL")),
        ("EL123456789", "DE", Some("GR")),
        ("XI123456789", "GB", Some("XI")),
        ("198765432102003", "AE", Some("AE")),
        ("AB12345678", "ES", Some("ES")),
        ("SA300000000003", "SA", Some("SA")),
        ("ATU12345678", "", Some("AT")),
    ];
    for (number, address, expected) in rows {
        let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
        let text = format!(
            "<Invoice xmlns='{ubl}:Invoice-2' xmlns:cac='{ubl}:CommonAggregateComponents-2' \
             xmlns:cbc='{ubl}:CommonBasicComponents-2'><cac:AccountingSupplierParty><cac:Party>\
             <cac:PostalAddress><cac:Country><cbc:IdentificationCode>{address}\
             </cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme>\
             <cbc:CompanyID>{number}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
             </cac:TaxScheme></cac:PartyTaxScheme></cac:Party></cac:AccountingSupplierParty>\
             </Invoice>"
        );
        let document = read(text.as_bytes());
        let invoice = ReportableInvoice::of(&document).unwrap();
        let country = invoice.reporting_country(ReporterRole::Corner2);
        assert_eq!(country.as_deref(), expected, "{number} {address}");
        assert_eq!(invoice.reporting_country(ReporterRole::Corner3), None);
    }
}
