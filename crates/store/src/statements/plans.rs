//! How the engine answers each statement: by an index that leads to what is asked for, whatever
//! else lies in the store. The engine has no statistics and its plans do not depend on what is
//! bound, so that the plans of an empty database are those of the largest.

use std::path::Path;

use jiff::Timestamp;

use super::{FoundStatement, all};
use crate::engine::sqlite::Sqlite;
use crate::engine::{Connection, Param};

/// Tables that stay small: what an operator writes down, what is counted by the month, what is kept
/// of things that are few.
const SMALL: &[&str] = &[
    "alarms",
    "breakers",
    "clients",
    "continuity",
    "declarations",
    "hooks",
    "jobs",
    "key_proof",
    "organisation_configs",
    "organisations",
    "packages",
    "publisher",
    "removed_hooks",
    "reports",
    "retention",
    "revocation_sources",
    "schema_versions",
    "service_kinds",
    "untold_events",
    "users",
];

/// Statements that read more than they answer, each with its reason: file, constant, why that is
/// bounded or rare.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("continuity.rs", "FILES", "the newest 10,000, once at a start"),
    ("continuity.rs", "FORGO", "once, where another store was taken in place of this one"),
    ("declared.rs", "PUBLISHED", "once at the start"),
    ("fanout.rs", "ADD_EVENT", "the newest number: one row of the index"),
    ("fanout.rs", "LATELY", "the newest thousand, where hooks publish about no document"),
    ("feed.rs", "NEWEST", "the newest number: one row of the index"),
    (
        "hook_changes/removed.rs",
        "TAKE",
        "what happened since the hook was removed, a day ago at most",
    ),
    ("key_proof.rs", "A_BATCH", "the first one of an index, once in the life of a store"),
    ("open/continued.rs", "UNDER_WAY", "once, where another store was taken in place of this one"),
    ("open/continued.rs", "FORGONE", "once, where another store was taken in place of this one"),
    ("open/continued.rs", "NEWEST", "once, where another store was taken in place of this one"),
    ("publications/services.rs", "OF_ORGANISATION", "the answer is every service of it"),
    ("tasks/queue.rs", "QUEUE", "as long as the queue, on the readers of lists"),
    ("tasks.rs", "END_LEASES", "once at the start, as long as the queue"),
];

fn database() -> Sqlite {
    let mut db = Sqlite::writer(Path::new(":memory:")).unwrap();
    crate::migrations::apply(&mut db, Timestamp::UNIX_EPOCH).unwrap();
    crate::key_proof::make(&mut db).unwrap();
    db
}

/// The lines of a plan.
fn plan(db: &mut Sqlite, sql: &str) -> Result<Vec<String>, String> {
    let explained: &'static str = Box::leak(format!("EXPLAIN QUERY PLAN {sql}").into_boxed_str());
    let numbers = sql.split('?').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().unwrap_or(0)
    });
    let nothing = vec![Param::Null; numbers.max().unwrap_or(0)];
    let rows = db.query(explained, &nothing).map_err(|fault| fault.to_string())?;
    let detail = |mut row: crate::engine::SqlRow| {
        for what in ["id", "parent", "notused"] {
            row.integer(what).unwrap();
        }
        row.text("detail").unwrap()
    };
    Ok(rows.into_iter().map(detail).collect())
}

fn tables(db: &mut Sqlite) -> Vec<String> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table'";
    db.query(sql, &[]).unwrap().into_iter().map(|mut row| row.text("name").unwrap()).collect()
}

/// The table that a name in a plan stands for: itself, or the one that the statement calls so.
fn table<'t>(tables: &'t [String], sql: &str, name: &str) -> Option<&'t str> {
    if let Some(table) = tables.iter().find(|table| *table == name) {
        return Some(table);
    }
    let words: Vec<&str> = sql.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let known = |word: &str| tables.iter().find(|table| *table == word).map(String::as_str);
    words.windows(3).find_map(|three| match three {
        [of, "AS", as_name] if *as_name == name => known(of),
        [of, as_name, _] if *as_name == name => known(of),
        _ => None,
    })
}

/// What is wrong with a line of a plan, if anything is.
fn wrong(tables: &[String], sql: &str, line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let (Some(verb), Some(name)) = (words.first(), words.get(1)) else { return false };
    // What is no table is a part of the statement, which has lines of its own.
    let Some(table) = table(tables, sql, name) else { return false };
    let grows = !SMALL.contains(&table);
    let by_organisation = line.ends_with("(organisation=?)");
    grows && (*verb == "SCAN" || (*verb == "SEARCH" && by_organisation))
}

/// A page begins where it begins and ends where it ends: its bounds and its order are those of the
/// index, and nothing is sorted.
#[test]
fn a_page_of_a_list_is_a_piece_of_an_index() {
    let mut db = database();
    let lists: Vec<FoundStatement> = all()
        .into_iter()
        .filter(|found| found.file == "listing.rs" && found.sql.contains(" INDEXED BY "))
        .collect();
    assert_eq!(lists.len(), 6);
    for FoundStatement { name, sql, .. } in lists {
        let lines = plan(&mut db, &sql).unwrap();
        let [line] = &lines[..] else { panic!("{name}: {lines:?}") };
        assert!(line.ends_with("AND created_on>? AND created_on<?)"), "{name}: {line}");
        for bound in ["organisation=?", "party=?"] {
            assert!(line.contains(bound), "{name}: {line}");
        }
    }
}

#[test]
fn every_statement_is_led_to_its_answer_by_an_index() {
    let mut db = database();
    let tables = tables(&mut db);
    let statements = all();
    assert!(statements.len() > 250, "{} statements are found", statements.len());
    let mut bad = Vec::new();
    let mut used = vec![false; ALLOWED.len()];
    for FoundStatement { file, name, sql } in &statements {
        let lines = plan(&mut db, sql).unwrap_or_else(|fault| panic!("{file} {name}: {fault}"));
        let lines: Vec<String> =
            lines.into_iter().filter(|line| wrong(&tables, sql, line)).collect();
        if lines.is_empty() {
            continue;
        }
        match ALLOWED.iter().position(|(of, constant, _)| of == file && constant == name) {
            Some(at) => used[at] = true,
            None => bad.push(format!("{file} {name}: {}", lines.join("; "))),
        }
    }
    assert!(bad.is_empty(), "{} statements read too much:\n{}", bad.len(), bad.join("\n"));
    for ((file, name, _), used) in ALLOWED.iter().zip(used) {
        assert!(used, "{file} {name} reads no more than it answers: take it from the list");
    }
}
