//! Purchase invoices by volume: many come as a package that the system makes, each once, whatever
//! goes wrong with it, and within the published limits. Parties are asked for side by side, and as
//! what they are named.

use std::time::{Duration, Instant};

use jiff::SignedDuration;
use quoin_access_point::config::PurchaseSubject;
use quoin_lab::ksef::{KsefExchange, sample_purchase};

use super::purchases::{OTHER, arrived, asked_again, deposit, put_purchasing};
use super::*;

/// The service looks at its clock once a second.
const QUIET: Duration = Duration::from_millis(2_200);

/// How many calls were made, and of how many invoices they were answered.
fn calls(lab: &KsefLab, begin: &str) -> usize {
    let exchanges = lab.exchanges();
    exchanges.iter().filter(|one| format!("{} {}", one.method, one.path).starts_with(begin)).count()
}

/// Lets the time pass by quarters of an hour until so many purchases arrived. It goes on once the
/// service has come to rest: a busy machine makes a look longer, and the hours no shorter.
async fn hours_until(play: &Play, lab: &KsefLab, count: usize) {
    for _ in 0..60 {
        play.stage.clock.advance(SignedDuration::from_mins(16));
        at_rest(lab).await;
        let caller = play.sender().await;
        if caller.purchases(PARTY).await.unwrap().len() >= count {
            return;
        }
    }
    let line = |one: &KsefExchange| format!("{} {} {}", one.status, one.method, one.path);
    let last: Vec<String> = lab.exchanges().iter().rev().take(12).map(line).collect();
    let told = play.sender().await.get("/api/v1/events?topic=FolderError").await.json;
    panic!("not {count} after so many hours: {last:#?}\n{told}");
}

/// Waits until the system was asked for something, and for nothing more for two looks at the clock.
async fn at_rest(lab: &KsefLab) {
    let before = lab.exchange_count();
    until("a call", async || (lab.exchange_count() > before).then_some(())).await;
    let (mut seen, mut since) = (0, Instant::now());
    until("rest", async || {
        let count = lab.exchange_count();
        if count > seen {
            (seen, since) = (count, Instant::now());
        }
        (since.elapsed() > QUIET).then_some(())
    })
    .await;
}

fn numbers(begin: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{begin}/{number:03}")).collect()
}

/// More than a package holds, in several parts: one package follows the other, each begins where
/// the one before ended, and nothing is missed or comes twice at the border.
#[tokio::test(flavor = "multi_thread")]
async fn many_purchases_come_in_packages_within_the_limits() {
    let settings = KsefLabSettings {
        limits: true,
        auth_polls: 0,
        export_set: 100,
        export_part: 20_000,
        ..Default::default()
    };
    let (play, lab) = play(settings, 0).await;
    put_purchasing(&play, &lab).await;
    let now = play.stage.clock.now();
    for (at, number) in (1..).zip(numbers("M", 270)) {
        // Pairs of the same instant, one of them at the border of two packages.
        deposit(&play, &lab, &number, now + SignedDuration::from_millis(at / 2));
    }
    hours_until(&play, &lab, 270).await;
    assert_eq!(arrived(&play, 270).await, numbers("M", 270));
    assert!((3..=6).contains(&calls(&lab, "POST /invoices/exports")));
    assert!(calls(&lab, "GET /download/package") > 3, "in parts");
    assert_eq!(calls(&lab, "GET /invoices/ksef"), 0, "none by itself");
    asked_again(&play, &lab).await;
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 270).await.len(), 270);
    // The system never had to refuse a call for its limits.
    assert!(lab.exchanges().iter().all(|one| one.status != 429));
}

/// A system that makes no packages for a party is asked page by page, and each invoice is fetched
/// by itself, many of them of the same instant.
#[tokio::test(flavor = "multi_thread")]
async fn without_packages_they_come_one_by_one_within_the_limits() {
    let settings = KsefLabSettings { limits: true, auth_polls: 0, ..Default::default() };
    let (play, lab) = play(settings, 0).await;
    let call = "POST invoices/exports".to_owned();
    lab.plan(KsefFault::Refuse { call, status: 403, times: 1_000 });
    put_purchasing(&play, &lab).await;
    let now = play.stage.clock.now();
    for number in numbers("P", 270) {
        deposit(&play, &lab, &number, now);
    }
    hours_until(&play, &lab, 270).await;
    assert_eq!(arrived(&play, 270).await, numbers("P", 270));
    assert!(lab.exchanges().iter().all(|one| one.status != 429));
}

/// The system fails to make a package, its answer is lost, a part is refused: it is told, and the
/// invoices come all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_package_that_goes_wrong_is_asked_for_again() {
    let (play, lab) = play(quick(), 0).await;
    // The first one is of the package whose answer is lost.
    for code in [550, 550, 415] {
        lab.plan(KsefFault::Export(code));
    }
    lab.plan(KsefFault::Refuse { call: "GET download/package".to_owned(), status: 403, times: 1 });
    lab.plan(KsefFault::Lose { call: "POST invoices/exports".to_owned(), times: 1 });
    put_purchasing(&play, &lab).await;
    for number in numbers("W", 40) {
        deposit(&play, &lab, &number, play.stage.clock.now());
    }
    hours_until(&play, &lab, 40).await;
    assert_eq!(arrived(&play, 40).await, numbers("W", 40));
    assert!(calls(&lab, "POST /invoices/exports") >= 4);
    let caller = play.sender().await;
    let told = caller.get("/api/v1/events?topic=FolderError").await.json;
    let items = told["items"].as_array().cloned().unwrap_or_default();
    let said = |text: &str| items.iter().any(|one| one.to_string().contains(text));
    assert!(said("KSeF przerwał przygotowanie paczki") && said("KSeF stopped making"), "{told}");
    assert!(said("KSeF could not decrypt the key of the package"), "{told}");
}

/// As a third party and as an authorised one, where the operator asks for it; what names the party
/// twice comes once.
#[tokio::test(flavor = "multi_thread")]
async fn parties_are_asked_for_as_what_they_are_named() {
    const BUYER: &str = "7811767696";
    let third = |nip: &str| {
        format!(
            "<Podmiot3><DaneIdentyfikacyjne><NIP>{nip}</NIP><Nazwa>Oddział</Nazwa>\
             </DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju><AdresL1>ul. Ceglana 5</AdresL1>\
             </Adres><Rola>2</Rola></Podmiot3><Fa>"
        )
    };
    let authorised = |nip: &str| {
        format!(
            "<PodmiotUpowazniony><DaneIdentyfikacyjne><NIP>{nip}</NIP><Nazwa>Komornik</Nazwa>\
             </DaneIdentyfikacyjne><Adres><KodKraju>PL</KodKraju><AdresL1>ul. Sądowa 1</AdresL1>\
             </Adres><RolaPU>2</RolaPU></PodmiotUpowazniony><Fa>"
        )
    };
    let (play, lab) = play_as(quick(), |section, _| {
        let all =
            [PurchaseSubject::Buyer, PurchaseSubject::ThirdParty, PurchaseSubject::Authorised];
        section.purchases_as = all.to_vec();
    })
    .await;
    put_purchasing(&play, &lab).await;
    let now = play.stage.clock.now();
    let put = |buyer: &str, number: &str, more: &str| {
        let xml = sample_purchase((OTHER, buyer), number, &today(&play));
        lab.deposit(&xml.replacen("<Fa>", more, 1), now).unwrap();
    };
    put(NIP, "S/buyer", "<Fa>");
    put(BUYER, "S/third", &third(NIP));
    put(BUYER, "S/authorised", &authorised(NIP));
    put(NIP, "S/twice", &third(NIP));
    put(BUYER, "S/others", &third("1111111111"));
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let all = ["S/authorised", "S/buyer", "S/third", "S/twice"];
    assert_eq!(arrived(&play, 4).await, all);
    asked_again(&play, &lab).await;
    asked_again(&play, &lab).await;
    assert_eq!(arrived(&play, 4).await, all);
}

/// While the system keeps one party waiting, another one gets its invoices.
#[tokio::test(flavor = "multi_thread")]
async fn one_party_does_not_keep_another_waiting() {
    const SECOND: &str = "9945:7811767696";
    let (play, lab) = play_of(&[PARTY, SECOND], quick(), |section, _| {
        section.timeout_seconds = 300;
    })
    .await;
    lab.plan(KsefFault::Hold { call: "POST invoices/query/metadata".to_owned() });
    for party in [PARTY, SECOND] {
        let nip = party.trim_start_matches("9945:");
        let issue = |use_| lab.authority().issue(nip, use_).unwrap();
        let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
        let body = json!({"id": "clearing", "action": "ksef", "topics": ["ReceiveInvoice"],
        "init": {
            "onlineCertificate": online.inline(),
            "onlineCertificatePassword": online.password,
            "offlineCertificate": offline.inline(),
            "offlineCertificatePassword": offline.password,
        }});
        let (path, headers) =
            (format!("/api/v1/{party}/hook"), [("content-type", "application/json")]);
        let sender = play.sender().await;
        let answer = sender.call(Method::PUT, &path, &headers, Some(body.to_string())).await;
        assert_eq!(answer.unwrap().status, 200);
        let xml = sample_purchase((OTHER, nip), "ZAK/1", &today(&play));
        lab.deposit(&xml, play.stage.clock.now()).unwrap();
    }
    let counts = async || {
        let caller = play.sender().await;
        let mut counts = [0, 0];
        for (count, party) in counts.iter_mut().zip([PARTY, SECOND]) {
            *count = caller.purchases(party).await.map_or(0, |all| all.len());
        }
        counts
    };
    // Time passes while the first question waits.
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let one = async || {
        let counts = counts().await;
        (counts.iter().sum::<usize>() == 1).then_some(counts)
    };
    let first = until("the purchase of one party", one).await;
    lab.let_go();
    play.stage.clock.advance(SignedDuration::from_mins(16));
    let both = async || (counts().await == [1, 1]).then_some(());
    until("the purchase of the other one", both).await;
    assert!(first == [1, 0] || first == [0, 1]);
}
