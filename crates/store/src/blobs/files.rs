//! Files that are either whole and on the disk, or not there: written under another name, flushed,
//! renamed, and the folder flushed, so that a power cut after [`Files::put`] loses nothing.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::error::Fault;

/// What marks the name of a file that is being written.
pub(crate) const UNFINISHED: char = '#';

/// A folder of files: `owner/name`, where the name may lead through a folder of its own.
#[derive(Debug, Clone)]
pub(crate) struct DurableFolder {
    pub(crate) folder: PathBuf,
}

impl DurableFolder {
    /// Makes the folder where it is not there.
    pub(crate) fn open(folder: &Path) -> Result<DurableFolder, Fault> {
        fs::create_dir_all(folder).map_err(|error| fault("open blob folder", folder, &error))?;
        Ok(DurableFolder { folder: folder.to_owned() })
    }

    /// Where a file of an owner is; the names of owners have no separators.
    fn path(&self, file: &str) -> PathBuf {
        let (owner, name) = file.split_once('/').unwrap_or(("", file));
        self.folder.join(folder_of(owner)).join(name)
    }

    /// Writes a file that is not there yet.
    pub(crate) async fn put(&self, file: &str, bytes: Bytes) -> Result<(), Fault> {
        let path = self.path(file);
        blocking(move || write(&path, &bytes).map_err(|e| fault("write blob", &path, &e))).await
    }

    /// The bytes of a file.
    pub(crate) async fn get(&self, file: &str) -> Result<Bytes, Fault> {
        let path = self.path(file);
        let read = move || fs::read(&path).map_err(|e| fault("read blob", &path, &e));
        Ok(blocking(read).await?.into())
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

/// The folder of an owner: its name, unless that means another folder.
pub(crate) fn folder_of(owner: &str) -> &str {
    match owner {
        "." => "%2E",
        ".." => "%2E%2E",
        name => name,
    }
}

/// The owner of a folder.
pub(crate) fn owner_of(folder: &str) -> &str {
    match folder {
        "%2E" => ".",
        "%2E%2E" => "..",
        name => name,
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    make(folder)?;
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(UNFINISHED.to_string());
    let done = fill(Path::new(&unfinished), bytes)
        .and_then(|()| fs::rename(&unfinished, path))
        .and_then(|()| flush(folder));
    if done.is_err() {
        // What is left of it would only cost room; the sweep finds it where this fails too.
        let _ = fs::remove_file(&unfinished);
    }
    done
}

/// Makes a folder with those above it, each of them on the disk.
fn make(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().ok_or(ErrorKind::InvalidInput)?;
    make(above)?;
    match fs::create_dir(folder) {
        // Somebody else was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    flush(above)
}

fn fill(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
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
    use super::*;

    #[tokio::test]
    async fn a_file_is_there_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("quoin-files-{}", std::process::id()));
        let files = DurableFolder::open(&folder).unwrap();
        for owner in ["acme", ".", ".."] {
            let name = format!("{owner}/ab/one");
            files.put(&name, Bytes::from_static(b"bytes")).await.unwrap();
            assert_eq!(files.get(&name).await.unwrap(), "bytes");
            let inside = folder.join(folder_of(owner)).join("ab");
            assert_eq!(fs::read_dir(&inside).unwrap().count(), 1, "{owner}: nothing is left over");
            assert_eq!(owner_of(folder_of(owner)), owner);
            files.delete(&name).await.unwrap();
            files.delete(&name).await.unwrap();
            assert!(matches!(files.get(&name).await, Err(Fault::Files { .. })));
        }
        // A folder that is no folder: an error, and nothing beside it.
        fs::write(folder.join("bad"), b"").unwrap();
        assert!(files.put("bad/one", Bytes::new()).await.is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
