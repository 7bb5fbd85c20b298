//! Reports to tax authorities: both corners report, each once; what the authority says, and what is
//! asked, is told by states and events.

mod apart;
mod asked;
mod by_hand;
mod commands;
mod converted;
mod france;
mod gone;
mod killed;
mod regimes;
mod unanswered;
mod undelivered;

use jiff::SignedDuration;
use quoin_delivery::tax::{TaxAct, TaxRole, TaxState};
use quoin_delivery::{Direction, TransactionId};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::tax_office::{KeptReport, OfficeFault, TaxOffice, authority, profile};
use quoin_server::start::Running;
use quoin_store::TaxReportRecord;
use quoin_taxdata::{Regime, ReporterRole, TaxSubmission};
use serde_json::Value;

use crate::stage::{Play, Stage, until};

/// Both services report to an authority of the lab.
pub struct TaxPlay {
    pub play: Play,
    pub office: TaxOffice,
}

impl TaxPlay {
    /// Both report Dutch invoices by one regime.
    pub async fn begin(regime: Regime) -> TaxPlay {
        TaxPlay::with(regime, |_, _| ()).await
    }

    pub async fn with(
        regime: Regime,
        differ: impl FnOnce(
            &mut quoin_access_point::config::Config,
            &mut quoin_access_point::config::Config,
        ),
    ) -> TaxPlay {
        TaxPlay::on(Stage::set().await, regime, differ).await
    }

    pub async fn on(
        stage: Stage,
        regime: Regime,
        differ: impl FnOnce(
            &mut quoin_access_point::config::Config,
            &mut quoin_access_point::config::Config,
        ),
    ) -> TaxPlay {
        let office = TaxOffice::open(&stage.around, stage.clock.clone()).await.unwrap();
        let play = stage
            .play_with(|one, two| {
                one.tax.profiles = vec![profile("NL", regime, &["C2"])];
                two.tax.profiles = vec![profile("NL", regime, &["C3"])];
                differ(one, two);
            })
            .await;
        TaxPlay { play, office }
    }

    /// The reports about a sent invoice, once the last of them is in a state.
    pub async fn sent(&self, document: &str, state: TaxState) -> Vec<TaxReportRecord> {
        let id = self.play.record(document).await.transaction.id;
        reports(&self.play.one, &id, state).await
    }

    /// The same about the received invoice of a number.
    pub async fn received(&self, number: &str, state: TaxState) -> Vec<TaxReportRecord> {
        let arrived = until("it arrived", async || {
            let all = self.play.arrived().await;
            all.into_iter().find(|one| one.transaction.number.as_deref() == Some(number))
        });
        let id = arrived.await.transaction.id;
        reports(&self.play.two, &id, state).await
    }

    /// What the authority has about an invoice of a role.
    pub fn of_role(&self, number: &str, role: ReporterRole) -> Vec<KeptReport> {
        let mut kept = self.office.about(number);
        kept.retain(|kept| kept.report.role == role);
        kept
    }
}

pub async fn reports(
    service: &Running,
    invoice: &TransactionId,
    state: TaxState,
) -> Vec<TaxReportRecord> {
    until(&format!("the report is {}", state.as_str()), async || {
        let all = service.parts.store.tax_reports_of(invoice).await.unwrap();
        all.last().is_some_and(|last| last.state == state).then_some(all)
    })
    .await
}

pub fn detail<'d>(payload: &'d Value, name: &str) -> &'d str {
    payload["details"][name].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_corners_report_once_and_hear_that_it_was_taken() {
    let tax = TaxPlay::begin(Regime::Vida11).await;
    let play = &tax.play;
    let id = play.send("TAX-1").await;
    let told = play.told(&id, &["TaxReportAccepted"]).await;
    assert!(told.signed);
    assert_eq!((told.text("partyId"), detail(&told.payload, "taxRole")), (SENDER, "C2"));
    assert_eq!(detail(&told.payload, "taxRegime"), "vida-1.1");
    assert_eq!(detail(&told.payload, "taxAuthority"), authority(Regime::Vida11));
    assert_eq!(play.times(&id, "TaxReportSent"), 1);

    let [own] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("one report") };
    assert_eq!((own.role, own.act, own.messages), (TaxRole::Sender, TaxAct::Submit, 1));
    let [other] = &tax.received("TAX-1", TaxState::Accepted).await[..] else { panic!("one") };
    assert_eq!((other.role, other.direction), (TaxRole::Receiver, Direction::Incoming));
    assert_eq!(own.facts.invoice_uuid, other.facts.invoice_uuid);
    assert_eq!(own.facts.scope.as_deref(), Some("D"));
    play.told(other.invoice.as_str(), &["TaxReportAccepted"]).await;

    // What the authority has: one of each role, by the regime, of the same transmission.
    let [two] = &tax.of_role("TAX-1", ReporterRole::Corner2)[..] else { panic!("one") };
    let [three] = &tax.of_role("TAX-1", ReporterRole::Corner3)[..] else { panic!("one") };
    let envelope = play.record(&id).await.instance_id;
    for (kept, reporter, seat) in [(two, SENDER, "000001"), (three, RECEIVER, "000002")] {
        let said = &kept.report;
        assert_eq!((said.regime, said.submission), (Regime::Vida11, TaxSubmission::Submit));
        assert_eq!(said.transmission, envelope);
        assert_eq!(format!("{}:{}", said.reporter.scheme, said.reporter.value), reporter);
        assert_eq!(said.representative, seat);
        assert_eq!(
            (kept.answer, said.invoice_uuid.clone()),
            (Some("AP"), own.facts.invoice_uuid.clone())
        );
    }
    assert!(tax.office.unreadable().is_empty());

    // The timeline of the invoice tells it, and nobody pays for it.
    let (names, state) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(state, "Delivered");
    let told = names.iter().filter(|name| *name == "taxReport").count();
    assert_eq!(told, 3, "{names:?}");
    let usage = play.sender().await.get("/api/v1/usage").await.json;
    let billable = usage.to_string();
    let lines = play
        .one
        .parts
        .store
        .usage(&"sender".parse().unwrap(), ("2000-01".into(), "2999-12".into()))
        .await
        .unwrap();
    let paid: u64 = lines.iter().filter(|line| line.is_billable).map(|line| line.documents).sum();
    assert_eq!(paid, 1, "{billable}");
}

/// Each regime of the union has its own text; a text of another country is not asked.
#[tokio::test(flavor = "multi_thread")]
async fn what_no_profile_asks_for_is_not_reported() {
    let tax = TaxPlay::with(Regime::Vida10, |one, two| {
        one.tax.profiles[0].country = "BE".to_owned();
        two.tax.profiles[0].roles = vec!["C2".to_owned()];
    })
    .await;
    let id = tax.play.send("TAX-NONE").await;
    tax.play.ending(&id).await;
    let record = tax.play.record(&id).await.transaction.id;
    let store = &tax.play.one.parts.store;
    until("it is forgotten", async || {
        store.tax_reports_of(&record).await.unwrap().is_empty().then_some(())
    })
    .await;
    assert!(tax.office.kept().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_report_says_what_is_wrong_and_can_be_made_once_more() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| two.tax.profiles.clear()).await;
    tax.office.plan("TAX-RE", OfficeFault::Rejects(1));
    let id = tax.play.send("TAX-RE").await;
    let told = tax.play.told(&id, &["TaxReportRejected"]).await;
    assert_eq!(detail(&told.payload, "code"), "tax-report-rejected");
    assert_eq!(detail(&told.payload, "whoCanFix"), "sender");
    let buyer = "[BT-48 (VAT number of the buyer): who issued the invoice can change it]";
    assert!(detail(&told.payload, "findings").contains(buyer), "{told:?}");
    let [report] = &tax.sent(&id, TaxState::Rejected).await[..] else { panic!("one") };

    let caller = tax.play.sender().await;
    let list = caller.get(&format!("/api/v1/{SENDER}/taxReport?unreported=true")).await.json;
    assert_eq!(list["items"][0]["id"], report.id, "{list}");
    assert_eq!(list["items"][0]["cause"]["corner"], "authority");
    let place = serde_json::json!({
        "terms": ["BT-48"], "words": "BT-48 (VAT number of the buyer)", "whoCanFix": "sender"
    });
    assert_eq!(list["items"][0]["places"][0], place, "{list}");
    let one = format!("/api/v1/{SENDER}/taxReport/{}", report.id);
    let again = asked::post(&caller, &format!("{one}/resubmit")).await;
    assert_eq!(again.status, 202, "{}", again.json);
    assert_eq!((&again.json["act"], &again.json["place"]), (&"resubmit".into(), &2.into()));
    tax.play.told(&id, &["TaxReportAccepted"]).await;
    let [first, second] = &tax.sent(&id, TaxState::Accepted).await[..] else { panic!("two") };
    assert_eq!((first.state, second.act), (TaxState::Replaced, TaxAct::Resubmit));
    assert_eq!(first.facts.invoice_uuid, second.facts.invoice_uuid);
    assert_ne!(first.facts.data_uuid, second.facts.data_uuid);
    let kinds: Vec<_> =
        tax.office.about("TAX-RE").iter().map(|kept| kept.report.submission).collect();
    assert_eq!(kinds, [TaxSubmission::Submit, TaxSubmission::Resubmit]);

    // The one that was replaced cannot be asked again, and says which took its place.
    let twice = asked::post(&caller, &format!("{one}/resubmit")).await;
    twice.is_problem(409, "API409.Tax", &second.id);
    let xml = caller.get(&format!("/api/v1/{SENDER}/taxReport/{}/document", second.id)).await;
    assert!(String::from_utf8_lossy(&xml.body).contains("TaxData"), "{xml:?}");
}

/// The receiver's access point says that the invoice did not get through: both take back what they
/// reported.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_reported_of_a_refused_invoice_is_taken_back() {
    let tax = TaxPlay::with(Regime::Vida11, |_, two| {
        two.retry.hook_seconds = vec![0.5];
        let hook = &mut two.organisation[0].hooks[0];
        hook.topics = vec!["ReceiveInvoice".to_owned()];
        hook.action = quoin_access_point::config::ConfigSecret::new("http://127.0.0.1:9/#secret");
    })
    .await;
    let id = tax.play.send("TAX-FD").await;
    let all = tax.sent(&id, TaxState::Accepted).await;
    let acts = async || {
        let record = tax.play.record(&id).await.transaction.id;
        let all = tax.play.one.parts.store.tax_reports_of(&record).await.unwrap();
        let done = all.len() == 2 && all[1].state == TaxState::Accepted;
        done.then_some(all)
    };
    drop(all);
    let all = until("it is taken back", acts).await;
    assert_eq!((all[0].state, all[1].act), (TaxState::Replaced, TaxAct::Disregard));
    let kinds: Vec<_> = tax
        .of_role("TAX-FD", ReporterRole::Corner2)
        .iter()
        .map(|kept| kept.report.submission)
        .collect();
    assert_eq!(kinds, [TaxSubmission::Submit, TaxSubmission::Disregard]);
    until("the other takes it back", async || {
        let kept = tax.of_role("TAX-FD", ReporterRole::Corner3);
        (kept.len() == 2).then_some(())
    })
    .await;
}

/// A term that passes is told to the party and to whoever runs the service.
#[tokio::test(flavor = "multi_thread")]
async fn a_term_is_told_before_it_passes_and_after() {
    let tax = TaxPlay::with(Regime::Vida11, |one, two| {
        two.tax.profiles.clear();
        one.tax.profiles[0].term_hours = Some(48);
        one.tax.answer_seconds = 600_000;
    })
    .await;
    tax.office.plan("TAX-TERM", OfficeFault::Silent(100));
    let id = tax.play.send("TAX-TERM").await;
    tax.sent(&id, TaxState::Sent).await;
    assert_eq!(tax.play.times(&id, "ServiceLevelWarning"), 0);
    tax.play.stage.clock.advance(SignedDuration::from_hours(30));
    let near = tax.play.told(&id, &["ServiceLevelWarning"]).await;
    assert_eq!(detail(&near.payload, "level"), "taxReport");
    tax.play.stage.clock.advance(SignedDuration::from_hours(20));
    tax.play.told(&id, &["ServiceLevelBreached"]).await;
}
