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
fn numbers_count_up_from_one() {
    let numbers: Vec<i64> = MIGRATIONS.iter().map(|(version, _)| *version).collect();
    assert_eq!(numbers[0], 1);
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
}

/// What was on record before hooks got their own numbers is there afterwards, and belongs together.
#[test]
fn events_and_calls_survive_the_third_migration() {
    let mut db = empty();
    let first = MIGRATIONS.iter().position(|(version, _)| *version == 3).unwrap();
    apply_list(&mut db, &MIGRATIONS[..first], NOW).unwrap();
    db.batch(
        "INSERT INTO organisations (id, name, created_on) VALUES ('a', 'A', 0), ('b', 'B', 0);
         INSERT INTO transactions (id, organisation, party, document_id, direction, family, status,
            attempts, version, sha256, size, created_on, changed_on)
            VALUES ('t', 'a', 'p', 'd', 'outgoing', 'Invoice', 'Delivered', 1, 1, x'00', 1, 0, 0);
         INSERT INTO events VALUES (4, 'e4', 'a', 'p', 'InvoiceSent', 't', 'd', 'm', '{}', 0),
            (7, 'e7', 'b', 'p', 'InvoiceSent', 't', 'd', 'm', '{}', 0),
            (9, 'e9', 'a', 'p', 'InvoiceSent', 't', 'd', 'm', '{}', 0);
         INSERT INTO hook_calls VALUES ('c', 'a', 'h', 9, 'delivered', 1, NULL, 0, 0);
         INSERT INTO hook_tries VALUES ('c', 1, 0, 5, 200, 'ok', NULL);",
    )
    .unwrap();
    apply(&mut db, NOW).unwrap();
    let mut numbers = Vec::new();
    for mut row in db.query("SELECT id, number FROM events ORDER BY seq", &[]).unwrap() {
        numbers.push((row.text("id").unwrap(), row.integer("number").unwrap()));
    }
    let text = str::to_owned;
    assert_eq!(numbers, [(text("e4"), 1), (text("e7"), 1), (text("e9"), 2)]);
    let joined = "SELECT count(*) FROM hook_tries JOIN hook_calls ON hook_call = hook_calls.id
        JOIN events ON event = seq WHERE events.id = 'e9'";
    assert_eq!(db.query(joined, &[]).unwrap().remove(0).integer("count").unwrap(), 1);
    assert!(db.query("PRAGMA foreign_key_check", &[]).unwrap().is_empty());
    let next = "INSERT INTO events (id, organisation, number, party, topic, document_id, depth,
        message, details, created_on) VALUES ('n', 'a', 3, 'p', 'Ping', 'd', 0, 'm', '{}', 0)
        RETURNING seq";
    assert_eq!(db.query(next, &[]).unwrap().remove(0).integer("seq").unwrap(), 10);
}

/// What was decided before service levels were counted is counted once.
#[test]
fn levels_of_months_that_are_over_survive_their_migration() {
    let mut db = empty();
    let before = MIGRATIONS.iter().position(|(version, _)| *version == 67).unwrap();
    apply_list(&mut db, &MIGRATIONS[..before], NOW).unwrap();
    // In time, late, told as overdue, neither yet, closed, not asked for, too large.
    let rows = [
        "1000, 1, 'AP', 1200000000, NULL, NULL",
        "1000, 1, 'AP', 1200000001, NULL, NULL",
        "1000, 1, NULL, NULL, 1200000002, NULL",
        "1000, 1, NULL, NULL, NULL, NULL",
        "1000, 1, NULL, NULL, 1200000002, 1300000000",
        "1000, 0, NULL, NULL, NULL, NULL",
        "10000000, 1, 'AP', 1, NULL, NULL",
    ];
    db.batch("INSERT INTO organisations (id, name, created_on) VALUES ('a', 'A', 0)").unwrap();
    for (number, row) in rows.iter().enumerate() {
        db.batch(&format!(
            "INSERT INTO transactions (id, organisation, party, document_id, direction, family,
                status, attempts, version, sha256, size, created_on, changed_on)
                VALUES ('{number}', 'a', 'p', 'd{number}', 'incoming', 'Invoice', 'Delivered', 1,
                1, x'00', 1, 0, 0);
             INSERT INTO statuses (transaction_id, organisation, direction, month, provider,
                envelope, sent_on, payload_bytes, wants_positive, code, settled_on, breached_on,
                closed_on)
                VALUES ('{number}', 'a', 'incoming', '2026-11', 'POP', 'e', 0, {row});"
        ))
        .unwrap();
    }
    apply(&mut db, NOW).unwrap();
    let mut all = db.query("SELECT due, in_time FROM status_levels", &[]).unwrap();
    let mut row = all.remove(0);
    assert_eq!((row.integer("due").unwrap(), row.integer("in_time").unwrap()), (3, 1));
    assert!(all.is_empty());
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
    let fixed = [broken[0], (2, "CREATE TABLE b (x INTEGER)")];
    assert_eq!(apply_list(&mut db, &fixed, NOW).unwrap(), 1);
}

#[test]
fn what_the_first_schema_held_is_carried_over() {
    let mut db = empty();
    assert_eq!(apply_list(&mut db, &MIGRATIONS[..1], NOW).unwrap(), 1);
    db.batch(
        "INSERT INTO organisations VALUES ('acme', 'Acme', 0);
         INSERT INTO clients VALUES ('erp', 'acme', x'00', 'ApUser', 1, 0);
         INSERT INTO clients VALUES ('all', 'acme', x'00', 'ApUser', 1, 0);
         INSERT INTO parties VALUES ('p', 'acme', 'Acme', 'NL', 0), ('q', 'acme', 'Q', 'NL', 0);
         INSERT INTO party_identifiers VALUES ('0106:1', 'p', 0), ('9944:2', 'p', 1);
         INSERT INTO permissions VALUES ('erp', 'p', 1, 0, 0, 0);
         INSERT INTO services VALUES ('0106:1', 't', 'c', 'acme', 0);",
    )
    .unwrap();
    apply(&mut db, NOW).unwrap();
    let mut texts = |sql: &'static str| -> Vec<String> {
        db.query(sql, &[]).unwrap().into_iter().map(|mut row| row.text("x").unwrap()).collect()
    };
    assert_eq!(texts("SELECT id FROM parties WHERE organisation = 'acme' ORDER BY id"), ["p", "q"]);
    let identifiers = "SELECT identifier FROM party_identifiers
        WHERE organisation = 'acme' AND party = 'p' ORDER BY position";
    assert_eq!(texts(identifiers), ["0106:1", "9944:2"]);
    let links = "SELECT account FROM permissions WHERE party = 'p' AND can_send = 1";
    assert_eq!(texts(links), ["erp"]);
    let general = "SELECT client_id FROM clients WHERE all_parties = 1";
    assert_eq!(texts(general), ["all"], "who was linked stays held to its parties");
    assert_eq!(texts("SELECT party FROM party_configs WHERE enrolled = 1"), ["p"]);
}

/// What was published before groups had records of their own is published afterwards.
#[test]
fn services_survive_the_seventh_migration() {
    let mut db = empty();
    let seventh = MIGRATIONS.iter().position(|(version, _)| *version == 7).unwrap();
    apply_list(&mut db, &MIGRATIONS[..seventh], NOW).unwrap();
    db.batch(
        "INSERT INTO organisations (id, name, created_on) VALUES ('a', 'A', 0), ('b', 'B', 0);
         INSERT INTO services VALUES ('p1', 't1', 'x', 'a', 5), ('p1', 't2', 'x', 'a', 7),
            ('p2', 't1', 'x', 'b', 6);",
    )
    .unwrap();
    apply(&mut db, NOW).unwrap();
    let mut groups = Vec::new();
    let sql = "SELECT participant, organisation, changed_on FROM service_groups ORDER BY 1";
    for mut row in db.query(sql, &[]).unwrap() {
        let of = (row.text("p").unwrap(), row.text("o").unwrap(), row.integer("c").unwrap());
        groups.push(of);
    }
    let text = str::to_owned;
    assert_eq!(groups, [(text("p1"), text("a"), 7), (text("p2"), text("b"), 6)]);
    let services = crate::publications::services::of_participant(&mut db, "p1").unwrap();
    let types: Vec<&str> = services.iter().map(|service| service.document_type.as_str()).collect();
    assert_eq!(types, ["t1", "t2"]);
    assert!(services.iter().all(|service| !service.explicit && service.is_here(NOW)));
}

/// Hooks of parties that were there before ids had a scope keep their keys and their ids.
#[test]
fn c_24_hooks_survive_the_thirtieth_migration() {
    let mut db = empty();
    let first = MIGRATIONS.iter().position(|(version, _)| *version == 30).unwrap();
    apply_list(&mut db, &MIGRATIONS[..first], NOW).unwrap();
    db.batch(
        "INSERT INTO organisations (id, name, created_on) VALUES ('a', 'A', 0);
         INSERT INTO hooks (organisation, id, party, name, action, secrets, topics, output,
            publish_topics, init, is_active, created_on, changed_on)
            VALUES ('a', 'erp', 'p', '', 'https://x', x'00', '[]', '[]', '[]', 'null', 1, 0, 0);",
    )
    .unwrap();
    apply(&mut db, NOW).unwrap();
    let sql = "SELECT coalesce(shown, id) FROM hooks WHERE id = 'erp' AND party = 'p'";
    assert_eq!(db.query(sql, &[]).unwrap().remove(0).text("x").unwrap(), "erp");
    let again = "INSERT INTO hooks (organisation, id, shown, party, name, action, secrets, topics,
        output, publish_topics, init, is_active, created_on, changed_on)
        VALUES ('a', 'k', 'erp', 'p', '', 'https://x', x'00', '[]', '[]', '[]', 'null', 1, 0, 0)";
    assert!(db.batch(again).is_err(), "one id once in a scope");
    db.batch(&again.replace("'p'", "'q'")).unwrap();
}

/// What was sent in the last days is counted by the hour afterwards, tasks and their lanes are
/// there, and every document is still to be planned.
#[test]
fn attempts_and_tasks_survive_the_fiftieth_migration() {
    let mut db = empty();
    let first = MIGRATIONS.iter().position(|(version, _)| *version == 50).unwrap();
    apply_list(&mut db, &MIGRATIONS[..first], NOW).unwrap();
    let now = Timestamp::now().as_microsecond();
    let (id, old) = (uuid::Uuid::now_v7(), "00000000-0000-7000-8000-000000000000");
    let mut sql = "INSERT INTO organisations (id, name, created_on) VALUES ('a', 'A', 0);
        INSERT INTO tasks (id, kind, subject, run_at, lane, available_on, claims)
            VALUES (7, 'notify', 'c', 1, 'hook a h p', 1, 2), (9, 'notify', 'd', 1, 'hook a h p',
            NULL, 0);"
        .to_owned();
    for id in [id.to_string().as_str(), old] {
        sql.push_str(&format!(
            "INSERT INTO transactions (id, organisation, party, document_id, direction, family,
                status, attempts, version, blob, sha256, size, created_on, changed_on)
                VALUES ('{id}', 'a', 'p', '{id}', 'outgoing', 'Invoice', 'Delivered', 2, 1,
                x'00', x'00', 1, {now}, {now});
             INSERT INTO attempts (transaction_id, attempt, started_on, ended_on, outcome,
                endpoint, report, code, elapsed) VALUES
                ('{id}', 1, {now}, {now}, 'later', 'https://x', '{{}}', 'AP-TIMEOUT', NULL),
                ('{id}', 2, {now}, {now}, 'delivered', 'https://x', '{{}}', NULL, 240);"
        ));
    }
    db.batch(&sql).unwrap();
    apply(&mut db, NOW).unwrap();
    let sql = "SELECT party, speed, attempts, elapsed, last_code FROM endpoint_hours
        ORDER BY party, speed";
    let mut found = Vec::new();
    for mut row in db.query(sql, &[]).unwrap() {
        let (party, speed) = (row.text("party").unwrap(), row.integer("speed").unwrap());
        let (attempts, elapsed) = (row.integer("n").unwrap(), row.integer("ms").unwrap());
        found.push((party, speed, attempts, elapsed, row.text_or_none("code").unwrap()));
    }
    let failed = |party: &str| (party.to_owned(), -1, 1, 0, Some("AP-TIMEOUT".to_owned()));
    let taken = |party: &str| (party.to_owned(), 4, 1, 240, None);
    assert_eq!(found, [failed("*"), taken("*"), failed("p"), taken("p")]);
    let tasks = "SELECT count(*) FROM tasks WHERE lane = 'hook a h p' AND claims + id = 9";
    assert_eq!(db.query(tasks, &[]).unwrap().remove(0).integer("count").unwrap(), 2);
    let (_, is_planned) = crate::keeping::in_force(&mut db).unwrap();
    assert!(!is_planned);
}

/// One row in every table, made from its columns: each id is the same, so that rows belong
/// together.
fn fill(db: &mut dyn Connection) -> Vec<String> {
    let mut filled = Vec::new();
    db.batch("BEGIN; PRAGMA defer_foreign_keys = ON").unwrap();
    for table in tables(db) {
        if matches!(table.as_str(), "schema_versions" | "continuity" | "sqlite_sequence") {
            continue;
        }
        let columns = "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid";
        let mut names = Vec::new();
        let mut values = Vec::new();
        for mut row in db.query(columns, &[(&table).into()]).unwrap() {
            let name = row.text("name").unwrap();
            values.push(match (row.text("type").unwrap().as_str(), name.as_str()) {
                ("INTEGER", _) => "1",
                ("BLOB", _) => "zeroblob(32)",
                (_, "identifiers" | "topics" | "issues" | "output") => "'[]'",
                (_, "details" | "capabilities" | "card") => "'{}'",
                _ => "'a'",
            });
            names.push(name);
        }
        let (names, values) = (names.join(", "), values.join(", "));
        db.batch(&format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})")).unwrap();
        filled.push(table);
    }
    db.batch("COMMIT").unwrap();
    filled
}

fn count(db: &mut dyn Connection, table: &str) -> i64 {
    db.batch("CREATE TEMP TABLE IF NOT EXISTS counted (n INTEGER)").unwrap();
    db.batch(&format!("DELETE FROM counted; INSERT INTO counted SELECT count(*) FROM {table}"))
        .unwrap();
    db.query("SELECT n FROM counted", &[]).unwrap().remove(0).integer("n").unwrap()
}

/// Item A14: an upgrade from every schema there ever was keeps what is in its tables.
#[test]
fn a_14_every_earlier_schema_with_rows_in_it_is_upgraded() {
    for known in 1..MIGRATIONS.len() {
        let from = MIGRATIONS[known - 1].0;
        let mut db = empty();
        apply_list(&mut db, &MIGRATIONS[..known], NOW).unwrap();
        let filled = fill(&mut db);
        assert!(!filled.is_empty());
        let broken = db.query("PRAGMA foreign_key_check", &[]).unwrap().len();
        assert_eq!(broken, 0, "the rows of schema {from} belong together");
        let applied = apply(&mut db, NOW).unwrap_or_else(|fault| panic!("from {from}: {fault}"));
        assert_eq!(applied, MIGRATIONS.len() - known, "from {from}");
        let after = tables(&mut db);
        for table in filled {
            if after.contains(&table) {
                assert!(count(&mut db, &table) >= 1, "from {from}: {table} lost its row");
            }
        }
        assert!(db.query("PRAGMA foreign_key_check", &[]).unwrap().is_empty(), "from {from}");
        let whole = db.query("PRAGMA integrity_check", &[]).unwrap().remove(0).text("x").unwrap();
        assert_eq!(whole, "ok", "from {from}");
        let continuity = count(&mut db, "continuity");
        assert_eq!(continuity, 1, "from {from}");
    }
}
