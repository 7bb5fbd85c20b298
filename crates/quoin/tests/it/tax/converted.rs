//! The authority hears of one and the same invoice from both corners, also where it left in another
//! form than it was uploaded in, or says nothing of its process.

use quoin_delivery::tax::TaxState;
use quoin_formats::samples::{self, SampleKind};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::tax_office::KeptReport;
use quoin_taxdata::{Regime, ReporterRole};

use super::TaxPlay;

const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";

/// An invoice of EN 16931 with this BT-23, or without one.
fn of_the_core(number: &str, process: Option<&str>) -> String {
    with_process(&samples::invoice(SENDER, RECEIVER, number), process)
        .replace(BIS, "urn:cen.eu:en16931:2017")
}

fn with_process(invoice: &str, process: Option<&str>) -> String {
    let own = format!("<cbc:ProfileID>{BILLING}</cbc:ProfileID>");
    assert!(invoice.contains(&own));
    let new = process.map(|text| format!("<cbc:ProfileID>{text}</cbc:ProfileID>"));
    invoice.replace(&own, new.as_deref().unwrap_or_default())
}

/// The specification and the process of the invoice that a report tells.
fn told(kept: &KeptReport) -> (String, String) {
    let text = String::from_utf8(kept.document.to_vec()).unwrap();
    let (_, invoice) = text.split_once("ReportedDocument>").unwrap();
    let of = |name: &str| {
        let (_, rest) = invoice.split_once(&format!("<cbc:{name}>")).unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    };
    (of("CustomizationID"), of("ProfileID"))
}

#[tokio::test(flavor = "multi_thread")]
async fn both_corners_tell_the_invoice_that_was_sent() {
    let tax = TaxPlay::begin(Regime::Vida11).await;
    let nlcius = samples::document(SampleKind::Nlcius, SENDER, RECEIVER, "TAX-SI", 1);
    for (number, invoice, specification) in [
        ("TAX-EN", of_the_core("TAX-EN", None), BIS),
        ("TAX-BAU", of_the_core("TAX-BAU", Some("Baurechnung")), BIS),
        ("TAX-SI", with_process(&nlcius, None), NLCIUS),
    ] {
        let id = tax.play.send_document(invoice).await;
        assert_eq!(tax.play.ending(&id).await.text("topic"), "InvoiceSent", "{number}");
        tax.sent(&id, TaxState::Accepted).await;
        tax.received(number, TaxState::Accepted).await;
        let [two] = &tax.of_role(number, ReporterRole::Corner2)[..] else { panic!("one") };
        let [three] = &tax.of_role(number, ReporterRole::Corner3)[..] else { panic!("one") };
        assert_eq!(told(two), (specification.to_owned(), BILLING.to_owned()), "{number}");
        assert_eq!(told(three), told(two), "{number}");
        assert_eq!(two.report.invoice_uuid, three.report.invoice_uuid, "{number}");
    }
}

/// A report that is made once more is made of the same invoice.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_is_asked_for_later_tells_the_invoice_that_was_sent() {
    // The one that is rejected is the sender's.
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    tax.office.plan("TAX-AGAIN", super::OfficeFault::Rejects(1));
    let id = tax.play.send_document(of_the_core("TAX-AGAIN", None)).await;
    let [report] = &tax.sent(&id, TaxState::Rejected).await[..] else { panic!("one") };
    let caller = tax.play.sender().await;
    let path = format!("/api/v1/{SENDER}/taxReport/{}/resubmit", report.id);
    assert_eq!(super::asked::post(&caller, &path).await.status, 202);
    tax.sent(&id, TaxState::Accepted).await;
    for kept in tax.of_role("TAX-AGAIN", ReporterRole::Corner2) {
        assert_eq!(told(&kept), (BIS.to_owned(), BILLING.to_owned()));
    }
}
