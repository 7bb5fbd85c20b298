//! What says that this store is the one that was there before. The database knows what it is called
//! and how far it came; the same is noted in a file beside it, so that a start with another one, an
//! older one or none is noticed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::engine::Connection;
use crate::engine::sqlite::Sqlite;
use crate::error::{Fault, Strange};
use crate::folders::place;
use crate::key_proof;
use crate::migrations;
use crate::ours::beside;
use crate::secrets::SecretBox;

mod log;
mod notes;

use log::OldLog;
pub(crate) use notes::Notes;
use notes::{FILE, Note, Noted, born};

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
/// Files of documents since a time, of the newest: all of them would be a long look.
const FILES: &str = "SELECT b.file FROM (SELECT organisation, blob, created_on FROM transactions
        ORDER BY rowid DESC LIMIT 10000) t
    JOIN blobs b ON b.organisation = t.organisation AND b.sha256 = t.blob
    WHERE t.created_on >= ?1 AND b.file IS NOT NULL LIMIT 20";
const GET: &str = "SELECT generation, name, since, commits, noted_on FROM continuity";
const NEW_NAME: &str = "SELECT lower(hex(randomblob(8))) AS name";
const RENEW: &str = "UPDATE continuity SET generation = ?1, since = ?2, name = ?3, is_told = 0";
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

/// What was here before this start.
#[derive(Debug)]
pub(crate) struct Before {
    folder: PathBuf,
    database: PathBuf,
    blobs: PathBuf,
    noted: Noted,
    is_empty: bool,
    /// What keeps it from being looked at, though it may be there.
    unseen: Option<std::io::Error>,
    log: Option<OldLog>,
    beside: Option<&'static str>,
}

/// What a start goes on with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginning {
    /// Whether it is taken in place of the store that was here before.
    pub(crate) is_new: bool,
    /// Whether its key was compared with what is sealed in it.
    pub(crate) is_known: bool,
    /// The commits that the file of the database is known to hold, without its log.
    pub(crate) copied: u64,
}

impl Before {
    /// Looks at the folder of a store, before anything is made there.
    pub(crate) fn look(folder: &Path, database: &Path, blobs: &Path) -> Before {
        let noted = Noted::look(&folder.join(FILE));
        let looked = std::fs::metadata(database);
        let is_empty = !looked.as_ref().is_ok_and(|file| file.len() > 0);
        let unseen = match looked {
            Ok(found) => found.is_dir().then(|| ErrorKind::IsADirectory.into()),
            Err(error) => Some(error).filter(|error| error.kind() != ErrorKind::NotFound),
        };
        let log = OldLog::look(&beside(database, "-wal"));
        let has_files = std::fs::read_dir(blobs).is_ok_and(|mut all| all.next().is_some());
        let beside = match (&noted, has_files) {
            (Noted::At(_) | Noted::Unreadable(_), _) => {
                Some("a note of its last commit lies there")
            }
            (Noted::Missing, true) => Some("documents lie there"),
            _ if log.is_some() => Some("a log with its newest commits lies there"),
            _ => {
                folder.join("token.key").exists().then_some("keys that it was used with lie there")
            }
        };
        let (folder, database, blobs) = (folder.to_owned(), database.to_owned(), blobs.to_owned());
        Before { folder, database, blobs, noted, is_empty, unseen, log, beside }
    }

    /// Whether there is a database, or nothing that tells of one.
    ///
    /// Errors: [`Strange::Empty`].
    pub(crate) fn has_database(&self) -> Result<bool, Fault> {
        self.is_seen()?;
        match (self.is_empty, self.beside) {
            (true, Some(beside)) => Err(self.missing(beside)),
            (is_empty, _) => Ok(!is_empty),
        }
    }

    /// One that may not be looked at is not missing: another one in its place would be a mistake.
    fn is_seen(&self) -> Result<(), Fault> {
        let Some(error) = &self.unseen else { return Ok(()) };
        let (path, message) = (self.database.display().to_string(), error.to_string());
        Err(Fault::Files { doing: "look at", path, message })
    }

    fn missing(&self, beside: &'static str) -> Fault {
        Fault::Strange(Strange::Empty { folder: self.folder.display().to_string(), beside })
    }

    /// Looks at everything in the database that keeps a start from going on with it. Not a byte in
    /// the folder is changed by it, so that what is found wrong can be put right.
    ///
    /// Errors: [`Fault::Strange`], [`Fault::NotDatabase`], [`Fault::WrongKey`],
    /// [`Fault::NewerDatabase`], [`Fault::OlderDatabase`].
    pub(crate) fn examine(
        &self,
        secrets: &SecretBox,
        (new_store, as_it_is): (bool, bool),
    ) -> Result<Beginning, Fault> {
        self.is_seen()?;
        if self.is_empty && new_store && self.log.is_some() {
            return Err(self.not_its("none lies there, and a new one would be made over them"));
        }
        if self.is_empty && new_store || !self.has_database()? {
            return Ok(Beginning { is_new: new_store, is_known: false, copied: 0 });
        }
        let file = Sqlite::alone(&self.database).and_then(|mut db| Ok((of(&mut db)?, db)));
        let copied = file.as_ref().map_or(0, |(found, _)| found.as_ref().map_or(0, |f| f.commits));
        let mut db = match &self.log {
            None => file?.1,
            Some(log) => self.with_log(log, file.map(|(found, _)| found))?,
        };
        let is_new = new_store || self.compare(&mut db)?;
        let is_known = key_proof::compare(&mut db, secrets)?;
        match migrations::compare(&mut db) {
            Err(Fault::OlderDatabase { .. }) if !as_it_is => {}
            other => other?,
        }
        // Before it is upgraded, too: nobody goes back from that.
        if !is_known {
            key_proof::ask(&mut db, secrets)?;
        }
        Ok(Beginning { is_new, is_known, copied })
    }

    /// Whether some of the newest files that the database names lie there. What else lies there
    /// says nothing: a mount that is missing may leave a folder, and a disk has entries of its own.
    fn compare_files(&self, db: &mut dyn Connection, found: &Continuity) -> Result<(), Fault> {
        // What is older than a store that was taken in place of another may have been given up.
        let from = if found.generation > 1 { found.since } else { Timestamp::MIN };
        let named = db.query(FILES, &[from.into()])?;
        let files = named.into_iter().map(|mut row| row.text("blobs.file"));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let mut unseen = None;
        for path in files.iter().map(|file| place(&self.blobs, file)) {
            match path.try_exists() {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => unseen = Some((path.display().to_string(), error.to_string())),
            }
        }
        // Those that may not be looked at are not missing.
        match (unseen, files.is_empty()) {
            (Some((path, message)), _) => Err(Fault::Files { doing: "look at", path, message }),
            (None, true) => Ok(()),
            (None, false) => {
                let folder = self.folder.display().to_string();
                Err(Fault::Strange(Strange::NoFiles { folder }))
            }
        }
    }

    /// Looks whether the database is the one that was here before, and answers whether it is in
    /// another file, as after a restore of the whole folder. It is not changed.
    ///
    /// Errors: [`Fault::Strange`].
    fn compare(&self, db: &mut dyn Connection) -> Result<bool, Fault> {
        let folder = self.folder.display().to_string();
        if db.first(IS_ANY, &[])?.is_none() {
            let hollow = |beside| Fault::Strange(Strange::Hollow { folder, beside });
            return self.beside.map_or(Ok(false), |beside| Err(hollow(beside)));
        }
        let found = of(db)?;
        if let Some(found) = &found {
            self.compare_files(db, found)?;
        }
        let unnoted =
            |found: String| Fault::Strange(Strange::Unnoted { folder: folder.clone(), found });
        let Note { continuity: noted, born: was_born, becoming, .. } = match (&self.noted, &found) {
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
            // A start that took it in place of another ended before it noted so.
            Some(found) if becoming.as_ref() == Some(&found.name) => Ok(false),
            Some(found) if found.name == noted.name && found.commits >= noted.commits => {
                let is_born = born(&self.database);
                let is_copy = was_born.zip(is_born).is_some_and(|(was, is)| was != is);
                Ok(is_copy || becoming.is_some())
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
    pub(crate) fn renew(
        &self,
        db: &mut dyn Connection,
        notes: &mut Notes,
        now: Timestamp,
    ) -> Result<(), Fault> {
        let found = of(db)?;
        let noted = match &self.noted {
            Noted::At(noted) => noted.continuity.generation,
            Noted::Missing | Noted::Unreadable(_) => 0,
        };
        let before = noted.max(found.as_ref().map_or(0, |found| found.generation));
        let name = db.first(NEW_NAME, &[])?.map(|mut row| row.text("name")).transpose()?;
        let name = name.unwrap_or_default();
        if let Some(found) = found {
            notes.become_of(found, name.clone());
        }
        db.execute(RENEW, &[next_generation(before, now).into(), now.into(), (&name).into()])?;
        db.execute(FORGO, &[now.into()])?;
        // Its new name stands beside it before anything else can fail.
        notes.keep(of(db)?.as_ref());
        Ok(())
    }

    /// Notes with which log the database is gone on with, before anything is written to it.
    pub(crate) fn go_on(&self, notes: &mut Notes) {
        if let Noted::At(noted) = &self.noted {
            notes.go_on(noted);
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
