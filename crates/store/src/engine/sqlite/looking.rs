//! Looking at a database without changing anything: neither its file nor its log, nor which files
//! lie there.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;

use super::{Sqlite, fault, opening};
use crate::engine::Connection;
use crate::error::Fault;

impl Sqlite {
    /// The file by itself, as if nothing lay beside it.
    pub(crate) fn alone(path: &Path) -> Result<Sqlite, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut address = "file:".to_owned();
        for byte in path.as_os_str().as_encoded_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                    address.push(char::from(*byte));
                }
                // Writing to a text does not fail.
                other => _ = write!(address, "%{other:02X}"),
            }
        }
        address.push_str("?immutable=1");
        let mut sqlite = Sqlite::open_at(Path::new(&address), path, flags)?;
        sqlite.batch("PRAGMA query_only = ON;")?;
        Ok(sqlite)
    }

    /// The file with its log. The engine copies nothing when it ends, and keeps what it has to know
    /// of the log to itself; where another program has the database open, it does so with that.
    pub(crate) fn with_log(path: &Path) -> Result<Sqlite, Fault> {
        let alone = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON;
            SELECT 1 FROM sqlite_master;";
        match Sqlite::looking(path, alone) {
            Err(Fault::Busy { .. }) => Sqlite::looking(path, "PRAGMA query_only = ON;"),
            other => other,
        }
    }

    fn looking(path: &Path, settings: &str) -> Result<Sqlite, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(path, flags);
        let connection = connection.map_err(|e| fault("open the database", e))?;
        let stays = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(stays, true).map_err(|e| fault("leave the log", e))?;
        connection.busy_timeout(Duration::ZERO).map_err(|e| fault("set busy timeout", e))?;
        connection.execute_batch(settings).map_err(|e| opening(path, e))?;
        Sqlite::of(connection, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lies in a folder, byte by byte.
    fn all(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> =
            files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    }

    #[test]
    fn looking_leaves_everything_as_it_is() {
        let name = format!("quoin-look 100% #{}", uuid::Uuid::new_v4());
        let (folder, copy) = (std::env::temp_dir().join(&name), std::env::temp_dir());
        let copy = copy.join(format!("{name} copy"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(&copy).unwrap();
        let path = folder.join("quoin.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.batch("CREATE TABLE t (x BLOB); INSERT INTO t (x) VALUES ('one')").unwrap();
        writer.checkpoint().unwrap();
        writer.batch("INSERT INTO t (x) VALUES ('two')").unwrap();
        // As a process that is killed leaves it.
        for name in ["quoin.db", "quoin.db-wal"] {
            std::fs::copy(folder.join(name), copy.join(name)).unwrap();
        }
        let (path, before) = (copy.join("quoin.db"), all(&copy));
        let count = |mut db: Sqlite| {
            let mut rows = db.query("SELECT count(*) FROM t", &[]).unwrap();
            rows.remove(0).integer("count").unwrap()
        };
        assert_eq!(count(Sqlite::alone(&path).unwrap()), 1);
        assert_eq!(all(&copy), before);
        assert_eq!(count(Sqlite::with_log(&path).unwrap()), 2);
        assert_eq!(all(&copy), before);
        // Beside somebody who has it open.
        let reader = Sqlite::reader(&path).unwrap();
        assert_eq!(count(Sqlite::with_log(&path).unwrap()), 2);
        drop(reader);
        std::fs::remove_dir_all(folder).unwrap();
        std::fs::remove_dir_all(copy).unwrap();
    }
}
