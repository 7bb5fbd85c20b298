//! Whether the log beside a database is its own. The engine takes whatever log lies there for that
//! of the database, and copies it in: another one's pages would be written over its own, and one
//! that goes on from a newer file has not all that an older one lacks. So both are looked at first.

use std::fs::Metadata;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use super::{Before, Continuity, Noted, born, of};
use crate::engine::Connection;
use crate::engine::sqlite::Sqlite;
use crate::error::{Fault, Strange};

/// What the engine writes at the beginning of a log; commits come after it.
const HEADER: u64 = 32;
/// How much later than its log a database is written by copying the log, at most.
const COPYING: Duration = Duration::from_secs(60);
/// Whether what the engine reads is one database. It looks at all of it.
const IS_WHOLE: &str = "PRAGMA quick_check(1)";

/// A log that lies beside a database before it is opened, with commits in it.
#[derive(Debug)]
pub(super) struct OldLog {
    born: Option<Timestamp>,
    about: Metadata,
}

impl OldLog {
    pub(super) fn look(file: &Path) -> Option<OldLog> {
        let about = std::fs::metadata(file).ok().filter(|about| about.len() > HEADER)?;
        Some(OldLog { born: born(file), about })
    }

    /// Whether a database was put in its place after the last commit.
    fn is_before(&self, database: &Path) -> bool {
        let Ok(database) = std::fs::metadata(database) else { return false };
        let Ok(last) = self.about.modified() else { return false };
        changed(&database).is_some_and(|changed| changed > last + COPYING)
    }
}

/// When something of a file was changed last, by the clock of the system.
#[cfg(unix)]
fn changed(about: &Metadata) -> Option<std::time::SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(about.ctime()).ok()?;
    Some(std::time::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(not(unix))]
fn changed(about: &Metadata) -> Option<std::time::SystemTime> {
    about.modified().ok()
}

impl Before {
    /// The database with its log, where that is its own; `file` is what the database says of itself
    /// without it.
    ///
    /// Errors: [`Strange::Log`]; what came of reading it without its log where that is the cause.
    pub(super) fn with_log(
        &self,
        log: &OldLog,
        file: Result<Option<Continuity>, Fault>,
    ) -> Result<Sqlite, Fault> {
        let alone = file.as_ref().ok().and_then(Option::as_ref);
        self.holds_what_was_copied(file.as_ref().ok().map(Option::as_ref))?;
        let looked = Sqlite::with_log(&self.database).and_then(|mut db| {
            let found = of(&mut db)?;
            let is_odd = file.is_err()
                || alone.map(|alone| &alone.name) != found.as_ref().map(|found| &found.name)
                || self.are_copies(log)
                || log.is_before(&self.database);
            let is_whole = !is_odd || is_whole(&mut db)?;
            Ok((db, found, is_whole))
        });
        match looked {
            Ok((_, found, _)) if is_ahead(alone, found.as_ref()) => {
                Err(self.not_its("the database is newer than the log, or another one"))
            }
            Ok((db, _, true)) => Ok(db),
            Ok(_) | Err(Fault::Damaged { .. } | Fault::NotDatabase { .. }) => Err(match file {
                Err(fault @ Fault::NotDatabase { .. }) => fault,
                _ => self.not_its("the two together are no database that can be read"),
            }),
            Err(fault) => Err(fault),
        }
    }

    /// The log begins where the file was copied last.
    fn holds_what_was_copied(&self, file: Option<Option<&Continuity>>) -> Result<(), Fault> {
        let (Noted::At(noted), Some(file)) = (&self.noted, file) else { return Ok(()) };
        match file.map_or(0, |file| file.commits) < noted.copied {
            true => {
                Err(self.not_its("the database is older than the commits that the log follows"))
            }
            false => Ok(()),
        }
    }

    /// Whether one of the two is another file than the one that was noted.
    fn are_copies(&self, log: &OldLog) -> bool {
        let Noted::At(noted) = &self.noted else { return true };
        let is_other = |was: Option<Timestamp>, is| was.zip(is).is_some_and(|(was, is)| was != is);
        is_other(noted.born, born(&self.database)) || is_other(noted.log, log.born)
    }

    pub(super) fn not_its(&self, found: &'static str) -> Fault {
        Fault::Strange(Strange::Log { folder: self.folder.display().to_string(), found })
    }
}

/// Whether a database says more without its log than with it.
fn is_ahead(alone: Option<&Continuity>, both: Option<&Continuity>) -> bool {
    match (alone, both) {
        (Some(alone), Some(both)) if alone.name == both.name => alone.commits > both.commits,
        // The name of a store that was taken in place of another may be in the log alone.
        (Some(alone), Some(both)) => alone.generation >= both.generation,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

fn is_whole(db: &mut dyn Connection) -> Result<bool, Fault> {
    let said = db.first(IS_WHOLE, &[])?;
    Ok(said.is_some_and(|mut row| row.text("quick_check").is_ok_and(|said| said == "ok")))
}
