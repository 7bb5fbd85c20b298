//! The header: values of each kind of document, and who sends and who receives.

use super::*;
use crate::{read, samples};

fn header(text: &str) -> UblHeader {
    read(text.as_bytes()).header().unwrap()
}

fn endpoint(value: &str) -> ElectronicAddress {
    ElectronicAddress { scheme: "0106".to_owned(), value: value.to_owned() }
}

#[test]
fn of_an_invoice() {
    let header = header(samples::INVOICE);
    assert_eq!(header.number.as_deref(), Some("F2026-0001"));
    assert_eq!(header.issue_date, Some(jiff::civil::date(2026, 5, 15)));
    assert_eq!(header.type_code.as_deref(), Some("380"));
    assert_eq!(header.currency.as_deref(), Some("EUR"));
    assert_eq!(header.payable_amount.as_deref(), Some("79.21"));
    assert_eq!(header.ubl_version, "2.1");
    assert_eq!(header.seller_country.as_deref(), Some("NL"));
    assert_eq!(header.buyer_country.as_deref(), Some("NL"));
    assert_eq!(header.sender(), Some(&endpoint("12345678")));
    assert_eq!(header.receiver(), Some(&endpoint("87654321")));
    assert!(!header.self_billing && !header.is_credit_note());
    assert_eq!(
        header.document_type_id().as_deref(),
        Some(
            "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##\
             urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
        )
    );
    assert_eq!(header.profile_id.as_deref(), Some("urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"));
}

#[test]
fn the_receiver_of_a_self_billed_document_is_the_seller() {
    for text in [samples::SELF_BILLED_INVOICE, samples::SELF_BILLED_CREDIT_NOTE] {
        let text = text.replacen("IdentificationCode>NL<", "IdentificationCode>be<", 1);
        let header = header(&text);
        assert!(header.self_billing);
        assert_eq!(header.sender(), Some(&endpoint("12345678")));
        assert_eq!(header.receiver(), Some(&endpoint("87654321")));
        assert_eq!(header.seller.as_ref(), header.receiver());
        assert_eq!(header.seller_country.as_deref(), Some("BE"));
        assert_eq!(header.sender_country(), Some("NL"));
    }
    for (text, from, to) in [
        (samples::NLCIUS_INVOICE, ">380<", ">389<"),
        (samples::NLCIUS_INVOICE, ">380<", ">527<"),
        (samples::NLCIUS_INVOICE, ">380<", ">261<"),
    ] {
        assert!(header(&text.replace(from, to)).self_billing);
    }
}

#[test]
fn reads_what_is_there_and_requires_nothing() {
    let root = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
    let header = header(&format!("<CreditNote xmlns='{root}'/>"));
    assert!(header.is_credit_note());
    assert_eq!(header.document_type_id(), None);
    assert_eq!((header.sender(), header.receiver()), (None, None));
    assert_eq!(header.number, None);
    assert!(read(b"<Invoice/>").header().is_none());
    assert!(read(b"").header().is_none());
}

#[test]
fn an_address_is_one_address_with_scheme_and_value() {
    const ONE: &str = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    for (instead, buyer) in [
        ("<cbc:EndpointID schemeID=' 0106'>\n 87654321 </cbc:EndpointID>", Some("87654321")),
        ("<cbc:EndpointID schemeID=\"0106\">876<!-- x -->54321</cbc:EndpointID>", Some("87654321")),
        ("<cbc:EndpointID>87654321</cbc:EndpointID>", None),
        ("<cbc:EndpointID schemeID=''>87654321</cbc:EndpointID>", None),
        ("<cbc:EndpointID schemeID='0106'> </cbc:EndpointID>", None),
        ("", None),
    ] {
        let header = header(&samples::INVOICE.replace(ONE, instead));
        assert_eq!(header.buyer.map(|b| b.value).as_deref(), buyer, "{instead}");
    }
    let twice = samples::INVOICE.replace(ONE, &format!("{ONE}{ONE}"));
    assert_eq!(header(&twice).buyer, None);
}

#[test]
fn dates_are_days_of_the_calendar() {
    for (text, good) in [
        ("2026-02-28", true),
        ("2026-02-29", false),
        ("2024-02-29", true),
        ("2026-2-28", false),
        ("2026-05-15Z", false),
        ("2026-05-15T10:00:00", false),
        ("20260515", false),
        ("15-05-2026", false),
    ] {
        assert_eq!(quoin_model::text::date(text).is_some(), good, "{text}");
    }
}

#[test]
fn every_kind_of_document_has_a_day() {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    let cbc = format!("xmlns:c='{ubl}:CommonBasicComponents-2'");
    let tsr = "urn:fdc:peppol:transaction-statistics-report:1.0";
    let rsm = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
    for (text, day) in [
        (
            format!(
                "<Order xmlns='{ubl}:Order-2' {cbc}><c:IssueDate>2026-05-17</c:IssueDate></Order>"
            ),
            17,
        ),
        (
            format!(
                "<DespatchAdvice xmlns='{ubl}:DespatchAdvice-2' {cbc}><c:IssueDate> 2026-05-18 </c:IssueDate></DespatchAdvice>"
            ),
            18,
        ),
        (
            format!(
                "<ApplicationResponse xmlns='{ubl}:ApplicationResponse-2' {cbc}><c:IssueDate>2026-05-19Z</c:IssueDate></ApplicationResponse>"
            ),
            19,
        ),
        (
            format!(
                "<TransactionStatisticsReport xmlns='{tsr}'><Header><ReportPeriod><StartDate>2026-05-01</StartDate><EndDate>2026-05-31</EndDate></ReportPeriod></Header></TransactionStatisticsReport>"
            ),
            31,
        ),
        (
            format!(
                "<CrossIndustryInvoice xmlns='{rsm}'><ExchangedDocument><IssueDateTime><DateTimeString format='102'>20260520</DateTimeString></IssueDateTime></ExchangedDocument></CrossIndustryInvoice>"
            ),
            20,
        ),
        (
            "<Invoice xmlns='http://www.openapplications.org/oagis'><Header><DocumentDateTime>2026-05-21T00:00:00Z</DocumentDateTime></Header></Invoice>".to_owned(),
            21,
        ),
        (
            "<Invoice xmlns='http://www.ketenstandaard.nl/factuur/SALES/005'><InvoiceDate>2026-05-22</InvoiceDate></Invoice>".to_owned(),
            22,
        ),
    ] {
        assert_eq!(
            read(text.as_bytes()).issue_date(),
            Some(jiff::civil::date(2026, 5, day)),
            "{text}"
        );
    }
    let none =
        format!("<Order xmlns='{ubl}:Order-2' {cbc}><c:IssueDate>soon</c:IssueDate></Order>");
    assert_eq!(read(none.as_bytes()).issue_date(), None);
    assert_eq!(read(b"<a/>").issue_date(), None);
    let envelope = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
    let inner =
        format!("<Order xmlns='{ubl}:Order-2' {cbc}><c:IssueDate>2026-05-17</c:IssueDate></Order>");
    let text =
        format!("<StandardBusinessDocument xmlns='{envelope}'>{inner}</StandardBusinessDocument>");
    assert_eq!(read(text.as_bytes()).issue_date(), Some(jiff::civil::date(2026, 5, 17)));
}
