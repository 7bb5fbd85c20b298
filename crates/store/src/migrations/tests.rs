//! Tests of `migrations`: once, in order, all or nothing, and never under a newer schema.

use super::*;
use crate::engine::sqlite::Sqlite;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn empty() -> Sqlite {
    Sqlite::writer(std::path::Path::new(":memory:")).unwrap()
}

fn tables(db: &mut dyn Connection) -> Vec<String> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
    db.query(sql, &[]).unwrap().into_iter().map(|mut row| row.text("name").unwrap()).collect()
}

#[test]
fn applying_twice_changes_nothing() {
    let mut db = empty();
    assert_eq!(apply(&mut db, NOW).unwrap(), MIGRATIONS.len());
    let once = tables(&mut db);
    assert!(once.contains(&"transactions".to_owned()));
    assert_eq!(apply(&mut db, NOW).unwrap(), 0);
    assert_eq!(tables(&mut db), once);
}

#[test]
fn numbers_count_up() {
    assert_eq!(MIGRATIONS[0].0, 1);
    assert!(MIGRATIONS.is_sorted_by(|(earlier, _), (later, _)| earlier < later));
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let mut db = empty();
    let newer = [(1, "CREATE TABLE a (x INTEGER)"), (2, "CREATE TABLE b (x INTEGER)")];
    assert_eq!(apply_list(&mut db, &newer, NOW).unwrap(), 2);
    let refused = apply_list(&mut db, &newer[..1], NOW).unwrap_err();
    assert!(matches!(refused, Fault::NewerDatabase { found: 2, known: 1 }), "{refused}");
    assert!(refused.to_string().contains("written by a newer version"), "{refused}");
}

#[test]
fn a_migration_that_fails_leaves_nothing_behind() {
    let mut db = empty();
    let broken = [(1, "CREATE TABLE a (x INTEGER)"), (2, "CREATE TABLE b (x INTEGER); NONSENSE")];
    assert!(apply_list(&mut db, &broken, NOW).is_err());
    assert_eq!(tables(&mut db), ["a", "schema_versions"]);
    let mended = [broken[0], (2, "CREATE TABLE b (x INTEGER)")];
    assert_eq!(apply_list(&mut db, &mended, NOW).unwrap(), 1);
}
