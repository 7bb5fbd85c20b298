//! What is asked about reports over the interface, and what is refused.

use jiff::SignedDuration;
use quoin_delivery::tax::{TaxAct, TaxState};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::Permission;
use quoin_taxdata::{Regime, TaxSubmission};
use reqwest::Method;

use super::TaxPlay;
use crate::stage::caller::{Answered, Caller};
use crate::stage::until;

pub async fn post(caller: &Caller, path: &str) -> Answered {
    caller.call(Method::POST, path, &[], None::<bytes::Bytes>).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_report_can_be_taken_back_and_nothing_else() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    let id = tax.play.send("TAX-D").await;
    let [report] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("one") };
    let caller = tax.play.sender().await;
    let one = format!("/api/v1/{SENDER}/taxReport/{}", report.id);
    post(&caller, &format!("{one}/resubmit")).await.is_problem(409, "API409.Tax", "accepted");
    let taken = post(&caller, &format!("{one}/disregard")).await;
    assert_eq!(taken.status, 202, "{}", taken.json);
    until("it is taken back", async || {
        let record = tax.play.record(&id).await.transaction.id;
        let all = tax.play.one.parts.store.tax_reports_of(&record).await.unwrap();
        (all.len() == 2 && all[1].state == TaxState::Accepted && all[1].act == TaxAct::Disregard)
            .then_some(())
    })
    .await;
    let kinds: Vec<_> =
        tax.office.about("TAX-D").iter().map(|kept| kept.report.submission).collect();
    assert_eq!(kinds, [TaxSubmission::Submit, TaxSubmission::Disregard]);
    let view = caller.get(&one).await.json;
    assert_eq!(view["state"], "replaced", "{view}");
}

/// No report names what did not come over the network, and nobody could put one right.
#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_that_was_handed_in_is_not_reported() {
    let tax = TaxPlay::with(Regime::Vida11, |_, _| {}).await;
    let caller = tax.play.receiver().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "TAX-IN");
    let path = format!("/api/v1/{RECEIVER}/generic/receive");
    let headers = [("content-type", "application/xml")];
    let taken = caller.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(taken.status, 200, "{:?}", taken.json);
    let arrived = until("it is judged", async || {
        let all = tax.play.arrived().await;
        all.into_iter().find(|one| one.transaction.status.is_final())
    })
    .await;
    let reports = tax.play.two.parts.store.tax_reports_of(&arrived.transaction.id).await.unwrap();
    assert!(reports.is_empty(), "{reports:?}");
    let handed_in = arrived.transaction.id;
    // One that came over the network is.
    let id = tax.play.send("TAX-OUT").await;
    tax.play.ending(&id).await;
    until("it is reported by its receiver", async || {
        let all = tax.play.arrived().await;
        let arrived = all.into_iter().find(|one| one.transaction.id != handed_in)?;
        let store = &tax.play.two.parts.store;
        let reports = store.tax_reports_of(&arrived.transaction.id).await.unwrap();
        (!reports.is_empty()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_party_can_be_left_out_and_a_wrong_question_is_told() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    let caller = tax.play.sender().await;
    let switch = format!("/api/v1/{SENDER}/taxReporting");
    assert!(caller.get(&switch).await.json["enabled"].is_null());
    let off = caller
        .call(
            Method::PUT,
            &switch,
            &[("content-type", "application/json")],
            Some("{\"enabled\":false}"),
        )
        .await
        .unwrap();
    assert_eq!((off.status, &off.json["enabled"]), (200, &false.into()));
    let id = tax.play.send("TAX-OFF").await;
    tax.play.ending(&id).await;
    let record = tax.play.record(&id).await.transaction.id;
    until("it is forgotten", async || {
        tax.play.one.parts.store.tax_reports_of(&record).await.unwrap().is_empty().then_some(())
    })
    .await;
    assert!(tax.office.kept().is_empty());
    let list = format!("/api/v1/{SENDER}/taxReport");
    for (query, word) in [("state=lost", "lost"), ("state=accepted&unreported=true", "unreported")]
    {
        caller.get(&format!("{list}?{query}")).await.is_problem(400, "API400.Query", word);
    }
    let token = "continuationToken=0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
    let foreign = caller.get(&format!("{list}?{token}")).await;
    foreign.is_problem(400, "API400.Continuation", "0192f0c1");
    caller.get(&format!("{list}/nothing")).await.is_problem(400, "API400.DocumentId", "nothing");
    let nil = uuid::Uuid::nil();
    caller.get(&format!("{list}/{nil}")).await.is_problem(404, "API404", "no tax report");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_see_an_invoice_does_not_change_its_report() {
    let tax = TaxPlay::begin(Regime::Vida11).await;
    tax.play.send("TAX-SEEN").await;
    let [report] = &tax.received("TAX-SEEN", TaxState::Accepted).await[..] else { panic!("one") };
    let head = tax.play.receiver().await;
    let headers = [("content-type", "application/json")];
    let user = "{\"name\":\"alice\",\"password\":\"correct horse\"}".to_owned();
    let made = head.call(Method::PUT, "/api/v1/user", &headers, Some(user)).await.unwrap();
    assert_eq!(made.status, 200, "{}", made.json);
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let form = "grant_type=password&username=alice&password=correct+horse&scope=ap".to_owned();
    let nobody = head.with_token("");
    let token = nobody.call(Method::POST, "/connect/token", &headers, Some(form)).await.unwrap();
    let caller = head.with_token(token.json["access_token"].as_str().unwrap());
    let one = format!("/api/v1/{RECEIVER}/taxReport/{}", report.id);
    let all = Permission::all("alice", RECEIVER);
    let sends = Permission { can_receive: false, ..all.clone() };
    let receives = Permission { can_send: false, ..all.clone() };
    for (permission, status, code) in [(sends, 404, "API404"), (receives, 403, "API403.Permission")]
    {
        let store = &tax.play.two.parts.store;
        store.put_permission(&report.organisation, permission).await.unwrap();
        for act in ["resubmit", "disregard"] {
            let answer = post(&caller, &format!("{one}/{act}")).await;
            assert_eq!((answer.status, &answer.json["code"]), (status, &code.into()), "{act}");
        }
    }
    tax.play.two.parts.store.put_permission(&report.organisation, all).await.unwrap();
    assert_eq!(post(&caller, &format!("{one}/disregard")).await.status, 202);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_later_is_counted_from_the_exchange() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    let id = tax.play.send("TAX-T").await;
    let [first] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("one") };
    tax.play.stage.clock.advance(SignedDuration::from_hours(2));
    let caller = tax.play.sender().await;
    let one = format!("/api/v1/{SENDER}/taxReport/{}", first.id);
    assert_eq!(post(&caller, &format!("{one}/disregard")).await.status, 202);
    let both = until("it is taken back", async || {
        let record = tax.play.record(&id).await.transaction.id;
        let all = tax.play.one.parts.store.tax_reports_of(&record).await.unwrap();
        (all.len() == 2 && all[1].state == TaxState::Accepted).then_some(all)
    })
    .await;
    assert!(both[1].created_on.duration_since(both[0].created_on).as_hours() >= 2);
    // The first one was written a moment before its invoice was recorded as delivered.
    let due = |at: usize| both[at].facts.due_on.unwrap();
    assert!(due(1).duration_since(due(0)).abs() < SignedDuration::from_mins(1), "{both:?}");
}
