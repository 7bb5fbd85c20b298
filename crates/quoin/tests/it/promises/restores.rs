//! After a restore (items A14, GR-5 and GR-6): nothing is doubled, what is told again is known by
//! its id, and what is not known any more is said.

use jiff::SignedDuration;
use quoin_access_point::config::{Config, RequestedStatuses};
use quoin_delivery::DocumentId;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_server::start::start;
use uuid::Uuid;

use super::duplicates::alarms;
use crate::stage::caller::Caller;
use crate::stage::{PROVIDER_ONE, PROVIDER_TWO, Play, Stage, until};

/// What was there before the store was put back.
struct Before {
    /// The document that was under way in the backup, and was delivered and told after it.
    id: String,
    /// The newest event then.
    newest: u64,
    /// How often its end was told, each call on its own.
    calls: usize,
}

/// How often the delivery of a document was told, repeats of a call included.
fn calls(play: &Play, id: &str) -> usize {
    let told = play.stage.around.sink.told();
    let about = |it: &&quoin_lab::lab::sink::ReceivedCall| {
        it.text("documentId") == id && it.text("topic") == "InvoiceSent"
    };
    told.iter().filter(about).count()
}

async fn feed(caller: &Caller) -> (u64, u64) {
    let page = caller.get("/api/v1/events?limit=500").await;
    assert_eq!(page.status, 200, "{}", page.json);
    (page.json["next"].as_u64().unwrap(), page.json["generation"].as_u64().unwrap())
}

/// A sender whose store is put back to the time at which a document was under way.
async fn restored() -> (Play, Before) {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![1.0; 60];
    config.provider.ask_for_statuses = RequestedStatuses::Always;
    for (participant, smp) in [
        (SENDER, &stage.one.smp_url),
        (RECEIVER, &stage.two.smp_url),
        (PROVIDER_ONE, &stage.one.smp_url),
        (PROVIDER_TWO, &stage.two.smp_url),
    ] {
        stage.register(participant, smp);
    }
    // Its receiver is not there yet.
    let one = stage.start(config.clone()).await;
    let caller = Caller::of(&stage, &one, &stage.sender).await;
    let id = Uuid::new_v4().to_string();
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "RESTORE-1");
    assert_eq!(caller.send(SENDER, &id, invoice).await.status, 200);
    let (owner, document) = ("sender".parse().unwrap(), id.parse::<DocumentId>().unwrap());
    until("it was tried", async || {
        let outgoing = quoin_delivery::Direction::Outgoing;
        let found = one.parts.store.transaction_of(&owner, outgoing, &document).await.unwrap();
        found.filter(|record| record.transaction.attempts > 0)
    })
    .await;
    one.stop().await;
    let database = config.data_dir.join("quoin.db");
    let backup = config.data_dir.join("backup.db");
    std::fs::copy(&database, &backup).unwrap();

    // It goes on: the document is delivered, told, and its status comes.
    let two = stage.start(stage.config_two()).await;
    let one = stage.start(config.clone()).await;
    let play = Play { stage, one, two };
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let transaction = play.record(&id).await.transaction.id;
    until("its status came", async || {
        let status = play.one.parts.store.status_of(&transaction).await.unwrap();
        status.filter(|status| status.settled_on.is_some())
    })
    .await;
    let (newest, generation) = feed(&play.sender().await).await;
    assert_eq!(generation, 1);
    let calls = calls(&play, &id);
    let Play { stage, one, two } = play;
    one.stop().await;

    std::fs::copy(&backup, &database).unwrap();
    let one = stage.start(Config { new_store: true, ..config }).await;
    (Play { stage, one, two }, Before { id, newest, calls })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_14_gr_6_a_restore_doubles_nothing_and_says_what_is_not_known() {
    let (play, Before { id, calls: before, .. }) = restored().await;
    until("it is told again", async || (calls(&play, &id) > before).then_some(())).await;
    assert_eq!(play.times(&id, "InvoiceSent"), 1, "under the id that it had");
    assert_eq!(play.arrived().await.len(), 1, "and its receiver has it once");
    let told = alarms(&play.one, "store-restored").await;
    let [told] = &told[..] else { panic!("{told:?}") };
    assert_eq!(told.details["underWay"], "1");
    let generation = feed(&play.sender().await).await.1;
    assert!(told.message.contains(&format!("generation {generation} ")), "{}", told.message);
    // Its status came before the restore and comes no more: nobody is warned of that.
    play.stage.clock.advance(SignedDuration::from_mins(30));
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    for topic in ["ServiceLevelWarning", "ServiceLevelBreached"] {
        assert_eq!(play.times(&id, topic), 0, "{topic}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_14_gr_5_a_cursor_from_before_a_restore_is_refused_with_the_reason() {
    let (play, Before { id, newest: before, calls: told }) = restored().await;
    until("it is told again", async || (calls(&play, &id) > told).then_some(())).await;
    let caller = play.sender().await;
    let (newest, generation) = feed(&caller).await;
    assert!(generation > 2, "a second restore of the same backup has another one");
    let ahead = before.max(newest) + 1;
    for path in ["events", "events/stream"] {
        let refused = caller.get(&format!("/api/v1/{path}?after={ahead}")).await;
        refused.is_problem(409, "API409.Cursor", "put back to an earlier state");
        assert_eq!(refused.json["newest"], newest, "{}", refused.json);
        // With its generation every number of the one before is known as such.
        let refused = caller.get(&format!("/api/v1/{path}?after=1&generation=1")).await;
        refused.is_problem(409, "API409.Cursor", "generation is 1");
        assert_eq!(refused.json["generation"], generation);
    }
    let on = format!("/api/v1/events?after={newest}&generation={generation}");
    let going_on = caller.get(&on).await;
    assert_eq!(going_on.status, 200, "{}", going_on.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_ends_on_a_setting_leaves_it_to_the_next_one_to_tell() {
    let stage = Stage::set().await;
    let config = stage.config_one();
    stage.start(config.clone()).await.stop().await;
    let mut wrong = Config { new_store: true, ..config.clone() };
    wrong.provider.organisation = "no id/".to_owned();
    assert!(start(wrong, stage.clock.clone()).await.is_err());
    for which in ["the first that gets through", "and no other"] {
        let one = stage.start(config.clone()).await;
        assert_eq!(alarms(&one, "store-restored").await.len(), 1, "{which}");
        one.stop().await;
    }
}
