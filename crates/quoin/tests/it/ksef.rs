//! The Polish national system in the running service, against the laboratory's: invoices of a
//! party
//! with a hook `ksef` are registered before they leave, once, whatever goes wrong between.

mod broken;
mod hook;
mod kill;
mod online;
mod packages;
mod purchases;
mod refused;
mod terms;

use quoin_access_point::config::KsefSection;
use quoin_ksef::api::Availability;
use quoin_ksef::certificate::KsefUse;
use quoin_ksef::links::invoice_link;
use quoin_ksef::upo::check_upo;
use quoin_lab::ksef::{KsefFault, KsefLab, KsefLabSettings, sample_invoice};
use quoin_lab::lab::network::{Customer, RECEIVER};
use quoin_store::{ClearanceState, EvidenceKind};
use quoin_xmldsig::keys::sha256;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{Play, Stage, until};

/// The party, and its NIP.
const PARTY: &str = "9945:5265877635";
const NIP: &str = "5265877635";

/// Services with the system beside them. Invoices are collected for a moment only.
async fn play(settings: KsefLabSettings, cut_off_minutes: u64) -> (Play, KsefLab) {
    play_as(settings, |section, _| section.cut_off_minutes = cut_off_minutes).await
}

/// The same with a section that differs.
async fn play_as(
    settings: KsefLabSettings,
    differ: impl FnOnce(&mut KsefSection, (&KsefLab, &std::path::Path)),
) -> (Play, KsefLab) {
    play_of(&[PARTY], settings, differ).await
}

/// The same with these parties.
async fn play_of(
    parties: &[&str],
    settings: KsefLabSettings,
    differ: impl FnOnce(&mut KsefSection, (&KsefLab, &std::path::Path)),
) -> (Play, KsefLab) {
    let mut stage = Stage::set().await;
    stage.sender = Customer::new("sender", parties).unwrap();
    let lab = KsefLab::open(0, stage.clock.clone(), settings).await.unwrap();
    stage.register(PARTY, &stage.one.smp_url);
    let mut section = KsefSection {
        url: Some(lab.base()),
        codes_url: Some(lab.codes()),
        lighthouse_url: Some(lab.lighthouse()),
        collect_seconds: 0,
        cut_off_minutes: 0,
        timeout_seconds: 10,
        ..KsefSection::default()
    };
    std::fs::create_dir_all(stage.folder.path()).unwrap();
    differ(&mut section, (&lab, stage.folder.path()));
    let play = stage.play_with(|one, _| one.ksef = section).await;
    (play, lab)
}

fn quick() -> KsefLabSettings {
    KsefLabSettings { auth_polls: 0, session_polls: 0, limits: false, ..Default::default() }
}

/// Registers the hook with certificates of the laboratory.
async fn put_hook(play: &Play, lab: &KsefLab) -> Value {
    put_hook_for(play, lab, 700).await
}

/// The same with certificates that are good for so many days.
async fn put_hook_for(play: &Play, lab: &KsefLab, days: i64) -> Value {
    let issue = |use_| lab.authority().issue_for_days(NIP, use_, days).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let init = json!({
        "onlineCertificate": online.inline(),
        "onlineCertificatePassword": online.password,
        "offlineCertificate": offline.inline(),
        "offlineCertificatePassword": offline.password,
    });
    let answer = hook(play, init).await;
    assert_eq!(answer.0, 200, "{}", answer.1);
    answer.1
}

async fn hook(play: &Play, init: Value) -> (u16, Value) {
    hook_for(play, init, &["ClearInvoiceBatched"]).await
}

/// The same for these topics.
async fn hook_for(play: &Play, init: Value, topics: &[&str]) -> (u16, Value) {
    let body = json!({
        "id": "clearing",
        "action": "ksef",
        "topics": topics,
        "init": init,
        "output": [
            {"when": "200", "topic": "SendInvoice"},
            {"when": "201", "topic": "InvoiceCleared"},
            {"when": "410", "topic": "SendInvoice"},
            {"when": "429", "topic": "InvoiceClearedRetry"},
            {"when": "500", "topic": "InvoiceClearedError"},
        ],
    });
    let path = format!("/api/v1/{PARTY}/hook");
    let headers = [("content-type", "application/json")];
    let sender = play.sender().await;
    let body = Some(body.to_string());
    let answer = sender.call(Method::PUT, &path, &headers, body).await.unwrap();
    (answer.status, answer.json)
}

/// Today in Warsaw.
fn today(play: &Play) -> String {
    quoin_ksef::offline::warsaw(play.stage.clock.now()).date().to_string()
}

/// An invoice of today.
fn invoice(play: &Play, number: &str) -> String {
    sample_invoice((PARTY, RECEIVER), number, &today(play))
}

/// Uploads an invoice; its document id.
async fn send(play: &Play, number: &str) -> String {
    let id = Uuid::new_v4().to_string();
    let answer = play.sender().await.send(PARTY, &id, invoice(play, number)).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

/// What is kept of a document, by kind.
async fn evidence(play: &Play, id: &str, kind: EvidenceKind) -> Vec<Vec<u8>> {
    let record = play.record(id).await.transaction;
    let store = &play.one.parts.store;
    let mut found = Vec::new();
    for piece in store.evidence_of(&record.id).await.unwrap() {
        if piece.kind == kind {
            found.push(
                store.blob(&record.organisation, piece.blob).await.unwrap().unwrap().to_vec(),
            );
        }
    }
    found
}

/// Waits until a document is with the authority as it should be.
async fn cleared(play: &Play, id: &str, state: ClearanceState) -> String {
    let record = play.record(id).await.transaction;
    let look = async || {
        let found = play.one.parts.store.clearance_of(&record.id).await.unwrap()?;
        (found.state == state).then(|| found.authority_number.unwrap_or_default())
    };
    until("the clearance", look).await
}

/// The event of a topic about a document, in the feed.
async fn published(play: &Play, id: &str, topic: &str) -> Value {
    let feed = play.sender().await.get("/api/v1/events?after=0&limit=500").await.json;
    let found = feed["items"].as_array().unwrap().iter();
    let found: Vec<&Value> =
        found.filter(|event| event["documentId"] == id && event["topic"] == topic).collect();
    assert_eq!(found.len(), 1, "{topic}: {feed}");
    found[0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_is_registered_and_then_delivered() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    let id = send(&play, "FV/1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{:?}", ending.payload);
    let number = cleared(&play, &id, ClearanceState::Registered).await;
    // Who hears of the delivery hears the number, and the feed has the outcome itself.
    assert_eq!(ending.payload["details"]["ksefNumber"], number.as_str());
    let outcome = published(&play, &id, "SendInvoice").await;
    assert_eq!(
        (&outcome["details"]["clearanceCode"], &outcome["details"]["ksefNumber"]),
        (&json!("200"), &json!(number))
    );
    let registered = lab.registered();
    assert_eq!(registered.len(), 1);
    assert_eq!(
        (registered[0].ksef_number.as_str(), registered[0].number()),
        (number.as_str(), "FV/1")
    );
    assert!(!registered[0].offline);
    // The receipt is of exactly these bytes; the page leads to them.
    let form = evidence(&play, &id, EvidenceKind::Form).await.remove(0);
    assert_eq!(form, registered[0].xml);
    let upo = evidence(&play, &id, EvidenceKind::Upo).await.remove(0);
    check_upo(&upo, &sha256(&form), &number).unwrap();
    let page = evidence(&play, &id, EvidenceKind::CodedPage).await.remove(0);
    assert!(page.starts_with(b"%PDF-"));
    assert!(!invoice_link(&lab.codes(), NIP, registered[0].issued(), &sha256(&form)).is_empty());
    let sender = play.sender().await;
    let place = format!("/api/v1/{PARTY}/salesInvoice/{id}/clearance");
    let told = sender.get(&place).await.json;
    assert_eq!((&told["state"], &told["authorityNumber"]), (&json!("registered"), &json!(number)));
    for (file, bytes) in [("form", &form), ("upo", &upo), ("page", &page)] {
        let answer = sender.get(&format!("{place}/{file}")).await;
        assert_eq!((answer.status, answer.body.as_ref()), (200, bytes.as_slice()), "{file}");
    }
    let (timeline, status) = sender.timeline(PARTY, &id).await;
    assert_eq!(
        timeline,
        ["Pending", "Validated", "Clearing", "Cleared", "Routed", "Delivered"],
        "{status}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_system_that_is_not_there_keeps_no_invoice() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    lab.announce(Availability::Failure, Vec::new());
    let id = send(&play, "FV/1").await;
    // 410: it leaves with both codes, and is registered nowhere.
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{:?}", ending.payload);
    let details = &ending.payload["details"];
    assert!(details["ksefNumber"].is_null() && details["clearanceMode"].is_string(), "{details}");
    let outcome = published(&play, &id, "SendInvoice").await;
    assert_eq!(outcome["details"]["clearanceCode"], "410");
    assert_eq!(lab.registered().len(), 0);
    cleared(&play, &id, ClearanceState::Offline).await;
    let printed = evidence(&play, &id, EvidenceKind::CodedPage).await;
    assert_eq!(printed.len(), 1);
    // 201: once the system is there again.
    lab.announce(Availability::Available, Vec::new());
    play.stage.clock.advance(jiff::SignedDuration::from_mins(6));
    let told = play.told(&id, &["InvoiceCleared"]).await;
    let number = told.payload["details"]["ksefNumber"].as_str().unwrap().to_owned();
    assert_eq!(told.payload["details"]["clearanceCode"], "201");
    let registered = lab.registered();
    assert_eq!((registered.len(), registered[0].offline), (1, true));
    assert_eq!(registered[0].ksef_number, number);
    // The bytes are those to which the printed codes lead.
    let form = evidence(&play, &id, EvidenceKind::Form).await.remove(0);
    assert_eq!(form, registered[0].xml);
    assert_eq!(evidence(&play, &id, EvidenceKind::CodedPage).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_day_is_offline() {
    // The cut-off is as long as the day: every invoice of today is late.
    let (play, lab) = play(quick(), 24 * 60).await;
    put_hook(&play, &lab).await;
    let id = send(&play, "FV/1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent");
    let details = &ending.payload["details"];
    assert!(details["clearanceDueOn"].is_string(), "{details}");
    cleared(&play, &id, ClearanceState::Offline).await;
    assert_eq!(lab.registered().len(), 0);
    play.stage.clock.advance(jiff::SignedDuration::from_hours(25));
    let told = play.told(&id, &["InvoiceCleared"]).await;
    assert_eq!(told.payload["details"]["clearanceCode"], "201");
    assert_eq!(lab.registered().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_system_refuses_is_told_in_polish_and_english() {
    let (play, lab) = play(quick(), 0).await;
    put_hook(&play, &lab).await;
    lab.plan(KsefFault::Invoice { number: "FV/450".to_owned(), code: 450 });
    let id = send(&play, "FV/450").await;
    let told = play.told(&id, &["InvoiceClearedError"]).await;
    let message = told.text("message");
    assert!(message.contains("Treść faktury łamie reguły KSeF"), "{message}");
    assert!(message.contains("The content breaks a rule of KSeF"), "{message}");
    assert_eq!(told.payload["details"]["code"], "ksef-document");
    let (_, status) = play.sender().await.timeline(PARTY, &id).await;
    assert_eq!(status, "Failed");
    // Whoever reads the timeline in another language is told in that one.
    let path = format!("/api/v1/{PARTY}/salesInvoice/{id}/status");
    for (spoken, waits, breaks) in [
        ("pl", "Dokument czeka na rejestrację w KSeF.", "Treść faktury łamie reguły KSeF"),
        ("nl", "Het document wacht op registratie door KSeF.", "KSeF 450: Status zaplanowany"),
        ("de", "Das Dokument wartet auf die Registrierung durch KSeF.", "KSeF 450: "),
        ("fr", "Le document attend d'être enregistré par KSeF.", "KSeF 450: "),
        ("en", "The document waits to be registered by KSeF.", "The content breaks a rule"),
    ] {
        let headers = [("accept-language", spoken)];
        let sender = play.sender().await;
        let told = sender.call(Method::GET, &path, &headers, None::<String>).await.unwrap();
        let told = told.json.to_string();
        assert!(told.contains(waits) && told.contains(breaks), "{spoken}: {told}");
        let is_english = told.contains("The content breaks a rule");
        assert_eq!(is_english, spoken == "en", "{spoken}: {told}");
    }
    // What this service did wrong is for its operator.
    lab.plan(KsefFault::Invoice { number: "FV/435".to_owned(), code: 435 });
    let id = send(&play, "FV/435").await;
    let details = play.told(&id, &["InvoiceClearedError"]).await.payload["details"].clone();
    assert_eq!(
        (&details["code"], &details["whoCanFix"]),
        (&json!("ksef-defect"), &json!("us")),
        "{details}"
    );
    // What cannot be FA(3) does not get that far.
    let own = invoice(&play, "FV/2").replace("PL5265877635", "PL1111111111");
    let other = Uuid::new_v4().to_string();
    play.sender().await.send(PARTY, &other, own).await;
    let told = play.told(&other, &["InvoiceClearedError"]).await;
    assert!(told.text("message").contains("acts for 5265877635"), "{}", told.text("message"));
    assert_eq!(lab.registered().len(), 0);
    // A dry run says the same, and of one that is registered, by which hook.
    let path = format!("/api/v1/{PARTY}/salesInvoice/sendDryRun");
    let dry_run = async |document: String| {
        let headers = [("content-type", "application/xml")];
        let sender = play.sender().await;
        sender.call(Method::POST, &path, &headers, Some(document)).await.unwrap().json
    };
    let wrong = dry_run(invoice(&play, "FV/3").replace("PL5265877635", "PL1111111111")).await;
    assert_eq!(wrong["verdict"], "rejected", "{wrong}");
    assert_eq!(wrong["reason"], told.text("message"), "{wrong}");
    assert_eq!(wrong["number"], "FV/3");
    let right = dry_run(invoice(&play, "FV/3")).await;
    assert_eq!(right["verdict"], "deliverable", "{right}");
    let first = right["route"]["because"][0].as_str().unwrap();
    assert!(first.contains("KSeF registers it") && first.contains("clearing"), "{first}");
    assert_eq!(lab.registered().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_wait_for_a_certificate_that_is_good() {
    let (play, lab) = play(quick(), 0).await;
    put_hook_for(&play, &lab, 1).await;
    play.stage.clock.advance(jiff::SignedDuration::from_hours(25));
    let id = send(&play, "FV/1").await;
    let told = play.told(&id, &["InvoiceClearedRetry"]).await;
    assert_eq!(told.payload["details"]["code"], "ksef-certificate");
    assert!(
        told.text("message").contains("Certyfikat stracił ważność"),
        "{}",
        told.text("message")
    );
    assert_eq!(lab.registered().len(), 0);
    // A new one is saved, and the document goes its way.
    put_hook(&play, &lab).await;
    play.stage.clock.advance(jiff::SignedDuration::from_mins(11));
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(lab.registered().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_waited_for_and_told() {
    let settings = KsefLabSettings { retry_after: 1, ..quick() };
    let (play, lab) = play(settings, 0).await;
    put_hook(&play, &lab).await;
    let call = "POST sessions/batch".to_owned();
    lab.plan(KsefFault::Refuse { call, status: 429, times: 1 });
    let id = send(&play, "FV/1").await;
    let told = play.told(&id, &["InvoiceClearedRetry"]).await;
    assert_eq!(told.payload["details"]["clearanceCode"], "429");
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(play.times(&id, "InvoiceClearedRetry"), 1);
    assert_eq!(lab.registered().len(), 1);
}
