//! Files of blobs that no record names: left behind by a crash between a file and its commit.

use std::fs::DirEntry;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use tokio::sync::mpsc::{self, Sender};

use crate::blobs::files::UNFINISHED;
use crate::engine::Param;
use crate::error::{Error, Fault};
use crate::folders::owner_of;
use crate::open::Store;

/// How old a file must be: a younger one may belong to a commit that is still to come.
const AGE: Duration = Duration::from_secs(3_600);
/// Files that are asked for at a time.
const AT_ONCE: usize = 500;

const IS_NAMED: &str = "SELECT 1 FROM blobs WHERE organisation = ?1 AND sha256 = ?2 AND file = ?3";

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Orphans {
    /// Files that were removed.
    pub removed: usize,
    /// Files that were there before this store was taken in place of another one: they may be
    /// documents that it does not know, so they are left.
    pub unknown: usize,
}

impl Orphans {
    /// Removes a file that no record names, unless it is young or from before the time of a store
    /// that this one took the place of. One from the future, by a clock that was ahead then or is
    /// behind now, is as young as any.
    fn settle(&mut self, file: &BlobFile, before: Option<SystemTime>) {
        if before.is_some_and(|since| file.changed < since) {
            self.unknown += 1;
            return;
        }
        if !file.changed.elapsed().is_ok_and(|age| age >= AGE) {
            return;
        }
        match std::fs::remove_file(&file.path) {
            Ok(()) => self.removed += 1,
            Err(error) => {
                tracing::warn!(file = %file.path.display(), %error, "it could not be removed");
            }
        }
    }
}

/// A file of the folder of an organisation; its name leads through a folder, unless it is from
/// before there were any.
#[derive(Debug, Clone)]
struct BlobFile {
    organisation: String,
    name: String,
    path: PathBuf,
    changed: SystemTime,
}

impl BlobFile {
    /// The digest in its name, where it has the name of a blob.
    fn digest(&self) -> Option<Vec<u8>> {
        let name = self.name.rsplit('/').next()?;
        let (hex, _) = name.split_once('-')?;
        // What a write that broke off has left has a mark behind its name.
        let whole = !self.name.contains(UNFINISHED);
        HEXLOWER.decode(hex.as_bytes()).ok().filter(|digest| digest.len() == 32 && whole)
    }
}

/// Hands over the files of all organisations, some at a time, for as long as somebody takes them.
fn walk(folder: &Path, to: &Sender<Vec<BlobFile>>) -> std::io::Result<()> {
    let mut some = Vec::with_capacity(AT_ONCE);
    for owner in std::fs::read_dir(folder)? {
        let owner = owner?;
        if !owner.file_type()?.is_dir() {
            continue;
        }
        let organisation = owner_of(&owner.file_name().to_string_lossy()).to_owned();
        let mut folders = vec![(owner.path(), String::new())];
        while let Some((folder, before)) = folders.pop() {
            for file in std::fs::read_dir(folder)? {
                let file = file?;
                let name = format!("{before}{}", file.file_name().to_string_lossy());
                if before.is_empty() && file.file_type()?.is_dir() {
                    folders.push((file.path(), format!("{name}/")));
                    continue;
                }
                let Some(found) = look(&organisation, name, &file)? else { continue };
                some.push(found);
                if some.len() == AT_ONCE && to.blocking_send(std::mem::take(&mut some)).is_err() {
                    return Ok(());
                }
            }
        }
    }
    // Who takes them no longer has told why.
    let _ = to.blocking_send(some);
    Ok(())
}

/// What is known of a file; `None` where it is none, or went away since its folder was read.
fn look(organisation: &str, name: String, file: &DirEntry) -> std::io::Result<Option<BlobFile>> {
    let about = match file.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        about => about?,
    };
    let (organisation, changed) = (organisation.to_owned(), about.modified()?);
    Ok(about.is_file().then(|| BlobFile { organisation, name, path: file.path(), changed }))
}

impl Store {
    /// Removes files that no record names and that have been there for an hour. What was there
    /// before the store was taken in place of another one is counted and left.
    pub async fn sweep_files(&self) -> Result<Orphans, Error> {
        let continuity = self.continuity().await?;
        let since = SystemTime::from(continuity.since);
        let folder = self.blobs.folder();
        let (to, mut found) = mpsc::channel(2);
        let place = folder.clone();
        let walked = tokio::task::spawn_blocking(move || walk(&place, &to));
        let mut orphans = Orphans::default();
        while let Some(some) = found.recv().await {
            for file in self.unnamed(some).await? {
                orphans.settle(&file, (continuity.generation > 1).then_some(since));
            }
        }
        let walked = walked.await.map_err(|e| Fault::Panicked { message: e.to_string() })?;
        walked.map_err(|e| Fault::Files {
            doing: "look through",
            path: folder.display().to_string(),
            message: e.to_string(),
        })?;
        Ok(orphans)
    }

    async fn unnamed(&self, files: Vec<BlobFile>) -> Result<Vec<BlobFile>, Error> {
        self.read(move |db| {
            let mut unnamed = Vec::new();
            for file in files {
                let named = match file.digest() {
                    Some(digest) => {
                        let path = format!("{}/{}", file.organisation, file.name);
                        let owner = file.organisation.as_str().into();
                        let key = [owner, Param::Blob(&digest), (&path).into()];
                        db.first(IS_NAMED, &key)?.is_some()
                    }
                    None => false,
                };
                if !named {
                    unnamed.push(file);
                }
            }
            Ok(unnamed)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_removed_when_it_is_known_to_be_old() {
        let folder = std::env::temp_dir().join(format!("quoin-orphans-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&folder).unwrap();
        let now = SystemTime::now();
        let times = [now - AGE * 2, now, now + AGE / 2, now + AGE * 10];
        let mut orphans = Orphans::default();
        let mut left = Vec::new();
        for (at, changed) in times.into_iter().enumerate() {
            let path = folder.join(at.to_string());
            std::fs::write(&path, "x").unwrap();
            let name = at.to_string();
            let file = BlobFile { organisation: "acme".to_owned(), name, path, changed };
            orphans.settle(&file, None);
            left.push(file.path.exists());
        }
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, [false, true, true, true]);
        assert_eq!(orphans, Orphans { removed: 1, unknown: 0 });
    }
}
