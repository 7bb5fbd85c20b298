//! Reports about invoices that are not kept any more, and reports that cannot be written.

use jiff::SignedDuration;
use quoin_delivery::tax::{TaxAct, TaxState};
use quoin_lab::lab::network::RECEIVER;
use quoin_store::Keep;
use quoin_taxdata::{Regime, TaxSubmission};

use super::TaxPlay;
use super::asked::post;
use crate::promises::duplicates::alarms;
use crate::stage::until;

/// The receiver downloaded it more than seven days ago.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_reported_of_an_invoice_that_is_gone_is_taken_back_by_its_report() {
    let tax = TaxPlay::with(Regime::Vida11, |one, _| one.tax.profiles.clear()).await;
    tax.play.send("TAX-G").await;
    let [report] = &tax.received("TAX-G", TaxState::Accepted).await[..] else { panic!("one") };
    let caller = tax.play.receiver().await;
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{}/download", report.invoice);
    assert_eq!(caller.get(&path).await.status, 200);
    let store = &tax.play.two.parts.store;
    let mut next = store.keep(Keep::default()).await.unwrap();
    while let Some(at) = next {
        next = store.plan_retention(at).await.unwrap();
    }
    let later = tax.play.stage.clock.now() + SignedDuration::from_hours(8 * 24);
    assert_eq!(store.expire(later).await.unwrap(), 1);
    assert_eq!(caller.get(&path).await.status, 404, "it is gone");
    let one = format!("/api/v1/{RECEIVER}/taxReport/{}", report.id);
    let taken = post(&caller, &format!("{one}/disregard")).await;
    assert_eq!(taken.status, 202, "{}", taken.json);
    let both = until("it is taken back", async || {
        let all = store.tax_reports_of(&report.transaction).await.unwrap();
        (all.last()?.state == TaxState::Accepted && all.len() == 2).then_some(all)
    })
    .await;
    assert_eq!((both[0].state, both[1].act), (TaxState::Replaced, TaxAct::Disregard));
    assert_eq!(both[0].facts.invoice_uuid, both[1].facts.invoice_uuid);
    let kept = tax.office.about("TAX-G");
    let kinds: Vec<_> = kept.iter().map(|kept| kept.report.submission).collect();
    assert_eq!(kinds, [TaxSubmission::Submit, TaxSubmission::Disregard]);
    assert_eq!(kept[1].report.uuid, both[1].facts.data_uuid);
}

/// Whoever runs the service is told at once, and not when its term is near.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_cannot_be_written_is_told() {
    // The Emirates ask for more than a Dutch invoice says.
    let tax = TaxPlay::with(Regime::Emirates, |_, two| two.tax.profiles.clear()).await;
    let id = tax.play.send("TAX-U").await;
    tax.sent(&id, TaxState::Failed).await;
    until("the alarm", async || {
        (!alarms(&tax.play.one, "tax-unreported").await.is_empty()).then_some(())
    })
    .await;
}
