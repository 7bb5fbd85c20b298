//! A service that is killed between any two steps of a batch: each invoice is registered once, and
//! told once.

use quoin_lab::ksef::{KsefExchange, sample_purchase};

use super::purchases::OTHER;

use super::*;
use crate::kill::process::Service;
use crate::stage::caller::Caller;

/// After which call the service is killed, a story each: begin of the method and path, and its
/// end.
const KILLS: &[(&str, &str)] = &[
    ("POST /auth/xades-signature", ""),
    ("POST /sessions/batch", "batch"),
    ("PUT /upload", ""),
    ("POST /sessions/batch/", "close"),
    ("GET /sessions/", ""),
    ("GET /sessions/", "invoices?pageSize=1000"),
    ("GET /download", ""),
    ("DELETE /auth", ""),
];

/// The same of documents that go one by one.
const ONLINE_KILLS: &[(&str, &str)] = &[
    ("POST /sessions/online", "online"),
    ("POST /sessions/online/", "invoices"),
    ("POST /sessions/online/", "close"),
    ("GET /sessions/", "invoices?pageSize=1000"),
    ("GET /download", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_any_two_steps_it_registers_each_invoice_once() {
    killed(KILLS, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_an_online_session_it_registers_each_invoice_once() {
    killed(ONLINE_KILLS, 5).await;
}

async fn killed(kills: &[(&str, &str)], online_up_to: u32) {
    let mut stage = Stage::set().await;
    stage.sender = Customer::new("sender", &[PARTY]).unwrap();
    stage.register(RECEIVER, &stage.two.smp_url);
    let _two = stage.start(stage.config_two()).await;
    let settings = KsefLabSettings { session_polls: 1, ..quick() };
    let lab = KsefLab::open(0, stage.clock.clone(), settings).await.unwrap();
    let mut config = stage.config_one();
    config.log.filter = "warn".to_owned();
    config.ksef = KsefSection {
        url: Some(lab.base()),
        codes_url: Some(lab.codes()),
        lighthouse_url: Some(lab.lighthouse()),
        collect_seconds: 0,
        cut_off_minutes: 0,
        timeout_seconds: 10,
        online_up_to,
        ..KsefSection::default()
    };
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let mut caller = until("a token", open).await;
    register(&caller, &lab).await;
    let day = quoin_ksef::offline::warsaw(stage.clock.now()).date().to_string();
    for (at, (begin, end)) in kills.iter().enumerate() {
        let (id, number) = (Uuid::new_v4().to_string(), format!("KILL/{at}"));
        let before = lab.exchanges().len();
        let document = sample_invoice((PARTY, RECEIVER), &number, &day);
        assert_eq!(caller.send(PARTY, &id, document).await.status, 200);
        let is_it = |one: &KsefExchange| {
            let call = format!("{} {}", one.method, one.path);
            call.starts_with(begin) && call.ends_with(end)
        };
        let seen = async || lab.exchanges().iter().skip(before).any(is_it).then_some(());
        until(begin, seen).await;
        one.kill();
        one.start();
        caller = until("a token again", open).await;
        let delivered = async || {
            let (names, status) = caller.timeline(PARTY, &id).await;
            (status == "Delivered").then_some(names)
        };
        let names = until("a delivery", delivered).await;
        for name in ["Clearing", "Cleared", "Delivered"] {
            let count = names.iter().filter(|one| *one == name).count();
            assert_eq!(count, 1, "{begin}: {names:?}");
        }
    }
    let mut numbers: Vec<String> =
        lab.registered().iter().map(|one| one.number().to_owned()).collect();
    numbers.sort();
    let expected: Vec<String> = (0..kills.len()).map(|at| format!("KILL/{at}")).collect();
    assert_eq!(numbers, expected);
    record(&lab);
}

/// After which call of a look for purchases the service is killed.
const PURCHASE_KILLS: &[(&str, &str)] =
    &[("POST /auth/xades-signature", ""), ("POST /invoices/query", ""), ("GET /invoices/ksef", "")];

/// The same where they come as a package.
const PACKAGE_KILLS: &[(&str, &str)] =
    &[("POST /invoices/exports", ""), ("GET /invoices/exports", ""), ("GET /download/package", "")];

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_purchases_are_fetched_each_arrives_once() {
    killed_fetching(PURCHASE_KILLS, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_package_is_under_way_each_arrives_once() {
    killed_fetching(PACKAGE_KILLS, 30).await;
}

async fn killed_fetching(kills: &[(&str, &str)], count: usize) {
    let mut stage = Stage::set().await;
    stage.sender = Customer::new("sender", &[PARTY]).unwrap();
    let lab = KsefLab::open(0, stage.clock.clone(), quick()).await.unwrap();
    let mut config = stage.config_one();
    config.log.filter = "warn".to_owned();
    config.ksef = KsefSection {
        url: Some(lab.base()),
        codes_url: Some(lab.codes()),
        lighthouse_url: Some(lab.lighthouse()),
        // A call that was cut off counts from when it would have been given up.
        timeout_seconds: 10,
        ..KsefSection::default()
    };
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    register_for(&caller, &lab, &["ClearInvoiceBatched", "ReceiveInvoice"]).await;
    let day = quoin_ksef::offline::warsaw(stage.clock.now()).date().to_string();
    let mut expected = Vec::new();
    for (at, (begin, end)) in kills.iter().enumerate() {
        one.kill();
        for part in 0..count {
            let number = format!("KILL/{at}/{part:02}");
            let xml = sample_purchase((OTHER, NIP), &number, &day);
            lab.deposit(&xml, stage.clock.now()).unwrap();
            expected.push(number);
        }
        let before = lab.exchanges().len();
        let is_it = |one: &KsefExchange| {
            let call = format!("{} {}", one.method, one.path);
            call.starts_with(begin) && call.ends_with(end)
        };
        one.start();
        let seen = async || lab.exchanges().iter().skip(before).any(is_it).then_some(());
        until(begin, seen).await;
        one.kill();
        one.start();
        let caller = until("a token again", open).await;
        let mut all = until("all purchases", async || {
            let all = caller.purchases(PARTY).await.ok()?;
            let numbers: Vec<String> =
                all.iter().filter_map(|one| one["number"].as_str().map(str::to_owned)).collect();
            (numbers.len() >= expected.len()).then_some(numbers)
        })
        .await;
        all.sort();
        assert_eq!(all, expected, "{begin}");
    }
    record(&lab);
}

/// Calls and answers, for `interop/ksef/schema.py`, which holds them against the published
/// description.
fn record(lab: &KsefLab) {
    use std::io::Write;
    let Some(path) = std::env::var_os("QUOIN_KSEF_EXCHANGES") else { return };
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    for one in lab.exchanges() {
        writeln!(file, "{}", serde_json::to_string(&one).unwrap()).unwrap();
    }
}

async fn register(caller: &Caller, lab: &KsefLab) {
    register_for(caller, lab, &["ClearInvoiceBatched"]).await;
}

async fn register_for(caller: &Caller, lab: &KsefLab, topics: &[&str]) {
    let issue = |use_| lab.authority().issue(NIP, use_).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let body = json!({
        "id": "clearing",
        "action": "ksef",
        "topics": topics,
        "init": {
            "onlineCertificate": online.inline(),
            "onlineCertificatePassword": online.password,
            "offlineCertificate": offline.inline(),
            "offlineCertificatePassword": offline.password,
        },
    });
    let path = format!("/api/v1/{PARTY}/hook");
    let headers = [("content-type", "application/json")];
    let answer = caller.call(Method::PUT, &path, &headers, Some(body.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}
