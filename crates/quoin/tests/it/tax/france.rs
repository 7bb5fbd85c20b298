//! France: extracts of domestic invoices and the files of periods leave by a hook to a registered
//! platform, and each invoice is in exactly one of them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::Config;
use quoin_access_point::tls::server_tls;
use quoin_delivery::tax::{INVALID, TaxState};
use quoin_formats::samples::{FrenchBuyer, french_invoice};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::tax_office::french_profile;
use quoin_store::TaxReportRecord;
use quoin_taxdata::flux10::FilePeriod;
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::{asked, detail, reports};
use crate::https::server::{DocumentServer, GotRequest, ServerAct};
use crate::sftp::server::OpenSsh;
use crate::stage::{Play, Stage, until};

/// The process of French invoices, which do not name it themselves.
const REGULATED: &str = "cenbii-procid-ubl::urn:peppol:france:billing:regulated";
const INVOICES: &str = "/customer";
const PLATFORM: &str = "/platform";
const TOKEN: &str = "the-token-of-the-platform";

/// A service with a web server that stands for a customer and for the platform.
pub struct FrenchPlay {
    pub play: Play,
    server: DocumentServer,
}

pub fn profiles(config: &mut Config) {
    config.tax.profiles = ["flux1", "flux10"].map(|text| french_profile(text, &["C2"])).to_vec();
    config.retry.delivery_seconds = vec![0.1; 20];
}

impl FrenchPlay {
    pub async fn begin() -> FrenchPlay {
        let stage = Stage::set().await;
        let leaf = stage.around.pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        let server = DocumentServer::open(tls).await;
        server.opens_to(&format!("Bearer {TOKEN}"));
        let play = stage.play_with(|one, _| profiles(one)).await;
        let this = FrenchPlay { play, server };
        this.hook("customer", &this.server.url(INVOICES), "SendInvoice").await;
        this
    }

    async fn hook(&self, id: &str, action: &str, topic: &str) {
        put(&self.play, id, action, topic, json!({ "bearerToken": TOKEN })).await;
    }

    pub async fn send(&self, buyer: FrenchBuyer, number: &str) -> String {
        send(&self.play, french_invoice(buyer, SENDER, RECEIVER, number)).await
    }

    pub async fn report(&self, document: &str, state: TaxState) -> TaxReportRecord {
        report(&self.play, document, state).await
    }

    fn files(&self) -> Vec<GotRequest> {
        let mut kept = self.server.kept();
        kept.retain(|kept| kept.path.starts_with(PLATFORM));
        kept
    }
}

async fn put(play: &Play, id: &str, action: &str, topic: &str, init: serde_json::Value) {
    let mut hook = json!({ "id": id, "action": action, "topics": [topic] });
    if !init.is_null() {
        hook["init"] = init;
    }
    let headers = [("content-type", "application/json")];
    let caller = play.sender().await;
    let body = Some(hook.to_string());
    let answer = caller.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

/// Sends an invoice by the hook `customer`.
pub async fn send(play: &Play, document: String) -> String {
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/generic/send?channel=customer&processId={REGULATED}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document);
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{}", told.payload);
    id
}

async fn report(play: &Play, document: &str, state: TaxState) -> TaxReportRecord {
    let id = play.record(document).await.transaction.id;
    reports(&play.one, &id, state).await.pop().unwrap()
}

/// How long it is until the period of a moment is over, and its file is due.
fn until_file(now: Timestamp) -> SignedDuration {
    let terms = FilePeriod::TenDays.at(now);
    terms.written.duration_since(now).saturating_add(SignedDuration::from_secs(1))
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domestic_invoice_leaves_as_an_extract_by_the_hook_of_its_profile() {
    let french = FrenchPlay::begin().await;
    let play = &french.play;
    french.hook("platform", &french.server.url(PLATFORM), "SendTaxReport").await;
    // The platform is away for a moment.
    french.server.will(&[]);
    let id = french.send(FrenchBuyer::Company, "FR-1").await;
    let told = play.told(&id, &["TaxReportAccepted"]).await;
    assert_eq!(detail(&told.payload, "taxRegime"), "flux1");
    assert_eq!(detail(&told.payload, "taxCountry"), "FR");
    assert_eq!(detail(&told.payload, "taxAuthority"), "0238:QUOI");
    assert_eq!((play.times(&id, "TaxReportSent"), play.times(&id, "TaxReportAccepted")), (1, 1));
    let report = french.report(&id, TaxState::Accepted).await;
    assert_eq!(report.facts.channel.as_deref(), Some("platform"));
    assert!(report.settled_on.is_some());
    let [file] = &french.files()[..] else { panic!("one file: {:?}", french.files()) };
    let text = String::from_utf8_lossy(&file.body);
    assert!(text.contains("einvoicingextract#Base") && text.contains("FR-1"), "{text}");
    assert!(!text.contains("Rouen") && !text.contains("InvoiceLine>"), "{text}");
    let (names, state) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(state, "Delivered");
    assert_eq!(names.iter().filter(|name| *name == "taxReport").count(), 3, "{names:?}");
    let caller = play.sender().await;
    let list = caller.get(&format!("/api/v1/{SENDER}/taxReport?state=accepted")).await.json;
    assert_eq!(list["items"][0]["channel"], "platform", "{list}");
    assert_eq!(list["items"][0]["regime"], "flux1", "{list}");
    // Nobody pays for it.
    let months = ("2000-01".into(), "2999-12".into());
    let owner = "sender".parse().unwrap();
    let lines = play.one.parts.store.usage(&owner, months).await.unwrap();
    let paid: u64 = lines.iter().filter(|line| line.is_billable).map(|line| line.documents).sum();
    assert_eq!(paid, 1);
    // What was told cannot be taken back by a message; it says what does.
    let one = format!("/api/v1/{SENDER}/taxReport/{}", report.id);
    let back = asked::post(&caller, &format!("{one}/disregard")).await;
    assert_eq!(back.status, 202, "{}", back.json);
    let back = french.report(&id, TaxState::NotOwed).await;
    assert!(back.reason.message.contains("credit note"), "{back:?}");
    assert_eq!(french.files().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extract_waits_for_its_platform_and_can_be_made_once_more() {
    let french = FrenchPlay::begin().await;
    let play = &french.play;
    // No hook of the name is there: the invoice is delivered, the report is told as failed.
    let id = french.send(FrenchBuyer::Company, "FR-2").await;
    let told = play.told(&id, &["TaxReportRejected"]).await;
    assert!(told.text("message").contains("\"platform\""), "{}", told.payload);
    let report = french.report(&id, TaxState::Failed).await;
    french.hook("platform", &french.server.url(PLATFORM), "SendTaxReport").await;
    french.server.always(Some(ServerAct::Answer(503, "", "later")));
    let caller = play.sender().await;
    let one = format!("/api/v1/{SENDER}/taxReport/{}", report.id);
    assert_eq!(asked::post(&caller, &format!("{one}/resubmit")).await.status, 202);
    until("it was tried", async || {
        let got = french.server.got();
        (got.iter().filter(|got| got.path.starts_with(PLATFORM)).count() > 1).then_some(())
    })
    .await;
    french.server.always(None);
    french.report(&id, TaxState::Accepted).await;
    assert_eq!(french.files().len(), 1);
    // What the portal would refuse is told with the term of the invoice, and nothing is sent.
    let invoice = french_invoice(FrenchBuyer::Company, SENDER, RECEIVER, "FR-3");
    let id = send(play, invoice.replace(">B1<", ">urn:x<")).await;
    let told = play.told(&id, &["TaxReportRejected"]).await;
    assert!(detail(&told.payload, "findings").contains("BT-23"), "{}", told.payload);
    let report = french.report(&id, TaxState::Failed).await;
    assert_eq!(report.reason.code.as_deref(), Some(INVALID));
    assert_eq!(french.files().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_period_has_each_invoice_once_and_what_comes_later_is_in_the_next() {
    let stage = Stage::set().await;
    let Some(ssh) = OpenSsh::start(stage.folder.path()) else {
        return quoin_testing::skipped("openssh-server");
    };
    // The clock begins in the middle of a period, wherever the day is.
    let now = stage.clock.now();
    let terms = FilePeriod::TenDays.at(now);
    let next = terms.last.tomorrow().unwrap().to_zoned(TimeZone::UTC).unwrap().timestamp();
    let begin = next.duration_since(now).saturating_add(SignedDuration::from_hours(24));
    stage.clock.advance(begin);
    let play = stage.play_with(|one, _| profiles(one)).await;
    let action = |folder: &str| ssh.action().replace("/in?", &format!("/{folder}?"));
    std::fs::create_dir_all(ssh.inbox().with_file_name("customer")).unwrap();
    let nothing = serde_json::Value::Null;
    put(&play, "customer", &action("customer"), "SendInvoice", nothing.clone()).await;
    put(&play, "platform", &ssh.action(), "SendTaxReport", nothing).await;

    let invoice = |buyer, number: &str| french_invoice(buyer, SENDER, RECEIVER, number);
    let abroad = send(&play, invoice(FrenchBuyer::Abroad, "FR-A")).await;
    let sold = [
        send(&play, invoice(FrenchBuyer::Consumer, "FR-C1")).await,
        send(&play, invoice(FrenchBuyer::Consumer, "FR-C2")).await,
    ];
    for id in sold.iter().chain([&abroad]) {
        let waits = report(&play, id, TaxState::Gathered).await;
        assert_eq!(waits.facts.regime.as_deref(), Some("flux10"));
        assert!(waits.facts.due_on > waits.gathered.map(|gathered| gathered.until));
    }
    let caller = play.sender().await;
    let list = caller.get(&format!("/api/v1/{SENDER}/taxReport?unreported=true")).await.json;
    assert_eq!(list["items"].as_array().unwrap().len(), 3, "{list}");
    assert!(list["items"][0]["fileOn"].is_string(), "{list}");
    assert!(ssh.files().is_empty());

    play.stage.clock.advance(until_file(play.stage.clock.now()));
    for id in sold.iter().chain([&abroad]) {
        report(&play, id, TaxState::Accepted).await;
        play.told(id, &["TaxReportAccepted"]).await;
        assert_eq!(play.times(id, "TaxReportSent"), 1);
    }
    let files = ssh.files();
    assert_eq!(files.len(), 1, "{:?}", files.keys());
    let text = String::from_utf8_lossy(files.values().next().unwrap()).into_owned();
    assert_eq!((count(&text, "<Invoice>"), count(&text, "<Transactions>")), (1, 1), "{text}");
    assert!(text.contains("FR-A") && text.contains(">200<") && text.contains("TLB1"), "{text}");

    // What is delivered in the next period is in its file, and nothing of the first one.
    let late = send(&play, invoice(FrenchBuyer::Abroad, "FR-L")).await;
    report(&play, &late, TaxState::Gathered).await;
    play.stage.clock.advance(until_file(play.stage.clock.now()));
    report(&play, &late, TaxState::Accepted).await;
    let both = ssh.files();
    assert_eq!(both.len(), 2);
    let new = both.iter().find(|(name, _)| !files.contains_key(*name)).unwrap();
    let text = String::from_utf8_lossy(new.1).into_owned();
    assert!(text.contains("FR-L") && count(&text, "<Invoice>") == 1, "{text}");
    assert_eq!(count(&text, "<Transactions>"), 0, "{text}");
}

/// What was told together and did not get there goes again together, whichever of it is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_given_up_goes_again_as_the_same_file() {
    let french = FrenchPlay::begin().await;
    let play = &french.play;
    let ids = [
        french.send(FrenchBuyer::Abroad, "FR-A1").await,
        french.send(FrenchBuyer::Abroad, "FR-A2").await,
        french.send(FrenchBuyer::Consumer, "FR-C1").await,
        french.send(FrenchBuyer::Consumer, "FR-C2").await,
    ];
    for id in &ids {
        french.report(id, TaxState::Gathered).await;
    }
    // There is no hook of the name.
    play.stage.clock.advance(until_file(play.stage.clock.now()));
    let mut failed = Vec::new();
    for id in &ids {
        failed.push(french.report(id, TaxState::Failed).await);
    }
    let store = &play.one.parts.store;
    let message = store.tax_message_of(&failed[0]).await.unwrap().unwrap();
    let given_up = store.document(&message).await.unwrap().unwrap();
    french.hook("platform", &french.server.url(PLATFORM), "SendTaxReport").await;
    // Another period has begun, with an invoice of its own.
    let late = french.send(FrenchBuyer::Abroad, "FR-L").await;
    french.report(&late, TaxState::Gathered).await;
    let caller = play.sender().await;
    let one = format!("/api/v1/{SENDER}/taxReport/{}/resubmit", failed[2].id);
    let again = asked::post(&caller, &one).await;
    assert_eq!(again.status, 202, "{}", again.json);
    assert_eq!(again.json["id"], failed[2].id.as_str(), "{}", again.json);
    for id in &ids {
        let accepted = french.report(id, TaxState::Accepted).await;
        assert_eq!((accepted.place, accepted.messages), (1, 2));
    }
    let [file] = &french.files()[..] else { panic!("one file: {:?}", french.files()) };
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert_eq!((count(&text, "<Invoice>"), count(&text, "<Transactions>")), (2, 1), "{text}");
    assert!(text.contains("<TransactionsCount>2</TransactionsCount>"), "{text}");
    let id_of = |text: &str| {
        let (_, rest) = text.split_once("<Id>").unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!(id_of(&text), id_of(&String::from_utf8_lossy(&given_up)));
    french.report(&late, TaxState::Gathered).await;
    asked::post(&caller, &one).await.is_problem(409, "API409.Tax", "accepted");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extract_waits_for_a_hook_that_is_switched_off_for_a_moment() {
    let french = FrenchPlay::begin().await;
    let play = &french.play;
    let hook = |is_on: bool| {
        json!({ "id": "platform", "action": french.server.url(PLATFORM), "isActive": is_on,
                "topics": ["SendTaxReport"], "init": { "bearerToken": TOKEN } })
    };
    let put = async |is_on| {
        let headers = [("content-type", "application/json")];
        let body = Some(hook(is_on).to_string());
        let caller = play.sender().await;
        let answer = caller.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
    };
    put(false).await;
    let id = french.send(FrenchBuyer::Company, "FR-OFF").await;
    let report = french.report(&id, TaxState::Sending).await;
    until("it was tried", async || {
        let message = play.one.parts.store.tax_message_of(&report).await.unwrap()?;
        let attempts = play.one.parts.store.attempts_of(&message.transaction.id).await.unwrap();
        attempts.iter().any(|one| one.code.as_deref() == Some("https-hook")).then_some(())
    })
    .await;
    put(true).await;
    french.report(&id, TaxState::Accepted).await;
    assert_eq!(french.files().len(), 1);
}
