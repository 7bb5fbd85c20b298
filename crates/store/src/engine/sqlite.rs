//! The SQLite engine: the only place that knows `rusqlite`. Write-ahead log with full
//! synchronisation, so that a commit that was answered is on the disk.

use std::ffi::c_int;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, OpenFlags, StatementStatus, ToSql};

mod looking;

use super::{Connection, Param, SqlRow, SqlValue};
use crate::error::Fault;
use crate::work_count::WorkCounter;
use crate::written::{Tables, written};

/// How many prepared statements a connection keeps: all that there are.
const STATEMENTS: usize = 512;
/// How long a statement waits for a lock: only other processes can hold one, such as a backup.
const BUSY: Duration = Duration::from_secs(10);
/// A page of a new store: what a commit writes are whole pages, most of them for a row or two.
const PAGE_BYTES: u32 = 2_048;
/// Page cache of the writer and of each reader, in KiB.
const CACHE_KIB: u32 = 8_192;
/// How much of the database is mapped into memory for lists.
const MMAP_BYTES: u32 = 64 * 1024 * 1024;

/// A connection to a database file.
pub(crate) struct Sqlite {
    connection: rusqlite::Connection,
    counter: Arc<WorkCounter>,
    written: Tables,
    log_pages: Arc<AtomicU32>,
    page_bytes: u32,
}

impl Sqlite {
    /// Opens the file for the one writer; creates it where there is none.
    pub(crate) fn writer(path: &Path) -> Result<Sqlite, Fault> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut sqlite = Sqlite::open(path, flags)?;
        // Before the first table: a store keeps the pages that it was made with.
        let size = format!("PRAGMA page_size = {PAGE_BYTES};");
        sqlite.connection.execute_batch(&size).map_err(|e| opening(path, e))?;
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
            PRAGMA journal_size_limit = 67108864;";
        sqlite.connection.execute_batch(settings).map_err(|e| opening(path, e))?;
        let size = sqlite.connection.query_row("PRAGMA page_size", [], |row| row.get(0));
        sqlite.page_bytes = size.map_err(|e| opening(path, e))?;
        // Instead of the engine's own copying of the log within a commit.
        let pages = sqlite.log_pages.clone();
        let committed = move |_: &mut Wal, of_log: c_int| {
            pages.store(of_log.unsigned_abs(), Ordering::Relaxed);
            Ok(())
        };
        let told = sqlite.connection.wal_hook(Some(committed));
        told.map_err(|e| fault("be told of the log", e))?;
        Ok(sqlite)
    }

    /// Opens the file for copying the log into it beside the writer.
    pub(crate) fn copier(path: &Path) -> Result<Sqlite, Fault> {
        let mut sqlite = Sqlite::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        sqlite.batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;")?;
        Ok(sqlite)
    }

    /// Opens the file for what steps ask: a few rows by their keys. Nothing is mapped into memory,
    /// since the engine gives the whole window back, and asks for it anew, after each commit.
    pub(crate) fn reader(path: &Path) -> Result<Sqlite, Fault> {
        let mut sqlite = Sqlite::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        sqlite.batch("PRAGMA query_only = ON;")?;
        Ok(sqlite)
    }

    /// Opens the file for lists, which look at many pages for one answer.
    pub(crate) fn list_reader(path: &Path) -> Result<Sqlite, Fault> {
        let mut sqlite = Sqlite::reader(path)?;
        sqlite.batch(&format!("PRAGMA mmap_size = {MMAP_BYTES};"))?;
        Ok(sqlite)
    }

    fn open(path: &Path, flags: OpenFlags) -> Result<Sqlite, Fault> {
        Sqlite::open_at(path, path, flags)
    }

    /// Opens the file at an address; it is told of by its path.
    fn open_at(address: &Path, path: &Path, flags: OpenFlags) -> Result<Sqlite, Fault> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(address, flags).map_err(|e| {
            let path = path.display().to_string();
            Fault::Files { doing: "open database", path, message: e.to_string() }
        })?;
        Sqlite::of(connection, path)
    }

    fn of(connection: rusqlite::Connection, path: &Path) -> Result<Sqlite, Fault> {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.busy_timeout(BUSY).map_err(|e| fault("set busy timeout", e))?;
        // A plan follows from the statement and the schema alone, never from what is bound: else
        // the engine prepares many statements again at each call.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(|e| fault("keep plans as they are", e))?;
        let cache = format!("PRAGMA cache_size = -{CACHE_KIB};");
        connection.execute_batch(&cache).map_err(|e| opening(path, e))?;
        Ok(Sqlite {
            connection,
            counter: Arc::default(),
            written: Tables::NONE,
            log_pages: Arc::default(),
            page_bytes: PAGE_BYTES,
        })
    }

    /// The same, with what it does counted there.
    pub(crate) fn counted(self, counter: &Arc<WorkCounter>) -> Sqlite {
        Sqlite { counter: counter.clone(), ..self }
    }

    fn prepare(&self, sql: &'static str) -> Result<CachedStatement<'_>, Fault> {
        self.connection.prepare_cached(sql).map_err(|error| unprepared(sql, error))
    }
}

/// Counts one run of a statement.
fn count(counter: &WorkCounter, statement: &CachedStatement<'_>) {
    // A statement that ran once only was prepared for that run.
    let is_new = statement.get_status(StatementStatus::Run) <= 1;
    let again = statement.reset_status(StatementStatus::RePrepare);
    counter.ran(is_new, again, statement.reset_status(StatementStatus::VmStep));
}

impl Connection for Sqlite {
    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<usize, Fault> {
        let mut statement = self.prepare(sql)?;
        let done = statement.execute(rusqlite::params_from_iter(params));
        count(&self.counter, &statement);
        let changed = done.map_err(|e| fault(sql, e))?;
        drop(statement);
        if changed > 0 {
            self.written = self.written.and(written(sql));
        }
        Ok(changed)
    }

    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<SqlRow>, Fault> {
        let mut statement = self.prepare(sql)?;
        let columns = statement.column_count();
        let mut found =
            statement.query(rusqlite::params_from_iter(params)).map_err(|e| fault(sql, e))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(|e| fault(sql, e))? {
            let value = |at| row.get_ref(at).map_err(|e| fault(sql, e)).and_then(owned);
            rows.push(SqlRow::new((0..columns).map(value).collect::<Result<_, _>>()?));
        }
        drop(found);
        count(&self.counter, &statement);
        let only_reads = statement.readonly();
        drop(statement);
        if !only_reads {
            self.written = self.written.and(written(sql));
        }
        Ok(rows)
    }

    fn changes(&self) -> u64 {
        self.connection.total_changes()
    }

    fn checkpoint(&mut self) -> Result<(), Fault> {
        // Whether somebody was in the way stands in its row: that is no error to the engine.
        let doing = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy = self.connection.query_row(doing, [], |row| row.get::<_, i64>(0));
        if busy.map_err(|e| fault(doing, e))? != 0 {
            let message = "somebody else has the database open and is in the way".to_owned();
            return Err(Fault::Engine { doing, message });
        }
        Ok(())
    }

    fn log_pages(&self) -> u32 {
        self.log_pages.load(Ordering::Relaxed)
    }

    fn page_bytes(&self) -> u32 {
        self.page_bytes
    }

    fn copy_log(&mut self) -> Result<u32, Fault> {
        // Whether somebody was in the way, pages of the log, pages that are copied: below zero
        // where there is no log. It is no work that anybody asked for, and is not counted.
        let copy = "PRAGMA wal_checkpoint(PASSIVE)";
        let copied = self.connection.query_row(copy, [], |row| row.get::<_, i64>(2));
        Ok(u32::try_from(copied.map_err(|e| fault(copy, e))?).unwrap_or(0))
    }

    fn batch(&mut self, sql: &str) -> Result<(), Fault> {
        self.connection.execute_batch(sql).map_err(|e| fault("a batch of statements", e))
    }

    fn written(&mut self) -> Tables {
        std::mem::take(&mut self.written)
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Null => ValueRef::Null,
            Param::Integer(number) => ValueRef::Integer(*number),
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
            Param::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn owned(value: ValueRef<'_>) -> Result<SqlValue, Fault> {
    Ok(match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Real(number) => return Err(Fault::record("a column", number)),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_vec()),
    })
}

/// What became of opening a file that is no database.
fn opening(path: &Path, error: rusqlite::Error) -> Fault {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    match error.sqlite_error_code() {
        Some(NotADatabase | DatabaseCorrupt) => {
            Fault::NotDatabase { path: path.display().to_string(), message: error.to_string() }
        }
        _ => fault("open the database", error),
    }
}

/// Whether reading or writing a file ended for want of memory.
fn is_without_memory(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_NOMEM)
}

/// Whether what was written did not get to the file: it may be as large as a file may be.
fn is_unwritten(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_WRITE)
}

/// Whether there was no room for the index of the log, which the engine makes as it opens.
fn is_without_room(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

/// Why a statement could not be prepared. Each is one of ours: where the engine says that it means
/// nothing, a table or a column of it is not there.
fn unprepared(doing: &'static str, error: rusqlite::Error) -> Fault {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => Fault::Damaged { doing, message: msg },
        error if error.sqlite_error_code() == Some(rusqlite::ErrorCode::Unknown) => {
            Fault::Damaged { doing, message: error.to_string() }
        }
        error => fault(doing, error),
    }
}

fn fault(doing: &'static str, error: rusqlite::Error) -> Fault {
    use rusqlite::ErrorCode::{
        ConstraintViolation, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
        OutOfMemory,
    };
    match error.sqlite_error_code() {
        Some(DiskFull) => Fault::Full { doing: "write the database" },
        Some(DatabaseBusy | DatabaseLocked) => Fault::Busy { doing },
        Some(OutOfMemory) => Fault::NoMemory { doing },
        _ if is_unwritten(&error) => Fault::Unwritten { doing, message: error.to_string() },
        _ if is_without_room(&error) => Fault::Full { doing: "write the database" },
        _ if is_without_memory(&error) => Fault::NoMemory { doing },
        Some(DatabaseCorrupt | NotADatabase) => {
            Fault::Damaged { doing, message: error.to_string() }
        }
        Some(ConstraintViolation) => Fault::Constraint { doing, message: error.to_string() },
        _ => Fault::Engine { doing, message: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi::{Error as EngineError, SQLITE_IOERR_READ, SQLITE_IOERR_WRITE};

    use super::*;

    #[test]
    fn a_write_that_did_not_get_to_the_disk_is_told_apart_and_may_pass() {
        let of = |code| fault("x", rusqlite::Error::SqliteFailure(EngineError::new(code), None));
        let unwritten = of(SQLITE_IOERR_WRITE);
        assert!(matches!(unwritten, Fault::Unwritten { .. }) && unwritten.is_unwritten());
        assert!(matches!(of(SQLITE_IOERR_READ), Fault::Engine { .. }));
    }
}
