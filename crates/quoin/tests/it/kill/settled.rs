//! When the campaign is over: everything was told that has to be.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::process::Service;
use super::{PAUSE, Scene, Upload, document_of, is_of_family};

/// How long hundreds of documents may take after the last restart, on a machine that is busy with
/// other things: less than the lease of a step, so that work which a dead process had in hand must
/// be given out again at once.
const SETTLED: Duration = Duration::from_secs(280);
/// How long nothing may be told until then.
const STANDSTILL: Duration = Duration::from_secs(120);

/// Steps that are not done yet, with the seconds from now when they are due and when they can be
/// taken.
const LEFT: &str = "SELECT kind || ' of ' || subject || ', due ' || ((run_at - ?1) / 1000000)
    || ', free ' || coalesce((available_on - ?1) / 1000000, 'in its turn')
    || ', taken ' || claims || ' times' || iif(claim_token IS NULL, '', ' and now')
    || ', in the lane ' || coalesce(lane, '-') FROM tasks ORDER BY kind, id LIMIT 60";

/// Waits until every webhook was called that has to be.
pub(super) async fn settled(scene: &Scene, uploads: &[Upload]) {
    let (begun, mut last) = (Instant::now(), (0, Instant::now()));
    loop {
        scene.one.stays_up();
        scene.two.stays_up();
        let (mut sent, mut received) = (BTreeSet::new(), BTreeSet::new());
        for told in scene.around.sink.told() {
            let document = document_of(&told);
            match told.text("topic") {
                topic if topic.ends_with("SentError") => panic!("{told:#?}"),
                topic if is_of_family(topic, "Sent") => sent.insert(document),
                topic if is_of_family(topic, "Received") => received.insert(document),
                _ => false,
            };
        }
        if sent.len() >= uploads.len() && received.len() >= uploads.len() {
            return;
        }
        let told = sent.len() + received.len();
        if told > last.0 {
            last = (told, Instant::now());
        }
        assert!(
            begun.elapsed() < SETTLED && last.1.elapsed() < STANDSTILL,
            "after {:?}, {:?} of them without a word, of {} documents {} were told as sent and {} as \
             received\n{}\n{}\n{}\n{}",
            begun.elapsed(),
            last.1.elapsed(),
            uploads.len(),
            sent.len(),
            received.len(),
            scene.one.log(),
            left_to_do(&scene.one),
            scene.two.log(),
            left_to_do(&scene.two)
        );
        tokio::time::sleep(PAUSE).await;
    }
}

/// What a service has still to do, as its store says.
fn left_to_do(service: &Service) -> String {
    let db = rusqlite::Connection::open(service.data().join("quoin.db")).unwrap();
    let mut asked = db.prepare(LEFT).unwrap();
    let now = jiff::Timestamp::now().as_microsecond();
    let lines = asked.query_map([now], |row| row.get::<_, String>(0)).unwrap();
    let lines: Vec<String> = lines.map(|line| line.unwrap()).collect();
    format!("left to do, by the second:\n{}", lines.join("\n"))
}
