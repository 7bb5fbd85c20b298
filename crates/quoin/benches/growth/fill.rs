//! A store with as many documents as are asked for. Each is made like one that the service itself
//! sent or took: every row that that one has, in every table and under every index, with ids,
//! times, numbers and digests of its own. Of bodies only the beginning is kept: what they take is
//! told by those of the models.
//!
//! The first organisation has half of all documents; the others share the rest. They are spread
//! over 400 days. One of a hundred failed and one was rejected. Of those that arrived most were
//! downloaded and have expired since; some that nobody downloaded in time are still to be
//! dropped.

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, OpenFlags};

/// Days over which documents are spread.
const DAYS: i64 = 400;
const DAY: i64 = 86_400_000_000;
/// Documents in one commit.
const STEP: usize = 100_000;
/// Numbers of events that a document has room for.
const EVENTS: i64 = 8;
/// Bytes of a body that are kept.
const KEPT: usize = 64;

/// The models, who has documents, and what of the models is nobody else's.
const PREPARE: &str = "
CREATE TEMP TABLE model (k INTEGER PRIMARY KEY, id TEXT NOT NULL, incoming INTEGER NOT NULL);
CREATE TEMP TABLE owner (n INTEGER PRIMARY KEY, id TEXT, party TEXT, hook TEXT);
INSERT INTO owner SELECT row_number() OVER (ORDER BY o.id <> 'big', o.id) - 1, o.id, p.id, h.id
    FROM organisations o JOIN parties p ON p.organisation = o.id JOIN hooks h ON
        h.organisation = o.id;
CREATE TEMP TABLE own (sha256 BLOB PRIMARY KEY);
INSERT INTO own SELECT sha256 FROM blobs WHERE organisation = 'big' AND uses = 1 AND size > 64;
CREATE TEMP TABLE event (id TEXT, seq INTEGER, k INTEGER, PRIMARY KEY (id, seq));
CREATE TEMP TABLE called (id TEXT, call TEXT, k INTEGER, PRIMARY KEY (id, call));
CREATE TEMP TABLE body (id TEXT, sha256 BLOB, goes INTEGER, PRIMARY KEY (id, sha256));
CREATE TEMP TABLE made (i INTEGER PRIMARY KEY, model TEXT, at INTEGER, id TEXT, document TEXT,
    organisation TEXT, party TEXT, hook TEXT, due INTEGER, fresh INTEGER, gone INTEGER);
";

/// What belongs to the models, once these are chosen.
const MODELS: &str = "
INSERT INTO event SELECT transaction_id, seq, row_number() OVER (PARTITION BY transaction_id
    ORDER BY seq)
    FROM events WHERE transaction_id IN (SELECT id FROM model);
INSERT INTO called SELECT e.id, c.id, e.k FROM event e JOIN hook_calls c ON c.event = e.seq;
INSERT OR IGNORE INTO body
    SELECT id, blob, 1 FROM transactions WHERE id IN (SELECT id FROM model) AND blob IS NOT NULL;
INSERT OR IGNORE INTO body SELECT transaction_id, blob, kind = 'payload' FROM evidence
    WHERE transaction_id IN (SELECT id FROM model);
INSERT OR IGNORE INTO body SELECT id, report, 0 FROM transactions
    WHERE id IN (SELECT id FROM model) AND report IS NOT NULL;
INSERT OR IGNORE INTO body SELECT transaction_id, receipt, 0 FROM attempts
    WHERE transaction_id IN (SELECT id FROM model) AND receipt IS NOT NULL;
INSERT OR IGNORE INTO blobs SELECT o.id, b.sha256, b.size, 1, b.bytes, b.file FROM blobs b,
    owner o
    WHERE b.organisation = 'big' AND b.sha256 IN (SELECT sha256 FROM body)
    AND b.sha256 NOT IN (SELECT sha256 FROM own);
UPDATE blobs SET uses = uses + 10000000 WHERE sha256 IN (SELECT sha256 FROM body)
    AND sha256 NOT IN (SELECT sha256 FROM own);
";

/// Who and when each of the next ones is.
const MAKE: &str = "
DELETE FROM made;
INSERT INTO made WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i
    + 1 < :end)
    SELECT i, m.id, at, printf('%08x-%04x-7%03x-8000-%012x', (at / 1000) >> 16, (at / 1000)
        & 65535,
            i & 4095, i),
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' ||
            substr(hex(randomblob(2)), 2)
            || '-9' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
        o.id, o.party, o.hook, due, fresh,
        m.incoming AND NOT due AND at < :now - CASE WHEN fresh THEN 90 ELSE 8 END * :day
    FROM (SELECT i, :start + i * :step AS at, (i / 2) % 100 AS k,
            (i / 2) % 10 = 5 OR (i / 2) % 100 IN (3, 23, 43) AS due, i % 20 IN (3, 4) AS
                fresh FROM n)
    CROSS JOIN model m USING (k)
    CROSS JOIN owner o ON o.n = CASE i % 2 WHEN 0 THEN 0 ELSE 1 + (i / 2) % (SELECT max(n)
        FROM owner) END;
";

/// The rows that are not like those of one table: bodies, lines of what has expired, tax reports.
const BESIDE: &str = "
INSERT INTO blobs SELECT m.organisation, CAST(unhex(replace(m.document, '-', '')) ||
    substr(b.sha256, 1, 16) AS BLOB),
        b.size, 1, substr(b.bytes, 1, :kept), NULL
    FROM made m CROSS JOIN body y ON y.id = m.model CROSS JOIN own USING (sha256)
    CROSS JOIN blobs b ON b.organisation = 'big' AND b.sha256 = y.sha256 WHERE NOT (m.gone
        AND y.goes);
INSERT INTO timeline (transaction_id, seq, name, description, created_on)
    SELECT m.id, 1000, 'Expired',
        'The document was downloaded long enough ago and is no longer kept.',
        m.at + 8 * :day FROM made m WHERE m.gone;
INSERT INTO tax_reports (id, transaction_id, place, organisation, party, role, act, state,
    country,
        regime, authority, document_type, reporter, invoice_uuid, reason, issues, messages,
            due_on,
        settled_on, created_on, changed_on)
    SELECT lower(hex(randomblob(16))), m.id, 1, m.organisation, m.party, 'C2', 'submit',
        CASE WHEN i % 4000 = 0 THEN 'failed' ELSE 'accepted' END, 'NL', 'vida', '9999:tax',
        'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##tdd', m.party,
            m.document,
        'The authority took the report.', '[]', 1, m.at + :day, m.at + 1000000, m.at, m.at +
            1000000
    FROM made m WHERE i % 4 = 0;
";

/// A table, how it is joined to a document that is made, the name of its time, and its columns
/// that are another document's.
struct Cloned {
    table: &'static str,
    from: &'static str,
    /// Columns and what stands there.
    others: &'static [(&'static str, &'static str)],
}

const DIGEST: &str = "CASE WHEN t.@ IN (SELECT sha256 FROM own)
    THEN CAST(unhex(replace(m.document, '-', '')) || substr(t.@, 1, 16) AS BLOB) ELSE t.@ END";
const SHIFTED: &str = "t.@ - x.created_on + m.at";

const CLONED: &[Cloned] = &[
    Cloned {
        table: "transactions",
        from: "made m CROSS JOIN transactions t ON t.id = m.model CROSS JOIN transactions x
            ON x.id = m.model",
        others: &[
            ("id", "m.id"),
            ("organisation", "m.organisation"),
            ("party", "m.party"),
            ("document_id", "m.document"),
            ("sender", "CASE t.direction WHEN 'outgoing' THEN m.party ELSE t.sender END"),
            ("receiver", "CASE t.direction WHEN 'incoming' THEN m.party ELSE t.receiver END"),
            ("number", "'N-' || m.i"),
            (
                "message_id",
                "CASE WHEN t.message_id IS NULL THEN NULL ELSE
                lower(hex(randomblob(18))) || char(64) || 'lab.quoin.test' END",
            ),
            (
                "instance_id",
                "CASE WHEN t.instance_id IS NULL THEN NULL ELSE
                lower(hex(randomblob(18))) END",
            ),
            ("blob", "CASE WHEN m.gone THEN NULL ELSE DIGEST END"),
            ("sha256", DIGEST),
            ("report", DIGEST),
            ("created_on", "m.at"),
            ("changed_on", SHIFTED),
            (
                "downloaded_on",
                "CASE WHEN t.direction = 'incoming' AND NOT m.due AND NOT m.fresh
                THEN m.at + DAY END",
            ),
            ("expired_on", "CASE WHEN m.gone THEN m.at + 8 * DAY END"),
            (
                "keep_until",
                "CASE WHEN m.gone OR m.due OR t.direction = 'outgoing' THEN NULL
                ELSE m.at + CASE WHEN m.fresh THEN 90 ELSE 8 END * DAY END",
            ),
        ],
    },
    Cloned { table: "timeline", from: OF, others: &[ID, ("created_on", SHIFTED)] },
    Cloned {
        table: "attempts",
        from: OF,
        others: &[ID, ("started_on", SHIFTED), ("ended_on", SHIFTED), ("receipt", DIGEST)],
    },
    Cloned {
        table: "evidence",
        from: "made m CROSS JOIN evidence t ON t.transaction_id = m.model AND NOT (m.gone
            AND t.kind = 'payload')",
        others: &[ID, ("blob", DIGEST)],
    },
    Cloned {
        table: "exchanges",
        from: OF,
        others: &[
            ID,
            ("month", "strftime('%Y-%m', m.at / 1000000, 'unixepoch')"),
            ("exchanged_on", SHIFTED),
        ],
    },
    Cloned {
        table: "statuses",
        from: OF,
        others: &[
            ID,
            ("organisation", "m.organisation"),
            ("month", "strftime('%Y-%m', m.at / 1000000, 'unixepoch')"),
            ("sent_on", SHIFTED),
            ("settled_on", SHIFTED),
            ("closed_on", SHIFTED),
        ],
    },
    Cloned {
        table: "events",
        from: "made m CROSS JOIN event v ON v.id = m.model CROSS JOIN events t ON t.seq = v.seq
            CROSS JOIN transactions x ON x.id = m.model",
        others: &[
            ("seq", ":seq + m.i * EVENTS + v.k"),
            ("id", "substr(m.document, 1, 24) || printf('%012x', m.i * EVENTS + v.k)"),
            ("organisation", "m.organisation"),
            ("number", ":number + m.i * EVENTS + v.k"),
            ("party", "m.party"),
            ("transaction_id", "m.id"),
            ("document_id", "m.document"),
            ("created_on", SHIFTED),
        ],
    },
    Cloned {
        table: "hook_calls",
        from: "made m CROSS JOIN called v ON v.id = m.model CROSS JOIN hook_calls t ON t.id
            = v.call
            CROSS JOIN transactions x ON x.id = m.model",
        others: &[
            ("id", "substr(m.document, 10, 15) || printf('%012x', m.i * EVENTS + v.k)"),
            ("organisation", "m.organisation"),
            ("hook", "m.hook"),
            ("event", ":seq + m.i * EVENTS + v.k"),
            ("created_on", SHIFTED),
            ("changed_on", SHIFTED),
        ],
    },
    Cloned {
        table: "hook_tries",
        from: "made m CROSS JOIN called v ON v.id = m.model CROSS JOIN hook_tries t ON
            t.hook_call = v.call
            CROSS JOIN transactions x ON x.id = m.model",
        others: &[
            ("hook_call", "substr(m.document, 10, 15) || printf('%012x', m.i * EVENTS + v.k)"),
            ("started_on", SHIFTED),
        ],
    },
];

/// How most tables are joined: by the document, whose time is needed as well.
const OF: &str = "made m CROSS JOIN TABLE t ON t.transaction_id = m.model CROSS JOIN
    transactions x ON x.id = m.model";
const ID: (&str, &str) = ("transaction_id", "m.id");

fn open(database: &Path) -> Connection {
    let db = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE);
    db.expect("the database")
}

/// The statement that makes the rows of a table.
fn statement(db: &Connection, cloned: &Cloned) -> String {
    let columns = format!("SELECT name FROM pragma_table_info('{}')", cloned.table);
    let mut columns = db.prepare(&columns).expect("a table");
    let columns = columns.query_map([], |row| row.get::<_, String>(0)).expect("columns");
    let columns: Vec<String> = columns.map(|name| name.expect("a name")).collect();
    for (name, _) in cloned.others {
        assert!(columns.iter().any(|column| column == name), "{} has no {name}", cloned.table);
    }
    let values = columns.iter().map(|name| {
        let other = cloned.others.iter().find(|(column, _)| column == name);
        other.map_or(format!("t.{name}"), |(_, text)| {
            text.replace("DIGEST", DIGEST).replace('@', name)
        })
    });
    let values: Vec<String> = values.collect();
    let from = cloned.from.replace("TABLE", cloned.table);
    let text = format!(
        "INSERT INTO {} ({}) SELECT {} FROM {from}",
        cloned.table,
        columns.join(", "),
        values.join(", ")
    );
    text.replace("EVENTS", &EVENTS.to_string()).replace("DAY", &DAY.to_string())
}

/// Chooses the models: of a hundred documents one failed, one was rejected, the others went out
/// and came in, in turn.
fn choose(db: &Connection) {
    let ids = |sql: &str| -> Vec<String> {
        let mut found = db.prepare(sql).expect("a question");
        let found = found.query_map([], |row| row.get(0)).expect("rows");
        found.map(|id| id.expect("an id")).collect()
    };
    let of = |direction: &str, status: &str| {
        let found = ids(&format!(
            "SELECT id FROM transactions WHERE organisation = 'big' AND direction = '{direction}'
             AND status = '{status}' AND family = 'Invoice' AND number LIKE 'GROWTH%' ORDER
                 BY rowid LIMIT 20"
        ));
        assert!(!found.is_empty(), "nothing {direction} is {status}");
        found
    };
    let (out, back) = (of("outgoing", "Delivered"), of("incoming", "Delivered"));
    let (failed, rejected) = (of("outgoing", "Failed"), of("outgoing", "Rejected"));
    for k in 0..100_u32 {
        let one = |of: &[String]| of[k as usize % of.len()].clone();
        let (id, incoming) = match k {
            40 => (one(&failed), false),
            80 => (one(&rejected), false),
            _ if k % 2 == 1 => (one(&back), true),
            _ => (one(&out), false),
        };
        let row = rusqlite::params![k, id, incoming];
        db.execute("INSERT INTO model VALUES (?1, ?2, ?3)", row).expect("a model");
    }
    db.execute_batch(MODELS).expect("models");
}

/// Makes documents until there are as many.
pub(super) fn fill(database: &Path, all: usize) {
    let db = open(database);
    db.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
         PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1500000; PRAGMA temp_store = MEMORY;
         PRAGMA locking_mode = EXCLUSIVE",
    )
    .expect("settings");
    db.execute_batch(PREPARE).expect("prepared");
    choose(&db);
    let there: i64 =
        db.query_row("SELECT count(*) FROM transactions", [], |row| row.get(0)).expect("a count");
    let more = i64::try_from(all).expect("a number") - there;
    let now = jiff::Timestamp::now().as_microsecond();
    let step = DAYS * DAY / more.max(1);
    let first = there.max(1);
    let newest = |column: &str| -> i64 {
        let sql = format!("SELECT max({column}) FROM events");
        db.query_row(&sql, [], |row| row.get(0)).expect("events")
    };
    let (seq, number) = (newest("seq"), newest("number"));
    let statements: Vec<String> = CLONED.iter().map(|cloned| statement(&db, cloned)).collect();
    let mut done = 0;
    while done < more {
        let begun = Instant::now();
        let count = more.min(done + i64::try_from(STEP).expect("a number")) - done;
        let put = |sql: &str| {
            let texts = [
                (":first", first + done),
                (":end", first + done + count),
                (":now", now),
                (":start", now - DAYS * DAY - first * step),
                (":step", step),
                (":day", DAY),
                (":kept", i64::try_from(KEPT).expect("a number")),
                (":seq", seq),
                (":number", number),
            ];
            texts
                .iter()
                .fold(sql.to_owned(), |sql, (name, value)| sql.replace(name, &value.to_string()))
        };
        db.execute_batch("BEGIN").expect("begun");
        db.execute_batch(&put(MAKE)).expect("made");
        for (sql, cloned) in statements.iter().zip(CLONED) {
            db.execute_batch(&put(sql))
                .unwrap_or_else(|error| panic!("{}: {error}\n{sql}", cloned.table));
        }
        db.execute_batch(&put(BESIDE)).expect("rows beside");
        db.execute_batch("COMMIT").expect("committed");
        done += count;
        if more > 50_000 {
            println!(
                "  {} documents, {:.0} s for the last {count}",
                there + done,
                begun.elapsed().as_secs_f64()
            );
        }
    }
    db.execute_batch(
        "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode =
        WAL",
    )
    .expect("settings");
    let found: i64 =
        db.query_row("SELECT count(*) FROM transactions", [], |row| row.get(0)).expect("a count");
    assert_eq!(found, i64::try_from(all).expect("a number"));
}
