//! What lies in the store that is measured: how far retention is, and what a document takes.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

fn reader(database: &Path) -> Connection {
    Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the database")
}

/// Whether all documents are planned by the periods that are in force.
pub(super) fn is_planned(database: &Path) -> bool {
    let planned = "SELECT is_planned FROM retention";
    reader(database).query_row(planned, [], |row| row.get(0)).expect("retention")
}

/// How many documents are over and not dropped yet.
pub(super) fn over(database: &Path) -> u32 {
    let sql = "SELECT count(*) FROM transactions WHERE keep_until <= ?1";
    let now = jiff::Timestamp::now().as_microsecond();
    reader(database).query_row(sql, [now], |row| row.get(0)).expect("a count")
}

/// Prints what lies on the disk for a document, by table with its indexes, and what its bodies
/// would take.
pub(super) fn told(database: &Path, documents: usize) {
    let db = reader(database);
    let sql =
        "SELECT coalesce(m.tbl_name, s.name), sum(s.pgsize), sum((m.type = 'index') * s.pgsize)
        FROM dbstat s LEFT JOIN sqlite_master m ON m.name = s.name WHERE s.aggregate = TRUE
        GROUP BY 1 ORDER BY 2 DESC LIMIT 16";
    let mut found = db.prepare(sql).expect("sizes");
    let rows = found.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?, row.get::<_, Option<f64>>(2)?))
    });
    println!("{:<24}{:>14}{:>14}", "bytes a document", "all", "of it indexes");
    let mut all = 0.0;
    for row in rows.expect("rows") {
        let (table, bytes, indexes) = row.expect("a row");
        let each = |bytes: f64| bytes / documents as f64;
        all += each(bytes);
        println!("{table:<24}{:>14.0}{:>14.0}", each(bytes), each(indexes.unwrap_or_default()));
    }
    println!("{:<24}{all:>14.0}", "together");
    // Of a document that the service itself sent or took.
    let bodies = "SELECT t.direction, sum(length(b.bytes)) * 1.0 / count(DISTINCT t.id) FROM (
            SELECT id, organisation, direction, blob FROM transactions
                WHERE organisation = 'big' AND number LIKE 'GROWTH%' AND status = 'Delivered'
            UNION ALL SELECT t.id, t.organisation, t.direction, e.blob FROM transactions t
                JOIN evidence e ON e.transaction_id = t.id
                WHERE t.organisation = 'big' AND t.number LIKE 'GROWTH%' AND t.status =
                    'Delivered'
            UNION ALL SELECT t.id, t.organisation, t.direction, a.receipt FROM transactions t
                JOIN attempts a ON a.transaction_id = t.id
                WHERE t.organisation = 'big' AND t.number LIKE 'GROWTH%' AND t.status =
                    'Delivered') t
        JOIN blobs b ON b.organisation = t.organisation AND b.sha256 = t.blob AND b.uses = 1
        GROUP BY 1";
    let mut found = db.prepare(bodies).expect("bodies");
    let rows = found.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?)));
    for row in rows.expect("rows") {
        let (direction, bytes) = row.expect("a row");
        println!("{:<24}{bytes:>14.0}", format!("bodies, {direction}"));
    }
}
