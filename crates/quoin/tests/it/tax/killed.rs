//! Two access points are killed without warning while they report: each invoice is reported once in
//! each corner, whatever its authority does, and each state was told by an event.

mod told;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quoin_access_point::config::Config;
use quoin_formats::samples::{self, PintSample};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::tax_office::{OfficeFault, TaxOffice, profile, take_pint};
use quoin_taxdata::Regime;
use uuid::Uuid;

use super::apart::{Apart, send};
use crate::kill::process::Service;
use crate::stage::caller::Caller;
use quoin_testing::dice::Dice;
use told::Told;

/// Invoices of each regime, unless `QUOIN_TAX_DOCUMENTS` says otherwise.
const DOCUMENTS: usize = 12;
/// How often each of the two is killed, at least: again and again as long as invoices are sent.
const KILLS: usize = 5;
/// Invoices that are sent and whose reports have not ended, at most: so kills meet every step.
const UNDER_WAY: usize = 200;
/// The regimes, each with the country that gave the numbers.
const REGIMES: [(&str, Regime); 5] = [
    ("NL", Regime::Vida11),
    ("BE", Regime::Vida10),
    ("SK", Regime::Slovakia),
    ("AE", Regime::Emirates),
    ("OM", Regime::Oman),
];

/// Invoices of each regime.
fn documents() -> usize {
    let count = std::env::var("QUOIN_TAX_DOCUMENTS").ok().and_then(|text| text.parse().ok());
    count.unwrap_or(DOCUMENTS)
}

/// The invoice of a place.
fn invoice(place: usize) -> String {
    let number = number(place);
    let bis = |seller: &str, buyer: &str| {
        let invoice = samples::invoice(SENDER, RECEIVER, &number);
        invoice.replace("NL123456782B90", seller).replace("NL876543214B01", buyer)
    };
    let pint = |country| samples::pint_invoice(country, SENDER, RECEIVER, &number);
    match REGIMES[place % REGIMES.len()].1 {
        Regime::Vida11 => samples::invoice(SENDER, RECEIVER, &number),
        Regime::Vida10 => bis("BE0123456749", "BE0876543217"),
        Regime::Slovakia => bis("SK2020317068", "SK2021853504"),
        Regime::Emirates => pint(PintSample::Emirates),
        Regime::Oman => pint(PintSample::Oman),
    }
}

fn settings(mut config: Config, role: &str) -> Config {
    config.retry.delivery_seconds = vec![0.25; 1_000];
    config.retry.hook_seconds = vec![0.25; 1_000];
    config.breaker.rest_seconds = 0.25;
    config.breaker.longest_rest_seconds = 0.5;
    config.log.filter = "warn".to_owned();
    // With many invoices on a busy machine an answer takes its time, and who repeats too early
    // makes it longer for all.
    config.tax.answer_seconds = if documents() > DOCUMENTS { 180 } else { 20 };
    // A night is longer than an hour.
    config.api.token_lifetime_seconds = 86_400;
    let row = |(country, regime): (&str, Regime)| profile(country, regime, &[role]);
    config.tax.profiles = REGIMES.map(row).to_vec();
    take_pint(&mut config);
    config
}

/// What the authority does to the reports about the invoice of a place: of each regime the same.
pub(super) fn fault(place: usize) -> Option<OfficeFault> {
    match (place / REGIMES.len()) % 10 {
        3 => Some(OfficeFault::Rejects(1_000)),
        5 => Some(OfficeFault::Silent(1)),
        7 => Some(OfficeFault::Twice),
        _ => None,
    }
}

fn number(place: usize) -> String {
    format!("TAX-KILL-{place}")
}

/// Kills a service and starts it, until all is sent. Answers how often.
async fn kill_again_and_again(
    service: Arc<Service>,
    mut dice: Dice,
    is_sent: Arc<AtomicBool>,
) -> usize {
    let mut kills = 0;
    while kills < KILLS || !is_sent.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(500 + dice.below(4_000))).await;
        service.kill();
        tokio::time::sleep(Duration::from_millis(dice.below(300))).await;
        service.start();
        kills += 1;
        if kills >= KILLS {
            // Where there is much to do, what was begun gets somewhere between two kills.
            tokio::time::sleep(Duration::from_millis(dice.below(10_000))).await;
        }
    }
    kills
}

/// Sends every invoice. Answers the document ids by place.
async fn send_all(caller: &Caller, count: usize, told: &mut Told<'_>) -> BTreeMap<usize, String> {
    let mut sent = BTreeMap::new();
    for place in 0..count {
        let id = Uuid::new_v4().to_string();
        send(caller, &id, &invoice(place)).await;
        sent.insert(place, id);
        told.wait_for(sent.len().saturating_sub(UNDER_WAY)).await;
    }
    sent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_invoice_is_reported_once_when_access_points_are_killed() {
    let count = documents() * REGIMES.len();
    let apart = Apart::start(settings).await;
    for place in 0..count {
        if let Some(fault) = fault(place) {
            apart.office.plan(&number(place), fault);
        }
    }
    let (is_sent, begun) = (Arc::new(AtomicBool::new(false)), Instant::now());
    let killers = [(&apart.one, 7), (&apart.two, 11)].map(|(service, seed)| {
        tokio::spawn(kill_again_and_again(service.clone(), Dice::new(seed), is_sent.clone()))
    });
    let mut told = Told::new(&apart.around.sink, [&apart.one, &apart.two]);
    let caller = apart.caller().await;
    let sent = send_all(&caller, count, &mut told).await;
    is_sent.store(true, Ordering::Relaxed);
    let mut kills = Vec::new();
    for killer in killers {
        kills.push(killer.await.unwrap());
    }
    told.wait_for(count).await;
    told.check(&sent);
    check(&apart.office, count);
    let (regimes, reports, messages) = (REGIMES.len(), 2 * count, apart.office.kept().len());
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{count} invoices of {regimes} regimes, {reports} reports in {messages} messages, kills \
         {kills:?}, {seconds:.0} s"
    );
    apart.office.stop().await;
}

/// The authority has each invoice once from each corner, by the regime of its country.
fn check(office: &TaxOffice, count: usize) {
    assert!(office.unreadable().is_empty(), "{:?}", office.unreadable());
    let counted = office.counted();
    let twice: Vec<_> = counted.iter().filter(|(_, reports)| **reports != 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert_eq!(counted.len(), 2 * count);
    let mut messages: BTreeMap<String, usize> = BTreeMap::new();
    for kept in office.kept() {
        let number = kept.report.invoice_number.unwrap_or_default();
        let place: usize = number.rsplit('-').next().unwrap().parse().unwrap();
        assert_eq!(kept.report.regime, REGIMES[place % REGIMES.len()].1, "{number}");
        *messages.entry(number).or_default() += 1;
    }
    for place in (0..count).filter(|place| fault(*place) == Some(OfficeFault::Silent(1))) {
        let messages = messages.get(&number(place)).copied().unwrap_or_default();
        assert!(messages >= 3, "{place}: {messages} messages from both");
    }
}
