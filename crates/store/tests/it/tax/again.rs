//! What was given up with its file goes again: its own file at once, the others of its period a
//! piece a commit.

use quoin_store::Refusal;
use rusqlite::Connection;

use super::*;

/// Reports of the period, in three files.
const ALL: i64 = 1_203;
/// As many as a file tells, and one commit moves.
const PIECE: i64 = 500;
/// Others like the first invoice and its report, which were given up, in their order.
const FILL: &str = "
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS
        (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < :all) SELECT i FROM n;
    UPDATE tax_reports SET state = 'failed';
    CREATE TEMP TABLE t AS SELECT * FROM transactions;
    CREATE TEMP TABLE r AS SELECT * FROM tax_reports;
    INSERT INTO transactions (id, organisation, party, document_id, direction, family, status,
        attempts, version, sha256, size, created_on, changed_on)
    SELECT printf('%08x-0000-7000-8000-%012x', i, i), organisation, party,
        printf('00000000-0000-4000-9000-%012x', i), direction, family, status, attempts, version,
        sha256, size, created_on + i, changed_on FROM t, n;
    INSERT INTO tax_reports (id, transaction_id, place, organisation, party, role, act, state,
        reason, issues, messages, created_on, changed_on, gathered, declarant, gathered_until)
    SELECT 'r' || i, printf('%08x-0000-7000-8000-%012x', i, i), place, organisation, party, role,
        act, state, reason, issues, 1, created_on + i, changed_on, gathered, declarant,
        gathered_until FROM r, n;";
/// The file in which each was told, which the first of it names.
const FILES: &str = "INSERT INTO tax_messages (message, report, turn, created_on)
    SELECT 'file ' || ((row_number() OVER (ORDER BY created_on) - 1) / :piece), id, 1, created_on
    FROM tax_reports";
const GATHERED: &str = "SELECT count(*) FROM tax_reports WHERE state = 'gathered'";

/// A period of which all was given up, in files that were written or not.
async fn given_up(are_written: bool) -> (World, Connection) {
    let world = world().await;
    ended_with(&world, 1, &gathered("1")).await;
    let db = Connection::open(world.folder.join("quoin.db")).unwrap();
    db.execute_batch(&FILL.replace(":all", &ALL.to_string())).unwrap();
    if are_written {
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        db.execute_batch(&FILES.replace(":piece", &PIECE.to_string())).unwrap();
    }
    (world, db)
}

fn count(db: &Connection, sql: &str) -> i64 {
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

async fn ask(world: &World, report: &str) -> TaxReportRecord {
    let again = world.store.change_tax_report(&acme(), report, TaxAct::Resubmit, at(600)).await;
    let TaxChange::Made(made) = again.unwrap() else { panic!("it goes again") };
    *made
}

/// Takes a step of going again; false where there is none.
async fn step_on(world: &World) -> bool {
    let Some(claim) = world.claim(TaskKind::Regather, 601, 1).await.pop() else { return false };
    assert!(matches!(world.store.load(&claim).await.unwrap(), Work::Regather));
    world.store.regather(claim, at(601)).await.unwrap();
    true
}

#[tokio::test]
async fn a_period_that_was_given_up_goes_again_in_pieces_and_the_asked_file_first() {
    let (world, db) = given_up(true).await;
    let made = ask(&world, "r700").await;
    assert_eq!((made.id.as_str(), made.state), ("r700", TaxState::Gathered));
    let first = format!(
        "{GATHERED} AND id IN (SELECT report FROM tax_messages
        WHERE message = 'file 1')"
    );
    assert_eq!((count(&db, GATHERED), count(&db, &first)), (PIECE, PIECE), "its file");
    // Somebody took the step, and ended.
    let lost = world.claim_one(TaskKind::Regather, 600).await;
    world.store.end_leases().await.unwrap();
    assert!(step_on(&world).await);
    assert_eq!(count(&db, GATHERED), 2 * PIECE);
    let late = world.store.regather(lost, at(601)).await;
    assert!(matches!(refusal(late), Refusal::StaleClaim { .. }));
    // One that is given up anew meanwhile is not asked for again.
    db.execute("UPDATE tax_reports SET state = 'failed' WHERE id = 'r2'", []).unwrap();
    assert!(step_on(&world).await);
    assert!(!step_on(&world).await);
    assert_eq!(count(&db, GATHERED), ALL - 1);
    assert_eq!(count(&db, "SELECT count(*) FROM tasks WHERE kind = 'tax'"), ALL);
    let told = "SELECT count(*) FROM timeline WHERE description LIKE '%goes again.'";
    assert_eq!(count(&db, told), ALL);
}

#[tokio::test]
async fn a_file_that_was_never_written_goes_again_with_the_one_that_was_asked_for() {
    let (world, db) = given_up(false).await;
    assert_eq!(ask(&world, "r700").await.state, TaxState::Gathered);
    assert_eq!(count(&db, GATHERED), PIECE);
    let mut steps = 0;
    while step_on(&world).await {
        steps += 1;
    }
    assert_eq!((count(&db, GATHERED), steps), (ALL, 2));
}

#[tokio::test]
async fn a_file_that_is_alone_in_its_period_needs_no_further_step() {
    let (world, db) = given_up(true).await;
    db.execute("UPDATE tax_reports SET state = 'accepted' WHERE id NOT IN ('r700', 'r701')", [])
        .unwrap();
    ask(&world, "r701").await;
    assert_eq!(count(&db, GATHERED), 2);
    assert!(!step_on(&world).await);
}
