//! An invoice that is refused while its report is not written yet.

use super::*;

/// The first report was due when the invoice was refused, and is gathered before that is looked at:
/// no file has it.
#[tokio::test]
async fn what_is_gathered_of_a_refused_invoice_is_in_no_file() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    answered(&world, 20, &invoice, MlsCode::Rejected).await;
    let (claim, first) = work(&world, 21).await;
    assert_eq!(first.act, TaxAct::Submit);
    let gathers = TaxStep { next: Some(at(500)), ..step(claim, first, gathered("1"), 21) };
    world.store.finish_tax(gathers).await.unwrap();
    let (claim, second) = work(&world, 22).await;
    assert_eq!(second.act, TaxAct::Disregard);
    let before = world.store.tax_report_before(&second).await.unwrap().unwrap();
    assert_eq!(before.state, TaxState::Gathered);
    let nothing = TaxOutcome::NothingOwed("The authority does not have it.".to_owned());
    world.store.finish_tax(step(claim, second, nothing, 22)).await.unwrap();
    let all = world.store.tax_reports_of(&invoice).await.unwrap();
    let states: Vec<TaxState> = all.iter().map(|report| report.state).collect();
    assert_eq!(states, [TaxState::Replaced, TaxState::NotOwed]);
    assert_eq!(world.store.gathered_with(&before, 9).await.unwrap(), []);
    assert!(world.claim(TaskKind::Tax, 600, 5).await.is_empty());
}

/// What is under way to the authority when nothing seemed to be owed is looked at again.
#[tokio::test]
async fn what_left_meanwhile_is_looked_at_again() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    answered(&world, 20, &invoice, MlsCode::Rejected).await;
    let (first_claim, first) = work(&world, 21).await;
    let (claim, second) = work(&world, 21).await;
    let outcome = TaxOutcome::Written(facts(), message(&first));
    world.store.finish_tax(step(first_claim, first, outcome, 22)).await.unwrap();
    let nothing = TaxOutcome::NothingOwed("The authority does not have it.".to_owned());
    world.store.finish_tax(step(claim, second, nothing, 22)).await.unwrap();
    let (_, again) = work(&world, 23).await;
    assert_eq!((again.act, again.state), (TaxAct::Disregard, TaxState::Due));
}

/// Only what settles the status of an invoice takes back what was reported of it.
#[tokio::test]
async fn a_second_status_takes_nothing_back() {
    let world = world().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    written(&world, 11).await;
    left(&world, 12).await;
    answered(&world, 20, &invoice, MlsCode::Accepted).await;
    answered(&world, 21, &invoice, MlsCode::Rejected).await;
    assert_eq!(world.store.tax_reports_of(&invoice).await.unwrap().len(), 1);
}
