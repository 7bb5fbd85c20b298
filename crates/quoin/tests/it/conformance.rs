//! `quoin testbed`: a whole service passes every case, and peers that are broken on purpose fail
//! the cases that are about what is broken in them, and no others. Tests begin by their names, and
//! this one takes two minutes, most of which it waits: it is not to be the last.

mod credulous;
mod crooked;

use std::sync::OnceLock;

use quoin_access_point::config::Config;
use quoin_lab::testbed::lab::Lab;
use quoin_lab::testbed::report::TestReport;
use quoin_lab::testbed::setup::TestbedSetup;
use quoin_lab::testbed::stage::PreparedNetwork;
use quoin_lab::testbed::verdict::CaseVerdict;
use quoin_lab::testbed::{SubmissionMethod, case, run};

use crate::kill::process::Service;
use crate::stage::{Folder, until};

use credulous::Credulous;
use crooked::{Crooked, Old};

/// Runs that need the processor for themselves come one after the other.
fn turn() -> &'static tokio::sync::Mutex<()> {
    static TURN: OnceLock<tokio::sync::Mutex<()>> = OnceLock::new();
    TURN.get_or_init(|| tokio::sync::Mutex::new(()))
}

/// A service as a process of its own, and everything to test it with.
struct Scene {
    _service: Service,
    lab: Lab,
    folder: Folder,
}

impl Scene {
    async fn set() -> Scene {
        let folder = Folder::new();
        let mut lab = Lab::prepare(folder.path()).await.unwrap();
        lab.setup.limits.large_megabytes = 8;
        lab.setup.limits.large_upload_megabytes = 4;
        let api = lab.setup.api.as_ref().unwrap().url.clone();
        let service = Service::new("tested", lab.config.clone(), api.clone(), folder.path());
        service.start();
        let client = lab.around.client().unwrap();
        let health = format!("{api}/health");
        until("the service answers", || async {
            service.stays_up();
            let call = quoin_access_point::net::HttpCall::get(
                &health,
                std::time::Duration::from_secs(1),
                4096,
            );
            client.call(call).await.ok().filter(|answer| answer.status == 200)
        })
        .await;
        lab.register().await.unwrap();
        Scene { _service: service, lab, folder }
    }

    /// The door of the service, as it is.
    fn door(&self) -> String {
        self.lab.config.access_point.public_url.clone().unwrap()
    }

    /// Tests another door in place of that of the service.
    async fn against(self, url: &str, only: &[&str]) -> TestReport {
        let Lab { config, mut setup, opening, around } = self.lab;
        setup.subject.as4 = Some(url.to_owned());
        setup.subject.certificate_file = config.access_point.certificate_file.clone();
        let report = tested(setup, opening, SubmissionMethod::Interface, only).await;
        drop((around, self.folder));
        report
    }
}

async fn tested(
    setup: TestbedSetup,
    opening: PreparedNetwork,
    ask: SubmissionMethod<'_>,
    only: &[&str],
) -> TestReport {
    let only: Vec<String> = only.iter().map(|id| (*id).to_owned()).collect();
    run(setup, Some(opening), ask, &only).await.unwrap()
}

/// Asserts which cases failed; the report tells why.
#[track_caller]
fn fails(report: &TestReport, expected: &[&str]) {
    let mut table = Vec::new();
    report.print(&mut table).unwrap();
    assert_eq!(report.failures(), expected, "{}", String::from_utf8_lossy(&table));
}

/// What a failed case found.
fn found<'r>(report: &'r TestReport, id: &str) -> &'r str {
    match &report.case(id).unwrap().verdict {
        CaseVerdict::Fail(failure) => &failure.found,
        other => panic!("{id}: {other:?}"),
    }
}

/// What the service says of receivers whose registration is broken: not only that it failed, but
/// what is wrong.
const REFUSALS: &[(&str, &str)] = &[
    ("N-16", "an alias (CNAME) that leads to no record"),
    // Tried again later, as a page of maintenance is.
    ("M-09a", "nothing came"),
    ("M-09b", "nothing came"),
    ("M-09c", "nothing came"),
    // What it is counts, not what it is called.
    ("M-09f", "message"),
    ("M-09g", "it is in UTF-16: SMP answers are in UTF-8"),
    // The same endpoint twice is one.
    ("M-28", "message"),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_service_passes_in_full() {
    let _turn = turn().lock().await;
    let scene = Scene::set().await;
    let Lab { setup, opening, around, .. } = scene.lab;
    let report = tested(setup, opening, SubmissionMethod::Interface, &[]).await;
    fails(&report, &[]);
    assert_eq!((report.skipped, report.passed), (0, case::all().count()));
    for (id, why) in REFUSALS {
        match &report.case(id).unwrap().verdict {
            CaseVerdict::Pass { seen } => assert!(seen.contains(why), "{id}: {seen}"),
            other => panic!("{id}: {other:?}"),
        }
    }
    drop(around);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_whose_receipts_have_other_digests_fails_where_a_receipt_is_due() {
    let _turn = turn().lock().await;
    let scene = Scene::set().await;
    let crooked = Crooked::changing_digests(&scene.lab.around, &scene.door()).await;
    let report = scene.against(&crooked.url, &["H-01", "H-06", "H-10", "F-06", "C-12"]).await;
    fails(&report, &["H-01", "C-12"]);
    assert!(found(&report, "H-01").contains("receipt does not hold"), "{}", found(&report, "H-01"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_that_signs_a_receipt_for_everything_fails_and_stores_nothing() {
    let _turn = turn().lock().await;
    let scene = Scene::set().await;
    let files = &scene.lab.config.access_point;
    let crooked = Crooked::saying_yes(&scene.lab.around, files).await;
    let only = ["H-01", "B-07a", "B-06a", "H-09a", "H-10a", "C-11", "F-01"];
    let report = scene.against(&crooked.url, &only).await;
    fails(&report, &["H-01", "B-06a", "B-07a", "C-11", "H-10a", "H-09a"]);
    assert_eq!(found(&report, "H-01"), "0 deliveries", "a receipt for what was not stored");
    assert!(found(&report, "B-07a").starts_with("receipt "), "{}", found(&report, "B-07a"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_web_server_that_speaks_an_old_version_of_tls_fails() {
    let _turn = turn().lock().await;
    let scene = Scene::set().await;
    let old = Old::before(&scene.door()).await;
    let report = scene.against(&old.url, &["F-01", "F-02", "H-01"]).await;
    fails(&report, &["F-01b"]);
    assert!(found(&report, "F-01b").contains("TLS 1.0"), "{}", found(&report, "F-01b"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sender_that_believes_everything_fails_where_it_should_not_believe() {
    let _turn = turn().lock().await;
    let folder = Folder::new();
    let mut lab = Lab::prepare(folder.path()).await.unwrap();
    lab.setup.api = None;
    lab.setup.limits.case_seconds = 20;
    let own: &Config = &lab.config;
    lab.setup.subject.as4 = own.access_point.public_url.clone();
    lab.setup.subject.certificate_file = own.access_point.certificate_file.clone();
    let credulous = Credulous::new(&lab).await;
    let only =
        ["H-03a", "N-01", "N-02", "N-10", "M-11", "M-16", "M-20", "M-24", "M-31", "R-03", "R-05"];
    let Lab { setup, opening, around, .. } = lab;
    let report = tested(setup, opening, SubmissionMethod::Own(&credulous), &only).await;
    fails(&report, &["R-03", "R-05", "M-11", "M-16", "M-20", "M-24", "M-31"]);
    assert_eq!(found(&report, "M-11"), "a message came");
    assert!(found(&report, "R-05").contains("proves nothing"), "{}", found(&report, "R-05"));
    drop(around);
}

/// By hand nobody sends anything here: what the testbed then says is that nothing was tried.
#[tokio::test(flavor = "multi_thread")]
async fn by_hand_the_documents_are_written_and_nothing_is_made_up() {
    let _turn = turn().lock().await;
    let folder = Folder::new();
    let mut lab = Lab::prepare(folder.path()).await.unwrap();
    lab.setup.api = None;
    lab.setup.limits.repeat_seconds = 1;
    let own = &lab.config.access_point;
    lab.setup.subject.as4 = own.public_url.clone();
    lab.setup.subject.certificate_file = own.certificate_file.clone();
    let documents = folder.path().join("documents");
    let ask = SubmissionMethod::Hand(documents.clone());
    let Lab { setup, opening, around, .. } = lab;
    let report = tested(setup, opening, ask, &["H-03a", "N-01"]).await;
    assert_eq!((report.skipped, report.failed), (2, 0), "{:?}", report.cases);
    let written = std::fs::read(documents.join("N-01.xml")).unwrap();
    let read = quoin_formats::read(&written);
    let report = quoin_rules::validate(&read, jiff::civil::date(2026, 6, 1));
    assert!(report.is_valid(), "{:?}", report.findings);
    drop(around);
}

#[test]
fn the_verb_ends_with_its_exit_code() {
    let quoin = |arguments: &[&str]| {
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_quoin"));
        let output = { program }.arg("testbed").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, json, _) = quoin(&["--only", "F-06,H-01,N-01", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &report["passed"]), (Some(0), &serde_json::json!(3)), "{report}");
    assert_eq!(report["cases"][0]["result"], "pass");
    let (code, _, said) = quoin(&["https://127.0.0.1:1/as4"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("--setup"), "{said}");
    let (code, list, _) = quoin(&["--list", "--only", "H-09"]);
    assert_eq!(code, Some(0));
    assert!(list.contains("H-09b") && list.contains("revoked") && !list.contains("M-18"), "{list}");
}
