//! Files that are either whole and on the disk, or not there: written under another name, flushed,
//! renamed, and the folder flushed, so that a power cut after [`UnfinishedFile::finish`]
//! loses nothing.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

use crate::error::{Fault, WRITE_BLOB, WRITE_FOLDER};
use crate::folders::place;

/// What marks the name of a file that is being written.
pub(crate) const UNFINISHED: char = '#';

/// A folder of files: `owner/name`, where the name may lead through a folder of its own.
#[derive(Debug, Clone)]
pub(crate) struct DurableFolder {
    pub(crate) folder: PathBuf,
    /// Folders of which this process knows that they are on the disk.
    known: Arc<Mutex<HashSet<PathBuf>>>,
}

impl DurableFolder {
    /// Makes the folder where it is not there.
    pub(crate) fn open(folder: &Path) -> Result<DurableFolder, Fault> {
        fs::create_dir_all(folder).map_err(|error| fault("open blob folder", folder, &error))?;
        Ok(DurableFolder { folder: folder.to_owned(), known: Arc::default() })
    }

    /// Whether a file can be made here and filled.
    pub(crate) fn try_out(&self) -> Result<(), Fault> {
        let path = self.folder.join(format!("try{UNFINISHED}"));
        let made = File::create(&path).and_then(|mut file| file.write_all(b"one"));
        let removed = fs::remove_file(&path);
        made.and(removed).map_err(|error| fault(WRITE_FOLDER, &path, &error))
    }

    fn path(&self, file: &str) -> PathBuf {
        place(&self.folder, file)
    }

    /// Begins a file of an owner, which gets its name when it is whole. To be called on a thread
    /// that may wait for the disk.
    pub(crate) fn begin(&self, owner: &str) -> Result<UnfinishedFile, Fault> {
        let path = self.path(&format!("{owner}/{}{UNFINISHED}", Uuid::new_v4().simple()));
        let begun = path.parent().ok_or(ErrorKind::InvalidInput.into()).and_then(|folder| {
            self.make(folder)?;
            File::options().read(true).write(true).create_new(true).open(&path)
        });
        let file = begun.map_err(|e| fault(WRITE_BLOB, &path, &e))?;
        Ok(UnfinishedFile { files: self.clone(), path, file, is_whole: false })
    }

    /// Makes a folder of this one with those above it, each of them on the disk. One that is there
    /// already may be of somebody who has not flushed it yet.
    fn make(&self, folder: &Path) -> Result<(), Error> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !folder.starts_with(&self.folder) || (known().contains(folder) && folder.is_dir()) {
            return Ok(());
        }
        let above = folder.parent().ok_or(ErrorKind::InvalidInput)?;
        self.make(above)?;
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
            made => made?,
        }
        flush(above)?;
        known().insert(folder.to_owned());
        Ok(())
    }

    /// A file, to be read. To be called on a thread that may wait for the disk.
    pub(crate) fn read(&self, file: &str) -> Result<File, Fault> {
        let path = self.path(file);
        File::open(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => self.lost(file, "is missing"),
            _ => fault("read blob", &path, &error),
        })
    }

    /// That a file is not what was written.
    pub(crate) fn damaged(&self, file: &str) -> Fault {
        self.lost(file, "is damaged: it was cut or changed since it was written")
    }

    fn lost(&self, file: &str, found: &'static str) -> Fault {
        Fault::Lost { path: self.path(file).display().to_string(), found }
    }

    /// What became of reading a file.
    pub(crate) fn unreadable(&self, file: &str, error: &Error) -> Fault {
        fault("read blob", &self.path(file), error)
    }

    /// Removes a file; one that is not there is no error.
    pub(crate) async fn delete(&self, file: &str) -> Result<(), Fault> {
        let path = self.path(file);
        let remove = move || match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(fault("remove blob", &path, &error))
            }
            _ => Ok(()),
        };
        blocking(remove).await
    }
}

/// A file that is being written; it is gone where it does not become whole.
#[derive(Debug)]
pub(crate) struct UnfinishedFile {
    files: DurableFolder,
    path: PathBuf,
    pub(super) file: File,
    is_whole: bool,
}

impl UnfinishedFile {
    /// Writes the next part.
    pub(crate) fn write(&mut self, part: &[u8]) -> Result<(), Fault> {
        self.file.write_all(part).map_err(|e| fault(WRITE_BLOB, &self.path, &e))
    }

    /// What became of reading back what was written.
    pub(crate) fn unreadable(&self, error: &Error) -> Fault {
        fault("read blob", &self.path, error)
    }

    /// Gives the file its name, under which it is on the disk then.
    pub(crate) fn finish(mut self, file: &str) -> Result<(), Fault> {
        let path = self.files.path(file);
        let done = path.parent().ok_or(ErrorKind::InvalidInput.into()).and_then(|folder| {
            self.file.sync_all()?;
            self.files.make(folder)?;
            fs::rename(&self.path, &path)?;
            flush(folder)
        });
        self.is_whole = done.is_ok();
        done.map_err(|e| fault(WRITE_BLOB, &path, &e))
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if !self.is_whole {
            // What is left of it would only cost room; the sweep finds it where this fails too.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Flushes a folder, so that the names in it are on the disk.
fn flush(folder: &Path) -> Result<(), Error> {
    File::open(folder)?.sync_all()
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Fault::Panicked { message: error.to_string() })?
}

fn fault(doing: &'static str, path: &Path, error: &Error) -> Fault {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Fault::Full { doing },
        _ => Fault::Files { doing, path: path.display().to_string(), message: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use crate::folders::{folder_of, owner_of};

    use super::*;

    #[tokio::test]
    async fn a_file_is_there_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("quoin-files-{}", std::process::id()));
        let files = DurableFolder::open(&folder).unwrap();
        for owner in ["acme", ".", ".."] {
            let name = format!("{owner}/ab/one");
            let mut file = files.begin(owner).unwrap();
            file.write(b"by").unwrap();
            file.write(b"tes").unwrap();
            file.finish(&name).unwrap();
            let mut bytes = Vec::new();
            files.read(&name).unwrap().read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b"bytes");
            drop(files.begin(owner).unwrap());
            assert_eq!(fs::read_dir(folder.join(folder_of(owner))).unwrap().count(), 1);
            let inside = folder.join(folder_of(owner)).join("ab");
            assert_eq!(fs::read_dir(&inside).unwrap().count(), 1, "{owner}: nothing is left over");
            assert_eq!(owner_of(folder_of(owner)), owner);
            files.delete(&name).await.unwrap();
            files.delete(&name).await.unwrap();
            assert!(matches!(files.read(&name), Err(Fault::Lost { .. })));
        }
        // Who did not make the folders has them on the disk all the same before a file is in them.
        let other = DurableFolder::open(&folder).unwrap();
        drop(other.begin("acme").unwrap());
        let flushed = other.known.lock().unwrap().clone();
        assert_eq!(flushed, HashSet::from([folder.clone(), folder.join("acme")]));
        // A folder that is no folder: an error, and nothing beside it.
        fs::write(folder.join("bad"), b"").unwrap();
        assert!(files.begin("bad").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
