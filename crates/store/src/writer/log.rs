//! Copies the write-ahead log into the database beside the writer, so that no commit waits for
//! thousands of pages that go to places all over the file.
//!
//! The log begins anew once all of it is copied and nobody reads from it. A copy beside commits
//! leaves what these add meanwhile: the writer copies that rest itself, which is little.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::engine::Connection;
use crate::error::Fault;

/// Bytes of the log from which on it is copied. Hot pages are copied once for many commits, and the
/// disk is not busy with a copy for so long that commits wait for it.
const COPIED_FROM: u64 = 8_192_000;
/// Bytes that the writer copies itself, at most.
const REST: u64 = 1_638_400;
/// Bytes from which on the writer copies whatever is left, so that the log does not grow for ever
/// where copies are slower than commits.
const MOST: u64 = 262_144_000;

/// So many pages in bytes: a store has pages of the size that it was made with.
fn bytes_of(pages: u32, connection: &dyn Connection) -> u64 {
    u64::from(pages) * u64::from(connection.page_bytes())
}

/// What both sides know.
#[derive(Debug, Default)]
struct CopyState {
    is_copying: AtomicBool,
    /// Pages of the log as it is that are in the database.
    copied: AtomicU32,
    /// Whether the last copy failed, which is told once.
    is_failing: AtomicBool,
}

/// The writer's side; dropped, it waits for the end of the thread.
#[derive(Debug, Default)]
pub(crate) struct LogCopier {
    asks: Option<SyncSender<()>>,
    state: Arc<CopyState>,
    thread: Option<JoinHandle<()>>,
    /// Pages of the log when it was last looked at.
    pages: u32,
    /// Whether it has begun anew since something was last known to be copied.
    is_anew: bool,
}

impl LogCopier {
    /// Starts the thread on a connection of its own.
    pub(crate) fn start(connection: Box<dyn Connection + Send>) -> Result<LogCopier, Fault> {
        let (asks, asked) = sync_channel(1);
        let state = Arc::new(CopyState::default());
        let own = state.clone();
        let thread = std::thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move || copy_as_asked(connection, &asked, &own))
            .map_err(|e| Fault::Engine { doing: "start the log", message: e.to_string() })?;
        let (asks, thread) = (Some(asks), Some(thread));
        Ok(LogCopier { asks, state, thread, pages: 0, is_anew: false })
    }

    /// Looks at the log after a commit; answers by how many pages it has grown.
    pub(crate) fn look(&mut self, connection: &mut dyn Connection) -> u32 {
        let pages = connection.log_pages();
        let before = std::mem::replace(&mut self.pages, pages);
        self.is_anew |= pages < before;
        if !self.state.is_copying.load(Ordering::Acquire) {
            if std::mem::take(&mut self.is_anew) {
                self.state.copied.store(0, Ordering::Relaxed);
            }
            if bytes_of(pages, connection) >= COPIED_FROM {
                self.begin(connection, pages);
            }
        }
        if pages < before { pages } else { pages - before }
    }

    /// Has a log that is long copied: the rest here, more by the thread.
    fn begin(&self, connection: &mut dyn Connection, pages: u32) {
        let Some(asks) = &self.asks else { return };
        let rest = pages.saturating_sub(self.state.copied.load(Ordering::Relaxed));
        if bytes_of(rest, connection) <= REST || bytes_of(pages, connection) >= MOST {
            copy(connection, &self.state);
        } else {
            self.state.is_copying.store(true, Ordering::Release);
            if asks.try_send(()).is_err() {
                self.state.is_copying.store(false, Ordering::Release);
            }
        }
    }
}

impl Drop for LogCopier {
    fn drop(&mut self) {
        self.asks = None;
        if let Some(thread) = self.thread.take() {
            // It says nothing but that it ended.
            let _ = thread.join();
        }
    }
}

fn copy_as_asked(
    mut connection: Box<dyn Connection + Send>,
    asked: &Receiver<()>,
    state: &CopyState,
) {
    while asked.recv().is_ok() {
        copy(&mut *connection, state);
        state.is_copying.store(false, Ordering::Release);
    }
}

/// What cannot be copied now stays in the log, and is tried again after the next commit.
fn copy(connection: &mut dyn Connection, state: &CopyState) {
    match connection.copy_log() {
        Ok(copied) => {
            state.copied.store(copied, Ordering::Relaxed);
            if state.is_failing.swap(false, Ordering::Relaxed) {
                tracing::info!("the log is copied into the database again");
            }
        }
        Err(fault) if !state.is_failing.swap(true, Ordering::Relaxed) => {
            tracing::warn!(%fault, "the log could not be copied into the database, and grows");
        }
        Err(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::engine::sqlite::Sqlite;

    const ROWS: u64 = 6_000;

    /// A folder, the database in it and its writer. What is synced does not matter here.
    fn opened(name: &str) -> (PathBuf, PathBuf, Sqlite) {
        let folder = std::env::temp_dir().join(format!("quoin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("log.db");
        let mut writer = Sqlite::writer(&path).unwrap();
        writer.batch("PRAGMA synchronous = OFF; CREATE TABLE t (x BLOB)").unwrap();
        (folder, path, writer)
    }

    /// A commit of four pages.
    fn put(writer: &mut Sqlite) {
        let row = "INSERT INTO t (x) VALUES (zeroblob(12000))";
        assert_eq!(writer.execute(row, &[]).unwrap(), 1);
    }

    fn count(db: &mut Sqlite) -> i64 {
        let mut rows = db.query("SELECT count(*) FROM t", &[]).unwrap();
        rows.remove(0).integer("count").unwrap()
    }

    #[test]
    fn the_log_is_copied_beside_commits_and_begins_anew() {
        let (folder, path, mut writer) = opened("log");
        let mut copier = LogCopier::start(Box::new(Sqlite::copier(&path).unwrap())).unwrap();
        let (mut anew, mut before) = (0, 0);
        for row in 0..ROWS {
            put(&mut writer);
            copier.look(&mut writer);
            // Without flushes of the disk commits are quicker than any copy.
            while row % 50 == 0 && copier.state.is_copying.load(Ordering::Acquire) {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let pages = writer.log_pages();
            anew += u32::from(pages < before);
            before = pages;
            assert!(bytes_of(pages, &writer) < MOST, "{pages} pages");
        }
        assert!(anew > 0, "it grows for ever: {before} pages");
        drop(copier);
        let mut reader = Sqlite::reader(&path).unwrap();
        assert_eq!(u64::try_from(count(&mut reader)).unwrap(), ROWS);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_store_keeps_the_pages_that_it_was_made_with() {
        for size in [2_048, 4_096] {
            let folder = std::env::temp_dir().join(format!("quoin-pages-{}", uuid::Uuid::new_v4()));
            std::fs::create_dir(&folder).unwrap();
            let path = folder.join("quoin.db");
            if size != 2_048 {
                let older = rusqlite::Connection::open(&path).unwrap();
                older.execute_batch(&format!("PRAGMA page_size = {size}; VACUUM")).unwrap();
                older.execute_batch("CREATE TABLE t (x BLOB)").unwrap();
            }
            let writer = Sqlite::writer(&path).unwrap();
            assert_eq!(writer.page_bytes(), size);
            assert_eq!(bytes_of(10, &writer), u64::from(size) * 10);
            drop(writer);
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn a_reader_in_the_way_delays_the_beginning_and_loses_nothing() {
        let (folder, path, mut writer) = opened("log-read");
        let mut copier = LogCopier::default();
        put(&mut writer);
        let mut reader = Sqlite::reader(&path).unwrap();
        reader.batch("BEGIN").unwrap();
        assert_eq!(count(&mut reader), 1);
        for _ in 0..4_000 {
            put(&mut writer);
        }
        copier.asks = Some(sync_channel(1).0);
        copier.state.copied.store(writer.log_pages(), Ordering::Relaxed);
        copier.look(&mut writer);
        assert!(copier.state.copied.load(Ordering::Relaxed) < 100, "the reader sees the old pages");
        assert_eq!(count(&mut reader), 1);
        writer.batch("PRAGMA busy_timeout = 0").unwrap();
        let in_the_way = writer.checkpoint();
        assert!(matches!(in_the_way, Err(Fault::Engine { .. })), "{in_the_way:?}");
        reader.batch("COMMIT").unwrap();
        assert_eq!(writer.copy_log().unwrap(), writer.log_pages());
        put(&mut writer);
        assert!(writer.log_pages() < 100, "it begins anew");
        assert_eq!(count(&mut reader), 4_002);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
