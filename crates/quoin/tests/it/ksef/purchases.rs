//! Purchase invoices: what others sold to the party arrives once, whatever time it was stored at,
//! and is judged and converted like any other document.

use jiff::{SignedDuration, Timestamp};
use quoin_lab::ksef::sample_purchase;

use super::*;

/// Who sells to the party.
pub(super) const OTHER: &str = "1132191233";

/// Registers the hook so that purchases are asked for.
pub(super) async fn put_purchasing(play: &Play, lab: &KsefLab) {
    let issue = |use_| lab.authority().issue_for_days(NIP, use_, 700).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let init = json!({
        "onlineCertificate": online.inline(),
        "onlineCertificatePassword": online.password,
        "offlineCertificate": offline.inline(),
        "offlineCertificatePassword": offline.password,
    });
    let (status, answer) = hook_for(play, init, &["ClearInvoiceBatched", "ReceiveInvoice"]).await;
    assert_eq!(status, 200, "{answer}");
}

pub(super) fn deposit(play: &Play, lab: &KsefLab, number: &str, stored: Timestamp) -> String {
    let xml = sample_purchase((OTHER, NIP), number, &today(play));
    lab.deposit(&xml, stored).unwrap()
}

/// Waits for so many purchases with a number; all of them, sorted.
pub(super) async fn arrived(play: &Play, count: usize) -> Vec<String> {
    let caller = play.sender().await;
    let mut numbers = until("the purchases", async || {
        let all = caller.purchases(PARTY).await.ok()?;
        let numbers: Vec<String> =
            all.iter().filter_map(|one| one["number"].as_str().map(str::to_owned)).collect();
        (numbers.len() >= count).then_some(numbers)
    })
    .await;
    numbers.sort();
    numbers
}

/// How many questions were answered.
fn questions(lab: &KsefLab) -> usize {
    let is_one = |path: &str| path.starts_with("/invoices/query/metadata");
    lab.exchanges().iter().filter(|one| is_one(&one.path) && one.status < 300).count()
}

/// Lets the service ask once more, and waits for the answer.
pub(super) async fn asked_again(play: &Play, lab: &KsefLab) {
    let before = questions(lab);
    play.stage.clock.advance(SignedDuration::from_mins(16));
    until("another question", async || (questions(lab) > before).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn purchases_arrive_once_and_are_converted() {
    let (play, lab) = play(quick(), 0).await;
    put_purchasing(&play, &lab).await;
    let now = play.stage.clock.now();
    deposit(&play, &lab, "ZAK/1", now);
    deposit(&play, &lab, "ZAK/2", now);
    // What others buy, and what the party sells, is not asked for.
    let others = sample_purchase((OTHER, "7811767696"), "INNE/1", &today(&play));
    lab.deposit(&others, now).unwrap();
    let own = sample_purchase((NIP, OTHER), "SPRZ/1", &today(&play));
    lab.deposit(&own, now).unwrap();
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 2).await, ["ZAK/1", "ZAK/2"]);
    let caller = play.sender().await;
    let events = async || {
        let told = caller.get("/api/v1/events?topic=InvoiceReceived").await.json;
        let count = told["items"].as_array().map_or(0, Vec::len);
        (count >= 2).then_some(count)
    };
    assert_eq!(until("the events", events).await, 2);
    let listed = caller.purchases(PARTY).await.unwrap();
    let id = listed[0]["id"].as_str().unwrap();
    let path = format!("/api/v1/{PARTY}/purchaseInvoice/{id}/download");
    let kept = caller.get(&path).await;
    assert!(String::from_utf8_lossy(&kept.body).contains("<Faktura"), "{}", kept.json);
    let json = caller.get(&format!("{path}?targetDocumentTypeId=json")).await;
    assert_eq!((json.status, &json.json["number"]), (200, &listed[0]["number"]), "{}", json.json);
    let (names, status) = {
        let told = caller.get(&format!("/api/v1/{PARTY}/purchaseInvoice/{id}/status")).await.json;
        (told.to_string(), told["status"].to_string())
    };
    assert!(names.contains("no errors found"), "{names} {status}");
    // Asked again and again, nothing comes twice.
    asked_again(&play, &lab).await;
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 2).await.len(), 2);
}

/// What cannot be had of some invoices keeps the one behind them waiting in no look, and is asked
/// for again.
#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_that_cannot_be_had_keeps_no_other_one_waiting() {
    let (play, lab) = play(quick(), 0).await;
    put_purchasing(&play, &lab).await;
    play.stage.clock.advance(SignedDuration::from_mins(1));
    let now = play.stage.clock.now();
    let call = |n: i64| {
        let stored = now + SignedDuration::from_secs(n);
        format!("GET invoices/ksef/{}", deposit(&play, &lab, &format!("H/{n}"), stored))
    };
    lab.plan(KsefFault::Refuse { call: call(1), status: 500, times: 1 });
    lab.plan(KsefFault::RefuseWith { call: call(2), code: 21_405, times: 1 });
    lab.plan(KsefFault::Gateway { call: call(3), status: 404, times: 1 });
    call(4);
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 1).await, ["H/4"]);
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 4).await, ["H/1", "H/2", "H/3", "H/4"]);
}

/// What the party buys.
fn place(play: &Play) -> quoin_store::PurchasePlace {
    quoin_store::PurchasePlace {
        organisation: play.stage.sender.organisation.parse().unwrap(),
        party: PARTY.to_owned(),
        taxpayer: NIP.to_owned(),
        subject: "Subject2".to_owned(),
    }
}

/// A wrong time of the system that is on record is no end: what is stored from now on arrives.
#[tokio::test(flavor = "multi_thread")]
async fn a_time_in_the_future_on_record_is_brought_back() {
    let (play, lab) = play(quick(), 0).await;
    put_purchasing(&play, &lab).await;
    asked_again(&play, &lab).await;
    let (store, wrong) = (&play.one.parts.store, "2099-01-01T00:00:00Z".parse().unwrap());
    let now = play.stage.clock.now();
    store.note_purchases(&place(&play), Vec::new(), wrong, now).await.unwrap();
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let reached = async || store.purchases_reached(&place(&play)).await.ok()?;
    until("the time", async || reached().await.filter(|reached| *reached < wrong)).await;
    play.stage.clock.advance(SignedDuration::from_mins(1));
    deposit(&play, &lab, "W/1", play.stage.clock.now());
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 1).await, ["W/1"]);
}

/// What is stored at the very border of two questions, and what is stored late with an earlier
/// time, is there all the same, and once.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_missed_at_the_border_of_two_questions() {
    let settings = KsefLabSettings { settling: SignedDuration::from_mins(5), ..quick() };
    let (play, lab) = play(settings, 0).await;
    put_purchasing(&play, &lab).await;
    play.stage.clock.advance(SignedDuration::from_mins(30));
    let now = play.stage.clock.now();
    deposit(&play, &lab, "B/1", now - SignedDuration::from_mins(6));
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 1).await, ["B/1"]);
    let place = place(&play);
    let store = &play.one.parts.store;
    let reached = store.purchases_reached(&place).await.unwrap().unwrap();
    // Exactly there, a microsecond before it is complete for the next question, and a late one.
    deposit(&play, &lab, "B/2", reached);
    let late = play.stage.clock.now() - SignedDuration::from_mins(4);
    deposit(&play, &lab, "B/4", play.stage.clock.now());
    deposit(&play, &lab, "B/3", late);
    asked_again(&play, &lab).await;
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 4).await, ["B/1", "B/2", "B/3", "B/4"]);
    assert!(store.purchases_reached(&place).await.unwrap().unwrap() > reached);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_is_told_once_and_nothing_is_lost() {
    let (play, lab) = play(quick(), 0).await;
    put_purchasing(&play, &lab).await;
    deposit(&play, &lab, "T/1", play.stage.clock.now());
    let call = "POST invoices/query/metadata".to_owned();
    lab.plan(KsefFault::Refuse { call, status: 403, times: 2 });
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let caller = play.sender().await;
    let told = async || {
        let told = caller.get("/api/v1/events?topic=FolderError").await.json;
        let items = told["items"].as_array().cloned().unwrap_or_default();
        let own = |one: &&Value| one["details"]["code"] == "ksef-purchases";
        let count = items.iter().filter(own).count();
        (count > 0).then_some(count)
    };
    assert_eq!(until("what stands in the way", told).await, 1);
    play.stage.clock.advance(SignedDuration::from_mins(16));
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 1).await, ["T/1"]);
    assert_eq!(told().await, Some(1));
}

/// An invoice of other bytes than those of its digest never comes, and its number is told, whatever
/// was told before.
#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_of_other_bytes_is_told_by_its_number() {
    let (play, lab) = play(quick(), 0).await;
    put_purchasing(&play, &lab).await;
    play.stage.clock.advance(SignedDuration::from_mins(1));
    let number = deposit(&play, &lab, "D/1", play.stage.clock.now());
    lab.plan(KsefFault::Alter { call: format!("GET invoices/ksef/{number}"), times: 99 });
    deposit(&play, &lab, "D/2", play.stage.clock.now());
    play.stage.clock.advance(SignedDuration::from_mins(16));
    assert_eq!(arrived(&play, 1).await, ["D/2"]);
    let caller = play.sender().await;
    let told = async || {
        let told = caller.get("/api/v1/events?topic=FolderError").await.json;
        let items = told["items"].as_array().cloned().unwrap_or_default();
        let own = items.iter().filter(|one| one["details"]["code"] == "ksef-purchases");
        let own: Vec<String> = own.map(|one| one["message"].to_string()).collect();
        (!own.is_empty()).then_some(own)
    };
    let first = until("what stands in the way", told).await;
    assert!(first[0].contains(&number) && first[0].contains("digest"), "{first:?}");
    asked_again(&play, &lab).await;
    assert_eq!(told().await.unwrap().len(), 1, "once");
    // A look that ends before it comes to that invoice does not say that it is there.
    let next = deposit(&play, &lab, "D/3", play.stage.clock.now());
    lab.plan(KsefFault::Refuse {
        call: format!("GET invoices/ksef/{next}"),
        status: 429,
        times: 1,
    });
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 2).await, ["D/2", "D/3"]);
    asked_again(&play, &lab).await;
    assert_eq!(told().await.unwrap().len(), 1, "once");
}

/// A hook whose party and certificate have no NIP is told once, and keeps nobody else waiting.
#[tokio::test(flavor = "multi_thread")]
async fn a_hook_without_a_nip_is_told_once() {
    let nameless = "0106:12345678";
    let (play, lab) = play_of(&[nameless, PARTY], quick(), |_, _| {}).await;
    let issue = |use_| lab.authority().issue("none", use_).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let body = json!({
        "id": "nameless", "action": "ksef", "topics": ["ReceiveInvoice"],
        "init": {
            "onlineCertificate": online.inline(),
            "onlineCertificatePassword": online.password,
            "offlineCertificate": offline.inline(),
            "offlineCertificatePassword": offline.password,
        },
    });
    let (sender, path) = (play.sender().await, format!("/api/v1/{nameless}/hook"));
    let headers = [("content-type", "application/json")];
    let saved = sender.call(Method::PUT, &path, &headers, Some(body.to_string())).await.unwrap();
    assert_eq!(saved.status, 200, "{}", saved.json);
    put_purchasing(&play, &lab).await;
    let events = async || {
        let told = sender.get("/api/v1/events?topic=FolderError&limit=500").await.json;
        let items = told["items"].as_array().cloned().unwrap_or_default();
        let about = |one: &&Value| one["details"]["code"] == "ksef-purchases";
        let told = items.iter().filter(about).map(|one| one["message"].to_string());
        // A machine that is slow may have other trouble.
        told.filter(|message| message.contains("has a NIP")).collect::<Vec<_>>()
    };
    until("the event", async || (!events().await.is_empty()).then_some(())).await;
    asked_again(&play, &lab).await;
    asked_again(&play, &lab).await;
    let told = events().await;
    assert_eq!(told.len(), 1, "{told:?}");
}
