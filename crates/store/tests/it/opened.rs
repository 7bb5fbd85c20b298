//! What keeps a store from being opened: another key, a database of which nobody knows whether it
//! is the newest, a file that is no database.

use quoin_store::{Fault, HookScope, OpenOptions, Store, StoreKey, Strange};

use crate::hooks::hook;
use crate::world::*;

async fn why(options: OpenOptions) -> Fault {
    Store::open(options).await.expect_err("it is opened")
}

/// A store that was used and closed.
async fn used() -> World {
    let world = world().await;
    for _ in 0..3 {
        world.store.put_hook(hook("h", HookScope::Environment, &["*"])).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    }
    world.store.close().await;
    world
}

fn other(folder: &std::path::Path) -> OpenOptions {
    OpenOptions::new(folder, StoreKey([43; 32]))
}

#[tokio::test]
async fn another_key_is_told_at_the_start() {
    let world = world().await;
    world.store.close().await;
    // Nothing is sealed there but the known text.
    let fault = why(other(&world.folder)).await;
    assert!(matches!(fault, Fault::WrongKey), "{fault}");
    let meant = OpenOptions { new_store: true, ..other(&world.folder) };
    assert!(matches!(why(meant).await, Fault::WrongKey));
    Store::open(options(&world.folder)).await.unwrap().close().await;
}

#[tokio::test]
async fn a_store_without_the_text_is_asked_for_a_secret() {
    let world = used().await;
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    db.execute_batch("DROP TABLE key_proof").unwrap();
    drop(db);
    let fault = why(other(&world.folder)).await;
    assert!(matches!(fault, Fault::WrongKey), "{fault}");
    Store::open(options(&world.folder)).await.unwrap().close().await;
    assert!(matches!(why(other(&world.folder)).await, Fault::WrongKey));
}

/// An upgrade has no way back, so that the key is asked before it.
#[tokio::test]
async fn a_wrong_key_upgrades_nothing() {
    let world = used().await;
    let database = world.folder.join("quoin.db");
    let db = rusqlite::Connection::open(&database).unwrap();
    let newest = "SELECT max(version) FROM schema_versions";
    let known: i64 = db.query_row(newest, [], |row| row.get(0)).unwrap();
    // As one before the text, of a schema before the last.
    let older = "DROP TABLE key_proof; DELETE FROM schema_versions
        WHERE version = (SELECT max(version) FROM schema_versions)";
    db.execute_batch(older).unwrap();
    drop(db);
    let fault = why(other(&world.folder)).await;
    assert!(matches!(fault, Fault::WrongKey), "{fault}");
    let db = rusqlite::Connection::open(&database).unwrap();
    let found: i64 = db.query_row(newest, [], |row| row.get(0)).unwrap();
    assert!(found < known, "it is at {found}");
}

/// The start after a restore was killed when the database had its new name and the note had not, or
/// when neither had.
#[tokio::test]
async fn a_restore_is_gone_on_with_wherever_its_start_ended() {
    let world = used().await;
    let note = world.folder.join("continuity.json");
    let noted = |becoming: &str, note: &[u8]| {
        let mut text: serde_json::Value = serde_json::from_slice(note).unwrap();
        text["becoming"] = becoming.into();
        serde_json::to_vec(&text).unwrap()
    };
    let before = std::fs::read(&note).unwrap();
    let meant = OpenOptions { new_store: true, ..options(&world.folder) };
    let store = Store::open(meant).await.unwrap();
    let taken = store.continuity().await.unwrap();
    store.close().await;
    drop(store);
    let after = std::fs::read(&note).unwrap();
    std::fs::write(&note, noted(&taken.name, &before)).unwrap();
    let store = Store::open(options(&world.folder)).await.unwrap();
    let again = store.continuity().await.unwrap();
    assert_eq!((&again.name, again.generation), (&taken.name, taken.generation), "it is the one");
    assert!(store.is_taken_anew().await.unwrap(), "and is told");
    store.close().await;
    drop(store);
    std::fs::write(&note, noted("0123456789abcdef", &after)).unwrap();
    let store = Store::open(options(&world.folder)).await.unwrap();
    let anew = store.continuity().await.unwrap();
    assert!(anew.name != taken.name && anew.generation > taken.generation, "{anew:?}");
    store.close().await;
    drop(store);
    assert!(!std::fs::read_to_string(&note).unwrap().contains("becoming"));
    Store::open(options(&world.folder)).await.unwrap().close().await;
    // Another one stays another one.
    std::fs::write(&note, noted("0123456789abcdef", &before)).unwrap();
    assert!(matches!(why(options(&world.folder)).await, Fault::Strange(_)));
}

/// Whoever may not look at a database has not lost it.
#[cfg(unix)]
#[tokio::test]
async fn a_database_that_cannot_be_looked_at_is_not_missing() {
    let world = used().await;
    let (database, away) = (world.folder.join("quoin.db"), world.folder.join("away"));
    std::fs::rename(&database, &away).unwrap();
    std::os::unix::fs::symlink(&database, &database).unwrap();
    for new_store in [false, true] {
        let fault = why(OpenOptions { new_store, ..options(&world.folder) }).await;
        let told = fault.to_string();
        assert!(matches!(fault, Fault::Files { .. }) && told.contains("quoin.db"), "{told}");
    }
    std::fs::remove_file(&database).unwrap();
    std::fs::rename(&away, &database).unwrap();
    Store::open(options(&world.folder)).await.unwrap().close().await;
}

/// A command that root gives leaves nothing that the service may not open.
#[cfg(unix)]
#[tokio::test]
async fn the_lock_belongs_to_whom_the_folder_belongs() {
    use std::os::unix::fs::{MetadataExt, chown};
    let world = used().await;
    let lock = world.folder.join("lock");
    std::fs::remove_file(&lock).unwrap();
    // Nobody else than root may give a folder away.
    let _ = chown(&*world.folder, Some(65_534), Some(65_534));
    Store::open(options(&world.folder)).await.unwrap().close().await;
    let owner = std::fs::metadata(&*world.folder).unwrap().uid();
    assert_eq!(std::fs::metadata(&lock).unwrap().uid(), owner);
}

#[tokio::test]
async fn a_database_without_its_note_is_strange() {
    let world = used().await;
    let note = world.folder.join("continuity.json");
    let whole = std::fs::read(&note).unwrap();
    for (text, expected) in [(None, "is missing"), (Some("{\"generation\":"), "cannot be read (")] {
        match text {
            None => std::fs::remove_file(&note).unwrap(),
            Some(text) => std::fs::write(&note, text).unwrap(),
        }
        let fault = why(options(&world.folder)).await;
        let strange = matches!(&fault, Fault::Strange(Strange::Unnoted { .. }));
        let said = fault.to_string();
        assert!(strange && said.contains(expected) && said.contains("--new-store"), "{said}");
    }
    std::fs::write(&note, whole).unwrap();
    Store::open(options(&world.folder)).await.unwrap().close().await;
    std::fs::remove_file(&note).unwrap();
    let meant = OpenOptions { new_store: true, ..options(&world.folder) };
    Store::open(meant).await.unwrap().close().await;
    assert!(note.exists(), "it is noted from then on");
    Store::open(options(&world.folder)).await.unwrap().close().await;
}

/// The note goes back with the database; that the file is another one is seen all the same.
#[tokio::test]
async fn a_folder_that_was_put_back_is_a_generation_of_its_own() {
    let world = used().await;
    let database = world.folder.join("quoin.db");
    let store = Store::open(options(&world.folder)).await.unwrap();
    store.note_time(at(1)).await.unwrap();
    let before = store.continuity().await.unwrap();
    assert!(!store.is_taken_anew().await.unwrap());
    store.close().await;
    let mut last = before.generation;
    for _ in 0..2 {
        let copy = world.folder.join("copy");
        std::fs::copy(&database, &copy).unwrap();
        std::fs::rename(&copy, &database).unwrap();
        let knows = std::fs::metadata(&database).unwrap().created().is_ok();
        let store = Store::open(options(&world.folder)).await.unwrap();
        assert_eq!(
            store.is_taken_anew().await.unwrap(),
            knows,
            "where the file system tells when files came to be"
        );
        let after = store.continuity().await.unwrap();
        assert_eq!((after.name != before.name, after.generation > last), (knows, knows));
        last = after.generation;
        store.close().await;
        // A start that ended before it told anybody leaves it to the next one.
        let store = Store::open(options(&world.folder)).await.unwrap();
        assert_eq!(store.is_taken_anew().await.unwrap(), knows, "until it is told");
        assert_eq!(store.continuity().await.unwrap().generation, last, "it is one restore");
        store.taken_anew_is_told().await.unwrap();
        store.close().await;
        let store = Store::open(options(&world.folder)).await.unwrap();
        assert!(!store.is_taken_anew().await.unwrap(), "once");
        store.close().await;
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let world = world().await;
    world.store.close().await;
    let path = world.folder.join("quoin.db");
    std::fs::write(&path, "no database at all, ".repeat(500)).unwrap();
    let fault = why(options(&world.folder)).await;
    assert!(matches!(fault, Fault::NotDatabase { .. }), "{fault}");
    let said = fault.to_string();
    assert!(said.contains("quoin.db") && said.contains("docs/operating/restore.md"), "{said}");
}

#[tokio::test]
async fn a_database_without_one_of_its_tables_is_called_damaged() {
    let world = world().await;
    world.store.close().await;
    let database = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    database.execute_batch("DROP TABLE transactions").unwrap();
    drop(database);
    let fault = why(options(&world.folder)).await;
    assert!(matches!(fault, Fault::Damaged { .. }), "{fault:?}");
    let said = fault.to_string();
    assert!(said.contains("transactions") && !said.contains("SELECT"), "{said}");
}

/// A command beside a service that is stopped finds a copy as it is, and the next start tells.
#[tokio::test]
async fn what_is_opened_as_it_is_is_left_for_a_start_to_tell() {
    let world = used().await;
    let database = world.folder.join("quoin.db");
    let copy = world.folder.join("copy");
    std::fs::copy(&database, &copy).unwrap();
    std::fs::rename(&copy, &database).unwrap();
    let knows = std::fs::metadata(&database).unwrap().created().is_ok();
    let as_it_is = || OpenOptions { as_it_is: true, ..options(&world.folder) };
    let store = Store::open(as_it_is()).await.unwrap();
    let before = store.continuity().await.unwrap();
    assert!(!store.is_taken_anew().await.unwrap(), "it is not taken");
    store.note_time(at(1)).await.unwrap();
    store.close().await;
    let store = Store::open(options(&world.folder)).await.unwrap();
    assert_eq!(store.is_taken_anew().await.unwrap(), knows);
    assert_eq!(store.continuity().await.unwrap().name != before.name, knows);
    store.close().await;
}

#[tokio::test]
async fn what_is_opened_as_it_is_is_not_upgraded() {
    let world = used().await;
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let newest = "SELECT max(version) FROM schema_versions";
    let known: i64 = db.query_row(newest, [], |row| row.get(0)).unwrap();
    db.execute("DELETE FROM schema_versions WHERE version = ?1", [known]).unwrap();
    drop(db);
    let fault = why(OpenOptions { as_it_is: true, ..options(&world.folder) }).await;
    assert!(matches!(fault, Fault::OlderDatabase { known: told, .. } if told == known), "{fault}");
    assert!(fault.to_string().contains("start the service once"), "{fault}");
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let left: i64 = db.query_row(newest, [], |row| row.get(0)).unwrap();
    assert!(left < known, "it is as it was");
}
