//! The note beside the database: what it is called, how far it came, and which files it is in.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Continuity, read};
use crate::engine::Connection;
use crate::error::Fault;
use crate::ours::beside;

/// The file beside the database.
pub(super) const FILE: &str = "continuity.json";
/// How often commits are noted at most.
const PAUSE: Duration = Duration::from_secs(1);
/// Bytes of the file at most; it has a few hundred.
const LONGEST: u64 = 64 * 1024;

const NOTE: &str = "UPDATE continuity SET commits = commits + 1, noted_on = ?1
    RETURNING generation, name, since, commits, noted_on";

/// What the file beside the database holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) continuity: Continuity,
    /// When the file of the database came to be, where the file system knows: a copy of it is
    /// younger, whatever is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) born: Option<Timestamp>,
    /// The same of its log: one that was put beside it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) log: Option<Timestamp>,
    /// The commits that the file of the database holds at least, without its log.
    #[serde(default)]
    pub(super) copied: u64,
    /// What the database is called once it was taken in place of the store that was here, where
    /// that has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) becoming: Option<String>,
}

/// When a file came to be, where the file system knows.
pub(super) fn born(file: &Path) -> Option<Timestamp> {
    Timestamp::try_from(std::fs::metadata(file).ok()?.created().ok()?).ok()
}

/// What the file beside the database says.
#[derive(Debug)]
pub(super) enum Noted {
    /// How far it came.
    At(Note),
    /// It is not there.
    Missing,
    /// It cannot be read, and why.
    Unreadable(String),
}

impl Noted {
    pub(super) fn look(file: &Path) -> Noted {
        match whole(file) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(noted) => Noted::At(noted),
                Err(error) => Noted::Unreadable(error.to_string()),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Noted::Missing,
            Err(error) => Noted::Unreadable(error.to_string()),
        }
    }
}

/// The bytes of the file, where it is one: a pipe may never begin.
fn whole(file: &Path) -> std::io::Result<Vec<u8>> {
    let found = std::fs::metadata(file)?;
    if !found.is_file() || found.len() > LONGEST {
        let said = format!("is no plain file of at most {LONGEST} bytes");
        return Err(std::io::Error::new(ErrorKind::InvalidInput, said));
    }
    std::fs::read(file)
}

/// Notes commits: in the database with them, and after them in the file beside it, so that the file
/// is never ahead.
pub(crate) struct Notes {
    file: Option<PathBuf>,
    born: Option<Timestamp>,
    log: Option<Timestamp>,
    copied: u64,
    /// Those that were noted last, and the pages of the log then.
    commits: u64,
    pages: u32,
    seen: u64,
    last: Option<Instant>,
}

impl Notes {
    /// Notes in a folder about the database that was just opened there, whose file holds at least
    /// so many commits; none where there is no folder.
    pub(crate) fn new(place: Option<(&Path, &Path)>, copied: u64) -> Notes {
        let file = place.map(|(folder, _)| folder.join(FILE));
        let born_of = |end| place.and_then(|(_, database)| born(&beside(database, end)));
        let (born, log, commits) = (born_of(""), born_of("-wal"), copied);
        Notes { file, born, log, copied, commits, pages: 0, seen: 0, last: None }
    }

    /// Before the first commit: notes the files that what was noted is gone on with in.
    pub(super) fn go_on(&mut self, noted: &Note) {
        let (log, copied) = (self.log, self.copied.max(noted.copied));
        self.copied = copied;
        let again = Note { log, copied, ..noted.clone() };
        if again != *noted {
            self.put(&again);
        }
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

    /// After the commit, with the pages that the log has now: writes it down beside the database.
    /// Where that fails, what is written there is older, which is no mistake.
    pub(crate) fn committed(&mut self, noted: Option<&Continuity>, pages: u32) {
        // The log began anew, so that all that was noted before is in the file of the database.
        if pages < self.pages {
            self.copied = self.commits;
        }
        self.pages = pages;
        self.keep(noted);
    }

    /// Writes down beside the database how far it came.
    pub(super) fn keep(&mut self, noted: Option<&Continuity>) {
        let Some(continuity) = noted.cloned() else { return };
        self.commits = continuity.commits;
        self.put(&self.about(continuity, None));
    }

    /// Before a database is taken in place of the store that was here: notes what it is about to be
    /// called, so that a start which ends in between is gone on with by the next one.
    pub(super) fn become_of(&mut self, found: Continuity, name: String) {
        self.put(&self.about(found, Some(name)));
    }

    fn about(&self, continuity: Continuity, becoming: Option<String>) -> Note {
        let (born, log, copied) = (self.born, self.log, self.copied);
        Note { continuity, born, log, copied, becoming }
    }

    fn put(&self, note: &Note) {
        let Some(file) = &self.file else { return };
        let draft = file.with_extension("draft");
        let written = serde_json::to_vec(note).map_err(std::io::Error::other);
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_or_an_endless_file_in_its_place_is_told_at_once() {
        let folder = std::env::temp_dir().join(format!("quoin-notes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (pipe, long) = (folder.join("pipe"), folder.join("long"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::fs::write(&long, vec![b' '; 1 << 20]).unwrap();
        for file in [&pipe, &long] {
            let Noted::Unreadable(why) = Noted::look(file) else { panic!("{file:?}") };
            assert!(why.contains("no plain file of at most"), "{why}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
