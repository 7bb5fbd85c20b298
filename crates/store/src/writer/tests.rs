//! Tests of `writer`: who shares a commit shares nothing else, and nobody hears yes too early.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::*;
use jiff::Timestamp;
use quoin_delivery::TaskKind;

use crate::engine::sqlite::Sqlite;
use crate::engine::{Param, SqlRow};
use crate::error::Refusal;
use crate::written::Tables;

fn table() -> Sqlite {
    let mut db = Sqlite::writer(std::path::Path::new(":memory:")).unwrap();
    db.batch("CREATE TABLE t (x INTEGER PRIMARY KEY)").unwrap();
    db
}

/// A writer whose log nobody copies.
fn started(connection: impl Connection + Send + 'static) -> WriterHandle {
    let files = (None, LogCopier::default());
    let (notes, shared) = (Notes::new(None, 0), WriterShared::default());
    WriterHandle::start(Box::new(connection), files, notes, shared).unwrap()
}

async fn put(writer: &WriterHandle, x: i64) -> Result<(), Error> {
    writer
        .write(move |tx| {
            tx.execute("INSERT INTO t (x) VALUES (?1)", &[x.into()])?;
            Ok(())
        })
        .await
}

async fn all(writer: &WriterHandle) -> Vec<i64> {
    let read = |tx: &mut Tx<'_>| {
        let rows = tx.query("SELECT x FROM t ORDER BY x", &[])?;
        Ok(rows.into_iter().map(|mut row| row.integer("x").unwrap()).collect())
    };
    writer.write(read).await.unwrap()
}

/// Holds the writer until the returned sender is used, so that what follows is one group.
async fn hold(writer: &WriterHandle) -> std::sync::mpsc::Sender<()> {
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let (here, there) = oneshot::channel();
    let busy = writer.clone();
    tokio::spawn(async move {
        let held = busy.write(move |_| {
            let _ = here.send(());
            let _ = wait.recv();
            Ok(())
        });
        held.await
    });
    there.await.unwrap();
    go
}

#[tokio::test]
async fn a_failing_operation_rolls_back_alone() {
    let writer = started(table());
    let go = hold(&writer).await;
    let refusal = || Refusal::NotFound { what: "thing", key: "x".to_owned() };
    let fails = writer.write(move |tx| {
        tx.execute("INSERT INTO t (x) VALUES (7)", &[])?;
        Err::<(), _>(refusal().into())
    });
    let panics = writer.write(|tx| {
        tx.execute("INSERT INTO t (x) VALUES (8)", &[])?;
        if tx.follows().0 != Wake::default() { Ok(()) } else { panic!("on purpose") }
    });
    let after = async {
        tokio::task::yield_now().await;
        go.send(()).unwrap();
    };
    let (first, failed, panicked, twice, last, ()) = tokio::join!(
        put(&writer, 1),
        fails,
        panics,
        async { (put(&writer, 2).await, put(&writer, 2).await) },
        put(&writer, 3),
        after
    );
    assert!(first.is_ok() && last.is_ok() && twice.0.is_ok());
    assert!(matches!(twice.1, Err(Error::Fault(Fault::Constraint { .. }))));
    assert!(matches!(failed, Err(Error::Refusal(Refusal::NotFound { .. }))));
    assert!(
        matches!(panicked, Err(Error::Fault(Fault::Panicked { message })) if message == "on purpose")
    );
    assert_eq!(all(&writer).await, [1, 2, 3]);
}

/// An engine whose commits can be made to fail, and that notes how many there were.
struct Flaky {
    inner: Sqlite,
    failing: Arc<AtomicBool>,
    commits: Arc<AtomicUsize>,
}

impl Connection for Flaky {
    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<usize, Fault> {
        if sql == "COMMIT" {
            self.commits.fetch_add(1, Ordering::SeqCst);
            if self.failing.load(Ordering::SeqCst) {
                return Err(Fault::Engine { doing: "COMMIT", message: "disk full".to_owned() });
            }
        }
        self.inner.execute(sql, params)
    }
    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<SqlRow>, Fault> {
        self.inner.query(sql, params)
    }
    fn changes(&self) -> u64 {
        self.inner.changes()
    }
    fn checkpoint(&mut self) -> Result<(), Fault> {
        self.inner.checkpoint()
    }
    fn log_pages(&self) -> u32 {
        self.inner.log_pages()
    }
    fn page_bytes(&self) -> u32 {
        self.inner.page_bytes()
    }
    fn copy_log(&mut self) -> Result<u32, Fault> {
        self.inner.copy_log()
    }
    fn batch(&mut self, sql: &str) -> Result<(), Fault> {
        self.inner.batch(sql)
    }
    fn written(&mut self) -> Tables {
        self.inner.written()
    }
}

/// The engine rolls everything back by itself where it has no memory, and then there is nothing to
/// go back to: what is told is why.
#[tokio::test]
async fn what_the_engine_rolled_back_by_itself_is_told_by_its_cause() {
    let writer = started(table());
    let lost = || {
        writer.write(|tx| {
            tx.execute("ROLLBACK", &[])?;
            Err::<(), _>(Fault::NoMemory { doing: "INSERT" }.into())
        })
    };
    let is_told = |answer| matches!(answer, Err(Error::Fault(Fault::NoMemory { .. })));
    assert!(is_told(lost().await), "alone");
    let go = hold(&writer).await;
    let begin = async {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        go.send(()).unwrap();
    };
    let (first, second, last, ()) = tokio::join!(put(&writer, 1), lost(), put(&writer, 2), begin);
    assert!(is_told(first) && is_told(second) && is_told(last), "together");
    put(&writer, 3).await.unwrap();
    assert_eq!(all(&writer).await, [3]);
}

#[tokio::test]
async fn a_commit_that_fails_is_a_no_to_everyone_in_it() {
    let (failing, commits) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let flaky = Flaky { inner: table(), failing: failing.clone(), commits: commits.clone() };
    let writer = started(flaky);
    let (a, b) = tokio::join!(put(&writer, 1), put(&writer, 2));
    assert!(matches!(a, Err(Error::Fault(Fault::Engine { doing: "COMMIT", .. }))));
    assert!(b.is_err());
    failing.store(false, Ordering::SeqCst);
    assert_eq!(all(&writer).await, Vec::<i64>::new());
    assert!(writer.shared().trouble.last().is_some(), "nothing was written since");
    put(&writer, 3).await.unwrap();
    assert!(writer.shared().trouble.last().is_none());
    assert_eq!(all(&writer).await, [3]);
}

/// Whoever is refused for something that is rolled back with it hears of the roll-back.
#[tokio::test]
async fn a_commit_that_fails_is_no_refusal_to_anyone_in_it() {
    let (failing, commits) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let flaky = Flaky { inner: table(), failing: failing.clone(), commits };
    let writer = started(flaky);
    let last_place = |x: i64| {
        writer.write(move |tx| {
            if !tx.query("SELECT x FROM t", &[])?.is_empty() {
                return Err(Refusal::PackageFull { used: 1 }.into());
            }
            tx.execute("INSERT INTO t (x) VALUES (?1)", &[x.into()])?;
            Ok(())
        })
    };
    let go = hold(&writer).await;
    let (first, second, ()) = tokio::join!(last_place(1), last_place(2), async {
        tokio::task::yield_now().await;
        go.send(()).unwrap();
    });
    for answer in [first, second] {
        let fault = matches!(answer, Err(Error::Fault(Fault::Engine { doing: "COMMIT", .. })));
        assert!(fault, "{answer:?}");
    }
    failing.store(false, Ordering::SeqCst);
    last_place(2).await.unwrap();
    assert!(matches!(last_place(3).await, Err(Error::Refusal(Refusal::PackageFull { .. }))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_shares_one_commit() {
    let commits = Arc::new(AtomicUsize::new(0));
    let failing = Arc::new(AtomicBool::new(false));
    let flaky = Flaky { inner: table(), failing, commits: commits.clone() };
    let writer = started(flaky);
    let go = hold(&writer).await;
    let queued: Vec<_> = (0..100)
        .map(|x| {
            let writer = writer.clone();
            tokio::spawn(async move { put(&writer, x).await })
        })
        .collect();
    while writer.queue.capacity() > QUEUE - 100 {
        tokio::task::yield_now().await;
    }
    go.send(()).unwrap();
    for one in queued {
        one.await.unwrap().unwrap();
    }
    assert_eq!(commits.load(Ordering::SeqCst), 2, "one for the holder, one for the hundred");
}

/// Who writes much keeps nobody waiting for more than one commit of it.
#[tokio::test]
async fn operations_that_write_much_are_committed_apart() {
    let commits = Arc::new(AtomicUsize::new(0));
    let writer =
        started(Flaky { inner: table(), failing: Arc::default(), commits: commits.clone() });
    let go = hold(&writer).await;
    let many = |from: i64| {
        let writer = writer.clone();
        async move {
            let work = move |tx: &mut Tx<'_>| {
                let rows = "INSERT INTO t (x) WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL
                    SELECT i + 1 FROM n WHERE i < ?1 + 2999) SELECT i FROM n";
                Ok(tx.execute(rows, &[from.into()])?)
            };
            writer.write(work).await
        }
    };
    let after = async {
        tokio::task::yield_now().await;
        go.send(()).unwrap();
    };
    let (first, second, third, fourth, end, ()) = tokio::join!(
        many(0),
        many(10_000),
        many(20_000),
        put(&writer, 9_000),
        writer.close(),
        after
    );
    assert!([first, second, third].into_iter().all(|rows| matches!(rows, Ok(3_000))));
    fourth.unwrap();
    let () = end;
    assert_eq!(commits.load(Ordering::SeqCst), 3, "the holder, two that are enough, and two");
}

#[tokio::test]
async fn the_bell_rings_after_the_commit_and_only_for_work() {
    let writer = started(table());
    let rung = Arc::new(Mutex::new(Vec::new()));
    let bell = writer.shared().board.wait(Wake::work(TaskKind::Job));
    put(&writer, 1).await.unwrap();
    let short = std::time::Duration::from_millis(20);
    assert!(tokio::time::timeout(short, bell).await.is_err());
    let bell = writer.shared().board.wait(Wake::work(TaskKind::Job));
    let (order, task) = (rung.clone(), writer.clone());
    let work = task.write(move |tx| {
        tx.due(TaskKind::Job, Timestamp::UNIX_EPOCH);
        order.lock().unwrap().push("work");
        Ok(())
    });
    work.await.unwrap();
    // Taken before the work was done and never polled: it must not have missed the bell.
    tokio::time::timeout(std::time::Duration::from_secs(5), bell).await.unwrap();
    assert_eq!(*rung.lock().unwrap(), ["work"]);
}

#[tokio::test]
async fn a_10_a_full_disk_has_a_word_of_its_own() {
    let mut db = table();
    db.batch("CREATE TABLE b (x BLOB); PRAGMA max_page_count = 20").unwrap();
    let writer = started(db);
    let full = writer.write(|tx| {
        let bytes = vec![0; 1 << 20];
        Ok(tx.execute("INSERT INTO b (x) VALUES (?1)", &[Param::Blob(&bytes)])?)
    });
    assert!(matches!(full.await, Err(Error::Fault(Fault::Full { .. }))));
    assert!(matches!(writer.shared().trouble.last(), Some(Fault::Full { .. })));
    put(&writer, 1).await.unwrap();
    assert!(writer.shared().trouble.last().is_none());
}

#[tokio::test]
async fn a_10_what_was_asked_before_the_end_is_done_and_nothing_after_it() {
    let writer = started(table());
    let go = hold(&writer).await;
    let (before, end, ()) = tokio::join!(put(&writer, 1), writer.close(), async {
        tokio::task::yield_now().await;
        go.send(()).unwrap();
    });
    assert!(before.is_ok());
    let () = end;
    assert!(matches!(put(&writer, 2).await, Err(Error::Fault(Fault::Closed))));
    writer.close().await;
}
