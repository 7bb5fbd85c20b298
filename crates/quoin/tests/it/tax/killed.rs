//! Two access points are killed without warning while they report: each invoice is reported once in
//! each corner, whatever its authority does, and each state was told by an event.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};
use quoin_lab::lab::tax_office::{OfficeFault, TaxOffice, profile};
use quoin_taxdata::Regime;
use uuid::Uuid;

use crate::kill::process::{Dice, Service};
use crate::stage::caller::Caller;
use crate::stage::{Folder, PROVIDER_ONE, PROVIDER_TWO};

/// Invoices, unless `QUOIN_TAX_DOCUMENTS` says otherwise.
const DOCUMENTS: usize = 60;
/// How often each of the two is killed, at least.
const KILLS: usize = 5;
/// How long everything may take after the last restart.
const PATIENCE: Duration = Duration::from_secs(240);
const PAUSE: Duration = Duration::from_millis(250);
/// The VAT numbers of the sample's seller, by the regime of its country.
const SELLERS: [&str; 3] = ["NL123456782B90", "BE0123456749", "SK2020317068"];

fn settings(mut config: Config, role: &str) -> Config {
    config.retry.delivery_seconds = vec![0.25; 1_000];
    config.retry.hook_seconds = vec![0.25; 1_000];
    config.breaker.rest_seconds = 0.25;
    config.breaker.longest_rest_seconds = 0.5;
    config.log.filter = "warn".to_owned();
    config.tax.answer_seconds = 20;
    config.tax.profiles = vec![
        profile("NL", Regime::Vida11, &[role]),
        profile("BE", Regime::Vida10, &[role]),
        profile("SK", Regime::Slovakia, &[role]),
    ];
    config
}

/// What the authority does to the reports about the invoice of a place.
fn fault(place: usize) -> Option<OfficeFault> {
    match place % 10 {
        3 => Some(OfficeFault::Rejects(1_000)),
        5 => Some(OfficeFault::Silent(1)),
        7 => Some(OfficeFault::Twice),
        _ => None,
    }
}

fn number(place: usize) -> String {
    format!("TAX-KILL-{place}")
}

async fn caller_at(around: &Surroundings, service: &Service, customer: &Customer) -> Caller {
    let begun = Instant::now();
    loop {
        match Caller::at(&service.api_url, around.client().unwrap(), customer).await {
            Ok(caller) => return caller,
            Err(why) => assert!(begun.elapsed() < PATIENCE, "no token: {why}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn kill_again_and_again(service: Arc<Service>, mut dice: Dice) {
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(500 + dice.below(4_000))).await;
        service.kill();
        tokio::time::sleep(Duration::from_millis(dice.below(300))).await;
        service.start();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_invoice_is_reported_once_when_access_points_are_killed() {
    let count = std::env::var("QUOIN_TAX_DOCUMENTS").ok().and_then(|text| text.parse().ok());
    let count: usize = count.unwrap_or(DOCUMENTS);
    let folder = Folder::new();
    let clock = Clock::default();
    let around = Surroundings::start(folder.path(), clock.clone()).await.unwrap();
    let one = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
    let two = LabAccessPoint::new(&around, "two", "POP000002").unwrap();
    let sender = Customer::new("sender", &[SENDER]).unwrap();
    let receiver = Customer::new("receiver", &[RECEIVER]).unwrap();
    for (id, corner) in
        [(SENDER, &one), (PROVIDER_ONE, &one), (RECEIVER, &two), (PROVIDER_TWO, &two)]
    {
        around.register(id, &corner.smp_url).unwrap();
    }
    let office = TaxOffice::open(&around, clock).await.unwrap();
    for place in 0..count {
        if let Some(fault) = fault(place) {
            office.plan(&number(place), fault);
        }
    }
    let service = |name: &str, corner: &LabAccessPoint, customer: &Customer, role: &str| {
        let config = settings(corner.config(&around, customer), role);
        Arc::new(Service::new(name, config, corner.api_url.clone(), folder.path()))
    };
    let one = service("one", &one, &sender, "C2");
    let two = service("two", &two, &receiver, "C3");
    one.start();
    two.start();
    let killers = [(&one, 7), (&two, 11)].map(|(service, seed)| {
        tokio::spawn(kill_again_and_again(service.clone(), Dice::new(seed)))
    });
    let mut sent = BTreeMap::new();
    let caller = caller_at(&around, &one, &sender).await;
    for place in 0..count {
        let id = Uuid::new_v4().to_string();
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, &number(place))
            .replace(SELLERS[0], SELLERS[place % SELLERS.len()]);
        let begun = Instant::now();
        loop {
            match caller.try_send(SENDER, &id, invoice.clone()).await {
                Ok(answer) if answer.status == 200 || answer.status == 409 => break,
                Ok(answer) => panic!("{}: {}", answer.status, answer.json),
                Err(why) => assert!(begun.elapsed() < PATIENCE, "no upload: {why}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
        sent.insert(place, id);
    }
    for killer in killers {
        killer.await.unwrap();
    }
    told(&around, &sent, count, (&one, &two)).await;
    check(&office, count);
    office.stop().await;
}

/// Waits until the last state of each report was told, in both corners.
async fn told(
    around: &Surroundings,
    sent: &BTreeMap<usize, String>,
    count: usize,
    services: (&Service, &Service),
) {
    let begun = Instant::now();
    loop {
        let mut ended: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut times: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for told in around.sink.told() {
            let topic = told.text("topic").to_owned();
            if !topic.starts_with("TaxReport") {
                continue;
            }
            let role = told.payload["details"]["taxRole"].as_str().unwrap_or_default();
            let document = told.text("documentId").to_owned();
            times
                .entry((document.clone(), topic.clone()))
                .or_default()
                .insert(told.delivery.clone());
            if topic != "TaxReportSent" {
                let role = if role == "C2" { "C2" } else { "C3" };
                ended.entry(role).or_default().insert(document);
            }
        }
        let done = ["C2", "C3"].map(|role| ended.get(role).map_or(0, BTreeSet::len));
        if done == [count, count] {
            assert!(times.values().all(|told| told.len() == 1), "told twice: {times:?}");
            for (place, id) in sent {
                let topic = match fault(*place) {
                    Some(OfficeFault::Rejects(_)) => "TaxReportRejected",
                    _ => "TaxReportAccepted",
                };
                assert!(times.contains_key(&(id.clone(), topic.to_owned())), "{place}: no {topic}");
                assert!(times.contains_key(&(id.clone(), "TaxReportSent".to_owned())), "{place}");
            }
            return;
        }
        assert!(
            begun.elapsed() < PATIENCE,
            "of {count} reports {done:?} have ended\n{}\n{}",
            services.0.log(),
            services.1.log()
        );
        tokio::time::sleep(PAUSE).await;
    }
}

/// The authority has each invoice once from each corner.
fn check(office: &TaxOffice, count: usize) {
    assert!(office.unreadable().is_empty(), "{:?}", office.unreadable());
    let counted = office.counted();
    let twice: Vec<_> = counted.iter().filter(|(_, reports)| **reports != 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert_eq!(counted.len(), 2 * count);
    for place in (0..count).filter(|place| fault(*place) == Some(OfficeFault::Silent(1))) {
        let messages = office.about(&number(place)).len();
        assert!(messages >= 3, "{place}: {messages} messages from both");
    }
}
