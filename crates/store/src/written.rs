//! Tables of what is set up once and asked for with each document, and how often each was written:
//! an answer that follows from some of them is good for as long as none of them was written
//! ([`crate::remembered`]). Which table a statement writes is read from its text, so that whoever
//! writes one has nothing to remember.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tables, each with those whose rows go with a row of it.
const WATCHED: [(&str, &[&str]); 15] = [
    ("organisations", &[]),
    ("parties", &["party_identifiers", "permissions"]),
    ("party_identifiers", &[]),
    ("permissions", &[]),
    ("holdings", &[]),
    ("verifications", &[]),
    ("hooks", &[]),
    ("service_groups", &["services", "redirects"]),
    ("service_kinds", &[]),
    ("services", &[]),
    ("redirects", &[]),
    ("clients", &[]),
    ("users", &[]),
    ("packages", &[]),
    ("tax_switches", &[]),
];

/// Some of the tables that are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tables(u32);

impl Tables {
    /// None of them.
    pub(crate) const NONE: Tables = Tables(0);
    const ALL: Tables = Tables((1 << WATCHED.len()) - 1);

    /// Those of these names; one that is not watched is none of them.
    pub(crate) const fn named(names: &[&str]) -> Tables {
        let (mut all, mut at) = (0, 0);
        while at < WATCHED.len() {
            let mut name = 0;
            while name < names.len() {
                all |= (is_same(WATCHED[at].0, names[name]) as u32) << at;
                name += 1;
            }
            at += 1;
        }
        Tables(all)
    }

    /// How many they are.
    pub(crate) const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// These and those.
    pub(crate) fn and(self, others: Tables) -> Tables {
        Tables(self.0 | others.0)
    }

    fn places(self) -> impl Iterator<Item = usize> {
        (0..WATCHED.len()).filter(move |at| self.0 & (1 << at) != 0)
    }
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

/// What a statement that writes may have changed: its table, and what goes with rows of it. All,
/// where its text does not begin with what it does.
pub(crate) fn written(sql: &str) -> Tables {
    let mut words = sql.split_ascii_whitespace();
    let table = match words.next() {
        Some("INSERT") => words.find(|word| *word == "INTO").and_then(|_| words.next()),
        Some("DELETE") => words.nth(1),
        Some("UPDATE") => match words.next() {
            Some("OR") => words.nth(1),
            table => table,
        },
        Some("WITH" | "REPLACE") => return Tables::ALL,
        _ => return Tables::NONE,
    };
    let Some(table) = table.and_then(|table| table.split('(').next()) else { return Tables::ALL };
    let found = WATCHED.iter().find(|(name, _)| *name == table);
    found.map_or(Tables::NONE, |(name, with)| Tables::named(&[name]).and(Tables::named(with)))
}

/// How often each table was written, counted with the commit. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct WriteCounts(Arc<[AtomicU64]>);

impl Default for WriteCounts {
    fn default() -> WriteCounts {
        WriteCounts(WATCHED.iter().map(|_| AtomicU64::new(0)).collect())
    }
}

impl WriteCounts {
    /// How often these were written, together: another number says that one of them was.
    pub(crate) fn of(&self, tables: Tables) -> u64 {
        let counts = tables.places().filter_map(|at| self.0.get(at));
        counts.map(|count| count.load(Ordering::Acquire)).sum()
    }

    /// Counts a commit that wrote these, before whoever asked for it hears of it.
    pub(crate) fn advance(&self, tables: Tables) {
        for count in tables.places().filter_map(|at| self.0.get(at)) {
            count.fetch_add(1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Connection;
    use crate::engine::sqlite::Sqlite;
    use crate::statements;

    #[test]
    fn the_table_of_every_statement_that_writes_is_found() {
        let mut seen = 0;
        for one in statements::all() {
            let words: Vec<&str> = one.sql.split_ascii_whitespace().collect();
            let place = match words[0] {
                "SELECT" => continue,
                "WITH" if !words.iter().any(|w| ["INSERT", "UPDATE", "DELETE"].contains(w)) => {
                    continue;
                }
                "INSERT" => words.iter().position(|word| *word == "INTO").unwrap() + 1,
                "DELETE" => 2,
                "UPDATE" if words[1] == "OR" => 3,
                "UPDATE" => 1,
                _ => {
                    assert_eq!(written(&one.sql), Tables::ALL, "{one:?}");
                    continue;
                }
            };
            let name = words[place].split_once('(').map_or(words[place], |(name, _)| name);
            let table = Tables::named(&[name]);
            assert_eq!(written(&one.sql).0 & table.0, table.0, "{one:?}");
            seen += usize::from(table != Tables::NONE);
        }
        assert!(seen > 30, "{seen} statements write what is watched");
    }

    /// Rows that go with others are counted with them, and every table is one of the schema.
    #[test]
    fn what_goes_with_a_row_is_counted() {
        let mut db = Sqlite::writer(std::path::Path::new(":memory:")).unwrap();
        crate::migrations::apply(&mut db, jiff::Timestamp::UNIX_EPOCH).unwrap();
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
        let tables: Vec<String> = db
            .query(tables, &[])
            .unwrap()
            .into_iter()
            .map(|mut r| r.text("name").unwrap())
            .collect();
        assert!(WATCHED.iter().all(|(name, _)| tables.iter().any(|table| table == name)));
        let keys =
            "SELECT m.name, f.\"table\" FROM sqlite_master m, pragma_foreign_key_list(m.name) f
            WHERE m.type = 'table' AND f.on_delete NOT IN ('NO ACTION', 'RESTRICT')";
        for mut row in db.query(keys, &[]).unwrap() {
            let (child, parent) = (row.text("child").unwrap(), row.text("parent").unwrap());
            if Tables::named(&[&child]) == Tables::NONE {
                continue;
            }
            let with = WATCHED.iter().find(|(name, _)| *name == parent).map(|(_, with)| *with);
            assert!(with.is_some_and(|with| with.contains(&child.as_str())), "{child} of {parent}");
        }
        let triggers = db.query("SELECT 1 FROM sqlite_master WHERE type = 'trigger'", &[]).unwrap();
        assert!(triggers.is_empty(), "what a trigger writes is not seen");
    }

    #[test]
    fn a_count_moves_with_its_tables_alone() {
        let counts = WriteCounts::default();
        let (hooks, both) = (Tables::named(&["hooks"]), Tables::named(&["hooks", "users"]));
        counts.advance(written("DELETE FROM parties WHERE id = ?1"));
        assert_eq!((counts.of(hooks), counts.of(both)), (0, 0));
        assert_eq!(counts.of(Tables::named(&["permissions"])), 1);
        counts.advance(written("INSERT OR IGNORE INTO users(id) VALUES (?1)"));
        assert_eq!((counts.of(hooks), counts.of(both)), (0, 1));
        counts.advance(written("WITH a AS (SELECT 1) DELETE FROM hooks"));
        assert_eq!((counts.of(hooks), counts.of(both)), (1, 3));
    }
}
