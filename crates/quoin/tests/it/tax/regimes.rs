//! Each regime, in both corners: the text that its authority wants, judged by its rules.

use quoin_delivery::tax::TaxState;
use quoin_formats::samples::{PintSample, pint_invoice};
use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};
use quoin_lab::lab::tax_office::{TaxOffice, profile, take_pint};
use quoin_store::PublishedService;
use quoin_taxdata::{Regime, ReporterRole, TaxScope, TaxSubmission};

use super::TaxPlay;
use crate::stage::Stage;

/// The VAT numbers of the sample's seller and buyer.
const SELLER: &str = "NL123456782B90";
const BUYER: &str = "NL876543214B01";

async fn told_of_both(tax: &TaxPlay, number: &str, invoice: String, regime: Regime) {
    let id = tax.play.send_document(invoice).await;
    let sent = tax.sent(&id, TaxState::Accepted).await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    tax.received(number, TaxState::Accepted).await;
    tax.play.told(&id, &["TaxReportAccepted"]).await;
    for role in [ReporterRole::Corner2, ReporterRole::Corner3] {
        let kept = tax.of_role(number, role);
        let [kept] = &kept[..] else { panic!("{regime} {role:?}: {kept:?}") };
        assert_eq!((kept.report.regime, kept.answer), (regime, Some("AP")));
        assert_eq!(kept.report.submission, TaxSubmission::Submit);
        assert_eq!(kept.report.invoice_number.as_deref(), Some(number));
    }
    assert!(tax.office.unreadable().is_empty());
}

fn invoice(number: &str, country: (&str, &str)) -> String {
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
    invoice.replace(SELLER, country.0).replace(BUYER, country.1)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pilot_and_slovakia_are_told_what_they_ask_for() {
    let tax = TaxPlay::with(Regime::Vida10, |one, two| {
        for (config, role) in [(one, "C2"), (two, "C3")] {
            config.tax.profiles = vec![
                profile("BE", Regime::Vida10, &[role]),
                profile("SK", Regime::Slovakia, &[role]),
                profile("NL", Regime::Vida11, &[role]),
            ];
        }
    })
    .await;
    let belgian = ("BE0123456749", "BE0876543217");
    told_of_both(&tax, "R-BE", invoice("R-BE", belgian), Regime::Vida10).await;
    let slovak = ("SK2020317068", "SK2021853504");
    told_of_both(&tax, "R-SK", invoice("R-SK", slovak), Regime::Slovakia).await;
    // Between two of them each tells its own authority.
    let id = tax.play.send_document(invoice("R-IC", (SELLER, belgian.1))).await;
    let sent = tax.sent(&id, TaxState::Accepted).await;
    assert_eq!(sent[0].facts.scope.as_deref(), Some("IC"));
    let received = tax.received("R-IC", TaxState::Accepted).await;
    assert_eq!(received[0].facts.regime.as_deref(), Some("vida-1.0"));
    let regimes: Vec<_> = tax.office.about("R-IC").iter().map(|kept| kept.report.regime).collect();
    assert!(regimes.contains(&Regime::Vida11) && regimes.contains(&Regime::Vida10));
    let scopes = tax.office.about("R-IC");
    assert!(scopes.iter().all(|kept| kept.report.scope == TaxScope::IntraCommunity));
}

/// What its invoices look like is the business of a country: official ones are sent.
async fn abroad(regime: Regime, country: &str, official: &str) {
    let Some(invoice) = quoin_testing::shared_text(official) else { return };
    let parsed = quoin_formats::read(invoice.as_bytes());
    let routing = parsed.routing().unwrap();
    let end = |end: &quoin_formats::routing::RoutingParty| {
        let endpoint = end.endpoint.clone().unwrap();
        format!("{}:{}", endpoint.scheme, endpoint.value)
    };
    let (from, to) = (end(&routing.sender), end(&routing.receiver));
    let number = routing.number.clone().unwrap();
    let day = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let identity = quoin_identity::decide(parsed.detection(), &Default::default(), day);
    let exchange = identity.exchange.unwrap();

    let mut stage = Stage::set().await;
    stage.sender = Customer::new("sender", &[SENDER, &from]).unwrap();
    stage.receiver = Customer::new("receiver", &[RECEIVER, &to]).unwrap();
    stage.register(&from, &stage.one.smp_url);
    stage.register(&to, &stage.two.smp_url);
    let office = TaxOffice::open(&stage.around, stage.clock.clone()).await.unwrap();
    let play = stage
        .play_with(|one, two| {
            one.tax.profiles = vec![profile(country, regime, &["C2"])];
            two.tax.profiles = vec![profile(country, regime, &["C3"])];
        })
        .await;
    let served = PublishedService {
        participant: to.parse::<quoin_peppol::identifiers::ParticipantId>().unwrap().folded(),
        document_type: exchange.document_type.to_string(),
        process: exchange.process.to_string(),
        organisation: "receiver".parse().unwrap(),
        explicit: true,
        endpoints: None,
        created_on: play.stage.clock.now(),
    };
    play.two.parts.store.put_services(vec![served]).await.unwrap();
    let tax = TaxPlay { play, office };
    let id = uuid::Uuid::new_v4().to_string();
    let answer = tax.play.sender().await.send(&from, &id, invoice).await;
    assert_eq!(answer.status, 200, "{:?}", answer.json);
    let ended = tax.play.ending(&id).await;
    assert_eq!(ended.text("topic"), "InvoiceSent", "{ended:?}");
    tax.sent(&id, TaxState::Accepted).await;
    tax.received(&number, TaxState::Accepted).await;
    let roles: Vec<_> = tax.office.about(&number).iter().map(|kept| kept.report.role).collect();
    assert_eq!(roles.len(), 2, "{roles:?}");
    assert!(tax.office.kept().iter().all(|kept| kept.report.regime == regime));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emirates_get_the_whole_invoice_beside_its_terms() {
    let official = "tax-data/ae-1.0.4/peppol-uae-testfiles/billing/inv/Standard tax invoice.xml";
    abroad(Regime::Emirates, "AE", official).await;
}

/// Invoices in the PINT of a country go out and come in, and both corners tell its authority.
#[tokio::test(flavor = "multi_thread")]
async fn the_gulf_is_told_of_invoices_in_its_own_form() {
    let tax = TaxPlay::with(Regime::Emirates, |one, two| {
        for (config, role) in [(one, "C2"), (two, "C3")] {
            take_pint(config);
            config.tax.profiles = vec![
                profile("AE", Regime::Emirates, &[role]),
                profile("OM", Regime::Oman, &[role]),
            ];
        }
    })
    .await;
    let rows = [
        ("R-AE", PintSample::Emirates, Regime::Emirates),
        ("R-OM", PintSample::Oman, Regime::Oman),
    ];
    for (number, country, regime) in rows {
        let invoice = pint_invoice(country, SENDER, RECEIVER, number);
        let uuid = invoice.split("<cbc:UUID>").nth(1).unwrap()[..36].to_owned();
        told_of_both(&tax, number, invoice, regime).await;
        for kept in tax.office.about(number) {
            assert_eq!(kept.report.invoice_uuid.as_deref(), Some(uuid.as_str()));
            assert_eq!(kept.report.scope, TaxScope::Domestic);
            let text = String::from_utf8_lossy(&kept.document);
            assert!(text.contains("<cbc:Name>Natural stone sill</cbc:Name>"), "{text}");
        }
    }
}

/// What an authority was told is kept; an invoice that its party deleted is not shown with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_invoice_is_not_read_in_its_report() {
    let tax = TaxPlay::with(Regime::Emirates, |one, two| {
        take_pint(one);
        take_pint(two);
        one.tax.profiles.clear();
        two.tax.profiles = vec![profile("AE", Regime::Emirates, &["C3"])];
    })
    .await;
    tax.play.send_document(pint_invoice(PintSample::Emirates, SENDER, RECEIVER, "D-AE")).await;
    let [report] = &tax.received("D-AE", TaxState::Accepted).await[..] else { panic!("one") };
    let caller = tax.play.receiver().await;
    let shown = format!("/api/v1/{RECEIVER}/taxReport/{}/document", report.id);
    let line = "Natural stone sill";
    let before = String::from_utf8(caller.get(&shown).await.body.to_vec()).unwrap();
    assert!(before.contains(line) && before.contains("SourceDocument"));
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{}", report.invoice);
    let gone = caller.call(reqwest::Method::DELETE, &path, &[], None::<bytes::Bytes>).await;
    assert_eq!(gone.unwrap().status, 204);
    let after = caller.get(&shown).await;
    let text = String::from_utf8(after.body.to_vec()).unwrap();
    assert_eq!(after.status, 200, "{text}");
    assert!(!text.contains(line) && !text.contains("SourceDocument"), "{text}");
    let said = quoin_taxdata::read_report(&quoin_formats::read(text.as_bytes())).unwrap();
    assert_eq!(said.invoice_number.as_deref(), Some("D-AE"));
    let lines = tax.play.two.parts.store.timeline_of(&report.transaction).await.unwrap();
    let deleted = lines.iter().find(|line| line.name == "Deleted").unwrap();
    assert!(deleted.description.contains("What tax authorities were told of it is kept"));
}
