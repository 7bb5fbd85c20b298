//! What becomes of a store whose files are moved, taken away or cannot be written while it is open.

use std::time::Duration;

use bytes::Bytes;
use quoin_delivery::TaskKind;
use quoin_store::{Error, EvidenceKind, Fault, OpenOptions, Store};

use crate::world::*;

/// Longer than there is between two looks.
const LOOK: Duration = Duration::from_millis(1_100);

/// Why nothing is written.
async fn unwritten(store: &Store) -> Fault {
    match store.note_time(at(1)).await {
        Err(Error::Fault(fault @ Fault::Replaced { .. })) => fault,
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_into_a_database_that_was_replaced() {
    for gone in [false, true] {
        let world = world().await;
        let (database, other) = (world.folder.join("quoin.db"), world.folder.join("copy.db"));
        world.store.note_time(at(1)).await.unwrap();
        match gone {
            false => {
                std::fs::copy(&database, &other).unwrap();
                std::fs::rename(&other, &database).unwrap();
            }
            true => std::fs::rename(&database, &other).unwrap(),
        }
        tokio::time::sleep(LOOK).await;
        let fault = unwritten(&world.store).await;
        let expected = if gone { "is gone" } else { "is another file" };
        assert!(fault.to_string().contains(expected), "{fault}");
        assert!(world.store.check().await.is_err(), "it is not ready");
        assert!(matches!(world.store.write_fault(), Some(Fault::Replaced { .. })));
        // It stays so until the next start.
        tokio::time::sleep(LOOK).await;
        unwritten(&world.store).await;
    }
}

/// The newest commits are in the log alone: who ends the service in order has them all.
#[cfg(unix)]
#[tokio::test]
async fn a_log_that_was_removed_is_told_and_nothing_is_lost() {
    let world = world().await;
    let record = world.upload(1).await;
    tokio::time::sleep(LOOK).await;
    world.store.note_time(at(1)).await.unwrap();
    std::fs::remove_file(world.folder.join("quoin.db-wal")).unwrap();
    tokio::time::sleep(LOOK).await;
    let fault = unwritten(&world.store).await;
    assert!(fault.to_string().contains("SIGTERM"), "{fault}");
    world.store.close().await;
    let store = Store::open(options(&world.folder)).await.unwrap();
    let found = store.transaction(&record.transaction.id).await.unwrap().unwrap();
    assert_eq!(found.transaction.id, record.transaction.id);
}

/// Larger documents lie beside the database: a folder that was forgotten is no empty one.
#[tokio::test]
async fn a_start_without_the_documents_beside_the_database_is_refused() {
    let world = world().await;
    let large: String = (0..40_000).map(|number| format!("{number} ")).collect();
    let received = world.store.receive(incoming(2, &large)).await.unwrap();
    world.store.close().await;
    let (blobs, away) = (world.folder.join("blobs"), world.folder.join("away"));
    std::fs::rename(&blobs, &away).unwrap();
    let refused = Store::open(options(&world.folder)).await.unwrap_err();
    assert!(refused.to_string().contains("blobs is empty or missing"), "{refused}");
    // What else lies there says nothing, such as what a disk of its own has.
    std::fs::create_dir_all(blobs.join("lost+found")).unwrap();
    std::fs::create_dir_all(blobs.join("acme").join("ab")).unwrap();
    std::fs::write(blobs.join("a file"), "by somebody").unwrap();
    let refused = Store::open(options(&world.folder)).await.unwrap_err();
    assert!(refused.to_string().contains("none of the newest documents"), "{refused}");
    std::fs::remove_dir_all(&blobs).ok();
    std::fs::rename(&away, &blobs).unwrap();
    Store::open(options(&world.folder)).await.unwrap().close().await;
    drop(received);
    // Where they are gone for good it is said once, and every start after that is one as any other.
    std::fs::remove_dir_all(&blobs).unwrap();
    let given_up = OpenOptions { new_store: true, ..options(&world.folder) };
    Store::open(given_up).await.unwrap().close().await;
    Store::open(options(&world.folder)).await.unwrap().close().await;
}

#[tokio::test]
async fn a_folder_of_documents_that_cannot_be_written_to_is_told() {
    let world = world().await;
    world.store.check_files().await.unwrap();
    // Where the file would be that is tried, there is a folder.
    let way = world.folder.join("blobs").join("try#");
    std::fs::create_dir(&way).unwrap();
    let fault = world.store.check_files().await.unwrap_err();
    assert!(matches!(&fault, Fault::Files { path, .. } if path.contains("blobs")), "{fault}");
    world.store.close().await;
    assert!(matches!(Store::open(options(&world.folder)).await, Err(Fault::Files { .. })));
    std::fs::remove_dir(&way).unwrap();
    Store::open(options(&world.folder)).await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_lock_that_was_removed_is_made_again_unless_another_has_one() {
    let world = world().await;
    let lock = world.folder.join("lock");
    std::fs::remove_file(&lock).unwrap();
    tokio::time::sleep(LOOK).await;
    world.store.note_time(at(1)).await.unwrap();
    assert!(lock.exists());
    let second = Store::open(options(&world.folder)).await;
    assert!(matches!(second, Err(Fault::InUse { .. })), "{second:?}");

    // Another process was faster.
    std::fs::remove_file(&lock).unwrap();
    let second = Store::open(options(&world.folder)).await.unwrap();
    tokio::time::sleep(LOOK).await;
    let fault = unwritten(&world.store).await;
    assert!(fault.to_string().contains("another process"), "{fault}");
    second.note_time(at(2)).await.unwrap();
}

#[tokio::test]
async fn evidence_that_cannot_be_written_as_a_file_is_kept_in_the_database() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 0).await;
    // Where the folder of the organisation would be, there is a file.
    std::fs::write(world.folder.join("blobs").join("acme"), "in the way").unwrap();
    let large: String = (0..40_000).map(|number| format!("{number} ")).collect();
    let mut attempt = attempt(&format!("receipt {large}"));
    attempt.evidence = vec![(EvidenceKind::Message, Bytes::from(large.clone()))];
    let mut completion = completion(&claim, &record, &straight(), 10);
    completion.attempt = Some(attempt);
    world.store.commit(completion).await.unwrap();

    let attempts = world.store.attempts_of(&record.transaction.id).await.unwrap();
    let receipt = attempts[0].receipt_blob.unwrap();
    let receipt = world.store.blob(&acme(), receipt).await.unwrap().unwrap();
    assert!(receipt.starts_with(b"receipt 0 1 2"));
    let evidence = world.store.evidence_of(&record.transaction.id).await.unwrap();
    let message = world.store.blob(&acme(), evidence[0].blob).await.unwrap().unwrap();
    assert_eq!(message, large.as_bytes());
    // Documents that come are not taken without their file.
    let new = incoming(2, &large);
    assert!(matches!(world.store.receive(new).await, Err(Error::Fault(Fault::Files { .. }))));
}

#[tokio::test]
async fn a_file_that_is_missing_is_told_by_its_path_once() {
    let world = world().await;
    let id = world.store.put_blob(&acme(), Bytes::from(vec![7; 3_000_000])).await.unwrap();
    assert!(world.store.lost_file().is_none());
    std::fs::remove_dir_all(world.store.blob_folder().join("acme")).unwrap();
    for _ in 0..2 {
        let missing = world.store.blob(&acme(), id).await;
        let Err(Error::Fault(Fault::Lost { path, .. })) = missing else { panic!("{missing:?}") };
        assert!(path.contains("acme"), "{path}");
    }
    let told = world.store.lost_file().unwrap().to_string();
    assert!(told.contains("acme") && told.contains("is missing"), "{told}");
    assert!(world.store.lost_file().is_none(), "it is told once");
}

/// Bytes that are kept as they are, and such that are kept deflated.
#[tokio::test]
async fn a_file_that_was_cut_or_changed_is_told_and_never_given_out() {
    let world = world().await;
    let mut noise = vec![0; 3_000_000];
    aws_lc_rs::rand::fill(&mut noise).unwrap();
    noise.splice(..2, [0x1f, 0x8b]);
    for bytes in [Bytes::from(noise), Bytes::from(vec![7; 3_000_000])] {
        let id = world.store.put_blob(&acme(), bytes.clone()).await.unwrap();
        assert_eq!(world.store.blob(&acme(), id).await.unwrap().unwrap(), bytes);
        let [file] = &files(&world.store.blob_folder())[..] else { panic!("one file") };
        let whole = std::fs::read(file).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        for broken in [&whole[..0], &whole[..whole.len() - 1], &changed] {
            std::fs::write(file, broken).unwrap();
            let damaged = world.store.blob(&acme(), id).await;
            let Err(Error::Fault(Fault::Lost { found, .. })) = damaged else {
                panic!("{} bytes of {}", broken.len(), whole.len())
            };
            assert!(found.contains("damaged"), "{found}");
            assert!(world.store.lost_file().is_some());
        }
        std::fs::write(file, &whole).unwrap();
        assert_eq!(world.store.blob(&acme(), id).await.unwrap().unwrap(), bytes);
        world.store.delete_blob(&acme(), id).await.unwrap();
    }
}

/// The files below a folder.
fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: std::path::PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    };
    entries.flat_map(below).collect()
}
