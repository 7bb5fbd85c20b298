//! A clock that jumps and comes back (items A11 and BO-6): nothing is lost, missed or put off.

use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::SignedDuration;
use quoin_access_point::config::{ConfigSecret, HookSeed, RequestedStatuses};
use quoin_delivery::reporting::Month;
use quoin_lab::lab::network::SENDER;
use quoin_server::start::Running;

use crate::operators::full::slow_hook;
use crate::stage::{Play, Stage, until};

const DAYS_100: SignedDuration = SignedDuration::from_hours(100 * 24);

/// Two services that owe reports; the first asks for statuses that the second does not give.
async fn play() -> Play {
    let play = Stage::set().await.play_with(|one, two| {
        one.provider.reports = Some(true);
        two.provider.reports = Some(true);
        one.provider.ask_for_statuses = RequestedStatuses::Always;
        two.provider.give_statuses = false;
        one.retry.delivery_seconds = vec![1.0, 3_600.0, 3_600.0];
        two.organisation[0].hooks.clear();
    });
    play.await
}

/// Sends a document and waits until it lies ready at its receiver.
async fn delivered(play: &Play, number: &str) -> String {
    let before = play.arrived().await.len();
    let id = play.send(number).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    until("it is ready", async || {
        let all = play.arrived().await;
        let ready = all.iter().filter(|record| record.transaction.status.is_final()).count();
        (ready > before).then_some(())
    })
    .await;
    id
}

async fn has_alarm(service: &Running) -> bool {
    let open = service.parts.store.open_alarms(10).await.unwrap();
    open.iter().any(|alarm| alarm.code == "clock-jumped")
}

async fn expired(play: &Play) -> usize {
    play.arrived().await.iter().filter(|record| record.expired_on.is_some()).count()
}

async fn missed(service: &Running, month: Month) -> Vec<String> {
    let all = service.parts.store.reports((month.previous(), month.next().next())).await.unwrap();
    let mut words = Vec::new();
    for report in all {
        let progress = report.progress;
        words.push(format!("{} missed: {}", report.key.subject(), progress.is_missed));
    }
    words.sort();
    words
}

#[tokio::test(flavor = "multi_thread")]
async fn a_11_bo_6_a_clock_that_is_wrong_for_twelve_seconds_loses_nothing() {
    let play = play().await;
    let clock = play.stage.clock.clone();
    let month = Month::of(clock.now());
    let first = delivered(&play, "CLOCK-1").await;

    clock.jump(DAYS_100);
    for service in [&play.one, &play.two] {
        until("the jump is told", async || has_alarm(service).await.then_some(())).await;
    }
    // Documents come and go all the same; what they come to is seen below.
    let during = play.send("CLOCK-2").await;
    tokio::time::sleep(Duration::from_secs(12)).await;
    assert_eq!(expired(&play).await, 0, "nothing is deleted");

    clock.jump(-DAYS_100);
    for service in [&play.one, &play.two] {
        until("it is over", async || (!has_alarm(service).await).then_some(())).await;
    }
    assert_eq!(play.ending(&during).await.text("topic"), "InvoiceSent");
    delivered(&play, "CLOCK-3").await;
    assert_eq!(expired(&play).await, 0, "nothing is deleted");
    for service in [&play.one, &play.two] {
        let planned = [format!("EUSR {month} missed: false"), format!("TSR {month} missed: false")];
        assert_eq!(missed(service, month).await, planned);
    }
    for topic in ["ServiceLevelWarning", "ServiceLevelBreached", "CertificateExpiring"] {
        assert_eq!(play.times(&first, topic), 0, "{topic}");
    }
    let record = play.arrived().await.pop().unwrap();
    let document = play.two.parts.store.document(&record).await.unwrap();
    assert!(document.is_some(), "it is there to be fetched");

    // What was planned by the wrong clock is not put off until then.
    let far = clock.now() + SignedDuration::from_hours(60 * 24);
    for service in [&play.one, &play.two] {
        for queued in service.parts.store.queue(clock.now()).await.unwrap() {
            assert!(queued.oldest.is_none_or(|oldest| oldest < far), "{queued:?}");
        }
    }
    // As time goes on, all goes on: the level is watched, and the month is reported on.
    clock.advance(SignedDuration::from_mins(30));
    play.told(&first, &["ServiceLevelBreached"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_11_a_start_with_a_wrong_clock_deletes_nothing() {
    let play = play().await;
    let clock = play.stage.clock.clone();
    delivered(&play, "CLOCK-4").await;
    // The time that is believed is on record.
    until("the time is noted", async || {
        play.two.parts.store.newest_time().await.unwrap().map(|_| ())
    })
    .await;
    let Play { stage, one, two } = play;
    two.stop().await;
    clock.jump(DAYS_100);
    let two = stage.start(stage.config_two()).await;
    let play = Play { stage, one, two };
    until("the jump is told", async || has_alarm(&play.two).await.then_some(())).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(expired(&play).await, 0, "nothing is deleted");
    // After six even hours the clock is believed, and the calendar goes on.
    clock.advance(SignedDuration::from_mins(361));
    until("what is over goes", async || (expired(&play).await == 1).then_some(())).await;
    until("the alarm is over", async || (!has_alarm(&play.two).await).then_some(())).await;
}

/// A clock that is right at the next start: nothing is left to settle, and the alarm is over.
#[tokio::test(flavor = "multi_thread")]
async fn a_11_the_alarm_about_a_clock_ends_with_a_start_by_the_right_one() {
    let play = Play::begin().await;
    let clock = play.stage.clock.clone();
    until("the time is noted", async || {
        play.two.parts.store.newest_time().await.unwrap().map(|_| ())
    })
    .await;
    clock.jump(DAYS_100);
    until("the jump is told", async || has_alarm(&play.two).await.then_some(())).await;
    let Play { stage, one, two } = play;
    two.stop().await;
    clock.jump(-DAYS_100);
    let two = stage.start(stage.config_two()).await;
    until("the alarm is over", async || (!has_alarm(&two).await).then_some(())).await;
    two.stop().await;
    one.stop().await;
}

/// The months in which the service did not run are planned too.
#[tokio::test(flavor = "multi_thread")]
async fn a_11_a_month_in_which_the_service_did_not_run_is_reported_too() {
    let play = play().await;
    let clock = play.stage.clock.clone();
    let month = Month::of(clock.now());
    let Play { stage, one, two } = play;
    one.stop().await;
    clock.advance(month.next().next().start().duration_since(clock.now()));
    let mut config = stage.config_one();
    config.provider.reports = Some(true);
    let one = stage.start(config).await;
    clock.advance(SignedDuration::from_mins(361));
    until("all are planned", async || {
        let span = (month, month.next().next());
        let all = one.parts.store.reports(span).await.unwrap();
        (all.len() == 6).then_some(())
    })
    .await;
    drop(two);
}

/// Leases are measured by the wall clock; what is in hand is done once all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_ahead_does_nothing_twice() {
    let (url, calls) = slow_hook(Duration::from_secs(9)).await;
    let stage = Stage::set().await;
    let secret = stage.around.hook_secret.clone();
    let play = stage.play_with(|one, _| {
        one.organisation[0].hooks.push(HookSeed {
            id: "slow".to_owned(),
            name: "slow".to_owned(),
            action: ConfigSecret::new(format!("{url}#{secret}")),
            topics: vec!["InvoiceSentError".to_owned()],
            init: Default::default(),
        });
    });
    let play = play.await;
    play.send_document(quoin_formats::samples::invoice(SENDER, "0106:40440404", "AHEAD-1")).await;
    let called = || calls.load(Ordering::SeqCst);
    until("the hook is called", async || (called() > 0).then_some(())).await;
    play.stage.clock.jump(SignedDuration::from_mins(15));
    // Longer than a lane sleeps, and than the call takes.
    tokio::time::sleep(Duration::from_secs(13)).await;
    assert_eq!(called(), 1);
}
