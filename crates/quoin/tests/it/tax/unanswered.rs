//! Nobody answers, or twice: the message goes out again, and the report counts once.

use jiff::SignedDuration;
use quoin_delivery::tax::TaxState;
use quoin_lab::lab::tax_office::OfficeFault;
use quoin_taxdata::Regime;

use super::TaxPlay;
use crate::stage::until;

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_answers_goes_out_again_in_another_envelope() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    tax.office.plan("TAX-SILENT", OfficeFault::Silent(1));
    let id = tax.play.send("TAX-SILENT").await;
    tax.sent(&id, TaxState::Sent).await;
    until("it came", async || (tax.office.about("TAX-SILENT").len() == 1).then_some(())).await;
    tax.play.stage.clock.advance(SignedDuration::from_mins(61));
    let [report] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("one report") };
    assert_eq!(report.messages, 2);
    let kept = tax.office.about("TAX-SILENT");
    let [first, second] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(first.document, second.document, "the same report");
    assert_ne!(first.envelope, second.envelope);
    assert_eq!(tax.office.counted().values().copied().collect::<Vec<_>>(), [1]);
    assert_eq!(tax.play.times(&id, "TaxReportSent"), 1, "it is told once");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_twice_is_told_once() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    tax.office.plan("TAX-TWICE", OfficeFault::Twice);
    let id = tax.play.send("TAX-TWICE").await;
    tax.sent(&id, TaxState::Accepted).await;
    tax.play.told(&id, &["TaxReportAccepted"]).await;
    until("both answers came", async || {
        let record = tax.play.record(&id).await.transaction.id;
        let reports = tax.play.one.parts.store.tax_reports_of(&record).await.unwrap();
        let message = tax.play.one.parts.store.tax_message_of(&reports[0]).await.unwrap()?;
        let told = tax.play.one.parts.store.status_messages(&message.transaction.id).await.unwrap();
        (told.len() == 2).then_some(())
    })
    .await;
    assert_eq!(tax.play.times(&id, "TaxReportAccepted"), 1);
}
