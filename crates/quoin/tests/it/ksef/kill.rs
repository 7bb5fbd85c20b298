//! A service that is killed between any two steps of a batch: each invoice is registered once, and
//! told once.

use quoin_lab::ksef::KsefExchange;

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

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_any_two_steps_it_registers_each_invoice_once() {
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
    for (at, (begin, end)) in KILLS.iter().enumerate() {
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
    let expected: Vec<String> = (0..KILLS.len()).map(|at| format!("KILL/{at}")).collect();
    assert_eq!(numbers, expected);
    // `interop/ksef/schema.py` holds them against the published description.
    if let Some(path) = std::env::var_os("QUOIN_KSEF_EXCHANGES") {
        let lines: Vec<String> =
            lab.exchanges().iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        std::fs::write(path, lines.join("\n")).unwrap();
    }
}

async fn register(caller: &Caller, lab: &KsefLab) {
    let issue = |use_| lab.authority().issue(NIP, use_).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let body = json!({
        "id": "clearing",
        "action": "ksef",
        "topics": ["ClearInvoiceBatched"],
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
