//! Reports to tax authorities: one an invoice, in the commit of its end; what its message and the
//! answers to it come to; what people ask; lists by their tokens.

mod again;
mod kept;
mod taken_back;

use bytes::Bytes;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::tax::{TaxAct, TaxReason, TaxRole, TaxState};
use quoin_delivery::{Family, TaskKind, TransactionId, ids};
use quoin_store::{
    Claim, Completion, NewOutgoing, NewStatus, SideEffects, StatusTold, TaxChange, TaxFacts,
    TaxFilter, TaxGathered, TaxOutcome, TaxOwed, TaxReportRecord, TaxStep, TransactionRecord, Work,
};

use crate::statuses::status;
use crate::world::{World, acme, at, completion, outgoing, refusal, straight, world};

/// A delivered invoice, of which a report may be owed.
async fn delivered(world: &World, number: u32) -> TransactionRecord {
    world.upload(number).await;
    let claim = world.claim_one(TaskKind::Prepare, 10).await;
    let record = world.load(&claim).await;
    let done = completion(&claim, &record, &straight(), 10);
    let owed = TaxOwed::later(TaxRole::Sender, TaxAct::Submit);
    let beside = SideEffects { tax: Some(owed), awaited: Some(awaited()), ..Default::default() };
    world.store.commit_with(done, beside).await.unwrap();
    record
}

/// The status that may come back about an invoice, of the provider that answers in these tests.
fn awaited() -> NewStatus {
    NewStatus { provider: "POP000005".to_owned(), ..status(true, 1_000) }
}

async fn work(world: &World, now: i64) -> (Claim, TaxReportRecord) {
    let claim = world.claim_one(TaskKind::Tax, now).await;
    let Work::Tax(report, _) = world.store.load(&claim).await.unwrap() else { panic!("a report") };
    (claim, *report)
}

fn step(claim: Claim, report: TaxReportRecord, outcome: TaxOutcome, now: i64) -> TaxStep {
    TaxStep {
        claim,
        report,
        outcome,
        notices: Vec::new(),
        warned: false,
        breached: false,
        next: None,
        now: at(now),
    }
}

fn facts() -> TaxFacts {
    TaxFacts {
        country: Some("BE".to_owned()),
        regime: Some("vida-1.1".to_owned()),
        due_on: Some(at(1_000)),
        ..TaxFacts::default()
    }
}

fn message(report: &TaxReportRecord) -> Box<NewOutgoing> {
    let document_id = ids::tax_message_id(&report.id, report.messages + 1);
    let instance_id = ids::sbdh_instance_id(&acme(), &document_id);
    let content = Bytes::from_static(b"<TaxData/>");
    let family = Family::TaxReport;
    let message_id = format!("{document_id}@ap.example.test");
    Box::new(NewOutgoing {
        document_id,
        instance_id,
        message_id,
        family,
        content,
        ..outgoing(900, "")
    })
}

/// Writes the report that is due.
async fn written(world: &World, now: i64) -> TaxReportRecord {
    let (claim, report) = work(world, now).await;
    let outcome = TaxOutcome::Written(facts(), message(&report));
    world.store.finish_tax(step(claim, report.clone(), outcome, now)).await.unwrap();
    one(world, &report.transaction).await
}

async fn one(world: &World, invoice: &TransactionId) -> TaxReportRecord {
    world.store.tax_reports_of(invoice).await.unwrap().pop().unwrap()
}

/// Its message gets through.
async fn left(world: &World, now: i64) -> TransactionRecord {
    let claim = world.claim_one(TaskKind::Prepare, now).await;
    let record = world.load(&claim).await;
    assert_eq!(record.transaction.family, Family::TaxReport);
    world.store.commit(silent(&claim, &record, now)).await.unwrap();
    record
}

/// The step in which a message leaves: its report tells of it, as the worker has it.
fn silent(claim: &Claim, record: &TransactionRecord, now: i64) -> Completion {
    let mut done = completion(claim, record, &straight(), now);
    done.decision.notices.clear();
    done
}

/// A status comes about a message or an invoice.
async fn answered(world: &World, number: u32, about: &TransactionId, code: MlsCode) {
    world.arrive(number).await;
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let record = world.load(&claim).await;
    let told = StatusTold {
        subject: about.clone(),
        provider: "POP000005".to_owned(),
        code: Some(code.as_str().to_owned()),
        description: "It is looked at.".to_owned(),
        issues: Vec::new(),
        counts: true,
        told_on: at(i64::from(number)),
    };
    let beside = SideEffects { told: Some(told), ..SideEffects::default() };
    let done = completion(&claim, &record, &[crate::world::valid()], i64::from(number));
    world.store.commit_with(done, beside).await.unwrap();
}

async fn topics(world: &World) -> Vec<String> {
    let events = world.store.events_since(&acme(), quoin_delivery::EventId(0), 500).await.unwrap();
    let tax = events.into_iter().map(|event| event.topic.to_string());
    tax.filter(|topic| topic.starts_with("TaxReport")).collect()
}

/// Ends an invoice with what its report came to.
async fn ended_with(world: &World, number: u32, outcome: &TaxOutcome) -> TransactionId {
    world.upload(number).await;
    let claim = world.claim_one(TaskKind::Prepare, 10).await;
    let record = world.load(&claim).await;
    let id = record.transaction.id.clone();
    let outcome = match outcome.clone() {
        TaxOutcome::Written(facts, new) => {
            let report = ids::tax_report_id(&id, 1).to_string();
            let document_id = ids::tax_message_id(&report, 1);
            TaxOutcome::Written(facts, Box::new(NewOutgoing { document_id, ..*new }))
        }
        other => other,
    };
    let later = TaxOwed::later(TaxRole::Sender, TaxAct::Submit);
    let owed = TaxOwed { outcome, next: Some(at(500)), ..later };
    let done = completion(&claim, &record, &straight(), 10);
    let beside = SideEffects { tax: Some(owed), awaited: Some(awaited()), ..Default::default() };
    world.store.commit_with(done, beside).await.unwrap();
    id
}

fn gathered(told: &str) -> TaxOutcome {
    let facts = TaxFacts { channel: Some("platform".to_owned()), ..facts() };
    let declarant = "SE 732829320".to_owned();
    TaxOutcome::Gathered(facts, TaxGathered { declarant, until: at(500), told: told.to_owned() })
}

/// What waits for the file of its period is in one file, and each of it is told.
#[tokio::test]
async fn a_file_carries_what_was_gathered_for_it_once() {
    let world = world().await;
    let invoices =
        [ended_with(&world, 1, &gathered("1")).await, ended_with(&world, 2, &gathered("2")).await];
    let refused = ended_with(&world, 3, &gathered("3")).await;
    answered(&world, 20, &refused, MlsCode::Rejected).await;
    assert_eq!(one(&world, &refused).await.state, TaxState::Replaced);
    let (claim, first) = work(&world, 500).await;
    let (other_claim, other) = work(&world, 500).await;
    let members = world.store.gathered_with(&first, 9).await.unwrap();
    let told: Vec<&str> = members
        .iter()
        .filter_map(|member| member.gathered.as_ref().map(|gathered| gathered.told.as_str()))
        .collect();
    assert_eq!(told, ["1", "2"]);
    assert_eq!(world.store.gathered_with(&first, 1).await.unwrap().len(), 1);
    let file = TaxOutcome::Filed(members.clone(), message(&members[0]));
    let done = TaxStep { next: Some(at(900)), ..step(claim, first, file, 500) };
    world.store.finish_tax(done).await.unwrap();
    // The same decided a second time, as by the step of the other one, is not recorded.
    let again = NewOutgoing { message_id: "m-9@a".to_owned(), ..*message(&other) };
    let again = NewOutgoing { instance_id: "i-9".to_owned(), ..again };
    let file = TaxOutcome::Filed(members, Box::new(again));
    world.store.finish_tax(step(other_claim, other, file, 500)).await.unwrap();
    for invoice in &invoices {
        let report = one(&world, invoice).await;
        assert_eq!((report.state, report.messages), (TaxState::Sending, 1));
    }
    let sent = left(&world, 501).await;
    assert_eq!(sent.channel.as_deref(), None);
    for invoice in &invoices {
        let report = one(&world, invoice).await;
        // Nobody answers a platform: what it took is accepted.
        assert_eq!((report.state, report.settled_on), (TaxState::Accepted, Some(at(501))));
    }
    let told = ["TaxReportSent", "TaxReportAccepted", "TaxReportSent", "TaxReportAccepted"];
    assert_eq!(topics(&world).await, told);
}

/// What is written with the end of an invoice is what a step of its own would have recorded.
#[tokio::test]
async fn a_report_is_written_with_the_end_of_its_invoice() {
    let world = world().await;
    let by_step = delivered(&world, 1).await.transaction.id;
    let by_step = (written(&world, 10).await, left(&world, 11).await, by_step);
    let new = *message(&by_step.0);
    let new = NewOutgoing { instance_id: "i-2".to_owned(), message_id: "m-2@a".to_owned(), ..new };
    let id = ended_with(&world, 2, &TaxOutcome::Written(facts(), Box::new(new))).await;
    assert!(
        world
            .store
            .claim(&[TaskKind::Tax], at(499), crate::world::LEASE, 9)
            .await
            .unwrap()
            .is_empty()
    );
    let report = one(&world, &id).await;
    assert_eq!((report.state, report.messages), (TaxState::Sending, 1));
    let sent = left(&world, 12).await.transaction.id;
    let carried = world.store.tax_report_carried_by(&sent).await.unwrap().unwrap();
    assert_eq!((carried.id, carried.state), (report.id, TaxState::Sent));
    let (one_of_step, one_of_end) = (one(&world, &by_step.2).await, one(&world, &id).await);
    let same = |of: &TaxReportRecord| (of.state, of.facts.clone(), of.reason.clone(), of.messages);
    assert_eq!(same(&one_of_step), same(&one_of_end));
    let lines = async |id: &TransactionId| {
        let lines = world.store.timeline_of(id).await.unwrap();
        lines.into_iter().map(|line| (line.name, line.description)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&by_step.2).await, lines(&id).await);
    assert_eq!(topics(&world).await, ["TaxReportSent", "TaxReportSent"]);
    // It is looked at again in its time.
    let (_, looked_at) = work(&world, 500).await;
    assert_eq!(looked_at.id, one_of_end.id);
}

#[tokio::test]
async fn what_is_not_written_with_the_end_of_an_invoice_is_told_as_well() {
    let world = world().await;
    let forgotten = ended_with(&world, 1, &TaxOutcome::Unasked).await;
    assert!(world.store.tax_reports_of(&forgotten).await.unwrap().is_empty());
    let reason = TaxReason { message: "BT-31 is missing.".to_owned(), ..TaxReason::default() };
    let failed = ended_with(&world, 2, &TaxOutcome::Unwritable(facts(), reason.clone())).await;
    let report = one(&world, &failed).await;
    assert_eq!((report.state, report.reason), (TaxState::Failed, reason));
    assert_eq!(report.facts, facts());
    let why = "It is no invoice.".to_owned();
    let none = ended_with(&world, 3, &TaxOutcome::NothingOwed(why)).await;
    let report = one(&world, &none).await;
    assert_eq!((report.state, report.settled_on), (TaxState::NotOwed, Some(at(10))));
    assert_eq!(topics(&world).await, ["TaxReportRejected"]);
}

#[tokio::test]
async fn a_report_is_due_once_and_told_in_each_state() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    assert_eq!(one(&world, &invoice).await.state, TaxState::Due);
    let report = written(&world, 11).await;
    assert_eq!((report.state, report.messages), (TaxState::Sending, 1));
    let sent = left(&world, 12).await.transaction.id;
    assert_eq!(one(&world, &invoice).await.left_on, Some(at(12)));
    answered(&world, 20, &sent, MlsCode::Accepted).await;
    // Another answer comes too late.
    answered(&world, 21, &sent, MlsCode::Rejected).await;
    let report = one(&world, &invoice).await;
    assert_eq!((report.state, report.settled_on), (TaxState::Accepted, Some(at(20))));
    assert_eq!(topics(&world).await, ["TaxReportSent", "TaxReportAccepted"]);
    let lines = world.store.timeline_of(&invoice).await.unwrap();
    let told: Vec<_> = lines.iter().filter(|line| line.name == "taxReport").collect();
    assert_eq!(told.len(), 4, "{lines:?}");
    assert!(told[3].description.contains("It changes nothing"), "{lines:?}");
    assert!(world.store.unreported().await.unwrap().iter().all(|count| count.reports == 0));
}

/// An answer that overtakes the receipt of its message tells that it left, too.
#[tokio::test]
async fn an_answer_may_come_before_the_receipt() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    written(&world, 11).await;
    let report = one(&world, &invoice).await;
    let message = world.store.tax_message_of(&report).await.unwrap().unwrap().transaction.id;
    let claims = world.claim(TaskKind::Prepare, 12, 5).await;
    assert_eq!(claims.len(), 1);
    answered(&world, 20, &message, MlsCode::Rejected).await;
    assert_eq!(topics(&world).await, ["TaxReportSent", "TaxReportRejected"]);
    let record = world.load(&claims[0]).await;
    world.store.commit(silent(&claims[0], &record, 21)).await.unwrap();
    assert_eq!(one(&world, &invoice).await.state, TaxState::Rejected);
    assert_eq!(topics(&world).await.len(), 2, "it is told once");
}

#[tokio::test]
async fn what_was_decided_about_another_state_is_decided_anew() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    let (claim, report) = work(&world, 11).await;
    let outcome = TaxOutcome::NothingOwed("No number.".to_owned());
    let stale = TaxReportRecord { state: TaxState::Sent, ..report.clone() };
    world.store.finish_tax(step(claim.clone(), stale, outcome.clone(), 11)).await.unwrap();
    assert_eq!(one(&world, &invoice).await.state, TaxState::Due, "nothing was recorded");
    let again = world.store.finish_tax(step(claim, report.clone(), outcome.clone(), 12)).await;
    assert!(matches!(refusal(again), quoin_store::Refusal::StaleClaim { .. }));
    let (claim, report) = work(&world, 13).await;
    world.store.finish_tax(step(claim, report, outcome, 13)).await.unwrap();
    assert_eq!(one(&world, &invoice).await.state, TaxState::NotOwed);
    // One that nobody asks for leaves nothing.
    let other = delivered(&world, 2).await.transaction.id;
    let (claim, report) = work(&world, 14).await;
    world.store.finish_tax(step(claim, report, TaxOutcome::Unasked, 14)).await.unwrap();
    assert!(world.store.tax_reports_of(&other).await.unwrap().is_empty());
}

#[tokio::test]
async fn people_may_ask_for_what_fits_the_state() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    let ask = async |id: &str, wish| {
        world.store.change_tax_report(&acme(), id, wish, at(50)).await.unwrap()
    };
    let report = one(&world, &invoice).await;
    let due = ask(&report.id, TaxAct::Resubmit).await;
    assert_eq!(due, TaxChange::Unfitting(TaxState::Due));
    let (claim, report) = work(&world, 11).await;
    let reason = TaxReason { code: None, message: "BT-48".to_owned(), findings: Vec::new() };
    let outcome = TaxOutcome::Unwritable(facts(), reason);
    world.store.finish_tax(step(claim, report.clone(), outcome, 11)).await.unwrap();
    let TaxChange::Made(made) = ask(&report.id, TaxAct::Resubmit).await else { panic!("made") };
    // The authority never saw the first one.
    assert_eq!((made.act, made.state, made.place), (TaxAct::Submit, TaxState::Due, 2));
    assert_eq!(ask(&report.id, TaxAct::Resubmit).await, TaxChange::Replaced(made.id.clone()));
    assert_eq!(ask("nothing", TaxAct::Resubmit).await, TaxChange::Unknown);
    let stranger = "other".parse().unwrap();
    let theirs = world.store.change_tax_report(&stranger, &made.id, TaxAct::Resubmit, at(50)).await;
    assert_eq!(theirs.unwrap(), TaxChange::Unknown);
    assert!(world.store.tax_report(&stranger, &made.id).await.unwrap().is_none());
}

#[tokio::test]
async fn a_refused_invoice_has_its_report_taken_back() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    written(&world, 11).await;
    left(&world, 12).await;
    answered(&world, 20, &invoice, MlsCode::Rejected).await;
    answered(&world, 21, &invoice, MlsCode::Rejected).await;
    let all = world.store.tax_reports_of(&invoice).await.unwrap();
    assert_eq!(all.len(), 2, "once");
    assert_eq!((all[1].act, all[1].state), (TaxAct::Disregard, TaxState::Due));
    let before = world.store.tax_report_before(&all[1]).await.unwrap().unwrap();
    assert_eq!(before.id, all[0].id);
}

#[tokio::test]
async fn a_list_goes_on_where_it_ended() {
    let world = world().await;
    for number in 1..=5 {
        delivered(&world, number).await;
    }
    let party =
        world.store.tax_reports_of(&delivered(&world, 6).await.transaction.id).await.unwrap();
    let mut filter = TaxFilter {
        organisation: acme(),
        party: party[0].party.clone(),
        states: vec![TaxState::Due, TaxState::Sent],
        directions: Vec::new(),
        due_before: None,
        limit: 4,
        continuation: None,
    };
    let first = world.store.tax_reports(filter.clone()).await.unwrap();
    assert_eq!(first.items.len(), 4);
    filter.continuation = first.continuation.clone();
    let rest = world.store.tax_reports(filter.clone()).await.unwrap();
    assert_eq!((rest.items.len(), &rest.continuation), (2, &None));
    let ids: std::collections::BTreeSet<_> =
        first.items.iter().chain(&rest.items).map(|item| &item.id).collect();
    assert_eq!(ids.len(), 6);
    filter.organisation = "other".parse().unwrap();
    let theirs = world.store.tax_reports(filter).await;
    assert!(matches!(refusal(theirs), quoin_store::Refusal::Continuation { .. }));
    let counts = world.store.unreported().await.unwrap();
    let due = counts.iter().find(|count| count.state == TaxState::Due).unwrap();
    assert_eq!(due.reports, 6);
    let switch = async |is_on| {
        world.store.put_tax_switch(&acme(), "p", is_on, at(1)).await.unwrap();
        world.store.tax_switch(&acme(), "p").await.unwrap()
    };
    assert_eq!(switch(Some(false)).await, Some(false));
    assert_eq!(switch(None).await, None);
}
