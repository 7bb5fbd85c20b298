//! Nobody answers, or twice: the message goes out again, and the report counts once.

use jiff::SignedDuration;
use quoin_delivery::tax::{TaxAct, TaxState};
use quoin_lab::lab::network::SENDER;
use quoin_lab::lab::tax_office::OfficeFault;
use quoin_taxdata::Regime;
use quoin_taxdata::assumed::REPEATS;

use super::{TaxPlay, asked};
use crate::stage::until;

/// What the timeline of an invoice says of its reports.
async fn lines(tax: &TaxPlay, id: &str) -> Vec<String> {
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let told = tax.play.sender().await.get(&path).await.json;
    let all = told.as_array().cloned().unwrap_or_default();
    let own = all.iter().filter(|line| line["name"] == "taxReport");
    own.filter_map(|line| line["description"].as_str().map(str::to_owned)).collect()
}

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

#[tokio::test(flavor = "multi_thread")]
async fn one_that_nobody_ever_answers_says_so_and_can_be_made_once_more() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    let messages = usize::try_from(REPEATS).unwrap() + 1;
    tax.office.plan("TAX-NEVER", OfficeFault::Silent(messages));
    let id = tax.play.send("TAX-NEVER").await;
    let mut one = String::new();
    for count in 1..=messages {
        until("it came", async || (tax.office.about("TAX-NEVER").len() == count).then_some(()))
            .await;
        let left = async || {
            let [report] = &tax.sent(&id, TaxState::Sent).await[..] else { panic!("one report") };
            let has_left = usize::try_from(report.messages).unwrap() == count;
            (has_left && report.left_on.is_some()).then(|| report.id.clone())
        };
        let report = until("its message left", left).await;
        one = format!("/api/v1/{SENDER}/taxReport/{report}/resubmit");
        // Nor while the last one may still be answered.
        let caller = tax.play.sender().await;
        asked::post(&caller, &one).await.is_problem(409, "API409.Tax", "is sent and cannot");
        tax.play.stage.clock.advance(SignedDuration::from_mins(61));
    }
    let told = async || lines(&tax, &id).await.into_iter().find(|line| line.contains("6 times"));
    let line = until("the timeline tells it", told).await;
    assert!(line.ends_with("nobody answered. It can be made once more."), "{line}");
    let again = asked::post(&tax.play.sender().await, &one).await;
    assert_eq!(again.status, 202, "{}", again.json);
    let all = tax.sent(&id, TaxState::Accepted).await;
    let [first, second] = &all[..] else { panic!("{all:?}") };
    assert_eq!((first.state, second.act), (TaxState::Replaced, TaxAct::Submit));
    assert_ne!(first.facts.data_uuid, second.facts.data_uuid);
    assert_eq!(first.facts.invoice_uuid, second.facts.invoice_uuid);
    let own = lines(&tax, &id).await;
    assert_eq!(own.iter().filter(|line| line.contains("6 times")).count(), 1, "{own:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_of_two_answers_counts_and_the_other_one_is_told() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    let numbers: Vec<String> = (0..6).map(|n| format!("TAX-BOTH-{n}")).collect();
    let mut ids = Vec::new();
    for number in &numbers {
        tax.office.plan(number, OfficeFault::Contradicts);
        ids.push(tax.play.send(number).await);
    }
    for id in &ids {
        let both = async || {
            let own = lines(&tax, id).await;
            own.into_iter().find(|line| line.contains("was answered once more"))
        };
        let line = until("the other answer", both).await;
        assert!(line.contains("with AP: The tax office took the report."), "{line}");
        assert!(line.ends_with("the first answer counts, and it is rejected."), "{line}");
        let [report] = &tax.sent(id, TaxState::Rejected).await[..] else { panic!("one report") };
        assert_eq!(report.reason.message, "The tax office rejected the report.");
        assert_eq!(tax.play.times(id, "TaxReportAccepted"), 0);
    }
}
