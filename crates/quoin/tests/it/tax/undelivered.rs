//! An invoice that could not be transmitted: the Emirates are told so, others are not.

use quoin_delivery::tax::{TaxAct, TaxState};
use quoin_formats::samples::{self, PintSample, pint_invoice};
use quoin_lab::lab::network::{SENDER, UNREGISTERED};
use quoin_lab::lab::tax_office::profile;
use quoin_taxdata::{Regime, TaxSubmission, source_document};

use super::{TaxPlay, asked, detail};
use crate::stage::until;

#[tokio::test(flavor = "multi_thread")]
async fn the_emirates_are_told_of_what_could_not_be_transmitted() {
    let tax = TaxPlay::with(Regime::Emirates, |one, two| {
        two.tax.profiles.clear();
        one.tax.profiles =
            vec![profile("AE", Regime::Emirates, &["C2"]), profile("NL", Regime::Vida11, &["C2"])];
    })
    .await;
    // The pilot has no such report.
    let dutch = samples::invoice(SENDER, UNREGISTERED, "F-NL");
    let dutch = tax.play.send_document(dutch).await;
    let invoice = pint_invoice(PintSample::Emirates, SENDER, UNREGISTERED, "F-AE");
    let uuid = invoice.split("<cbc:UUID>").nth(1).unwrap()[..36].to_owned();
    let id = tax.play.send_document(invoice).await;
    let ended = tax.play.ending(&id).await;
    assert_eq!(ended.text("topic"), "InvoiceSentError", "{ended:?}");
    let told = tax.play.told(&id, &["TaxReportAccepted"]).await;
    assert_eq!(detail(&told.payload, "taxAct"), "undelivered");
    let [report] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("one") };
    assert_eq!(report.act, TaxAct::Undelivered);
    let [kept] = &tax.office.about("F-AE")[..] else { panic!("one") };
    assert_eq!(kept.report.submission, TaxSubmission::FailedTransmission);
    assert_eq!(kept.report.invoice_uuid.as_deref(), Some(uuid.as_str()));
    let source = source_document(&quoin_formats::read(&kept.document)).unwrap();
    assert!(String::from_utf8_lossy(&source).contains("F-AE"));

    // What says that nothing was transmitted cannot be taken back.
    let caller = tax.play.sender().await;
    let one = format!("/api/v1/{SENDER}/taxReport/{}", report.id);
    asked::post(&caller, &format!("{one}/disregard")).await.is_problem(409, "API409.Tax", "sent");

    tax.play.ending(&dutch).await;
    let record = tax.play.record(&dutch).await.transaction.id;
    until("it is forgotten", async || {
        let reports = tax.play.one.parts.store.tax_reports_of(&record).await.unwrap();
        reports.is_empty().then_some(())
    })
    .await;
    assert!(tax.office.about("F-NL").is_empty());
}
