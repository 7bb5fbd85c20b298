//! What says that this store is the one that was there before. The database knows what it is called
//! and how far it came; the same is noted in a file beside it, so that a start with another one, an
//! older one or none is noticed.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::engine::Connection;
use crate::error::{Fault, Strange};

/// The file beside the database.
const FILE: &str = "continuity.json";
/// How often commits are noted at most.
const PAUSE: Duration = Duration::from_secs(1);
/// Commits that were noted in the database before a missing file beside it is strange: the first
/// one is in the database before it is in the file.
const UNNOTED: u64 = 1;

/// What a store is called, and how far it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continuity {
    /// 1, and a larger number with each store that is taken in place of the one before.
    pub generation: u32,
    /// Its name, which it has for as long as it goes on.
    pub name: String,
    /// Since when it has it.
    pub since: Timestamp,
    /// How often commits were noted.
    pub commits: u64,
    /// When that was last.
    pub noted_on: Timestamp,
}

/// What the file beside the database holds.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    #[serde(flatten)]
    continuity: Continuity,
    /// When the file of the database came to be, where the file system knows: a copy of it is
    /// younger, whatever is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    born: Option<Timestamp>,
}

/// When a file came to be, where the file system knows.
fn born(file: &Path) -> Option<Timestamp> {
    Timestamp::try_from(std::fs::metadata(file).ok()?.created().ok()?).ok()
}

/// Since when generations are counted, so that a second restore of one backup has a number of its
/// own: seconds, 2020-01-01 being 0.
const EPOCH: i64 = 1_577_836_800;

/// The generation after another one. It grows, and no two are the same unless the clock stands.
fn next_generation(before: u32, now: Timestamp) -> u32 {
    let clock = u32::try_from(now.as_second() - EPOCH).unwrap_or_default();
    before.saturating_add(1).max(clock)
}

/// What a start with another store than the one before leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the store is called from now on.
    pub continuity: Continuity,
    /// When its last event happened, if it has one: what came after that is not in it.
    pub last: Option<Timestamp>,
    /// Documents to be sent that are under way: they are sent again, with the same identifiers.
    pub under_way: u64,
    /// Statuses that were awaited and are not warned of, since they may have come.
    pub statuses: u64,
}

const IS_THERE: &str = "SELECT 1 FROM sqlite_master WHERE name = 'continuity'";
const IS_ANY: &str = "SELECT 1 FROM sqlite_master LIMIT 1";
/// Whether documents since a time lie in files, by the newest: all of them would be a long look.
const HAS_FILES: &str = "SELECT 1 FROM (SELECT organisation, blob, created_on FROM transactions
        ORDER BY rowid DESC LIMIT 10000) t
    JOIN blobs b ON b.organisation = t.organisation AND b.sha256 = t.blob
    WHERE t.created_on >= ?1 AND b.file IS NOT NULL LIMIT 1";
const GET: &str = "SELECT generation, name, since, commits, noted_on FROM continuity";
const NOTE: &str = "UPDATE continuity SET commits = commits + 1, noted_on = ?1
    RETURNING generation, name, since, commits, noted_on";
const RENEW: &str = "UPDATE continuity SET generation = ?1, name = lower(hex(randomblob(8))),
    since = ?2, is_told = 0";
/// Whether the status of what was delivered came already, is not known.
const FORGO: &str = "UPDATE statuses SET closed_on = ?1
    WHERE direction = 'outgoing' AND code IS NULL AND closed_on IS NULL";

fn read(mut row: crate::engine::SqlRow) -> Result<Continuity, Fault> {
    Ok(Continuity {
        generation: row.count("continuity.generation")?,
        name: row.text("continuity.name")?,
        since: row.time("continuity.since")?,
        commits: row.count("continuity.commits")?,
        noted_on: row.time("continuity.noted_on")?,
    })
}

/// What a database says of itself; nothing where it is older than such words.
pub(crate) fn of(db: &mut dyn Connection) -> Result<Option<Continuity>, Fault> {
    match db.first(IS_THERE, &[])? {
        Some(_) => db.first(GET, &[])?.map(read).transpose(),
        None => Ok(None),
    }
}

/// What the file beside the database says.
#[derive(Debug)]
enum Noted {
    /// How far it came.
    At(Note),
    /// It is not there.
    Missing,
    /// It cannot be read, and why.
    Unreadable(String),
}

impl Noted {
    fn look(file: &Path) -> Noted {
        match std::fs::read(file) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(noted) => Noted::At(noted),
                Err(error) => Noted::Unreadable(error.to_string()),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Noted::Missing,
            Err(error) => Noted::Unreadable(error.to_string()),
        }
    }
}

/// What was here before this start.
#[derive(Debug)]
pub(crate) struct Before {
    folder: PathBuf,
    database: PathBuf,
    noted: Noted,
    is_empty: bool,
    /// Whether documents lie beside the database.
    has_files: bool,
    beside: Option<&'static str>,
}

impl Before {
    /// Looks at the folder of a store, before anything is made there.
    pub(crate) fn look(folder: &Path, database: &Path, blobs: &Path) -> Before {
        let noted = Noted::look(&folder.join(FILE));
        let is_empty = !std::fs::metadata(database).is_ok_and(|file| file.len() > 0);
        let has_files = std::fs::read_dir(blobs).is_ok_and(|mut all| all.next().is_some());
        let beside = match (&noted, has_files) {
            (Noted::At(_) | Noted::Unreadable(_), _) => {
                Some("a note of its last commit lies there")
            }
            (Noted::Missing, true) => Some("documents lie there"),
            _ => {
                folder.join("token.key").exists().then_some("keys that it was used with lie there")
            }
        };
        let (folder, database) = (folder.to_owned(), database.to_owned());
        Before { folder, database, noted, is_empty, has_files, beside }
    }

    /// Looks whether the database is the one that was here before, and answers whether it is in
    /// another file, as after a restore of the whole folder. It is not changed.
    ///
    /// Errors: [`Fault::Strange`].
    pub(crate) fn compare(&self, db: &mut dyn Connection) -> Result<bool, Fault> {
        let folder = self.folder.display().to_string();
        let is_empty = self.is_empty || db.first(IS_ANY, &[])?.is_none();
        if let (true, Some(beside)) = (is_empty, self.beside) {
            return Err(Fault::Strange(Strange::Empty { folder, beside }));
        }
        if is_empty {
            return Ok(false);
        }
        let found = of(db)?;
        if let Some(found) = found.as_ref().filter(|_| !self.has_files) {
            // What is older than a store that was taken in place of another may have been given up.
            let from = if found.generation > 1 { found.since } else { Timestamp::MIN };
            if db.first(HAS_FILES, &[from.into()])?.is_some() {
                return Err(Fault::Strange(Strange::NoFiles { folder }));
            }
        }
        let unnoted =
            |found: String| Fault::Strange(Strange::Unnoted { folder: folder.clone(), found });
        let Note { continuity: noted, born: was_born } = match (&self.noted, &found) {
            (Noted::At(noted), _) => noted,
            // A database that is older than such notes, or whose first one did not get there.
            (Noted::Missing, Some(found)) if found.commits > UNNOTED => {
                return Err(unnoted("is missing".to_owned()));
            }
            (Noted::Unreadable(why), Some(_)) => {
                return Err(unnoted(format!("cannot be read ({why})")));
            }
            _ => return Ok(false),
        };
        let older = |found: Timestamp| {
            let folder = folder.clone();
            Strange::Older { folder, found, expected: noted.noted_on }
        };
        match found {
            Some(found) if found.name == noted.name && found.commits >= noted.commits => {
                let is_born = born(&self.database);
                Ok(was_born.zip(is_born).is_some_and(|(was, is)| was != is))
            }
            Some(found) if found.name == noted.name => Err(Fault::Strange(older(found.noted_on))),
            Some(found) if found.generation < noted.generation => {
                Err(Fault::Strange(older(found.noted_on)))
            }
            Some(_) => Err(Fault::Strange(Strange::Other { folder })),
            None => Err(Fault::Strange(older(Timestamp::UNIX_EPOCH))),
        }
    }

    /// Goes on with a database as a store of its own, under another name.
    pub(crate) fn renew(&self, db: &mut dyn Connection, now: Timestamp) -> Result<(), Fault> {
        let found = of(db)?.map_or(0, |found| found.generation);
        let noted = match &self.noted {
            Noted::At(noted) => noted.continuity.generation,
            Noted::Missing | Noted::Unreadable(_) => 0,
        };
        db.execute(RENEW, &[next_generation(found.max(noted), now).into(), now.into()])?;
        db.execute(FORGO, &[now.into()])?;
        // Its new name stands beside it before anything else can fail.
        Notes::new(Some((&self.folder, &self.database))).keep(of(db)?.as_ref());
        Ok(())
    }
}

/// Notes commits: in the database with them, and after them in the file beside it, so that the file
/// is never ahead.
pub(crate) struct Notes {
    file: Option<PathBuf>,
    born: Option<Timestamp>,
    seen: u64,
    last: Option<Instant>,
}

impl Notes {
    /// Notes in a folder about the database there; none where there is no folder.
    pub(crate) fn new(place: Option<(&Path, &Path)>) -> Notes {
        let file = place.map(|(folder, _)| folder.join(FILE));
        let born = place.and_then(|(_, database)| born(database));
        Notes { file, born, seen: 0, last: None }
    }

    /// Inside a commit: notes it, where there is something new and it is time.
    pub(crate) fn note(
        &mut self,
        db: &mut dyn Connection,
        at_once: bool,
    ) -> Result<Option<Continuity>, Fault> {
        let due = at_once || self.last.is_none_or(|last| last.elapsed() >= PAUSE);
        if self.file.is_none() || !due || db.changes() == self.seen {
            return Ok(None);
        }
        self.last = Some(Instant::now());
        let noted = db.first(NOTE, &[Timestamp::now().into()])?.map(read).transpose();
        self.seen = db.changes();
        noted
    }

    /// After the commit: writes it down beside the database. Where that fails, what is written
    /// there is older, which is no mistake.
    pub(crate) fn keep(&self, noted: Option<&Continuity>) {
        let (Some(noted), Some(file)) = (noted, &self.file) else { return };
        let draft = file.with_extension("draft");
        let note = Note { continuity: noted.clone(), born: self.born };
        let written = serde_json::to_vec(&note).map_err(std::io::Error::other);
        let kept = written.and_then(|bytes| {
            let mut written = std::fs::File::create(&draft)?;
            written.write_all(&bytes)?;
            // The new name must not be on the disk before what it names is.
            written.sync_all()?;
            std::fs::rename(&draft, file)
        });
        if let Err(error) = kept {
            tracing::warn!(%error, "the last commit could not be noted beside the database");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_restores_of_one_backup_have_numbers_of_their_own() {
        let now = |seconds| Timestamp::from_second(EPOCH + seconds).unwrap();
        assert_eq!(next_generation(1, now(200_000_000)), 200_000_000);
        assert_eq!(next_generation(1, now(200_000_060)), 200_000_060);
        assert_eq!(next_generation(200_000_060, now(200_000_060)), 200_000_061, "it grows");
        assert_eq!(next_generation(7, Timestamp::UNIX_EPOCH), 8, "a clock that is wrong");
    }
}
