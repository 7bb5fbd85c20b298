//! A new database is what the migrations make of an empty one, one after the other.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::engine::sqlite::Sqlite;

const SCHEMA: &str = "migrations/sqlite/schema.sql";
const HEAD: &str =
    "-- The schema as it is now. Made of the migrations, never edited: the SQL of a \
                    change is a migration, and then
-- `UPDATE=1 cargo test -p quoin-store --lib migrations` writes this file.

";

fn empty() -> Sqlite {
    Sqlite::writer(Path::new(":memory:")).unwrap()
}

fn texts(db: &mut dyn Connection, sql: &'static str) -> Vec<String> {
    db.query(sql, &[]).unwrap().into_iter().map(|mut row| row.text("x").unwrap()).collect()
}

/// What is in a database: the statements by the names of what they made, and the rows of tables
/// that have some.
fn content(db: &mut dyn Connection) -> (BTreeMap<String, String>, Vec<Vec<String>>) {
    let names = "SELECT name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
    let made = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
    let statements = texts(db, names).into_iter().zip(texts(db, made)).collect();
    // The name of a store is made up, and its time is that of the clock.
    let rows = [
        "SELECT json_array(one, generation, length(name), since > 0, commits, noted_on, newest_on,
            is_told) FROM continuity",
        "SELECT json_array(one, received, downloaded, failed, sent, is_planned) FROM retention",
        "SELECT json_array(tbl, idx, stat) FROM sqlite_stat1 ORDER BY idx",
        "SELECT json_array(version, applied_on) FROM schema_versions ORDER BY version",
    ];
    (statements, rows.map(|sql| texts(db, sql)).into())
}

#[test]
fn a_new_database_is_what_all_migrations_make_of_an_empty_one() {
    let mut migrated = empty();
    apply_list(&mut migrated, MIGRATIONS, Timestamp::UNIX_EPOCH).unwrap();
    let in_order = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
    let statements: Vec<String> =
        texts(&mut migrated, in_order).into_iter().map(|sql| sql + ";\n").collect();
    let whole = format!("{HEAD}{}", statements.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(SCHEMA);
    if quoin_testing::writes_anew() {
        std::fs::write(&path, &whole).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "{SCHEMA} is not of today");
    let mut new = empty();
    make(&mut new, Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(content(&mut new), content(&mut migrated));
    assert_eq!(apply(&mut new, Timestamp::UNIX_EPOCH).unwrap(), 0);
}

/// No table but those that are compared has rows from the beginning.
#[test]
fn nothing_else_is_in_a_new_database() {
    let mut migrated = empty();
    apply_list(&mut migrated, MIGRATIONS, Timestamp::UNIX_EPOCH).unwrap();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
    let mut with_rows = texts(&mut migrated, tables);
    with_rows.retain(|table| {
        let any: &'static str = format!("SELECT 1 FROM \"{table}\" LIMIT 1").leak();
        !migrated.query(any, &[]).unwrap().is_empty()
    });
    // A counter that counts from nought is one that was not asked yet.
    let known = ["continuity", "retention", "schema_versions", "sqlite_sequence", "sqlite_stat1"];
    assert_eq!(with_rows, known);
}
