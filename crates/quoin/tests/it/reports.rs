//! Statistics reports: made from what was exchanged, sent to whoever collects them, and repeated
//! until the deadline.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::{Config, OrganisationSeed};
use quoin_delivery::reporting::Month;
use quoin_delivery::{Direction, Status};
use quoin_lab::lab::network::{COLLECTOR, Customer, collector};
use quoin_store::ListFilter;
use reqwest::Method;

use crate::promises::duplicates::alarms;
use crate::stage::caller::Caller;
use crate::stage::{Folder, Play, Stage, until};

/// The provider's own client at the sender's service.
fn operator() -> Customer {
    Customer::new("provider", &[]).unwrap()
}

/// Both services; the sender's reports, and the receiver's has the collector behind it.
async fn reporting(operator: &Customer) -> Play {
    let stage = Stage::set().await;
    stage.register(COLLECTOR, &stage.two.smp_url);
    let play = stage
        .play_with(|one, _| {
            one.provider.reports = Some(true);
            let mut seed: OrganisationSeed = one.organisation[0].clone();
            seed.id.clone_from(&operator.organisation);
            seed.parties.clear();
            seed.hooks[0].id = "operator".to_owned();
            seed.clients[0].id.clone_from(&operator.client);
            seed.clients[0].secret =
                Some(quoin_access_point::config::ConfigSecret::new(&operator.secret));
            one.organisation.push(seed);
        })
        .await;
    collector::open(&play.two, &play.stage.receiver, play.stage.clock.now()).await.unwrap();
    play
}

/// The reports that the collector has, by month and kind, as they came.
async fn collected(play: &Play) -> Vec<String> {
    let owner = play.stage.receiver.organisation.parse().unwrap();
    let mut filter = ListFilter::new(owner, Direction::Incoming);
    filter.limit = 500;
    let store = &play.two.parts.store;
    let mut texts = Vec::new();
    for record in store.list(filter).await.unwrap().items {
        if record.transaction.party == COLLECTOR && record.transaction.status == Status::Delivered {
            let bytes = store.document(&record).await.unwrap().unwrap();
            texts.push(String::from_utf8(bytes.to_vec()).unwrap());
        }
    }
    texts
}

fn is_about(text: &str, root: &str, month: Month) -> bool {
    text.contains(&format!("<{root} ")) && text.contains(&format!("<StartDate>{month}-01<"))
}

/// Moves the clock of both services to a time.
fn go_to(play: &Play, time: Timestamp) {
    play.stage.clock.advance(time.duration_since(play.stage.clock.now()));
}

async fn caller(play: &Play, customer: &Customer) -> Caller {
    Caller::of(&play.stage, &play.one, customer).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_month_is_reported_and_so_is_the_empty_one_after_it() {
    let operator = operator();
    let play = reporting(&operator).await;
    let month = Month::of(play.stage.clock.now());
    let id = play.send("REPORT-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");

    // Before the month is over nothing can be sent, but one can look.
    let client = caller(&play, &operator).await;
    let path = format!("/api/v1/reports/{month}/TSR");
    let shown = client.get(&path).await;
    let shown = String::from_utf8(shown.body.to_vec()).unwrap();
    assert!(shown.contains("<Outgoing>1</Outgoing>") && shown.contains("POP000001"), "{shown}");
    let send = format!("{path}/send");
    let early = client.call(Method::POST, &send, &[], Some("")).await.unwrap();
    early.is_problem(409, "API409.Report", "is not over");

    // The second day of the next month: both are made, sent and taken.
    go_to(&play, month.end() + SignedDuration::from_hours(25));
    for root in ["TransactionStatisticsReport", "EndUserStatisticsReport"] {
        let text = until("the report is collected", async || {
            collected(&play).await.into_iter().find(|text| is_about(text, root, month))
        })
        .await;
        let report = quoin_rules::validate(
            &quoin_formats::read(text.as_bytes()),
            jiff::civil::date(2026, 11, 21),
        );
        assert!(report.findings.is_empty() && !report.rule_sets.is_empty(), "{report:?}");
        let expected = match root {
            "TransactionStatisticsReport" => "<Outgoing>1</Outgoing>",
            _ => "<SendingEndUsers>1</SendingEndUsers>",
        };
        assert!(text.contains(expected), "{text}");
    }
    let client = caller(&play, &operator).await;
    let listed = until("the receipt is on record", async || {
        let listed = client.get("/api/v1/reports").await.json;
        let all = listed.as_array().unwrap().clone();
        let month = month.to_string();
        let of_month: Vec<_> = all.iter().filter(|one| one["month"] == month.as_str()).collect();
        (of_month.len() == 2 && of_month.iter().all(|one| one["isTaken"] == true)).then_some(listed)
    })
    .await;
    assert!(listed.to_string().contains("\"status\":\"Planned\""), "the next month: {listed}");

    // A correction goes out as another document.
    let again = client.call(Method::POST, &send, &[], Some("")).await.unwrap();
    assert_eq!((again.status, &again.json["made"]), (200, &2.into()), "{}", again.json);
    until("the correction is collected", async || {
        let root = "TransactionStatisticsReport";
        let all = collected(&play).await;
        (all.iter().filter(|text| is_about(text, root, month)).count() == 2).then_some(())
    })
    .await;

    // A month without traffic is reported all the same; reports do not count themselves.
    let empty = month.next();
    go_to(&play, empty.end() + SignedDuration::from_hours(25));
    let text = until("the empty report is collected", async || {
        let root = "TransactionStatisticsReport";
        collected(&play).await.into_iter().find(|text| is_about(text, root, empty))
    })
    .await;
    assert!(text.contains("<Outgoing>0</Outgoing>") && !text.contains("<Subtotal"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_for_the_provider_alone() {
    let operator = operator();
    let play = reporting(&operator).await;
    let month = Month::of(play.stage.clock.now());
    let customer = play.sender().await;
    for (method, path) in [
        (Method::GET, "/api/v1/reports".to_owned()),
        (Method::GET, format!("/api/v1/reports/{month}/EUSR")),
        (Method::POST, format!("/api/v1/reports/{month}/EUSR/send")),
    ] {
        let answer = customer.call(method, &path, &[], Some("")).await.unwrap();
        answer.is_problem(403, "API403.Provider", "provider");
    }
    let client = caller(&play, &operator).await;
    assert_eq!(client.get("/api/v1/serviceLevels").await.json["allOrganisations"], true);
    client.get("/api/v1/reports/2026-13/TSR").await.is_problem(400, "API400.Query", "month");
    let path = format!("/api/v1/reports/{month}/TDD");
    client.get(&path).await.is_problem(400, "API400.Query", "EUSR");
    let late = month.previous().previous();
    let send = format!("/api/v1/reports/{late}/TSR/send");
    let answer = client.call(Method::POST, &send, &[], Some("")).await.unwrap();
    answer.is_problem(409, "API409.Report", "was due");
    client.get("/api/v1/reports?from=x").await.is_problem(400, "API400.Query", "from");
}

/// The collector is not found: the alarm comes on the tenth day, and the miss after the deadline.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_nobody_takes_is_an_alarm() {
    let operator = operator();
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.provider.reports = Some(true)).await;
    let month = Month::of(play.stage.clock.now());
    let owner = operator.organisation.parse().unwrap();
    let told = async |topic: &str| {
        let store = &play.one.parts.store;
        let all = store.events_since(&owner, quoin_delivery::EventId(0), 1_000).await.unwrap();
        let of = |event: &&quoin_store::EventRecord| event.topic.as_str() == topic;
        all.iter().filter(of).filter(|e| e.details["month"] == month.to_string()).count()
    };
    let failed = async || {
        let key = |kind| quoin_store::ReportKey { month, kind };
        let mut all = Vec::new();
        for kind in quoin_delivery::reporting::ReportKind::ALL {
            all.extend(play.one.parts.store.report(key(kind)).await.unwrap());
        }
        all.iter()
            .all(|r| matches!(r.progress.made, Some((Status::Failed, _))))
            .then_some(all.len())
    };
    go_to(&play, month.end() + SignedDuration::from_hours(25));
    assert_eq!(until("both failed", failed).await, 2);
    // A report of ours that does not get through is told at once (BO-5).
    until("an alarm for each", async || {
        let told = alarms(&play.one, "report-failed").await;
        (told.len() == 2).then_some(())
    })
    .await;
    go_to(&play, month.end() + SignedDuration::from_hours(9 * 24 + 1));
    until("the alarm", async || (told("ServiceLevelWarning").await == 2).then_some(())).await;
    go_to(&play, month.deadline() + SignedDuration::from_hours(1));
    until("the miss", async || (told("ServiceLevelBreached").await == 2).then_some(())).await;
    assert_eq!(told("ServiceLevelWarning").await, 2);
    // Nobody takes a late one: there is nothing left to be done.
    until("the end of the alarms", async || {
        let open = play.one.parts.store.open_alarms(100).await.unwrap();
        open.iter().all(|alarm| alarm.code != "report-failed").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_writes_what_the_interface_shows() {
    let operator = operator();
    let play = reporting(&operator).await;
    let id = play.send("REPORT-CLI").await;
    play.ending(&id).await;
    let month = Month::of(play.stage.clock.now());
    let client = caller(&play, &operator).await;
    let shown = client.get(&format!("/api/v1/reports/{month}/TSR")).await.body;
    let config: Config = play.one.parts.config.clone();
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    let write = async |folder: &Path| quoin::report::write(&config, month, folder).await;
    let refused = write(folder.path()).await.unwrap_err();
    assert!(refused.contains("/api/v1/reports"), "{refused}");
    let Play { one, stage: _stage, .. } = play;
    one.stop().await;
    let paths = write(folder.path()).await.unwrap();
    let names: Vec<_> = paths.iter().map(|p| p.file_name().unwrap().to_string_lossy()).collect();
    let name = |kind: &str| format!("POP000001-{kind}-{month}.xml");
    assert_eq!(names, [name("TSR"), name("EUSR")]);
    assert_eq!(std::fs::read(&paths[0]).unwrap(), shown);
    let users = std::fs::read_to_string(&paths[1]).unwrap();
    assert!(users.contains(">NL</Key>"), "{users}");
}

/// Envelopes with a country that is none were taken by earlier releases.
#[tokio::test(flavor = "multi_thread")]
async fn bo_5_a_country_that_is_none_does_not_spoil_the_report() {
    let play = Stage::set().await.play_with(|_, two| two.provider.reports = Some(true)).await;
    for number in ["BO-5-1", "BO-5-2", "BO-5-3"] {
        let id = play.send(number).await;
        play.ending(&id).await;
    }
    let month = Month::of(play.stage.clock.now());
    let store = play.two.parts.store.clone();
    until("all are counted", async || {
        let counts = store.exchange_counts(month).await.unwrap();
        (counts.iter().map(|count| count.count).sum::<u64>() == 3).then_some(())
    })
    .await;
    let db = rusqlite::Connection::open(play.two.parts.config.data_dir.join("quoin.db")).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    for (row, code) in [(0, "QQ"), (1, "UK")] {
        let sql = "UPDATE exchanges SET country_c1 = ?1, country_c4 = ?1
            WHERE transaction_id = (SELECT transaction_id FROM exchanges ORDER BY 1 LIMIT 1 OFFSET ?2)";
        assert_eq!(db.execute(sql, rusqlite::params![code, row]).unwrap(), 1);
    }
    let provider = play.two.parts.provider.clone().unwrap();
    for kind in quoin_delivery::reporting::ReportKind::ALL {
        let key = quoin_store::ReportKey { month, kind };
        let text = quoin_access_point::reports::write(&store, &provider, key).await.unwrap();
        let read = quoin_formats::read(text.as_bytes());
        let report = quoin_rules::validate(&read, jiff::civil::date(2026, 11, 21));
        assert!(report.findings.is_empty() && !report.rule_sets.is_empty(), "{report:?}");
        assert!(!text.contains(">QQ<") && !text.contains(">UK<"), "{text}");
    }
}

/// What envelopes may name is what reports may name.
#[test]
fn every_country_of_an_envelope_is_one_of_a_report() {
    for list in ["iso3166@peppol-eusr-1.1.5", "iso3166@peppol-tsr-1.0.5"] {
        let list = quoin_model::codes::by_key(list).unwrap();
        let mut known: Vec<&str> = quoin_peppol::countries::all().collect();
        let mut listed: Vec<&str> = list.codes().filter(|code| *code != "ZZ").collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(known, listed);
    }
}
