//! The end and the beginning of a service (item A10): a clean stop leaves a whole database, a start
//! with a store that is not the one that was here is refused, and a full disk is said in time.

use std::time::{Duration, Instant, SystemTime};

use quoin_access_point::config::Config;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_server::start::{StartError, start};
use quoin_store::{Fault, Strange};
use uuid::Uuid;

use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

fn invoices(database: &std::path::Path) -> i64 {
    let db = rusqlite::Connection::open(database).unwrap();
    let whole: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
    let count = "SELECT count(*) FROM transactions WHERE family = 'Invoice'";
    db.query_row(count, [], |row| row.get(0)).unwrap()
}

/// Why a service does not start, of those that a store can be.
async fn strange(play: &Stage, config: Config) -> Strange {
    match start(config, play.clock.clone()).await {
        Err(StartError::Store(Fault::Strange(strange))) => strange,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it started"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_10_after_a_clean_stop_the_database_alone_is_whole() {
    let play = Play::begin().await;
    let id = play.send("STOP-1").await;
    play.ending(&id).await;
    let Play { stage, one, two } = play;
    let data = one.parts.config.data_dir.clone();
    let store = one.parts.store.clone();
    one.stop().await;
    let log = std::fs::metadata(data.join("quoin.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0, "the log is in the database");
    let alone = stage.folder.path().join("alone.db");
    std::fs::copy(data.join("quoin.db"), &alone).unwrap();
    assert_eq!(invoices(&alone), 1);
    assert!(store.check().await.is_err(), "nothing is written after the end");
    two.stop().await;
}

/// A receiver that takes longer than there is time keeps no store from being closed.
#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_hangs_leaves_a_whole_database() {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, &[Act::Hang]).await;
    let url = gate.url.clone();
    let play = stage
        .play_with(|one, two| {
            one.limits.shutdown_seconds = 1;
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), url);
        })
        .await;
    let id = play.send("STOP-HANGS").await;
    until("it is on its way", async || (!gate.gate.seen().is_empty()).then_some(())).await;
    let Play { stage, one, two } = play;
    let config = one.parts.config.clone();
    let began = Instant::now();
    one.stop().await;
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let log = std::fs::metadata(config.data_dir.join("quoin.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0, "the log is in the database");
    let alone = stage.folder.path().join("hanging.db");
    std::fs::copy(config.data_dir.join("quoin.db"), &alone).unwrap();
    assert_eq!(invoices(&alone), 1);
    // What was in hand is done again.
    let one = stage.start(config).await;
    let play = Play { stage, one, two };
    play.told(&id, &["InvoiceSent"]).await;
    let Play { stage: _stage, one, two } = play;
    one.stop().await;
    two.stop().await;
}

/// What goes from one organisation to another one of the same service is finished by a stop: the
/// door through which it comes back closes after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_between_two_tenants_of_one_service_is_finished_by_a_stop() {
    let stage = Stage::set().await;
    let late = [Act::Later(Duration::from_millis(1_500))];
    let gate = Gate::open(&stage, &stage.one.as4_url, &late).await;
    let url = gate.url.clone();
    let play = stage
        .play_with(|one, two| {
            one.organisation.push(two.organisation[0].clone());
            one.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), url);
        })
        .await;
    play.stage.register(RECEIVER, &play.stage.one.smp_url);
    play.send("STOP-OWN").await;
    until("it is on its way", async || (!gate.gate.seen().is_empty()).then_some(())).await;
    let Play { stage: _stage, one, two } = play;
    let data = one.parts.config.data_dir.clone();
    one.stop().await;
    let db = rusqlite::Connection::open(data.join("quoin.db")).unwrap();
    let of = |direction: &str| -> (String, u32) {
        let query = "SELECT status, attempts FROM transactions WHERE number = 'STOP-OWN' AND \
                     direction = ?1";
        db.query_row(query, [direction], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    };
    assert_eq!(of("outgoing"), ("Delivered".to_owned(), 1));
    db.query_row("SELECT 1 FROM transactions WHERE direction = 'incoming'", [], |_| Ok(()))
        .unwrap();
    two.stop().await;
}

/// Keys and certificates of the doors are looked at before the database, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_a_door_that_is_another_ones_ends_a_start_before_the_store_is_opened() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.data_dir = stage.folder.path().join("untouched");
    config.listen.api.certificate_file.clone_from(&config.listen.as4.certificate_file);
    config.listen.api.key_file.clone_from(&config.access_point.key_file);
    let refused = start(config.clone(), stage.clock.clone()).await.err().expect("it started");
    assert!(refused.to_string().contains("door api"), "{refused}");
    assert!(!config.data_dir.join("quoin.db").exists(), "nothing is made");
}

/// Who follows and has seen everything has nothing in hand: the reader comes back after the start.
#[tokio::test(flavor = "multi_thread")]
async fn a_follower_who_has_seen_everything_keeps_no_service_from_ending() {
    let play = Play::begin().await;
    let caller = play.sender().await;
    let Play { stage: _stage, one, two } = play;
    // It is answered whole when the connection ends.
    let follows = tokio::spawn(async move { caller.get("/api/v1/events/stream").await.status });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    one.stop().await;
    assert_eq!(follows.await.unwrap(), 200);
    // The time that is left to what is in hand is twenty seconds.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_10_a_store_that_is_not_the_one_before_is_refused() {
    let play = Play::begin().await;
    let id = play.send("STOP-2").await;
    play.ending(&id).await;
    let Play { stage, one, two } = play;
    let config = one.parts.config.clone();
    let data = config.data_dir.clone();
    one.stop().await;
    let database = data.join("quoin.db");
    let backup = data.join("backup.db");
    std::fs::copy(&database, &backup).unwrap();

    // Without the database.
    let aside = data.join("aside.db");
    std::fs::rename(&database, &aside).unwrap();
    let found = strange(&stage, config.clone()).await;
    assert!(matches!(found, Strange::Empty { .. }), "{found}");
    assert!(found.to_string().contains("--new-store"), "{found}");
    // A second try finds the same: nothing was made meanwhile that would hide it.
    assert!(matches!(strange(&stage, config.clone()).await, Strange::Empty { .. }));
    for name in ["quoin.db", "quoin.db-wal", "quoin.db-shm"] {
        let _ = std::fs::remove_file(data.join(name));
    }
    std::fs::rename(&aside, &database).unwrap();

    // With an older one.
    let one = stage.start(config.clone()).await;
    let play = Play { stage, one, two };
    let later = play.send("STOP-3").await;
    play.ending(&later).await;
    let Play { stage, one, two } = play;
    one.stop().await;
    let newest = data.join("newest.db");
    std::fs::rename(&database, &newest).unwrap();
    std::fs::copy(&backup, &database).unwrap();
    let found = strange(&stage, config.clone()).await;
    assert!(matches!(found, Strange::Older { .. }), "{found}");

    // The right one is taken again, and the older one where that is meant.
    std::fs::rename(&newest, &database).unwrap();
    let one = stage.start(config.clone()).await;
    let before = one.parts.store.continuity().await.unwrap();
    one.stop().await;
    std::fs::copy(&backup, &database).unwrap();
    let meant = Config { new_store: true, ..config.clone() };
    let one = stage.start(meant).await;
    let after = one.parts.store.continuity().await.unwrap();
    assert!(after.generation > before.generation);
    assert_ne!(after.name, before.name);
    one.stop().await;
    assert_eq!(invoices(&database), 1);
    // From now on it is the one that is on record.
    stage.start(config).await.stop().await;
    two.stop().await;
}

fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files_below(&path)),
            false => all.push(path),
        }
    }
    all
}

/// Keys are looked at before the database: a start that ends on one has changed nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_10_a_key_of_tokens_that_is_damaged_ends_a_start_before_the_store_is_opened() {
    let Play { stage, one, two } = Play::begin().await;
    let config = one.parts.config.clone();
    one.stop().await;
    two.stop().await;
    let bytes = || {
        let all = files_below(&config.data_dir);
        all.into_iter().map(|file| (std::fs::read(&file).unwrap(), file)).collect::<Vec<_>>()
    };
    let key = config.data_dir.join("token.key");
    let whole = std::fs::read(&key).unwrap();
    std::fs::write(&key, "no key").unwrap();
    let before = bytes();
    let meant = Config { new_store: true, ..config.clone() };
    let refused = start(meant, stage.clock.clone()).await.err().expect("it started");
    assert!(refused.to_string().contains("token.key"), "{refused}");
    assert!(before == bytes(), "something was changed");
    std::fs::write(&key, whole).unwrap();
    stage.start(config.clone()).await.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_10_files_that_no_record_names_are_swept() {
    let play = Play::begin().await;
    let large = quoin_formats::samples::invoice(SENDER, RECEIVER, "STOP-4");
    let filler = format!("<!--{}--></Invoice>", "x".repeat(100_000));
    let id = play.send_document(large.replace("</Invoice>", &filler)).await;
    play.ending(&id).await;
    let store = &play.one.parts.store;
    let folder = play.one.parts.config.data_dir.join("blobs/sender");
    let orphan = folder.join("ab").join(format!("{}-{}", "ab".repeat(32), Uuid::new_v4().simple()));
    // Where files lay before they were spread over folders.
    let broken_off = folder.join(format!("{}-{}#1", "cd".repeat(32), Uuid::new_v4().simple()));
    let young = folder.join("ef").join(format!("{}-{}", "ef".repeat(32), Uuid::new_v4().simple()));
    for path in [&orphan, &broken_off, &young] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"left behind").unwrap();
    }
    let long_ago = SystemTime::now() - Duration::from_secs(7_200);
    for path in files_below(&folder).into_iter().filter(|path| *path != young) {
        std::fs::File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    let swept = store.sweep_files().await.unwrap();
    assert_eq!((swept.removed, swept.unknown), (2, 0));
    assert!(!orphan.exists() && !broken_off.exists() && young.exists());
    let record = play.record(&id).await;
    assert!(store.document(&record).await.unwrap().is_some(), "what is named stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_10_a_full_disk_is_said_before_anything_is_taken() {
    let play = Stage::set().await.play_with(|one, two| {
        one.limits.disk_reserve_megabytes = 1 << 40;
        two.retry.delivery_seconds = vec![0.2; 7];
    });
    let play = play.await;
    let caller = play.sender().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "STOP-5");
    let answer = caller.send(SENDER, &Uuid::new_v4().to_string(), invoice).await;
    answer.is_problem(503, "API503", "no room on the disk");
    assert_eq!(answer.headers["retry-after"], "60");
    let ready = caller.get("/health/ready").await;
    ready.is_problem(503, "API503", "the disk has");
    assert_eq!(caller.get("/health/live").await.status, 200);
    // Another access point is told to come again, and keeps its document.
    let receiver = play.receiver().await;
    let invoice = quoin_formats::samples::invoice(RECEIVER, SENDER, "STOP-6");
    let id = Uuid::new_v4().to_string();
    assert_eq!(receiver.send(RECEIVER, &id, invoice).await.status, 200);
    until("it is put off", async || {
        let (words, _) = receiver.timeline(RECEIVER, &id).await;
        words.iter().any(|word| word == "Retry").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_10_a_writer_that_is_gone_is_said() {
    let play = Play::begin().await;
    let caller = play.sender().await;
    let well = caller.get("/health").await;
    assert_eq!((well.status, &well.json["ready"]), (200, &true.into()), "{}", well.json);
    assert!(well.json["oldestDueSeconds"].is_i64(), "{}", well.json);
    let checks: Vec<&str> = well.json["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(checks, ["store", "disk"]);
    play.one.parts.store.close().await;
    caller.get("/health").await.is_problem(503, "API503", "the store does not answer");
    caller.get("/health/ready").await.is_problem(503, "API503", "the store does not answer");
    assert_eq!(caller.get("/health/live").await.status, 200);
}
