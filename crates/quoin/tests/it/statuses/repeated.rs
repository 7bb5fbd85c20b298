//! A status that comes twice, and one that comes before the receipt of its document: the first one
//! settles, once there is something to settle, and no other one has consequences.

use jiff::SignedDuration;
use quoin_access_point::config::{Config, RequestedStatuses};
use quoin_delivery::mls::MlsCode;
use quoin_delivery::service_level::Figures;
use quoin_delivery::tax::TaxState;
use quoin_delivery::{Direction, Family};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::pki::CertificateRole;
use quoin_store::TransactionRecord;
use quoin_taxdata::Regime;
use uuid::Uuid;

use super::all_of;
use super::strangers::status_text;
use crate::stage::forger::Forger;
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};
use crate::tax::{TaxPlay, reports};

/// The second service sends and reports; the first one, which receives, is in the hands of the
/// story, which tells its statuses.
fn reversed(one: &mut Config, two: &mut Config) {
    one.tax.profiles.clear();
    one.provider.give_statuses = false;
    two.tax.profiles[0].roles = vec!["C2".to_owned()];
    two.provider.ask_for_statuses = RequestedStatuses::Always;
}

/// Sends an invoice from the second service to the first.
async fn sent_back(play: &Play, number: &str) -> (String, TransactionRecord) {
    let invoice = quoin_formats::samples::invoice(RECEIVER, SENDER, number);
    let id = Uuid::new_v4().to_string();
    assert_eq!(play.receiver().await.send(RECEIVER, &id, invoice).await.status, 200);
    let owner = "receiver".parse().unwrap();
    let document = id.parse().unwrap();
    let store = &play.two.parts.store;
    let found = store.transaction_of(&owner, Direction::Outgoing, &document).await;
    let record = found.unwrap().unwrap();
    (id, record)
}

/// What the provider of the first service says, with its certificate.
struct Provider<'p> {
    play: &'p Play,
    forger: Forger,
}

impl Provider<'_> {
    async fn of(play: &Play) -> Provider<'_> {
        let forger = Forger::new(&play.stage);
        play.two.parts.trust.prepare(forger.receiver(), CertificateRole::AccessPoint).await;
        Provider { play, forger }
    }

    /// Says this of a document, and waits until that was looked at.
    async fn says(&self, code: &'static str, about: &TransactionRecord) {
        let text = status_text(code, about.instance_id.as_deref().unwrap());
        let store = &self.play.two.parts.store;
        let before = store.status_messages(&about.transaction.id).await.unwrap().len();
        self.forger.deliver(&self.forger.status(&text), &self.play.two.parts.trust).await;
        until("the status is looked at", async || {
            let all = store.status_messages(&about.transaction.id).await.unwrap();
            (all.len() > before).then_some(())
        })
        .await;
    }
}

async fn counted(play: &Play, about: &TransactionRecord) -> Vec<(Option<String>, bool)> {
    let all = play.two.parts.store.status_messages(&about.transaction.id).await.unwrap();
    all.into_iter().map(|message| (message.code, message.counts)).collect()
}

fn said(code: &str, counts: bool) -> (Option<String>, bool) {
    (Some(code.to_owned()), counts)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_status_takes_no_report_back() {
    let tax = TaxPlay::with(Regime::Vida11, reversed).await;
    let play = &tax.play;
    let (id, sent) = sent_back(play, "MLS-TWICE").await;
    play.told(&id, &["InvoiceSent"]).await;
    let provider = Provider::of(play).await;
    provider.says("AP", &sent).await;
    reports(&play.two, &sent.transaction.id, TaxState::Accepted).await;
    provider.says("RE", &sent).await;
    assert_eq!(counted(play, &sent).await, [said("AP", true), said("RE", false)]);
    let store = &play.two.parts.store;
    let all = store.tax_reports_of(&sent.transaction.id).await.unwrap();
    let [report] = &all[..] else { panic!("nothing takes it back: {all:?}") };
    assert_eq!(report.state, TaxState::Accepted);
    let status = store.status_of(&sent.transaction.id).await.unwrap().unwrap();
    assert_eq!(status.code, Some(MlsCode::Accepted));
}

/// The access point took the document, its answer was lost, and its statuses come while the
/// document waits for its next attempt.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_overtakes_the_receipt_counts_once_there_is_one() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.one.as4_url, &[Act::LoseAnswer]).await;
    let tax = TaxPlay::on(stage, Regime::Vida11, |one, two| {
        reversed(one, two);
        one.smp.endpoint_exceptions.insert(SENDER.to_owned(), gate.url.clone());
        two.retry.delivery_seconds = vec![900.0; 7];
    })
    .await;
    let play = &tax.play;
    let store = &play.two.parts.store;
    let (id, sent) = sent_back(play, "MLS-EARLY").await;
    let about = &sent.transaction.id;
    play.told(&id, &["InvoiceSentRetry"]).await;
    let provider = Provider::of(play).await;
    // They are taken at once, and not held back until the document ends.
    provider.says("RE", &sent).await;
    provider.says("AP", &sent).await;
    assert!(store.status_of(about).await.unwrap().is_none());
    assert_eq!(counted(play, &sent).await, [said("RE", false), said("AP", false)]);
    let told = play.told(&id, &["MessageLevelStatusReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "RE");

    play.stage.clock.advance(SignedDuration::from_mins(20));
    play.told(&id, &["InvoiceSent"]).await;
    let status = store.status_of(about).await.unwrap().unwrap();
    assert_eq!(status.code, Some(MlsCode::Rejected), "the first one");
    assert!(status.settled_on.unwrap() < status.new.sent_on, "when it came: {status:?}");
    assert_eq!(counted(play, &sent).await, [said("RE", true), said("AP", false)]);
    let lines = store.timeline_of(about).await.unwrap();
    let codes = lines.iter().filter(|line| line.name == "MessageLevelStatus");
    let codes: Vec<_> = codes.map(|line| line.code.as_deref()).collect();
    assert_eq!(codes, [None, None, Some("rejected-by-provider")], "{lines:?}");
    let month = quoin_delivery::reporting::Month::of(status.new.sent_on);
    let now = play.stage.clock.now();
    let owner = "receiver".parse().unwrap();
    let levels = store.service_levels(month, Some(&owner), now).await.unwrap();
    assert_eq!(levels[0].figures, Figures { due: 1, in_time: 1, late: 0 });

    // What was refused before is not reported.
    let [report] = &reports(&play.two, about, TaxState::NotOwed).await[..] else {
        panic!("one report")
    };
    assert!(report.reason.message.contains("refused"), "{report:?}");
    assert!(tax.office.about("MLS-EARLY").is_empty());
    let family = Family::MessageLevelStatus;
    let came = all_of(&play.two, "receiver", Direction::Incoming, family).await;
    assert_eq!(came.len(), 2);
}

/// A status that comes while its document is on its way for the first time waits beside the lane of
/// its organisation, which has its place for others meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_comes_too_early_keeps_no_place() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.one.as4_url, &[Act::KeepAnswer]).await;
    let tax = TaxPlay::on(stage, Regime::Vida11, |one, two| {
        reversed(one, two);
        one.smp.endpoint_exceptions.insert(SENDER.to_owned(), gate.url.clone());
    })
    .await;
    let play = &tax.play;
    let (_, sent) = sent_back(play, "MLS-TOO-EARLY").await;
    let provider = Provider::of(play).await;
    let text = status_text("RE", sent.instance_id.as_deref().unwrap());
    provider.forger.deliver(&provider.forger.status(&text), &play.two.parts.trust).await;
    let db = rusqlite::Connection::open(play.two.parts.config.data_dir.join("quoin.db")).unwrap();
    let aside = "SELECT count(*) FROM tasks WHERE kind = 'arrive' AND lane IS NULL
        AND claim_token IS NULL AND available_on IS NOT NULL";
    until("it waits beside the lane", async || {
        let aside: i64 = db.query_row(aside, [], |row| row.get(0)).unwrap();
        (aside == 1).then_some(())
    })
    .await;
}

/// Of two statuses the first one that came settles, also where it overtook its document and the
/// second one did not.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_overtook_its_document_counts_before_those_that_came_later() {
    let stage = Stage::set().await;
    let late = Act::Later(std::time::Duration::from_secs(6));
    let gate = Gate::open(&stage, &stage.one.as4_url, &[late]).await;
    let tax = TaxPlay::on(stage, Regime::Vida11, |one, two| {
        reversed(one, two);
        one.smp.endpoint_exceptions.insert(SENDER.to_owned(), gate.url.clone());
    })
    .await;
    let play = &tax.play;
    let (id, sent) = sent_back(play, "MLS-FIRST").await;
    let provider = Provider::of(play).await;
    let says = async |code| {
        let text = status_text(code, sent.instance_id.as_deref().unwrap());
        provider.forger.deliver(&provider.forger.status(&text), &play.two.parts.trust).await;
    };
    let db = rusqlite::Connection::open(play.two.parts.config.data_dir.join("quoin.db")).unwrap();
    let waiting = async |count: i64, least: i64| {
        let aside = "SELECT count(*) FROM tasks WHERE kind = 'arrive' AND lane IS NULL
            AND claim_token IS NULL AND available_on IS NOT NULL AND run_at > ?1";
        until("they wait beside the lane", async || {
            let then = play.stage.clock.now().as_microsecond() + least * 1_000_000;
            let found: i64 = db.query_row(aside, [then], |row| row.get(0)).unwrap();
            (found == count).then_some(())
        })
        .await;
    };
    says("RE").await;
    waiting(1, 0).await;
    // It has waited for long already, and is looked at again in half a minute.
    play.stage.clock.advance(SignedDuration::from_secs(30));
    waiting(1, 20).await;
    play.told(&id, &["InvoiceSent"]).await;
    says("AP").await;
    waiting(2, 0).await;
    assert_eq!(counted(play, &sent).await, []);
    play.stage.clock.advance(SignedDuration::from_secs(60));
    until("both are looked at", async || {
        play.stage.clock.advance(SignedDuration::from_secs(1));
        (counted(play, &sent).await.len() == 2).then_some(())
    })
    .await;
    assert_eq!(counted(play, &sent).await, [said("RE", true), said("AP", false)]);
    let status = play.two.parts.store.status_of(&sent.transaction.id).await.unwrap().unwrap();
    assert_eq!(status.code, Some(MlsCode::Rejected));
}
