//! Files of blobs that no record names: left behind by a crash between a file and its commit.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;

use crate::engine::Param;
use crate::error::{Error, Fault};
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

/// A file of the folder of an organisation.
#[derive(Debug, Clone)]
struct Found {
    organisation: String,
    name: String,
    path: PathBuf,
    changed: SystemTime,
}

impl Found {
    /// The digest in its name, where it has the name of a blob.
    fn digest(&self) -> Option<Vec<u8>> {
        let (hex, _) = self.name.split_once('-')?;
        // What a write that broke off has left has a mark behind its name.
        let whole = !self.name.contains('#');
        HEXLOWER.decode(hex.as_bytes()).ok().filter(|digest| digest.len() == 32 && whole)
    }
}

/// The files of all organisations.
fn list(folder: &Path) -> std::io::Result<Vec<Found>> {
    let mut all = Vec::new();
    for owner in std::fs::read_dir(folder)? {
        let owner = owner?;
        if !owner.file_type()?.is_dir() {
            continue;
        }
        let organisation = owner.file_name().to_string_lossy().into_owned();
        for file in std::fs::read_dir(owner.path())? {
            let file = file?;
            let about = file.metadata()?;
            let changed = about.modified()?;
            if about.is_file() {
                let name = file.file_name().to_string_lossy().into_owned();
                let organisation = organisation.clone();
                all.push(Found { organisation, name, path: file.path(), changed });
            }
        }
    }
    Ok(all)
}

impl Store {
    /// Removes files that no record names and that have been there for an hour. What was there
    /// before the store was taken in place of another one is counted and left.
    pub async fn sweep_files(&self) -> Result<Orphans, Error> {
        let continuity = self.continuity().await?;
        let since = SystemTime::from(continuity.since);
        let folder = self.blobs.folder.clone();
        let fault = |e: std::io::Error, folder: &Path| Fault::Files {
            doing: "look through",
            path: folder.display().to_string(),
            message: e.to_string(),
        };
        let place = folder.clone();
        let all = tokio::task::spawn_blocking(move || list(&place)).await;
        let all = all.map_err(|e| Fault::Panicked { message: e.to_string() })?;
        let all = all.map_err(|e| fault(e, &folder))?;
        let mut orphans = Orphans::default();
        for some in all.chunks(AT_ONCE) {
            for file in self.unnamed(some.to_vec()).await? {
                if continuity.generation > 1 && file.changed < since {
                    orphans.unknown += 1;
                    continue;
                }
                if file.changed.elapsed().is_ok_and(|age| age < AGE) {
                    continue;
                }
                if let Err(error) = std::fs::remove_file(&file.path) {
                    tracing::warn!(file = %file.path.display(), %error, "it could not be removed");
                } else {
                    orphans.removed += 1;
                }
            }
        }
        Ok(orphans)
    }

    async fn unnamed(&self, files: Vec<Found>) -> Result<Vec<Found>, Error> {
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
