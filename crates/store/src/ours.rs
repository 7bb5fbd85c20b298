//! The files that a process works on: those that lie in the folder of its store. Whoever moves
//! another file to their place, or takes one away, lets a running process write where nobody looks,
//! or beside another one; so it is looked again and again, and nothing is written any more.

use std::fs::{File, Metadata, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::Fault;

/// The file whose lock says that a process has the store open; the system lets go of it when the
/// process ends, however it ends.
const LOCK: &str = "lock";
/// How long opening waits for a process that is just ending.
const LOCK_WAIT: Duration = Duration::from_secs(5);
/// How often it is looked at most.
const PAUSE: Duration = Duration::from_secs(1);

/// The files of one process.
pub(crate) struct OwnFiles {
    database: (PathBuf, FileIdentity),
    /// Its log, which holds the newest commits, once it was seen.
    log: (PathBuf, Option<FileIdentity>),
    lock: PathBuf,
    held: File,
    looked: Instant,
    /// What was found once stays: another process may have worked here meanwhile.
    lost: Option<Fault>,
}

/// What is told of the log. What it holds is still open, and is copied into the database when the
/// process ends by itself.
const LOG_GONE: &str = "is gone: it holds the newest commits, which are lost if the service is \
                        killed and written if it is ended in order (SIGTERM)";
const LOG_OTHER: &str = "is another file than the one that was opened: that one holds the newest \
                         commits, which are lost if the service is killed and written if it is \
                         ended in order (SIGTERM)";

/// A file beside the database, by the end of its name.
pub(crate) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// Which file it is, whatever it is called.
type FileIdentity = Option<(u64, u64)>;

#[cfg(unix)]
fn identity(about: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> FileIdentity {
    None
}

impl OwnFiles {
    /// The files of a store that was just opened.
    pub(crate) fn opened(folder: &Path, database: &Path, held: File) -> Result<OwnFiles, Fault> {
        let about = std::fs::metadata(database).map_err(|e| unseen(database, &e))?;
        Ok(OwnFiles {
            database: (database.to_owned(), identity(&about)),
            log: (beside(database, "-wal"), None),
            lock: folder.join(LOCK),
            held,
            looked: Instant::now(),
            lost: None,
        })
    }

    /// Looks, where it is time, whether they are still those in the folder.
    ///
    /// Errors: [`Fault::Replaced`], which stays.
    pub(crate) fn look(&mut self) -> Result<(), Fault> {
        if self.lost.is_none() && self.looked.elapsed() >= PAUSE {
            self.looked = Instant::now();
            match self.compare() {
                Err(fault @ Fault::Replaced { .. }) => self.lost = Some(fault),
                other => other?,
            }
        }
        self.lost.clone().map_or(Ok(()), Err)
    }

    fn compare(&mut self) -> Result<(), Fault> {
        let (path, opened) = &self.database;
        match std::fs::metadata(path) {
            Ok(about) if identity(&about) == *opened => {}
            Ok(_) => return Err(replaced(path, "is another file than the one that was opened")),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(replaced(path, "is gone"));
            }
            Err(error) => return Err(unseen(path, &error)),
        }
        self.compare_log()?;
        match std::fs::metadata(&self.lock) {
            Ok(about) => {
                let held = self.held.metadata().map_err(|e| unseen(&self.lock, &e))?;
                match identity(&about) == identity(&held) {
                    true => Ok(()),
                    false => Err(replaced(&self.lock, "is another process's")),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => self.lock_again(),
            Err(error) => Err(unseen(&self.lock, &error)),
        }
    }

    /// The engine keeps its log open as long as the process has the database, and makes none anew.
    fn compare_log(&mut self) -> Result<(), Fault> {
        let (path, seen) = &mut self.log;
        match std::fs::metadata(&*path) {
            Ok(about) if seen.is_none_or(|seen| seen == identity(&about)) => {
                *seen = Some(identity(&about));
                Ok(())
            }
            Ok(_) => Err(replaced(path, LOG_OTHER)),
            Err(error) if error.kind() == ErrorKind::NotFound => match seen {
                Some(_) => Err(replaced(path, LOG_GONE)),
                None => Ok(()),
            },
            Err(error) => Err(unseen(path, &error)),
        }
    }

    /// The lock was taken away, and nobody has made another one yet.
    fn lock_again(&mut self) -> Result<(), Fault> {
        let file = match File::options().write(true).create_new(true).open(&self.lock) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(replaced(&self.lock, "is another process's"));
            }
            Err(error) => return Err(unseen(&self.lock, &error)),
        };
        match file.try_lock() {
            Ok(()) => {
                tracing::warn!(file = %self.lock.display(), "the lock was removed, and made again");
                self.held = file;
                Ok(())
            }
            Err(TryLockError::WouldBlock) => Err(replaced(&self.lock, "is another process's")),
            Err(TryLockError::Error(error)) => Err(unseen(&self.lock, &error)),
        }
    }
}

fn replaced(path: &Path, found: &'static str) -> Fault {
    Fault::Replaced { path: path.display().to_string(), found }
}

fn unseen(path: &Path, error: &std::io::Error) -> Fault {
    let path = path.display().to_string();
    Fault::Files { doing: "look at", path, message: error.to_string() }
}

/// Whether a process has the folder. Nothing is made there.
pub(crate) fn is_taken(folder: &Path) -> bool {
    let lock = File::options().read(true).write(true).open(folder.join(LOCK));
    lock.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Looks whether this account may open what a start opens, of what is there.
///
/// Errors: [`Fault::Files`] with the file.
pub(crate) fn may_open(folder: &Path, database: &Path) -> Result<(), Fault> {
    let fault = |path: &Path, error: std::io::Error| Fault::Files {
        doing: "open",
        path: path.display().to_string(),
        message: error.to_string(),
    };
    // To lock a file, it need not be written.
    let lock = folder.join(LOCK);
    match File::open(&lock) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(fault(&lock, error)),
        _ => {}
    }
    let log = ["-wal", "-shm"].map(|end| beside(database, end));
    for file in std::iter::once(database).chain(log.iter().map(PathBuf::as_path)) {
        match File::options().read(true).write(true).open(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(fault(file, error)),
            _ => {}
        }
    }
    Ok(())
}

/// The file that is locked. One that is new belongs to whom the folder belongs: a command that root
/// gives keeps no service from starting. To lock it, it need not be written.
fn lock_file(folder: &Path, place: &Path) -> std::io::Result<File> {
    match File::options().read(true).write(true).create_new(true).open(place) {
        Ok(file) => {
            given_to_owner_of(folder, &file);
            Ok(file)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let whole = File::options().read(true).write(true).open(place);
            whole.or_else(|error| File::open(place).map_err(|_| error))
        }
        Err(error) => Err(error),
    }
}

/// Gives a file to the owner of a folder; whoever may not is the owner, or is told when it matters.
#[cfg(unix)]
fn given_to_owner_of(folder: &Path, file: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if let Ok(owner) = std::fs::metadata(folder) {
        let _ = fchown(file, Some(owner.uid()), Some(owner.gid()));
    }
}

#[cfg(not(unix))]
fn given_to_owner_of(_: &Path, _: &File) {}

/// Takes the folder for this process alone.
pub(crate) fn lock(folder: &Path) -> Result<File, Fault> {
    let place = folder.join(LOCK);
    let fault = |e: std::io::Error| Fault::Files {
        doing: "lock",
        path: place.display().to_string(),
        message: e.to_string(),
    };
    let file = lock_file(folder, &place).map_err(fault)?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(e)) => return Err(fault(e)),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_WAIT => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Fault::InUse { path: folder.display().to_string() });
            }
        }
    }
}
