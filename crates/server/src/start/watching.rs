//! What is looked at again and again for whoever runs the service: the room on the disk, and
//! whether our certificates can be used. That something is wrong is told when it begins, and that
//! it is over.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use quoin_delivery::AlarmKind;
use quoin_store::{Alarm, EventSubject, Store};

use quoin_access_point::alarms::Alarms;
use quoin_access_point::budget::Spool;
use quoin_access_point::clock::{Clock, ClockWatch};
use quoin_access_point::disk::Disk;
use quoin_access_point::identity;
use quoin_access_point::tls::Shutdown;
use quoin_access_point::trust::OwnCertificate;

/// How often the disk is looked at.
const PAUSE: Duration = Duration::from_secs(2);
/// How often it is tried whether larger documents can be written, in looks at the disk.
const FILES: u32 = 15;
/// How often what goes on is raised again.
const AGAIN: Duration = Duration::from_hours(1);
/// How often the keys in tokens are tried.
const KEYS: Duration = Duration::from_secs(15);
/// What the alarm is about.
const SUBJECT: &str = "data_dir";

/// Looks at the disk until the service ends. An alarm that cannot be recorded, since the disk is
/// full, is recorded as soon as it can.
pub(super) async fn disk(
    (disk, spool): (Disk, PathBuf),
    (store, alarms): (Store, Alarms),
    clock: Clock,
    shutdown: Shutdown,
) {
    let mut raised: Option<Instant> = None;
    let mut unrecorded: Option<(Alarm, Option<EventSubject>)> = None;
    // An alarm of an earlier process may be over.
    let mut is_open = true;
    let (mut looks, mut is_unwritable) = (0u32, false);
    while !shutdown.asked() {
        if looks % FILES == 0 || is_unwritable {
            let problem = unwritable(&store, &spool).await;
            is_unwritable = problem.is_some();
            disk.tried(problem);
        }
        looks = looks.wrapping_add(1);
        if let Some(lost) = store.lost_file() {
            let message = format!("Nobody can have a document: {lost}.");
            alarms.raise(AlarmKind::FILE_LOST, "blobs", message, &[]).await;
        }
        match problem(&disk, &store).await {
            Some(problem) => {
                if raised.is_none_or(|at| at.elapsed() >= AGAIN) {
                    tracing::warn!(
                        problem,
                        "files cannot be written, or there is no room for them"
                    );
                    let kind = AlarmKind::DISK_FULL;
                    unrecorded = Some(alarms.announced(kind, SUBJECT, problem, &[]));
                    raised = Some(Instant::now());
                }
                is_open = true;
            }
            None => {
                if raised.take().is_some() {
                    tracing::warn!("there is room on the disk again");
                }
            }
        }
        if let Some((alarm, hears)) = unrecorded.take()
            && let Err(error) = store.raise_alarm(alarm.clone(), hears.clone(), clock.now()).await
        {
            tracing::debug!(%error, "the alarm is recorded when there is room");
            unrecorded = Some((alarm, hears));
        }
        alarms.waits_for_record(AlarmKind::DISK_FULL, raised.is_some() && unrecorded.is_some());
        if is_open && raised.is_none() && unrecorded.is_none() {
            alarms.end(AlarmKind::DISK_FULL, SUBJECT).await;
            is_open = false;
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = shutdown.wait() => {}
        }
    }
}

/// Why no file can be made for a document that is large, or while a message arrives.
async fn unwritable(store: &Store, spool: &Path) -> Option<String> {
    if let Err(fault) = store.check_files().await {
        return Some(fault.to_string());
    }
    let error = Spool::try_out(spool).await.err()?;
    Some(format!(
        "no file can be made for what is large while it arrives: {error}; nothing new is taken until \
         the folder can be written by whoever the service runs as"
    ))
}

/// What is wrong: too little room, or writes that do not get to the disk.
async fn problem(disk: &Disk, store: &Store) -> Option<String> {
    if let Some(problem) = disk.problem() {
        return Some(problem);
    }
    // An idle service looks at its files too; where a write failed another one is tried.
    store.check().await.err().map(|error| error.to_string())
}

/// Looks at our certificates until the service ends.
pub(super) async fn certificates(
    certificates: Arc<Vec<OwnCertificate>>,
    alarms: Alarms,
    watch: ClockWatch,
    shutdown: Shutdown,
) {
    let mut looked: Option<(Instant, Timestamp)> = None;
    while !shutdown.asked() {
        // Nothing has ended by a clock that is not believed.
        if let Some(now) = watch.believed() {
            let is_due = looked.is_none_or(|(at, _)| at.elapsed() >= AGAIN);
            // One that ends, or becomes valid, is told then.
            let is_other = |own: &&OwnCertificate| {
                let before = looked.map(|(_, before)| own.standing(before));
                is_due || before != Some(own.standing(now))
            };
            let needed = certificates.iter().filter(|own| own.is_needed());
            for own in needed.filter(is_other) {
                tell(own, &alarms, now).await;
            }
            looked =
                Some((looked.filter(|_| !is_due).map_or_else(Instant::now, |(at, _)| at), now));
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = shutdown.wait() => {}
        }
    }
}

/// Tries the keys that are in tokens until the service ends.
pub(super) async fn token_keys(alarms: Alarms, shutdown: Shutdown) {
    let kind = AlarmKind::KEY_UNUSABLE;
    let mut raised: BTreeMap<String, Instant> = BTreeMap::new();
    let mut is_first = true;
    while !shutdown.asked() {
        // A token may be silent for long; its keys are tried again when it has answered.
        let tried = tokio::select! {
            tried = tokio::task::spawn_blocking(identity::token_keys) => tried.unwrap_or_default(),
            () = shutdown.wait() => return,
        };
        for (key, outcome) in tried {
            let Err(why) = outcome else {
                // An alarm of an earlier process may be over.
                if raised.remove(&key).is_some() || is_first {
                    alarms.end(kind, &key).await;
                }
                continue;
            };
            if raised.get(&key).is_none_or(|at| at.elapsed() >= AGAIN) {
                let message = format!(
                    "The key {key} cannot be used: its token said {why:?}. What is sent to us is \
                     put off and nothing is signed with it; see to the token. It is tried again \
                     and again."
                );
                alarms.raise(kind, &key, message, &[]).await;
                raised.insert(key, Instant::now());
            }
        }
        is_first = false;
        tokio::select! {
            () = tokio::time::sleep(KEYS) => {}
            () = shutdown.wait() => {}
        }
    }
}

/// Raises the alarm about a certificate that cannot be used, or ends it.
async fn tell(own: &OwnCertificate, alarms: &Alarms, now: Timestamp) {
    let (kind, used) = (AlarmKind::CERTIFICATE_ENDED, own.used.name());
    let Some(problem) = own.standing(now).problem(&own.certificate) else {
        return alarms.end(kind, &used).await;
    };
    let subject = own.certificate.subject().to_string();
    let message = format!(
        "The certificate {used} of {subject} {problem}: others refuse it. Put a valid one in its \
         place and start the service again."
    );
    alarms.raise(kind, &used, message, &[("use", &used), ("subject", &subject)]).await;
}
