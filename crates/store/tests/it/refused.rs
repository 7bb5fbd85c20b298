//! What a start that is refused leaves behind: everything as it was. The newest commits of a
//! process that was killed are in the log alone, and are there once the right database is put back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quoin_delivery::Direction;
use quoin_store::{Fault, OpenOptions, Store, StoreKey, Strange, stands_in_the_way};
use uuid::Uuid;

use crate::crash::kill_midway;
use crate::world::*;

/// A folder in which a process was killed twice, and what it had said yes to. What is in it lies in
/// the log, and in the database only what was copied at the start between.
struct Killed {
    folder: Folder,
    stored: BTreeSet<u32>,
    /// The database as a backup from before the second process.
    backup: PathBuf,
}

fn fresh() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::new_v4().to_string());
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

async fn killed() -> Killed {
    let folder = fresh();
    let mut stored = kill_midway(&folder, 0);
    Store::open(options(&folder)).await.unwrap().close().await;
    closed(&folder).await;
    let backup = folder.with_extension("backup");
    std::fs::copy(folder.join("quoin.db"), &backup).unwrap();
    stored.append(&mut kill_midway(&folder, 1));
    Killed { folder: Folder::of(folder), stored, backup }
}

/// Every file, byte by byte. The lock is empty and is made by whoever looks.
fn all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.append(&mut all(&path)),
            false if path.ends_with("lock") => {}
            false => _ = found.insert(path.clone(), std::fs::read(&path).unwrap()),
        }
    }
    found
}

impl Killed {
    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Why a start is refused, and a command; and that both change nothing.
    async fn refused(&self, what: &str, options: OpenOptions) -> Fault {
        let before = all(&self.folder);
        let as_it_is = OpenOptions { as_it_is: true, ..options.clone() };
        let told = stands_in_the_way(&options).expect_err(what).to_string();
        assert_eq!(before, all(&self.folder), "{what}: a look");
        for options in [as_it_is, options.clone()] {
            let fault = Store::open(options).await.expect_err(what);
            assert_eq!(fault.to_string(), told, "{what}");
            let after = all(&self.folder);
            assert!(before.keys().eq(after.keys()), "{what}: {:?}", after.keys());
            assert!(before == after, "{what}: a file was changed");
        }
        Store::open(options).await.expect_err(what)
    }

    /// Everything that was said yes to is there.
    async fn is_whole(&self) {
        let store = Store::open(options(&self.folder)).await.unwrap();
        for number in &self.stored {
            let id = document(*number);
            let record = store.transaction_of(&acme(), Direction::Outgoing, &id).await.unwrap();
            let record = record.unwrap_or_else(|| panic!("{number} is lost"));
            assert!(store.document(&record).await.unwrap().is_some());
        }
        store.close().await;
        drop(store);
        closed(&self.folder).await;
    }
}

/// Waits until nobody has a database open any more: whoever is last takes its log away, unless two
/// are last at once.
async fn closed(folder: &Path) {
    let left = ["quoin.db-wal", "quoin.db-shm"].map(|name| folder.join(name));
    for _ in 0..100 {
        if !left.iter().any(|file| file.exists()) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(std::fs::metadata(&left[0]).map_or(0, |log| log.len()), 0, "all is copied");
    left.iter().for_each(|file| _ = std::fs::remove_file(file));
}

#[tokio::test]
async fn a_database_that_is_missing_or_empty_leaves_its_log_as_it_is() {
    let killed = killed().await;
    let (database, away) = (killed.at("quoin.db"), killed.folder.with_extension("away"));
    std::fs::rename(&database, &away).unwrap();
    let is_empty = |fault| matches!(fault, Fault::Strange(Strange::Empty { .. }));
    assert!(is_empty(killed.refused("none", options(&killed.folder)).await));
    std::fs::write(&database, "").unwrap();
    assert!(is_empty(killed.refused("an empty one", options(&killed.folder)).await));
    std::fs::remove_file(&database).unwrap();
    // A new store is meant, and not that the newest commits of the one before are lost.
    let meant = OpenOptions { new_store: true, ..options(&killed.folder) };
    let fault = killed.refused("a new one over its log", meant).await;
    assert!(matches!(fault, Fault::Strange(Strange::Log { .. })), "{fault}");
    let note = std::fs::read(killed.at("continuity.json")).unwrap();
    std::fs::remove_file(killed.at("continuity.json")).unwrap();
    std::fs::rename(killed.at("blobs"), killed.at("documents")).unwrap();
    assert!(is_empty(killed.refused("only its log", options(&killed.folder)).await));
    std::fs::rename(killed.at("documents"), killed.at("blobs")).unwrap();
    std::fs::write(killed.at("continuity.json"), note).unwrap();
    std::fs::rename(&away, &database).unwrap();
    killed.is_whole().await;
}

#[tokio::test]
async fn a_database_that_the_log_is_not_of_is_refused_and_nothing_is_changed() {
    let killed = killed().await;
    let (database, away) = (killed.at("quoin.db"), killed.folder.with_extension("away"));
    let whole = std::fs::read(&database).unwrap();
    std::fs::rename(&database, &away).unwrap();

    // Another service's.
    let other = world().await;
    other.upload(1).await;
    other.store.close().await;
    std::fs::copy(other.folder.join("quoin.db"), &database).unwrap();
    for new_store in [false, true] {
        let options = OpenOptions { new_store, ..options(&killed.folder) };
        let fault = killed.refused("another one's", options).await;
        assert!(matches!(fault, Fault::Strange(Strange::Log { .. })), "{fault}");
        assert!(fault.to_string().contains("quoin.db-wal"), "{fault}");
    }
    // One with another layout, as a copy of the database by its engine has.
    let backup = rusqlite::Connection::open(&killed.backup).unwrap();
    backup.execute("DELETE FROM events", []).unwrap();
    // The engine would take the log away, which lies beside an empty file until it has written it.
    let made = killed.folder.with_extension("made");
    backup.execute("VACUUM INTO ?1", [made.to_str().unwrap()]).unwrap();
    std::fs::rename(&made, &database).unwrap();
    let fault = killed.refused("a backup", options(&killed.folder)).await;
    assert!(matches!(fault, Fault::Strange(Strange::Log { .. })), "{fault}");
    // A part of its own.
    std::fs::write(&database, &whole[..whole.len() / 2]).unwrap();
    let fault = killed.refused("a part", options(&killed.folder)).await;
    let is_told = matches!(fault, Fault::Strange(Strange::Log { .. }) | Fault::NotDatabase { .. });
    assert!(is_told, "{fault}");
    std::fs::write(&database, "no database at all, ".repeat(500)).unwrap();
    let fault = killed.refused("no database", options(&killed.folder)).await;
    assert!(matches!(fault, Fault::NotDatabase { .. }), "{fault}");

    // Its own, by way of another disk.
    std::fs::remove_file(&database).unwrap();
    std::fs::copy(&away, &database).unwrap();
    killed.is_whole().await;
    std::fs::remove_file(&away).unwrap();
    std::fs::remove_file(&killed.backup).unwrap();
}

#[tokio::test]
async fn a_log_of_another_service_is_not_copied_into_a_database() {
    let (killed, other) = (killed().await, killed().await);
    // Ended in order: all of it is in the database.
    killed.is_whole().await;
    std::fs::copy(other.at("quoin.db-wal"), killed.at("quoin.db-wal")).unwrap();
    let fault = killed.refused("another log", options(&killed.folder)).await;
    assert!(matches!(fault, Fault::Strange(Strange::Log { .. })), "{fault}");
    std::fs::remove_file(killed.at("quoin.db-wal")).unwrap();
    killed.is_whole().await;
    // A log of its own from before.
    let older = other.folder.with_extension("log");
    std::fs::copy(other.at("quoin.db-wal"), &older).unwrap();
    other.is_whole().await;
    let store = Store::open(options(&other.folder)).await.unwrap();
    store.note_time(at(1)).await.unwrap();
    store.close().await;
    drop(store);
    closed(&other.folder).await;
    std::fs::rename(&older, other.at("quoin.db-wal")).unwrap();
    let fault = other.refused("an older log", options(&other.folder)).await;
    assert!(matches!(fault, Fault::Strange(Strange::Log { .. })), "{fault}");
}

#[tokio::test]
async fn another_key_and_a_newer_schema_leave_the_log_as_it_is() {
    let killed = killed().await;
    let other = OpenOptions::new(&*killed.folder, StoreKey([43; 32]));
    let fault = killed.refused("another key", other).await;
    assert!(matches!(fault, Fault::WrongKey), "{fault}");
    killed.is_whole().await;
}

/// A folder that was copied whole after a process was killed goes on with its log.
#[tokio::test]
async fn a_copy_of_the_whole_folder_has_what_its_log_has() {
    let killed = killed().await;
    let copy = fresh();
    for (path, bytes) in all(&killed.folder) {
        let to = copy.join(path.strip_prefix(&*killed.folder).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
    }
    let copy = Killed { folder: Folder::of(copy), ..killed };
    copy.is_whole().await;
}
