//! Many files on all cores: what they come to is taken in the order of the files, and nobody runs
//! further ahead than a small window, so that memory stays the same however many there are.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Files that a worker may be ahead of what was taken.
const WINDOW: usize = 8;
/// How often progress is shown.
const PACE: Duration = Duration::from_millis(200);

/// How a batch runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch {
    /// Files in hand at a time.
    pub jobs: usize,
    /// Whether to tell on standard error how far it is.
    pub progress: bool,
}

struct SharedBatch<R> {
    state: Mutex<BatchState<R>>,
    changed: Condvar,
}

struct BatchState<R> {
    /// The file that is worked on next.
    next: usize,
    /// The file whose result is taken next.
    taken: usize,
    done: BTreeMap<usize, R>,
    ended: bool,
    workers: usize,
}

impl<R> SharedBatch<R> {
    fn lock(&self) -> MutexGuard<'_, BatchState<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&'s self, state: MutexGuard<'s, BatchState<R>>) -> MutexGuard<'s, BatchState<R>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Batch {
    /// Works on all files; `take` gets each result, in the order of the files.
    ///
    /// # Errors
    /// The first error of `take`; the rest is not worked on.
    pub(super) fn run<R: Send, E: From<String>>(
        self,
        files: &[PathBuf],
        work: impl Fn(&Path) -> R + Sync,
        mut take: impl FnMut(&Path, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let workers = self.jobs.clamp(1, files.len().max(1));
        let (next, taken, done) = (0, 0, BTreeMap::new());
        let state = BatchState { next, taken, done, ended: false, workers };
        let shared = SharedBatch { state: Mutex::new(state), changed: Condvar::new() };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| worker(&shared, files, workers * WINDOW, &work));
            }
            let mut shown = ProgressLine::new(self.progress, files.len());
            for (index, file) in files.iter().enumerate() {
                let Some(result) = shared.take(index) else {
                    return Err("a worker ended early".to_owned().into());
                };
                shown.clear();
                if let Err(error) = take(file, result) {
                    shared.lock().ended = true;
                    shared.changed.notify_all();
                    return Err(error);
                }
                shown.tell(index + 1);
            }
            shown.clear();
            Ok(())
        })
    }
}

impl<R> SharedBatch<R> {
    /// The result of a file, once it is there; none where no worker is left to make it.
    fn take(&self, index: usize) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.done.remove(&index) {
                state.taken = index + 1;
                self.changed.notify_all();
                return Some(result);
            }
            if state.workers == 0 {
                return None;
            }
            state = self.wait(state);
        }
    }
}

/// Counts a worker out, also where it panics.
struct Leaving<'s, R>(&'s SharedBatch<R>);

impl<R> Drop for Leaving<'_, R> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.changed.notify_all();
    }
}

fn worker<R>(
    shared: &SharedBatch<R>,
    files: &[PathBuf],
    window: usize,
    work: &(impl Fn(&Path) -> R + Sync),
) {
    let _leaving = Leaving(shared);
    loop {
        let mut state = shared.lock();
        while !state.ended && state.next < files.len() && state.next >= state.taken + window {
            state = shared.wait(state);
        }
        let index = state.next;
        let Some(file) = files.get(index).filter(|_| !state.ended) else { return };
        state.next += 1;
        drop(state);
        let result = work(file);
        shared.lock().done.insert(index, result);
        shared.changed.notify_all();
    }
}

/// How far it is, on one line of standard error.
struct ProgressLine {
    shown: bool,
    enabled: bool,
    of: usize,
    last: Instant,
}

impl ProgressLine {
    fn new(enabled: bool, of: usize) -> ProgressLine {
        ProgressLine { shown: false, enabled, of, last: Instant::now() }
    }

    fn tell(&mut self, done: usize) {
        if self.enabled && self.last.elapsed() >= PACE {
            self.last = Instant::now();
            self.shown = true;
            // Progress that cannot be shown is no reason to stop.
            let _ = write!(std::io::stderr(), "\r\x1b[K{done} of {} files", self.of);
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) && self.last.elapsed() >= PACE {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
